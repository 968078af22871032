/* SPDX-License-Identifier: MIT */
/* Generators made of generators. */
#include <string.h>

#include "prop/gen.h"
#include "prop/rand.h"

enum { FILTER_TRIES = 100, MAX_RECURSION = 64, LABEL_TRY = 0x747279 };

static struct pt_value draw_one_of(struct pt_case *t, const struct pt_gen *g)
{
	struct pt_choice like = { .max = g->n_kids - 1, .kind = PT_CHOICE_INT };
	uint64_t wish = 0;

	if (pt_is_random(t)) {
		if (g->weight) {
			uint64_t r = pt_rand_upto(&t->rng, g->weight_sum - 1);

			while (r >= g->weight[wish])
				r -= g->weight[wish++];
		} else {
			wish = pt_rand_upto(&t->rng, like.max);
		}
	}
	return pt_gen_draw(t, g->kid[pt_take(t, &like, wish)]);
}

const struct pt_gen *pt_one_of(struct pt_mem *m, const struct pt_gen *const *g, size_t n)
{
	return n > 0 ? pt_gen_new(m, "one of", draw_one_of, g, n) : NULL;
}

const struct pt_gen *pt_frequency(struct pt_mem *m, const struct pt_weighted *w, size_t n)
{
	const struct pt_gen **kid =
	        n > 0 ? pt_mem_alloc(m, n * sizeof(const struct pt_gen *)) : NULL;
	unsigned *weight = n > 0 ? pt_mem_alloc(m, n * sizeof(*weight)) : NULL;
	struct pt_gen *g;
	uint64_t sum = 0;
	size_t used = 0;

	if (!kid || !weight)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (w[i].weight == 0)
			continue; /* never drawn, nor shrunk to */
		kid[used] = w[i].gen;
		weight[used++] = w[i].weight;
		sum += w[i].weight;
	}
	g = sum > 0 ? pt_gen_new(m, "one of", draw_one_of, kid, used) : NULL;
	if (g) {
		g->weight = weight;
		g->weight_sum = sum;
	}
	return g;
}

static struct pt_value draw_map(struct pt_case *t, const struct pt_gen *g)
{
	return g->fn.map(&t->mem, pt_gen_draw(t, g->kid[0]), g->arg);
}

const struct pt_gen *pt_map(struct pt_mem *m, const struct pt_gen *of, pt_map_fn fn, void *arg)
{
	struct pt_gen *g = pt_gen_new(m, "map", draw_map, &of, 1);

	if (g) {
		g->fn.map = fn;
		g->arg = arg;
	}
	return g;
}

static struct pt_value draw_filter(struct pt_case *t, const struct pt_gen *g)
{
	for (unsigned i = 0; i < FILTER_TRIES; i++) {
		struct pt_value v;
		bool ok;

		/* Each try in a span: a rejected one can be deleted. */
		pt_span_begin(t, LABEL_TRY);
		v = pt_gen_draw(t, g->kid[0]);
		ok = g->fn.filter(v, g->arg);
		pt_span_end(t);
		if (ok)
			return v;
		if (!pt_is_random(t) && t->sh->n >= t->n_prefix)
			break; /* the simplest again and again */
	}
	pt_assume(t, false);
	return (struct pt_value){ 0 };
}

const struct pt_gen *pt_filter(struct pt_mem *m, const struct pt_gen *of, pt_filter_fn fn,
                               void *arg)
{
	struct pt_gen *g = pt_gen_new(m, "filter", draw_filter, &of, 1);

	if (g) {
		g->fn.filter = fn;
		g->arg = arg;
	}
	return g;
}

static struct pt_value draw_flat(struct pt_case *t, const struct pt_gen *g)
{
	struct pt_value v = pt_gen_draw(t, g->kid[0]);

	return pt_gen_draw(t, g->fn.flat(&t->mem, v, g->arg));
}

const struct pt_gen *pt_flat_map(struct pt_mem *m, const struct pt_gen *of, pt_flat_fn fn,
                                 void *arg)
{
	struct pt_gen *g = pt_gen_new(m, "flat map", draw_flat, &of, 1);

	if (g) {
		g->fn.flat = fn;
		g->arg = arg;
	}
	return g;
}

/* The size is a choice of its own, so that a replay draws the same; it shrinks too. */
static struct pt_value draw_sized(struct pt_case *t, const struct pt_gen *g)
{
	struct pt_choice like = { .max = 100, .kind = PT_CHOICE_INT };
	unsigned size = (unsigned)pt_take(t, &like, t->size);

	return pt_gen_draw(t, g->fn.sized(&t->mem, size, g->arg));
}

const struct pt_gen *pt_sized(struct pt_mem *m, pt_sized_fn fn, void *arg)
{
	struct pt_gen *g = pt_gen_new(m, "sized", draw_sized, NULL, 0);

	if (g) {
		g->fn.sized = fn;
		g->arg = arg;
	}
	return g;
}

/* The same choice at every depth, also at the deepest, where it has no effect: a tree fits where its
 * branch was. lo: the depth left. */
static struct pt_value draw_recursive(struct pt_case *t, const struct pt_gen *g)
{
	unsigned depth = (unsigned)(g->hi - g->lo);
	struct pt_gen *self;
	bool branch = pt_take_bool(t, g->lo == 0 ? 0.0 : depth == 0 ? 0.8 : depth < 3 ? 0.6 : 0.4);

	if (!branch || g->lo == 0)
		return pt_gen_draw(t, g->kid[0]);
	self = pt_alloc(t, sizeof(*self));
	*self = *g;
	self->lo--;
	return pt_gen_draw(t, g->fn.branch(&t->mem, self, g->arg));
}

const struct pt_gen *pt_recursive(struct pt_mem *m, const struct pt_gen *leaf, pt_branch_fn fn,
                                  void *arg, unsigned max_depth)
{
	struct pt_gen *g = max_depth > 0 && max_depth <= MAX_RECURSION
	                           ? pt_gen_new(m, "recursive", draw_recursive, &leaf, 1)
	                           : NULL;

	if (g) {
		g->fn.branch = fn;
		g->arg = arg;
		g->lo = g->hi = max_depth;
	}
	return g;
}

static struct pt_value draw_custom(struct pt_case *t, const struct pt_gen *g)
{
	return g->fn.custom(t, g->arg);
}

const struct pt_gen *pt_custom(struct pt_mem *m,
                               struct pt_value (*fn)(struct pt_case *t, void *arg), void *arg)
{
	struct pt_gen *g = pt_gen_new(m, "custom", draw_custom, NULL, 0);
	uintptr_t f = (uintptr_t)fn;

	if (g) {
		g->fn.custom = fn;
		g->arg = arg;
		/* two different ones are not alike */
		g->label ^= (uint32_t)pt_mix((uint64_t)f);
		if (g->label == 0)
			g->label = 1;
	}
	return g;
}
