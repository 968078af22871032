/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "noisefloor/ranktest.h"
#include "stats/check.h"
#include "stats/distfn.h"
#include "stats/rank_null.h"

int nf_sign_test(const double *d, size_t n, enum nf_side side, struct nf_sign_test *ret,
                 struct nf_err *err)
{
	struct nf_sign_test t = { .p = 1 };
	int r = nf_stats_check(d, n, 1, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++) {
		t.n_above += d[i] > 0;
		t.n_below += d[i] < 0;
	}

	size_t used = t.n_above + t.n_below;
	size_t few = side == NF_GREATER      ? t.n_below
	             : side == NF_LESS       ? t.n_above
	             : t.n_above < t.n_below ? t.n_above
	                                     : t.n_below;

	if (used > 0)
		t.p = nf_binomial_lower(few, used, 0.5) * (side == NF_TWO_SIDED ? 2 : 1);
	t.p = t.p > 1 ? 1 : t.p;
	*ret = t;
	return 0;
}

/* p of w, doubled to be whole, among sums of doubled ranks. Under the null a rank counts with
 * probability 1/2, so the distribution is symmetric, ties or not. */
static int exact_p(const size_t *rank, size_t n, size_t total, size_t w, enum nf_side side,
                   double *ret, struct nf_err *err)
{
	double *null = malloc((total + 1) * sizeof(*null));
	double p = 0;

	if (!null)
		return nf_fail_nomem(err, "a null distribution", (total + 1) * sizeof(*null));
	nf_subset_sum_null(rank, n, total, null);
	if (side == NF_LESS || (side == NF_TWO_SIDED && w < total - w))
		w = total - w;
	for (size_t s = total + 1; s-- > w;)
		p += null[s];
	free(null);
	p *= side == NF_TWO_SIDED ? 2 : 1;
	*ret = p > 1 ? 1 : p;
	return 0;
}

static double normal_p(double above, double sd, double step, enum nf_side side)
{
	if (!(sd > 0))
		return 1;
	if (side == NF_LESS)
		above = -above;
	if (side == NF_TWO_SIDED)
		above = fabs(above);

	double p = nf_phi(-(above - step) / sd) * (side == NF_TWO_SIDED ? 2 : 1);

	return p > 1 ? 1 : p;
}

int nf_signed_rank_test(const double *d, size_t n, enum nf_side side, enum nf_null null,
                        struct nf_signed_rank *ret, struct nf_err *err)
{
	struct nf_signed_rank t = { .p = 1 };
	struct nf_ranked *a = NULL;
	size_t *rank = NULL, total = 0, w = 0;
	int r = nf_stats_check(d, n, 1, err);

	if (r < 0)
		return r;
	a = malloc(n * sizeof(*a));
	rank = malloc(n * sizeof(*rank));
	if (!a || !rank) {
		r = nf_fail_nomem(err, "ranks", n * (sizeof(*a) + sizeof(*rank)));
		goto out;
	}
	for (size_t i = 0; i < n; i++)
		if (d[i] > 0 || d[i] < 0) {
			a[t.n].value = fabs(d[i]);
			a[t.n].index = t.n;
			t.n++;
		}

	double ties = nf_double_midranks(a, t.n, rank), m = (double)t.n;

	for (size_t i = 0, k = 0; i < n; i++)
		if (d[i] > 0 || d[i] < 0) {
			total += rank[k];
			w += d[i] > 0 ? rank[k] : 0;
			k++;
		}
	t.w = (double)w / 2;
	t.exact = null == NF_NULL_EXACT || (null == NF_NULL_AUTO && t.n <= NF_SIGNED_RANK_AUTO);
	if (t.exact && t.n > NF_SIGNED_RANK_HARD) {
		r = nf_fail(err, NF_EARG, "%zu values are too many for an exact test", t.n);
		goto out;
	}
	if (t.exact)
		r = exact_p(rank, t.n, total, w, side, &t.p, err);
	else
		t.p = normal_p(t.w - m * (m + 1) / 4,
		               sqrt(m * (m + 1) * (2 * m + 1) / 24 - ties / 48),
		               null == NF_NULL_NORMAL ? 0 : 0.5, side);
	if (r == 0)
		*ret = t;
out:
	free(a);
	free(rank);
	return r;
}

double nf_signed_rank_min_p(size_t n, enum nf_side side)
{
	size_t power = side == NF_TWO_SIDED && n > 0 ? n - 1 : n;

	return power > 2000 ? 0 : ldexp(1, -(int)power);
}

/* --- Mann-Whitney ---------------------------------------------------------------------------- */

static double tail_of(const double *null, size_t top, double from_middle, double middle,
                      enum nf_side side)
{
	double p = 0;

	for (size_t s = 0; s <= top; s++) {
		double d = (double)s - middle;
		/* Whole and half numbers: comparisons are exact. */
		bool counts = side == NF_GREATER ? d >= from_middle
		              : side == NF_LESS  ? d <= from_middle
		                                 : fabs(d) >= fabs(from_middle);

		p += counts ? null[s] : 0;
	}
	return p > 1 ? 1 : p;
}

