/* SPDX-License-Identifier: MIT */
#include "job/sweep_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "noisefloor/compare.h"
#include "noisefloor/location.h"

/* The sets by row and variant. */
struct table {
	struct nf_rec_bench_set **at; /* owned, with the rest: rows of n_variants */
	double *level; /* of a row */
	bool *found;
	bool *out; /* row */
	double *base; /* medians of the pairs of one point */
	double *point;
	size_t n_rows, n_variants;
};

static void fini(struct table *t)
{
	free(t->at);
	free(t->level);
	free(t->found);
	free(t->out);
	free(t->base);
	free(t->point);
}

static size_t count_variants(const struct nf_rec_sweep_point *p, size_t n)
{
	size_t most = 0;

	for (size_t i = 0; i < n; i++)
		if (p[i].variant >= most)
			most = p[i].variant + 1;
	return most;
}

static bool usable(const struct nf_bench_evidence *e, const struct nf_rec_bench_set *s)
{
	return !s->failure && nf_bench_set_complete(&e->variant[s->variant], s, e->iters) &&
	       s->median.some && s->median.v > 0;
}

static int make_table(const struct nf_bench_evidence *e, size_t n_variants, struct table *ret,
                      struct nf_err *err)
{
	struct table t = { .n_variants = n_variants };

	for (size_t i = 0; i < e->n_sets; i++)
		if (e->set[i].row >= t.n_rows)
			t.n_rows = e->set[i].row + 1;
	size_t rows = t.n_rows ? t.n_rows : 1;
	t.at = calloc(rows * n_variants, sizeof(*t.at));
	t.level = calloc(rows, sizeof(*t.level));
	t.found = calloc(rows, sizeof(*t.found));
	t.out = calloc(rows, sizeof(*t.out));
	t.base = calloc(rows, sizeof(*t.base));
	t.point = calloc(rows, sizeof(*t.point));
	if (!t.at || !t.level || !t.found || !t.out || !t.base || !t.point) {
		fini(&t);
		return nf_fail_nomem(err, "the rows of a sweep", rows * n_variants * sizeof(*t.at));
	}
	for (size_t i = 0; i < e->n_sets; i++) {
		struct nf_rec_bench_set *s = &e->set[i];

		s->discarded = NULL;
		if (s->variant < n_variants && usable(e, s))
			t.at[s->row * n_variants + s->variant] = s;
	}
	*ret = t;
	return 0;
}

/* --- rows that are left out, whichever the point --- */

static void leave_out(struct table *t, size_t row, const char *why)
{
	t->out[row] = true;
	for (size_t v = 0; v < t->n_variants; v++)
		if (t->at[row * t->n_variants + v])
			t->at[row * t->n_variants + v]->discarded = why;
}

static size_t session_of(const struct nf_rec_sweep_session *session, size_t n, size_t set)
{
	size_t s = 0;

	while (s + 1 < n && session[s + 1].first_set <= set)
		s++;
	return s;
}

/* Its sets are no neighbours in time, and after an interruption caches are cold. */
static void find_parted(const struct nf_bench_evidence *e,
                        const struct nf_rec_sweep_session *session, size_t n_sessions,
                        struct table *t)
{
	for (size_t s = 1; s < n_sessions; s++) {
		size_t first = session[s].first_set;

		if (first == 0 || first >= e->n_sets)
			continue;
		if (e->set[first].row == e->set[first - 1].row &&
		    session_of(session, n_sessions, first) !=
		            session_of(session, n_sessions, first - 1))
			leave_out(t, e->set[first].row, "the row was interrupted");
	}
}

/* The largest of the row; false: unknown for one. */
static bool row_level(const struct table *t, size_t row, size_t what, const char **ret_what,
                      double *ret)
{
	double level = 0, v;

	for (size_t i = 0; i < t->n_variants; i++) {
		const struct nf_rec_bench_set *s = t->at[row * t->n_variants + i];

		if (!s)
			continue;
		if (!nf_bench_disturbance(what, s, ret_what, &v))
			return false;
		level = fmax(level, v);
	}
	*ret = level;
	return true;
}

