/* SPDX-License-Identifier: MIT */
/*
 * series - samples in the order they were taken: dependence, drift, warm-up.
 *
 * Errors as in noisefloor/location.h: no samples or undefined is -NF_ENODATA. p values are two-sided
 * and never NaN: where there is nothing to judge (a constant) p is 1. Threads: no shared state.
 */
#ifndef NOISEFLOOR_SERIES_H
#define NOISEFLOOR_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Autocorrelations at lags 1..max_lag into ret_r[max_lag]: r_k = c_k / c_0 with both divided by n (Box
 * and Jenkins, Time Series Analysis, 1970). 1 <= max_lag < n, else -NF_EARG. A constant has none:
 * -NF_ENODATA. */
NF_API NF_NODISCARD int nf_autocorrelation(const double *x, size_t n, size_t max_lag, double *ret_r,
                                           struct nf_err *err);
/* Independent samples with a mean as precise as that of n with lag-1 autocorrelation r1 (AR(1)):
 * n (1 - r1) / (1 + r1); more than n when r1 < 0. -1 < r1 < 1, else -NF_EARG. */
NF_API NF_NODISCARD int nf_effective_size(size_t n, double r1, double *ret_n, struct nf_err *err);
/* Ljung and Box's portmanteau test (Biometrika 65, 1978) over lags 1..lags, chi-squared with lags
 * degrees of freedom. */
NF_API NF_NODISCARD int nf_ljung_box(const double *x, size_t n, size_t lags, double *ret_q,
                                     double *ret_p, struct nf_err *err);
/* Block length for a circular block bootstrap: 1 when |r1| <= 0.3 or undefined, else
 * (2 |r1| / (1 - r1^2))^(2/3) n^(1/3) (Carlstein, Annals of Statistics 14, 1986, for AR(1); |r1| up to 0.99), at least 2
 * and at most n / 3. */
NF_API NF_NODISCARD int nf_block_length(const double *x, size_t n, size_t *ret, struct nf_err *err);

/* Runs about the median (Wald and Wolfowitz, Annals of Mathematical Statistics 11, 1940); values equal
 * to it are left out; normal approximation without continuity correction. */
struct nf_runs {
	size_t n_above;
	size_t n_below;
	size_t runs;
	double expected;
	double variance;
	double z; /* 0 when the variance is 0 */
	double p;
};
NF_API NF_NODISCARD int nf_runs_test(const double *x, size_t n, struct nf_runs *ret,
                                     struct nf_err *err);

/* Mann (Econometrica 13, 1945) and Kendall's trend test with the variance corrected for ties and a
 * continuity correction. s counts pairs that rise minus pairs that fall; an integer, held in a double. */
struct nf_trend {
	double s;
	double variance;
	double z;
	double p;
};
NF_API NF_NODISCARD int nf_mann_kendall(const double *x, size_t n, struct nf_trend *ret,
                                        struct nf_err *err);
/* Theil and Sen's slope: median of (x_j - x_i) / (j - i), unit of x per sample (Sen, Journal of the
 * American Statistical Association 63, 1968). Two samples at least. Exact up to 2,048 samples; beyond,
 * to about 1e-12 of the range, in time n log n. */
NF_API NF_NODISCARD int nf_theil_sen(const double *x, size_t n, double *ret_slope,
                                     struct nf_err *err);

/* Warm-up: the number d of leading samples to leave out, from min_d to n / 2, that makes the mean of
 * the rest most precise (MSER: White, Simulation 69, 1997; single observations). steady is false
 * when the best d is n / 2 itself: no steady state was reached, which is a valid answer. A constant is
 * steady from min_d. Four samples at least and min_d <= n / 2, else -NF_ENODATA. */
struct nf_warmup {
	size_t d;
	bool steady;
	double criterion; /* sum of squares of the rest / (n - d)^2 */
	double mean; /* of the rest */
};
NF_API NF_NODISCARD int nf_mser(const double *x, size_t n, size_t min_d, struct nf_warmup *ret,
                                struct nf_err *err);

#ifdef __cplusplus
}
#endif

#endif
