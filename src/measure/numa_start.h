/* SPDX-License-Identifier: MIT */
/* numa_start - what starting threads costs, apart from what they then do. */
#ifndef NF_MEASURE_NUMA_START_H
#define NF_MEASURE_NUMA_START_H

#include "machine/topology.h"

/* Starts n threads, binds each to its CPU, waits until all are bound, ends them. *ret_ns: from before
 * the first creation to the last one ready, on CLOCK_MONOTONIC_RAW. */
NF_NODISCARD int nf_numa_start_threads(const struct nf_topology *topo, const int *cpu, size_t n,
                                       int64_t *ret_ns, struct nf_err *err);

#endif
