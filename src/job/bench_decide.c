/* SPDX-License-Identifier: MIT */
#include "job/bench_decide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "bench/backend.h"
#include "job/bench_plan.h"
#include "noisefloor/compare.h"
#include "noisefloor/location.h"

_Static_assert((int)NF_BENCH_INCONCLUSIVE == (int)NF_INCONCLUSIVE &&
                       (int)NF_BENCH_REGRESSED == (int)NF_REGRESSED &&
                       (int)NF_BENCH_FAILED == (int)NF_FAILED,
               "the record's verdicts are those of the decision");

enum { PAIRS_A_BLOCK = 2 };

/* The sets of one comparison, by pair; NULL where there is none. */
struct pairs {
	struct nf_rec_bench_set **old; /* owned, with everything below */
	struct nf_rec_bench_set **new_;
	double *old_median;
	double *new_median;
	double *level; /* of a block */
	bool *bad; /* block */
	bool *found;
	size_t n; /* rows */
	size_t kept; /* medians */
};

static void fini(struct pairs *p)
{
	free(p->old);
	free(p->new_);
	free(p->old_median);
	free(p->new_median);
	free(p->level);
	free(p->bad);
	free(p->found);
}

static struct nf_compare_options options(const struct nf_rec_bench_rule *rule)
{
	return (struct nf_compare_options){
		.delta = rule->delta_ratio,
		.alpha = rule->alpha,
		.looks = (int)rule->looks,
	};
}

size_t nf_bench_min_pairs(const struct nf_rec_bench_rule *rule, size_t n_benchmarks)
{
	const struct nf_compare_options o = options(rule);

	return nf_compare_min_pairs(n_benchmarks, &o);
}

bool nf_bench_set_complete(const struct nf_rec_bench_variant *v, const struct nf_rec_bench_set *s,
                           size_t iters)
{
	if (v->backend == NF_BACKEND_REPORT)
		return s->values.n > 0 && !s->stopped;
	return s->values.n == iters;
}

static int gather(const struct nf_bench_evidence *e, const struct nf_rec_bench_comparison *c,
                  struct pairs *ret, struct nf_err *err)
{
	struct pairs p = { 0 };

	for (size_t i = 0; i < e->n_sets; i++)
		if ((e->set[i].variant == c->old_variant.v ||
		     e->set[i].variant == c->new_variant.v) &&
		    e->set[i].row >= p.n)
			p.n = e->set[i].row + 1;
	size_t room = p.n ? p.n : 1;
	p.old = calloc(room, sizeof(*p.old));
	p.new_ = calloc(room, sizeof(*p.new_));
	p.old_median = calloc(room, sizeof(*p.old_median));
	p.new_median = calloc(room, sizeof(*p.new_median));
	p.level = calloc(room, sizeof(*p.level));
	p.bad = calloc(room, sizeof(*p.bad));
	p.found = calloc(room, sizeof(*p.found));
	if (!p.old || !p.new_ || !p.old_median || !p.new_median || !p.level || !p.bad || !p.found) {
		fini(&p);
		return nf_fail_nomem(err, "the pairs of a comparison", room * sizeof(void *));
	}
	for (size_t i = 0; i < e->n_sets; i++) {
		struct nf_rec_bench_set *s = &e->set[i];

		if (s->failure || !nf_bench_set_complete(&e->variant[s->variant], s, e->iters) ||
		    !s->median.some || !(s->median.v > 0))
			continue;
		if (s->variant == c->old_variant.v)
			p.old[s->row] = s;
		else if (s->variant == c->new_variant.v)
			p.new_[s->row] = s;
	}
	*ret = p;
	return 0;
}

/* --- disturbed blocks --- */

struct measure {
	const char *what;
	/* Of one set; false: unknown. */
	bool (*of)(const struct nf_rec_bench_set *s, double *ret);
};

static bool steal(const struct nf_rec_bench_set *s, double *ret)
{
	*ret = s->posture.steal_s.v * 1e9 / (double)(s->wall_ns ? s->wall_ns : 1);
	return s->posture.steal_s.some;
}