/* Of all kinds together at most a fifth of the rows. */
static int find_disturbed(struct table *t, struct nf_err *err)
{
	size_t left = t->n_rows / 5;

	for (size_t what = 0; what < NF_BENCH_DISTURBANCES && left > 0; what++) {
		const char *words = NULL;
		bool known = true;
		size_t count;

		for (size_t row = 0; row < t->n_rows && known; row++)
			known = row_level(t, row, what, &words, &t->level[row]);
		if (!known)
			continue;
		int r = nf_disturbed_blocks(t->level, t->n_rows, t->found, &count, err);
		if (r < 0)
			return r;
		for (size_t row = 0; row < t->n_rows && left > 0; row++)
			if (t->found[row] && !t->out[row]) {
				leave_out(t, row, words);
				left--;
			}
	}
	return 0;
}

/* --- a point --- */

/* More is better of a rate: what is compared is its inverse. */
static size_t gather(const struct table *t, size_t base, struct nf_rec_sweep_point *p)
{
	size_t n = 0;

	p->pairs = p->pairs_discarded = 0;
	for (size_t row = 0; row < t->n_rows; row++) {
		const struct nf_rec_bench_set *b = t->at[row * t->n_variants + base];
		const struct nf_rec_bench_set *s = t->at[row * t->n_variants + p->variant];

		if (!b || !s)
			continue;
		if (t->out[row]) {
			p->pairs_discarded++;
			continue;
		}
		t->base[n] = b->median.v;
		t->point[n++] = s->median.v;
	}
	p->pairs = n;
	return n;
}

static int medians(const struct table *t, size_t n, struct nf_rec_sweep_point *p,
                   struct nf_err *err)
{
	double v;
	int r = nf_median(t->base, n, &v, err);

	if (r < 0)
		return r;
	p->base_median = nf_some_real(v);
	r = nf_median(t->point, n, &v, err);
	if (r == 0)
		p->median = nf_some_real(v);
	return r;
}

static const char *why_not(const struct nf_bench_evidence *e, size_t base,
                           const struct nf_rec_sweep_point *p)
{
	const struct nf_rec_bench_variant *v = &e->variant[p->variant], *b = &e->variant[base];

	if (v->failure)
		return nf_arena_strdup(e->arena, v->failure);
	if (b->failure)
		return nf_arena_printf(e->arena, "the base failed: %s", b->failure);
	if (v->unit && b->unit && strcmp(v->unit, b->unit) != 0)
		return nf_arena_printf(e->arena, "in %.*s, the base in %.*s",
		                       NF_UTF8_CUT(v->unit, 40), NF_UTF8_CUT(b->unit, 40));
	if (v->unit && b->unit && v->higher_is_better != b->higher_is_better)
		return nf_arena_printf(e->arena, "%s is better, of the base %s is",
		                       v->higher_is_better ? "larger" : "smaller",
		                       b->higher_is_better ? "larger" : "smaller");
	return NULL;
}

/* *ret_use: it has pairs to be judged by. */
static int look(const struct nf_bench_evidence *e, struct table *t,
                const struct nf_compare_options *o, size_t base, struct nf_rec_sweep_point *p,
                struct nf_comparison *ret, bool *ret_use, struct nf_err *err)
{
	*ret_use = false;
	p->failure = why_not(e, base, p);
	if (p->failure) {
		p->mark = NF_SWEEP_FAILED;
		return 0;
	}
	size_t n = gather(t, base, p);
	int r = n > 0 ? medians(t, n, p, err) : 0;
	if (r < 0 || n == 0 || p->mark == NF_SWEEP_BASE)
		return r;
	for (size_t i = 0; e->variant[base].higher_is_better && i < n; i++) {
		t->base[i] = 1 / t->base[i];
		t->point[i] = 1 / t->point[i];
	}
	r = nf_compare_pairs(t->base, t->point, n, o, ret, err);
	*ret_use = r == 0;
	return r;
}

