/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "cli/jobs.h"
#include "cli/lab_progress.h"
#include "job/lab_plan.h"
#include "job/lab_run.h"

struct params {
	struct nf_job_params job;
	int64_t runs;
	struct nf_opt_list configs;
	const char *resume;
	bool dry_run;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_INT('n', "runs", struct params, runs, 1, NF_LAB_RUNS_MAX, 0,
		"boots of each configuration; the folder that runs are kept in is named before the command"),
	  .def_text = "as the campaign file says" },
	{ NF_OPT_LIST('c', "config", struct params, configs, "NAME", "only this configuration") },
	{ NF_OPT_PATH(0, "resume", struct params, resume, NULL, "RUN",
		"take over what this run folder of the same campaign has, and boot what is missing") },
	{ NF_OPT_FLAG(0, "dry-run", struct params, dry_run,
		"check everything that can be checked and tell the plan; nothing is switched"), .conflicts = "json" },
	{ NF_OPT_TEXT(0, "tag", struct params, job.tag, NULL, "TEXT",
		"last part of the run folder's name and the label that runs are compared by"),
	  .def_text = "the command" },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_lab_run_opts lab = {
		.file = argv,
		.n_files = (size_t)argc,
		.runs = p->runs,
		.config = p->configs.item,
		.n_configs = p->configs.n,
		.resume = p->resume,
		.search = getenv("PATH"),
	};
	struct nf_lab_progress progress = { 0 };
	struct nf_job_outcome outcome;
	struct nf_job_opts job;
	int r = nf_job_opts_fill(cli, &p->job, &job, err);

	if (r == 0)
		r = nf_lab_progress_init(&progress, cli, lab.n_files, err);
	if (r < 0)
		return r;
	lab.watch = &progress.watch;
	nf_job_outcome_init(&outcome);
	r = p->dry_run ? nf_job_lab_dry_run(&job, &lab, &outcome, err)
	               : nf_job_lab_run(&job, &lab, &outcome, err);
	nf_lab_progress_fini(&progress);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

const struct nf_cmd nf_cmd_lab_run = {
	.name = "lab run",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = 64,
	.summary = "boots boards again and again and times every boot",
	.description =
	        "FILE is a campaign file (docs/CAMPAIGN_FILE.md): a board, what switches its "
	        "power, "
	        "its bootloader, the configurations that it is booted with. Several files are "
	        "several boards, all of them driven from this one process; what fails with one "
	        "does not disturb the others.\n\n"
	        "Everything that can be wrong is looked for before any power is switched: files, "
	        "patterns, devices, images, consoles that others hold. Then each run is power off, "
	        "power on, bootloader, loads, boot, phases, until the console says that it is "
	        "done, or it failed. A failure of the infrastructure (power, console, network) or "
	        "of "
	        "the board is tried again as often as the file says; every try is in the "
	        "record.\n\n"
	        "The power ends as on_abort in the file says, however this program ends, killed "
	        "too. Each try's console is captured as it comes: 'lab phases' reads the run "
	        "folder "
	        "again. --resume takes the runs that have a result (ok, or failed by the board) "
	        "over into a new run folder and boots the others; the campaign file and the images "
	        "must be the same.\n\n"
	        "Exit code: 0 all runs are ok; 5 a run failed, by its infrastructure or its board; "
	        "2 "
	        "the campaign file, or what it names, cannot be.",
	.examples =
	        "lab run --dry-run board.yaml # what would be done; nothing is switched\n"
	        "lab run board.yaml --runs 5 # five boots of each configuration\n"
	        "lab run a.yaml b.yaml c.yaml # three boards at once\n"
	        "lab run --resume runs/20260102T030405Z-lab-lab-run board.yaml # what is missing",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.test_long = "lab run {board}",
	.test_short = "lab run {boots}",
	.run = run,
};
