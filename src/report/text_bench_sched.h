/* SPDX-License-Identifier: MIT */
/* text_bench_sched - what a run of the scheduler suite says beyond its table. */
#ifndef NF_REPORT_TEXT_BENCH_SCHED_H
#define NF_REPORT_TEXT_BENCH_SCHED_H

#include "base/buf.h"
#include "record/rec_bench.h"

/* Of all sets the count of workers that is the most above the CPUs their benchmark may use, by its own facts; 0:
 * none is above. */
uint64_t nf_bench_crowded(const struct nf_rec_bench_set *set, size_t n, uint64_t *ret_cpus);
/* The share of spawn and join in a one-shot round trip, and the calibration of the run; nothing without them. */
void nf_text_bench_sched(const struct nf_rec_bench_run *r, struct nf_buf *out);

#endif
