/* SPDX-License-Identifier: MIT */
/* probe_hwlat - gaps seen by the kernel's hwlat tracer. Streams "hwlat.inner", "hwlat.outer" (ns
 * durations), "hwlat.time" (ns instants since the start), "hwlat.cpu" (counts), equally long. */
#ifndef NF_MEASURE_PROBE_HWLAT_H
#define NF_MEASURE_PROBE_HWLAT_H

#include "machine/hwlat.h"
#include "measure/probe.h"

struct nf_hwlat_probe_cfg {
	struct nf_probe_common common;
	int64_t window_ns; /* 0: the kernel's */
	int64_t width_ns;
	int64_t threshold_ns;
};

struct nf_hwlat_result {
	struct nf_hwlat_settings settings; /* in force */
	uint64_t n_gaps; /* reports; each may stand for several gaps */
	int64_t max_ns; /* -1: no gap over the threshold */
};

extern const struct nf_probe nf_probe_hwlat;
#endif
