/* SPDX-License-Identifier: MIT */
/* bench_plan - how many sets of how many values fit the time there is. Pure. */
#ifndef NF_JOB_BENCH_PLAN_H
#define NF_JOB_BENCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum {
	NF_BENCH_SETS_MAX = 1000, /* of one variant */
	NF_BENCH_ITERS_MAX = 100000,
	NF_BENCH_RUN_MIN_SETS = 5, /* `run` decides nothing, but fewer say little about sets */
};

enum nf_bench_shape {
	NF_BENCH_RUN_BUILTIN, /* 5 sets of 15 values */
	NF_BENCH_COMPARE_BUILTIN, /* 20 sets of 10 */
	NF_BENCH_COMMANDS, /* 20 sets of 1: an execution is a process of its own */
};

struct nf_bench_want {
	enum nf_bench_shape shape;
	size_t sets; /* 0: the default of the shape; else what was asked for stands */
	size_t iters; /* the same; 1 for commands */
	size_t min_sets; /* fewest that make sense: with fewer the test cannot fire */
	int64_t max_time_ns;
	bool may_extend; /* to three times the sets, if that fits, too */
};

/* What the first sets showed, summed over the variants: a row of the schedule. */
struct nf_bench_cost {
	double fixed_ns; /* start of processes, warm-up */
	double value_ns; /* one more value of each */
	double spent_ns; /* so far, since the run began */
};

struct nf_bench_plan {
	size_t sets;
	size_t iters;
	size_t sets_asked;
	size_t iters_asked;
	bool extends; /* a second look, at three times the sets, fits */
	double estimate_ns; /* of the rows of the first look and what was spent before them */
};

enum { NF_BENCH_EXTENSION = 3 };

/* Fits iters first, then sets, into max_time_ns; what was asked for by number is not changed, unless it does
 * not fit. -NF_EUNSUPPORTED: not even min_sets of one value fit, or fewer than min_sets were asked for; says
 * what would do. */
NF_NODISCARD int nf_bench_plan_make(const struct nf_bench_want *w, const struct nf_bench_cost *c,
                                    struct nf_bench_plan *ret, struct nf_err *err);

/* Share of comparisons of n pairs without any difference that are found SAME, for sets whose medians scatter by
 * cv (sd over mean): P(|Z| < (ln(1 + delta) - t(1 - alpha, n - 1) s) / s), s = cv sqrt(2) sqrt(pi / 3) / sqrt(n), the
 * standard error of the Hodges-Lehmann estimate of normal noise. -NF_ENODATA: n < 2. */
NF_NODISCARD int nf_bench_same_ratio(double cv, size_t n, double delta, double alpha, double *ret,
                                     struct nf_err *err);

#endif
