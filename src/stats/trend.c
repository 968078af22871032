/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "noisefloor/series.h"
#include "stats/check.h"
#include "stats/distfn.h"

enum { SLOPES_LISTED = 2048 }; /* samples: 2 million slopes, 16 MiB */

/* Sorts x by merging and counts pairs i < j with x[i] > x[j]. work holds n. */
static uint64_t falling_pairs(double *x, size_t n, double *work)
{
	uint64_t count = 0;

	for (size_t width = 1; width < n; width *= 2) {
		for (size_t at = 0; at < n; at += 2 * width) {
			size_t mid = at + width < n ? at + width : n;
			size_t end = mid + width < n ? mid + width : n;
			size_t i = at, j = mid;

			for (size_t k = at; k < end; k++)
				if (i < mid && (j >= end || x[i] <= x[j])) {
					work[k] = x[i++];
				} else {
					count += mid - i;
					work[k] = x[j++];
				}
		}
		memcpy(x, work, n * sizeof(*x));
	}
	return count;
}

int nf_mann_kendall(const double *x, size_t n, struct nf_trend *ret, struct nf_err *err)
{
	struct nf_trend t = { .p = 1 };
	double m = (double)n, equal = 0;
	int r = nf_stats_check(x, n, 2, err);

	if (r < 0)
		return r;

	double *copy = malloc(2 * n * sizeof(*copy));

	if (!copy)
		return nf_fail_nomem(err, "a trend", 2 * n * sizeof(*copy));
	memcpy(copy, x, n * sizeof(*copy));

	double falling = (double)falling_pairs(copy, n, copy + n);

	t.variance = m * (m - 1) * (2 * m + 5);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && copy[end] <= copy[i]; end++)
			;

		double k = (double)(end - i);

		equal += k * (k - 1) / 2;
		t.variance -= k * (k - 1) * (2 * k + 5);
	}
	free(copy);
	t.variance = t.variance > 0 ? t.variance / 18 : 0;
	t.s = m * (m - 1) / 2 - equal - 2 * falling;
	if (t.variance > 0 && fabs(t.s) > 0) {
		t.z = (t.s - copysign(1, t.s)) / sqrt(t.variance);
		t.p = nf_clamp(2 * nf_phi(-fabs(t.z)), 0, 1);
	}
	*ret = t;
	return 0;
}

/* The k-th smallest slope, counted from 1, between lo and hi: slopes below v are the pairs i < j with
 * x_i - v i > x_j - v j. */
static double kth_slope(const double *x, size_t n, uint64_t k, double lo, double hi, double *work)
{
	while (hi > lo) {
		double mid = lo / 2 + hi / 2;

		if (mid <= lo || mid >= hi)
			break;
		for (size_t i = 0; i < n; i++)
			work[i] = x[i] - mid * (double)i;
		if (falling_pairs(work, n, work + n) < k)
			lo = mid;
		else
			hi = mid;
		if (hi - lo <= 1e-15 * (fabs(hi) + fabs(lo)))
			break;
	}
	return lo / 2 + hi / 2;
}

static double slope_by_halving(const double *x, size_t n, double *work)
{
	double lo = x[1] - x[0], hi = lo;
	uint64_t pairs = (uint64_t)n * (n - 1) / 2;

	for (size_t i = 1; i < n; i++) { /* the slopes of neighbours enclose all others */
		double d = x[i] - x[i - 1];

		lo = d < lo ? d : lo;
		hi = d > hi ? d : hi;
	}

	double a = kth_slope(x, n, (pairs + 1) / 2, lo, hi, work);

	return pairs % 2 ? a : a / 2 + kth_slope(x, n, pairs / 2 + 1, lo, hi, work) / 2;
}

int nf_theil_sen(const double *x, size_t n, double *ret_slope, struct nf_err *err)
{
	size_t n_work = n <= SLOPES_LISTED ? n * (n - 1) / 2 : 2 * n, k = 0;
	int r = nf_stats_check(x, n, 2, err);

	if (r < 0)
		return r;

	double *work = malloc(n_work * sizeof(*work));

	if (!work)
		return nf_fail_nomem(err, "slopes", n_work * sizeof(*work));
	if (n > SLOPES_LISTED) {
		*ret_slope = slope_by_halving(x, n, work);
	} else {
		for (size_t i = 0; i < n; i++)
			for (size_t j = i + 1; j < n; j++)
				work[k++] = (x[j] - x[i]) / (double)(j - i);
		*ret_slope = nf_stats_median_of(work, k);
	}
	free(work);
	return 0;
}
