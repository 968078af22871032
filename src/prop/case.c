/* SPDX-License-Identifier: MIT */
#include "prop/case.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "prop/rand.h"

void pt_case_init(struct pt_case *t, struct pt_shared *sh)
{
	*t = (struct pt_case){ .sh = sh };
	pt_mem_init(&t->mem, t);
}

void pt_case_fini(struct pt_case *t)
{
	pt_mem_fini(&t->mem);
}

/* Each clean-up is taken off the list before it runs: one that fails does not run again. */
static void run_cleanups(struct pt_case *t)
{
	while (t->cleanup) {
		struct pt_cleanup_row *row = t->cleanup;

		t->cleanup = row->next;
		row->fn(row->arg);
	}
}

void pt_case_run(struct pt_case *t, const struct pt_property *p)
{
	struct pt_shared *sh = t->sh;

	sh->n = 0;
	sh->n_spans = 0;
	sh->n_open = 0;
	sh->status = PT_RUNNING;
	sh->message[0] = '\0';
	sh->notes_used = 0;
	sh->notes[0] = '\0';
	sh->place = 0;
	sh->beat = sh->beat + 1;
	t->pending = (struct pt_pending){ 0 };
	t->depth = 0;
	t->n_drawn = 0;
	t->cleanup = NULL;
	t->running = true;
	if (_setjmp(t->env) == 0) {
		if (p->fn(t, p->arg)) {
			sh->status = PT_HELD;
		} else {
			snprintf(sh->message, sizeof(sh->message), "the property returned false");
			sh->status = PT_BROKE_RULE;
		}
	}
	t->running = false;
	if (t->cleanup) {
		volatile enum pt_status was = sh->status;

		t->running = true;
		if (_setjmp(t->env) == 0)
			run_cleanups(t);
		else
			was = sh->status; /* a clean-up failed; those left are not run */
		t->running = false;
		sh->status = was;
	}
	pt_mem_reset(&t->mem);
}

void pt_case_end(struct pt_case *t, enum pt_status status)
{
	t->sh->status = status;
	_longjmp(t->env, 1);
}

/* FNV-1a */
static uint64_t hash_text(const char *s, uint64_t h)
{
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return h;
}

void pt_fail(struct pt_case *t, const char *file, int line, const char *format, ...)
{
	struct pt_shared *sh = t->sh;
	va_list ap;
	int n = snprintf(sh->message, sizeof(sh->message), "%s:%d: ", file, line);

	if (n < 0 || (size_t)n >= sizeof(sh->message))
		n = 0;
	va_start(ap, format);
	vsnprintf(sh->message + n, sizeof(sh->message) - (size_t)n, format, ap);
	va_end(ap);
	sh->place = hash_text(file, UINT64_C(0xcbf29ce484222325)) ^ pt_mix((uint64_t)line);
	pt_case_end(t, PT_BROKE_RULE);
}

void pt_assume(struct pt_case *t, bool cond)
{
	if (!cond)
		pt_case_end(t, PT_DISCARDED);
}

struct pt_mem *pt_case_mem(struct pt_case *t)
{
	return &t->mem;
}

void *pt_alloc(struct pt_case *t, size_t size)
{
	return pt_mem_alloc(&t->mem, size);
}

void pt_cleanup(struct pt_case *t, void (*fn)(void *), void *arg)
{
	struct pt_cleanup_row *row = pt_alloc(t, sizeof(*row));

	*row = (struct pt_cleanup_row){ t->cleanup, fn, arg };
	t->cleanup = row;
}

unsigned pt_size(const struct pt_case *t)
{
	return t->size;
}

static void record(struct pt_case *t, const struct pt_choice *like, uint64_t index, bool forced)
{
	struct pt_shared *sh = t->sh;
	uint32_t n = sh->n;
	struct pt_choice *c;

	if (__builtin_expect(n >= t->limit, 0))
		pt_case_end(t, PT_OVERRUN);
	/* by member: a copy of the whole would wait for the bytes just written to *like */
	c = &sh->choice[n];
	c->index = index;
	c->max = like->max;
	c->pair = like->pair;
	c->kind = like->kind;
	c->forced = forced;
	c->low_side = like->low_side;
	c->more = like->more;
	sh->n = n + 1;
}

uint64_t pt_take(struct pt_case *t, const struct pt_choice *like, uint64_t wish)
{
	uint32_t n = t->sh->n;
	uint64_t index = 0;

	if (n < t->n_prefix) {
		const struct pt_choice *c = &t->prefix[n];

		/* What was drawn as another kind says nothing here. */
		if (c->kind == like->kind)
			index = c->index < like->max ? c->index : like->max;
	} else if (t->random) {
		index = wish;
	}
	record(t, like, index, false);
	return index;
}

void pt_take_forced(struct pt_case *t, const struct pt_choice *like, uint64_t index)
{
	record(t, like, index, true);
}

bool pt_take_bool(struct pt_case *t, double p)
{
	static const struct pt_choice like = { .max = 1, .kind = PT_CHOICE_INT };

	return pt_take(t, &like, pt_is_random(t) && pt_rand_unit(&t->rng) < p) != 0;
}

/* An earlier choice of the same range, or near one: equal and neighbouring values are where rules break,
 * and in a wide range chance alone never draws them. */
