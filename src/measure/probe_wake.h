/* SPDX-License-Identifier: MIT */
/*
 * probe_wake - periodic wake-ups: how late each activation is, which were missed.
 *
 * One thread per selected CPU; all share one grid of absolute CLOCK_MONOTONIC deadlines, first + k
 * period, not staggered: CPUs that wake at the same instant contend as periodic programs do. The first
 * deadline lies some milliseconds ahead of the moment at which all threads were warm.
 *
 * Streams per CPU: "wake.cpu<N>.lateness" (ns, wake-up minus deadline, may be negative) and
 * "wake.cpu<N>.wake" (ns instants since the first deadline). An activation whose deadline passed while an
 * earlier one was still being served is missed: counted, never recorded as late: at a wake-up that is
 * late by m periods or more, the m deadlines after its own are missed and the next one is waited for.
 * SCHED_DEADLINE threads that must stay unbound (below) have streams "wake.any<I>.*" with cpu -1.
 *
 * Periods over 200 ms are slept in slices of 100 ms, so that a stop request is seen; the last slice
 * ends at the deadline.
 *
 * Policy: unless given, FIFO at priority 80 on the allowed CPUs but one; where that is not permitted
 * or there is one CPU only, SCHED_OTHER, with a note saying why. Timer slack is set to 1 ns, as it would be
 * added to every sleep of a SCHED_OTHER thread (50 us by default, prctl(2)).
 */
#ifndef NF_MEASURE_PROBE_WAKE_H
#define NF_MEASURE_PROBE_WAKE_H

#include "measure/probe.h"

/* NANOSLEEP: clock_nanosleep(TIMER_ABSTIME). TIMERFD: a periodic absolute timerfd. DEADLINE: the
 * former under SCHED_DEADLINE (runtime a tenth of the period, within 20 us .. 1 ms). The kernel refuses
 * SCHED_DEADLINE to a thread bound to less than its root domain, so the threads are bound only where
 * each CPU is a root domain of its own (isolated); where all online CPUs are selected they
 * run unbound; else it is unsupported. */
enum nf_wake_method { NF_WAKE_NANOSLEEP, NF_WAKE_TIMERFD, NF_WAKE_DEADLINE };

#define NF_WAKE_PERIOD_MIN_NS INT64_C(100000) /* 100 us */
#define NF_WAKE_PERIOD_MAX_NS INT64_C(10000000000) /* 10 s; DEADLINE: 4.19 s */

struct nf_wake_cfg {
	struct nf_probe_common common;
	int64_t period_ns; /* NF_WAKE_PERIOD_MIN_NS .. NF_WAKE_PERIOD_MAX_NS */
	int64_t n_activations; /* per CPU; 0: by duration */
	enum nf_wake_method method;
	/* Longest exit latency of an idle state that CPUs may use meanwhile, in us, asked for through
	 * /dev/cpu_dma_latency (the kernel forgets it when the probe or its process ends). -1: left as
	 * it is. */
	int64_t dma_latency_us;
};

struct nf_wake_worker {
	int cpu; /* -1: unbound */
	uint64_t n_due; /* deadlines that passed: recorded + missed + dropped */
	uint64_t n_missed;
	uint64_t n_holes; /* runs of missed activations */
	uint64_t n_interrupted; /* sleeps that returned early and were retried */
};

struct nf_wake_result {
	int64_t period_ns;
	enum nf_wake_method method;
	struct nf_wake_worker
	        *worker; /* owned; worker i has streams 2i (lateness) and 2i+1 (wake) */
	size_t n_workers;
};

const char *nf_wake_method_name(enum nf_wake_method m); /* "nanosleep", "timerfd", "deadline" */

extern const struct nf_probe nf_probe_wake;
#endif
