/* SPDX-License-Identifier: MIT */
/*
 * probe_clock - cost of each way to read a clock, the counter's step, skew between CPUs, drift against
 * CLOCK_MONOTONIC_RAW.
 *
 * Streams, all from the first selected CPU:
 *   "clock.<read>"      durations of NF_CLOCK_BATCH back-to-back reads by the read's own values; tick_hz
 *                       is that of the clock times NF_CLOCK_BATCH, so that nf_stream_ns() gives the cost
 *                       of one read, finer than the clock's step. The counter's ways are
 *                       absent when the clock in use is not the counter: it is not read then.
 *   "clock.drift"       ns, counter minus CLOCK_MONOTONIC_RAW, both since the first reading; may be
 *                       negative. Absent, as the next, when CLOCK_MONOTONIC_RAW is in use.
 *   "clock.drift.time"  ns, CLOCK_MONOTONIC_RAW at those readings
 */
#ifndef NF_MEASURE_PROBE_CLOCK_H
#define NF_MEASURE_PROBE_CLOCK_H

#include "measure/probe.h"

enum { NF_CLOCK_BATCH = 16 };

struct nf_clock_cfg {
	struct nf_probe_common common; /* duration_ns: of the drift readings; 0: 1 s */
};

struct nf_clock_result {
	struct nf_tick_clock clock;
	/* Owned; one per measured CPU that answered, the first is the reference. */
	struct nf_tick_skew *skew;
	size_t n_skew;
	/* Slope of clock.drift over clock.drift.time (least squares without outliers) and its standard
	 * error; NaN without drift readings. */
	double drift_ppm;
	double drift_error_ppm;
};

extern const struct nf_probe nf_probe_clock;
#endif
