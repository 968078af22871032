/* SPDX-License-Identifier: MIT */
/* Passes that replace a span: by nothing but zeros, by a part of itself, by its sibling. */
#include <string.h>

#include "prop/shared.h"
#include "prop/shrink.h"

enum { MAX_CHILDREN = 1024, MAX_DESCENDANTS = 32, MAX_MOVE = 16 };

void pt_pass_zero_spans(struct pt_shrink *s)
{
	for (uint32_t k = 0; k < s->n_spans && !s->ended; k++) {
		struct pt_span sp = s->span[k];

		if (sp.end - sp.start < 2)
			continue; /* lowering each choice does that */
		pt_shrink_copy(s);
		for (uint32_t i = sp.start; i < sp.end; i++)
			if (!s->work[i].forced)
				s->work[i].index = 0;
		pt_shrink_try(s);
	}
}

/* Puts what [from) holds in the place of [to). */
static bool try_replace(struct pt_shrink *s, struct pt_span to, struct pt_span from)
{
	uint32_t n_from = from.end - from.start;

	memcpy(s->work, s->best, to.start * sizeof(s->work[0]));
	memcpy(s->work + to.start, s->best + from.start, n_from * sizeof(s->work[0]));
	memcpy(s->work + to.start + n_from, s->best + to.end, (s->n - to.end) * sizeof(s->work[0]));
	s->n_work = to.start + n_from + (s->n - to.end);
	return pt_shrink_try(s);
}

void pt_pass_descend(struct pt_shrink *s)
{
	for (uint32_t k = 1; k < s->n_spans && !s->ended; k++) {
		unsigned tries = 0;

	again:
		for (uint32_t d = k + 1; d < s->n_spans && s->span[d].depth > s->span[k].depth &&
		                         tries < MAX_DESCENDANTS && !s->ended;
		     d++) {
			if (s->span[d].label != s->span[k].label ||
			    s->span[d].end - s->span[d].start >= s->span[k].end - s->span[k].start)
				continue;
			tries++;
			if (try_replace(s, s->span[k], s->span[d]))
				goto again;
		}
	}
}

/* By index from the front: which of two comes first in a sequence whose length stays. */
static int span_order(const struct pt_shrink *s, struct pt_span a, struct pt_span b)
{
	uint32_t na = a.end - a.start, nb = b.end - b.start, n = na < nb ? na : nb;
	int c = pt_shortlex(s->best + a.start, n, s->best + b.start, n);

	return c ? c : (na > nb) - (na < nb);
}

/* Writes the spans perm[] in the places at[] (same order of places) into work and tries it. */
static bool try_order(struct pt_shrink *s, const uint32_t *at, const uint32_t *perm, uint32_t n)
{
	uint32_t pos = s->span[at[0]].start;

	memcpy(s->work, s->best, s->n * sizeof(s->work[0]));
	for (uint32_t i = 0; i < n; i++) {
		struct pt_span sp = s->span[perm[i]];

		memcpy(s->work + pos, s->best + sp.start, (sp.end - sp.start) * sizeof(s->work[0]));
		pos += sp.end - sp.start;
		if (i + 1 < n) { /* what lies between the places stays */
			uint32_t gap = s->span[at[i]].end, len = s->span[at[i + 1]].start - gap;

			memcpy(s->work + pos, s->best + gap, len * sizeof(s->work[0]));
			pos += len;
		}
	}
	s->n_work = s->n;
	return pt_shrink_try(s);
}

static uint32_t of_label(const struct pt_shrink *s, uint32_t parent, uint32_t label, uint32_t *at)
{
	uint32_t n = pt_shrink_children(s, parent, at, MAX_CHILDREN), kept = 0;

	for (uint32_t i = 0; i < n; i++)
		if (s->span[at[i]].label == label)
			at[kept++] = at[i];
	return kept;
}

