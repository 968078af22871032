/* SPDX-License-Identifier: MIT */
/*
 * tree - the C sources below files and folders, and their bytes.
 *
 * Of a folder the files whose names end like C's are taken (nf_src_is_source_name()); a file that is named
 * itself is taken whatever its name. Symbolic links inside a folder are not followed, so nothing is read
 * twice and no loop is entered; folders and devices of another kind are passed over. The list is in byte
 * order of the paths, whatever order the file system gives.
 */
#ifndef NF_SOURCE_TREE_H
#define NF_SOURCE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/stop.h"

enum {
	NF_SRC_FILES_MAX = 1 << 22,
	NF_SRC_DEPTH_MAX = 64, /* folders in folders */
	NF_SRC_FILE_BYTES_MAX = (1 << 28) - 1, /* offsets are kept in 28 bits */
	NF_SRC_NOTES_MAX = 100, /* of each kind of trouble told by name; the rest is counted */
};

struct nf_src_trouble {
	const char *path; /* in the arena */
	const char *why;
};

struct nf_src_tree {
	struct nf_arena *a; /* borrowed; paths live in it */
	const char **path; /* owned; n of them, sorted, none twice */
	size_t n, cap;
	uint64_t links; /* symbolic links passed over */
	struct nf_src_trouble *trouble; /* owned; what could not be read */
	size_t n_trouble;
	uint64_t troubles; /* those too that are not told by name */
};

void nf_src_tree_init(struct nf_src_tree *t, struct nf_arena *a);
void nf_src_tree_fini(struct nf_src_tree *t);
/* A file or a folder that a user named. -NF_EARG: it is not there or neither. A folder below it that cannot
 * be read is a trouble, no failure. */
NF_NODISCARD int nf_src_tree_add(struct nf_src_tree *t, const char *path, struct nf_err *err);
/* Sorts; paths that were found twice are there once. */
void nf_src_tree_finish(struct nf_src_tree *t);
/* Notes that a path could not be read. */
NF_NODISCARD int nf_src_tree_note(struct nf_src_tree *t, const char *path, const char *why,
                                  struct nf_err *err);

/* Ends with .c .h .S .s .cc .cpp .cxx .hh .hpp .hxx .inc .def, or another ending of C's. */
bool nf_src_is_source_name(const char *name);

enum nf_src_read {
	NF_SRC_READ_OK,
	NF_SRC_READ_BINARY, /* a NUL among its first 8 KiB */
	NF_SRC_READ_LARGE, /* more than NF_SRC_FILE_BYTES_MAX */
	NF_SRC_READ_FAILED, /* os_errno says why */
};
/* A buffer that is used for file after file. */
struct nf_src_bytes {
	char *data; /* owned */
	size_t len, cap;
	uint64_t dev, ino;
	int os_errno;
};
/* The whole file. -NF_ENOMEM only; whatever else goes wrong is in *ret. */
NF_NODISCARD int nf_src_read_file(const char *path, struct nf_src_bytes *b, enum nf_src_read *ret,
                                  struct nf_err *err);

#endif
