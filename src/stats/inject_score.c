/* SPDX-License-Identifier: MIT */
#include "stats/inject_score.h"

#include <math.h>
#include <stdlib.h>

#include "stats/distfn.h"

enum { WINDOWS_MAX = 1 << 20 };

static int64_t hit_end(const struct nf_inject_hit *h)
{
	return h->begin + h->length;
}

static int check_bursts(const struct nf_inject_input *in, struct nf_err *err)
{
	for (size_t i = 0; i < in->n_bursts; i++) {
		const struct nf_inject_burst *b = &in->burst[i];

		if (b->end < b->begin)
			return nf_fail(err, NF_EARG, "burst %zu ends before it begins", i);
		if (i > 0 && b->begin < b[-1].begin)
			return nf_fail(err, NF_EARG, "burst %zu begins before the one before it",
			               i);
	}
	return 0;
}

static int check_hits(const struct nf_inject_input *in, struct nf_err *err)
{
	int64_t end;

	for (size_t i = 0; i < in->n_hits; i++) {
		const struct nf_inject_hit *h = &in->hit[i];

		if (h->length < 1 || __builtin_add_overflow(h->begin, h->length, &end))
			return nf_fail(err, NF_EARG, "hit %zu has no possible length: %lld", i,
			               (long long)h->length);
		if (i > 0 && h->begin < hit_end(h - 1))
			return nf_fail(err, NF_EARG, "hit %zu begins before the one before it ends",
			               i);
	}
	return 0;
}

static bool is_inside(const struct nf_inject_input *in, const struct nf_inject_burst *b)
{
	return b->begin >= in->span_begin && b->end <= in->span_end;
}

/* How long both run together; a burst without length counts as a point inside. */
static int64_t overlap(const struct nf_inject_hit *h, const struct nf_inject_burst *b)
{
	int64_t from = h->begin > b->begin ? h->begin : b->begin;
	int64_t to = hit_end(h) < b->end ? hit_end(h) : b->end;

	if (b->end == b->begin)
		return h->begin <= b->begin && b->begin < hit_end(h);
	return to > from ? to - from : 0;
}

