/* SPDX-License-Identifier: MIT */
/* probe_clock - cost of each way to read a clock, the counter's step, skew between CPUs, drift against
 * CLOCK_MONOTONIC_RAW. Streams "clock.<read>" (ns durations between back-to-back reads, batched where
 * the read is cheaper than the clock's step) per read method, "clock.drift" (ns, counter minus
 * CLOCK_MONOTONIC_RAW at rising times). */
#ifndef NF_MEASURE_PROBE_CLOCK_H
#define NF_MEASURE_PROBE_CLOCK_H

#include "measure/probe.h"

struct nf_clock_cfg {
	struct nf_probe_common common;
};

struct nf_clock_result {
	struct nf_tick_clock clock;
	struct nf_tick_skew *skew; /* owned; one per measured CPU, the first is the reference */
	size_t n_skew;
	double drift_ppm; /* slope of clock.drift */
	double drift_error_ppm;
};

extern const struct nf_probe nf_probe_clock;
#endif