static bool throttled(const struct nf_rec_bench_set *s, double *ret)
{
	*ret = s->posture.throttled_s.v * 1e9 / (double)(s->wall_ns ? s->wall_ns : 1);
	return s->posture.throttled_s.some;
}

static bool frequency(const struct nf_rec_bench_set *s, double *ret)
{
	const struct nf_rec_bench_posture *p = &s->posture;

	if (!p->mhz_before.some || !p->mhz_after.some || !(p->mhz_before.v > 0))
		return false;
	*ret = fabs(p->mhz_after.v - p->mhz_before.v) / p->mhz_before.v;
	return true;
}

static const struct measure measures[NF_BENCH_DISTURBANCES] = {
	{ "steal", steal },
	{ "throttling", throttled },
	{ "a change of frequency", frequency },
};

bool nf_bench_disturbance(size_t i, const struct nf_rec_bench_set *s, const char **ret_what,
                          double *ret)
{
	*ret_what = measures[i].what;
	return measures[i].of(s, ret);
}

/* The largest of its sets, whichever side. False: unknown for one. */
static bool level_of(const struct pairs *p, size_t block, const struct measure *m, double *ret)
{
	double level = 0;

	for (size_t j = block * PAIRS_A_BLOCK; j < (block + 1) * PAIRS_A_BLOCK && j < p->n; j++) {
		const struct nf_rec_bench_set *set[] = { p->old[j], p->new_[j] };

		for (size_t k = 0; k < 2; k++) {
			double v;

			if (!set[k])
				continue;
			if (!m->of(set[k], &v))
				return false;
			level = fmax(level, v);
		}
	}
	*ret = level;
	return true;
}

static void mark(struct pairs *p, size_t block, const char *what)
{
	for (size_t j = block * PAIRS_A_BLOCK; j < (block + 1) * PAIRS_A_BLOCK && j < p->n; j++) {
		if (p->old[j])
			p->old[j]->discarded = what;
		if (p->new_[j])
			p->new_[j]->discarded = what;
	}
}

/* Of all measures together at most a fifth of the blocks. */
static int find_disturbed(struct pairs *p, struct nf_err *err)
{
	size_t blocks = (p->n + PAIRS_A_BLOCK - 1) / PAIRS_A_BLOCK, left = blocks / 5;

	for (size_t i = 0; i < sizeof(measures) / sizeof(*measures) && left > 0; i++) {
		bool known = true;
		size_t count;

		for (size_t b = 0; b < blocks && known; b++)
			known = level_of(p, b, &measures[i], &p->level[b]);
		if (!known)
			continue;
		int r = nf_disturbed_blocks(p->level, blocks, p->found, &count, err);
		if (r < 0)
			return r;
		for (size_t b = 0; b < blocks && left > 0; b++)
			if (p->found[b] && !p->bad[b]) {
				p->bad[b] = true;
				mark(p, b, measures[i].what);
				left--;
			}
	}
	return 0;
}

/* --- one comparison --- */

static void reset(const struct nf_bench_evidence *e, struct nf_rec_bench_comparison *c)
{
	*c = (struct nf_rec_bench_comparison){
		.name = c->name,
		.old_variant = c->old_variant,
		.new_variant = c->new_variant,
		.is_null = c->is_null,
	};
	for (size_t i = 0; i < e->n_sets; i++)
		if (e->set[i].variant == c->old_variant.v || e->set[i].variant == c->new_variant.v)
			e->set[i].discarded = NULL;
}

static void keep_pairs(struct pairs *p, struct nf_rec_bench_comparison *c)
{
	for (size_t j = 0; j < p->n; j++) {
		if (!p->old[j] || !p->new_[j])
			continue;
		if (p->bad[j / PAIRS_A_BLOCK]) {
			c->pairs_discarded++;
			continue;
		}
		p->old_median[p->kept] = p->old[j]->median.v;
		p->new_median[p->kept++] = p->new_[j]->median.v;
	}
	c->pairs = p->kept;
}

