/* SPDX-License-Identifier: MIT */
/*
 * scan - one pass over all files of a tree, by a few threads: where macros are defined, undefined and asked
 * for, what is included, and which files read a clock.
 *
 * Names are kept as hashes: what matters is decided by them and read again, exactly, later (file.h). A
 * directive costs 12 bytes, a file that holds none nothing.
 */
#ifndef NF_SOURCE_SCAN_H
#define NF_SOURCE_SCAN_H

#include "source/text.h"
#include "source/tree.h"

enum {
	NF_SRC_HITS_MAX = 1 << 26, /* directives of one thread that are remembered: 768 MiB */
	NF_SRC_INCLUDES_MAX = 1 << 24, /* and #include lines */
	NF_SRC_THREADS_MAX = 8,
};

enum nf_src_hit_kind { NF_SRC_HIT_ZERO, NF_SRC_HIT_OTHER, NF_SRC_HIT_UNDEF, NF_SRC_HIT_TEST };

struct nf_src_hit {
	uint32_t hash; /* of the macro's name */
	uint32_t file; /* of the tree's paths */
	uint32_t offset : 28; /* of the directive's '#' */
	uint32_t kind : 4; /* enum nf_src_hit_kind */
};

struct nf_src_include {
	size_t name; /* in the thread's text */
	uint32_t len;
	uint32_t offset : 28; /* of the directive's '#' */
	uint32_t quoted : 1;
	uint32_t
	        conditional : 1; /* stands in a condition other than the file's guard, or one for C at all */
};

enum nf_src_state {
	NF_SRC_UNREAD, /* the scan was stopped before it */
	NF_SRC_SCANNED,
	NF_SRC_BINARY,
	NF_SRC_LARGE,
	NF_SRC_UNREADABLE,
	NF_SRC_SAME, /* the same file as one before, under another name */
};

struct nf_src_file {
	uint8_t state; /* enum nf_src_state */
	uint8_t thread; /* that scanned it */
	bool reads_clock;
	int os_errno; /* UNREADABLE */
	uint32_t first_include, n_includes;
	uint64_t dev, ino, bytes;
};

struct nf_src_part {
	struct nf_src_hit *hit; /* owned */
	size_t n_hits, cap_hits;
	struct nf_src_include *include; /* owned */
	size_t n_includes, cap_includes;
	char *text; /* owned; names of included files */
	size_t len_text, cap_text;
};

struct nf_src_index {
	const struct nf_src_tree *tree; /* borrowed */
	struct nf_src_file *file; /* owned; tree->n */
	struct nf_src_part part[NF_SRC_THREADS_MAX];
	unsigned threads;
	uint64_t scanned, bytes, binary, large, unreadable, same, unread;
};

struct nf_src_scan_opts {
	unsigned threads; /* 1..NF_SRC_THREADS_MAX */
	bool all_clocks; /* every file is taken to read a clock: the user has names of their own */
	const struct nf_stop *stop; /* may be NULL */
};

/* nf_src_index_fini() also after a failure. What cannot be read is counted and is no failure. */
NF_NODISCARD int nf_src_index_make(const struct nf_src_tree *t, const struct nf_src_scan_opts *o,
                                   struct nf_src_index *ret, struct nf_err *err);
void nf_src_index_fini(struct nf_src_index *x);

static inline const struct nf_src_include *nf_src_includes_of(const struct nf_src_index *x,
                                                              uint32_t file)
{
	return x->part[x->file[file].thread].include + x->file[file].first_include;
}

static inline struct nf_src_word nf_src_include_name(const struct nf_src_index *x, uint32_t file,
                                                     const struct nf_src_include *i)
{
	return (struct nf_src_word){ x->part[x->file[file].thread].text + i->name, i->len };
}

#endif
