/* SPDX-License-Identifier: MIT */
/* topology_impl - what the files of the topology module share. Nobody else includes it. */
#ifndef NF_MACHINE_TOPOLOGY_IMPL_H
#define NF_MACHINE_TOPOLOGY_IMPL_H

#include <hwloc.h>

#include "machine/topology.h"

struct nf_topology {
	hwloc_topology_t hw; /* owned */
	bool is_this_system; /* false: captured, binding would silently do nothing */
	struct nf_cpu_info *cpu; /* owned; n_cpus entries in rising OS index */
	size_t n_cpus;
	int *node; /* owned; OS indexes in rising order */
	int64_t *node_mem_bytes; /* owned; n_nodes entries; -1: unknown */
	int *distance; /* owned; n_nodes x n_nodes, row = from; -1: unknown */
	bool *node_allowed; /* owned; n_nodes entries */
	size_t n_nodes;
	size_t n_packages;
	size_t n_kinds;
	struct nf_cpuset known; /* the OS indexes in cpu[] */
	struct nf_cpuset online;
	struct nf_cpuset allowed; /* affinity, cpuset, online */
	struct nf_cpuset isolated; /* isolated, cpuset, online; affinity does not count */
};

/* Loads hwloc's view of root, the one place where its environment variables are touched. */
NF_NODISCARD int nf_topology_hwloc_load(const struct nf_rootfs *root, hwloc_topology_t *ret,
                                        struct nf_err *err);
/* Adds every member of a finite bitmap. */
NF_NODISCARD int nf_topology_from_bitmap(hwloc_const_bitmap_t b, struct nf_cpuset *dst,
                                         struct nf_err *err);
/* *ret: freed by the caller with hwloc_bitmap_free. */
NF_NODISCARD int nf_topology_to_bitmap(const struct nf_cpuset *s, hwloc_bitmap_t *ret,
                                       struct nf_err *err);
/* Position of a node in OS index, -1: absent. */
int nf_topology_node_pos(const struct nf_topology *t, int node);

#endif
