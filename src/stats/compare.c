/* SPDX-License-Identifier: MIT */
#include "noisefloor/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "noisefloor/location.h"
#include "noisefloor/multiple.h"
#include "noisefloor/ranktest.h"
#include "stats/check.h"
#include "stats/compare_rule.h"

static const double mde_power = 0.8;

const char *nf_verdict_text(enum nf_verdict v)
{
	static const char *const text[] = {
		[NF_INCONCLUSIVE] = "INCONCLUSIVE",
		[NF_SAME] = "SAME",
		[NF_REGRESSED] = "REGRESSED",
		[NF_IMPROVED] = "IMPROVED",
		[NF_NEW] = "NEW",
		[NF_GONE] = "GONE",
		[NF_FAILED] = "FAILED",
	};

	return (unsigned)v < sizeof(text) / sizeof(*text) ? text[v] : "unknown";
}

struct nf_compare_options nf_compare_defaults(const struct nf_compare_options *o)
{
	struct nf_compare_options v = o ? *o : (struct nf_compare_options){ 0 };

	v.delta = nf_same(v.delta, 0) ? 0.01 : v.delta;
	v.alpha = nf_same(v.alpha, 0) ? 0.01 : v.alpha;
	v.looks = v.looks == 0 ? 1 : v.looks;
	return v;
}

int nf_compare_check_options(const struct nf_compare_options *o, struct nf_compare_options *ret,
                             struct nf_err *err)
{
	struct nf_compare_options v = nf_compare_defaults(o);

	if (!(v.delta >= 0 && v.delta <= 10))
		return nf_fail(err, NF_EARG, "delta %g: 0 to 10", v.delta);
	if (!(v.alpha > 0 && v.alpha < 0.5))
		return nf_fail(err, NF_EARG, "alpha %g: above 0, below 0.5", v.alpha);
	if (v.looks < 1 || v.looks > 100)
		return nf_fail(err, NF_EARG, "%d looks: 1 to 100", v.looks);
	*ret = v;
	return 0;
}

static double combine(double p1, double p2)
{
	double p = 2 * (p1 < p2 ? p1 : p2);

	return p < 1 ? p : 1;
}

static int signed_rank_p(const double *d, size_t n, double sign, double margin, double *work,
                         double *ret, struct nf_err *err)
{
	struct nf_signed_rank t;
	int r;

	for (size_t i = 0; i < n; i++)
		work[i] = sign * d[i] - margin;
	r = nf_signed_rank_test(work, n, NF_GREATER, NF_NULL_AUTO, &t, err);
	if (r == 0)
		*ret = t.p;
	return r;
}

/* Is a / (1 + delta) larger than b? */
static int ranks_p(const double *a, const double *b, size_t n, double delta, double *work,
                   double *ret, struct nf_err *err)
{
	struct nf_mann_whitney t;
	int r;

	for (size_t i = 0; i < n; i++)
		work[i] = a[i] / (1 + delta);
	r = nf_mann_whitney_test(work, n, b, n, NF_GREATER, NF_NULL_AUTO, &t, err);
	if (r == 0)
		*ret = t.p;
	return r;
}

static int check_times(const double *x, size_t n, const char *side, struct nf_err *err)
{
	int r = nf_stats_check(x, n, 1, err);

	for (size_t i = 0; r == 0 && i < n; i++)
		if (!(x[i] > 0))
			r = nf_fail(err, NF_EDATA, "%s time %zu is %g: above 0", side, i, x[i]);
	return r;
}

int nf_compare_pairs(const double *old, const double *new_, size_t n,
                     const struct nf_compare_options *o, struct nf_comparison *ret,
                     struct nf_err *err)
{
	struct nf_comparison c = { .n = n, .has_sd = n > 1 };
	struct nf_compare_options v;
	struct nf_shift shift, ranks;
	double mean;
	int r = nf_compare_check_options(o, &v, err);

	if (r == 0)
		r = check_times(old, n, "old", err);
	if (r == 0)
		r = check_times(new_, n, "new", err);
	if (r < 0)
		return r;

	double *d = malloc(3 * n * sizeof(*d)), *ln_new, *work;
	double margin = log1p(v.delta), level = 1 - 2 * v.alpha / v.looks;

	if (!d)
		return nf_fail_nomem(err, "pairs", 3 * n * sizeof(*d));
	ln_new = d + n;
	work = d + 2 * n;
	for (size_t i = 0; i < n; i++) {
		ln_new[i] = log(new_[i]);
		work[i] = log(old[i]);
		d[i] = ln_new[i] - work[i];
	}
	nf_stats_mean_sd(d, n, &mean, &c.sd);
	r = nf_hodges_lehmann(d, n, level, &shift, err);
	if (r == 0)
		r = nf_hodges_lehmann_2(work, n, ln_new, n, level, &ranks, err);
	if (r == 0)
		r = signed_rank_p(d, n, 1, margin, work, &c.p_slower_pairs, err);
	if (r == 0)
		r = signed_rank_p(d, n, -1, margin, work, &c.p_faster_pairs, err);
	if (r == 0)
		r = ranks_p(new_, old, n, v.delta, work, &c.p_slower_ranks, err);
	if (r == 0)
		r = ranks_p(old, new_, n, v.delta, work, &c.p_faster_ranks, err);
	free(d);
	if (r < 0)
		return r;
	c.ratio = exp(shift.estimate);
	c.has_interval = shift.has_interval;
	if (c.has_interval) {
		c.ratio_lo = exp(shift.lo);
		c.ratio_hi = exp(shift.hi);
	}
	c.ranks_ratio = exp(ranks.estimate);
	c.has_ranks_interval = ranks.has_interval;
	if (c.has_ranks_interval) {
		c.ranks_lo = exp(ranks.lo);
		c.ranks_hi = exp(ranks.hi);
	}
	c.p_slower = combine(c.p_slower_pairs, c.p_slower_ranks);
	c.p_faster = combine(c.p_faster_pairs, c.p_faster_ranks);
	*ret = c;
	return 0;
}

