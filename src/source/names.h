/* SPDX-License-Identifier: MIT */
/* names - the macros that are both defined as 0 and asked for, and where each is defined. */
#ifndef NF_SOURCE_NAMES_H
#define NF_SOURCE_NAMES_H

#include "source/scan.h"
#include "source/unit.h"

#define NF_SRC_NO_NAME UINT32_MAX

/* A #define or #undef of a macro that matters. */
struct nf_src_event {
	uint32_t name; /* index into nf_src_names.name */
	uint32_t file;
	uint32_t offset, line;
	enum nf_src_hit_kind kind; /* ZERO, OTHER or UNDEF */
	bool unconditional; /* in no condition that counts */
	bool fallback; /* in the branch where the name is not defined: afterwards it is */
	bool one; /* its value is 1 */
	bool on_value; /* stands in a condition on the name's value: #if X == 0, #undef X */
	bool constant; /* a number: of libc, or followed by a neighbour with the value 1 and the same prefix */
};

struct nf_src_names {
	const struct nf_src_index *x; /* borrowed */
	struct nf_arena *a; /* borrowed */
	/* By hash: which names matter. Exact names are added when they are seen. */
	uint32_t *hash; /* owned; sorted */
	size_t n_hashes;
	struct nf_src_word *name; /* owned; texts in the arena */
	size_t n, cap;
	uint32_t *slot; /* owned; open addressing into name */
	size_t n_slots;
	struct nf_src_event *event; /* owned; by file, then offset */
	size_t n_events, cap_events;
	uint32_t *first_event; /* owned; of each file; tree->n + 1 */
	uint8_t *has; /* owned; of each file: bit 1 << enum nf_src_hit_kind of names that matter */
	uint64_t zeros, tests;
	uint64_t lost; /* files that could not be read again */
};

/* Reads again every file that defines or undefines one of them. nf_src_names_fini() also after a failure. */
NF_NODISCARD int nf_src_names_make(const struct nf_src_index *x, struct nf_arena *a,
                                   const struct nf_stop *stop, struct nf_src_names *ret,
                                   struct nf_err *err);
void nf_src_names_fini(struct nf_src_names *n);
/* NF_SRC_NO_NAME: it does not matter. */
uint32_t nf_src_names_find(const struct nf_src_names *n, struct nf_src_word w);
static inline const struct nf_src_event *nf_src_events_of(const struct nf_src_names *n,
                                                          uint32_t file, size_t *ret_n)
{
	*ret_n = n->first_event[file + 1] - n->first_event[file];
	return n->event + n->first_event[file];
}

#endif
