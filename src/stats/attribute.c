/* SPDX-License-Identifier: MIT */
#include "stats/attribute.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAUSES = 64, UNEXPLAINED = 0, LOST = 1 };

void nf_attribution_init(struct nf_attribution *a)
{
	*a = (struct nf_attribution){ 0 };
}

void nf_attribution_fini(struct nf_attribution *a)
{
	free(a->total);
	free(a->slot);
	free(a->touched);
	*a = (struct nf_attribution){ 0 };
}

/* --- the table of causes --- */

static size_t slot_of(const struct nf_attribution *a, const struct nf_cause *c)
{
	uint64_t h = (uint64_t)c->kind << 52 ^ (uint64_t)c->name << 32 ^ c->id;
	size_t mask = a->n_slots - 1, at;

	h *= UINT64_C(0x9e3779b97f4a7c15); /* 2^64 over the golden ratio (Knuth, 6.4) */
	at = (size_t)(h >> 32) & mask;
	while (a->slot[at] != 0 && !nf_cause_equal(&a->total[a->slot[at] - 1].cause, c))
		at = (at + 1) & mask;
	return at;
}

static int grow(struct nf_attribution *a, struct nf_err *err)
{
	size_t cap = a->cap ? a->cap * 2 : FIRST_CAUSES, n_slots = cap * 2;
	struct nf_cause_total *total = realloc(a->total, cap * sizeof(*total));
	uint32_t *slot, *touched;

	if (!total)
		return nf_fail_nomem(err, "causes", cap * sizeof(*total));
	a->total = total;
	touched = realloc(a->touched, cap * sizeof(*touched));
	if (!touched)
		return nf_fail_nomem(err, "causes", cap * sizeof(*touched));
	a->touched = touched;
	slot = calloc(n_slots, sizeof(*slot));
	if (!slot)
		return nf_fail_nomem(err, "causes", n_slots * sizeof(*slot));
	free(a->slot);
	a->slot = slot;
	a->n_slots = n_slots;
	a->cap = cap;
	for (size_t i = 0; i < a->n; i++)
		slot[slot_of(a, &total[i].cause)] = (uint32_t)i + 1;
	return 0;
}

static int find(struct nf_attribution *a, struct nf_cause c, size_t *ret, struct nf_err *err)
{
	size_t at;

	if (a->n == a->cap) {
		int r = grow(a, err);

		if (r < 0)
			return r;
	}
	at = slot_of(a, &c);
	if (a->slot[at] == 0 && a->n >= NF_CAUSES_MAX) {
		c.name = c.id = 0;
		at = slot_of(a, &c);
	}
	if (a->slot[at] == 0) {
		a->total[a->n] = (struct nf_cause_total){ .cause = c };
		a->slot[at] = (uint32_t)++a->n;
	}
	*ret = a->slot[at] - 1;
	return 0;
}

static int begin(struct nf_attribution *a, struct nf_err *err)
{
	size_t at;
	int r = 0;

	if (a->n == 0)
		r = find(a, (struct nf_cause){ NF_CAUSE_UNEXPLAINED, 0, 0 }, &at, err);
	if (r == 0)
		r = find(a, (struct nf_cause){ NF_CAUSE_LOST, 0, 0 }, &at, err);
	return r;
}

/* --- one interval --- */

static struct nf_cause_total *touch(struct nf_attribution *a, size_t i)
{
	struct nf_cause_total *t = &a->total[i];

	if (t->stamp != a->n_intervals) {
		t->stamp = a->n_intervals;
		t->inside = t->around = t->part = 0;
		t->began = t->began_met = 0;
		a->touched[a->n_touched++] = (uint32_t)i;
	}
	return t;
}

/* The segment at hand; `index` of its cause. */
struct sweep {
	const struct nf_attribute_cpu *cpu;
	struct nf_segments segments;
	struct nf_segment s;
	size_t index;
	bool have;
};

