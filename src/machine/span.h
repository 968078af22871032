/* SPDX-License-Identifier: MIT */
/*
 * span - pieces of a file's bytes, not NUL-terminated. Borrowed from the buffer they point into.
 */
#ifndef NF_MACHINE_SPAN_H
#define NF_MACHINE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct nf_span {
	const char *p;
	size_t n;
};

struct nf_span nf_span_of(const struct nf_buf *b);
/* Cuts the next line (without its newline) off the front of rest; false: nothing left. */
bool nf_span_line(struct nf_span *rest, struct nf_span *ret);
/* Cuts the next word (spaces and tabs separate) off the front of rest; false: none left. */
bool nf_span_word(struct nf_span *rest, struct nf_span *ret);
/* Cuts off what stands before the first sep (sep goes too); without sep: all. false: rest was empty. */
bool nf_span_cut(struct nf_span *rest, char sep, struct nf_span *ret);
/* Without white space at its ends, and ended by a NUL inside. */
struct nf_span nf_span_trim(struct nf_span s);
bool nf_span_is(struct nf_span s, const char *text);
bool nf_span_starts(struct nf_span s, const char *prefix);
bool nf_span_has_word(struct nf_span s, const char *word);
/* Members of a list separated by sep. */
bool nf_span_has_member(struct nf_span s, char sep, const char *member);
/* Decimal digits only, all of s; false also when it does not fit. */
bool nf_span_u64(struct nf_span s, uint64_t *ret);
/* Digits with an optional fraction, all of s; finite. */
bool nf_span_real(struct nf_span s, double *ret);

#endif
