/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"
#include "measure/probe_clock.h"

struct params {
	struct nf_job_params job;
	struct nf_probe_params probe;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	NF_CPUS_OPT(struct params, probe),
	NF_DURATION_OPT(struct params, probe, 10000000, INT64_C(2000000000), NULL),
	NF_POLICY_OPTS(struct params, probe, "other"),
	NF_JOB_OPTS(struct params, job),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_probe_command command = { &nf_probe_clock,
		                                         sizeof(struct nf_clock_cfg), NULL };
	const struct params *p = params;

	(void)argc;
	(void)argv;
	return nf_probe_command_run(cli, &command, &p->job, &p->probe, p, err);
}

const struct nf_cmd nf_cmd_clock = {
	.name = "clock",
	.operands = "",
	.summary = "what each way to read a clock costs, its step, skew and drift",
	.description =
	        "Measures what each way to read a clock costs, the step of the counter, how far "
	        "the CPUs' "
	        "counters are apart, and the drift of the counter against CLOCK_MONOTONIC_RAW.",
	.examples = "clock # the table of read costs\n"
	            "--json clock --clock monotonic # without the counter",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.target = NF_CMD_TARGET_RUN,
	.test_long = "clock -d 60s",
	.test_short = "clock -d 100ms",
	.run = run,
};
