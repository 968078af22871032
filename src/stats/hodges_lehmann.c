/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "noisefloor/ranktest.h"
#include "stats/check.h"
#include "stats/distfn.h"
#include "stats/rank_null.h"

/*
 * The k-th smallest of all pairwise values without listing them: the values of a row rise with the
 * column, so those up to v are counted in one walk along the border; v is found by halving the
 * interval of doubles, seen as whole numbers in their order, that can hold it. The answer is exactly
 * one of the pairwise values.
 */
struct pairs {
	const double *a; /* ascending */
	size_t n_a;
	const double *b; /* ascending; the same as a for Walsh averages */
	size_t n_b;
	bool walsh; /* (a_i + a_j) / 2, i <= j; else b_j - a_i */
};

static double count_of(const struct pairs *p)
{
	double n_a = (double)p->n_a, n_b = (double)p->n_b;

	return p->walsh ? n_a * (n_a + 1) / 2 : n_a * n_b;
}

static uint64_t up_to(const struct pairs *p, double v)
{
	uint64_t count = 0;

	if (p->walsh) {
		size_t end = p->n_a; /* columns below end are up to v */

		for (size_t i = 0; i < p->n_a; i++) {
			while (end > 0 && p->a[i] / 2 + p->a[end - 1] / 2 > v)
				end--;
			if (end <= i)
				break;
			count += end - i;
		}
	} else {
		size_t end = 0;

		for (size_t i = 0; i < p->n_a; i++) {
			while (end < p->n_b && p->b[end] - p->a[i] <= v)
				end++;
			count += end;
		}
	}
	return count;
}

static int64_t key_of(double v)
{
	int64_t k;

	v += 0.0; /* one zero */
	memcpy(&k, &v, sizeof(k));
	return k < 0 ? INT64_MIN - k : k;
}

static double value_of(int64_t key)
{
	int64_t k = key < 0 ? INT64_MIN - key : key;
	double v;

	memcpy(&v, &k, sizeof(v));
	return v;
}

/* k counted from 1. */
static double kth(const struct pairs *p, uint64_t k)
{
	double first = p->walsh ? p->a[0] : p->b[0] - p->a[p->n_a - 1];
	double last = p->walsh ? p->a[p->n_a - 1] : p->b[p->n_b - 1] - p->a[0];
	int64_t lo = key_of(first), hi = key_of(last);

	while (lo < hi) {
		int64_t mid = (lo >> 1) + (hi >> 1) + (lo & hi & 1);

		if (up_to(p, value_of(mid)) >= k)
			hi = mid;
		else
			lo = mid + 1;
	}
	return value_of(lo);
}

/* Largest k with P(S <= k - 1) <= tail, from a distribution. Adds up what that leaves out. */
static size_t rank_of_exact(const double *null, size_t top, double tail, double *ret_out)
{
	double cdf = 0;
	size_t k = 0;

	while (k <= top && cdf + null[k] <= tail * (1 + 1e-12))
		cdf += null[k++];
	*ret_out = cdf;
	return k;
}

static size_t rank_of_normal(double mean, double sd, double tail, double *ret_out)
{
	double k = floor(mean + sd * nf_z(tail) + 0.5);

	if (!(k >= 1))
		return 0;
	*ret_out = nf_phi((k - 0.5 - mean) / sd);
	return (size_t)k;
}

static void fill(const struct pairs *p, size_t k, double out, struct nf_shift *ret)
{
	uint64_t all = (uint64_t)count_of(p);
	double a = kth(p, (all + 1) / 2), b = all % 2 ? a : kth(p, all / 2 + 1);

	*ret = (struct nf_shift){ .estimate = all % 2 ? a : a / 2 + b / 2, .k = k };
	if (k > 0) {
		ret->has_interval = true;
		ret->lo = kth(p, k);
		ret->hi = kth(p, all + 1 - k);
		ret->level = 1 - 2 * out;
	}
}

static int bad_level(double level, struct nf_err *err)
{
	return nf_fail(err, NF_EARG, "no interval at level %g", level);
}

int nf_hodges_lehmann(const double *d, size_t n, double level, struct nf_shift *ret,
                      struct nf_err *err)
{
	double tail = (1 - level) / 2, m = (double)n, out = 0, *null = NULL, *a = NULL;
	size_t k, rank[NF_SIGNED_RANK_AUTO];
	int r = nf_stats_check(d, n, 1, err);

	if (r < 0)
		return r;
	if (!(level > 0 && level < 1))
		return bad_level(level, err);
	if (n <= NF_SIGNED_RANK_AUTO) {
		size_t total = n * (n + 1) / 2;

		null = malloc((total + 1) * sizeof(*null));
		if (!null)
			return nf_fail_nomem(err, "a null distribution",
			                     (total + 1) * sizeof(*null));
		for (size_t i = 0; i < n; i++)
			rank[i] = i + 1;
		nf_subset_sum_null(rank, n, total, null);
		k = rank_of_exact(null, total, tail, &out);
		free(null);
	} else {
		k = rank_of_normal(m * (m + 1) / 4, sqrt(m * (m + 1) * (2 * m + 1) / 24), tail,
		                   &out);
	}
	a = nf_stats_sorted(d, n);
	if (!a)
		return nf_fail_nomem(err, "sorted samples", n * sizeof(*a));
	fill(&(struct pairs){ a, n, a, n, true }, k, out, ret);
	free(a);
	return 0;
}

int nf_hodges_lehmann_2(const double *x, size_t n_x, const double *y, size_t n_y, double level,
                        struct nf_shift *ret, struct nf_err *err)
{
	double tail = (1 - level) / 2, out = 0, *null = NULL, *a = NULL, *b = NULL;
	size_t k, top;
	int r = nf_stats_check(x, n_x, 1, err);

	if (r == 0)
		r = nf_stats_check(y, n_y, 1, err);
	if (r < 0)
		return r;
	if (!(level > 0 && level < 1))
		return bad_level(level, err);
	if (__builtin_mul_overflow(n_x, n_y, &top) || top > (uint64_t)1 << 52)
		return nf_fail(err, NF_EARG, "%zu and %zu values have too many pairs", n_x, n_y);
	if (top <= NF_MANN_WHITNEY_AUTO && n_x + n_y <= NF_MANN_WHITNEY_SUM) {
		null = malloc((top + 1) * sizeof(*null));
		if (!null)
			return nf_fail_nomem(err, "a null distribution", (top + 1) * sizeof(*null));
		nf_mann_whitney_null(n_x, n_y, null);
		k = rank_of_exact(null, top, tail, &out);
		free(null);
	} else {
		double pairs = (double)top;

		k = rank_of_normal(pairs / 2, sqrt(pairs / 12 * (double)(n_x + n_y + 1)), tail,
		                   &out);
	}
	a = nf_stats_sorted(x, n_x);
	b = nf_stats_sorted(y, n_y);
	if (a && b)
		fill(&(struct pairs){ a, n_x, b, n_y, false }, k, out, ret);
	else
		r = nf_fail_nomem(err, "sorted samples", (n_x + n_y) * sizeof(*a));
	free(a);
	free(b);
	return r;
}
