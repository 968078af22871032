/* SPDX-License-Identifier: MIT */
/* bench_sweep_csv - a sweep as CSV (RFC 4180, lines end in LF): a header, then a line a point. What is not known
 * is empty. */
#ifndef NF_REPORT_BENCH_SWEEP_CSV_H
#define NF_REPORT_BENCH_SWEEP_CSV_H

#include "base/buf.h"
#include "record/rec_sweep.h"

int nf_bench_sweep_csv(const struct nf_rec_bench_sweep *r, struct nf_buf *out);

#endif
