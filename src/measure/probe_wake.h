/* SPDX-License-Identifier: MIT */
/* probe_wake - periodic wake-ups: how late each activation is, which were missed.
 * Streams per CPU: "wake.cpu<N>.lateness" (ns, wake-up minus deadline, may be negative) and
 * "wake.cpu<N>.wake" (ns instants since the first deadline). An activation whose deadline passed while an
 * earlier one was still being served is missed: counted, never recorded as late. */
#ifndef NF_MEASURE_PROBE_WAKE_H
#define NF_MEASURE_PROBE_WAKE_H

#include "measure/probe.h"

enum nf_wake_method { NF_WAKE_NANOSLEEP, NF_WAKE_TIMERFD, NF_WAKE_DEADLINE };

struct nf_wake_cfg {
	struct nf_probe_common common;
	int64_t period_ns;
	int64_t n_activations; /* per CPU; 0: by duration */
	enum nf_wake_method method;
};

struct nf_wake_worker {
	int cpu;
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

extern const struct nf_probe nf_probe_wake;
#endif
