/* SPDX-License-Identifier: MIT */
/* walk - steps over the tokens of a function's body: parentheses, names with their members, assignments. */
#ifndef NF_SOURCE_WALK_H
#define NF_SOURCE_WALK_H

#include <stdbool.h>

#include "source/body.h"

bool nf_src_is_punct(const struct nf_src_body_token *t, char c);
/* One of the words; the list ends with NULL. */
bool nf_src_is_word(const struct nf_src_body_token *t, const char *const *words);
/* Behind the ')' that closes the '(' at i; n: it is not closed. */
size_t nf_src_after_parens(const struct nf_src_body *b, size_t i);
/* The '(' that the ')' at i closes; 0: none does. */
size_t nf_src_before_parens(const struct nf_src_body *b, size_t i);
/* The beginning of a name like a->b[i].c that ends before `end`. */
size_t nf_src_chain_begin(const struct nf_src_body *b, size_t end);
/* The '=' before a call, casts and parentheses passed over; 0: none. */
size_t nf_src_assigned_at(const struct nf_src_body *b, size_t call);

#endif
