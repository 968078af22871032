/* SPDX-License-Identifier: MIT */
/* text_bench_regress - benchmarks beside stored sessions for people, in 80 columns. */
#ifndef NF_REPORT_TEXT_BENCH_REGRESS_H
#define NF_REPORT_TEXT_BENCH_REGRESS_H

#include "base/buf.h"
#include "record/rec_baseline.h"

/* 0 or the buffer's failure. */
int nf_text_bench_regress(const struct nf_rec_bench_regress *r, struct nf_buf *out);

#endif