static int describe(const struct pairs *p, const struct nf_compare_options *o,
                    struct nf_rec_bench_comparison *c, struct nf_err *err)
{
	struct nf_moments old = { 0 }, new_ = { 0 };
	double median, same;
	int r = nf_median(p->old_median, p->kept, &median, err);

	if (r < 0)
		return r;
	c->old_median = nf_some_real(median);
	r = nf_median(p->new_median, p->kept, &median, err);
	if (r == 0)
		r = nf_moments(p->old_median, p->kept, &old, err);
	if (r == 0)
		r = nf_moments(p->new_median, p->kept, &new_, err);
	if (r < 0)
		return r;
	c->new_median = nf_some_real(median);
	if (!old.has_cv || !new_.has_cv)
		return 0;
	c->set_cv_ratio = nf_some_real(sqrt((old.cv * old.cv + new_.cv * new_.cv) / 2));
	r = nf_bench_same_ratio(c->set_cv_ratio.v, p->kept, o->delta, o->alpha / o->looks, &same,
	                        err);
	if (r == 0)
		c->same_ratio = nf_some_real(same);
	return r;
}

/* More is better of a rate: what is compared is how long one of what it counts takes. */
static void invert(struct pairs *p)
{
	for (size_t i = 0; i < p->kept; i++) {
		p->old_median[i] = 1 / p->old_median[i];
		p->new_median[i] = 1 / p->new_median[i];
	}
}

/* Neither failed, but they cannot be compared. */
static bool units_differ(const struct nf_bench_evidence *e, struct nf_rec_bench_comparison *c)
{
	const struct nf_rec_bench_variant *old = &e->variant[c->old_variant.v];
	const struct nf_rec_bench_variant *new_ = &e->variant[c->new_variant.v];

	if (!old->unit || !new_->unit)
		return false;
	if (strcmp(old->unit, new_->unit) != 0)
		c->failure =
		        nf_arena_printf(e->arena, "old in %.*s, new in %.*s",
		                        NF_UTF8_CUT(old->unit, 40), NF_UTF8_CUT(new_->unit, 40));
	else if (old->higher_is_better != new_->higher_is_better)
		c->failure = nf_arena_printf(e->arena, "of old %s is better, of new %s is",
		                             old->higher_is_better ? "larger" : "smaller",
		                             new_->higher_is_better ? "larger" : "smaller");
	else
		return false;
	c->verdict = NF_BENCH_FAILED;
	return true;
}

static void report_failure(const struct nf_bench_evidence *e, struct nf_rec_bench_comparison *c)
{
	const char *old = e->variant[c->old_variant.v].failure;
	const char *new_ = e->variant[c->new_variant.v].failure;

	c->failure =
	        nf_arena_printf(e->arena, "%s%s%s%s%s", old ? "old: " : "", old ? old : "",
	                        old && new_ ? "; " : "", new_ ? "new: " : "", new_ ? new_ : "");
	c->verdict = NF_BENCH_FAILED;
}

/* *ret_use: it has pairs to be judged by. */
static int look(const struct nf_bench_evidence *e, const struct nf_compare_options *o,
                struct nf_rec_bench_comparison *c, struct nf_comparison *ret, bool *ret_use,
                struct nf_err *err)
{
	struct pairs p;

	*ret_use = false;
	if (!c->old_variant.some || !c->new_variant.some) {
		c->verdict = c->new_variant.some ? NF_BENCH_NEW : NF_BENCH_GONE;
		return 0;
	}
	reset(e, c);
	if (e->variant[c->old_variant.v].failure || e->variant[c->new_variant.v].failure) {
		report_failure(e, c);
		return 0;
	}
	if (units_differ(e, c))
		return 0;
	int r = gather(e, c, &p, err);
	if (r < 0)
		return r;
	r = p.n > 0 ? find_disturbed(&p, err) : 0;
	if (r == 0)
		keep_pairs(&p, c);
	if (r == 0 && p.kept > 0)
		r = describe(&p, o, c, err);
	if (e->variant[c->old_variant.v].higher_is_better)
		invert(&p);
	if (r == 0 && p.kept > 0) {
		r = nf_compare_pairs(p.old_median, p.new_median, p.kept, o, ret, err);
		*ret_use = r == 0;
	}
	fini(&p);
	return r;
}