static bool takes_part(const struct nf_comparison *c)
{
	return c->n > 0 && c->verdict != NF_NEW && c->verdict != NF_GONE && c->verdict != NF_FAILED;
}

static bool above(const struct nf_comparison *c)
{
	return (c->has_interval && c->ratio_lo > 1) || (c->has_ranks_interval && c->ranks_lo > 1);
}

static bool below(const struct nf_comparison *c)
{
	return (c->has_interval && c->ratio_hi < 1) || (c->has_ranks_interval && c->ranks_hi < 1);
}

static enum nf_verdict verdict_of(const struct nf_comparison *c, const struct nf_compare_options *v)
{
	bool found = c->holm <= v->alpha / v->looks;

	if (found && c->p_slower < c->p_faster && above(c))
		return NF_REGRESSED;
	if (found && c->p_faster < c->p_slower && below(c))
		return NF_IMPROVED;
	if (c->has_interval && c->ratio_lo >= 1 / (1 + v->delta) && c->ratio_hi <= 1 + v->delta)
		return NF_SAME;
	return NF_INCONCLUSIVE;
}

int nf_compare_decide(struct nf_comparison *c, size_t n, const struct nf_compare_options *o,
                      struct nf_err *err)
{
	struct nf_compare_options v;
	size_t m = 0, k = 0;
	int r = nf_compare_check_options(o, &v, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++)
		m += takes_part(&c[i]);
	if (m == 0)
		return 0;

	double *p = malloc(2 * m * sizeof(*p)), *bh;

	if (!p)
		return nf_fail_nomem(err, "p values", 2 * m * sizeof(*p));
	bh = p + m;
	for (size_t i = 0; i < n; i++)
		if (takes_part(&c[i]))
			p[k++] = fmin(c[i].p_slower, c[i].p_faster);
	r = nf_adjust_p(NF_BENJAMINI_HOCHBERG, p, m, bh, err);
	if (r == 0)
		r = nf_adjust_p(NF_HOLM, p, m, p, err);
	k = 0;
	for (size_t i = 0; r == 0 && i < n; i++) {
		if (!takes_part(&c[i]))
			continue;
		c[i].p = fmin(c[i].p_slower, c[i].p_faster);
		c[i].holm = p[k];
		c[i].bh = bh[k++];
		c[i].mde = 0;
		c[i].has_mde = c[i].has_sd && nf_mde(NF_MDE_HODGES_LEHMANN, c[i].sd, c[i].n,
		                                     v.alpha / v.looks / (2 * (double)m), mde_power,
		                                     v.delta, &c[i].mde, NULL) == 0;
		c[i].verdict = verdict_of(&c[i], &v);
	}
	free(p);
	return r;
}

bool nf_compare_null_fires(const struct nf_comparison *c, const struct nf_compare_options *o)
{
	struct nf_compare_options v = nf_compare_defaults(o);
	double alpha = v.alpha / v.looks;

	return (c->p_slower <= alpha && above(c)) || (c->p_faster <= alpha && below(c));
}

size_t nf_compare_min_pairs(size_t n_benchmarks, const struct nf_compare_options *o)
{
	struct nf_compare_options v = nf_compare_defaults(o);
	double alpha = v.alpha / v.looks, m = n_benchmarks > 0 ? (double)n_benchmarks : 1;

	for (size_t n = 1; n < 1000; n++) {
		double p = combine(nf_signed_rank_min_p(n, NF_GREATER),
		                   nf_mann_whitney_min_p(n, n, NF_GREATER));

		if (p * m <= alpha) /* then an interval exists, too */
			return n;
	}
	return 1000;
}

int nf_disturbed_blocks(const double *value, size_t n, bool *ret_discard, size_t *ret_count,
                        struct nf_err *err)
{
	double mad, median;
	size_t count = 0, max = n / 5;
	int r = nf_mad(value, n, &mad, &median, err);

	if (r < 0)
		return r;
	memset(ret_discard, 0, n * sizeof(*ret_discard));
	while (count < max) {
		size_t worst = n;

		for (size_t i = 0; i < n; i++)
			if (!ret_discard[i] && value[i] > median + 5 * mad &&
			    (worst == n || value[i] > value[worst]))
				worst = i;
		if (worst == n)
			break;
		ret_discard[worst] = true;
		count++;
	}
	*ret_count = count;
	return 0;
}
