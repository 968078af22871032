/* SPDX-License-Identifier: MIT */
/*
 * shrink - makes a failing sequence of choices simpler, knowing nothing about what it means.
 *
 * Passes (shrink_passes.c, THE table) propose sequences; one is taken when the case it gives fails in the
 * same way and the choices it made are before the best so far in shortlex order. Cases tried before are
 * not run again. Passes go round until none of them finds anything, or a limit is reached.
 */
#ifndef PT_SHRINK_H
#define PT_SHRINK_H

#include <stdbool.h>

#include "prop/choice.h"

/* What a run of a sequence made. Borrowed until the next run. */
struct pt_attempt {
	bool fails;
	bool overrun;
	uint64_t origin; /* equal: failed in the same way */
	const struct pt_choice *choice;
	uint32_t n;
	const struct pt_span *span;
	uint32_t n_spans;
};
/* Runs prefix, the simplest choices behind it, with at most limit choices. 0, -PT_E... */
typedef int (*pt_attempt_fn)(void *ctx, const struct pt_choice *prefix, uint32_t n, uint32_t limit,
                             struct pt_attempt *ret);

struct pt_shrink {
	pt_attempt_fn attempt;
	void *ctx;
	unsigned max_calls;
	uint64_t deadline_ms; /* pt_now_ms() */
	/* best so far */
	struct pt_choice *best; /* owned; PT_MAX_CHOICES */
	uint32_t n;
	struct pt_span *span; /* owned; PT_MAX_SPANS; span 0 is the whole */
	uint32_t n_spans;
	uint64_t origin;
	/* candidate */
	struct pt_choice *work; /* owned; PT_MAX_CHOICES */
	uint32_t n_work;
	/* the last candidate that was run: */
	uint32_t last_n; /* choices it made; UINT32_MAX: not run, or overrun */
	uint64_t *tried; /* owned hash set */
	uint32_t n_tried;
	unsigned calls, improved;
	int error;
	bool ended; /* by a limit or an error */
};

/* start: a failing attempt. -PT_ENOMEM. */
int pt_shrink_init(struct pt_shrink *s, pt_attempt_fn attempt, void *ctx,
                   const struct pt_attempt *start);
void pt_shrink_fini(struct pt_shrink *s);
void pt_shrink_run(struct pt_shrink *s);

/* For passes: makes work a copy of best; tries work; true: it is the new best, and work is stale. */
void pt_shrink_copy(struct pt_shrink *s);
bool pt_shrink_try(struct pt_shrink *s);
/* work = best without [start, end). */
void pt_shrink_cut(struct pt_shrink *s, uint32_t start, uint32_t end);
bool pt_shrink_try_without(struct pt_shrink *s, uint32_t start, uint32_t end);
/* Tries best with choice i at this index. */
bool pt_shrink_try_index(struct pt_shrink *s, uint32_t i, uint64_t index);

/* The children of span `parent` (spans one deeper inside it): fills at[] with up to max span numbers, in
 * order; returns how many. */
uint32_t pt_shrink_children(const struct pt_shrink *s, uint32_t parent, uint32_t *at, uint32_t max);

struct pt_pass {
	const char *name;
	void (*run)(struct pt_shrink *s);
};
extern const struct pt_pass pt_passes[];

void pt_pass_delete_spans(struct pt_shrink *s);
void pt_pass_delete_chunks(struct pt_shrink *s);
void pt_pass_repair_lengths(struct pt_shrink *s);
void pt_pass_repair_lists(struct pt_shrink *s);
void pt_pass_zero_spans(struct pt_shrink *s);
void pt_pass_descend(struct pt_shrink *s);
void pt_pass_reorder(struct pt_shrink *s);
void pt_pass_duplicates(struct pt_shrink *s);
void pt_pass_lower_each(struct pt_shrink *s);
void pt_pass_lower_pairs(struct pt_shrink *s);
void pt_pass_shift_all(struct pt_shrink *s);
void pt_pass_move_later(struct pt_shrink *s);
void pt_pass_switch(struct pt_shrink *s);
void pt_pass_exchange(struct pt_shrink *s);
void pt_pass_merge(struct pt_shrink *s);
void pt_pass_delete_and_shift(struct pt_shrink *s);

#endif
