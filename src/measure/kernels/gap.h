/* SPDX-License-Identifier: MIT */
/*
 * gap - a loop that does nothing but read a clock: what lies between two reads beyond the usual is time
 * that something else had. Part of the kernels library (kernels.h): pinned flags, no call and no stack
 * access between two reads on the counter.
 */
#ifndef NF_MEASURE_GAP_H
#define NF_MEASURE_GAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/stop.h"

/* One thread's loop; the arrays are allocated by the caller and prefaulted. Ticks throughout. */
struct nf_gap_loop {
	int64_t threshold; /* a longer gap is a detour; INT64_MAX: none is */
	uint64_t deadline_tick; /* ends with the first read at or past it */
	const volatile sig_atomic_t *stop; /* non-zero: ends after this read; never NULL */
	int64_t *start; /* detours: since first_tick */
	int64_t *length;
	size_t room; /* of both */
	/* Out; the loop writes every one. */
	size_t n; /* detours stored */
	uint64_t n_dropped; /* detours that found no room */
	uint64_t n_reads; /* after the first */
	int64_t shortest; /* gap; below 0: the clock went back; INT64_MAX: none was seen */
	int64_t longest; /* detour, with those dropped; 0: none */
	uint64_t detoured; /* sum of the lengths of all detours, with those dropped */
	uint64_t first_tick; /* first and last read */
	uint64_t last_tick;
};

typedef void nf_gap_loop_fn(struct nf_gap_loop *g);

/* On the architecture's counter; NULL where there is none. */
extern nf_gap_loop_fn *const nf_gap_on_counter;
nf_gap_loop_fn nf_gap_counter; /* only where there is one */
/* On CLOCK_MONOTONIC_RAW, in ns. */
nf_gap_loop_fn nf_gap_monotonic;

#endif