static void fill(const struct nf_comparison *from, struct nf_rec_bench_comparison *c)
{
	c->ratio = nf_some_real(from->ratio);
	if (from->has_interval) {
		c->ratio_lo = nf_some_real(from->ratio_lo);
		c->ratio_hi = nf_some_real(from->ratio_hi);
	}
	c->ranks_ratio = nf_some_real(from->ranks_ratio);
	if (from->has_ranks_interval) {
		c->ranks_lo = nf_some_real(from->ranks_lo);
		c->ranks_hi = nf_some_real(from->ranks_hi);
	}
	if (from->has_sd)
		c->sd_ln = nf_some_real(from->sd);
	c->p_slower = nf_some_real(from->p_slower);
	c->p_slower_pairs = nf_some_real(from->p_slower_pairs);
	c->p_slower_ranks = nf_some_real(from->p_slower_ranks);
	c->p_faster = nf_some_real(from->p_faster);
	c->p_faster_pairs = nf_some_real(from->p_faster_pairs);
	c->p_faster_ranks = nf_some_real(from->p_faster_ranks);
	c->p = nf_some_real(from->p);
	c->p_holm = nf_some_real(from->holm);
	c->p_bh = nf_some_real(from->bh);
	if (from->has_mde)
		c->mde_ratio = nf_some_real(from->mde);
	c->verdict = (int)from->verdict;
}

/* Judged by itself: the null row, whose verdict is only whether it fires. */
static int judge_null(const struct nf_compare_options *o, struct nf_rec_bench_rule *rule,
                      struct nf_comparison *null, struct nf_rec_bench_comparison *c,
                      struct nf_err *err)
{
	struct nf_compare_options alone = *o;
	bool fires = nf_compare_null_fires(null, &alone);
	int r = nf_compare_decide(null, 1, &alone, err);

	if (r < 0)
		return r;
	fill(null, c);
	rule->null_fired = nf_some_bool((rule->null_fired.some && rule->null_fired.v) || fires);
	return 0;
}

static int judge(const struct nf_compare_options *o, struct nf_comparison *family, size_t m,
                 const size_t *index, struct nf_rec_bench_comparison *c, struct nf_err *err)
{
	int r = m > 0 ? nf_compare_decide(family, m, o, err) : 0;

	for (size_t i = 0; r == 0 && i < m; i++)
		fill(&family[i], &c[index[i]]);
	return r;
}

int nf_bench_decide(const struct nf_bench_evidence *e, struct nf_rec_bench_rule *rule,
                    struct nf_rec_bench_comparison *c, size_t n, struct nf_err *err)
{
	const struct nf_compare_options o = options(rule);
	struct nf_comparison *family = calloc(n ? n : 1, sizeof(*family));
	size_t *index = calloc(n ? n : 1, sizeof(*index)), m = 0;
	int r = family && index ? 0 : nf_fail_nomem(err, "comparisons", n * sizeof(*family));

	rule->null_fired = (struct nf_some_bool){ 0 };
	for (size_t i = 0; r == 0 && i < n; i++) {
		bool use;

		r = look(e, &o, &c[i], &family[m], &use, err);
		if (r < 0 || !use)
			continue;
		if (c[i].is_null)
			r = judge_null(&o, rule, &family[m], &c[i], err);
		else
			index[m++] = i;
	}
	if (r == 0)
		r = judge(&o, family, m, index, c, err);
	for (size_t i = 0; r == 0 && rule->null_fired.some && rule->null_fired.v && i < n; i++)
		if (!c[i].is_null && c[i].old_variant.some && c[i].new_variant.some &&
		    c[i].verdict != NF_BENCH_FAILED)
			c[i].verdict = NF_BENCH_INCONCLUSIVE;
	free(family);
	free(index);
	return r < 0 ? r : nf_arena_failed(e->arena, "record", err);
}
