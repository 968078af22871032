/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/compat.h"

struct params {
	struct nf_compat_params compat;
	int64_t threads;
	const char *cpus;
	bool cpus_given;
	int64_t samples;
	int64_t bits;
	const char *output;
	bool to_stdout;
	bool force;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_INT('t', "threads", struct params, threads, 1, NF_CPU_MAX, 0,
		"measuring threads, bound to the first N of the CPUs"),
	  .def_text = "one per CPU of --cpus, 1 without it" },
	{ NF_OPT_CPUS('c', "cpus", struct params, cpus, "allowed",
		"CPUs to measure, such as 0-3,8; one that is absent or not allowed is an error"),
	  NF_OPT_GIVEN(struct params, cpus_given) },
	{ NF_OPT_INT('n', "samples", struct params, samples, 1, INT64_C(1) << 32, 10000,
		"samples per thread") },
	{ NF_OPT_INT('w', "work", struct params, bits, 10, 30, 20,
		"work of one sample, as a power of two: 2^N iterations") },
	{ NF_OPT_PATH('o', "output", struct params, output, "fwq-th-times.dat", "FILE",
		"the file, which must not exist"), .conflicts = "stdout" },
	{ NF_OPT_FLAG('s', "stdout", struct params, to_stdout,
		"write the samples to standard output instead") },
	{ NF_OPT_FLAG(0, "force", struct params, force, "replace the file") },
	NF_COMPAT_HELP_OPT(struct params, compat),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

/* The words that other commands know would leave the number of threads open. */
static int count_threads(const struct params *p, int64_t *ret, struct nf_err *err)
{
	char quoted[NF_OPT_QUOTED];
	struct nf_cpuset set;
	int64_t n = 1;
	int r = 0;

	if (p->cpus_given && (p->cpus[0] < '0' || p->cpus[0] > '9')) {
		nf_opt_quote(p->cpus, quoted);
		return nf_fail(err, NF_EARG,
		               "--cpus: bad value %s; allowed: a list of CPUs such as 0-3,8",
		               quoted);
	}
	nf_cpuset_init(&set);
	if (p->cpus_given && p->threads == 0) {
		r = nf_cpuset_parse(p->cpus, false, &set, err);
		n = (int64_t)nf_cpuset_count(&set);
	}
	nf_cpuset_fini(&set);
	if (r == 0)
		*ret = p->threads > 0 ? p->threads : n;
	return r;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_compat_fwq f = {
		.form = NF_FWQ_THREADS,
		.cpus = p->cpus,
		.n_samples = p->samples,
		.bits = p->bits,
		.path = p->to_stdout ? NULL : p->output,
		.force = p->force,
		.say_threads = true,
	};

	(void)argc;
	(void)argv;
	int r = count_threads(p, &f.n_threads, err);
	if (r < 0)
		return r;
	char *banner = NULL;
	if (asprintf(&banner,
	             "Number of threads: %" PRId64 "\nWork per thread: 2^%" PRId64
	             "\nNumber of samples per thread: %" PRId64 "\nOutput file: %s\n",
	             f.n_threads, p->bits, p->samples, f.path ? f.path : "stdout") < 0)
		return nf_fail_nomem(err, "the first lines", 0);
	f.banner = banner;
	r = nf_compat_measure(cli, &f, err);
	free(banner);
	return r;
}

const struct nf_cmd nf_compat_fwq_th = {
	.name = "fwq-th",
	.operands = "",
	.summary = "fixed work quanta on several CPUs, as the threaded FWQ benchmark writes them",
	.description = "One thread a CPU times the same work again and again; the file holds the "
	               "rate of each thread's clock, then the ticks of its samples, a line each. "
	               "The work is a counted loop: -w 14 is that of 'noisefloor fwq --kernel nop "
	               "-w 2^14', which does more.",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.run = run,
};
