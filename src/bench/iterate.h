/* SPDX-License-Identifier: MIT */
/*
 * iterate - how many operations make an iteration, and the iterations themselves. What an iteration is
 * comes from the caller, so nothing here reads a clock.
 */
#ifndef NF_BENCH_ITERATE_H
#define NF_BENCH_ITERATE_H

#include <stdint.h>

#include "base/fail.h"

#define NF_BENCH_MIN_ITERATION_NS INT64_C(1000000)
enum { NF_BENCH_MIN_STEPS = 1000 };
/* An iteration of more operations would have been thrown out by the compiler. */
#define NF_BENCH_OPERATIONS_MAX (UINT64_C(1) << 48)

/* Runs n operations; *ret_ns: how long they took, >= 0. A positive result asks to end early. */
typedef int nf_iteration_fn(void *ctx, uint64_t n, int64_t *ret_ns, struct nf_err *err);

/* max(min_ns or 1 ms, 1,000 steps of the clock). */
int64_t nf_iteration_length_ns(int64_t min_ns, int64_t step_ns);
/* The smallest difference other than 0 of a clock's readings; 1 at least. */
int64_t nf_iteration_step_ns(const int64_t *reading, size_t n);

/* Raises n from 1, at most tenfold at a time, until an iteration takes at least length_ns, aiming a fifth
 * above. An iteration that reached it is made twice, and the shorter one counts, unless it took 100 times as
 * long: one that was interrupted must not pass for a long one. -NF_ESUBJECT: no number of operations takes that long. */
NF_NODISCARD int nf_iteration_calibrate(nf_iteration_fn *fn, void *ctx, int64_t length_ns,
                                        uint64_t *ret_n, struct nf_err *err);

#endif
