/* SPDX-License-Identifier: MIT */
#include "machine/topology.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/topology_impl.h"

enum {
	NODES_MAX = 4096, /* a distance table of 64 MiB; Linux has at most 1,024 nodes */
	FILE_MAX_BYTES = 1 << 20,
};

static int add_all(struct nf_cpuset *dst, const struct nf_cpuset *src, struct nf_err *err)
{
	for (int i = nf_cpuset_next(src, -1); i >= 0; i = nf_cpuset_next(src, i)) {
		int r = nf_cpuset_add(dst, i, err);

		if (r < 0)
			return r;
	}
	return 0;
}

/* A fact that cannot be read is unknown, which fails nothing: 0 and *err untouched. Other failures
 * are passed on. */
static int unless_unreadable(int r, const struct nf_err *why, struct nf_err *err)
{
	if (r == 0 || r == -NF_ENODATA || r == -NF_EOS)
		return 0;
	if (err)
		*err = *why;
	return r;
}

/* Reads a list file into the (empty) set. *ret_known is false when it is absent or unreadable: then
 * nothing is known about it, which is not the empty list. */
static int read_list(const struct nf_rootfs *root, const char *path, struct nf_cpuset *ret,
                     bool *ret_known, struct nf_err *err)
{
	struct nf_err why;
	int r = nf_rootfs_read_cpulist(root, path, ret, &why);

	*ret_known = r == 0;
	return unless_unreadable(r, &why, err);
}

/* The calling thread's mask. The kernel refuses buffers smaller than its own mask. */
static int read_affinity(struct nf_cpuset *dst, struct nf_err *err)
{
	for (size_t bits = 1024; bits <= NF_CPU_MAX; bits *= 2) {
		size_t bytes = bits / 8;
		cpu_set_t *mask = malloc(bytes);
		int r = 0;

		if (!mask)
			return nf_fail_nomem(err, "an affinity mask", bytes);
		if (sched_getaffinity(0, bytes, mask) != 0) {
			int e = errno;

			free(mask);
			if (e == EINVAL)
				continue;
			return nf_fail_os(err, e, "sched_getaffinity");
		}
		for (size_t i = 0; i < bits && r == 0; i++)
			if (CPU_ISSET_S(i, bytes, mask))
				r = nf_cpuset_add(dst, (int)i, err);
		free(mask);
		return r;
	}
	return nf_fail(err, NF_EUNSUPPORTED, "the kernel's affinity mask has more than %d CPUs",
	               NF_CPU_MAX);
}

/* A list of proc/self/status: of CPUs, or of nodes, whose numbers are as small. */
static int read_status_list(const struct nf_rootfs *root, const char *key, struct nf_cpuset *dst,
                            bool *ret_known, struct nf_err *err)
{
	struct nf_buf text;
	struct nf_err why;
	char *line, *end;
	int r;

	nf_buf_init(&text, FILE_MAX_BYTES);
	*ret_known = false;
	r = nf_rootfs_read(root, "proc/self/status", &text, &why);
	if (r < 0) {
		r = unless_unreadable(r, &why, err);
		goto out;
	}
	for (line = text.data; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, strlen(key)) == 0)
			break;
	}
	if (!line)
		goto out;
	line += strlen(key);
	end = strchr(line, '\n');
	if (end)
		*end = '\0';
	r = nf_cpuset_parse(line, true, dst, &why);
	*ret_known = r == 0;
	if (r == -NF_EARG)
		r = nf_fail(err, NF_EDATA, "%s/proc/self/status: %s %.200s", root->path, key,
		            why.msg);
	else if (r < 0 && err)
		*err = why;
out:
	nf_buf_fini(&text);
	return r;
}

/* known, online, allowed and isolated. hwloc's allowed set is the cgroup's cpuset. */
static int load_sets(struct nf_topology *t, const struct nf_rootfs *root,
                     struct nf_cpuset *ret_isolated, struct nf_err *err)
{
	struct nf_cpuset set, cpuset;
	bool known;
	int r;

