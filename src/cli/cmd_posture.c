/* SPDX-License-Identifier: MIT */
#include <sys/stat.h>

#include "cli/jobs.h"

struct params {
	const char *root;
	const char *profile;
	bool advise;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_PATH(0, "root", struct params, root, NULL, "DIR",
		"a folder with proc/ and sys/ captured on another machine"), .def_text = "this machine" },
	{ NF_OPT_PATH(0, "check", struct params, profile, NULL, "PROFILE",
		"file with lines that must hold: config CONFIG_X=y, cmdline WORD, sysctl NAME=VALUE"),
	  .carried = true },
	{ NF_OPT_FLAG(0, "advise", struct params, advise,
		"say what spoils timing here, what would help, and which document says so") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_job_params none;
	const struct params *p = params;
	struct nf_job_outcome outcome;
	struct nf_job_opts job;

	(void)argc;
	(void)argv;
	struct stat st;
	if (p->root && (stat(p->root, &st) < 0 || !S_ISDIR(st.st_mode))) {
		char quoted[NF_OPT_QUOTED];

		nf_opt_quote(p->root, quoted);
		return nf_fail(err, NF_EARG, "--root: bad value %s; allowed: a folder", quoted);
	}
	int r = nf_job_opts_fill(cli, &none, &job, err);
	if (r < 0)
		return r;
	nf_job_outcome_init(&outcome);
	const struct nf_posture_opts opts_of_job = { .root = p->root,
		                                     .profile = p->profile,
		                                     .advise = p->advise };
	r = nf_job_posture(&job, &opts_of_job, &outcome, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

const struct nf_cmd nf_cmd_posture = {
	.name = "posture",
	.operands = "",
	.summary = "how this machine, or a captured one, is set up",
	.description = "Shows what bears on timing: platform, CPUs and their isolation, frequency "
	               "and idle "
	               "drivers, kernel, preemption model, clocks, throttling, load. Nothing is "
	               "changed. A "
	               "fact that cannot be read is unknown, which is not the same as no.\n\n"
	               "With --check every line of the profile is matched, mismatched (the host "
	               "has another value) or missing; a host that differs exits 1, one where a "
	               "line cannot be read exits 3. With --advise rules say what about the setup "
	               "spoils timing; rules whose fact is unknown here are listed as undecided.",
	.examples = "posture # this machine\n"
	            "posture --root captured/host-a # a tree captured elsewhere\n"
	            "posture --check rt.profile # is it set up as it should be?\n"
	            "posture --advise # what would make it quieter\n"
	            "--json posture # as JSON",
	.opts = opts,
	.params_size = sizeof(struct params),
	.target = NF_CMD_TARGET_TEXT,
	.test_long = "posture --root {root}",
	.test_short = "posture",
	.run = run,
};
