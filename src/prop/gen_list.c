/* SPDX-License-Identifier: MIT */
/* Loops drawn by hand, lists, tuples, permutations. */
#include <string.h>

#include "prop/gen.h"
#include "prop/rand.h"

enum { LABEL_ELEMENT = 0x656c656d };

/* How long a random list means to be: short ones often, longer ones with the size of the case. */
static size_t wish_length(struct pt_case *t, size_t min, size_t max)
{
	uint64_t r = pt_rand(&t->rng);
	size_t span = max - min, cap = 3 + t->size / 4;

	if (t->sh->n_open > 4)
		cap = cap / (t->sh->n_open - 3) + 1;
	switch (r & 31) {
	case 0:
		return min;
	case 1:
		return span < 4 * cap ? max : min + cap;
	case 2:
		cap *= 4;
		break;
	default:
		break;
	}
	return min + (size_t)pt_rand_upto(&t->rng, span < cap ? span : cap);
}

/* The choice to go on lies inside the span of its element, so that deleting the span leaves a list that is
 * shorter by one. It is recorded also where min and max leave no choice: the elements stay alike. */
bool pt_more(struct pt_case *t, struct pt_loop *l)
{
	static const struct pt_choice like = { .max = 1, .kind = PT_CHOICE_INT, .more = true };
	bool more;

	if (!l->started) {
		l->started = true;
		l->n = 0;
		l->aim = pt_is_random(t) ? wish_length(t, l->min, l->max) : l->min;
	} else if (l->open) {
		pt_span_end(t);
		l->n++;
	}
	pt_span_begin(t, LABEL_ELEMENT);
	if (l->n < l->min || l->n >= l->max) {
		more = l->n < l->max;
		pt_take_forced(t, &like, more);
	} else {
		more = pt_take(t, &like, l->n < l->aim) != 0;
	}
	l->open = more;
	if (!more)
		pt_span_end(t);
	return more;
}

void pt_loop_end(struct pt_case *t, struct pt_loop *l)
{
	if (l->open)
		pt_span_end(t);
	l->open = false;
}

void *pt_gen_grow(struct pt_case *t, void *old, size_t n, size_t *cap, size_t size)
{
	void *at;

	if (n < *cap)
		return old;
	*cap = *cap ? *cap * 2 : 8;
	at = pt_alloc(t, *cap * size);
	if (n > 0)
		memcpy(at, old, n * size);
	return at;
}

static struct pt_value draw_list(struct pt_case *t, const struct pt_gen *g)
{
	struct pt_loop l = { .min = g->min, .max = g->max };
	struct pt_value *at = NULL;
	size_t n = 0, cap = 0;

	while (pt_more(t, &l)) {
		at = pt_gen_grow(t, at, n, &cap, sizeof(*at));
		at[n] = pt_gen_draw(t, g->kid[0]);
		n++;
	}
	return pt_value_list(PT_LIST, at, n);
}

/* An element that is there already makes a span of its own and no member: the shrinker deletes it. */
static struct pt_value draw_unique(struct pt_case *t, const struct pt_gen *g)
{
	struct pt_loop l = { .max = g->max < 256 ? g->max * 4 + 16 : g->max * 2 };
	struct pt_value *at = NULL;
	size_t n = 0, cap = 0, i;

	if (pt_is_random(t)) {
		l.started = true;
		l.aim = wish_length(t, g->min, g->max);
	}
	while (n < g->max) {
		l.min = n < g->min ? l.max : 0;
		if (!pt_more(t, &l))
			break;
		at = pt_gen_grow(t, at, n, &cap, sizeof(*at));
		at[n] = pt_gen_draw(t, g->kid[0]);
		for (i = 0; i < n && !pt_equal(at[i], at[n]); i++)
			;
		n += i == n;
	}
	pt_loop_end(t, &l);
	pt_assume(t, n >= g->min);
	return pt_value_list(PT_LIST, at, n);
}

static struct pt_gen *list_new(struct pt_mem *m, const char *kind,
                               struct pt_value (*draw)(struct pt_case *, const struct pt_gen *),
                               const struct pt_gen *of, size_t min, size_t max)
{
	struct pt_gen *g = min <= max ? pt_gen_new(m, kind, draw, &of, 1) : NULL;

	if (g) {
		g->min = min;
		g->max = max;
	}
	return g;
}

const struct pt_gen *pt_list(struct pt_mem *m, const struct pt_gen *g, size_t min, size_t max)
{
	return list_new(m, "list", draw_list, g, min, max);
}

const struct pt_gen *pt_unique_list(struct pt_mem *m, const struct pt_gen *g, size_t min,
                                    size_t max)
{
	return max <= PT_MAX_CHOICES ? list_new(m, "unique", draw_unique, g, min, max) : NULL;
}

static struct pt_value draw_tuple(struct pt_case *t, const struct pt_gen *g)
{
	struct pt_value *at = pt_alloc(t, (g->n_kids + 1) * sizeof(*at));

	for (size_t i = 0; i < g->n_kids; i++)
		at[i] = pt_gen_draw(t, g->kid[i]);
	return pt_value_list(PT_TUPLE, at, g->n_kids);
}

const struct pt_gen *pt_tuple(struct pt_mem *m, const struct pt_gen *const *g, size_t n)
{
	return pt_gen_new(m, "tuple", draw_tuple, g, n);
}

/* Fisher and Yates: each place says how far away its member comes from; all zero is the order itself. */
static struct pt_value draw_permutation(struct pt_case *t, const struct pt_gen *g)
{
	size_t n = g->max;
	struct pt_value *at = pt_alloc(t, (n + 1) * sizeof(*at));

	for (size_t i = 0; i < n; i++)
		at[i] = pt_value_int((int64_t)i);
	for (size_t i = 0; i + 1 < n; i++) {
		struct pt_choice like = { .max = n - 1 - i, .kind = PT_CHOICE_INT };
		size_t from =
		        i + (size_t)pt_take(t, &like,
		                            pt_is_random(t) ? pt_rand_upto(&t->rng, like.max) : 0);
		struct pt_value v = at[i];

		at[i] = at[from];
		at[from] = v;
	}
	return pt_value_list(PT_LIST, at, n);
}

const struct pt_gen *pt_permutation(struct pt_mem *m, size_t n)
{
	struct pt_gen *g = n <= PT_MAX_CHOICES
	                           ? pt_gen_new(m, "permutation", draw_permutation, NULL, 0)
	                           : NULL;

	if (g)
		g->max = n;
	return g;
}