	nf_cpuset_init(&set);
	nf_cpuset_init(&cpuset);
	if ((r = nf_topology_from_bitmap(hwloc_topology_get_complete_cpuset(t->hw), &t->known,
	                                 err)) < 0 ||
	    (r = nf_topology_from_bitmap(hwloc_topology_get_topology_cpuset(t->hw), &t->online,
	                                 err)) < 0 ||
	    (r = nf_topology_from_bitmap(hwloc_topology_get_allowed_cpuset(t->hw), &cpuset, err)) <
	            0)
		goto out;
	/* Present but never brought up: such a CPU may have no folder for hwloc to see. */
	if ((r = read_list(root, "sys/devices/system/cpu/present", &set, &known, err)) < 0 ||
	    (r = add_all(&t->known, &set, err)) < 0)
		goto out;
	nf_cpuset_fini(&set);
	if ((r = read_list(root, "sys/devices/system/cpu/online", &set, &known, err)) < 0)
		goto out;
	if (known)
		nf_cpuset_and(&t->online, &set);
	nf_cpuset_and(&cpuset, &t->online);
	nf_cpuset_fini(&set);

	if (t->is_this_system) {
		known = true;
		r = read_affinity(&set, err);
	} else {
		r = read_status_list(root, "Cpus_allowed_list:", &set, &known, err);
	}
	if (r < 0 || (r = nf_cpuset_copy(&t->allowed, &cpuset, err)) < 0)
		goto out;
	if (known)
		nf_cpuset_and(&t->allowed, &set);
	nf_cpuset_fini(&set);

	if ((r = read_list(root, "sys/devices/system/cpu/isolated", ret_isolated, &known, err)) <
	            0 ||
	    (r = read_list(root, "sys/fs/cgroup/cpuset.cpus.isolated", &set, &known, err)) < 0 ||
	    (r = add_all(ret_isolated, &set, err)) < 0 ||
	    (r = nf_cpuset_copy(&t->isolated, ret_isolated, err)) < 0)
		goto out;
	nf_cpuset_and(&t->isolated, &cpuset);
out:
	nf_cpuset_fini(&set);
	nf_cpuset_fini(&cpuset);
	return r;
}

static int logical_ancestor(hwloc_topology_t hw, hwloc_obj_t pu, hwloc_obj_type_t type)
{
	hwloc_obj_t o = hwloc_get_ancestor_obj_by_type(hw, type, pu);

	return o ? (int)o->logical_index : -1;
}

/* The node with the fewest CPUs among those that hold this one: a memory-only node (CXL, HBM) hangs
 * beside or above the node of the CPU's own DRAM, and the lower index is the older. */
static int nearest_node(hwloc_topology_t hw, int cpu)
{
	int best = -1, best_weight = 0;

	for (hwloc_obj_t n = NULL; (n = hwloc_get_next_obj_by_type(hw, HWLOC_OBJ_NUMANODE, n));) {
		int weight = hwloc_bitmap_weight(n->cpuset);

		if (!hwloc_bitmap_isset(n->cpuset, (unsigned)cpu))
			continue;
		if (best < 0 || weight < best_weight ||
		    (weight == best_weight && (int)n->os_index < best)) {
			best = (int)n->os_index;
			best_weight = weight;
		}
	}
	return best;
}

/* Kinds count only when hwloc could rank all of them: unranked kinds have an arbitrary order. */
static int load_kinds(struct nf_topology *t, struct nf_err *err)
{
	int n = hwloc_cpukinds_get_nr(t->hw, 0);
	hwloc_bitmap_t set;

	t->n_kinds = 1;
	if (n < 2)
		return 0;
	set = hwloc_bitmap_alloc();
	if (!set)
		return nf_fail_nomem(err, "a CPU set", 0);
	for (int k = 0; k < n; k++) {
		int efficiency = -1;

		if (hwloc_cpukinds_get_info(t->hw, (unsigned)k, set, &efficiency, NULL, NULL, 0) !=
		            0 ||
		    efficiency < 0)
			goto out;
	}
	t->n_kinds = (size_t)n;
	for (int k = 0; k < n; k++) {
		if (hwloc_cpukinds_get_info(t->hw, (unsigned)k, set, NULL, NULL, NULL, 0) != 0)
			continue;
		for (size_t i = 0; i < t->n_cpus; i++)
			if (hwloc_bitmap_isset(set, (unsigned)t->cpu[i].cpu))
				t->cpu[i].kind = k;
	}
out:
	hwloc_bitmap_free(set);
	return 0;
}

