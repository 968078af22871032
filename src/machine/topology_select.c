/* SPDX-License-Identifier: MIT */
/* Choosing CPUs: the sets a caller can ask for, and what is wrong with a list. */
#include <string.h>

#include "machine/topology_impl.h"

enum { LIST_MAX_BYTES = 1 << 19 }; /* every second CPU of NF_CPU_MAX, written out */

int nf_topology_node_cpus(const struct nf_topology *t, int node, struct nf_cpuset *ret,
                          struct nf_err *err)
{
	struct nf_cpuset set;
	int r = 0;

	if (nf_topology_node_pos(t, node) < 0)
		return nf_fail(err, NF_EARG, "node %d is absent", node);
	nf_cpuset_init(&set);
	for (size_t i = 0; i < t->n_cpus && r == 0; i++)
		if (t->cpu[i].node == node && t->cpu[i].allowed)
			r = nf_cpuset_add(&set, t->cpu[i].cpu, err);
	if (r == 0)
		r = nf_cpuset_copy(ret, &set, err);
	nf_cpuset_fini(&set);
	return r;
}

int nf_topology_siblings(const struct nf_topology *t, int cpu, struct nf_cpuset *ret,
                         struct nf_err *err)
{
	const struct nf_cpu_info *self = nf_topology_cpu(t, cpu);
	struct nf_cpuset set;
	int r = 0;

	if (!self)
		return nf_fail(err, NF_EARG, "CPU %d is absent", cpu);
	nf_cpuset_init(&set);
	for (size_t i = 0; i < t->n_cpus && r == 0; i++)
		if (self->core >= 0 && t->cpu[i].core == self->core && t->cpu[i].online &&
		    t->cpu[i].cpu != cpu)
			r = nf_cpuset_add(&set, t->cpu[i].cpu, err);
	if (r == 0)
		r = nf_cpuset_copy(ret, &set, err);
	nf_cpuset_fini(&set);
	return r;
}

/* -NF_EARG "CPU 7 is absent (this host has 0-1)" when want is not within range. */
static int check(const struct nf_cpuset *want, const struct nf_cpuset *range, const char *is,
                 const char *range_is, struct nf_err *err)
{
	struct nf_buf bad_text, range_text;
	struct nf_cpuset bad;
	int r;

	nf_cpuset_init(&bad);
	nf_buf_init(&bad_text, LIST_MAX_BYTES);
	nf_buf_init(&range_text, LIST_MAX_BYTES);
	r = nf_cpuset_copy(&bad, want, err);
	if (r < 0)
		goto out;
	nf_cpuset_andnot(&bad, range);
	if (nf_cpuset_count(&bad) == 0)
		goto out;
	if (nf_cpuset_print(&bad, &bad_text) < 0 || nf_cpuset_print(range, &range_text) < 0) {
		r = nf_fail_nomem(err, "a list of CPUs", LIST_MAX_BYTES);
		goto out;
	}
	r = nf_fail(err, NF_EARG, "CPU%s %.160s %s %s (%s%.160s)",
	            nf_cpuset_count(&bad) == 1 ? "" : "s", bad_text.data,
	            nf_cpuset_count(&bad) == 1 ? "is" : "are", is, range_is,
	            range_text.len_bytes > 0 ? range_text.data : "none");
out:
	nf_buf_fini(&range_text);
	nf_buf_fini(&bad_text);
	nf_cpuset_fini(&bad);
	return r;
}

/* The isolated CPUs may be asked for by number although the kernel leaves them out of the affinity
 * mask that every process inherits. */
static int usable_cpus(const struct nf_topology *t, struct nf_cpuset *dst, struct nf_err *err)
{
	int r = nf_cpuset_copy(dst, &t->allowed, err);

	for (int c = nf_cpuset_next(&t->isolated, -1); c >= 0 && r == 0;
	     c = nf_cpuset_next(&t->isolated, c))
		r = nf_cpuset_add(dst, c, err);
	return r;
}

static int select_list(const struct nf_topology *t, const char *spec, struct nf_cpuset *ret,
                       struct nf_err *err)
{
	struct nf_cpuset want, usable;
	int r;

	nf_cpuset_init(&want);
	nf_cpuset_init(&usable);
	if ((r = nf_cpuset_parse(spec, false, &want, err)) < 0 ||
	    (r = check(&want, &t->known, "absent", "this host has ", err)) < 0 ||
	    (r = check(&want, &t->online, "offline", "online: ", err)) < 0 ||
	    (r = usable_cpus(t, &usable, err)) < 0 ||
	    (r = check(&want, &usable, "not allowed here", "allowed: ", err)) < 0)
		goto out;
	r = nf_cpuset_copy(ret, &want, err);
out:
	nf_cpuset_fini(&usable);
	nf_cpuset_fini(&want);
	return r;
}

static int select_isolated(const struct nf_topology *t, struct nf_cpuset *ret, struct nf_err *err)
{
	if (nf_cpuset_count(&t->isolated) > 0)
		return nf_cpuset_copy(ret, &t->isolated, err);
	for (size_t i = 0; i < t->n_cpus; i++)
		if (t->cpu[i].isolated)
			return nf_fail(err, NF_EUNSUPPORTED,
			               "CPU %d is isolated but not online and allowed here: start "
			               "the program in a cpuset that holds it",
			               t->cpu[i].cpu);
	return nf_fail(err, NF_EUNSUPPORTED,
	               "no isolated CPU on this host: boot with isolcpus=LIST or make an isolated "
	               "cpuset partition, or name CPUs");
}

int nf_topology_select(const struct nf_topology *t, const char *spec, struct nf_cpuset *ret,
                       struct nf_err *err)
{
	if (strcmp(spec, "allowed") == 0) {
		if (nf_cpuset_count(&t->allowed) == 0)
			return nf_fail(err, NF_EUNSUPPORTED,
			               "no online CPU is allowed here (cpuset, taskset)");
		return nf_cpuset_copy(ret, &t->allowed, err);
	}
	if (strcmp(spec, "isolated") == 0)
		return select_isolated(t, ret, err);
	return select_list(t, spec, ret, err);
}
