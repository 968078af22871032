/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"
#include "measure/probe_numa.h"

struct params {
	struct nf_job_params job;
	struct nf_probe_params probe;
	int64_t channels;
	int64_t samples;
	int64_t rate_hz;
	int64_t partitions;
	int64_t repetitions;
	int placement;
};

static const char *const placements[] = { [NF_PLACE_FLAT] = "flat",
	                                  [NF_PLACE_LOCAL] = "local",
	                                  [NF_PLACE_INTERLEAVE] = "interleave",
	                                  [NF_PLACE_REMOTE] = "remote",
	                                  NULL };

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_COUNT(0, "channels", struct params, channels, 1, 1 << 20, 100, "rows of the matrix") },
	{ NF_OPT_COUNT('n', "samples", struct params, samples, 1, INT64_C(1) << 32, 2500,
		"columns of the matrix") },
	{ NF_OPT_COUNT(0, "rate", struct params, rate_hz, 1, 10000000, 250,
		"samples a second and channel that the matrix stands for, in Hz") },
	{ NF_OPT_COUNT(0, "partitions", struct params, partitions, 1, 1 << 16, 0,
		"groups of channels that are reduced in parallel"), .def_text = "by the nodes" },
	{ NF_OPT_COUNT('r', "repetitions", struct params, repetitions, 3, 100000, 31,
		"how often each variant is measured") },
	{ NF_OPT_CHOICE(0, "placement", struct params, placement, placements, NF_PLACE_FLAT, "NAME",
		"where the memory is: wherever it is touched first, on the node that reads it, "
		"interleaved over the nodes, or on another node") },
	NF_CPUS_OPT(struct params, probe),
	NF_POLICY_OPTS(struct params, probe, "other"),
	NF_SEED_OPT(struct params, probe),
	NF_WHY_OPT(struct params, job),
	NF_JOB_OPTS(struct params, job),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int set(void *config, const void *params, struct nf_job_opts *job, struct nf_err *err)
{
	const struct params *p = params;
	struct nf_numa_cfg *cfg = config;

	(void)job;
	(void)err;
	cfg->n_channels = p->channels;
	cfg->n_samples = p->samples;
	cfg->rate_hz = p->rate_hz;
	cfg->n_partitions = p->partitions;
	cfg->repetitions = p->repetitions;
	cfg->placement = (enum nf_placement)p->placement;
	return 0;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_probe_command command = { &nf_probe_numa, sizeof(struct nf_numa_cfg),
		                                         set };
	const struct params *p = params;

	(void)argc;
	(void)argv;
	return nf_probe_command_run(cli, &command, &p->job, &p->probe, p, err);
}

const struct nf_cmd nf_cmd_numa = {
	.name = "numa",
	.operands = "",
	.summary = "a serial against a parallel reduction over the memory nodes",
	.description =
	        "Sums a matrix of channels and samples serially and in parallel, partitioned over "
	        "the "
	        "memory nodes, and reports the ratio of the medians beside the bandwidth that this "
	        "memory can be read with. Placement is verified page by page; starting the threads "
	        "is measured apart.",
	.examples = "numa # 100 channels of 2,500 samples\n"
	            "numa --channels 4096 --samples 65536 --placement interleave # a matrix beyond "
	            "the caches",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.target = NF_CMD_TARGET_RUN,
	.test_long = "numa -r 100000 --samples 100000",
	.test_short = "numa -r 3",
	.run = run,
};
