/* SPDX-License-Identifier: MIT */
/*
 * shared - what the runner and its worker share: the order, and what came of it. It lies in memory mapped
 * by both, so it outlives a worker that crashed. Only one of them writes at a time: the runner between
 * an answer and the next order, the worker in between.
 */
#ifndef PT_SHARED_H
#define PT_SHARED_H

#include "noisefloor/prop.h"
#include "prop/choice.h"

enum { PT_MAX_SPANS = 2 * PT_MAX_CHOICES, PT_MAX_DEPTH = 200 };
enum { PT_MESSAGE_SIZE = 1024, PT_NOTES_SIZE = 1 << 16 };

enum pt_status {
	PT_RUNNING, /* the worker died in it */
	PT_HELD,
	PT_BROKE_RULE, /* false, PT_ASSERT */
	PT_DISCARDED,
	PT_OVERRUN, /* more choices than allowed */
};

struct pt_order {
	bool explore; /* random cases from `first` on, else one run of the prefix */
	bool verbose; /* note the drawn values */
	bool one; /* a single random case, for a process of its own */
	uint64_t seed, first;
	uint64_t passed, cases; /* so far, wanted */
	uint64_t discarded, max_discarded;
	uint32_t n_prefix, limit; /* choices of the prefix; most choices of the case */
};

struct pt_shared {
	struct pt_order order;
	/* the case that ran, or runs */
	volatile uint64_t beat; /* changes with every case */
	volatile uint64_t trial;
	volatile uint64_t passed, discarded;
	volatile enum pt_status status;
	volatile bool exiting; /* exit() was called */
	volatile bool all_done;
	volatile bool stop; /* set by the runner: no further case */
	uint64_t place; /* of a broken rule */
	volatile uint32_t n, n_spans;
	volatile uint32_t n_open; /* open[]: spans that have begun and not ended */
	uint32_t open[PT_MAX_DEPTH];
	struct pt_choice choice[PT_MAX_CHOICES];
	struct pt_span span[PT_MAX_SPANS];
	struct pt_choice prefix[PT_MAX_CHOICES];
	char message[PT_MESSAGE_SIZE];
	uint32_t notes_used;
	char notes[PT_NOTES_SIZE];
	/* over all cases */
	struct pt_share share[PT_MAX_LABELS];
	uint32_t n_share;
	uint64_t lost_labels;
	bool has_score;
	double best_score;
	uint32_t n_best;
	struct pt_choice best[PT_MAX_CHOICES]; /* of the highest score */
};

#endif
