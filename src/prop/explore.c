/* SPDX-License-Identifier: MIT */
#include "prop/explore.h"

#include <string.h>

#include "prop/rand.h"

/* Each case draws from its own number: a case is the same whatever ran before it, except where it climbs
 * from an earlier best. */
static void prepare(struct pt_case *t, const struct pt_order *o, uint64_t trial)
{
	t->rng = pt_mix(o->seed ^ pt_mix(trial + 1));
	t->size = (unsigned)(trial % 101);
	t->random = true;
	t->n_prefix = 0;
	t->limit = PT_MAX_CHOICES;
}

/* Hill climbing: the best case so far with one to three choices changed, by a small step or anew, and
 * sometimes cut, with random choices behind. */
static void mutate(struct pt_case *t)
{
	struct pt_shared *sh = t->sh;
	uint64_t r = pt_rand(&t->rng);
	unsigned changes = 1 + (unsigned)(r % 3);
	uint32_t n = sh->n_best;

	memcpy(sh->prefix, sh->best, n * sizeof(sh->prefix[0]));
	for (unsigned k = 0; k < changes; k++) {
		struct pt_choice *c = &sh->prefix[pt_rand_upto(&t->rng, n - 1)];
		uint64_t how = pt_rand(&t->rng);
		bool below;
		uint64_t d, step = UINT64_C(1) << (how >> 8) % (1 + (how >> 16) % 32), to;

		if (c->forced)
			continue;
		if (c->kind != PT_CHOICE_INT || how % 4 == 0) {
			c->index = pt_rand_upto(&t->rng, c->max);
			continue;
		}
		d = pt_choice_distance(c, &below);
		if (how & 4)
			d += step;
		else if (d >= step)
			d -= step;
		else {
			d = step - d;
			below = !below;
		}
		to = pt_choice_of_distance(c, d, below);
		if (to <= c->max)
			c->index = to;
	}
	if (r >> 61 == 0)
		n = 1 + (uint32_t)pt_rand_upto(&t->rng, n - 1);
	t->prefix = sh->prefix;
	t->n_prefix = n;
}

static void count(struct pt_case *t)
{
	struct pt_shared *sh = t->sh;

	sh->passed = sh->passed + 1;
	for (uint64_t left = t->pending.labels; left; left &= left - 1)
		sh->share[__builtin_ctzll(left)].n++;
	/* An equal score moves too: it leads off a plain. */
	if (t->pending.has_score && (!sh->has_score || t->pending.score >= sh->best_score)) {
		sh->has_score = true;
		sh->best_score = t->pending.score;
		sh->n_best = sh->n;
		memcpy(sh->best, sh->choice, sh->n * sizeof(sh->best[0]));
	}
}

static void explore(struct pt_case *t, const struct pt_property *p)
{
	struct pt_shared *sh = t->sh;
	const struct pt_order *o = &sh->order;

	sh->all_done = false;
	for (uint64_t trial = o->first;; trial++) {
		sh->trial = trial;
		if (sh->stop || sh->passed >= o->cases || sh->discarded > o->max_discarded) {
			sh->all_done = true;
			return;
		}
		prepare(t, o, trial);
		if (sh->has_score && sh->n_best > 0 && (trial & 1))
			mutate(t);
		pt_case_run(t, p);
		if (sh->status == PT_HELD)
			count(t);
		else if (sh->status == PT_BROKE_RULE)
			return;
		else
			sh->discarded = sh->discarded + 1;
		if (o->one)
			return;
	}
}

void pt_carry_out(struct pt_case *t, const struct pt_property *p)
{
	struct pt_shared *sh = t->sh;

	t->verbose = sh->order.verbose;
	if (sh->order.explore) {
		explore(t, p);
		return;
	}
	t->random = false;
	t->size = 0;
	t->prefix = sh->prefix;
	t->n_prefix = sh->order.n_prefix;
	t->limit = sh->order.limit;
	pt_case_run(t, p);
}