static int load_cpus(struct nf_topology *t, const struct nf_cpuset *isolated, struct nf_err *err)
{
	size_t n = nf_cpuset_count(&t->known), i = 0;
	int n_packages;

	if (n == 0)
		return nf_fail(err, NF_ENODATA, "no CPU found");
	t->cpu = calloc(n, sizeof(*t->cpu));
	if (!t->cpu)
		return nf_fail_nomem(err, "the CPU table", n * sizeof(*t->cpu));
	for (int c = nf_cpuset_next(&t->known, -1); c >= 0; c = nf_cpuset_next(&t->known, c)) {
		hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(t->hw, (unsigned)c);

		t->cpu[i++] = (struct nf_cpu_info){
			.cpu = c,
			.online = nf_cpuset_has(&t->online, c),
			.allowed = nf_cpuset_has(&t->allowed, c),
			.isolated = nf_cpuset_has(isolated, c),
			.package = pu ? logical_ancestor(t->hw, pu, HWLOC_OBJ_PACKAGE) : -1,
			.core = pu ? logical_ancestor(t->hw, pu, HWLOC_OBJ_CORE) : -1,
			.node = pu ? nearest_node(t->hw, c) : -1,
			.kind = -1,
		};
	}
	t->n_cpus = n;
	n_packages = hwloc_get_nbobjs_by_type(t->hw, HWLOC_OBJ_PACKAGE);
	t->n_packages = n_packages > 0 ? (size_t)n_packages : 0;
	return load_kinds(t, err);
}

