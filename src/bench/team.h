/* SPDX-License-Identifier: MIT */
/*
 * team - the threads of a benchmark: each bound to a CPU of the process's mask in turn, started
 * together for every iteration, timed from the first start to the last end on CLOCK_MONOTONIC_RAW. A
 * single thread is the caller, not bound any further.
 *
 * Threads: all calls from the one that opened it. A thread's failure ends the iteration for the caller
 * at once, though others of it may be waiting for ever: the process must then end.
 */
#ifndef NF_BENCH_TEAM_H
#define NF_BENCH_TEAM_H

#include "noisefloor/bench.h"

struct nf_team;

/* Starts the threads and runs thread_setup in each. bench and state are borrowed until close. */
NF_NODISCARD int nf_team_open(const struct nf_bench *bench, unsigned threads, void *state,
                              struct nf_team **ret, struct nf_err *err);
/* An nf_iteration_fn: n operations in every thread. */
NF_NODISCARD int nf_team_run(void *team, uint64_t n, int64_t *ret_ns, struct nf_err *err);
void nf_team_close(struct nf_team *team); /* NULL is fine; not after a failure of run */

#endif
