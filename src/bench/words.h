/* SPDX-License-Identifier: MIT */
/*
 * words - a command line in one text, taken apart as a shell would, but for what only a shell can do.
 * Pure.
 */
#ifndef NF_BENCH_WORDS_H
#define NF_BENCH_WORDS_H

#include <stddef.h>

#include "base/buf.h"

enum { NF_BENCH_LABEL_MAX = 4 << 20, NF_BENCH_WORDS_MAX = 65536 };

struct nf_bench_words {
	char **word; /* owned in one block; n of them, then NULL */
	size_t n;
};
/* Words are separated by blanks; '...' is taken as it is, in "..." a backslash keeps its meaning before
 * \ " $ ` only, elsewhere it takes the next character as it is. -NF_EARG: a quote without its end, no word at
 * all, or something unquoted that needs a shell: | & ; < > ( ) $ ` * ? [ ~ # at a word's begin, NAME=value in front. */
NF_NODISCARD int nf_bench_words_split(const char *text, struct nf_bench_words *ret,
                                      struct nf_err *err);
void nf_bench_words_fini(struct nf_bench_words *w); /* zeroed is fine */

/* One text that splits into these words again; what is plain is not quoted. */
void nf_bench_words_join(const char *const *word, size_t n, struct nf_buf *out);

#endif