static bool wish_repeated(struct pt_case *t, const struct pt_choice *like, uint64_t r,
                          uint64_t *ret)
{
	const struct pt_shared *sh = t->sh;
	uint32_t n = sh->n;

	for (unsigned tries = 0; tries < 4 && n > 0; tries++) {
		struct pt_choice c = sh->choice[pt_rand_upto(&t->rng, n - 1)];
		bool below;
		uint64_t d;

		if (c.kind != like->kind || c.max != like->max || c.pair != like->pair)
			continue;
		d = pt_choice_distance(&c, &below);
		if (r & 64) {
			uint64_t step = 1 + (r >> 7) % 4;

			d = r & 2048 ? d + step : d > step ? d - step : 0;
		}
		*ret = pt_choice_of_distance(like, d, below);
		return *ret <= like->max;
	}
	return false;
}

uint64_t pt_wish_int(struct pt_case *t, const struct pt_choice *like)
{
	uint64_t max = like->max, r = pt_rand(&t->rng), index;
	unsigned sel = r & 63;

	if (max <= 1)
		return max ? r >> 63 : 0;
	if (sel < 3) /* simplest */
		return (r >> 8) % (max < 4 ? max + 1 : 4);
	if (sel < 6) { /* the ends */
		bool below = (r >> 6) & 1;
		uint64_t d = below == like->low_side ? max - like->pair : like->pair;
		uint64_t off = (r >> 8) % 3;

		index = pt_choice_of_distance(like, d > off ? d - off : d, below);
		if (index <= max)
			return index;
	}
	if (sel < 14 && wish_repeated(t, like, r, &index))
		return index;
	if (max > 255 && (r >> 62)) { /* magnitudes of all sizes: 3 of 4 */
		unsigned bits = 64 - (unsigned)__builtin_clzll(max);
		unsigned keep = 1 + (unsigned)((r >> 32 & 0x3fffffff) * bits >> 30);

		index = pt_rand(&t->rng) >> (64 - keep);
		if (index <= max)
			return index;
	}
	return pt_rand_upto(&t->rng, max);
}

void pt_span_begin(struct pt_case *t, uint32_t label)
{
	struct pt_shared *sh = t->sh;
	uint32_t depth = sh->n_open, i = sh->n_spans;

	if (depth >= PT_MAX_DEPTH || i >= PT_MAX_SPANS)
		pt_case_end(t, PT_OVERRUN);
	sh->span[i] = (struct pt_span){ label, sh->n, UINT32_MAX, depth };
	sh->open[depth] = i;
	sh->n_spans = i + 1;
	sh->n_open = depth + 1;
}

void pt_span_end(struct pt_case *t)
{
	struct pt_shared *sh = t->sh;

	if (sh->n_open == 0)
		PT_FAIL(t, "pt_span_end() without pt_span_begin()");
	sh->n_open = sh->n_open - 1;
	sh->span[sh->open[sh->n_open]].end = sh->n;
}

/* ---- notes ---- */
static void notes_write(struct pt_shared *sh, const char *text, size_t n)
{
	size_t room = sizeof(sh->notes) - 1 - sh->notes_used;

	if (n > room)
		n = room;
	memcpy(sh->notes + sh->notes_used, text, n);
	sh->notes_used += (uint32_t)n;
	sh->notes[sh->notes_used] = '\0';
}

void pt_note(struct pt_case *t, const char *format, ...)
{
	char line[2048];
	va_list ap;
	int n;

	if (!t->verbose)
		return;
	va_start(ap, format);
	n = vsnprintf(line, sizeof(line) - 1, format, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n > sizeof(line) - 2)
		n = (int)sizeof(line) - 2;
	line[n] = '\n';
	notes_write(t->sh, line, (size_t)n + 1);
}

void pt_note_drawn(struct pt_case *t, const char *name, struct pt_value v)
{
	char number[32], text[4096];
	size_t n;

	if (!name) {
		snprintf(number, sizeof(number), "draw %u", t->n_drawn);
		name = number;
	}
	n = pt_format(text, sizeof(text), v);
	notes_write(t->sh, name, strlen(name));
	notes_write(t->sh, " = ", 3);
	notes_write(t->sh, text, n < sizeof(text) ? n : sizeof(text) - 1);
	if (n >= sizeof(text))
		notes_write(t->sh, "...", 3);
	notes_write(t->sh, "\n", 1);
}

/* ---- labels ---- */
static void mark(struct pt_case *t, const char *label, double min_percent, bool cond)
{
	struct pt_shared *sh = t->sh;
	uint32_t i;

	for (i = 0; i < sh->n_share; i++)
		if (strncmp(sh->share[i].label, label, sizeof(sh->share[i].label) - 1) == 0)
			break;
	if (i == sh->n_share) {
		if (i >= PT_MAX_LABELS) {
			sh->lost_labels++;
			return;
		}
		sh->share[i] = (struct pt_share){ .min_percent = -1.0 };
		snprintf(sh->share[i].label, sizeof(sh->share[i].label), "%s", label);
		sh->n_share++;
	}
	if (min_percent > sh->share[i].min_percent)
		sh->share[i].min_percent = min_percent;
	if (cond)
		t->pending.labels |= UINT64_C(1) << i;
}

void pt_label(struct pt_case *t, const char *label)
{
	mark(t, label, -1.0, true);
}

void pt_classify(struct pt_case *t, bool cond, const char *label)
{
	if (cond)
		mark(t, label, -1.0, true);
}

void pt_cover(struct pt_case *t, bool cond, double min_percent, const char *label)
{
	mark(t, label, min_percent > 0.0 ? min_percent : 0.0, cond);
}

void pt_target(struct pt_case *t, double score)
{
	if (score == score) {
		t->pending.has_score = true;
		t->pending.score = score;
	}
}
