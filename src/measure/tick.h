/* SPDX-License-Identifier: MIT */
/*
 * tick - the counter that intervals are measured with, and how good it is.
 *
 * x86-64: lfence; rdtsc at a start, rdtscp; lfence at an end and between two quanta. aarch64: isb;
 * mrs CNTVCT_EL0, rate from CNTFRQ_EL0. Else, and on request, CLOCK_MONOTONIC_RAW in nanoseconds.
 * Ticks are not core cycles. A counter is used only when it is trustworthy (x86: invariant and the
 * kernel's clocksource, CPUs agree); otherwise nf_tick_open falls back and says why; a fallback
 * never reads the counter.
 */
#ifndef NF_MEASURE_TICK_H
#define NF_MEASURE_TICK_H

#include "base/clock.h"
#include "base/cpuset.h"
#include "base/rootfs.h"
#include "base/stop.h"
#include "machine/topology.h"

enum nf_tick_source { NF_TICK_TSC, NF_TICK_CNTVCT, NF_TICK_MONOTONIC_RAW };

enum nf_tick_want {
	NF_TICK_AUTO, /* the counter if it can be trusted */
	NF_TICK_WANT_COUNTER, /* the counter or -NF_EUNSUPPORTED with why not */
	NF_TICK_WANT_MONOTONIC, /* CLOCK_MONOTONIC_RAW */
};

struct nf_tick_clock {
	enum nf_tick_source source;
	char fallback_reason[160]; /* "" unless AUTO fell back */
	double hz; /* ticks per second of CLOCK_MONOTONIC_RAW, never rounded */
	double hz_error_ppm; /* standard error of the regression, in ppm */
	double hz_nominal; /* CPUID 0x15/0x16, CNTFRQ_EL0, 1e9; 0: unknown */
	size_t n_windows; /* calibration windows kept / rejected as outliers */
	size_t n_rejected;
	int64_t step_ticks; /* greatest common divisor of small differences */
	double read_min_ticks; /* cost of one read between quanta: minimum, median */
	double read_median_ticks;
};

/* Chooses, checks and calibrates (about 200 ms). */
NF_NODISCARD int nf_tick_open(const struct nf_rootfs *root, enum nf_tick_want want,
                              struct nf_tick_clock *ret, struct nf_err *err);
const char *nf_tick_name(enum nf_tick_source s); /* "tsc", "cntvct", "monotonic_raw" */
static inline double nf_tick_to_ns(const struct nf_tick_clock *c, double ticks)
{
	return ticks * 1e9 / c->hz;
}

/* Reads. The source is a run-time constant of a run: loops are compiled once per source
 * (measure/kernels). These are for everything that is not such a loop. */
uint64_t nf_tick_start(const struct nf_tick_clock *c); /* nothing later starts before it */
uint64_t nf_tick_end(const struct nf_tick_clock *c); /* everything earlier is done before it */

/* Skew of each CPU against the first of cpus by the smallest round trip of a ping-pong between
 * two pinned threads: bounds, in ticks. Cost grows linearly with the CPUs: at most 20 ms for each, less
 * from 100 CPUs on, and NF_TICK_SKEW_MAX_NS for all together, however busy they are. A CPU that did not
 * answer in time (busy, its turn did not come, or a stop was asked for) is left out of ret; the first is
 * always there, with offset 0. */
#define NF_TICK_SKEW_MAX_NS INT64_C(4000000000)
int64_t nf_tick_skew_estimate_ns(size_t n_cpus); /* of CPUs that answer at once */
/* How long a CPU is waited for that comes up this long after the start; 0: not at all. */
int64_t nf_tick_skew_patience_ns(int64_t elapsed_ns);
struct nf_tick_skew {
	int cpu;
	double offset_ticks; /* middle of the bounds; the loop's own time is subtracted */
	double uncertainty_ticks; /* half the bounds' distance */
};
NF_NODISCARD int nf_tick_skew(const struct nf_tick_clock *c, const struct nf_topology *topo,
                              const struct nf_cpuset *cpus, struct nf_tick_skew *ret,
                              size_t *ret_n /* in: room */, const struct nf_stop *stop,
                              struct nf_err *err);

#endif
