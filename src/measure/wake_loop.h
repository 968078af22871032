/* SPDX-License-Identifier: MIT */
/*
 * wake_loop - one thread's periodic activations on a grid of absolute deadlines, and their bookkeeping.
 * Nothing here allocates, prints or looks at the machine; the caller prefaults the streams.
 */
#ifndef NF_MEASURE_WAKE_LOOP_H
#define NF_MEASURE_WAKE_LOOP_H

#include "base/stop.h"
#include "measure/probe_wake.h"
#include "samples/stream.h"

enum { NF_WAKE_SLICE_NS = 100 * 1000 * 1000 }; /* longest sleep that does not look for a stop */

struct nf_wake_loop {
	enum nf_wake_method method;
	int64_t period_ns;
	int64_t n; /* deadlines 0 .. n-1 */
	int64_t first_ns; /* CLOCK_MONOTONIC of deadline 0 */
	int timer_fd; /* TIMERFD only; borrowed */
	const struct nf_stop *stop;
	struct nf_stream *lateness;
	struct nf_stream *wake;
	/* out */
	struct nf_wake_worker count; /* cpu is not touched */
	int64_t raw_begin_ns; /* CLOCK_MONOTONIC_RAW, before the first wait and after the last */
	int64_t raw_end_ns;
	int os_errno; /* of the call that ended the loop early; 0: none */
};

/* How many of the deadlines after activation k (of n) have passed when it wakes up late_ns late:
 * floor(late / period), no further than the last deadline. 0 when early. */
int64_t nf_wake_missed(int64_t k, int64_t n, int64_t late_ns, int64_t period_ns);

/* Runs until deadline n-1 was served or a stop was asked for. */
void nf_wake_loop_run(struct nf_wake_loop *l);

/* Cost of taking one sample apart from sleeping, in ns: the best of some batches. Uses l's streams as
 * scratch and empties them. */
double nf_wake_loop_overhead_ns(struct nf_wake_loop *l);

#endif
