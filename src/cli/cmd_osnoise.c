/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"
#include "measure/probe_osnoise.h"

struct params {
	struct nf_job_params job;
	struct nf_probe_params probe;
	int64_t period_ns;
	int64_t runtime_ns;
	int64_t threshold_ns;
	int64_t stop_ns;
	int64_t stop_total_ns;
	bool no_causes;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_DURATION('p', "period", struct params, period_ns, 1000, INT64_C(60000000000), 0,
		"period of the tracer: one report of each CPU"), .def_text = "the kernel's" },
	{ NF_OPT_DURATION('r', "runtime", struct params, runtime_ns, 1000, INT64_C(60000000000), 0,
		"time in each period that the tracer looks"), .def_text = "the kernel's" },
	{ NF_OPT_DURATION(0, "threshold", struct params, threshold_ns, 1000, INT64_C(1000000000), 0,
		"shortest gap that is noise"), .def_text = "the kernel's" },
	{ NF_OPT_DURATION(0, "stop", struct params, stop_ns, 1000, INT64_C(60000000000), 0,
		"end at a single noise longer than this"), .def_text = "never" },
	{ NF_OPT_DURATION(0, "stop-total", struct params, stop_total_ns, 1000, INT64_C(60000000000), 0,
		"end at a period with more noise than this"), .def_text = "never" },
	{ NF_OPT_FLAG(0, "no-causes", struct params, no_causes,
		"counts only: do not record each interruption with its name") },
	NF_CPUS_OPT(struct params, probe),
	NF_DURATION_OPT(struct params, probe, 10000000, INT64_C(10000000000), NULL),
	NF_JOB_OPTS(struct params, job),
	NF_BUDGET_OPT(struct params, job),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int set(void *config, const void *params, struct nf_job_opts *job, struct nf_err *err)
{
	const struct params *p = params;
	struct nf_osnoise_probe_cfg *cfg = config;

	(void)job;
	if (p->period_ns && p->runtime_ns > p->period_ns)
		return nf_fail(err, NF_EARG, "--runtime: longer than --period; allowed: up to it");
	cfg->period_ns = p->period_ns;
	cfg->runtime_ns = p->runtime_ns;
	cfg->threshold_ns = p->threshold_ns;
	cfg->stop_ns = p->stop_ns;
	cfg->stop_total_ns = p->stop_total_ns;
	cfg->causes = !p->no_causes;
	return 0;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_probe_command command = { &nf_probe_osnoise,
		                                         sizeof(struct nf_osnoise_probe_cfg), set };
	const struct params *p = params;

	(void)argc;
	(void)argv;
	return nf_probe_command_run(cli, &command, &p->job, &p->probe, p, err);
}

const struct nf_cmd nf_cmd_osnoise = {
	.name = "osnoise",
	.operands = "",
	.summary = "noise that the kernel's osnoise tracer counts on each CPU, by its source",
	.description =
	        "Runs the kernel's osnoise tracer in a tracing instance of its own: a kernel "
	        "thread "
	        "on each CPU looks for gaps, and the kernel counts what interrupted it. Each "
	        "interruption is recorded with its name too where the kernel can. What is set "
	        "for the tracer is put back afterwards, also when the run is killed: then by the "
	        "next run.\n\n"
	        "Kernel threads measure: a scheduling policy or priority has no meaning here.",
	.examples =
	        "osnoise # ten seconds on all CPUs\n"
	        "osnoise -c 3 -d 1m --period 100ms --runtime 95ms # CPU 3, ten reports a second\n"
	        "osnoise --stop 50us # until something takes longer than 50 us",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.target = NF_CMD_TARGET_RUN | NF_CMD_TARGET_ROOT,
	.test_long = "osnoise -d 60s",
	.test_short = "osnoise -d 100ms",
	.run = run,
};
