/* SPDX-License-Identifier: MIT */
/*
 * cgroup - where the CPU controller of this process's cgroup is, under cgroup v1 and v2, also in a
 * container. What lies above a cgroup namespace cannot be seen from inside.
 */
#ifndef NF_MACHINE_CGROUP_H
#define NF_MACHINE_CGROUP_H

#include "base/rootfs.h"

enum { NF_CGROUP_LEVELS_MAX = 64 };

struct nf_cgroup {
	int version; /* 1 or 2 */
	const char *path; /* as /proc/self/cgroup gives it; arena */
	/* Folders of the controller below the root, the process's own first, the highest visible
	 * last; arena. */
	const char *dir[NF_CGROUP_LEVELS_MAX];
	size_t n_dirs;
};

/* -NF_ENODATA: no CPU controller is mounted; -NF_EDATA: what /proc says does not fit together;
 * -NF_EOS, -NF_ENOMEM. */
NF_NODISCARD int nf_cgroup_find(const struct nf_rootfs *root, struct nf_arena *a,
                                struct nf_cgroup *ret, struct nf_err *err);

#endif
