/* SPDX-License-Identifier: MIT */
/* text_bench_sweep - a sweep for people, in 80 columns: a table, a map of a grid of two knobs, what it amounts
 * to. Everything shown stands in the record. 0 or the buffer's failure. */
#ifndef NF_REPORT_TEXT_BENCH_SWEEP_H
#define NF_REPORT_TEXT_BENCH_SWEEP_H

#include "base/buf.h"
#include "record/rec_sweep.h"

int nf_text_bench_sweep(const struct nf_rec_bench_sweep *r, struct nf_buf *out);
/* The map alone: a row a value of the first knob, a column a value of the second; nothing where it is no grid of
 * two knobs, or has more columns than there is room for. */
void nf_text_sweep_map(const struct nf_rec_bench_sweep *r, struct nf_buf *out);

#endif
