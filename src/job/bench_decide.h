/* SPDX-License-Identifier: MIT */
/* bench_decide - from the sets of a comparison to its verdicts, as parts of a record. Pure. */
#ifndef NF_JOB_BENCH_DECIDE_H
#define NF_JOB_BENCH_DECIDE_H

#include "base/arena.h"
#include "record/rec_bench.h"

struct nf_bench_evidence {
	struct nf_rec_bench_set *set; /* `discarded` is filled */
	size_t n_sets;
	const struct nf_rec_bench_variant *variant;
	size_t iters; /* values that were asked of a set; those that are not complete are left out, with their pair */
	struct nf_arena *arena;
};

/* Whether a set gave all it should have: a command that reports its own numbers says itself how many. */
bool nf_bench_set_complete(const struct nf_rec_bench_variant *v, const struct nf_rec_bench_set *s,
                           size_t iters);
/* c[n]: name, old_variant, new_variant and is_null are given, the rest is filled (one of the two None: NEW or GONE,
 * outside the family); rule: delta_ratio, alpha and looks are given, null_fired is
 * filled. */
NF_NODISCARD int nf_bench_decide(const struct nf_bench_evidence *e, struct nf_rec_bench_rule *rule,
                                 struct nf_rec_bench_comparison *c, size_t n, struct nf_err *err);
/* What disturbs a set, whichever its variant, as a number that is large where it did; false: not known of this
 * set. i < NF_BENCH_DISTURBANCES. */
enum { NF_BENCH_DISTURBANCES = 3 };
bool nf_bench_disturbance(size_t i, const struct nf_rec_bench_set *s, const char **ret_what,
                          double *ret);
/* nf_compare_min_pairs() for n_benchmarks under this rule. */
size_t nf_bench_min_pairs(const struct nf_rec_bench_rule *rule, size_t n_benchmarks);

#endif
