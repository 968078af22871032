/* SPDX-License-Identifier: MIT */
/*
 * include - which file of the tree an #include line means, and what a file reaches through them.
 *
 * The compiler's search path is not known. A name in quotes is looked for beside the file; then any name in
 * folders above it: A/include/NAME, A/include/uapi/NAME, A/NAME, the nearest A first. A name with a folder
 * (<asm/x.h>) or in quotes that only one file of the tree can mean is that file. <asm/x.h> that an
 * architecture lacks is asm-generic/x.h. Anything else is outside of the tree or ambiguous: it reaches nothing.
 */
#ifndef NF_SOURCE_INCLUDE_H
#define NF_SOURCE_INCLUDE_H

#include "source/scan.h"

#define NF_SRC_NO_FILE UINT32_MAX

struct nf_src_graph {
	const struct nf_src_index *x; /* borrowed */
	uint32_t *head; /* owned; by the hash of a file's last name */
	uint32_t *next; /* owned; tree->n */
	uint32_t **
	        edge; /* owned, each too; NULL: not resolved yet; one a line of nf_src_includes_of() */
	uint32_t mask;
	uint64_t resolved, outside, ambiguous; /* #include lines that were looked at */
};

NF_NODISCARD int nf_src_graph_make(const struct nf_src_index *x, struct nf_src_graph *ret,
                                   struct nf_err *err);
void nf_src_graph_fini(struct nf_src_graph *g);

/* The file that each #include line of `file` means, or NF_SRC_NO_FILE; n_includes of them. */
NF_NODISCARD int nf_src_graph_edges(struct nf_src_graph *g, uint32_t file, const uint32_t **ret,
                                    struct nf_err *err);
/* Whether some file of this last name is there more than once is of no matter: is it one that could be
 * meant? For tests too: what `name` means in `from`. */
uint32_t nf_src_graph_resolve(const struct nf_src_graph *g, uint32_t from, struct nf_src_word name,
                              bool quoted, bool *ambiguous);

/* A walk over everything that is reached; kept for many. */
struct nf_src_walk {
	uint32_t *seen; /* owned; the walk that saw a file last */
	uint32_t *queue; /* owned */
	uint32_t now;
	size_t n; /* files of this walk, in queue[0..n) */
	size_t done; /* of them, looked at */
};
NF_NODISCARD int nf_src_walk_init(struct nf_src_walk *w, size_t n_files, struct nf_err *err);
void nf_src_walk_fini(struct nf_src_walk *w);
void nf_src_walk_begin(struct nf_src_walk *w);
/* Adds a file and all that it reaches over unconditional #include lines; files seen already in this walk
 * are left out. The new ones are w->queue[from before w->n]. */
NF_NODISCARD int nf_src_walk_from(struct nf_src_graph *g, struct nf_src_walk *w, uint32_t file,
                                  struct nf_err *err);
static inline bool nf_src_walk_saw(const struct nf_src_walk *w, uint32_t file)
{
	return w->seen[file] == w->now;
}

#endif
