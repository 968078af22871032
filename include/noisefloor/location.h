/* SPDX-License-Identifier: MIT */
/*
 * location - where samples lie and how they spread: means, medians, quantiles, intervals, outliers.
 *
 * Common to all: pure; arrays are borrowed and not changed; results have the unit of the samples
 * unless stated. No samples is -NF_ENODATA, as is whatever is undefined for these samples; a sample
 * that is NaN, infinite or beyond +-1e150 (its square has no double) is -NF_EDATA with its index;
 * -NF_ENOMEM. No result is NaN. Threads: no shared state.
 */
#ifndef NOISEFLOOR_LOCATION_H
#define NOISEFLOOR_LOCATION_H

#include <stdbool.h>
#include <stddef.h>

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Scales the MAD to the standard deviation of normal samples: 1 / quantile(0.75). */
#define NF_MAD_TO_SD 1.4826

struct nf_moments {
	size_t n;
	double mean;
	bool has_sd; /* n > 1 */
	double sd; /* divisor n - 1 */
	bool has_cv; /* has_sd and mean not 0 */
	double cv; /* sd / |mean| */
	bool has_geometric; /* all samples > 0 */
	double geometric; /* geometric mean */
	double harmonic; /* harmonic mean: that of rates; has_geometric */
};
NF_API NF_NODISCARD int nf_moments(const double *x, size_t n, struct nf_moments *ret,
                                   struct nf_err *err);

/* The mean of the two middle ones when n is even. */
NF_API NF_NODISCARD int nf_median(const double *x, size_t n, double *ret, struct nf_err *err);
/* Unscaled median of |x - median|; times NF_MAD_TO_SD estimates the sd. ret_median may be NULL. */
NF_API NF_NODISCARD int nf_mad(const double *x, size_t n, double *ret_mad, double *ret_median,
                               struct nf_err *err);
/* Median absolute percentage error: median of |x - median| / |median|, a ratio. A median of 0 is
 * -NF_ENODATA. */
NF_API NF_NODISCARD int nf_mdape(const double *x, size_t n, double *ret_ratio, struct nf_err *err);

/* Quantiles at p[0..n_p), each in [0, 1]. type is 1..9 of Hyndman and Fan (The American Statistician
 * 50(4), 1996); 7 is the default of this project, R and NumPy. A product n p within 4 DBL_EPSILON of a
 * whole number is that number. Type 3 takes the even order statistic (counted from 1) at a tie. */
enum { NF_QUANTILE_TYPE = 7 };
NF_API NF_NODISCARD int nf_quantiles(const double *x, size_t n, int type, const double *p,
                                     size_t n_p, double *ret, struct nf_err *err);

/* Distribution-free interval of the p-quantile: order statistics lo_rank and hi_rank, counted from 1,
 * such that each side misses it with probability at most (1 - level) / 2 (binomial; David and
 * Nagaraja, Order Statistics, 2003, section 7.1). A side that no order statistic can cover has rank 0:
 * the interval is unbounded there, and so in print; coverage is then that of the other side alone.
 * 0 < p < 1, 0 < level < 1, else -NF_EARG. */
struct nf_rank_interval {
	size_t lo_rank;
	size_t hi_rank;
	double coverage;
};
NF_API NF_NODISCARD int nf_quantile_interval(size_t n, double p, double level,
                                             struct nf_rank_interval *ret, struct nf_err *err);

/* Sets of unequal size, concatenated: set i has n[i] >= 1 values. ret_median (may be NULL) gets the
 * n_sets medians. Spread: (largest - smallest set median) / |median of set medians|. */
struct nf_set_summary {
	double pooled_median; /* over all values: the global median */
	double median_of_medians;
	bool has_spread; /* median_of_medians not 0 */
	double spread_ratio;
};
NF_API NF_NODISCARD int nf_set_medians(const double *x, const size_t *n, size_t n_sets,
                                       double *ret_median, struct nf_set_summary *ret,
                                       struct nf_err *err);

/* Tukey's fences: quartiles (type 7) -+ 1.5 and 3 interquartile ranges (Exploratory Data Analysis,
 * 1977). A value beyond a severe fence is severe, else beyond a mild one mild; on a fence it is
 * inside. */
struct nf_fences {
	double q1;
	double q3;
	double mild_lo;
	double mild_hi;
	double severe_lo;
	double severe_hi;
	size_t n_mild;
	size_t n_severe;
};
NF_API NF_NODISCARD int nf_fences(const double *x, size_t n, struct nf_fences *ret,
                                  struct nf_err *err);

/* Modified z-scores (x - median) / (NF_MAD_TO_SD * MAD) into ret_z[n] (Iglewicz and Hoaglin, How to
 * Detect and Handle Outliers, 1993, with the rounded factor). A MAD of 0 is -NF_ENODATA. */
NF_API NF_NODISCARD int nf_modified_z(const double *x, size_t n, double *ret_z, struct nf_err *err);
/* Marks x[i] whose |modified z| is above limit (10 is usual for run times). With a MAD of 0 all that
 * differ from the median are marked. ret_count may be NULL. Outliers are flagged, never removed. */
NF_API NF_NODISCARD int nf_outliers(const double *x, size_t n, double limit, bool *ret_outlier,
                                    size_t *ret_count, struct nf_err *err);

/* Two levels of noise: set i has n[i] values. One-way random effects by analysis of variance (Searle,
 * Casella and McCulloch, Variance Components, 1992; for benchmarks Kalibera and Jones, ISMM 2013).
 * At least two sets and one set of two values, else -NF_ENODATA. var_between is 0 where the estimate
 * is below it. */
struct nf_two_level {
	double mean; /* of all values */
	double var_within;
	double var_between;
	double icc; /* var_between / (var_between + var_within), 0 when both are 0 */
	double mean_se; /* standard error of the mean from both levels */
};
NF_API NF_NODISCARD int nf_two_level_variance(const double *x, const size_t *n, size_t n_sets,
                                              struct nf_two_level *ret, struct nf_err *err);
/* Iterations a set that give the most precise mean for a total time, when a fresh set costs set_cost
 * and an iteration iteration_cost (same unit, both > 0): sqrt(set_cost / iteration_cost * var_within
 * / var_between), at least 1 and at most max. */
NF_API size_t nf_best_iterations(const struct nf_two_level *v, double set_cost,
                                 double iteration_cost, size_t max);

#ifdef __cplusplus
}
#endif

#endif
