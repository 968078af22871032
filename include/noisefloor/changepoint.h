/* SPDX-License-Identifier: MIT */
/*
 * changepoint - where the level of a series changes for good: E-divisive (Matteson and James, Journal
 * of the American Statistical Association 109, 2014) with exponent 1.
 *
 * The statistic of a split of x[from..to) at tau, with m and k values on the two sides, is
 *   Q = m k / (m + k) (2 mean |x_i - x_j| across - mean within left - mean within right);
 * means within run over pairs, a side of one value has 0. tau is the index of the first value of the
 * right side. Errors as in noisefloor/location.h. Threads: no shared state.
 */
#ifndef NOISEFLOOR_CHANGEPOINT_H
#define NOISEFLOOR_CHANGEPOINT_H

#include <stddef.h>
#include <stdint.h>

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NF_CHANGE_MAX_N = 20000, NF_CHANGE_EXACT_MAX = 9 };

/* Q at tau = 1..n-1 into ret_q[n - 1] with the right side reaching to the end. n >= 2. */
NF_API NF_NODISCARD int nf_energy_profile(const double *x, size_t n, double *ret_q,
                                          struct nf_err *err);

struct nf_split {
	double q;
	size_t tau;
	size_t kappa; /* end of the right side */
};
/* The largest Q with both sides of min_size values at least; on equal Q the smallest tau.
 * any_kappa: the right side may end anywhere from there on, else only at n. A single odd value wins
 * with any_kappa and min_size 1: not for deciding. No room for two sides is -NF_ENODATA. */
NF_API NF_NODISCARD int nf_energy_split(const double *x, size_t n, size_t min_size, int any_kappa,
                                        struct nf_split *ret, struct nf_err *err);
/* p of that split (right side to the end) when the order means nothing: the share of orders whose best
 * Q is at least as large, equal to within rounding included. permutations > 0: (count + 1) /
 * (permutations + 1) over seeded ones that move blocks of `block` neighbours (1: single values);
 * permutations = 0: all n! orders, n up to NF_CHANGE_EXACT_MAX. */
NF_API NF_NODISCARD int nf_energy_test(const double *x, size_t n, size_t min_size,
                                       size_t permutations, size_t block, uint64_t seed,
                                       double *ret_p, struct nf_err *err);

/* Zero for a default. */
struct nf_steps_options {
	size_t min_segment; /* 5 */
	size_t permutations; /* 999; at most 100,000 */
	double alpha; /* 0.01 */
	uint64_t seed;
	size_t block; /* from the dependence of neighbours, judged by differences */
	double min_shift; /* smallest |shift| reported, unit of x; 0 reports any */
	double min_superiority; /* 0.9 */
};

/* A step between the segments before and after `at`. */
struct nf_step {
	size_t at; /* first value of the new level */
	double p;
	double shift; /* median after - median before */
	double superiority; /* P(after > before) + half of equal, or of before if the shift is down */
};
/*
 * Advisory: steps of a history, such as ln of session medians. Splits the series at its best place,
 * tests that by permuting within the segments found so far, and goes on inside the segments while
 * p <= alpha; then drops what is too small a shift or overlaps too much (both options). Writes up
 * to max steps in order and their full number to ret_n. A series shorter than two segments has none.
 * A single odd value is no step.
 */
NF_API NF_NODISCARD int nf_steps(const double *x, size_t n, const struct nf_steps_options *o,
                                 struct nf_step *ret, size_t max, size_t *ret_n,
                                 struct nf_err *err);

#ifdef __cplusplus
}
#endif

#endif