/* Sorts the children of one label: all at once, else one by one. */
static void reorder(struct pt_shrink *s, uint32_t parent, uint32_t label)
{
	uint32_t at[MAX_CHILDREN], perm[MAX_CHILDREN];
	uint32_t n;
	bool sorted = true, again;

	n = of_label(s, parent, label, at);
	/* the last element of a list is its end, and stays there */
	for (uint32_t i = 0; i < n; i++) {
		uint32_t j = i;

		for (; j > 0 && span_order(s, s->span[at[i]], s->span[perm[j - 1]]) < 0; j--)
			perm[j] = perm[j - 1];
		perm[j] = at[i];
		sorted = sorted && j == i;
	}
	if (n < 2 || sorted || try_order(s, at, perm, n))
		return;
	if (n > 2 && s->span[at[n - 1]].end - s->span[at[n - 1]].start == 1) {
		/* [end] sorts first, being shortest: leave it out */
		n--;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t j = i;

			for (; j > 0 && span_order(s, s->span[at[i]], s->span[perm[j - 1]]) < 0;
			     j--)
				perm[j] = perm[j - 1];
			perm[j] = at[i];
		}
		if (try_order(s, at, perm, n))
			return;
	}
	/* a child before an earlier one, the farthest first */
	do {
		again = false;
		for (uint32_t i = 1; i < n && !again && !s->ended; i++)
			for (uint32_t j = 0; j < i && !again && i - j <= MAX_MOVE && !s->ended;
			     j++) {
				perm[0] = at[i];
				memcpy(perm + 1, at + j, (i - j) * sizeof(perm[0]));
				again = try_order(s, at + j, perm, i - j + 1);
			}
		n = of_label(s, parent, label, at);
	} while (again);
}

void pt_pass_reorder(struct pt_shrink *s)
{
	uint32_t at[MAX_CHILDREN];

	for (uint32_t p = 0; p < s->n_spans && !s->ended; p++) {
		uint32_t n = pt_shrink_children(s, p, at, MAX_CHILDREN), seen[8], n_seen = 0;

		for (uint32_t i = 0; i < n && n_seen < 8; i++) {
			uint32_t k = 0, label = s->span[at[i]].label;

			while (k < n_seen && seen[k] != label)
				k++;
			if (k == n_seen)
				seen[n_seen++] = label;
		}
		for (uint32_t k = 0; k < n_seen && p < s->n_spans; k++)
			reorder(s, p, seen[k]);
	}
}

/* Puts [start, end) before `to`, which lies behind it. */
static bool try_move(struct pt_shrink *s, uint32_t start, uint32_t end, uint32_t to)
{
	uint32_t n = end - start;

	memcpy(s->work, s->best, start * sizeof(s->work[0]));
	memcpy(s->work + start, s->best + end, (to - end) * sizeof(s->work[0]));
	memcpy(s->work + to - n, s->best + start, n * sizeof(s->work[0]));
	memcpy(s->work + to, s->best + to, (s->n - to) * sizeof(s->work[0]));
	s->n_work = s->n;
	return pt_shrink_try(s);
}

/* Elements of one list go to the next list of the same kind: all of them, else the last. */
void pt_pass_move_later(struct pt_shrink *s)
{
	uint32_t at[MAX_CHILDREN];

	for (uint32_t p = 1; p < s->n_spans && !s->ended; p++) {
		uint32_t n = pt_shrink_children(s, p, at, MAX_CHILDREN), next;

		/* its end stays */
		if (n < 2 || s->span[at[0]].label != s->span[at[n - 1]].label)
			continue;
		for (next = at[n - 1] + 1; next < s->n_spans; next++)
			if (s->span[next].label == s->span[p].label &&
			    s->span[next].depth == s->span[p].depth)
				break;
		if (next == s->n_spans)
			continue;
		if (!try_move(s, s->span[at[0]].start, s->span[at[n - 2]].end,
		              s->span[next].start) &&
		    try_move(s, s->span[at[n - 2]].start, s->span[at[n - 2]].end,
		             s->span[next].start))
			p--; /* the next one */
	}
}

enum { SWITCH_MAX = 15, SWITCH_CUT = 3, SWITCH_NEAR = 6 };

/* A choice among few is often one between alternatives, of which the simpler one needs less: a few
 * choices shortly behind are cut with it. */
void pt_pass_switch(struct pt_shrink *s)
{
	for (uint32_t i = 0; i < s->n && !s->ended; i++) {
		uint64_t index = s->best[i].index;
		bool done = false;

		if (s->best[i].kind != PT_CHOICE_INT || s->best[i].max > SWITCH_MAX ||
		    s->best[i].more || s->best[i].forced || index == 0)
			continue;
		for (uint32_t cut = 1; cut <= SWITCH_CUT && !done; cut++)
			for (uint32_t from = i + 1;
			     from <= i + SWITCH_NEAR && from + cut <= s->n && !done && !s->ended;
			     from++) {
				pt_shrink_cut(s, from, from + cut);
				s->work[i].index = index - 1;
				done = pt_shrink_try(s);
			}
	}
}
