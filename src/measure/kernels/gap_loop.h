/* SPDX-License-Identifier: MIT */
/*
 * gap_loop - the body of the gap loop for one clock. A file defines GAP_TICK() and GAP_LOOP_NAME, then
 * includes this once.
 *
 * What happens between two reads is a comparison with the threshold, one with the shortest so far and
 * one with the deadline, a load of the stop flag and a count: all beside the read, which takes longer.
 * A detour is stored between two reads too, and so its cost falls into the gap that follows.
 */
#ifndef NF_MEASURE_GAP_LOOP_H
#define NF_MEASURE_GAP_LOOP_H

#include "kernel_arch.h"
#include "measure/kernels/gap.h"

static inline __attribute__((always_inline)) void gap_found(struct nf_gap_loop *g, int64_t start,
                                                            int64_t gap)
{
	g->detoured += (uint64_t)gap;
	if (gap > g->longest)
		g->longest = gap;
	if (g->n == g->room) {
		g->n_dropped++;
		return;
	}
	g->start[g->n] = start;
	g->length[g->n] = gap;
	g->n++;
}

void GAP_LOOP_NAME(struct nf_gap_loop *g)
{
	const int64_t threshold = g->threshold;
	const uint64_t deadline = g->deadline_tick;
	const volatile sig_atomic_t *const stop = g->stop;
	int64_t shortest = INT64_MAX;
	uint64_t n = 0;
	uint64_t prev;

	g->n = 0;
	g->n_dropped = 0;
	g->longest = 0;
	g->detoured = 0;
	g->first_tick = prev = GAP_TICK();
	while (prev < deadline && *stop == 0) {
		const uint64_t now = GAP_TICK();
		const int64_t gap = (int64_t)(now - prev);

		n++;
		if (gap < shortest)
			shortest = gap;
		if (__builtin_expect(gap > threshold, 0))
			gap_found(g, (int64_t)(prev - g->first_tick), gap);
		prev = now;
	}
	g->last_tick = prev;
	g->n_reads = n;
	g->shortest = shortest;
}

#endif
