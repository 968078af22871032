/* SPDX-License-Identifier: MIT */
#include "measure/numa_plan.h"

#include <stdlib.h>

enum { CHANNELS_MAX = 1 << 20, REPETITIONS_MAX = 1000000, RATE_MAX_HZ = 1000000000 };
#define MATRIX_MAX_BYTES (INT64_C(16) << 30)

static int check_range(const char *what, int64_t v, int64_t lo, int64_t hi, struct nf_err *err)
{
	if (v >= lo && v <= hi)
		return 0;
	return nf_fail(err, NF_EARG, "numa: %s %lld: %lld to %lld", what, (long long)v,
	               (long long)lo, (long long)hi);
}

static int check_matrix(const struct nf_topology *topo, const struct nf_numa_cfg *cfg,
                        struct nf_err *err)
{
	int64_t bytes = 0, have = 0;

	if (__builtin_mul_overflow(cfg->n_channels, cfg->n_samples, &bytes) ||
	    __builtin_mul_overflow(bytes, (int64_t)sizeof(double), &bytes) ||
	    bytes > MATRIX_MAX_BYTES)
		return nf_fail(err, NF_EARG,
		               "numa: %lld channels x %lld samples: the matrix is larger than 16 "
		               "GiB",
		               (long long)cfg->n_channels, (long long)cfg->n_samples);
	for (size_t i = 0; i < nf_topology_n_nodes(topo); i++) {
		int os_node = nf_topology_node_os_index(topo, i);
		int64_t node = nf_topology_node_mem_bytes(topo, os_node);

		if (!nf_topology_node_allowed(topo, os_node))
			continue;
		if (node < 0)
			return 0; /* unknown: the allocation will tell */
		have += node;
	}
	if (have > 0 && bytes > have / 4 * 3)
		return nf_fail(err, NF_EARG,
		               "numa: the matrix needs %lld bytes of this host's %lld: fewer "
		               "channels or samples",
		               (long long)bytes, (long long)have);
	return 0;
}

static int check_options(const struct nf_topology *topo, const struct nf_numa_cfg *cfg,
                         struct nf_err *err)
{
	size_t bytes;
	int rc = check_range("channels", cfg->n_channels, 1, CHANNELS_MAX, err);

	if (rc == 0)
		rc = check_range("samples", cfg->n_samples, 1, MATRIX_MAX_BYTES / 8, err);
	if (rc == 0)
		rc = check_range("rate in Hz", cfg->rate_hz, 1, RATE_MAX_HZ, err);
	if (rc == 0)
		rc = check_range("partitions", cfg->n_partitions, 0, cfg->n_channels, err);
	if (rc == 0)
		rc = check_range("repetitions", cfg->repetitions, 1, REPETITIONS_MAX, err);
	if (rc == 0)
		rc = check_range("placement", (int64_t)cfg->placement, NF_PLACE_FLAT,
		                 NF_PLACE_REMOTE, err);
	if (rc == 0)
		rc = check_matrix(topo, cfg, err);
	if (rc < 0)
		return rc;
	bytes = (size_t)cfg->repetitions * 3 * sizeof(int64_t);
	if (bytes > cfg->common.max_sample_bytes)
		return nf_fail(err, NF_EARG,
		               "numa: %lld repetitions need %zu bytes of the %zu for "
		               "samples",
		               (long long)cfg->repetitions, bytes, cfg->common.max_sample_bytes);
	if (cfg->placement == NF_PLACE_REMOTE && nf_topology_n_nodes(topo) > 1 &&
	    nf_topology_n_nodes_allowed(topo) < 2)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "this process may have memory of one node only (cpuset.mems): there "
		               "is no remote memory to place the matrix on");
	if (cfg->placement == NF_PLACE_REMOTE && nf_topology_n_nodes(topo) < 2)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "one node: there is no remote memory to place the matrix on; "
		               "it needs a machine with two nodes or more");
	return 0;
}

static int settle_policy(const struct nf_probe_env *env, const struct nf_numa_cfg *cfg,
                         struct nf_numa_plan *p, struct nf_err *err)
{
	struct nf_probe_common c = cfg->common;
	bool rt = c.policy == NF_POLICY_FIFO || c.policy == NF_POLICY_RR;
	int rc;

