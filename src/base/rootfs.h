/* SPDX-License-Identifier: MIT */
/*
 * rootfs - reads a /proc + /sys tree below a directory fd: the live host or a captured one.
 *
 * Paths are relative, without a leading slash ("proc/cmdline"). Nothing is ever written. Absent and
 * unreadable differ: an absent file gives -NF_ENODATA, every other failure -NF_EOS. Symbolic links of
 * a captured tree are resolved inside it, also absolute ones.
 */
#ifndef NF_BASE_ROOTFS_H
#define NF_BASE_ROOTFS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/cpuset.h"

struct nf_rootfs {
	int dirfd; /* owned */
	bool live; /* the root is "/": what it shows is this host, now */
	char path[256]; /* for messages; cut when longer */
};

/* path NULL or "/": the live host. */
NF_NODISCARD int nf_rootfs_open(struct nf_rootfs *r, const char *path, struct nf_err *err);
void nf_rootfs_close(struct nf_rootfs *r);

/* Appends the whole file to out (its ceiling applies). /proc files report size 0: reads to EOF. */
NF_NODISCARD int nf_rootfs_read(const struct nf_rootfs *r, const char *path, struct nf_buf *out,
                                struct nf_err *err);
/* First line without its newline, trailing white space cut, as an arena string. NULs inside end it. */
NF_NODISCARD int nf_rootfs_read_line(const struct nf_rootfs *r, const char *path,
                                     struct nf_arena *a, const char **ret, struct nf_err *err);
NF_NODISCARD int nf_rootfs_read_i64(const struct nf_rootfs *r, const char *path, int64_t *ret,
                                    struct nf_err *err); /* not a number: -NF_EDATA */
/* ret is an initialised set; its content is replaced. Not a list: -NF_EDATA. */
NF_NODISCARD int nf_rootfs_read_cpulist(const struct nf_rootfs *r, const char *path,
                                        struct nf_cpuset *ret, struct nf_err *err);
bool nf_rootfs_exists(const struct nf_rootfs *r, const char *path);
/* Calls fn for every entry but . and .., in byte order of the names; fn's non-zero value stops and is
 * returned. */
typedef int nf_rootfs_entry_fn(void *ctx, const char *name);
NF_NODISCARD int nf_rootfs_list(const struct nf_rootfs *r, const char *path, nf_rootfs_entry_fn *fn,
                                void *ctx, struct nf_err *err);
/* Last component of a symbolic link's target (e.g. a driver or subsystem). */
NF_NODISCARD int nf_rootfs_readlink_base(const struct nf_rootfs *r, const char *path,
                                         struct nf_arena *a, const char **ret, struct nf_err *err);

#endif
