/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "cli/fwq_output.h"
#include "cli/jobs.h"
#include "measure/probe_fwq.h"

struct params {
	struct nf_job_params job;
	struct nf_probe_params probe;
	int64_t threads;
	int64_t samples;
	bool samples_given;
	int64_t work;
	int64_t quantum_ns;
	int kernel;
	const char *output;
	bool to_stdout;
	int format; /* enum nf_fwq_format */
	bool format_given;
	bool force;
};

static const char *const kernels[] = { [NF_KERNEL_NOP] = "nop",
	                               [NF_KERNEL_CHAIN] = "chain",
	                               [NF_KERNEL_FMA] = "fma",
	                               [NF_KERNEL_DAXPY] = "daxpy",
	                               [NF_N_KERNELS] = NULL };

static const char *const formats[] = {
	[NF_FWQ_LLNL] = "llnl", [NF_FWQ_CSV] = "csv", [NF_FWQ_NOISEFLOOR] = "noisefloor", NULL
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_COUNT('t', "threads", struct params, threads, 1, NF_CPU_MAX, 0,
		"measuring threads, bound to the first N of the CPUs"), .def_text = "one per CPU" },
	{ NF_OPT_COUNT('n', "samples", struct params, samples, 1, INT64_C(1) << 32, 10000,
		"quanta per thread; with --duration at most so many"),
	  NF_OPT_GIVEN(struct params, samples_given) },
	{ NF_OPT_COUNT('w', "work", struct params, work, 1, INT64_C(1) << 40, 0,
		"iterations of the kernel in one quantum"), .def_text = "what takes --quantum",
	  .conflicts = "quantum" },
	{ NF_OPT_DURATION(0, "quantum", struct params, quantum_ns, 1000, INT64_C(1000000000), 1000000,
		"time that one quantum should take; the work is chosen for it") },
	{ NF_OPT_CHOICE('k', "kernel", struct params, kernel, kernels, NF_KERNEL_CHAIN, "NAME",
		"the work: an empty loop, a chain of integer or of floating-point operations, or "
		"y += a x in the first-level cache") },
	{ NF_OPT_PATH('o', "output", struct params, output, NULL, "FILE",
		"also write the values to this file, which must not exist"),
	  .conflicts = "stdout no-samples" },
	{ NF_OPT_FLAG('s', "stdout", struct params, to_stdout,
		"write the values to standard output instead of the summary"),
	  .conflicts = "json quiet no-samples" },
	{ NF_OPT_CHOICE(0, "format", struct params, format, formats, NF_FWQ_LLNL, "NAME",
		"form of these values: the threaded FWQ benchmark's, CSV, or .nfsamples"),
	  NF_OPT_GIVEN(struct params, format_given) },
	{ NF_OPT_FLAG(0, "force", struct params, force, "replace the file of --output"),
	  .needs = "output" },
	NF_CPUS_OPT(struct params, probe),
	NF_DURATION_OPT(struct params, probe, 1000000, 0, ""),
	NF_POLICY_OPTS(struct params, probe, "other"),
	NF_SEED_OPT(struct params, probe),
	NF_SAMPLE_MEMORY_OPT(struct params, probe),
	NF_WHY_OPT(struct params, job),
	NF_JOB_OPTS(struct params, job),
	NF_BUDGET_OPT(struct params, job),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int fill(const struct params *p, struct nf_fwq_cfg *cfg, struct nf_err *err)
{
	int r = nf_probe_common_set(&cfg->common, &p->probe, err);

	cfg->n_threads = p->threads;
	cfg->n_samples = p->probe.duration_given && !p->samples_given ? 0 : p->samples;
	cfg->work = (uint64_t)p->work;
	cfg->quantum_ns = p->quantum_ns;
	cfg->kernel = (enum nf_kernel_id)p->kernel;
	return r;
}

/* With --format llnl and a file: what the benchmark of that format prints. */
static int print_lines(struct nf_cli *cli, const struct params *p, const char *sample_file,
                       struct nf_err *err)
{
	struct nf_buf out;

	if (!p->format_given || p->format != NF_FWQ_LLNL || !p->output || cli->global->json ||
	    cli->global->quiet)
		return 0;
	nf_buf_init(&out, 1 << 22);
	int r = nf_fwq_output_lines(sample_file, p->output, (uint64_t)p->work, &out, err);
	if (r == 0)
		r = nf_cli_write(cli, out.data, out.len_bytes, err);
	nf_buf_fini(&out);
	return r;
}

/* Measures and writes the values where they were asked for. An exit code or a negated error. */
static int measure(struct nf_cli *cli, const struct params *p, const struct nf_job_opts *job,
                   const struct nf_fwq_cfg *cfg, struct nf_err *err)
{
	struct nf_fwq_output output;
	struct nf_job_outcome outcome;
	char file[4096];

	int r = nf_fwq_output_open(p->output, p->force, "--output", &output, err);
	if (r < 0)
		return r;
	nf_job_outcome_init(&outcome);
	r = nf_job_cpus_blame(nf_job_probe(job, &nf_probe_fwq, cfg, &outcome, err),
	                      cfg->common.cpus, err);
	if (r < 0)
		goto out;
	if (p->output || p->to_stdout) {
		int n = snprintf(file, sizeof(file), "%s/samples/fwq.nfsamples",
		                 outcome.folder.data);

		if (n < 0 || (size_t)n >= sizeof(file))
			r = nf_fail(err, NF_EARG,
			            "--runs: the path is too long; allowed: 4000 bytes");
		else
			r = nf_fwq_output_write(&output, cli, file, (enum nf_fwq_format)p->format,
			                        err);
		if (r == 0)
			r = print_lines(cli, p, file, err);
	}
	if (r == 0)
		r = nf_job_print(cli, &outcome, !p->to_stdout, err);
out:
	nf_job_outcome_fini(&outcome);
	nf_fwq_output_fini(&output);
	return r;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_job_opts job;
	void *config = NULL;

	(void)argc;
	(void)argv;
	if (p->format_given && !p->output && !p->to_stdout)
		return nf_fail(err, NF_EARG,
		               "--format: nothing is written; allowed: with --output or --stdout");
	int r = nf_job_opts_fill(cli, &p->job, &job, err);
	if (r == 0)
		r = nf_probe_config(&nf_probe_fwq, sizeof(struct nf_fwq_cfg), &config, err);
	if (r != 0)
		return r;
	r = fill(p, config, err);
	if (r == 0)
		r = measure(cli, p, &job, config, err);
	free(config);
	return r;
}

const struct nf_cmd nf_cmd_fwq = {
	.name = "fwq",
	.operands = "",
	.summary = "fixed work quanta: how long the same work takes, again and again",
	.description =
	        "Does the same work again and again and records how long each quantum took. "
	        "What a quantum takes beyond the shortest is noise: interrupts, other threads, "
	        "firmware, the hypervisor.\n\n"
	        "One thread runs per CPU, bound to it; one clock read separates two quanta, so "
	        "nothing falls between samples.",
	.examples =
	        "fwq -n 50000 --work 2^16 # 50,000 quanta of 65,536 iterations on every CPU\n"
	        "fwq -n 50000 -w 2^16 -o fwq-th-times.dat # a file for FWQ's tools too\n"
	        "fwq -c 2-3 -d 30s --quantum 100us # half a minute of short quanta on two CPUs\n"
	        "--json fwq -n 1000 # the record as JSON",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.target = NF_CMD_TARGET_RUN,
	.test_long = "fwq -d 60s --quantum 1ms",
	.test_short = "fwq -n 50 --quantum 200us",
	.run = run,
};
