/* SPDX-License-Identifier: MIT */
/* Attribution: from any events and any intervals. */
#include <stdlib.h>

#include "laws.h"
#include "stats/attribute.h"

enum { MAX_EVENTS = 40, MAX_INTERVALS = 12, N_NAMES = 4, N_ARGS = 4 };

static const int measured[] = { 1 };

struct host {
	int64_t tick[MAX_EVENTS];
	int64_t word[MAX_EVENTS];
	size_t n;
	struct nf_interval in[MAX_INTERVALS];
	size_t n_in;
	size_t at;
	int64_t around;
	bool not_asleep;
};

static bool next_interval(void *ctx, struct nf_interval *ret)
{
	struct host *h = ctx;

	if (h->at == h->n_in)
		return false;
	*ret = h->in[h->at++];
	return true;
}

static void draw_host(struct pt_case *t, struct host *h)
{
	struct pt_loop events = { .max = MAX_EVENTS }, intervals = { .max = MAX_INTERVALS };
	int64_t tick = pt_draw_int(t, -50, 50);

	*h = (struct host){ .around = pt_draw_int(t, 0, 20), .not_asleep = pt_draw_bool(t, 0.2) };
	while (pt_more(t, &events)) {
		tick += pt_draw_int(t, 0, 30);
		h->tick[h->n] = tick;
		/* Also words that are no event. */
		h->word[h->n++] = nf_event_pack((enum nf_event_kind)pt_draw_int(t, 0, NF_N_EVENTS),
		                                (uint32_t)pt_draw_int(t, 0, N_NAMES - 1),
		                                (uint32_t)pt_draw_int(t, 0, N_ARGS - 1));
	}
	tick = pt_draw_int(t, -50, 50);
	while (pt_more(t, &intervals)) {
		struct nf_interval *in = &h->in[h->n_in++];

		tick += pt_draw_int(t, 0, 30);
		in->begin = tick;
		in->length = pt_draw_int(t, 1, 100);
		in->noise = pt_draw_int(t, 1, in->length);
		tick += in->length;
	}
}

static int add(struct nf_attribution *a, struct host *h)
{
	struct nf_attribute_cpu cpu = { .segments = { .measured = measured,
		                                      .n_measured = 1,
		                                      .not_asleep = h->not_asleep,
		                                      .ticks_per_ns = 2.5 },
		                        .tick = h->tick,
		                        .word = h->word,
		                        .n_events = h->n,
		                        .around_ticks = h->around,
		                        .span_begin = INT64_MIN,
		                        .span_end = INT64_MAX,
		                        .next = next_interval,
		                        .next_ctx = h };

	h->at = 0;
	return nf_attribute(a, &cpu, NULL);
}

static bool totals_are_the_noise(struct pt_case *t, void *arg)
{
	struct nf_attribution a;
	struct host h;
	int64_t noise = 0, sum = 0;
	uint64_t labels = 0;
	bool fine = true;

	(void)arg;
	draw_host(t, &h);
	for (size_t i = 0; i < h.n_in; i++)
		noise += h.in[i].noise;
	nf_attribution_init(&a);
	if (add(&a, &h) != 0)
		fine = false;
	for (size_t i = 0; i < a.n; i++) {
		const struct nf_cause_total *c = &a.total[i];

		sum += c->total_ticks;
		labels += c->n_labelled;
		fine = fine && c->total_ticks >= 0 && c->inside_ticks >= 0 &&
		       c->inside_ticks <= c->total_ticks && c->longest_ticks <= c->total_ticks &&
		       c->n_labelled <= c->n_part && c->events_inside <= c->events &&
		       c->events_labelled <= c->events_inside;
	}
	fine = fine && sum == noise && a.noise_ticks == noise && labels == h.n_in &&
	       a.n_intervals == h.n_in;
	nf_attribution_fini(&a);
	return fine;
}

