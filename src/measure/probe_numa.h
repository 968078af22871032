/* SPDX-License-Identifier: MIT */
/*
 * probe_numa - a channels x samples matrix of doubles reduced to its sum, serially and in parallel,
 * partitioned over the nodes. One run is one sample of the pipeline; inside it every variant is repeated,
 * serial, parallel and limit in an order drawn anew for each repetition.
 *
 * Streams (ns durations): "numa.serial", "numa.parallel", "numa.limit" (best plain vectorised sum of
 * the same memory by one thread), "numa.thread_start" (from the first creation to all threads
 * bound and ready), "numa.serial.begin", "numa.parallel.begin" and "numa.limit.begin" (instants:
 * when the sample of the same index began), "numa.bandwidth.<from>.<to>" per pair of nodes (OS indexes; the threads of the first
 * read memory of the second).
 *
 * Serial and parallel run the same compiled function; their results differ by the order of addition only.
 * The parallel time runs from the release of threads that already spin to the last result: it
 * holds neither thread creation nor wake-up. Serial and limit run on the first thread's CPU.
 * Time per element: the duration over n_channels n_samples.
 *
 * Partitions: rows are split by nf_partition_channels() into n_partitions groups, group i belongs to node i
 * mod nodes, whose threads share all its rows evenly. Threads: one per selected CPU, at most one per
 * channel, taken from the nodes in turn.
 */
#ifndef NF_MEASURE_PROBE_NUMA_H
#define NF_MEASURE_PROBE_NUMA_H

#include "measure/probe.h"

/* FLAT: one block, first touched by the first thread. LOCAL: each partition on its own node. INTERLEAVE: one
 * block, pages round the nodes. REMOTE: each partition on the node after its own. */
enum nf_placement { NF_PLACE_FLAT, NF_PLACE_LOCAL, NF_PLACE_INTERLEAVE, NF_PLACE_REMOTE };

struct nf_numa_cfg {
	struct nf_probe_common common; /* no duration: by repetitions. Policy other unless given */
	int64_t n_channels; /* 100; 1..1048576 */
	int64_t n_samples; /* 2500 per channel; the matrix is at most 16 GiB */
	int64_t rate_hz; /* 250; 1..10^9: of the synthetic signal */
	int64_t n_partitions; /* 0: one per node, no more than channels; else 1..n_channels */
	int64_t repetitions; /* per variant; 31; 1..1000000 */
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
	/* Fewer than nodes^2 where a node has no measured CPU or no memory for this process, and with more
	 * than 64 nodes. A pair whose stream is empty was not read for lack of time. */
	size_t n_pairs;
};

const char *nf_placement_name(enum nf_placement p); /* "flat", "local", "interleave", "remote" */

extern const struct nf_probe nf_probe_numa;
#endif
