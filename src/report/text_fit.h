/* SPDX-License-Identifier: MIT */
/* text_fit - texts in the width of a terminal: names that are clipped, cells of tables, lines that are broken. Columns
 * are counted as base/columns.h does. Failures are the buffer's. */
#ifndef NF_REPORT_TEXT_FIT_H
#define NF_REPORT_TEXT_FIT_H

#include "base/buf.h"

enum {
	NF_TEXT_COLUMNS = 80,
	NF_TEXT_NAME_COLUMNS = 4 * NF_TEXT_COLUMNS /* of a name that may be broken */
};

/* Of at most `width` columns (4 or more), the middle left out where it is longer, filled up with blanks. What cannot be
 * shown, the end of a line too, is written as \xNN. */
void nf_text_clip(struct nf_buf *out, const char *name, size_t width, bool fill);
/* Text that ends at a column: right-aligned in width, from what `from` on was added. */
void nf_text_right(struct nf_buf *out, size_t from, size_t width);
/* Breaks the lines from `from` on that are wider than NF_TEXT_COLUMNS, between words where there are any. What goes on
 * stands below the second column of its line ("key   text"), else as far in as its line does, and by `deeper` more. */
void nf_text_fit(struct nf_buf *out, size_t from, size_t deeper);

/* Names of a table's rows. Where two of them would look alike once they are clipped, all have numbers from 1 on. */
struct nf_text_names {
	const char *(*name)(const void *ctx, size_t i);
	const void *ctx;
	size_t n;
	int digits; /* of the numbers; 0: there are none */
};
void nf_text_names_number(struct nf_text_names *names, size_t width);
/* The name with its number, if they have any. */
void nf_text_names_put(struct nf_buf *out, const struct nf_text_names *names, size_t i,
                       size_t width, bool fill);
/* What the numbers stand for, a line each below a heading; nothing where there are none. */
void nf_text_names_legend(struct nf_buf *out, const struct nf_text_names *names,
                          const char *heading);

#endif
