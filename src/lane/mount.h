/* SPDX-License-Identifier: MIT */
/* mount - which volume a folder is on, of a /proc/self/mountinfo. Pure. */
#ifndef NF_LANE_MOUNT_H
#define NF_LANE_MOUNT_H

#include <stdbool.h>

#include "base/arena.h"

struct nf_lane_mount {
	const char *point; /* where it is mounted; all texts live in the arena */
	const char *type; /* "ext4" */
	const char *source; /* "/dev/vda1" */
	const char *device; /* "254:1" */
	bool read_only;
};

/* The mount that path, absolute and without links, is on: the deepest, the last of those that cover each other
 * (proc(5), mountinfo). -NF_ENODATA: none. */
NF_NODISCARD int nf_lane_mount_of(const char *mountinfo, size_t len_bytes, const char *path,
                                  struct nf_arena *a, struct nf_lane_mount *ret,
                                  struct nf_err *err);

#endif