/* The first hit that ends after `at`. */
static size_t first_after(const struct nf_inject_input *in, int64_t at)
{
	size_t lo = 0, hi = in->n_hits;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (hit_end(&in->hit[mid]) > at)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* The burst's hit, or n_hits; adds 1 to on[] of every hit that overlaps it. */
static size_t hit_of(const struct nf_inject_input *in, const struct nf_inject_burst *b,
                     uint32_t *on)
{
	size_t best = in->n_hits;
	int64_t most = 0;

	for (size_t i = first_after(in, b->begin); i < in->n_hits; i++) {
		int64_t o = overlap(&in->hit[i], b);

		if (in->hit[i].begin > b->end)
			break;
		if (o == 0)
			continue;
		on[i]++;
		if (o > most) {
			most = o;
			best = i;
		}
	}
	return best;
}

static void add_found(const struct nf_inject_hit *h, const struct nf_inject_burst *b,
                      struct nf_inject_score *s)
{
	bool late = h->begin > b->begin, early = hit_end(h) < b->end;

	s->n_found++;
	s->n_begin_late += late;
	s->n_end_early += early;
	s->n_enclosed += !late && !early;
	s->begin_error[s->n_begin_errors++] = h->begin - b->begin;
}

int nf_inject_score(const struct nf_inject_input *in, struct nf_inject_score *ret,
                    struct nf_err *err)
{
	struct nf_inject_score s = { .recall = (double)NAN };
	uint32_t *on = NULL; /* bursts of each hit */
	size_t *hit = NULL; /* of each burst */
	int r = check_bursts(in, err);

	if (r == 0)
		r = check_hits(in, err);
	if (r < 0)
		return r;
	on = calloc(in->n_hits + 1, sizeof(*on));
	hit = calloc(in->n_bursts + 1, sizeof(*hit));
	s.begin_error = calloc(in->n_bursts + 1, sizeof(*s.begin_error));
	s.excess = calloc(in->n_bursts + 1, sizeof(*s.excess));
	if (!on || !hit || !s.begin_error || !s.excess) {
		r = nf_fail_nomem(err, "the score of injected bursts",
		                  in->n_bursts * (sizeof(*hit) + 2 * sizeof(*s.excess)) +
		                          in->n_hits * sizeof(*on));
		goto out;
	}
	for (size_t i = 0; i < in->n_bursts; i++) {
		const struct nf_inject_burst *b = &in->burst[i];

		hit[i] = in->n_hits;
		if (!is_inside(in, b)) {
			s.n_outside++;
			continue;
		}
		s.n_bursts++;
		hit[i] = hit_of(in, b, on);
		if (hit[i] < in->n_hits)
			add_found(&in->hit[hit[i]], b, &s);
	}
	/* Once it is known which hits have one burst only. */
	for (size_t i = 0; i < in->n_bursts; i++) {
		const struct nf_inject_burst *b = &in->burst[i];
		const struct nf_inject_hit *h = &in->hit[hit[i]];

		if (hit[i] < in->n_hits && on[hit[i]] == 1 && h->begin <= b->begin &&
		    hit_end(h) >= b->end)
			s.excess[s.n_excess++] = h->lost - (b->end - b->begin);
	}
	for (size_t i = 0; i < in->n_hits; i++) {
		s.n_hits_on_bursts += on[i] > 0;
		s.n_shared += on[i] > 1;
	}
	if (s.n_bursts > 0)
		s.recall = (double)s.n_found / (double)s.n_bursts;
	*ret = s;
	s = (struct nf_inject_score){ 0 };
out:
	nf_inject_score_fini(&s);
	free(hit);
	free(on);
	return r;
}

void nf_inject_score_fini(struct nf_inject_score *s)
{
	free(s->begin_error);
	free(s->excess);
	*s = (struct nf_inject_score){ 0 };
}

/* --- where hits begin --- */

/* Some burst overlaps the hit. *at: the first burst that may; hits come in order. */
static bool is_on_burst(const struct nf_inject_input *in, const struct nf_inject_hit *h, size_t *at)
{
	/* Bursts may overlap each other, so a long one may end after its followers: only those before all of
	 * which end are passed over. */
	while (*at < in->n_bursts && in->burst[*at].end < h->begin)
		++*at;
	for (size_t i = *at; i < in->n_bursts && in->burst[i].begin < hit_end(h); i++)
		if (overlap(h, &in->burst[i]) > 0)
			return true;
	return false;
}

static int check_grid(const struct nf_inject_grid *g, struct nf_err *err)
{
	/* So written that NaN does not pass. */
	if (!(g->period > 0 && isfinite(g->period) && isfinite(g->due)))
		return nf_fail(err, NF_EARG, "the grid of injections has no period");
	if (!(g->lead >= 0 && g->width > 0 && g->lead < g->width && g->width <= g->period / 2))
		return nf_fail(
		        err, NF_EARG,
		        "an injected window of %g with a lead of %g: the lead from 0 to less "
		        "than the window, that to half the period of %g",
		        g->width, g->lead, g->period);
	if (g->period / g->width >= WINDOWS_MAX)
		return nf_fail(err, NF_EARG, "an injected window of %g: at least %g", g->width,
		               g->period / WINDOWS_MAX);
	return 0;
}

static void fold(const struct nf_inject_input *in, const struct nf_inject_grid *g, double first,
                 struct nf_inject_phase *p, uint64_t *count)
{
	size_t burst = 0;

	for (size_t i = 0; i < in->n_hits; i++) {
		double periods = ((double)in->hit[i].begin - first) / g->period;

		if (periods < 0 || periods >= (double)p->n_periods)
			continue;
		size_t w = (size_t)((periods - floor(periods)) * (double)p->n_windows);
		w = w < p->n_windows ? w : p->n_windows - 1;
		count[w]++;
		p->n_hits++;
		if (w == 0)
			p->n_on_bursts += is_on_burst(in, &in->hit[i], &burst);
	}
}

static void judge(struct nf_inject_phase *p, const uint64_t *count)
{
	size_t no_fewer = 1;

	p->n_injected = count[0];
	for (size_t w = 1; w < p->n_windows; w++) {
		no_fewer += count[w] >= count[0];
		if (count[w] > p->n_most)
			p->n_most = count[w];
	}
	double one = 1 / (double)p->n_windows;
	uint64_t others = p->n_hits - p->n_injected;
	p->p_rank = (double)no_fewer * one;
	p->p_binomial = nf_binomial_lower((size_t)others, (size_t)p->n_hits, 1 - one);
	p->rate_ratio =
	        others > 0 ? (double)p->n_injected * (double)(p->n_windows - 1) / (double)others
	                   : (double)NAN;
	p->precision =
	        p->n_injected > 0 ? (double)p->n_on_bursts / (double)p->n_injected : (double)NAN;
}

int nf_inject_phase(const struct nf_inject_input *in, const struct nf_inject_grid *g,
                    struct nf_inject_phase *ret, struct nf_err *err)
{
	struct nf_inject_phase p = { 0 };
	int r = check_bursts(in, err);

	if (r == 0)
		r = check_hits(in, err);
	if (r == 0)
		r = check_grid(g, err);
	if (r < 0)
		return r;
	/* The first window's begin that the span holds, and how often it comes again. */
	double start = g->due - g->lead;
	double first = start + ceil(((double)in->span_begin - start) / g->period) * g->period;
	double n_periods = floor(((double)in->span_end - first) / g->period);
	if (!(n_periods >= 1))
		return nf_fail(err, NF_ENODATA, "not one whole period was looked at");
	p.n_periods = (size_t)n_periods;
	p.n_windows = (size_t)floor(g->period / g->width);
	uint64_t *count = calloc(p.n_windows, sizeof(*count));
	if (!count)
		return nf_fail_nomem(err, "phases", p.n_windows * sizeof(*count));
	fold(in, g, first, &p, count);
	judge(&p, count);
	free(count);
	*ret = p;
	return 0;
}
