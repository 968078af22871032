/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "noisefloor/changepoint.h"
#include "noisefloor/location.h"
#include "noisefloor/ranktest.h"
#include "stats/check.h"
#include "stats/energy.h"

struct search {
	const double *x;
	size_t n;
	struct nf_steps_options o;
	size_t *edge; /* 0, the steps found, n; ascending */
	double *p; /* of the step at that edge */
	size_t n_edges;
	double *order;
	double *work;
	size_t *blocks;
};

/* The best split of all segments; q below 0 when no segment is long enough. */
static struct nf_split best_of(const struct search *s, const double *x)
{
	struct nf_split best = { .q = -(double)INFINITY };

	for (size_t i = 0; i + 1 < s->n_edges; i++) {
		size_t from = s->edge[i], len = s->edge[i + 1] - from;
		struct nf_split b;

		if (len / 2 < s->o.min_segment)
			continue;
		b = nf_energy_best(x + from, len, s->o.min_segment, s->work);
		if (b.q > best.q) {
			best = b;
			best.tau += from;
		}
	}
	return best;
}

static void find_edges(struct search *s)
{
	struct nf_rng rng;

	nf_rng_seed(&rng, s->o.seed);
	for (;;) {
		struct nf_split best = best_of(s, s->x);
		double count = 1, least, p;
		size_t at = 0;

		if (isinf(best.q))
			return;
		least = best.q - nf_energy_rounding(s->x, s->n, best.q);
		for (size_t k = 0; k < s->o.permutations; k++) {
			for (size_t i = 0; i + 1 < s->n_edges; i++) {
				size_t from = s->edge[i], len = s->edge[i + 1] - from;
				size_t block = s->o.block < len ? s->o.block : len;

				nf_shuffle_blocks(&rng, s->x + from, len, block, s->order + from,
				                  s->blocks);
			}
			count += best_of(s, s->order).q >= least;
		}
		p = count / ((double)s->o.permutations + 1);
		if (p > s->o.alpha)
			return;
		while (s->edge[at] < best.tau)
			at++;
		memmove(s->edge + at + 1, s->edge + at, (s->n_edges - at) * sizeof(*s->edge));
		memmove(s->p + at + 1, s->p + at, (s->n_edges - at) * sizeof(*s->p));
		s->edge[at] = best.tau;
		s->p[at] = p;
		s->n_edges++;
	}
}

/* The step at edge i: -NF_ENODATA when it is too small to be one. */
static int judge(const struct search *s, size_t i, struct nf_step *ret, struct nf_err *err)
{
	const double *a = s->x + s->edge[i - 1], *b = s->x + s->edge[i];
	size_t n_a = s->edge[i] - s->edge[i - 1], n_b = s->edge[i + 1] - s->edge[i];
	struct nf_mann_whitney t = { 0 };
	double before = 0, after = 0;
	int r = nf_median(a, n_a, &before, err);

	if (r == 0)
		r = nf_median(b, n_b, &after, err);
	if (r == 0)
		r = nf_mann_whitney_test(b, n_b, a, n_a, NF_TWO_SIDED, NF_NULL_NORMAL, &t, err);
	if (r < 0)
		return r;
	ret->at = s->edge[i];
	ret->p = s->p[i];
	ret->shift = after - before;
	ret->superiority = ret->shift < 0 ? 1 - t.superiority : t.superiority;
	if (fabs(ret->shift) < s->o.min_shift || ret->superiority < s->o.min_superiority)
		return -NF_ENODATA;
	return 0;
}

static int steps_options(const struct nf_steps_options *o, struct nf_steps_options *ret,
                         struct nf_err *err)
{
	struct nf_steps_options v = o ? *o : (struct nf_steps_options){ 0 };

	v.min_segment = v.min_segment ? v.min_segment : 5;
	v.permutations = v.permutations ? v.permutations : 999;
	v.alpha = nf_same(v.alpha, 0) ? 0.01 : v.alpha;
	v.min_superiority = nf_same(v.min_superiority, 0) ? 0.9 : v.min_superiority;
	if (!(v.alpha > 0 && v.alpha < 1) || v.permutations > 100000 || !(v.min_shift >= 0) ||
	    !(v.min_superiority >= 0 && v.min_superiority <= 1))
		return nf_fail(err, NF_EARG, "options of the search for steps are out of range");
	*ret = v;
	return 0;
}

/* Mean of |x[i + lag] - x[i]| without the largest quarter, which the steps are in. */
static double trimmed_difference(const double *x, size_t n, size_t lag, double *work)
{
	size_t m = n - lag, kept = m - m / 4;
	double sum = 0;

	for (size_t i = 0; i < m; i++)
		work[i] = fabs(x[i + lag] - x[i]);
	nf_stats_sort(work, m);
	for (size_t i = 0; i < kept; i++)
		sum += work[i];
	return sum / (double)kept;
}

/* Steps make a series look dependent. Its differences do not know them: of an AR(1) series those at
 * lags 1 and 2 have variances in the ratio 1 : 1 + r1. Of independent values that estimate exceeds
 * 4 / sqrt(n) in one series of ten (docs/METHOD_STATISTICS.md): less than that is no dependence. */
static size_t block_of(const double *x, size_t n, double *work)
{
	double one = trimmed_difference(x, n, 1, work), two = trimmed_difference(x, n, 2, work);
	double r1 = one > 0 ? two / one * (two / one) - 1 : 0;

	return r1 > 4 / sqrt((double)n) ? nf_stats_block_length(r1, n) : 1;
}

int nf_steps(const double *x, size_t n, const struct nf_steps_options *o, struct nf_step *ret,
             size_t max, size_t *ret_n, struct nf_err *err)
{
	struct search s = { .x = x, .n = n };
	size_t found = 0;
	int r = nf_stats_check(x, n, 1, err);

	if (r == 0)
		r = steps_options(o, &s.o, err);
	if (r < 0)
		return r;
	if (n > NF_CHANGE_MAX_N)
		return nf_fail(err, NF_EARG, "%zu values: at most %d", n, NF_CHANGE_MAX_N);
	if (n / 2 < s.o.min_segment) {
		*ret_n = 0;
		return 0;
	}
	s.edge = calloc(n + 2, sizeof(*s.edge));
	s.p = calloc(n + 2, sizeof(*s.p));
	s.order = malloc(n * sizeof(*s.order));
	s.work = malloc(3 * (n + 1) * sizeof(*s.work));
	s.blocks = malloc(n * sizeof(*s.blocks));
	if (!s.edge || !s.p || !s.order || !s.work || !s.blocks) {
		r = nf_fail_nomem(err, "a search for steps", 8 * n * sizeof(*s.work));
		goto out;
	}
	if (s.o.block == 0)
		s.o.block = n > 3 ? block_of(x, n, s.order) : 1;
	s.edge[0] = 0;
	s.edge[1] = n;
	s.n_edges = 2;
	find_edges(&s);
	for (size_t i = 1; i + 1 < s.n_edges; i++) {
		struct nf_step step;

		r = judge(&s, i, &step, err);
		if (r == -NF_ENODATA) {
			r = 0;
			continue;
		}
		if (r < 0)
			goto out;
		if (found < max)
			ret[found] = step;
		found++;
	}
	*ret_n = found;
out:
	free(s.edge);
	free(s.p);
	free(s.order);
	free(s.work);
	free(s.blocks);
	return r;
}
