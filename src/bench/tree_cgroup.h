/* SPDX-License-Identifier: MIT */
/*
 * tree_cgroup - a control group (version 2, Linux 5.19 or later) of its own for one execution of a command: the
 * kernel counts what all of its processes use together, memory.peak. It charges page cache and kernel memory, too.
 * Linux, Documentation/admin-guide/cgroup-v2.rst.
 */
#ifndef NF_BENCH_TREE_CGROUP_H
#define NF_BENCH_TREE_CGROUP_H

#include <stdbool.h>

#include "base/fail.h"

enum { NF_TREE_CGROUP_BYTES = 1024 };

struct nf_tree_cgroup {
	char path[NF_TREE_CGROUP_BYTES]; /* "": there is none */
	char procs[NF_TREE_CGROUP_BYTES]; /* its cgroup.procs */
};

/* Where the nearest control group at or above this process's own hands out the memory controller and lets a group be
 * made. root: "", or in front of /proc and /sys of another tree. False: this host or this user does
 * not allow it; nothing is left. */
bool nf_tree_cgroup_make(const char *root, struct nf_tree_cgroup *ret);
/* Its peak. False: no process was in it, or it cannot be read. */
bool nf_tree_cgroup_peak(const struct nf_tree_cgroup *g, double *ret_bytes);
/* Ends what is left in it and removes it; fine if there is none. -NF_EOS: it is still there. */
NF_NODISCARD int nf_tree_cgroup_remove(struct nf_tree_cgroup *g, struct nf_err *err);

#endif
