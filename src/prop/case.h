/* SPDX-License-Identifier: MIT */
/*
 * case - one run of a property: where its choices come from and where they go.
 *
 * A draw takes the next choice of the prefix; past its end a random one while exploring, else the
 * simplest. Every choice taken is recorded in the shared buffer, with the spans around it.
 */
#ifndef PT_CASE_H
#define PT_CASE_H

#include <setjmp.h>

#include "prop/mem.h"
#include "prop/shared.h"

struct pt_pending {
	uint64_t labels; /* bit i: share[i] in this case */
	bool has_score;
	double score;
};

struct pt_cleanup_row {
	struct pt_cleanup_row *next;
	void (*fn)(void *);
	void *arg;
};

struct pt_case {
	struct pt_shared *sh;
	const struct pt_choice *prefix;
	uint32_t n_prefix;
	uint32_t limit;
	bool random; /* past the prefix */
	bool verbose;
	bool running; /* env is set */
	unsigned size;
	unsigned depth; /* of generators being drawn */
	unsigned n_drawn; /* values noted */
	uint64_t rng;
	struct pt_pending pending;
	struct pt_mem mem;
	struct pt_cleanup_row *cleanup; /* in mem */
	jmp_buf env;
};

void pt_case_init(struct pt_case *t, struct pt_shared *sh);
void pt_case_fini(struct pt_case *t);
/* Runs the property once; sh->status and the choices say what came of it. */
void pt_case_run(struct pt_case *t, const struct pt_property *p);

void pt_case_end(struct pt_case *t, enum pt_status status) __attribute__((noreturn));

/* The index of the next choice. like has max, kind and, for INT, pair and low_side. `wish` is what is
 * drawn where the choice is random. */
uint64_t pt_take(struct pt_case *t, const struct pt_choice *like, uint64_t wish);
/* As pt_take, but it has no say: recorded as it must be. */
void pt_take_forced(struct pt_case *t, const struct pt_choice *like, uint64_t index);
/* Whether the next choice will be random: then its wish has to be made. */
static inline bool pt_is_random(const struct pt_case *t)
{
	return t->random && t->sh->n >= t->n_prefix;
}

/* A yes (1) or no (0) choice with the probability of yes. */
bool pt_take_bool(struct pt_case *t, double p);
/* A random index of a range with many small, extreme and repeated ones. */
uint64_t pt_wish_int(struct pt_case *t, const struct pt_choice *like);

void pt_note_drawn(struct pt_case *t, const char *name, struct pt_value v);
/* Counts the value, and notes it where the case is to be reported. */
static inline void pt_note_value(struct pt_case *t, const char *name, struct pt_value v)
{
	t->n_drawn++;
	if (t->verbose)
		pt_note_drawn(t, name, v);
}

#endif
