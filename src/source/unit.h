/* SPDX-License-Identifier: MIT */
/*
 * unit - the directives of one file with the conditions that they stand in, and what a test of a macro's
 * definedness is for.
 */
#ifndef NF_SOURCE_UNIT_H
#define NF_SOURCE_UNIT_H

#include "base/fail.h"
#include "source/text.h"

enum { NF_SRC_UNIT_MAX = 1 << 22 /* directives of a file */ };

#define NF_SRC_TOP (-1) /* in no condition */

/* What stands between #if and #elif, #else or #endif. */
struct nf_src_branch {
	int32_t group; /* the same for the branches of one #if */
	int32_t parent; /* the branch that the #if stands in, or NF_SRC_TOP */
	int32_t next, prev; /* branches of the group, or -1 */
	uint32_t first; /* the directive that begins it */
	uint32_t end; /* the one that ends it; n: none does */
	bool open; /* the file's guard, or a condition that holds for C at all: counts as none */
};

struct nf_src_unit {
	const char *data; /* borrowed */
	size_t len;
	struct nf_src_directive *d; /* owned */
	int32_t *
	        branch; /* owned; of each directive: what it stands in; of #elif, #else and #endif too */
	int32_t *begins; /* owned; the branch that it begins, or -1 */
	struct nf_src_branch *b; /* owned */
	uint32_t n, n_branches;
	uint32_t cap, cap_branches;
	int32_t groups;
};

/* nf_src_unit_fini() also after a failure; memory is kept for the next file. -NF_EDATA: too many directives. */
NF_NODISCARD int nf_src_unit_read(struct nf_src_unit *u, const char *data, size_t len,
                                  struct nf_err *err);
void nf_src_unit_fini(struct nf_src_unit *u);

/* Whether two places cannot both be compiled: they stand in different branches of one #if, or in conditions of which
 * one asks for a name that the other excludes. */
bool nf_src_exclusive(const struct nf_src_unit *u, int32_t a, int32_t b);
/* Whether whatever is compiled at `inner` has seen what stands in `outer`. */
bool nf_src_encloses(const struct nf_src_unit *u, int32_t outer, int32_t inner);
/* Never compiled: in #if 0, #elif 0, or behind #if 1. */
bool nf_src_never(const struct nf_src_unit *u, int32_t branch);
/* In no condition that counts. */
bool nf_src_unconditional(const struct nf_src_unit *u, int32_t branch);

/* Why a test of definedness may be meant as one; MISTAKE: nothing speaks for it. */
enum nf_src_purpose {
	NF_SRC_MISTAKE,
	NF_SRC_GUARD, /* the file's own include guard */
	NF_SRC_DEFAULT, /* it is defined where it is not: #ifndef X, #define X */
	NF_SRC_REDEFINE, /* it is undefined or defined anew where it is */
	NF_SRC_REQUIRED, /* #error where it is not, or where it is */
	NF_SRC_VALUE, /* its value is asked for too, in the same expression or where it is defined */
};
/* Of the test of `name` by directive i. */
enum nf_src_purpose nf_src_purpose_of(const struct nf_src_unit *u, uint32_t i,
                                      struct nf_src_word name, bool negated);

#endif
