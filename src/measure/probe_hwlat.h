/* SPDX-License-Identifier: MIT */
/* probe_hwlat - gaps seen by the kernel's hwlat tracer. Streams "hwlat.inner", "hwlat.outer" (ns
 * durations), "hwlat.time" (ns instants since the tracer's start), "hwlat.cpu" (counts), equally long: row i of
 * each is one report. Reports that the trace buffer lost count as missed on every stream. The
 * tracer's own kernel thread measures, going round the selected CPUs (the instance's tracing_cpumask; a
 * selected CPU that is offline is passed over). */
#ifndef NF_MEASURE_PROBE_HWLAT_H
#define NF_MEASURE_PROBE_HWLAT_H

#include "machine/hwlat.h"
#include "measure/probe.h"

struct nf_hwlat_probe_cfg {
	struct nf_probe_common common;
	/* 0: the kernel's; else whole microseconds, as the kernel takes them. */
	int64_t window_ns; /* sampling period */
	int64_t width_ns; /* time spent looking per period; at most window_ns */
	int64_t threshold_ns; /* smallest gap reported */
};

struct nf_hwlat_result {
	struct nf_hwlat_settings settings; /* in force */
	uint64_t n_gaps; /* reports; each may stand for several gaps */
	int64_t max_ns; /* -1: no gap over the threshold */
};

extern const struct nf_probe nf_probe_hwlat;
#endif
