/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "noisefloor/location.h"
#include "stats/check.h"
#include "stats/distfn.h"
#include "stats/select.h"

/* Between order statistics `rank` and rank + 1, counted from 1 and possibly outside 1..n. */
struct spot {
	double rank;
	double fraction;
};

static struct spot spot_of(double n, int type, double p)
{
	/* Parameters a, b of p_k = (k - a) / (n + 1 - a - b) for types 4 to 9. */
	static const double ab[6][2] = { { 0, 1 }, { 0.5, 0.5 },         { 0, 0 },
		                         { 1, 1 }, { 1.0 / 3, 1.0 / 3 }, { 0.375, 0.375 } };
	const double fuzz = 4 * DBL_EPSILON;
	double at, j, h;

	if (type >= 4)
		at = ab[type - 4][0] + p * (n + 1 - ab[type - 4][0] - ab[type - 4][1]);
	else
		at = type == 3 ? n * p - 0.5 : n * p;
	j = floor(at + fuzz * (1 + fabs(at)));
	h = at - j;
	h = h < fuzz * (1 + fabs(at)) ? 0 : h;
	if (type == 1)
		h = h > 0 ? 1 : 0;
	else if (type == 2)
		h = h > 0 ? 1 : 0.5;
	else if (type == 3)
		h = h > 0 || fmod(fabs(j), 2) > 0 ? 1 : 0;
	return (struct spot){ j, h };
}

static size_t rank_in(double rank, size_t n)
{
	return rank < 1 ? 0 : rank >= (double)n ? n - 1 : (size_t)rank - 1;
}

int nf_quantiles(const double *x, size_t n, int type, const double *p, size_t n_p, double *ret,
                 struct nf_err *err)
{
	int r = nf_stats_check(x, n, 1, err);

	if (r < 0)
		return r;
	if (type < 1 || type > 9)
		return nf_fail(err, NF_EARG, "no quantile type %d: 1 to 9", type);
	for (size_t i = 0; i < n_p; i++)
		if (!(p[i] >= 0 && p[i] <= 1))
			return nf_fail(err, NF_EARG, "no quantile at %g: 0 to 1", p[i]);

	size_t n_scratch = nf_select_scratch(n);
	double *scratch = malloc(n_scratch * sizeof(*scratch));

	if (!scratch)
		return nf_fail_nomem(err, "quantiles", n_scratch * sizeof(*scratch));

	enum { BATCH = NF_ORDERS_MAX / 2 };
	struct nf_source s = { .f64 = x };

	for (size_t from = 0; from < n_p; from += BATCH) {
		size_t len = n_p - from < BATCH ? n_p - from : BATCH;
		struct nf_order order[NF_ORDERS_MAX];
		struct spot spot[BATCH];

		for (size_t i = 0; i < len; i++) {
			spot[i] = spot_of((double)n, type, p[from + i]);
			order[2 * i].rank = rank_in(spot[i].rank, n);
			order[2 * i + 1].rank = rank_in(spot[i].rank + 1, n);
		}
		nf_select(&s, n, order, 2 * len, scratch, n_scratch);
		for (size_t i = 0; i < len; i++) {
			double a = 0, b = 0, h = spot[i].fraction;

			for (size_t k = 0; k < 2 * len; k++) { /* select sorts them */
				if (order[k].rank == rank_in(spot[i].rank, n))
					a = order[k].value;
				if (order[k].rank == rank_in(spot[i].rank + 1, n))
					b = order[k].value;
			}
			ret[from + i] =
			        nf_clamp(h < 0.5 ? a + h * (b - a) : b - (1 - h) * (b - a), a, b);
		}
	}
	free(scratch);
	return 0;
}

/* Largest k with P(X <= k - 1) <= tail for X binomial (n, p); 0 if there is none. */
static size_t lower_rank(size_t n, double p, double tail)
{
	size_t lo = 0, hi = n; /* rank lo is fine, hi + 1 is not */

	while (lo < hi) {
		size_t mid = lo + (hi - lo + 1) / 2;

		/* A level such as 0.95 is not a double: equal is equal to within rounding. */
		if (nf_binomial_lower(mid - 1, n, p) <= tail * (1 + 1e-12))
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

int nf_quantile_interval(size_t n, double p, double level, struct nf_rank_interval *ret,
                         struct nf_err *err)
{
	if (n == 0)
		return nf_fail(err, NF_ENODATA, "no samples");
	if (!(p > 0 && p < 1) || !(level > 0 && level < 1))
		return nf_fail(err, NF_EARG, "no interval of quantile %g at level %g", p, level);

	double tail = (1 - level) / 2, miss = 0;
	size_t lo = lower_rank(n, p, tail), above = lower_rank(n, 1 - p, tail);
	struct nf_rank_interval v = { .lo_rank = lo, .hi_rank = above > 0 ? n + 1 - above : 0 };

	if (lo > 0)
		miss += nf_binomial_lower(lo - 1, n, p);
	if (above > 0)
		miss += nf_binomial_lower(above - 1, n, 1 - p);
	v.coverage = lo > 0 || above > 0 ? 1 - miss : 1;
	*ret = v;
	return 0;
}
