/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"
#include "cli/progress.h"
#include "measure/probe_wake.h"
#include "record/rec_window.h"

struct params {
	struct nf_job_params job;
	int expect_lane;
	int profile;
	const char *under;
	int64_t smi_samples;
	int64_t smi_duration_ns;
	int64_t hwlat_duration_ns;
	int64_t numa_samples;
	int64_t noise_duration_ns;
	int64_t wake_duration_ns;
	const char *cpus;
	struct nf_timing_params timing;
	int64_t channels;
	int64_t samples;
	int64_t rate_hz;
	int64_t partitions;
	int64_t seed;
};

static const char *const lanes[] = {
	[NF_EXPECT_ANY] = "any", [NF_EXPECT_GENERIC] = "generic", [NF_EXPECT_RT] = "rt", NULL
};
static const char *const profiles[] = { [NF_PROFILE_QUICK] = "quick",
	                                [NF_PROFILE_STANDARD] = "standard",
	                                [NF_PROFILE_DEEP] = "deep",
	                                NULL };

#define MAX_STEP_NS NF_PROBE_MAX_NS
#define OF_PROFILE "the profile's"

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_CHOICE(0, "profile", struct params, profile, profiles, NF_PROFILE_QUICK, "NAME",
		"quick measures for less than a minute; standard takes three times 120 s of SMI count and "
		"of hwlat; deep adds 600 s of noise, wake-ups and hwlat") },
	{ NF_OPT_CHOICE(0, "expect-lane", struct params, expect_lane, lanes, NF_EXPECT_ANY, "NAME",
		"refuse to measure on a kernel that is not of this kind") },
	{ NF_OPT_CPUS('c', "cpus", struct params, cpus, "allowed",
		"CPUs to measure; one that is absent or not allowed is an error") },
	{ NF_OPT_TEXT(0, "under", struct params, under, NULL, "COMMAND",
		"shell command that runs as load during the noise, wake and numa steps") },
	NF_BUDGET_OPT(struct params, job),
	NF_TIMING_OPTS(struct params, timing),
	{ NF_OPT_COUNT(0, "smi-samples", struct params, smi_samples, 1, 1000, 0,
		"windows of the SMI and hwlat steps"), .def_text = OF_PROFILE },
	{ NF_OPT_DURATION(0, "smi-duration", struct params, smi_duration_ns, 10000000, MAX_STEP_NS, 0,
		"length of one SMI window"), .def_text = OF_PROFILE },
	{ NF_OPT_DURATION(0, "hwlat-duration", struct params, hwlat_duration_ns, 10000000, MAX_STEP_NS, 0,
		"length of one hwlat window"), .def_text = OF_PROFILE },
	{ NF_OPT_COUNT(0, "numa-samples", struct params, numa_samples, 1, 1000, 0,
		"runs of the numa step"), .def_text = OF_PROFILE },
	{ NF_OPT_DURATION(0, "noise-duration", struct params, noise_duration_ns, 10000000, MAX_STEP_NS, 0,
		"length of the fixed-work step"), .def_text = OF_PROFILE },
	{ NF_OPT_DURATION(0, "wake-duration", struct params, wake_duration_ns, 10000000, MAX_STEP_NS, 0,
		"length of the wake-up step"), .def_text = OF_PROFILE },
	{ NF_OPT_COUNT(0, "channels", struct params, channels, 1, 1 << 20, 100,
		"rows of the matrix of the numa step") },
	{ NF_OPT_COUNT(0, "samples", struct params, samples, 1, INT64_C(1) << 32, 2500,
		"columns of that matrix") },
	{ NF_OPT_COUNT(0, "rate", struct params, rate_hz, 1, 10000000, 250,
		"samples a second and channel that the matrix stands for, in Hz") },
	{ NF_OPT_COUNT(0, "partitions", struct params, partitions, 1, 1 << 16, 0,
		"groups of channels that are reduced in parallel"), .def_text = "by the nodes" },
	{ NF_OPT_COUNT(0, "seed", struct params, seed, 0, INT64_C(1) << 53, 1,
		"seed of everything that is drawn at random") },
	NF_JOB_OPTS(struct params, job),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_job_outcome outcome;
	struct nf_job_opts job;

	(void)argc;
	(void)argv;
	int r = nf_job_opts_fill(cli, &p->job, &job, err);
	if (r < 0)
		return r;
	job.expect_lane = (enum nf_expect_lane)p->expect_lane;
	nf_timing_set(&p->timing, p->job.budget, &job.budget);
	struct nf_window_opts window = {
		.profile = (enum nf_rec_profile)p->profile,
		.under = p->under,
		.smi_samples = p->smi_samples,
		.smi_duration_ns = p->smi_duration_ns,
		.hwlat_duration_ns = p->hwlat_duration_ns,
		.numa_samples = p->numa_samples,
		.noise_duration_ns = p->noise_duration_ns,
		.wake_duration_ns = p->wake_duration_ns,
		.cpus = p->cpus,
		.channels = p->channels,
		.samples = p->samples,
		.rate_hz = p->rate_hz,
		.partitions = p->partitions,
		.seed = (uint64_t)p->seed,
	};

	cli->progress->results = true;
	nf_job_outcome_init(&outcome);
	r = nf_job_cpus_blame(nf_job_window(&job, &window, &outcome, err), p->cpus, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

const struct nf_cmd nf_cmd_host = {
	.name = "host",
	.operands = "",
	.summary = "characterise this machine: every probe, one folder of evidence, one verdict",
	.description =
	        "Reads how the machine is set up, then measures it: system management interrupts, "
	        "hardware latency, fixed work, wake-ups against a budget, and a serial against a "
	        "parallel reduction over the memory nodes. It measures the machine as it is: no "
	        "governor, idle state or priority of others is changed. Only the hwlat step "
	        "changes "
	        "something, the tracer's own instance and settings: they are put back on every way "
	        "out, and by the next run after a kill.\n\n"
	        "A step that cannot run here says why and does not stop the others; the record "
	        "then says partial. SMI count, hardware latency and noise are judged only where "
	        "the budget sets a limit.",
	.examples =
	        "host # within a minute\n"
	        "host --profile standard --expect-lane rt --tag rt-lane # the published pipeline\n"
	        "host --under 'make -j8' # under load\n"
	        "--json --strict host --budget limits.txt # for a gate",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.target = NF_CMD_TARGET_RUN | NF_CMD_TARGET_ROOT,
	.test_long = "host --noise-duration 60s --wake-duration 60s",
	.test_short =
	        "host --smi-duration 20ms --smi-samples 1 --hwlat-duration 50ms --numa-samples 1 "
	        "--noise-duration 50ms --wake-duration 50ms",
	.run = run,
};
