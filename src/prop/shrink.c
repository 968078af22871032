/* SPDX-License-Identifier: MIT */
#include "prop/shrink.h"

#include <stdlib.h>
#include <string.h>

#include "prop/rand.h"
#include "prop/shared.h"
#include "prop/worker.h"

enum { TRIED = 1 << 17 }; /* slots; a power of two */

static void take_best(struct pt_shrink *s, const struct pt_attempt *a)
{
	uint32_t n = 1;

	memcpy(s->best, a->choice, a->n * sizeof(s->best[0]));
	s->n = a->n;
	s->span[0] = (struct pt_span){ 0, 0, a->n, 0 };
	for (uint32_t i = 0; i < a->n_spans && n < PT_MAX_SPANS; i++) {
		struct pt_span sp = a->span[i];

		if (sp.end > a->n)
			sp.end = a->n; /* the case ended inside it */
		sp.depth++;
		s->span[n++] = sp;
	}
	s->n_spans = n;
	s->origin = a->origin;
}

int pt_shrink_init(struct pt_shrink *s, pt_attempt_fn attempt, void *ctx,
                   const struct pt_attempt *start)
{
	*s = (struct pt_shrink){ .attempt = attempt, .ctx = ctx };
	s->best = calloc(PT_MAX_CHOICES, sizeof(*s->best));
	s->work = calloc(PT_MAX_CHOICES, sizeof(*s->work));
	s->span = calloc(PT_MAX_SPANS, sizeof(*s->span));
	s->tried = calloc(TRIED, sizeof(*s->tried));
	if (!s->best || !s->work || !s->span || !s->tried) {
		pt_shrink_fini(s);
		return -PT_ENOMEM;
	}
	take_best(s, start);
	return 0;
}

void pt_shrink_fini(struct pt_shrink *s)
{
	free(s->best);
	free(s->work);
	free(s->span);
	free(s->tried);
	s->best = s->work = NULL;
	s->span = NULL;
	s->tried = NULL;
}

/* What decides a run: the indexes, without the zeros at the end that come of themselves. */
static uint64_t key_of(const struct pt_choice *c, uint32_t n)
{
	uint64_t h = 1;

	while (n > 0 && c[n - 1].index == 0)
		n--;
	for (uint32_t i = 0; i < n; i++)
		h = pt_mix(h * UINT64_C(0x9e3779b97f4a7c15) + c[i].index * 2 +
		           (c[i].index ? c[i].kind : 0));
	return h ? h : 1;
}

/* True: it was there already. */
static bool remember(struct pt_shrink *s, uint64_t key)
{
	uint32_t i = (uint32_t)(key & (TRIED - 1));

	while (s->tried[i] && s->tried[i] != key)
		i = (i + 1) & (TRIED - 1);
	if (s->tried[i] == key)
		return true;
	if (s->n_tried < TRIED / 2) {
		s->tried[i] = key;
		s->n_tried++;
	}
	return false;
}

void pt_shrink_copy(struct pt_shrink *s)
{
	memcpy(s->work, s->best, s->n * sizeof(s->work[0]));
	s->n_work = s->n;
}

bool pt_shrink_try(struct pt_shrink *s)
{
	struct pt_attempt a;
	int err;

	s->last_n = UINT32_MAX;
	if (s->ended || pt_shortlex(s->work, s->n_work, s->best, s->n) >= 0 ||
	    remember(s, key_of(s->work, s->n_work)))
		return false;
	if (s->calls >= s->max_calls || pt_now_ms() >= s->deadline_ms) {
		s->ended = true;
		return false;
	}
	s->calls++;
	err = s->attempt(s->ctx, s->work, s->n_work, s->n, &a);
	if (err) {
		s->error = err;
		s->ended = true;
		return false;
	}
	if (!a.overrun)
		s->last_n = a.n;
	if (!a.fails || a.origin != s->origin || pt_shortlex(a.choice, a.n, s->best, s->n) >= 0)
		return false;
	remember(s, key_of(a.choice, a.n));
	take_best(s, &a);
	s->improved++;
	return true;
}

void pt_shrink_cut(struct pt_shrink *s, uint32_t start, uint32_t end)
{
	memcpy(s->work, s->best, start * sizeof(s->work[0]));
	memcpy(s->work + start, s->best + end, (s->n - end) * sizeof(s->work[0]));
	s->n_work = s->n - (end - start);
}

bool pt_shrink_try_without(struct pt_shrink *s, uint32_t start, uint32_t end)
{
	if (end <= start || end > s->n)
		return false;
	pt_shrink_cut(s, start, end);
	return pt_shrink_try(s);
}

bool pt_shrink_try_index(struct pt_shrink *s, uint32_t i, uint64_t index)
{
	if (index >= s->best[i].index)
		return false;
	pt_shrink_copy(s);
	s->work[i].index = index;
	return pt_shrink_try(s);
}

uint32_t pt_shrink_children(const struct pt_shrink *s, uint32_t parent, uint32_t *at, uint32_t max)
{
	uint32_t n = 0, depth = s->span[parent].depth;

	for (uint32_t i = parent + 1; i < s->n_spans && s->span[i].depth > depth && n < max; i++)
		if (s->span[i].depth == depth + 1)
			at[n++] = i;
	return n;
}

void pt_shrink_run(struct pt_shrink *s)
{
	unsigned before;

	do {
		before = s->improved;
		for (const struct pt_pass *p = pt_passes; p->run && !s->ended; p++)
			p->run(s);
	} while (s->improved > before && !s->ended);
}
