/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"
#include "measure/probe_timerlat.h"

struct params {
	struct nf_job_params job;
	struct nf_probe_params probe;
	int64_t period_ns;
	int64_t stop_irq_ns;
	int64_t stop_thread_ns;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_DURATION('p', "period", struct params, period_ns, 100000, INT64_C(1000000000), 0,
		"time from one activation to the next"), .def_text = "the kernel's" },
	{ NF_OPT_DURATION(0, "stop-irq", struct params, stop_irq_ns, 1000, INT64_C(60000000000), 0,
		"end at an interrupt that is later than this"), .def_text = "never" },
	{ NF_OPT_DURATION(0, "stop-thread", struct params, stop_thread_ns, 1000, INT64_C(60000000000), 0,
		"end at a thread that is later than this"), .def_text = "never" },
	NF_CPUS_OPT(struct params, probe),
	NF_DURATION_OPT(struct params, probe, 10000000, INT64_C(10000000000), NULL),
	NF_SAMPLE_MEMORY_OPT(struct params, probe),
	NF_JOB_OPTS(struct params, job),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int set(void *config, const void *params, struct nf_job_opts *job, struct nf_err *err)
{
	const struct params *p = params;
	struct nf_timerlat_cfg *cfg = config;

	(void)job;
	(void)err;
	cfg->period_ns = p->period_ns;
	cfg->stop_irq_ns = p->stop_irq_ns;
	cfg->stop_thread_ns = p->stop_thread_ns;
	return 0;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_probe_command command = { &nf_probe_timerlat,
		                                         sizeof(struct nf_timerlat_cfg), set };
	const struct params *p = params;

	(void)argc;
	(void)argv;
	return nf_probe_command_run(cli, &command, &p->job, &p->probe, p, err);
}

const struct nf_cmd nf_cmd_timerlat = {
	.name = "timerlat",
	.operands = "",
	.summary = "how late the kernel's own periodic timers are, with its timerlat tracer",
	.description =
	        "Runs the kernel's timerlat tracer in a tracing instance of its own: on each CPU a "
	        "timer of the kernel wakes a thread of the kernel, and both latencies of every "
	        "activation are recorded: until the interrupt handler and until the thread. "
	        "What is set for the tracer is put back afterwards, also when the run is killed: "
	        "then by the next run.\n\n"
	        "Kernel threads measure, under SCHED_FIFO 95: a scheduling policy or priority has "
	        "no meaning here. wake measures what a program of the user would see.",
	.examples = "timerlat # ten seconds on all CPUs\n"
	            "timerlat -c 3 -d 1m --period 250us # CPU 3, 4,000 activations a second\n"
	            "timerlat --stop-thread 100us # until a thread is later than 100 us",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.target = NF_CMD_TARGET_RUN | NF_CMD_TARGET_ROOT,
	.test_long = "timerlat -d 60s",
	.test_short = "timerlat -d 100ms",
	.run = run,
};
