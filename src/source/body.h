/* SPDX-License-Identifier: MIT */
/*
 * body - the tokens of function bodies, one function at a time.
 *
 * Of the branches of an #if the first is taken, of `#if 0` the others: braces stay in balance. A '{' behind a
 * ')' begins a body; no declaration is understood beyond that, so it works for C, most C++ and old C alike.
 */
#ifndef NF_SOURCE_BODY_H
#define NF_SOURCE_BODY_H

#include "base/fail.h"
#include "source/text.h"

enum { NF_SRC_BODY_MAX = 1 << 20 /* tokens of one function; a longer one is passed over */ };

struct nf_src_body_token {
	const char *at;
	uint32_t len, line;
	uint16_t
	        depth; /* braces open before it, in the body; 1 in its outermost block; saturates */
	uint16_t pp; /* conditions of the preprocessor around it; saturates */
	uint8_t kind; /* enum nf_src_token_kind */
};

struct nf_src_body {
	struct nf_src_word name; /* len 0: not recognised */
	struct nf_src_body_token *t; /* owned by the reader: until the callback returns */
	size_t n; /* from '{' to '}' */
};
typedef int nf_src_body_fn(void *ctx, const struct nf_src_body *b, struct nf_err *err);

struct nf_src_bodies {
	struct nf_src_body_token *t; /* owned; kept for the next file */
	size_t cap;
	uint64_t too_long;
};
/* fn gets each body of a file; what it returns other than 0 ends it. */
NF_NODISCARD int nf_src_bodies_each(struct nf_src_bodies *b, const char *data, size_t len,
                                    nf_src_body_fn *fn, void *ctx, struct nf_err *err);
void nf_src_bodies_fini(struct nf_src_bodies *b);

bool nf_src_body_is(const struct nf_src_body_token *t, const char *text);

#endif