static bool segments_do_not_overlap(struct pt_case *t, void *arg)
{
	struct nf_segments_cfg cfg = { .measured = measured, .n_measured = 1, .ticks_per_ns = 2.5 };
	struct nf_segments s;
	struct nf_segment g;
	struct host h;
	int64_t last = INT64_MIN;

	(void)arg;
	draw_host(t, &h);
	cfg.not_asleep = h.not_asleep;
	nf_segments_init(&s, &cfg, h.tick, h.word, h.n);
	while (nf_segments_next(&s, &g)) {
		PT_ASSERT(t, g.begin >= last && g.end > g.begin);
		PT_ASSERT(t, g.end <= h.tick[h.n - 1]);
		PT_ASSERT(t, g.cause.kind != NF_CAUSE_THREAD || g.cause.id != 1);
		PT_ASSERT(t, g.begin >= h.tick[0] || g.cause.kind == NF_CAUSE_LOST);
		last = g.end;
	}
	return true;
}

static const struct nf_cause_total *same(const struct nf_attribution *a, const struct nf_cause *c)
{
	static const struct nf_cause_total none;

	for (size_t i = 0; i < a->n; i++)
		if (nf_cause_equal(&a->total[i].cause, c))
			return &a->total[i];
	return &none;
}

/* a is x and y together. */
static bool is_sum(const struct nf_attribution *a, const struct nf_attribution *x,
                   const struct nf_attribution *y)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct nf_cause_total *c = &a->total[i], *p = same(x, &c->cause),
		                            *q = same(y, &c->cause);
		int64_t longest =
		        p->longest_ticks > q->longest_ticks ? p->longest_ticks : q->longest_ticks;

		if (c->total_ticks != p->total_ticks + q->total_ticks ||
		    c->inside_ticks != p->inside_ticks + q->inside_ticks ||
		    c->n_labelled != p->n_labelled + q->n_labelled ||
		    c->n_part != p->n_part + q->n_part || c->events != p->events + q->events ||
		    c->events_inside != p->events_inside + q->events_inside ||
		    c->events_labelled != p->events_labelled + q->events_labelled ||
		    c->longest_ticks != longest)
			return false;
	}
	return a->noise_ticks == x->noise_ticks + y->noise_ticks;
}

/* Both CPUs together in either order, and each alone; the second one at another time. */
static bool cpus_add_up_in_any_order(struct pt_case *t, void *arg)
{
	struct nf_attribution a[4];
	struct host x, y;
	int64_t shift = pt_draw_int(t, -1000000, 1000000);
	bool fine = true;

	(void)arg;
	draw_host(t, &x);
	draw_host(t, &y);
	for (size_t i = 0; i < 4; i++)
		nf_attribution_init(&a[i]);
	fine = add(&a[0], &x) == 0 && add(&a[0], &y) == 0 && add(&a[2], &x) == 0 &&
	       add(&a[3], &y) == 0;
	for (size_t i = 0; i < y.n; i++)
		y.tick[i] += shift;
	for (size_t i = 0; i < y.n_in; i++)
		y.in[i].begin += shift;
	fine = fine && add(&a[1], &y) == 0 && add(&a[1], &x) == 0;
	nf_attribution_sort(&a[0]);
	nf_attribution_sort(&a[1]);
	fine = fine && a[0].n == a[1].n && is_sum(&a[0], &a[2], &a[3]) &&
	       is_sum(&a[1], &a[2], &a[3]);
	for (size_t i = 0; fine && i < a[0].n; i++)
		fine = nf_cause_equal(&a[0].total[i].cause, &a[1].total[i].cause);
	for (size_t i = 0; i < 4; i++)
		nf_attribution_fini(&a[i]);
	return fine;
}

const struct law laws_causes[] = {
	{ "causes add up",
	  "The parts of all causes are the noise, to the tick, from any events and intervals.",
	  totals_are_the_noise, NULL },
	{ "segments", "Segments are in order, do not overlap, and none is a measuring thread's.",
	  segments_do_not_overlap, NULL },
	{ "causes of CPUs",
	  "Causes of several CPUs are the sums of each one's, in any order and at any time.",
	  cpus_add_up_in_any_order, NULL },
	{ NULL, NULL, NULL, NULL },
};