	if (!c.policy_given) {
		c.policy = NF_POLICY_OTHER;
		c.priority = 0;
		rt = false;
	}
	if (c.policy == NF_POLICY_DEADLINE)
		return nf_fail(err, NF_EARG,
		               "numa: threads that compute without a pause have no deadline: "
		               "policy other, fifo or rr");
	rc = nf_policy_check(c.policy, c.priority, err);
	if (rc < 0)
		return rc;
	p->sched = (struct nf_sched){ .policy = c.policy, .priority = c.priority };
	rc = nf_probe_select(env, &c, true, &p->asked, &p->left_out, err);
	if (rc == 0 && rt)
		rc = nf_policy_possible(&p->sched, err);
	return rc;
}

static size_t node_position(const struct nf_topology *topo, int os_node)
{
	for (size_t i = 0; i < nf_topology_n_nodes(topo); i++)
		if (nf_topology_node_os_index(topo, i) == os_node)
			return i;
	return 0;
}

/* The next selected CPU of a node after *cpu that has no thread yet; -1: none. */
static int next_on_node(const struct nf_topology *topo, const struct nf_cpuset *set, size_t node,
                        int after)
{
	for (int cpu = nf_cpuset_next(set, after); cpu >= 0; cpu = nf_cpuset_next(set, cpu)) {
		const struct nf_cpu_info *info = nf_topology_cpu(topo, cpu);

		if (info && node_position(topo, info->node) == node)
			return cpu;
	}
	return -1;
}

/* One thread per CPU, the nodes in turn, until all CPUs or as many as channels have one. */
static int place_threads(const struct nf_topology *topo, size_t max_threads, struct nf_numa_plan *p,
                         struct nf_err *err)
{
	size_t n_cpus = nf_cpuset_count(&p->asked);
	size_t want = n_cpus < max_threads ? n_cpus : max_threads;
	int *last = calloc(p->n_nodes, sizeof(*last));
	bool more = true;
	int rc = 0;

	p->cpu = calloc(want, sizeof(*p->cpu));
	p->node = calloc(want, sizeof(*p->node));
	if (!last || !p->cpu || !p->node) {
		rc = nf_fail_nomem(err, "placing threads", want * sizeof(*p->node));
		goto out;
	}
	for (size_t i = 0; i < p->n_nodes; i++)
		last[i] = -1;
	while (more && p->n_threads < want) {
		more = false;
		for (size_t i = 0; i < p->n_nodes && p->n_threads < want; i++) {
			int cpu = last[i] == NF_CPU_MAX ? -1
			                                : next_on_node(topo, &p->asked, i, last[i]);

			last[i] = cpu < 0 ? NF_CPU_MAX : cpu;
			if (cpu < 0)
				continue;
			more = true;
			p->cpu[p->n_threads] = cpu;
			p->node[p->n_threads++] = i;
			rc = nf_cpuset_add(&p->used, cpu, err);
			if (rc < 0)
				goto out;
		}
	}
	if (p->n_threads == 0)
		rc = nf_fail(err, NF_EUNSUPPORTED, "numa: no CPU of the selection is known");
out:
	free(last);
	return rc;
}

int nf_numa_plan(const struct nf_probe_env *env, const struct nf_numa_cfg *cfg,
                 struct nf_numa_plan *ret, struct nf_err *err)
{
	struct nf_numa_plan p = { .left_out = -1 };
	int rc = check_options(env->topo, cfg, err);

	if (rc < 0)
		return rc;
	p.n_nodes = nf_topology_n_nodes(env->topo);
	p.n_nodes = p.n_nodes > 0 ? p.n_nodes : 1;
	p.n_allowed = nf_topology_n_nodes_allowed(env->topo);
	p.n_allowed = p.n_allowed > 0 ? p.n_allowed : 1;
	p.n_partitions = (size_t)cfg->n_partitions;
	if (p.n_partitions == 0)
		p.n_partitions = p.n_allowed < (size_t)cfg->n_channels ? p.n_allowed
		                                                       : (size_t)cfg->n_channels;
	rc = settle_policy(env, cfg, &p, err);
	if (rc == 0)
		rc = place_threads(env->topo, (size_t)cfg->n_channels, &p, err);
	if (rc < 0)
		nf_numa_plan_fini(&p);
	else
		*ret = p;
	return rc;
}

void nf_numa_plan_fini(struct nf_numa_plan *p)
{
	nf_cpuset_fini(&p->asked);
	nf_cpuset_fini(&p->used);
	free(p->cpu);
	free(p->node);
	p->cpu = NULL;
	p->node = NULL;
}
