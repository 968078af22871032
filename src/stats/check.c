/* SPDX-License-Identifier: MIT */
#include "stats/check.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stats/select.h"

bool nf_same(double a, double b)
{
	return a >= b && a <= b;
}

int nf_stats_check(const double *x, size_t n, size_t min, struct nf_err *err)
{
	if (n < min || n == 0)
		return nf_fail(err, NF_ENODATA, "%zu samples: at least %zu are needed", n,
		               min > 0 ? min : 1);
	if (n > SIZE_MAX / 8 / sizeof(*x))
		return nf_fail(err, NF_EARG, "%zu samples do not fit in memory", n);
	for (size_t start = 0, end; start < n; start = end) {
		double sum[4] = { 0 }; /* independent of each other: quicker than one */
		size_t i = start;

		end = n - start < 1024 ? n : start + 1024;
		for (; i + 4 <= end; i += 4)
			for (size_t l = 0; l < 4; l++)
				sum[l] += fabs(x[i + l]);
		for (; i < end; i++)
			sum[0] += fabs(x[i]);
		if (sum[0] + sum[1] + sum[2] + sum[3] <= NF_STATS_LARGEST)
			continue;
		for (i = start; i < end; i++)
			if (!(fabs(x[i]) <= NF_STATS_LARGEST))
				return nf_fail(err, NF_EDATA, "sample %zu is %s", i,
				               isnan(x[i])   ? "not a number"
				               : isinf(x[i]) ? "infinite"
				                             : "too large");
	}
	return 0;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void nf_stats_sort(double *x, size_t n)
{
	if (n > 64) {
		qsort(x, n, sizeof(*x), ascending);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		double v = x[i];
		size_t j = i;

		for (; j > 0 && x[j - 1] > v; j--)
			x[j] = x[j - 1];
		x[j] = v;
	}
}

double *nf_stats_sorted(const double *x, size_t n)
{
	double *copy = malloc(n * sizeof(*copy));

	if (copy) {
		memcpy(copy, x, n * sizeof(*copy));
		nf_stats_sort(copy, n);
	}
	return copy;
}

double nf_stats_median_sorted(const double *x, size_t n)
{
	return n % 2 ? x[n / 2] : x[n / 2 - 1] / 2 + x[n / 2] / 2;
}

double nf_stats_median_of(double *x, size_t n)
{
	if (n <= 64) {
		nf_stats_sort(x, n);
		return nf_stats_median_sorted(x, n);
	}

	size_t pos[2] = { (n - 1) / 2, n / 2 };

	nf_multiselect(x, n, pos + n % 2, n % 2 ? 1 : 2);
	return x[pos[0]] / 2 + x[pos[1]] / 2;
}

/* Corrected two-pass algorithm (Chan, Golub and LeVeque, The American Statistician 37(3), 1983) on
 * deviations scaled to about 1. */
void nf_stats_mean_sd(const double *x, size_t n, double *ret_mean, double *ret_sd)
{
	double lo = x[0], hi = x[0], sum = 0, all = 0, all2 = 0;
	int exponent;

	for (size_t i = 0; i < n; i++) {
		lo = x[i] < lo ? x[i] : lo;
		hi = x[i] > hi ? x[i] : hi;
		sum += x[i];
	}
	*ret_mean = lo;
	*ret_sd = 0;
	if (hi <= lo)
		return;

	double pivot = sum / (double)n;

	frexp(hi - lo, &exponent);
	exponent = exponent < -1000 ? -1000 : exponent;
	for (size_t i = 0; i < n; i++) {
		double d = ldexp(x[i] - pivot, -exponent);

		all += d;
		all2 += d * d;
	}

	double var = (all2 - all * all / (double)n) / (double)(n - 1);
	double mean = pivot + ldexp(all / (double)n, exponent);

	*ret_mean = mean < lo ? lo : mean > hi ? hi : mean;
	*ret_sd = ldexp(sqrt(var > 0 ? var : 0), exponent);
}