static int advance(struct nf_attribution *a, struct sweep *w, struct nf_err *err)
{
	int r;

	w->have = nf_segments_next(&w->segments, &w->s);
	if (!w->have)
		return 0;
	r = find(a, w->s.cause, &w->index, err);
	if (r == 0 && w->s.first && w->s.begin >= w->cpu->span_begin &&
	    w->s.begin < w->cpu->span_end) {
		a->total[w->index].events++;
		a->total[w->index].events_met += w->s.met;
	}
	return r;
}

static int64_t min64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The stretch of `gap` ticks without an event between two segments, either may be missing (index
 * SIZE_MAX): what may be the way into and out of the kernel. LOST has none. */
static void surround(struct nf_attribution *a, size_t left, size_t right, int64_t gap,
                     int64_t limit)
{
	bool has_left = left != SIZE_MAX && left != LOST,
	     has_right = right != SIZE_MAX && right != LOST;
	int64_t half = gap / 2;

	if (has_left)
		touch(a, left)->around += min64(limit, has_right ? half : gap);
	if (has_right)
		touch(a, right)->around += min64(limit, has_left ? gap - half : gap);
}

/* Collects the segments that lie in the interval into the causes touched. */
static int collect(struct nf_attribution *a, struct sweep *w, const struct nf_interval *in,
                   struct nf_err *err)
{
	int64_t limit = w->cpu->around_ticks, end = in->begin + in->length, at = in->begin;
	size_t before = SIZE_MAX;
	int r = 0;

	while (r == 0 && w->have && w->s.end <= in->begin)
		r = advance(a, w, err);
	while (r == 0 && w->have && w->s.begin < end) {
		int64_t from = max64(w->s.begin, in->begin), to = min64(w->s.end, end);
		struct nf_cause_total *t = touch(a, w->index);

		t->inside += to - from;
		if (w->s.first && w->s.begin >= in->begin) {
			t->began++;
			t->began_met += w->s.met;
		}
		surround(a, before, w->index, from - at, limit);
		before = w->index;
		at = to;
		if (w->s.end > end)
			break;
		r = advance(a, w, err);
	}
	surround(a, before, SIZE_MAX, end - at, limit);
	return r;
}

__extension__ typedef __int128 wide;

/* Shares `amount` in proportion to inside (or around) by rounding the running sums: exact in sum. */
static void share(struct nf_attribution *a, bool around, int64_t amount, int64_t sum)
{
	wide run = 0, given = 0;

	if (sum <= 0)
		return;
	for (size_t i = 0; i < a->n_touched; i++) {
		struct nf_cause_total *t = &a->total[a->touched[i]];
		wide upto;

		run += around ? t->around : t->inside;
		upto = run * amount / sum;
		t->part += (int64_t)(upto - given);
		if (!around)
			t->inside_ticks += (int64_t)(upto - given);
		given = upto;
	}
}

/* Whether t says better than `best` what interrupted. */
static bool outranks(const struct nf_cause_total *t, const struct nf_cause_total *best,
                     int64_t noise)
{
	static const int rank[] = {
		[NF_CAUSE_UNEXPLAINED] = 0, [NF_CAUSE_LOST] = 0, [NF_CAUSE_SOFTIRQ] = 1,
		[NF_CAUSE_NMI] = 2,         [NF_CAUSE_IRQ] = 3,  [NF_CAUSE_THREAD] = 4
	};
	int64_t enough = noise / NF_EXPLAINED_SHARE;
	int a = t->part >= enough ? rank[t->cause.kind] : 0;
	int b = best->part >= enough ? rank[best->cause.kind] : 0;

	return a != b ? a > b : t->part > best->part;
}

/* left: the part that is UNEXPLAINED. */
static size_t label_of(const struct nf_attribution *a, int64_t noise, int64_t left)
{
	size_t best = UNEXPLAINED;

	for (size_t i = 0; i < a->n_touched; i++) {
		const size_t at = a->touched[i];

		if (at == LOST)
			return LOST;
		if (at != UNEXPLAINED &&
		    (best == UNEXPLAINED || outranks(&a->total[at], &a->total[best], noise)))
			best = at;
	}
	return noise - left < noise / NF_EXPLAINED_SHARE ? UNEXPLAINED : best;
}

