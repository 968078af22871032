/* SPDX-License-Identifier: MIT */
/*
 * probe_detour - what interrupts a loop that only reads a clock. Two streams per CPU, of the same number in
 * the same order: "detour.cpu<N>.start" (ticks, instants since the first read) and
 * "detour.cpu<N>.length" (ticks, durations). On the clock itself a detour covers
 * [origin_tick + start, origin_tick + start + length]; both streams carry the origin_tick.
 */
#ifndef NF_MEASURE_PROBE_DETOUR_H
#define NF_MEASURE_PROBE_DETOUR_H

#include "measure/probe.h"

/* The default threshold is so many times the smallest detectable detour. */
enum { NF_DETOUR_FACTOR = 8 };

struct nf_detour_cfg {
	struct nf_probe_common common; /* duration_ns 0: 10 s */
	int64_t threshold_ns; /* a longer gap is a detour; 0: derived from the loop, per CPU */
};

struct nf_detour_worker {
	int cpu; /* read back */
	bool looked; /* false: stopped before the first gap, the next two are 0 then */
	double loop_min_ns; /* shortest gap between two reads, of warm-up and measurement */
	double smallest_ns; /* detectable detour: the shortest gap of the warm-up + the clock's step */
	double threshold_ns; /* in force: a multiple of it unless given; in whole ticks */
	int64_t threshold_ticks;
	uint64_t n_reads; /* after the first */
	uint64_t n_detours; /* with those that were dropped; these three are exact whatever was */
	double detoured_ns; /* sum of their lengths */
	double longest_ns; /* 0: no detour */
	double span_ns; /* first to last read on the loop's clock */
	int64_t wall_ns; /* the same on CLOCK_MONOTONIC_RAW read right outside */
	uint64_t minor_faults; /* RUSAGE_THREAD between first and last read */
	uint64_t major_faults;
	uint64_t involuntary_switches;
};

struct nf_detour_result {
	struct nf_detour_worker *worker; /* owned; worker i has the streams 2i and 2i + 1 */
	size_t n_workers;
};

extern const struct nf_probe nf_probe_detour;

/* Bytes of detours that room is made for on n CPUs, at most the configuration's ceiling. */
uint64_t nf_detour_sample_bytes(const struct nf_detour_cfg *cfg, size_t n_cpus);

#endif
