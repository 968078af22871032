/* SPDX-License-Identifier: MIT */
/*
 * bsp - what noise costs an application whose N processes wait for each other after every step: a step
 * lasts as long as the slowest of N quanta.
 *
 * From n observed quanta x(1) <= ... <= x(n) and N <= n the expected largest of N is estimated by the mean
 * over all ways to draw N of the n without putting back,
 *
 *     sum over k of x(k) [C(k, N) - C(k - 1, N)] / C(n, N),
 *
 * which is unbiased for independent draws of one distribution (a U-statistic: W. Hoeffding, A class of
 * statistics with asymptotically normal distribution, Ann. Math. Statist. 19 (1948); expectations of order
 * statistics: H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed., 2003, chapter 3). For N > n no sample of this size
 * can say it; E[max of N] >= E[max of n], and the largest observation estimates the latter: a lower bound.
 *
 * Quanta of one machine are not independent where ticks or daemons run in step on all CPUs: then less is lost
 * than this says; where one disturbance follows another, steps differ more than this says.
 */
#ifndef NF_STATS_BSP_H
#define NF_STATS_BSP_H

#include <stdbool.h>

#include "noisefloor/histogram.h"

struct nf_bsp {
	uint64_t n_ranks; /* N */
	double step; /* expected largest of N, in the samples' unit */
	double to_mean; /* over the mean quantum: what waiting for the slowest costs */
	double to_min; /* over the shortest quantum: what all noise costs */
	bool lower_bound; /* N >= n: the longest value is all that tells */
};

/* sorted: n rising values, all > 0. N >= 1. -NF_ENODATA for n = 0; -NF_EARG. */
NF_NODISCARD int nf_bsp_sorted(const double *sorted, size_t n, uint64_t n_ranks, struct nf_bsp *ret,
                               struct nf_err *err);
/* The same from a histogram: values within its relative error, the extremes exact, the mean as given (<= 0:
 * from the histogram). */
NF_NODISCARD int nf_bsp_histogram(const struct nf_hist *h, double mean, uint64_t n_ranks,
                                  struct nf_bsp *ret, struct nf_err *err);

/* C(b, N) / C(n, N): the share of draws of N out of n, without putting back, that lie among the b smallest.
 * N, b <= n. To about 1e-6 for n up to 1e12. */
double nf_bsp_all_among(uint64_t n, uint64_t b, uint64_t n_draws);

#endif
