/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"
#include "measure/probe_ftq.h"

struct params {
	struct nf_job_params job;
	struct nf_probe_params probe;
	int64_t quantum_ns;
	int64_t unit_ns;
	int kernel;
};

static const char *const kernels[] = { [NF_KERNEL_NOP] = "nop",
	                               [NF_KERNEL_CHAIN] = "chain",
	                               [NF_KERNEL_FMA] = "fma",
	                               [NF_KERNEL_DAXPY] = "daxpy",
	                               [NF_N_KERNELS] = NULL };

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_DURATION(0, "quantum", struct params, quantum_ns, NF_FTQ_QUANTUM_MIN_NS,
		NF_FTQ_QUANTUM_MAX_NS, NF_FTQ_QUANTUM_NS,
		"length of a quantum; frequencies up to 1 / (2 x quantum) can be told apart") },
	{ NF_OPT_DURATION(0, "unit", struct params, unit_ns, NF_FTQ_UNIT_MIN_NS, 100000000,
		NF_FTQ_UNIT_NS, "time that a unit of work should take, at most a tenth of the quantum") },
	{ NF_OPT_CHOICE('k', "kernel", struct params, kernel, kernels, NF_KERNEL_CHAIN, "NAME",
		"the work: an empty loop, a chain of integer or of floating-point operations, or "
		"y += a x in the first-level cache") },
	NF_CPUS_OPT(struct params, probe),
	NF_DURATION_OPT(struct params, probe, 1000000, INT64_C(10000000000), NULL),
	NF_POLICY_OPTS(struct params, probe, "other"),
	NF_SEED_OPT(struct params, probe),
	{ NF_OPT_COUNT(0, "max-sample-bytes", struct params, probe.max_sample_bytes, 1, INT64_C(1) << 40, 0,
		"memory for raw samples, in bytes; a run that needs more is refused"),
	  .def_text = "256 MiB" },
	NF_JOB_OPTS(struct params, job),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int set(void *config, const void *params, struct nf_job_opts *job, struct nf_err *err)
{
	const struct params *p = params;
	struct nf_ftq_cfg *cfg = config;

	(void)job;
	(void)err;
	cfg->quantum_ns = p->quantum_ns;
	cfg->unit_ns = p->unit_ns;
	cfg->kernel = (enum nf_kernel_id)p->kernel;
	return 0;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_probe_command command = { &nf_probe_ftq, sizeof(struct nf_ftq_cfg),
		                                         set };
	const struct params *p = params;

	(void)argc;
	(void)argv;
	return nf_probe_command_run(cli, &command, &p->job, &p->probe, p, err);
}

const struct nf_cmd nf_cmd_ftq = {
	.name = "ftq",
	.operands = "",
	.summary = "fixed time quanta: how much work fits into each, and at what frequencies less",
	.description =
	        "Does small units of the same work on every CPU and counts those that end in each "
	        "quantum of a fixed grid of time. A quantum with fewer units lost time to "
	        "something "
	        "else; one that passed meanwhile has none.\n\n"
	        "What takes time at regular intervals stands out of the spectrum of these counts: "
	        "each such frequency is named in Hz with its part of the variance, harmonics with "
	        "their fundamental. What returns faster than 1 / (2 x quantum) appears at a lower "
	        "frequency. That no frequency stands out is an answer too.",
	.examples = "ftq # 10 seconds on all CPUs: up to 1250 Hz, to 0.1 Hz\n"
	            "ftq -c 3 -d 2m # slower intervals, and to 0.008 Hz\n"
	            "ftq -c 3 --quantum 50us --unit 100ns # up to 10 kHz",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.target = NF_CMD_TARGET_RUN,
	.test_long = "ftq -d 60s --quantum 1ms",
	.test_short = "ftq -d 20ms",
	.run = run,
};
