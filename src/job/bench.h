/* SPDX-License-Identifier: MIT */
/* bench - benchmarks: run some, compare an old with a new. As the other jobs (job.h). */
#ifndef NF_JOB_BENCH_H
#define NF_JOB_BENCH_H

#include "bench/backend.h"
#include "job/bench_plan.h"
#include "job/job.h"

/* Beyond this a run is refused, before anything is measured. */
enum { NF_BENCH_VARIANTS_MAX = 128 };

struct nf_bench_opts {
	const struct nf_backend *const *backends; /* by enum nf_backend_id; NULL: nf_backends */
	/* run: a benchmark each; compare: 2 i is the old side of benchmark i, 2 i + 1 the new one. All of one
	 * backend. Labels name them in records and texts. */
	const struct nf_variant *variant;
	size_t n_variants;
	size_t sets; /* 0: default; at most NF_BENCH_SETS_MAX */
	size_t iters; /* 0: default; at most NF_BENCH_ITERS_MAX */
	int64_t max_time_ns;
	int64_t min_iteration_ns;
	uint64_t seed;
	const char *cpus; /* nf_topology_select(): every set is bound to them; NULL: as it is */
	const char *output; /* a file that the variants' output goes to, made here; NULL: none */
	/* compare */
	const char *const *name; /* of each benchmark */
	const char *const *only_old; /* benchmarks that one side lacks: GONE and NEW, not run */
	size_t n_only_old;
	const char *const *only_new;
	size_t n_only_new;
	double delta;
	double alpha;
	bool null_row; /* old against old of the first benchmark rides along */
	bool no_extension;
	/* Told the estimate, one line without its newline, before the sets; may be NULL. */
	void (*say)(void *ctx, const char *line);
	void *say_ctx;
};

/* A variant that fails does not stop the others: exit code 5. A stop request keeps what there is: 130 or 143.
 * -NF_EARG: what the backend's check said. */
NF_NODISCARD int nf_job_bench_run(const struct nf_job_opts *o, const struct nf_bench_opts *b,
                                  struct nf_job_outcome *ret, struct nf_err *err);
/* Exit code 1: something regressed; 5: a side failed; 3: something was not decided.
 * -NF_EUNSUPPORTED: the time does not allow a decision; says what would. */
NF_NODISCARD int nf_job_bench_compare(const struct nf_job_opts *o, const struct nf_bench_opts *b,
                                      struct nf_job_outcome *ret, struct nf_err *err);

#endif
