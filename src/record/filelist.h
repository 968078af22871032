/* SPDX-License-Identifier: MIT */
/* filelist - the files below a run folder. Internal to record/. Symbolic links are never followed. */
#ifndef NF_RECORD_FILELIST_H
#define NF_RECORD_FILELIST_H

#include <stdbool.h>

#include "base/arena.h"

enum { NF_FILELIST_DEPTH = 8, NF_FILELIST_MAX = 100000, NF_FILELIST_PATH = 1024 };

struct nf_file {
	const char *path; /* below the folder */
	bool regular; /* false: a link, a socket, ... */
};
struct nf_filelist {
	struct nf_file *file; /* in byte order of path */
	size_t n;
};

/* A relative path without empty, "." or ".." parts, control characters or backslashes (sha256sum
 * escapes those), no deeper than NF_FILELIST_DEPTH. */
bool nf_path_is_safe(const char *path);
/* Opens a safe path below dirfd; read only. The descriptor or -1 with errno set (ELOOP: a link is in the way). */
int nf_open_below(int dirfd, const char *path, int flags);
/* Every file below dirfd, but not those in the folder `skip` (NULL: none). Everything lives in a. */
NF_NODISCARD int nf_filelist_read(int dirfd, const char *skip, struct nf_arena *a,
                                  struct nf_filelist *ret, struct nf_err *err);

#endif
