/* SPDX-License-Identifier: MIT */
/* Binding of the calling thread and of memory, each verified by asking the kernel afterwards. */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine/topology_impl.h"

enum {
	LIST_MAX_BYTES = 1 << 19,
	PAGES_PER_CALL = 512,
	FIRST_TOUCH = -2,
	INTERLEAVE = -1,
};

static int refuse_captured(const struct nf_topology *t, const char *what, struct nf_err *err)
{
	if (t->is_this_system && hwloc_topology_is_thissystem(t->hw))
		return 0;
	return nf_fail(err, NF_EUNSUPPORTED,
	               "%s is not possible on a captured host: load the topology of this one",
	               what);
}

static int fail_mismatch(const struct nf_cpuset *asked, const struct nf_cpuset *got,
                         struct nf_err *err)
{
	struct nf_buf a, g;
	int r;

	nf_buf_init(&a, LIST_MAX_BYTES);
	nf_buf_init(&g, LIST_MAX_BYTES);
	if (nf_cpuset_print(asked, &a) < 0 || nf_cpuset_print(got, &g) < 0)
		r = nf_fail_nomem(err, "a list of CPUs", LIST_MAX_BYTES);
	else
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "bound to CPUs %.160s, but the kernel allows %.160s: the cpuset of "
		            "this process holds no more",
		            a.data, g.data);
	nf_buf_fini(&g);
	nf_buf_fini(&a);
	return r;
}

int nf_topology_bind_self(const struct nf_topology *t, const struct nf_cpuset *cpus,
                          struct nf_cpuset *ret_got, struct nf_err *err)
{
	hwloc_bitmap_t want = NULL, mask = NULL, old = NULL;
	struct nf_cpuset got;
	int r = refuse_captured(t, "binding a thread", err);

	if (r < 0)
		return r;
	if (nf_cpuset_count(cpus) == 0)
		return nf_fail(err, NF_EARG, "an empty list of CPUs cannot be bound to");
	nf_cpuset_init(&got);
	if ((r = nf_topology_to_bitmap(cpus, &want, err)) < 0)
		goto out;
	mask = hwloc_bitmap_alloc();
	old = hwloc_bitmap_alloc();
	if (!mask || !old) {
		r = nf_fail_nomem(err, "a CPU set", 0);
		goto out;
	}
	if (hwloc_get_cpubind(t->hw, old, HWLOC_CPUBIND_THREAD) != 0) {
		r = nf_fail_os(err, errno, "read the thread's CPU binding");
		goto out;
	}
	if (hwloc_set_cpubind(t->hw, want, HWLOC_CPUBIND_THREAD | HWLOC_CPUBIND_STRICT) != 0) {
		r = nf_fail_os(err, errno, "bind the thread to CPU %d%s", nf_cpuset_next(cpus, -1),
		               nf_cpuset_count(cpus) > 1 ? " and others" : "");
		goto out;
	}
	if (hwloc_get_cpubind(t->hw, mask, HWLOC_CPUBIND_THREAD) != 0)
		r = nf_fail_os(err, errno, "read the thread's CPU binding back");
	else
		r = nf_topology_from_bitmap(mask, &got, err);
	if (r == 0 && !nf_cpuset_equal(&got, cpus))
		r = fail_mismatch(cpus, &got, err);
	if (r == 0)
		r = nf_cpuset_copy(ret_got, &got, err);
	/* A failed call leaves the thread where it was. The first failure is the one to tell. */
	if (r < 0)
		(void)hwloc_set_cpubind(t->hw, old, HWLOC_CPUBIND_THREAD);
out:
	hwloc_bitmap_free(old);
	hwloc_bitmap_free(mask);
	hwloc_bitmap_free(want);
	nf_cpuset_fini(&got);
	return r;
}

static int fail_membind(int os_errno, size_t len_bytes, struct nf_err *err)
{
	if (os_errno == ENOMEM)
		return nf_fail_nomem(err, "bound memory", len_bytes);
	if (os_errno == EPERM || os_errno == ENOSYS)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "the kernel refuses to bind memory to nodes (%s): a container needs "
		               "CAP_SYS_NICE or a seccomp profile that lets mbind through",
		               os_errno == EPERM ? "not permitted" : "no NUMA support");
	return nf_fail_os(err, os_errno, "bind %zu bytes of memory to nodes", len_bytes);
}

