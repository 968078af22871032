/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"
#include "measure/probe_smi.h"

struct params {
	struct nf_job_params job;
	struct nf_probe_params probe;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	NF_CPUS_OPT(struct params, probe),
	NF_DURATION_OPT(struct params, probe, 10000000, INT64_C(10000000000), NULL),
	NF_JOB_OPTS(struct params, job),
	NF_BUDGET_OPT(struct params, job),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_probe_command command = { &nf_probe_smi, sizeof(struct nf_smi_cfg),
		                                         NULL };
	const struct params *p = params;

	(void)argc;
	(void)argv;
	return nf_probe_command_run(cli, &command, &p->job, &p->probe, p, err);
}

const struct nf_cmd nf_cmd_smi = {
	.name = "smi",
	.operands = "",
	.summary = "count of system management interrupts over a window",
	.description =
	        "Counts system management interrupts, during which the firmware stops every CPU, "
	        "over a "
	        "window. Where no counter exists, or a guest's counter cannot move, the answer is "
	        "that it is unsupported, never 0.",
	.examples = "smi -d 2m # two minutes",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.target = NF_CMD_TARGET_RUN | NF_CMD_TARGET_ROOT,
	.test_long = "smi -d 60s",
	.test_short = "smi -d 20ms",
	.run = run,
};
