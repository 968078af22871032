/* SPDX-License-Identifier: MIT */
/*
 * topology - CPUs, cores, packages, nodes and kinds through hwloc, of this host or a captured tree,
 * and binding of threads with the mask read back.
 *
 * Threads: loading sets hwloc's environment variables under a process-wide lock and puts them back (no
 * other thread may read the environment meanwhile); a loaded topology may be read from many threads.
 */
#ifndef NF_MACHINE_TOPOLOGY_H
#define NF_MACHINE_TOPOLOGY_H

#include "base/cpuset.h"
#include "base/rootfs.h"

struct nf_topology;

/* root: live, or a captured tree (binding is refused there). */
NF_NODISCARD int nf_topology_load(const struct nf_rootfs *root, struct nf_topology **ret,
                                  struct nf_err *err);
void nf_topology_free(struct nf_topology *t); /* NULL is fine */

struct nf_cpu_info {
	int cpu; /* OS index */
	bool online;
	bool allowed; /* in the default set: online, in the cpuset and in the affinity mask */
	bool isolated; /* isolcpus, or an isolated partition */
	int package; /* logical index; -1: unknown */
	int core; /* logical index; -1: unknown */
	int node; /* OS index of the nearest NUMA node; -1: unknown */
	int kind; /* hwloc CPU kind by rising efficiency (0 slowest); -1: all alike or unknown */
};

size_t nf_topology_n_cpus(const struct nf_topology *t); /* known CPUs, online or not */
/* By position, 0..n_cpus-1, in rising OS index. */
const struct nf_cpu_info *nf_topology_cpu_at(const struct nf_topology *t, size_t i);
const struct nf_cpu_info *nf_topology_cpu(const struct nf_topology *t, int cpu); /* NULL: absent */
/* Cores with an online (allowed) CPU; 0: the host does not tell its cores. */
size_t nf_topology_n_cores(const struct nf_topology *t, bool allowed_only);
size_t nf_topology_n_packages(const struct nf_topology *t);
size_t nf_topology_n_kinds(const struct nf_topology *t); /* 1: all alike, or not ranked */
size_t nf_topology_n_nodes(const struct nf_topology *t);
int nf_topology_node_os_index(const struct nf_topology *t, size_t i);
/* Whether this process may have memory of a node (OS index): cpuset.mems and Mems_allowed. At least one
 * is allowed. */
bool nf_topology_node_allowed(const struct nf_topology *t, int node);
size_t nf_topology_n_nodes_allowed(const struct nf_topology *t);
/* Kernel's distance table (10 is local); -1: unknown. Arguments are OS indexes. */
int nf_topology_distance(const struct nf_topology *t, int from_node, int to_node);
int64_t nf_topology_node_mem_bytes(const struct nf_topology *t, int node); /* -1: unknown */

/* allowed: online, in the cpuset, and in the affinity mask of the calling thread at load time.
 * isolated: online and in the cpuset; isolcpus= takes them out of the mask that processes inherit, so
 * the mask does not count. node_cpus: the allowed CPUs of a node. siblings: the other online hardware
 * threads of cpu's core. */
const struct nf_cpuset *nf_topology_allowed(const struct nf_topology *t);
const struct nf_cpuset *nf_topology_online(const struct nf_topology *t);
const struct nf_cpuset *nf_topology_isolated(const struct nf_topology *t);
NF_NODISCARD int nf_topology_node_cpus(const struct nf_topology *t, int node, struct nf_cpuset *ret,
                                       struct nf_err *err);
NF_NODISCARD int nf_topology_siblings(const struct nf_topology *t, int cpu, struct nf_cpuset *ret,
                                      struct nf_err *err);

/* "allowed", "isolated", or a list of allowed or isolated CPUs. A list that names an absent, offline or
 * disallowed CPU: -NF_EARG that names it, why, and the valid range. "isolated" without any:
 * -NF_EUNSUPPORTED. */
NF_NODISCARD int nf_topology_select(const struct nf_topology *t, const char *spec,
                                    struct nf_cpuset *ret, struct nf_err *err);

/* Binds the calling thread to exactly these CPUs and reads the mask back into *ret_got; what was
 * got may be less than asked only with an error. -NF_EUNSUPPORTED on a captured tree. */
NF_NODISCARD int nf_topology_bind_self(const struct nf_topology *t, const struct nf_cpuset *cpus,
                                       struct nf_cpuset *ret_got, struct nf_err *err);

/* Memory bound to one node (hwloc membind), interleaved over the allowed nodes (node -1), or placed by
 * first touch (node -2). Free with nf_topology_mem_free. -NF_EUNSUPPORTED where the kernel refuses. */
NF_NODISCARD int nf_topology_mem_alloc(const struct nf_topology *t, size_t len_bytes, int node,
                                       void **ret, struct nf_err *err);
void nf_topology_mem_free(const struct nf_topology *t, void *p, size_t len_bytes);
/* Counts the pages of [p, p+len) by the node they are on (move_pages with no target). ret_pages has
 * one count per node in nf_topology_node_os_index order; *ret_unknown counts the rest. */
NF_NODISCARD int nf_topology_page_nodes(const struct nf_topology *t, const void *p,
                                        size_t len_bytes, size_t *ret_pages, size_t *ret_unknown,
                                        struct nf_err *err);

#endif