static size_t settle(struct nf_attribution *a, const struct nf_interval *in)
{
	int64_t inside = 0, around = 0, left;
	size_t label;

	for (size_t i = 0; i < a->n_touched; i++) {
		inside += a->total[a->touched[i]].inside;
		around += a->total[a->touched[i]].around;
	}
	share(a, false, min64(inside, in->noise), inside);
	left = in->noise - min64(inside, in->noise);
	share(a, true, min64(around, left), around);
	left -= min64(around, left);
	if (left > 0)
		touch(a, UNEXPLAINED)->part = left;
	label = label_of(a, in->noise, left);
	for (size_t i = 0; i < a->n_touched; i++) {
		struct nf_cause_total *t = &a->total[a->touched[i]];

		t->n_part++;
		t->total_ticks += t->part;
		t->longest_ticks = max64(t->longest_ticks, t->part);
		t->events_inside += t->began;
		if (a->touched[i] == label) {
			t->events_labelled += t->began;
			t->events_met_labelled += t->began_met;
		}
	}
	a->total[label].n_labelled++;
	a->noise_ticks += in->noise;
	return label;
}

int nf_attribute(struct nf_attribution *a, const struct nf_attribute_cpu *cpu, struct nf_err *err)
{
	struct sweep w = { .cpu = cpu };
	struct nf_interval in;
	int64_t end = INT64_MIN;
	int r = begin(a, err);

	if (r < 0)
		return r;
	nf_segments_init(&w.segments, &cpu->segments, cpu->tick, cpu->word, cpu->n_events);
	r = advance(a, &w, err);
	while (r == 0 && cpu->next(cpu->next_ctx, &in)) {
		int64_t sum;

		if (in.length < 1 || in.noise < 1 || in.noise > in.length || in.begin < end ||
		    __builtin_add_overflow(in.begin, in.length, &end) ||
		    __builtin_add_overflow(a->noise_ticks, in.noise, &sum))
			return nf_fail(err, NF_EARG,
			               "an interval of noise out of order or out of range");
		a->n_intervals++;
		a->n_touched = 0;
		r = collect(a, &w, &in, err);
		if (r < 0)
			return r;
		size_t label = settle(a, &in);
		if (cpu->label)
			r = cpu->label(cpu->label_ctx, &in, &a->total[label].cause,
			               a->total[label].part);
	}
	while (r == 0 && w.have)
		r = advance(a, &w, err);
	return r;
}

static int order(const void *pa, const void *pb)
{
	const struct nf_cause_total *a = pa, *b = pb;

	if (a->total_ticks != b->total_ticks)
		return a->total_ticks > b->total_ticks ? -1 : 1;
	if (a->cause.kind != b->cause.kind)
		return a->cause.kind < b->cause.kind ? -1 : 1;
	if (a->cause.name != b->cause.name)
		return a->cause.name < b->cause.name ? -1 : 1;
	return (a->cause.id > b->cause.id) - (a->cause.id < b->cause.id);
}

void nf_attribution_sort(struct nf_attribution *a)
{
	if (a->n > 1)
		qsort(a->total, a->n, sizeof(*a->total), order);
}

void nf_attribute_overlap(const struct nf_attribute_cpu *cpu, const struct nf_interval *interval,
                          size_t n, int64_t *ret)
{
	struct nf_segments segments;
	struct nf_segment s;
	bool have;

	nf_segments_init(&segments, &cpu->segments, cpu->tick, cpu->word, cpu->n_events);
	have = nf_segments_next(&segments, &s);
	for (size_t i = 0; i < n; i++) {
		int64_t begin = interval[i].begin, end = begin + interval[i].length;

		ret[i] = 0;
		while (have && s.end <= begin)
			have = nf_segments_next(&segments, &s);
		while (have && s.begin < end) {
			ret[i] += min64(s.end, end) - max64(s.begin, begin);
			if (s.end > end)
				break;
			have = nf_segments_next(&segments, &s);
		}
	}
}
