/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/topology_impl.h"

/* hwloc takes the root of a captured tree from its environment only, which belongs to the process.
 */
static pthread_mutex_t env_lock = PTHREAD_MUTEX_INITIALIZER;

enum { N_VARS = 4 };

struct env_var {
	const char *name;
	const char *value;
	char *old; /* owned; NULL: was not set */
	bool changed;
};

/* A variable that cannot be put back (no memory) is removed: better than a stale root. */
static void env_restore(struct env_var *v, size_t n)
{
	for (size_t i = n; i-- > 0;) {
		if (v[i].changed && (!v[i].old || setenv(v[i].name, v[i].old, 1) != 0))
			unsetenv(v[i].name);
		free(v[i].old);
		v[i].old = NULL;
	}
}

static int env_set(struct env_var *v, size_t n, struct nf_err *err)
{
	for (size_t i = 0; i < n; i++) {
		const char *old = getenv(v[i].name);

		if (old && !(v[i].old = strdup(old)))
			return nf_fail_nomem(err, v[i].name, strlen(old) + 1);
		if (setenv(v[i].name, v[i].value, 1) != 0)
			return nf_fail_nomem(err, v[i].name, strlen(v[i].value) + 1);
		v[i].changed = true;
	}
	return 0;
}

static int load_locked(hwloc_topology_t hw, const struct nf_rootfs *root, struct nf_err *err)
{
	/* The x86 component would move this thread over every CPU, the isolated ones too. */
	if (hwloc_topology_set_components(hw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86") !=
	            0 ||
	    hwloc_topology_set_flags(hw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0 ||
	    hwloc_topology_set_cache_types_filter(hw, HWLOC_TYPE_FILTER_KEEP_NONE) != 0 ||
	    hwloc_topology_set_icache_types_filter(hw, HWLOC_TYPE_FILTER_KEEP_NONE) != 0)
		return nf_fail_os(err, errno, "hwloc: set up the topology of %s", root->path);
	errno = 0;
	if (hwloc_topology_load(hw) != 0) {
		if (errno == ENOMEM)
			return nf_fail_nomem(err, "the topology", 0);
		if (errno == EINVAL)
			return nf_fail(err, NF_ENODATA, "hwloc found no CPU under %s", root->path);
		return nf_fail_os(err, errno, "hwloc: load the topology of %s", root->path);
	}
	return 0;
}

int nf_topology_hwloc_load(const struct nf_rootfs *root, hwloc_topology_t *ret, struct nf_err *err)
{
	char fsroot[40];
	/* HIDE_ERRORS first: a library does not print. The rest for captured trees only. */
	struct env_var var[N_VARS] = {
		{ .name = "HWLOC_HIDE_ERRORS", .value = "2" },
		{ .name = "HWLOC_FSROOT", .value = fsroot },
		{ .name = "HWLOC_COMPONENTS", .value = "linux,stop" },
		{ .name = "HWLOC_THISSYSTEM", .value = "0" },
	};
	size_t n_vars = root->live ? 1 : N_VARS;
	hwloc_topology_t hw = NULL;
	int r;

	/* The descriptor stays right when the path is long, relative or renamed. */
	snprintf(fsroot, sizeof(fsroot), "/proc/self/fd/%d", root->dirfd);
	r = pthread_mutex_lock(&env_lock);
	if (r != 0)
		return nf_fail_os(err, r, "lock hwloc's environment");
	r = env_set(var, n_vars, err);
	if (r < 0)
		goto out;
	if (hwloc_topology_init(&hw) != 0) {
		hw = NULL;
		r = nf_fail_nomem(err, "the topology", 0);
		goto out;
	}
	r = load_locked(hw, root, err);
out:
	env_restore(var, n_vars);
	pthread_mutex_unlock(&env_lock);
	if (r == 0 && root->live && !hwloc_topology_is_thissystem(hw))
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "hwloc was told to describe another machine: unset HWLOC_XMLFILE, "
		            "HWLOC_SYNTHETIC, HWLOC_FSROOT, HWLOC_COMPONENTS and HWLOC_THISSYSTEM");
	if (r == 0)
		*ret = hw;
	else if (hw)
		hwloc_topology_destroy(hw);
	return r;
}
