/* SPDX-License-Identifier: MIT */
/*
 * hwlat - the kernel's hwlat tracer in a tracing instance of its own, through libtracefs.
 * What is changed (instance, window, width, threshold) goes through the journal and is put back.
 */
#ifndef NF_MACHINE_HWLAT_H
#define NF_MACHINE_HWLAT_H

#include "base/cpuset.h"
#include "base/journal.h"
#include "base/rootfs.h"

struct tep_event;
struct tep_record;

struct nf_hwlat_gap {
	int64_t t_ns; /* CLOCK_MONOTONIC: nanoseconds since the tracer was started */
	int cpu;
	int64_t inner_ns; /* gap between the two reads of one iteration; whole microseconds */
	int64_t outer_ns; /* gap between iterations; whole microseconds */
	int64_t n_in_window; /* gaps the kernel counted behind this report (count:); 1 where not told */
};

struct nf_hwlat_cfg {
	int64_t window_us; /* sampling period; 0: the kernel's */
	int64_t width_us; /* time spent looking per period; 0: the kernel's */
	int64_t threshold_us; /* smallest gap reported; 0: the kernel's */
	const struct nf_cpuset *cpus; /* the tracer goes round these; NULL: all online; borrowed */
};

/* In force, read back after setting. */
struct nf_hwlat_settings {
	int64_t window_us;
	int64_t width_us;
	int64_t threshold_us;
};

struct nf_hwlat; /* a running tracer */

/* A record of the kernel's ftrace/hwlat event, whose layout ev describes. t0_ns: start of the tracer on
 * the trace clock. Pure. -NF_EDATA: a field is missing or the record is shorter than its layout. */
NF_NODISCARD int nf_hwlat_decode(struct tep_event *ev, const struct tep_record *rec, int cpu,
                                 int64_t t0_ns, struct nf_hwlat_gap *ret, struct nf_err *err);

/* 0 or -NF_EUNSUPPORTED: tracefs not mounted (never mounts it), tracer not in available_tracers, no
 * permission; the message says what would help. Changes nothing. */
NF_NODISCARD int nf_hwlat_check(const struct nf_rootfs *root, struct nf_err *err);
/* Starts the tracer. One at a time per machine (journal lock). */
NF_NODISCARD int nf_hwlat_start(const struct nf_rootfs *root, struct nf_journal *journal,
                                const struct nf_hwlat_cfg *cfg, struct nf_hwlat **ret,
                                struct nf_hwlat_settings *ret_got, struct nf_err *err);
/* The CPUs that the tracer goes round: the instance's tracing_cpumask, read back. */
NF_NODISCARD int nf_hwlat_cpus(struct nf_hwlat *h, struct nf_cpuset *ret, struct nf_err *err);
/* Hands out the gaps reported since the last call; may be called while it runs. *ret_missed is
 * increased by events the ring buffer lost, also on failure. fn's non-zero value stops and is
 * returned. */
typedef int nf_hwlat_fn(void *ctx, const struct nf_hwlat_gap *gap);
NF_NODISCARD int nf_hwlat_drain(struct nf_hwlat *h, nf_hwlat_fn *fn, void *ctx,
                                uint64_t *ret_missed, struct nf_err *err);
/* Stops, puts everything back, frees, also on failure: what could not be put back stays in the journal,
 * which tries again when it is closed. *ret_left_alone (may be NULL): a value that someone else has
 * changed meanwhile was left as it is. */
NF_NODISCARD int nf_hwlat_stop(struct nf_hwlat *h, bool *ret_left_alone, struct nf_err *err);

#endif
