/* SPDX-License-Identifier: MIT */
/*
 * timed - prints between two reads of a clock.
 *
 * A region is marked by two reads in one function body where the second takes the difference to the first:
 * what the first gave is assigned to a variable (or handed out through an argument), and an expression
 * behind the second read, in the same function, subtracts it (b - a, ktime_sub(b, a), any call with "sub",
 * "diff", "delta", "elapsed" or "since" in its name). With expressions of the user's a region is from a line
 * that `begin` matches to the next that `end` matches.
 *
 * A print inside is certain when it is run whenever the region is: no condition stands between. One in a block that leaves the region (return, goto,
 * break, continue) is none.
 */
#ifndef NF_SOURCE_TIMED_H
#define NF_SOURCE_TIMED_H

#include <regex.h>

#include "source/macros.h"

enum { NF_SRC_PRINTS_MAX = 1 << 20 };

struct nf_src_timed_print {
	const char *path; /* of the tree */
	const char *function; /* in the arena; "": not recognised */
	const char *call; /* in the arena; what prints */
	uint32_t begin, print, end; /* lines */
	bool conditional;
};

struct nf_src_timed {
	struct nf_src_timed_print *item; /* owned; by path, then line */
	size_t n, cap;
	uint64_t regions;
	uint64_t lost; /* files that could not be read again */
};

struct nf_src_timed_opts {
	const regex_t *begin, *end; /* both or none */
	const struct nf_stop *stop;
};

/* One file's bytes. Adds to t. */
NF_NODISCARD int nf_src_timed_look(const char *path, const char *data, size_t len,
                                   const struct nf_src_timed_opts *o, struct nf_arena *a,
                                   struct nf_src_timed *t, struct nf_err *err);
/* All files of the index that read a clock. */
NF_NODISCARD int nf_src_timed_find(const struct nf_src_index *x, const struct nf_src_timed_opts *o,
                                   struct nf_arena *a, struct nf_src_timed *ret,
                                   struct nf_err *err);
void nf_src_timed_fini(struct nf_src_timed *t);

#endif
