/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"
#include "measure/probe_wake.h"

struct params {
	struct nf_job_params job;
	struct nf_probe_params probe;
	struct nf_timing_params timing;
	int64_t activations;
	int method;
	int64_t dma_latency_ns; /* -1: left as it is */
};

static const char *const methods[] = { [NF_WAKE_NANOSLEEP] = "nanosleep",
	                               [NF_WAKE_TIMERFD] = "timerfd",
	                               [NF_WAKE_DEADLINE] = "deadline",
	                               NULL };

/* clang-format off */
static const struct nf_opt opts[] = {
	NF_TIMING_OPTS(struct params, timing),
	{ NF_OPT_COUNT('n', "activations", struct params, activations, 1, INT64_C(1) << 32, 0,
		"end after so many per CPU instead of after a duration"), .def_text = "",
	  .conflicts = "duration" },
	{ NF_OPT_CHOICE('m', "method", struct params, method, methods, NF_WAKE_NANOSLEEP, "NAME",
		"what wakes: clock_nanosleep, a timerfd, or SCHED_DEADLINE") },
	{ NF_OPT_DURATION(0, "dma-latency", struct params, dma_latency_ns, 0, INT64_C(1000000000), -1,
		"idle states with a longer exit latency are not used meanwhile, in whole us"),
	  .def_text = "all may be used" },
	NF_CPUS_OPT(struct params, probe),
	NF_DURATION_OPT(struct params, probe, 1000000, INT64_C(10000000000), NULL),
	NF_POLICY_OPTS(struct params, probe, "fifo where it may be had"),
	NF_SEED_OPT(struct params, probe),
	NF_SAMPLE_MEMORY_OPT(struct params, probe),
	NF_JOB_OPTS(struct params, job),
	NF_BUDGET_OPT(struct params, job),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int set(void *config, const void *params, struct nf_job_opts *job, struct nf_err *err)
{
	const struct params *p = params;
	struct nf_wake_cfg *cfg = config;

	(void)err;
	nf_timing_set(&p->timing, p->job.budget, &job->budget);
	cfg->period_ns = job->budget.timing.period_ns;
	cfg->n_activations = p->activations;
	if (p->activations)
		cfg->common.duration_ns = 0;
	cfg->method = (enum nf_wake_method)p->method;
	if (p->dma_latency_ns >= 0)
		cfg->dma_latency_us = p->dma_latency_ns / 1000;
	return 0;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_probe_command command = { &nf_probe_wake, sizeof(struct nf_wake_cfg),
		                                         set };
	const struct params *p = params;

	(void)argc;
	(void)argv;
	return nf_probe_command_run(cli, &command, &p->job, &p->probe, p, err);
}

const struct nf_cmd nf_cmd_wake = {
	.name = "wake",
	.operands = "",
	.summary = "periodic wake-ups: how late each one is, which were missed",
	.description =
	        "Wakes periodically at absolute deadlines and records how late every activation "
	        "is. An "
	        "activation whose deadline passed before the thread was back is missed: counted, "
	        "not measured. The intervals are judged against the budget: a period, how far an "
	        "interval may be from it, and the longest interval.",
	.examples = "wake -d 1m # 4 ms, as a 250 Hz signal needs it\n"
	            "wake -p 128/48000s --max-jitter 500us # one audio buffer of 128 frames",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.target = NF_CMD_TARGET_RUN,
	.test_long = "wake -d 60s",
	.test_short = "wake -d 100ms",
	.run = run,
};
