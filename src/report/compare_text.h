/* SPDX-License-Identifier: MIT */
/* compare_text - a comparison as text and CSV. */
#ifndef NF_REPORT_COMPARE_TEXT_H
#define NF_REPORT_COMPARE_TEXT_H

#include "base/buf.h"
#include "record/rec_compare.h"

/* For people: the conclusion, the warnings, then per figure the groups with the value of every run, and the
 * difference. */
NF_NODISCARD int nf_compare_text(const struct nf_rec_compare_run *r, struct nf_buf *out,
                                 struct nf_err *err);
/* A line per figure and group: metric,unit,group,n,min,max,mean,sd,median. */
NF_NODISCARD int nf_compare_csv_groups(const struct nf_rec_compare_run *r, struct nf_buf *out,
                                       struct nf_err *err);
/* A line per value: metric,unit,group,path,value. */
NF_NODISCARD int nf_compare_csv_values(const struct nf_rec_compare_run *r, struct nf_buf *out,
                                       struct nf_err *err);
/* A line per lane in the columns that others published; notes are the warnings of that lane. SMI counts of
 * windows of another length than 120 s give the column its length. */
NF_NODISCARD int nf_compare_csv_published(const struct nf_rec_compare_run *r, struct nf_buf *out,
                                          struct nf_err *err);

/* "rt against generic: ..." of one difference; lives in a, NULL: no memory. */
const char *nf_compare_sentence(const struct nf_rec_compare_difference *d, size_t n_base,
                                size_t n_other, struct nf_arena *a);
/* What all differences and warnings come to. */
const char *nf_compare_conclusion(const struct nf_rec_compare_run *r, struct nf_arena *a);

#endif
