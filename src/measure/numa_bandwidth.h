/* SPDX-License-Identifier: MIT */
/* numa_bandwidth - jobs that read memory of one node by the threads of another, for every pair. */
#ifndef NF_MEASURE_NUMA_BANDWIDTH_H
#define NF_MEASURE_NUMA_BANDWIDTH_H

#include "machine/topology.h"
#include "measure/numa_team.h"

enum {
	NF_NUMA_READ_BYTES =
	        32 * 1024 * 1024, /* per pair, at most a sixteenth of a node's memory */
	NF_NUMA_READS = 5, /* recorded per pair; one before is not */
};

/* What is read on so many nodes, so that all pairs together take some seconds at most. */
struct nf_numa_reads {
	size_t bytes_max; /* per read; NF_NUMA_READ_BYTES on few nodes */
	size_t repeats; /* recorded per pair; NF_NUMA_READS on few nodes, at least 1 */
	size_t n_from; /* nodes, from the first on, whose threads read; all on few nodes */
};
struct nf_numa_reads nf_numa_reads_for(size_t n_nodes);
#define NF_NUMA_READS_MAX_NS INT64_C(4000000000) /* then the rest of the pairs is left out */
/* At 0.1 ns a byte. */
int64_t nf_numa_reads_estimate_ns(size_t n_nodes);

struct nf_numa_read {
	int cpu_node; /* OS indexes */
	int mem_node;
	size_t len_bytes;
	struct nf_team_job job; /* of the whole team; threads of other nodes have nothing to do */
};

struct nf_numa_bandwidth {
	const struct nf_topology *topo; /* borrowed */
	void **buffer; /* owned; one per node; NULL: it has no memory, or none for this process */
	size_t *buffer_bytes; /* owned */
	size_t n_nodes;
	struct nf_numa_reads reads;
	struct nf_numa_read *read; /* owned */
	size_t n_reads;
	struct nf_piece *piece; /* owned; n_threads a read */
	size_t *first; /* owned; n_threads + 1 a read */
};

/* Allocates and writes the buffers. thread_node: positions of the threads' nodes. */
NF_NODISCARD int nf_numa_bandwidth_init(struct nf_numa_bandwidth *ret,
                                        const struct nf_topology *topo, const size_t *thread_node,
                                        size_t n_threads, struct nf_err *err);
void nf_numa_bandwidth_fini(struct nf_numa_bandwidth *b);

#endif
