/* SPDX-License-Identifier: MIT */
/* Passes that make a sequence shorter. */
#include <string.h>

#include "prop/shared.h"
#include "prop/shrink.h"

enum { MAX_CHILDREN = 2048, CHUNK = 8 };

/* Deletes children of a span, half of them at a time, then a quarter, down to one, from the end on. A run
 * of children covers [start of the first, end of the last). */
static void delete_children(struct pt_shrink *s, uint32_t parent)
{
	uint32_t at[MAX_CHILDREN];
	uint32_t n = pt_shrink_children(s, parent, at, MAX_CHILDREN);

	for (uint32_t chunk = n; chunk > 0 && !s->ended; chunk /= 2) {
		uint32_t end = n;

		while (end > 0 && !s->ended) {
			uint32_t from = end > chunk ? end - chunk : 0;

			if (pt_shrink_try_without(s, s->span[at[from]].start,
			                          s->span[at[end - 1]].end)) {
				if (parent >= s->n_spans)
					return;
				n = pt_shrink_children(s, parent, at, MAX_CHILDREN);
			}
			end = from < n ? from : n;
		}
	}
}

void pt_pass_delete_spans(struct pt_shrink *s)
{
	/* Parents come before their children: the large cuts first. */
	for (uint32_t p = 0; p < s->n_spans && !s->ended; p++)
		delete_children(s, p);
}

void pt_pass_delete_chunks(struct pt_shrink *s)
{
	for (uint32_t k = CHUNK; k > 0; k--)
		for (uint32_t end = s->n; end >= k && !s->ended;) {
			if (!pt_shrink_try_without(s, end - k, end) || end > s->n)
				end--;
			if (end > s->n)
				end = s->n;
		}
}

/* Lowers a number that says how many follow, and deletes as many of those as the case then has too many:
 * by halves, so that what matters among them is found wherever it is. True: the case became shorter. */
static bool repair(struct pt_shrink *s, uint32_t i, uint64_t index)
{
	uint32_t n = s->n, extra;

	if (pt_shrink_try_index(s, i, index))
		return s->n < n;
	if (s->last_n >= n) /* not run before, or no shorter */
		return false;
	extra = n - s->last_n;
	for (uint32_t from = i + 1; from + extra <= n && !s->ended; from += extra) {
		pt_shrink_cut(s, from, from + extra);
		s->work[i].index = index;
		if (pt_shrink_try(s))
			return s->n < n;
	}
	if (n - extra <= i)
		return false;
	pt_shrink_cut(s, n - extra, n); /* the last ones */
	s->work[i].index = index;
	return pt_shrink_try(s) && s->n < n;
}

void pt_pass_repair_lengths(struct pt_shrink *s)
{
	for (uint32_t i = 0; i < s->n && !s->ended; i++) {
		const struct pt_choice *c = &s->best[i];

		if (c->kind != PT_CHOICE_INT || c->forced || c->index == 0 ||
		    c->index > PT_MAX_CHOICES)
			continue;
		if (repair(s, i, 0))
			continue;
		while (i < s->n && s->best[i].index > 1 && repair(s, i, s->best[i].index / 2))
			;
		while (i < s->n && s->best[i].index > 0 && repair(s, i, s->best[i].index - 1))
			;
	}
}

/* Lists behind choice i that have as many elements each: the k-th of every one is cut, and i lowered by one.
 * False: there are no two such lists. */
static bool cut_each(struct pt_shrink *s, uint32_t i, uint32_t count, uint32_t k, bool *ret_taken)
{
	uint32_t at[MAX_CHILDREN], lists = 0, kept = 0;

	*ret_taken = false;
	for (uint32_t p = 0; p < s->n_spans; p++) {
		uint32_t n;

		if (s->span[p].start <= i)
			continue;
		n = pt_shrink_children(s, p, at, MAX_CHILDREN);
		if (n != count || s->span[at[0]].label != s->span[at[n - 1]].label ||
		    s->span[at[k]].start < kept)
			continue;
		if (lists == 0)
			s->n_work = 0;
		/* kept: what has been copied so far, of best */
		memcpy(s->work + s->n_work, s->best + kept,
		       (s->span[at[k]].start - kept) * sizeof(s->work[0]));
		s->n_work += s->span[at[k]].start - kept;
		kept = s->span[at[k]].end;
		lists++;
	}
	if (lists < 2)
		return false;
	memcpy(s->work + s->n_work, s->best + kept, (s->n - kept) * sizeof(s->work[0]));
	s->n_work += s->n - kept;
	s->work[i].index--;
	*ret_taken = pt_shrink_try(s);
	return true;
}

enum { LISTS_MAX = 64, PLACES = 8 };

/* One number that several lists have as their length. */
void pt_pass_repair_lists(struct pt_shrink *s)
{
	for (uint32_t i = 0; i < s->n && !s->ended; i++) {
		uint64_t index = s->best[i].index;
		bool taken = true;

		if (s->best[i].kind != PT_CHOICE_INT || s->best[i].forced || s->best[i].more ||
		    index == 0 || index > LISTS_MAX)
			continue;
		/* as many as it says, one more, and the end of a list as its last child */
		for (uint32_t count = (uint32_t)index; count <= index + 2 && !s->ended; count++)
			for (uint32_t k = 0; count > 1 && k < count && k < PLACES && !s->ended; k++)
				if (!cut_each(s, i, count, k, &taken))
					break;
				else if (taken) {
					i--; /* again */
					k = count = LISTS_MAX + 4;
				}
	}
}

/* Deletes a child and lowers by one every later reference past it: indexes into a list go on pointing at
 * what they did. `from`: references to this ordinal or more are shifted. */
static bool delete_and_shift(struct pt_shrink *s, uint32_t start, uint32_t end, uint64_t from)
{
	bool any = false;

	pt_shrink_cut(s, start, end);
	for (uint32_t i = 0; i < s->n_work; i++) {
		struct pt_choice *c = &s->work[i];
		bool below;
		uint64_t d, to;

		if (c->kind != PT_CHOICE_INT || c->forced || c->max < 2)
			continue;
		d = pt_choice_distance(c, &below);
		if (d == 0 || d < from)
			continue;
		to = pt_choice_of_distance(c, d - 1, below);
		if (to <= c->max) {
			c->index = to;
			any = true;
		}
	}
	return any && pt_shrink_try(s);
}

void pt_pass_delete_and_shift(struct pt_shrink *s)
{
	uint32_t at[MAX_CHILDREN];

	for (uint32_t p = 0; p < s->n_spans && !s->ended; p++) {
		uint32_t n = pt_shrink_children(s, p, at, MAX_CHILDREN);

		for (uint32_t k = n; k-- > 0 && !s->ended;) {
			struct pt_span sp;

			if (k >= n || s->span[at[k]].label == 0)
				continue;
			sp = s->span[at[k]];
			if (sp.end <= sp.start || sp.end > s->n)
				continue;
			if (!delete_and_shift(s, sp.start, sp.end, (uint64_t)k) &&
			    !delete_and_shift(s, sp.start, sp.end, (uint64_t)k + 1))
				continue;
			if (p >= s->n_spans)
				return;
			n = pt_shrink_children(s, p, at, MAX_CHILDREN);
		}
	}
}