static int exact_without_ties(size_t n_x, size_t n_y, double u, enum nf_side side, double *ret,
                              struct nf_err *err)
{
	size_t top = n_x * n_y;
	double *null = malloc((top + 1) * sizeof(*null)), middle = (double)top / 2;

	if (!null)
		return nf_fail_nomem(err, "a null distribution", (top + 1) * sizeof(*null));
	nf_mann_whitney_null(n_x, n_y, null);
	*ret = tail_of(null, top, u - middle, middle, side);
	free(null);
	return 0;
}

/* By the sum of the doubled midranks of the smaller side. */
static int exact_with_ties(const size_t *rank, size_t n_x, size_t n_y, enum nf_side side,
                           double *ret, struct nf_err *err)
{
	size_t n = n_x + n_y, m = n_x < n_y ? n_x : n_y, sum = 0, max = 0, bytes;
	double *work = NULL, *null = NULL, middle = (double)m * ((double)n + 1);
	int r = 0;

	for (size_t i = 0; i < m; i++)
		sum += rank[n_x <= n_y ? i : n_x + i];
	max = m * (2 * n - m + 1); /* the m largest ranks, doubled */
	bytes = (m + 1) * (max + 1) * sizeof(*work); /* n <= 200: no overflow */
	work = malloc(bytes);
	null = malloc((max + 1) * sizeof(*null));
	if (!work || !null) {
		r = nf_fail_nomem(err, "a null distribution", bytes);
		goto out;
	}
	nf_choice_sum_null(rank, n, m, max, work, null);
	if (n_x > n_y && side != NF_TWO_SIDED) /* the other side's sum falls when x's rises */
		side = side == NF_GREATER ? NF_LESS : NF_GREATER;
	*ret = tail_of(null, max, (double)sum - middle, middle, side);
out:
	free(work);
	free(null);
	return r;
}

static bool want_exact(size_t n_x, size_t n_y, bool ties, enum nf_null null)
{
	size_t pairs;

	if (null != NF_NULL_AUTO)
		return null == NF_NULL_EXACT;
	if (ties)
		return n_x + n_y <= NF_MANN_WHITNEY_TIES_AUTO;
	return !__builtin_mul_overflow(n_x, n_y, &pairs) && pairs <= NF_MANN_WHITNEY_AUTO &&
	       n_x + n_y <= NF_MANN_WHITNEY_SUM;
}

int nf_mann_whitney_test(const double *x, size_t n_x, const double *y, size_t n_y,
                         enum nf_side side, enum nf_null null, struct nf_mann_whitney *ret,
                         struct nf_err *err)
{
	struct nf_mann_whitney t = { 0 };
	size_t n = n_x + n_y;
	struct nf_ranked *a = NULL;
	size_t *rank = NULL;
	double sum = 0, pairs = (double)n_x * (double)n_y, all = (double)n;
	int r = nf_stats_check(x, n_x, 1, err);

	if (r == 0)
		r = nf_stats_check(y, n_y, 1, err);
	if (r < 0)
		return r;
	a = malloc(n * sizeof(*a));
	rank = malloc(n * sizeof(*rank));
	if (!a || !rank) {
		r = nf_fail_nomem(err, "ranks", n * (sizeof(*a) + sizeof(*rank)));
		goto out;
	}
	for (size_t i = 0; i < n; i++) {
		a[i].value = i < n_x ? x[i] : y[i - n_x];
		a[i].index = i;
	}

	double ties = nf_double_midranks(a, n, rank);

	for (size_t i = 0; i < n_x; i++)
		sum += (double)rank[i];
	t.u = sum / 2 - (double)n_x * ((double)n_x + 1) / 2;
	t.superiority = t.u / pairs;
	t.cliffs_delta = 2 * t.superiority - 1;
	t.exact = want_exact(n_x, n_y, ties > 0, null);
	if (t.exact && (ties > 0 ? n > NF_MANN_WHITNEY_TIES_HARD
	                         : n > NF_MANN_WHITNEY_SUM || pairs > NF_MANN_WHITNEY_HARD)) {
		r = nf_fail(err, NF_EARG, "%zu and %zu values are too many for an exact test", n_x,
		            n_y);
		goto out;
	}
	if (t.exact && ties > 0)
		r = exact_with_ties(rank, n_x, n_y, side, &t.p, err);
	else if (t.exact)
		r = exact_without_ties(n_x, n_y, t.u, side, &t.p, err);
	else
		t.p = normal_p(t.u - pairs / 2,
		               sqrt(pairs / 12 * ((all + 1) - ties / (all * (all - 1)))),
		               null == NF_NULL_NORMAL ? 0 : 0.5, side);
	if (r == 0)
		*ret = t;
out:
	free(a);
	free(rank);
	return r;
}

double nf_mann_whitney_min_p(size_t n_x, size_t n_y, enum nf_side side)
{
	double p = side == NF_TWO_SIDED ? 2 : 1;
	size_t m = n_x < n_y ? n_x : n_y, n = n_x < n_y ? n_y : n_x;

	for (size_t i = 1; i <= m && p > 0; i++)
		p *= (double)i / ((double)n + (double)i);
	return p > 1 ? 1 : p;
}