int nf_topology_mem_alloc(const struct nf_topology *t, size_t len_bytes, int node, void **ret,
                          struct nf_err *err)
{
	hwloc_bitmap_t nodes;
	void *p;
	int r;

	if (len_bytes == 0)
		return nf_fail(err, NF_EARG, "no memory asked for");
	if (node == FIRST_TOUCH) {
		p = hwloc_alloc(t->hw, len_bytes);
		if (!p)
			return nf_fail_nomem(err, "memory", len_bytes);
		*ret = p;
		return 0;
	}
	r = refuse_captured(t, "binding memory", err);
	if (r < 0)
		return r;
	if (node != INTERLEAVE && nf_topology_node_pos(t, node) < 0)
		return nf_fail(err, NF_EARG, "node %d is absent (this host has %zu nodes, %d-%d)",
		               node, t->n_nodes, t->node[0], t->node[t->n_nodes - 1]);
	nodes = node == INTERLEAVE ? hwloc_bitmap_dup(hwloc_topology_get_allowed_nodeset(t->hw))
	                           : hwloc_bitmap_alloc();
	if (!nodes || (node >= 0 && hwloc_bitmap_only(nodes, (unsigned)node) != 0)) {
		hwloc_bitmap_free(nodes);
		return nf_fail_nomem(err, "a node set", 0);
	}
	errno = 0;
	p = hwloc_alloc_membind(t->hw, len_bytes, nodes,
	                        node == INTERLEAVE ? HWLOC_MEMBIND_INTERLEAVE : HWLOC_MEMBIND_BIND,
	                        HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_STRICT);
	if (!p)
		r = fail_membind(errno, len_bytes, err);
	else
		*ret = p;
	hwloc_bitmap_free(nodes);
	return r;
}

void nf_topology_mem_free(const struct nf_topology *t, void *p, size_t len_bytes)
{
	if (p)
		hwloc_free(t->hw, p, len_bytes);
}

int nf_topology_page_nodes(const struct nf_topology *t, const void *p, size_t len_bytes,
                           size_t *ret_pages, size_t *ret_unknown, struct nf_err *err)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	uintptr_t first = (uintptr_t)p & ~(uintptr_t)(page_bytes - 1);
	uintptr_t end;
	size_t *count, unknown = 0;
	int r = refuse_captured(t, "finding the nodes of memory", err);

	if (r < 0)
		return r;
	if (__builtin_add_overflow((uintptr_t)p, len_bytes, &end))
		return nf_fail(err, NF_EARG, "memory that ends behind the address space");
	count = calloc(t->n_nodes, sizeof(*count));
	if (!count)
		return nf_fail_nomem(err, "counts of pages", t->n_nodes * sizeof(*count));
	for (uintptr_t at = first; at < end;) {
		void *page[PAGES_PER_CALL];
		int status[PAGES_PER_CALL];
		unsigned long n = 0;

		for (; n < PAGES_PER_CALL && at < end; at += page_bytes)
			page[n++] = (void *)at; /* NOLINT(performance-no-int-to-ptr) */
		/* Without target nodes move_pages(2) moves nothing and tells where each page is. */
		if (syscall(SYS_move_pages, 0, n, page, NULL, status, 0) < 0) {
			if (errno == ENOSYS || errno == EPERM)
				r = nf_fail(err, NF_EUNSUPPORTED,
				            "move_pages is %s: nodes of memory cannot be verified",
				            errno == EPERM ? "not permitted (a seccomp profile)"
				                           : "not in this kernel");
			else
				r = nf_fail_os(err, errno, "move_pages");
			goto out;
		}
		for (unsigned long i = 0; i < n; i++) {
			int pos = status[i] < 0 ? -1 : nf_topology_node_pos(t, status[i]);

			if (pos < 0)
				unknown++;
			else
				count[pos]++;
		}
	}
	for (size_t i = 0; i < t->n_nodes; i++)
		ret_pages[i] = count[i];
	*ret_unknown = unknown;
out:
	free(count);
	return r;
}