static int by_int(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* One row of the kernel's table: as many numbers as there are online nodes, in their order. */
static int load_distance_row(struct nf_topology *t, const struct nf_rootfs *root, size_t row,
                             const struct nf_cpuset *nodes_online, struct nf_err *err)
{
	char path[64];
	struct nf_buf text;
	struct nf_err why;
	int r, to;

	nf_buf_init(&text, FILE_MAX_BYTES);
	snprintf(path, sizeof(path), "sys/devices/system/node/node%d/distance", t->node[row]);
	r = nf_rootfs_read(root, path, &text, &why);
	if (r < 0) { /* absent: a kernel without NUMA */
		r = unless_unreadable(r, &why, err);
		goto out;
	}
	to = nf_cpuset_next(nodes_online, -1);
	for (char *p = text.data; r == 0 && to >= 0; to = nf_cpuset_next(nodes_online, to)) {
		char *end;
		long v = strtol(p, &end, 10);
		int pos = nf_topology_node_pos(t, to);

		if (end == p || v < 0 || v > 255) {
			r = nf_fail(err, NF_EDATA, "%s: no distance to node %d", path, to);
			break;
		}
		if (pos >= 0)
			t->distance[row * t->n_nodes + (size_t)pos] = (int)v;
		p = end;
	}
out:
	nf_buf_fini(&text);
	return r;
}

/* hwloc's allowed nodes are those of the cpuset; the process may have been given fewer. A list without
 * any node that is here tells nothing. */
static int load_allowed_nodes(struct nf_topology *t, const struct nf_rootfs *root,
                              struct nf_err *err)
{
	hwloc_const_bitmap_t cpuset = hwloc_topology_get_allowed_nodeset(t->hw);
	struct nf_cpuset own;
	bool known;
	int r;

	t->node_allowed = calloc(t->n_nodes, sizeof(*t->node_allowed));
	if (!t->node_allowed)
		return nf_fail_nomem(err, "the node tables", t->n_nodes);
	nf_cpuset_init(&own);
	r = read_status_list(root, "Mems_allowed_list:", &own, &known, err);
	for (size_t i = 0; i < t->n_nodes && r == 0; i++)
		t->node_allowed[i] = hwloc_bitmap_isset(cpuset, (unsigned)t->node[i]) &&
		                     (!known || nf_cpuset_has(&own, t->node[i]));
	if (r == 0 && nf_topology_n_nodes_allowed(t) == 0)
		for (size_t i = 0; i < t->n_nodes; i++)
			t->node_allowed[i] = true;
	nf_cpuset_fini(&own);
	return r;
}

static int load_nodes(struct nf_topology *t, const struct nf_rootfs *root, struct nf_err *err)
{
	int found = hwloc_get_nbobjs_by_type(t->hw, HWLOC_OBJ_NUMANODE);
	size_t n = found > 0 ? (size_t)found : 0;
	struct nf_cpuset nodes_online;
	bool known;
	int r = 0;

	nf_cpuset_init(&nodes_online);
	if (n == 0 || n > NODES_MAX)
		return nf_fail(err, NF_EDATA, "%zu NUMA nodes, at least 1 and at most %d expected",
		               n, NODES_MAX);
	t->node = calloc(n, sizeof(*t->node));
	t->node_mem_bytes = calloc(n, sizeof(*t->node_mem_bytes));
	t->distance = calloc(n * n, sizeof(*t->distance));
	if (!t->node || !t->node_mem_bytes || !t->distance)
		return nf_fail_nomem(err, "the node tables", n * n * sizeof(*t->distance));
	t->n_nodes = n;
	memset(t->distance, 0xff, n * n * sizeof(*t->distance)); /* -1: unknown */
	n = 0;
	for (hwloc_obj_t o = NULL;
	     n < t->n_nodes && (o = hwloc_get_next_obj_by_type(t->hw, HWLOC_OBJ_NUMANODE, o));)
		t->node[n++] = (int)o->os_index;
	qsort(t->node, n, sizeof(*t->node), by_int);
	for (hwloc_obj_t o = NULL;
	     (o = hwloc_get_next_obj_by_type(t->hw, HWLOC_OBJ_NUMANODE, o));) {
		int pos = nf_topology_node_pos(t, (int)o->os_index);
		uint64_t bytes = o->attr->numanode.local_memory;
		char path[64];

		snprintf(path, sizeof(path), "sys/devices/system/node/node%u/meminfo", o->os_index);
		if (pos >= 0)
			t->node_mem_bytes[pos] =
			        bytes == 0 && !nf_rootfs_exists(root, path) ? -1 : (int64_t)bytes;
	}
	r = read_list(root, "sys/devices/system/node/online", &nodes_online, &known, err);
	for (size_t i = 0; i < t->n_nodes && r == 0 && known; i++)
		r = load_distance_row(t, root, i, &nodes_online, err);
	nf_cpuset_fini(&nodes_online);
	return r < 0 ? r : load_allowed_nodes(t, root, err);
}

int nf_topology_load(const struct nf_rootfs *root, struct nf_topology **ret, struct nf_err *err)
{
	struct nf_topology *t = calloc(1, sizeof(*t));
	struct nf_cpuset isolated;
	int r;

	if (!t)
		return nf_fail_nomem(err, "the topology", sizeof(*t));
	nf_cpuset_init(&isolated);
	nf_cpuset_init(&t->known);
	nf_cpuset_init(&t->online);
	nf_cpuset_init(&t->allowed);
	nf_cpuset_init(&t->isolated);
	r = nf_topology_hwloc_load(root, &t->hw, err);
	if (r < 0)
		goto out;
	t->is_this_system = root->live;
	if ((r = load_sets(t, root, &isolated, err)) < 0 ||
	    (r = load_cpus(t, &isolated, err)) < 0 || (r = load_nodes(t, root, err)) < 0)
		goto out;
	*ret = t;
	t = NULL;
out:
	nf_cpuset_fini(&isolated);
	nf_topology_free(t);
	return r;
}

void nf_topology_free(struct nf_topology *t)
{
	if (!t)
		return;
	nf_cpuset_fini(&t->known);
	nf_cpuset_fini(&t->online);
	nf_cpuset_fini(&t->allowed);
	nf_cpuset_fini(&t->isolated);
	free(t->cpu);
	free(t->node);
	free(t->node_mem_bytes);
	free(t->node_allowed);
	free(t->distance);
	if (t->hw)
		hwloc_topology_destroy(t->hw);
	free(t);
}

size_t nf_topology_n_cpus(const struct nf_topology *t)
{
	return t->n_cpus;
}

const struct nf_cpu_info *nf_topology_cpu_at(const struct nf_topology *t, size_t i)
{
	return i < t->n_cpus ? &t->cpu[i] : NULL;
}

static int by_cpu(const void *key, const void *elem)
{
	const int *cpu = key;
	const struct nf_cpu_info *info = elem;

	return (*cpu > info->cpu) - (*cpu < info->cpu);
}

const struct nf_cpu_info *nf_topology_cpu(const struct nf_topology *t, int cpu)
{
	return bsearch(&cpu, t->cpu, t->n_cpus, sizeof(*t->cpu), by_cpu);
}

size_t nf_topology_n_cores(const struct nf_topology *t, bool allowed_only)
{
	size_t n = 0;

	for (hwloc_obj_t o = NULL; (o = hwloc_get_next_obj_by_type(t->hw, HWLOC_OBJ_CORE, o));) {
		const struct nf_cpuset *want = allowed_only ? &t->allowed : &t->online;

		for (int c = hwloc_bitmap_first(o->cpuset); c >= 0;
		     c = hwloc_bitmap_next(o->cpuset, c)) {
			if (nf_cpuset_has(want, c)) {
				n++;
				break;
			}
		}
	}
	return n;
}

size_t nf_topology_n_packages(const struct nf_topology *t)
{
	return t->n_packages;
}

size_t nf_topology_n_kinds(const struct nf_topology *t)
{
	return t->n_kinds;
}

size_t nf_topology_n_nodes(const struct nf_topology *t)
{
	return t->n_nodes;
}

int nf_topology_node_os_index(const struct nf_topology *t, size_t i)
{
	return i < t->n_nodes ? t->node[i] : -1;
}

int nf_topology_node_pos(const struct nf_topology *t, int node)
{
	for (size_t i = 0; i < t->n_nodes; i++)
		if (t->node[i] == node)
			return (int)i;
	return -1;
}

bool nf_topology_node_allowed(const struct nf_topology *t, int node)
{
	int pos = nf_topology_node_pos(t, node);

	return pos >= 0 && t->node_allowed[pos];
}

size_t nf_topology_n_nodes_allowed(const struct nf_topology *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_nodes; i++)
		n += t->node_allowed[i];
	return n;
}

int nf_topology_distance(const struct nf_topology *t, int from_node, int to_node)
{
	int from = nf_topology_node_pos(t, from_node), to = nf_topology_node_pos(t, to_node);

	return from < 0 || to < 0 ? -1 : t->distance[(size_t)from * t->n_nodes + (size_t)to];
}

int64_t nf_topology_node_mem_bytes(const struct nf_topology *t, int node)
{
	int pos = nf_topology_node_pos(t, node);

	return pos < 0 ? -1 : t->node_mem_bytes[pos];
}

const struct nf_cpuset *nf_topology_allowed(const struct nf_topology *t)
{
	return &t->allowed;
}

const struct nf_cpuset *nf_topology_online(const struct nf_topology *t)
{
	return &t->online;
}

const struct nf_cpuset *nf_topology_isolated(const struct nf_topology *t)
{
	return &t->isolated;
}
