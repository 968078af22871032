/* SPDX-License-Identifier: MIT */
/*
 * meantest - means of roughly normal samples: Student's interval, Welch's test, ratios of geometric
 * means. Errors as in noisefloor/location.h. Threads: no shared state.
 */
#ifndef NOISEFLOOR_MEANTEST_H
#define NOISEFLOOR_MEANTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Welch's test of equal means, b - a, with the degrees of freedom of Welch and Satterthwaite (Welch,
 * Biometrika 34, 1947). Two values a side at least; both sides constant is -NF_ENODATA: a difference
 * without any spread to judge it by. */
struct nf_welch {
	double difference;
	double se;
	double t;
	double df;
	double p; /* two-sided */
};
NF_API NF_NODISCARD int nf_welch_test(const double *a, size_t n_a, const double *b, size_t n_b,
                                      struct nf_welch *ret, struct nf_err *err);

/* Student's interval of the mean at `level` (in (0, 1)); two values at least. ratio* is exp of each:
 * for logarithms of ratios, the ratio of geometric means and its interval; has_ratio is false where
 * that overflows. */
struct nf_mean_interval {
	double mean;
	double sd;
	double t; /* the quantile used */
	double lo;
	double hi;
	bool has_ratio;
	double ratio;
	double ratio_lo;
	double ratio_hi;
};
NF_API NF_NODISCARD int nf_mean_interval(const double *d, size_t n, double level,
                                         struct nf_mean_interval *ret, struct nf_err *err);

#ifdef __cplusplus
}
#endif

#endif
