/* SPDX-License-Identifier: MIT */
/*
 * tar - a strict reader of a ustar stream (POSIX.1-1988 pax, "ustar interchange format", as every tar writes small trees)
 * that another machine made. Only regular files and folders, only names that cannot leave the folder: anything else ends
 * the reading. Nothing is allocated, nothing is opened.
 */
#ifndef NF_REMOTE_TAR_H
#define NF_REMOTE_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum { NF_TAR_BLOCK = 512, NF_TAR_NAME = 256 };

/* A negative code of any of them ends the reading and is passed on. path: components of letters, digits and "._+-", none
 * beginning with '.' or '-', separated by single slashes; borrowed. */
struct nf_tar_events {
	void *ctx;
	int (*folder)(void *ctx, const char *path, struct nf_err *err);
	int (*file)(void *ctx, const char *path, uint64_t size_bytes, struct nf_err *err);
	int (*data)(void *ctx, const void *data, size_t len_bytes, struct nf_err *err);
	int (*file_end)(void *ctx, struct nf_err *err);
};

struct nf_tar_limits {
	uint64_t bytes; /* of all files together */
	size_t entries;
	size_t depth; /* components of a path */
};

struct nf_tar {
	struct nf_tar_events on;
	struct nf_tar_limits limit;
	unsigned char block[NF_TAR_BLOCK];
	size_t have; /* bytes of it */
	uint64_t left; /* bytes of the file at hand that are to come */
	size_t pad; /* bytes behind it that fill its last block */
	uint64_t total_bytes;
	size_t n_entries;
	int n_zero; /* zero blocks in a row; two end the stream */
	bool in_file;
	int failed; /* the code that ended it */
};

void nf_tar_init(struct nf_tar *t, const struct nf_tar_events *on,
                 const struct nf_tar_limits *limit);
/* The next bytes of the stream, cut anywhere. -NF_EDATA: no such stream, or above a limit. After a failure every call
 * fails. What follows the end of the stream is ignored (tar fills its last record). */
NF_NODISCARD int nf_tar_feed(struct nf_tar *t, const void *data, size_t len_bytes,
                             struct nf_err *err);
/* At the end of input. -NF_EDATA: the stream does not end there. */
NF_NODISCARD int nf_tar_finish(struct nf_tar *t, struct nf_err *err);

#endif
