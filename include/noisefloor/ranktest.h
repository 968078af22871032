/* SPDX-License-Identifier: MIT */
/*
 * ranktest - tests and estimates of a shift that assume no distribution: sign, signed-rank,
 * Mann-Whitney, Hodges-Lehmann.
 *
 * Common to all: pure; arrays borrowed; no samples is -NF_ENODATA; NaN, infinite or beyond +-1e150 is
 * -NF_EDATA with its index; -NF_ENOMEM. p values are in [0, 1], never NaN: where nothing can be
 * told apart (all differences 0, all values equal) p is 1. Threads: no shared state.
 */
#ifndef NOISEFLOOR_RANKTEST_H
#define NOISEFLOOR_RANKTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

enum nf_side { NF_TWO_SIDED, NF_GREATER, NF_LESS };

/* EXACT: the permutation distribution given the (mid)ranks, ties included. NORMAL: its normal
 * approximation with the variance corrected for ties and, for NORMAL_CC, moved by half a step towards
 * the middle. AUTO: exact while that is quick (each function says up to where), then NORMAL_CC.
 * EXACT beyond the hard limit is -NF_EARG. */
enum nf_null { NF_NULL_AUTO, NF_NULL_EXACT, NF_NULL_NORMAL, NF_NULL_NORMAL_CC };

/* How many of d are above and below 0; zeros are left out. p from the binomial distribution at 1/2;
 * two-sided: twice the smaller tail. */
struct nf_sign_test {
	size_t n_above;
	size_t n_below;
	double p;
};
NF_API NF_NODISCARD int nf_sign_test(const double *d, size_t n, enum nf_side side,
                                     struct nf_sign_test *ret, struct nf_err *err);

/* Wilcoxon's signed-rank test that the centre of symmetry of d is 0 (Biometrics Bulletin 1(6), 1945).
 * Zeros are left out, ties get midranks. AUTO is exact up to 50 values that are not 0; the hard limit
 * is 1,000. */
struct nf_signed_rank {
	size_t n; /* values that are not 0 */
	double w; /* sum of the ranks of those above 0 */
	bool exact;
	double p;
};
NF_API NF_NODISCARD int nf_signed_rank_test(const double *d, size_t n, enum nf_side side,
                                            enum nf_null null, struct nf_signed_rank *ret,
                                            struct nf_err *err);
/* Smallest p it can give for n values without ties: 2^-n one-sided, twice that two-sided. */
NF_API double nf_signed_rank_min_p(size_t n, enum nf_side side);

/* Mann and Whitney's test that x and y have one distribution (Annals of Mathematical Statistics 18,
 * 1947). GREATER: x tends to be larger. u counts pairs with x > y, and half of those with x = y.
 * Two-sided: the probability of a u at least as far from n_x n_y / 2. AUTO is exact without ties up to
 * n_x n_y = 10,000 and 1,000 values together, with ties up to 100 values together; the hard limits
 * are n_x n_y = 250,000 and 1,000 together, with ties 200 together. */
struct nf_mann_whitney {
	double u;
	double superiority; /* u / (n_x n_y): P(x > y) + P(x = y) / 2 */
	double cliffs_delta; /* 2 superiority - 1 */
	bool exact;
	double p;
};
NF_API NF_NODISCARD int nf_mann_whitney_test(const double *x, size_t n_x, const double *y,
                                             size_t n_y, enum nf_side side, enum nf_null null,
                                             struct nf_mann_whitney *ret, struct nf_err *err);
/* Smallest p it can give for these sizes without ties: 1 / C(n_x + n_y, n_x) one-sided. */
NF_API double nf_mann_whitney_min_p(size_t n_x, size_t n_y, enum nf_side side);

/* An estimate with an interval: [k-th, k-th from the top] of the pairwise values. k = 0: these samples
 * cannot give an interval at this level (has_interval false): it is unbounded. level is the coverage
 * reached, at least the one asked for. */
struct nf_shift {
	double estimate;
	bool has_interval;
	double lo;
	double hi;
	double level;
	size_t k;
};
/* Hodges and Lehmann's estimates (Annals of Mathematical Statistics 34, 1963). One sample: median of
 * the Walsh averages (d_i + d_j) / 2, i <= j, zeros kept; interval from the signed-rank distribution,
 * exact up to n = 50 (Tukey; Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 2014,
 * section 3.3). Two samples: median of y_j - x_i; interval from the Mann-Whitney distribution, exact
 * up to n_x n_y = 10,000 and 1,000 values together (Moses; same book, section 4.3). Memory and time
 * grow with n and n log n, not with the number of pairs. 0 < level < 1, else -NF_EARG. */
NF_API NF_NODISCARD int nf_hodges_lehmann(const double *d, size_t n, double level,
                                          struct nf_shift *ret, struct nf_err *err);
NF_API NF_NODISCARD int nf_hodges_lehmann_2(const double *x, size_t n_x, const double *y,
                                            size_t n_y, double level, struct nf_shift *ret,
                                            struct nf_err *err);

#ifdef __cplusplus
}
#endif

#endif
