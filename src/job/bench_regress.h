/* SPDX-License-Identifier: MIT */
/* bench_regress - benchmarks beside sessions of them that were stored, or sessions that are stored. As the other
 * jobs (job.h). */
#ifndef NF_JOB_BENCH_REGRESS_H
#define NF_JOB_BENCH_REGRESS_H

#include "job/bench.h"
#include "job/bench_judge.h"

struct nf_bench_regress_opts {
	const char *path; /* of the baseline */
	bool save; /* its sessions are added; else one is compared */
	size_t sessions; /* save: how many */
	bool any_machine;
	bool has_threshold;
	double threshold;
	const struct nf_bench_key *key; /* of each of b's variants; no two alike */
	nf_bench_covers_fn *covers; /* what of the baseline would be GONE; NULL: nothing */
	void *covers_ctx;
	const char *commit; /* of what is measured; NULL: not known */
	struct nf_some_bool dirty;
};

/* b: variants, sets, iters, times, seed, delta and alpha as for the other jobs; max_time_ns is that of one
 * session. A session that was stopped or in which something failed is not stored. Exit code 1: something
 * regressed; 5: something failed; 3: something was not decided.
 * -NF_EUNSUPPORTED: the baseline is of another machine or has too few sessions; -NF_EDATA: it is none. Both
 * before anything runs. */
NF_NODISCARD int nf_job_bench_regress(const struct nf_job_opts *o, const struct nf_bench_opts *b,
                                      const struct nf_bench_regress_opts *s,
                                      struct nf_job_outcome *ret, struct nf_err *err);

#endif
