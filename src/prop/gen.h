/* SPDX-License-Identifier: MIT */
/* gen - a generator: a function that draws, its label for the shrinker, and its parameters. */
#ifndef PT_GEN_H
#define PT_GEN_H

#include "prop/case.h"

struct pt_gen {
	struct pt_value (*draw)(struct pt_case *t, const struct pt_gen *g);
	uint32_t label; /* generators of the same shape have the same */
	size_t min, max;
	int64_t lo, hi;
	double real_lo, real_hi;
	const struct pt_gen *const *kid;
	size_t n_kids;
	const unsigned *weight;
	uint64_t weight_sum;
	const struct pt_value *at;
	const uint32_t *code; /* the characters of a text; NULL: code points lo..hi */
	union {
		pt_map_fn map;
		pt_filter_fn filter;
		pt_flat_fn flat;
		pt_sized_fn sized;
		pt_branch_fn branch;
		struct pt_value (*custom)(struct pt_case *t, void *arg);
	} fn;
	void *arg;
};

/* A new one; its label is made of kind and kids. NULL: no memory, or a kid is NULL. */
struct pt_gen *pt_gen_new(struct pt_mem *m, const char *kind,
                          struct pt_value (*draw)(struct pt_case *, const struct pt_gen *),
                          const struct pt_gen *const *kid, size_t n_kids);
/* Draws in a span of g's label; fails the case for NULL. */
struct pt_value pt_gen_draw(struct pt_case *t, const struct pt_gen *g);
/* An array that grows by doubling in the case's memory. */
void *pt_gen_grow(struct pt_case *t, void *old, size_t n, size_t *cap, size_t size);

#endif
