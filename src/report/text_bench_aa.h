/* SPDX-License-Identifier: MIT */
/* text_bench_aa - how comparisons with a known answer came out, for people, in 80 columns. */
#ifndef NF_REPORT_TEXT_BENCH_AA_H
#define NF_REPORT_TEXT_BENCH_AA_H

#include "base/buf.h"
#include "record/rec_bench_aa.h"

/* 0 or the buffer's failure. */
int nf_text_bench_aa(const struct nf_rec_selftest_aa *r, struct nf_buf *out);

#endif
