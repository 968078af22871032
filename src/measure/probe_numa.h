/* SPDX-License-Identifier: MIT */
/*
 * probe_numa - a channels x samples matrix reduced serially and in parallel, partitioned over the
 * nodes. One run is one sample of the pipeline; inside it every variant is repeated.
 * Streams (ns durations): "numa.serial", "numa.parallel", "numa.limit" (best plain vectorised sum of
 * the same memory), "numa.thread_start", "numa.bandwidth.<from>.<to>" per node pair.
 */
#ifndef NF_MEASURE_PROBE_NUMA_H
#define NF_MEASURE_PROBE_NUMA_H

#include "measure/probe.h"

enum nf_placement { NF_PLACE_FLAT, NF_PLACE_LOCAL, NF_PLACE_INTERLEAVE, NF_PLACE_REMOTE };

struct nf_numa_cfg {
	struct nf_probe_common common;
	int64_t n_channels; /* 100 */
	int64_t n_samples; /* 2500 per channel */
	int64_t rate_hz; /* 250 */
	int64_t n_partitions; /* 0: one per node, at least one per... see docs/METHOD.md */
	int64_t repetitions; /* per variant */
	enum nf_placement placement;
};

struct nf_numa_pair {
	int cpu_node;
	int mem_node;
	size_t bytes; /* read per repetition of its stream */
};

struct nf_numa_result {
	size_t n_channels;
	size_t n_samples;
	int64_t rate_hz;
	size_t n_partitions;
	size_t n_threads; /* of the parallel reduction */
	size_t n_nodes; /* 1: "one node", remote is then refused, not imitated */
	enum nf_placement placement;
	size_t *pages_on_node; /* owned; verified with move_pages; n_nodes entries */
	size_t pages_unknown;
	bool placement_verified; /* move_pages answered for every page and they are where asked */
	double serial_sum;
	double parallel_sum;
	double difference; /* parallel_sum - serial_sum */
	struct nf_numa_pair *pair; /* owned */
	size_t n_pairs;
};

extern const struct nf_probe nf_probe_numa;
#endif
