/* SPDX-License-Identifier: MIT */
/* macros_impl - what the files macros*.c share: the state of one search. */
#ifndef NF_SOURCE_MACROS_IMPL_H
#define NF_SOURCE_MACROS_IMPL_H

#include "source/macros.h"
#include "source/names.h"

/* What a file's #include lines bring: a file that defines a name that matters, and the line that does. */
struct nf_src_brought {
	uint32_t file;
	uint32_t include; /* index of the line */
};

/* A test of a file that nothing of its own decides: it depends on who includes the file. */
struct nf_src_open_test {
	uint32_t name, file, line;
	const char *text; /* in the arena */
};

struct nf_src_finder {
	const struct nf_src_index *x;
	struct nf_arena *a;
	struct nf_src_macros *out;
	struct nf_src_names names;
	struct nf_src_graph graph;
	struct nf_src_walk walk;
	struct nf_src_bytes bytes;
	struct nf_src_unit unit; /* of the file at hand */
	struct nf_src_brought *brought; /* owned */
	size_t n_brought, cap_brought;
	bool walked; /* brought is that of the file at hand */
	struct nf_src_open_test *open; /* owned; by file */
	size_t n_open, cap_open;
	uint32_t *first_open; /* owned; of each file; tree->n + 1 */
	uint32_t *otherwise; /* owned; of each name: definitions other than 0 and #undefs */
	bool *outside_file; /* owned; of each name: a header defines it as 0 */
};

/* By name and place. */
struct nf_src_place nf_src_place_of(const struct nf_src_finder *f, const struct nf_src_event *e);
bool nf_src_is_source(const char *path); /* .c and its like, no header */
NF_NODISCARD int nf_src_add_mistake(struct nf_src_finder *f, const struct nf_src_mistake *m,
                                    struct nf_err *err);
/* The branch of u in which an offset stands: that of the directive there, whose index goes to *ret_directive
 * (may be NULL). */
int32_t nf_src_branch_at(const struct nf_src_unit *u, uint32_t offset, uint32_t *ret_directive);

/* Open tests that definitions of other files reach (macros_outside.c). */
NF_NODISCARD int nf_src_look_outside(struct nf_src_finder *f, const struct nf_stop *stop,
                                     struct nf_err *err);

#endif