static void fill(const struct nf_comparison *c, const struct nf_compare_options *o,
                 struct nf_rec_sweep_point *p)
{
	p->ratio = nf_some_real(c->ratio);
	if (c->has_interval) {
		p->ratio_lo = nf_some_real(c->ratio_lo);
		p->ratio_hi = nf_some_real(c->ratio_hi);
	}
	if (c->has_sd)
		p->sd_ln = nf_some_real(c->sd);
	p->p_slower = nf_some_real(c->p_slower);
	p->p_faster = nf_some_real(c->p_faster);
	p->p = nf_some_real(c->p);
	p->p_bh = nf_some_real(c->bh);
	p->p_holm = nf_some_real(c->holm);
	if (c->has_mde)
		p->mde_ratio = nf_some_real(c->mde);
	if (c->bh <= NF_SWEEP_BH_Q)
		p->mark = c->p_slower <= c->p_faster ? NF_SWEEP_SLOWER : NF_SWEEP_FASTER;
	else if (c->has_interval && c->ratio_lo >= 1 / (1 + o->delta) &&
	         c->ratio_hi <= 1 + o->delta)
		p->mark = NF_SWEEP_SAME;
	else
		p->mark = NF_SWEEP_OPEN;
}

static int judge(const struct nf_bench_evidence *e, struct table *t,
                 const struct nf_compare_options *o, size_t base, struct nf_rec_sweep_point *p,
                 size_t n, struct nf_err *err)
{
	struct nf_comparison *family = calloc(n ? n : 1, sizeof(*family));
	size_t *index = calloc(n ? n : 1, sizeof(*index)), m = 0;
	int r = family && index ? 0
	                        : nf_fail_nomem(err, "the points of a sweep", n * sizeof(*family));

	for (size_t i = 0; r == 0 && i < n; i++) {
		bool use;

		p[i].mark = i == base ? NF_SWEEP_BASE : NF_SWEEP_OPEN;
		r = look(e, t, o, p[base].variant, &p[i], &family[m], &use, err);
		if (r == 0 && use)
			index[m++] = i;
	}
	if (r == 0 && m > 0)
		r = nf_compare_decide(family, m, o, err);
	for (size_t i = 0; r == 0 && i < m; i++)
		fill(&family[i], o, &p[index[i]]);
	free(family);
	free(index);
	return r;
}

int nf_sweep_compare(const struct nf_bench_evidence *e, const struct nf_rec_bench_rule *rule,
                     const struct nf_rec_sweep_session *session, size_t n_sessions, size_t base,
                     struct nf_rec_sweep_point *p, size_t n, struct nf_err *err)
{
	const struct nf_compare_options o = {
		.delta = rule->delta_ratio,
		.alpha = rule->alpha,
		.looks = 1,
	};
	struct table t = { 0 };
	int r = make_table(e, count_variants(p, n), &t, err);

	if (r < 0)
		return r;
	find_parted(e, session, n_sessions, &t);
	if (t.n_rows > 0)
		r = find_disturbed(&t, err);
	if (r == 0)
		r = judge(e, &t, &o, base, p, n, err);
	fini(&t);
	return r < 0 ? r : nf_arena_failed(e->arena, "record", err);
}

void nf_sweep_extremes(const struct nf_rec_sweep_point *p, size_t n, struct nf_some_nat *ret_best,
                       struct nf_some_nat *ret_worst)
{
	double best = 1, worst = 1;
	size_t compared = 0;

	*ret_best = *ret_worst = (struct nf_some_nat){ 0 };
	for (size_t i = 0; i < n; i++) {
		if (p[i].mark == NF_SWEEP_BASE && !ret_best->some)
			*ret_best = nf_some_nat(i);
		if (p[i].mark == NF_SWEEP_BASE && !ret_worst->some)
			*ret_worst = nf_some_nat(i);
		if (!p[i].ratio.some)
			continue;
		compared++;
		if (p[i].ratio.v < best) {
			best = p[i].ratio.v;
			*ret_best = nf_some_nat(i);
		}
		if (p[i].ratio.v > worst) {
			worst = p[i].ratio.v;
			*ret_worst = nf_some_nat(i);
		}
	}
	if (compared == 0)
		*ret_best = *ret_worst = (struct nf_some_nat){ 0 };
}

size_t nf_sweep_min_sets(size_t n_points, double delta)
{
	const struct nf_compare_options o = { .delta = delta, .alpha = NF_SWEEP_BH_Q, .looks = 1 };

	return nf_compare_min_pairs(n_points - 1, &o);
}
