/* SPDX-License-Identifier: MIT */
/*
 * columns - how wide a text is on a terminal, and where it may be cut. A character takes one column, none if it
 * is put over the one before, two if it is wide (East Asian Width W and F, Unicode Standard Annex 11); a byte
 * or a character that is shown as \xNN (report/text.h) takes four a byte. Where the tables are coarse a text is
 * counted wider than it is, never narrower, but for what a terminal does not know itself.
 */
#ifndef NF_BASE_COLUMNS_H
#define NF_BASE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character that begins at p (n >= 1 bytes left), its columns, and whether it is shown as \xNN. */
size_t nf_columns_next(const char *p, size_t n, size_t *ret_columns, bool *ret_hidden);
size_t nf_columns(const char *text, size_t len_bytes);
/* Bytes of the longest beginning, or end, that takes at most `max` columns and holds whole characters only. */
size_t nf_columns_head(const char *text, size_t len_bytes, size_t max);
size_t nf_columns_tail(const char *text, size_t len_bytes, size_t max);

#endif
