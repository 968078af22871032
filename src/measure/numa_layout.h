/* SPDX-License-Identifier: MIT */
/* numa_layout - where the matrix of a numa run lies and who reduces which part of it. */
#ifndef NF_MEASURE_NUMA_LAYOUT_H
#define NF_MEASURE_NUMA_LAYOUT_H

#include "machine/topology.h"
#include "measure/numa_team.h"
#include "measure/probe_numa.h"

/* A span of memory of its own. */
struct nf_numa_block {
	double *p; /* owned through nf_topology_mem_alloc */
	size_t rows;
	size_t len_bytes;
	size_t node; /* position of the node its pages belong on; n_nodes: spread over all */
	bool locked;
};

struct nf_numa_layout {
	size_t n_channels;
	size_t n_samples;
	size_t n_nodes; /* at least 1 */
	const struct nf_topology *topo; /* borrowed */
	size_t *allowed; /* owned; positions of the nodes whose memory may be had */
	size_t n_allowed; /* at least 1 */
	struct nf_numa_block *block; /* owned; rows in order */
	size_t n_blocks;
	struct nf_piece *piece; /* owned: of the parallel, then the serial, then the limit job */
	size_t *first; /* owned: likewise */
	struct nf_team_job parallel;
	struct nf_team_job serial; /* one thread, partition after partition */
	struct nf_team_job limit; /* one thread, block after block as flat memory */
	size_t n_strayed; /* partitions whose node has no thread: others reduce them */
};

/* Where each page is. */
struct nf_numa_pages {
	size_t *on_node; /* owned; n_nodes entries */
	size_t unknown;
	bool as_asked;
};

/* thread_node: position of each thread's node. The partitions go round the allowed nodes, partition i to node i
 * mod n_allowed of them (remote: its memory to the next one); all rows of a node's partitions are shared out evenly to
 * its threads. Nothing is touched yet. -NF_EUNSUPPORTED: remote with one node. */
NF_NODISCARD int nf_numa_layout_init(struct nf_numa_layout *ret, const struct nf_topology *topo,
                                     const struct nf_numa_cfg *cfg, size_t n_partitions,
                                     const size_t *thread_node, size_t n_threads,
                                     struct nf_err *err);
void nf_numa_layout_fini(struct nf_numa_layout *l);

/* Writes every element and tries to lock it: a synthetic signal, 10 Hz of amplitude 20 with uniform noise of
 * +-10 on each channel, always the same for a seed. Flat memory lands on the caller's node. */
void nf_numa_layout_fill(struct nf_numa_layout *l, int64_t rate_hz, uint64_t seed);
size_t nf_numa_layout_n_pages(const struct nf_numa_layout *l);
/* Asks the kernel. node_of_filler: the position of the node that filled flat memory. */
NF_NODISCARD int nf_numa_layout_pages(const struct nf_numa_layout *l, enum nf_placement placement,
                                      size_t node_of_filler, struct nf_numa_pages *ret,
                                      struct nf_err *err);

#endif
