/* SPDX-License-Identifier: MIT */
/*
 * probe_ftq - fixed time quanta: how much of the same work fits into each quantum of a grid of absolute
 * deadlines. Two streams per CPU, of the same number in the same order: "ftq.cpu<N>" (units of work that
 * ended in quantum k; a count) and "ftq.cpu<N>.overshoot" (ticks from the end of quantum k to the first
 * clock read after it). Quantum k covers [origin_tick + k Q, origin_tick + (k + 1) Q) of the clock; both
 * streams carry the origin_tick. measure/kernels/ftq.h says to which quantum a unit belongs.
 */
#ifndef NF_MEASURE_PROBE_FTQ_H
#define NF_MEASURE_PROBE_FTQ_H

#include "measure/kernels/kernels.h"
#include "measure/probe.h"

enum {
	NF_FTQ_QUANTUM_MIN_NS = 10 * 1000,
	NF_FTQ_QUANTUM_MAX_NS = 1000 * 1000 * 1000,
	/* Half of 2500 Hz lies above the tick of every kernel (at most 1000 Hz). */
	NF_FTQ_QUANTUM_NS = 400 * 1000,
	NF_FTQ_UNIT_MIN_NS = 50,
	NF_FTQ_UNIT_NS = 250,
	NF_FTQ_UNITS_MIN = 10, /* a quantum takes at least so many */
};

struct nf_ftq_cfg {
	struct nf_probe_common common; /* duration_ns 0: 10 s */
	int64_t quantum_ns; /* brought to whole ticks */
	int64_t unit_ns; /* that a unit should take; the work is chosen for it */
	enum nf_kernel_id kernel;
};

struct nf_ftq_worker {
	int cpu; /* read back */
	int64_t wall_ns; /* on CLOCK_MONOTONIC_RAW, read right outside */
	uint64_t minor_faults; /* RUSAGE_THREAD meanwhile */
	uint64_t major_faults;
	uint64_t involuntary_switches;
};

struct nf_ftq_result {
	enum nf_kernel_id kernel;
	uint64_t work; /* iterations a unit */
	double unit_ns; /* that a unit took when the work was chosen, with its clock read */
	uint64_t quantum_ticks;
	struct nf_ftq_worker *worker; /* owned; worker i has the streams 2i and 2i + 1 */
	size_t n_workers;
};

extern const struct nf_probe nf_probe_ftq;

/* Bytes of samples of a whole run on n CPUs; UINT64_MAX: more than can be counted. */
uint64_t nf_ftq_sample_bytes(const struct nf_ftq_cfg *cfg, size_t n_cpus);

#endif
