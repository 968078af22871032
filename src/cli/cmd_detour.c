/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"
#include "measure/probe_detour.h"

struct params {
	struct nf_job_params job;
	struct nf_probe_params probe;
	int64_t threshold_ns;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_DURATION(0, "threshold", struct params, threshold_ns, 1, INT64_C(1000000000), 0,
		"a gap between two reads of the clock that is longer is a detour"),
	  .def_text = "8 x the smallest detectable, on each CPU" },
	NF_CPUS_OPT(struct params, probe),
	NF_DURATION_OPT(struct params, probe, 1000000, INT64_C(10000000000), NULL),
	NF_POLICY_OPTS(struct params, probe, "other"),
	NF_SEED_OPT(struct params, probe),
	NF_SAMPLE_MEMORY_OPT(struct params, probe),
	NF_WHY_OPT(struct params, job),
	NF_JOB_OPTS(struct params, job),
	NF_BUDGET_OPT(struct params, job),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int set(void *config, const void *params, struct nf_job_opts *job, struct nf_err *err)
{
	const struct params *p = params;
	struct nf_detour_cfg *cfg = config;

	(void)job;
	(void)err;
	cfg->threshold_ns = p->threshold_ns;
	return 0;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_probe_command command = { &nf_probe_detour,
		                                         sizeof(struct nf_detour_cfg), set };
	const struct params *p = params;

	(void)argc;
	(void)argv;
	return nf_probe_command_run(cli, &command, &p->job, &p->probe, p, err);
}

const struct nf_cmd nf_cmd_detour = {
	.name = "detour",
	.operands = "",
	.summary = "what interrupts a loop that only reads a clock: when, and for how long",
	.description =
	        "Reads a clock again and again on every CPU. Two reads that lie further apart than "
	        "the threshold are a detour: something else had the CPU. Its start and its "
	        "length are kept.\n\n"
	        "The run ends by time. Where there is no more memory for detours, later ones are "
	        "counted and summed up, but their starts and lengths are lost.",
	.examples = "detour # every detour of 10 seconds on all CPUs\n"
	            "detour -c 3 -d 1m --threshold 1us # those over 1 us on CPU 3\n"
	            "detour -c 2-3 --policy fifo --budget noise.txt # judged by the file's limits",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.target = NF_CMD_TARGET_RUN,
	.test_long = "detour -d 60s --threshold 2us",
	.test_short = "detour -d 20ms --threshold 2us",
	.run = run,
};
