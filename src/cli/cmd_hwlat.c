/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"
#include "measure/probe_hwlat.h"

struct params {
	struct nf_job_params job;
	struct nf_probe_params probe;
	int64_t window_ns;
	int64_t width_ns;
	int64_t threshold_ns;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_DURATION(0, "window", struct params, window_ns, 1000, INT64_C(60000000000), 0,
		"period of the tracer"), .def_text = "the kernel's" },
	{ NF_OPT_DURATION(0, "width", struct params, width_ns, 1000, INT64_C(60000000000), 0,
		"time in each period that the tracer looks for gaps"), .def_text = "the kernel's" },
	{ NF_OPT_DURATION(0, "threshold", struct params, threshold_ns, 1000, INT64_C(1000000000), 0,
		"shortest gap that is reported"), .def_text = "the kernel's" },
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
	struct nf_hwlat_probe_cfg *cfg = config;

	(void)job;
	if (p->window_ns && p->width_ns > p->window_ns)
		return nf_fail(err, NF_EARG, "--width: longer than --window; allowed: up to it");
	cfg->window_ns = p->window_ns;
	cfg->width_ns = p->width_ns;
	cfg->threshold_ns = p->threshold_ns;
	return 0;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_probe_command command = { &nf_probe_hwlat,
		                                         sizeof(struct nf_hwlat_probe_cfg), set };
	const struct params *p = params;

	(void)argc;
	(void)argv;
	return nf_probe_command_run(cli, &command, &p->job, &p->probe, p, err);
}

const struct nf_cmd nf_cmd_hwlat = {
	.name = "hwlat",
	.operands = "",
	.summary = "gaps that the kernel's hardware latency tracer sees",
	.description =
	        "Runs the kernel's hwlat tracer, which looks for gaps with interrupts off, "
	        "in a tracing "
	        "instance of its own. What is set for it is put back afterwards, also when "
	        "the run is "
	        "killed: then by the next run.\n\n"
	        "A kernel thread measures, on one of the CPUs at a time: a scheduling policy "
	        "or priority has no meaning here.",
	.examples = "hwlat -d 2m --threshold 10us # gaps of 10 us and more\n"
	            "hwlat --cpus isolated # on the isolated CPUs only",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.target = NF_CMD_TARGET_RUN | NF_CMD_TARGET_ROOT,
	.test_long = "hwlat -d 60s",
	.test_short = "hwlat -d 100ms",
	.run = run,
};
