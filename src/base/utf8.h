/* SPDX-License-Identifier: MIT */
/* utf8 - captured bytes as valid text. */
#ifndef NF_BASE_UTF8_H
#define NF_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Decodes one scalar value at p (n >= 1 bytes left). Returns the bytes it takes and sets *ret_cp.
 * Overlong forms, surrogates, values above U+10FFFF and broken sequences give U+FFFD for the maximal
 * broken part (Unicode 15, section 3.9, "substitution of maximal subparts") and *ret_bad = 1; a valid
 * value leaves *ret_bad = 0. */
size_t nf_utf8_next(const char *p, size_t n, uint32_t *ret_cp, int *ret_bad);
int nf_utf8_is_noncharacter(uint32_t cp); /* U+FDD0..FDEF, U+xxFFFE, U+xxFFFF */
int nf_utf8_put(struct nf_buf *out, uint32_t cp);

/* Bytes of the longest beginning of at most `max_bytes` that does not end within a character. text NULL:
 * max_bytes, as a precision takes it. */
size_t nf_utf8_cut(const char *text, size_t max_bytes);
size_t nf_utf8_cut_bytes(const char *text, size_t len_bytes, size_t max_bytes);
/* For "%.*s": text, cut so. */
#define NF_UTF8_CUT(text, max_bytes) (int)nf_utf8_cut(text, max_bytes), text

/* Appends data with every broken sequence and every non-character (U+FDD0..FDEF, U+xxFFFE/F)
 * replaced by U+FFFD; *n_replaced (may be NULL) is increased by the count. NUL stays NUL. */
int nf_utf8_clean(struct nf_buf *out, const char *data, size_t len_bytes, uint64_t *n_replaced);

#endif
