/* SPDX-License-Identifier: MIT */
/*
 * grub_block - GRUB's environment block: what the menu and a running system tell each other. Pure.
 *
 * The file is a signature line, then lines NAME=VALUE in which a backslash stands before a backslash and
 * before a newline of the value, then '#' to its end; 1,024 bytes as it is made (GNU GRUB manual, "The GRUB
 * environment block").
 */
#ifndef NF_LANE_GRUB_BLOCK_H
#define NF_LANE_GRUB_BLOCK_H

#include "base/arena.h"

enum { NF_GRUB_BLOCK_MAX_BYTES = 64 << 10 };

struct nf_grub_var {
	const char *name;
	const char *value; /* as it is meant, escapes undone */
};

struct nf_grub_block {
	struct nf_grub_var *var; /* in the arena, like every text; in the order of the file */
	size_t n;
};

/* path: for messages. -NF_EDATA: no environment block (signature, a line without '=', a NUL, something behind
 * the padding began, larger than the limit): GRUB would not read it either. */
NF_NODISCARD int nf_grub_block_parse(const char *data, size_t len_bytes, const char *path,
                                     struct nf_arena *a, struct nf_grub_block *ret,
                                     struct nf_err *err);
/* NULL: not set. An empty value counts as GRUB counts it, as not set, but is returned. */
const char *nf_grub_block_get(const struct nf_grub_block *b, const char *name);

#endif
