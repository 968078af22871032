/* SPDX-License-Identifier: MIT */
/* probe_fwq - fixed work quanta: the time that the same work takes, again and again. Streams:
 * "fwq.cpu<N>" (ticks, durations), one per worker; one clock read separates two quanta, so the samples
 * of a worker add up to its wall time. */
#ifndef NF_MEASURE_PROBE_FWQ_H
#define NF_MEASURE_PROBE_FWQ_H

#include "measure/kernels/kernels.h"
#include "measure/probe.h"

struct nf_fwq_cfg {
	struct nf_probe_common common; /* duration_ns 0: by count */
	int64_t n_threads; /* 0: one per selected CPU; else the first so many of them */
	/* Per worker. A ceiling when duration_ns is set (0: none, ends by time alone); else 0 is
	 * 10,000. */
	int64_t n_samples;
	uint64_t work; /* iterations per quantum; 0: chosen so that a quantum takes quantum_ns */
	int64_t quantum_ns; /* used when work is 0 */
	enum nf_kernel_id kernel;
};

struct nf_fwq_worker {
	int cpu; /* read back */
	/* First to last clock read of the samples kept, on CLOCK_MONOTONIC_RAW read right outside. */
	int64_t wall_ns;
	double sum_to_wall; /* sum of samples / wall */
	uint64_t minor_faults; /* RUSAGE_THREAD between first and last sample */
	uint64_t major_faults;
	uint64_t involuntary_switches;
};

struct nf_fwq_result {
	enum nf_kernel_id kernel;
	uint64_t work;
	struct nf_fwq_worker *worker; /* owned; one per stream, same order */
	size_t n_workers;
};

extern const struct nf_probe nf_probe_fwq;
#endif
