/* SPDX-License-Identifier: MIT */
#include "noisefloor/location.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/check.h"

int nf_moments(const double *x, size_t n, struct nf_moments *ret, struct nf_err *err)
{
	struct nf_moments m = { .n = n, .has_sd = n > 1, .has_geometric = true };
	double ln = 0, inverse = 0;
	int r = nf_stats_check(x, n, 1, err);

	if (r < 0)
		return r;
	nf_stats_mean_sd(x, n, &m.mean, &m.sd);
	m.has_cv = m.has_sd && fabs(m.mean) > 0 && isfinite(m.sd / m.mean);
	m.cv = m.has_cv ? m.sd / fabs(m.mean) : 0;
	for (size_t i = 0; i < n && m.has_geometric; i++)
		m.has_geometric = x[i] > 0;
	if (m.has_geometric) {
		/* Against the mean, so that the logarithms are small and a constant is exact. */
		for (size_t i = 0; i < n; i++) {
			ln += log(x[i] / m.mean);
			inverse += m.mean / x[i];
		}
		m.geometric = m.mean * exp(ln / (double)n);
		m.harmonic = m.mean * ((double)n / inverse);
	}
	*ret = m;
	return 0;
}

static double *copy_of(const double *x, size_t n)
{
	double *copy = malloc(n * sizeof(*copy));

	if (copy)
		memcpy(copy, x, n * sizeof(*copy));
	return copy;
}

int nf_median(const double *x, size_t n, double *ret, struct nf_err *err)
{
	int r = nf_stats_check(x, n, 1, err);

	if (r < 0)
		return r;

	double *copy = copy_of(x, n);

	if (!copy)
		return nf_fail_nomem(err, "a median", n * sizeof(*copy));
	*ret = nf_stats_median_of(copy, n);
	free(copy);
	return 0;
}

/* Median of |x - centre| / unit. */
static int median_distance(const double *x, size_t n, double centre, double unit, double *ret,
                           struct nf_err *err)
{
	double *copy = copy_of(x, n);

	if (!copy)
		return nf_fail_nomem(err, "distances", n * sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = fabs(copy[i] - centre) / unit;
	*ret = nf_stats_median_of(copy, n);
	free(copy);
	return 0;
}

int nf_mad(const double *x, size_t n, double *ret_mad, double *ret_median, struct nf_err *err)
{
	double median, mad;
	int r = nf_median(x, n, &median, err);

	if (r == 0)
		r = median_distance(x, n, median, 1, &mad, err);
	if (r < 0)
		return r;
	*ret_mad = mad;
	if (ret_median)
		*ret_median = median;
	return 0;
}

int nf_mdape(const double *x, size_t n, double *ret_ratio, struct nf_err *err)
{
	double median, ratio;
	int r = nf_median(x, n, &median, err);

	if (r < 0)
		return r;
	if (nf_same(median, 0))
		return nf_fail(err, NF_ENODATA, "the median is 0: no error relative to it");
	r = median_distance(x, n, median, fabs(median), &ratio, err);
	if (r < 0)
		return r;
	if (!isfinite(ratio))
		return nf_fail(err, NF_ENODATA, "the median is too small: %g", median);
	*ret_ratio = ratio;
	return 0;
}

/* --- sets ------------------------------------------------------------------------------------ */

static int total_of(const size_t *n, size_t n_sets, size_t *ret, struct nf_err *err)
{
	size_t total = 0;

	if (n_sets == 0)
		return nf_fail(err, NF_ENODATA, "no sets");
	for (size_t i = 0; i < n_sets; i++) {
		if (n[i] == 0)
			return nf_fail(err, NF_ENODATA, "set %zu is empty", i);
		if (__builtin_add_overflow(total, n[i], &total))
			return nf_fail(err, NF_EARG, "too many samples");
	}
	*ret = total;
	return 0;
}

int nf_set_medians(const double *x, const size_t *n, size_t n_sets, double *ret_median,
                   struct nf_set_summary *ret, struct nf_err *err)
{
	struct nf_set_summary s = { 0 };
	double *copy = NULL, *medians = NULL;
	size_t total = 0;
	int r = total_of(n, n_sets, &total, err);

	if (r == 0)
		r = nf_stats_check(x, total, 1, err);
	if (r < 0)
		return r;
	copy = copy_of(x, total);
	medians = malloc(n_sets * sizeof(*medians));
	if (!copy || !medians) {
		r = nf_fail_nomem(err, "set medians", (total + n_sets) * sizeof(*copy));
		goto out;
	}
	for (size_t i = 0, at = 0; i < n_sets; at += n[i++])
		medians[i] = nf_stats_median_of(copy + at, n[i]);
	s.pooled_median = nf_stats_median_of(copy, total);
	if (ret_median)
		memcpy(ret_median, medians, n_sets * sizeof(*medians));
	nf_stats_sort(medians, n_sets);
	s.median_of_medians = nf_stats_median_sorted(medians, n_sets);
	s.spread_ratio = (medians[n_sets - 1] - medians[0]) / fabs(s.median_of_medians);
	s.has_spread = isfinite(s.spread_ratio);
	if (!s.has_spread)
		s.spread_ratio = 0;
	*ret = s;
out:
	free(copy);
	free(medians);
	return r;
}

int nf_two_level_variance(const double *x, const size_t *n, size_t n_sets, struct nf_two_level *ret,
                          struct nf_err *err)
{
	struct nf_two_level v = { 0 };
	size_t total = 0;
	double sd, within = 0, between = 0, squares = 0;
	int r = total_of(n, n_sets, &total, err);

	if (r == 0)
		r = nf_stats_check(x, total, 1, err);
	if (r < 0)
		return r;
	if (n_sets < 2 || total == n_sets)
		return nf_fail(err, NF_ENODATA,
		               "two levels need two sets, and one of two values at least");
	nf_stats_mean_sd(x, total, &v.mean, &sd);
	for (size_t i = 0, at = 0; i < n_sets; at += n[i++]) {
		double mean, k = (double)n[i];

		nf_stats_mean_sd(x + at, n[i], &mean, &sd);
		within += sd * sd * (k - 1);
		between += (mean - v.mean) * (mean - v.mean) * k;
		squares += k * k;
	}

	double all = (double)total, sets = (double)n_sets;
	double size = (all - squares / all) / (sets - 1); /* what a mean set size is here */

	v.var_within = within / (all - sets);
	v.var_between = (between / (sets - 1) - v.var_within) / size;
	v.var_between = v.var_between > 0 ? v.var_between : 0;
	v.mean_se = sqrt(v.var_between * squares / all / all + v.var_within / all);

	double sum = v.var_between + v.var_within;

	v.icc = sum > 0 ? v.var_between / sum : 0;
	*ret = v;
	return 0;
}

size_t nf_best_iterations(const struct nf_two_level *v, double set_cost, double iteration_cost,
                          size_t max)
{
	if (!(v->var_between > 0))
		return v->var_within > 0 && max > 0 ? max : 1;

	double best = sqrt(set_cost / iteration_cost * (v->var_within / v->var_between));

	if (!(best > 1))
		return 1;
	return best >= (double)max ? (max > 0 ? max : 1) : (size_t)(best + 0.5);
}
