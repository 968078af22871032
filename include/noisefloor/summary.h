/* SPDX-License-Identifier: MIT */
/*
 * summary - what a set of samples is described by.
 *
 * All functions are pure; arrays are borrowed. Undefined is -NF_ENODATA (no samples), never 0; NaN
 * or infinite samples are -NF_EDATA with their index.
 */
#ifndef NOISEFLOOR_SUMMARY_H
#define NOISEFLOOR_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The unit is that of the samples. Percentiles are Hyndman and Fan's type 7 (The American
 * Statistician 50(4), 1996). sd has divisor n - 1 and is undefined (has_sd false) for n = 1.
 * mad is the unscaled median of |x - median|. A percentile carries the number of samples at or beyond it
 * (n_beyond, at least 1: the maximum): with 1 at p99.9 it is no more than an interpolation towards
 * the maximum. A constant set has exactly that mean and sd 0. */
struct nf_percentile {
	double p; /* 0..100 */
	double value;
	size_t n_beyond;
};

enum { NF_SUMMARY_PERCENTILES = 7 }; /* 25 50 75 90 99 99.9 99.99 */

struct nf_summary {
	size_t n;
	double min;
	double max;
	double mean;
	double median;
	double mad;
	bool has_sd;
	double sd;
	struct nf_percentile percentile[NF_SUMMARY_PERCENTILES];
	/* Distribution-free confidence interval of the median: the narrowest symmetric pair of order
	 * statistics that covers it with at least this probability (binomial), for independent
	 * samples. Undefined for n < 6 (has_median_ci false), where not even the extremes do. */
	bool has_median_ci;
	double median_ci_lo;
	double median_ci_hi;
	double median_ci_level; /* asked: 0.95 */
};

/* x is not changed and, above 2^20 samples, not copied either: scratch is n doubles up to there and
 * n/12 beyond. Time grows with n. -NF_ENODATA for n = 0, -NF_ENOMEM; -NF_EDATA for NaN or infinite
 * samples and where max - min overflows. */
NF_API NF_NODISCARD int nf_summarize(const double *x, size_t n, struct nf_summary *ret,
                                     struct nf_err *err);
/* Same for int64 samples times a factor (e.g. ticks to ns): x[i] * factor. factor finite and > 0, else
 * -NF_EARG. */
NF_API NF_NODISCARD int nf_summarize_i64(const int64_t *x, size_t n, double factor,
                                         struct nf_summary *ret, struct nf_err *err);

#ifdef __cplusplus
}
#endif

#endif
