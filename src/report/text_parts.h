/* SPDX-License-Identifier: MIT */
/* text_parts - the pieces that the steps' lines are made of. A failure stays in the buffer. */
#ifndef NF_REPORT_TEXT_PARTS_H
#define NF_REPORT_TEXT_PARTS_H

#include "base/buf.h"
#include "record/rec_common.h"

/* Rows of a table beyond this are left to the record. */
enum { NF_TEXT_ROWS = 16 };

/* The words `before`, then a time as nf_text_ns() writes it. */
void nf_text_after(struct nf_buf *out, const char *before, bool some, double value_ns);
/* min median p99 max, n and the histogram in one row, or that there is nothing; NULL: nothing. */
void nf_text_spread(struct nf_buf *out, const struct nf_rec_summary *s);
/* Samples dropped, saturated or truncated. */
uint64_t nf_text_lost(const struct nf_rec_facts *f);
/* Result, limit, losses and notes, a line each. has_limits: a budget may set one for this step. */
void nf_text_verdict(struct nf_buf *out, const struct nf_rec_facts *f, bool has_limits);
/* That n rows were more than are shown; nothing when they were not. */
void nf_text_more(struct nf_buf *out, size_t n, const char *what);

#endif
