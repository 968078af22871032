/* SPDX-License-Identifier: MIT */
/*
 * macros - macros that are defined as 0 and asked for by definedness: #ifdef X holds although X says off.
 *
 * A definition counts for a test when the compiler sees it there: it stands before the test in the same file,
 * in a file that the test's file includes before the test, or in a source file that includes the test's file
 * after it, or in a header that such a source file includes before the test's file. Definitions that cannot be compiled together with the test (other branches of one #if), that are
 * undefined or overwritten on the way, and tests that may be meant as they are (enum nf_src_purpose) do not
 * count.
 */
#ifndef NF_SOURCE_MACROS_H
#define NF_SOURCE_MACROS_H

#include "source/include.h"
#include "source/unit.h"

enum nf_src_reach {
	NF_SRC_REACH_FOLDER, /* no way is known; the definition is in the same folder */
	NF_SRC_REACH_FILE, /* same file, before the test */
	NF_SRC_REACH_INCLUDE, /* in a file that the test's file includes before it */
	NF_SRC_REACH_INCLUDER, /* in a source file that includes the test's file after it, or in a header that it includes before */
};

enum nf_src_place_kind { NF_SRC_PLACE_ZERO, NF_SRC_PLACE_OTHER, NF_SRC_PLACE_UNDEF };

struct nf_src_place {
	const char *path; /* of the tree */
	uint32_t line;
	enum nf_src_place_kind kind;
};

enum { NF_SRC_ALSO_MAX = 4, NF_SRC_MISTAKES_MAX = 1 << 20 };

struct nf_src_mistake {
	const char *name; /* in the arena, as test_text */
	struct nf_src_place define; /* as 0 */
	struct nf_src_place test;
	const char *test_text; /* the directive on one line, cut */
	enum nf_src_reach reach;
	struct nf_src_place via; /* the #include line; line 0: same file or folder */
	/* The definition depends on a condition that the test does not, and nothing defines it otherwise. */
	bool conditional;
	bool constant; /* a number: of libc, or it stands in a list of numbered constants */
	/* What the test may see instead, or before: n_also places, the first of them. */
	struct nf_src_place also[NF_SRC_ALSO_MAX];
	uint32_t n_also;
	uint32_t
	        elsewhere; /* definitions otherwise and #undefs in files that do not reach the test */
};

struct nf_src_macros {
	struct nf_src_mistake *item; /* owned; in the order of the tests' paths and lines */
	size_t n, cap;
	uint64_t zeros, tests; /* definitions as 0 and tests of definedness in all files */
	uint64_t names; /* macros that have both */
	uint64_t lost; /* files that could not be read again: what they hold is missing */
	uint64_t resolved, outside, ambiguous; /* #include lines that were followed or not */
};

/* Files that cannot be read again since the scan are counted and left out. */
NF_NODISCARD int nf_src_macros_find(const struct nf_src_index *x, struct nf_arena *a,
                                    const struct nf_stop *stop, struct nf_src_macros *ret,
                                    struct nf_err *err);
void nf_src_macros_fini(struct nf_src_macros *m);

/* Of what is reported unless all is asked for: the definition is certain to reach the test and nothing makes
 * it a number. */
bool nf_src_mistake_certain(const struct nf_src_mistake *m);

#endif
