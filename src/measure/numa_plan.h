/* SPDX-License-Identifier: MIT */
/* numa_plan - what a numa run will do on this host: options checked, threads placed. */
#ifndef NF_MEASURE_NUMA_PLAN_H
#define NF_MEASURE_NUMA_PLAN_H

#include "measure/probe_numa.h"
#include "measure/probe_threads.h"

struct nf_numa_plan {
	struct nf_cpuset asked; /* owned; the selection */
	struct nf_cpuset used; /* owned; the CPUs that get a thread */
	int left_out; /* allowed CPU left to the system; -1: none */
	struct nf_sched sched;
	size_t n_nodes; /* at least 1 */
	size_t n_allowed; /* nodes whose memory this process may have; at least 1 */
	size_t n_partitions;
	size_t n_threads;
	int *cpu; /* owned; of each thread */
	size_t *node; /* owned; position of its node, 0 where unknown */
};

/* -NF_EARG, -NF_EUNSUPPORTED. Changes nothing. */
NF_NODISCARD int nf_numa_plan(const struct nf_probe_env *env, const struct nf_numa_cfg *cfg,
                              struct nf_numa_plan *ret, struct nf_err *err);
void nf_numa_plan_fini(struct nf_numa_plan *p);

#endif
