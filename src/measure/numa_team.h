/* SPDX-License-Identifier: MIT */
/*
 * numa_team - threads that reduce pieces of memory together: thread 0 leads, the others serve. Between
 * jobs the servants sleep; a job wakes them first and is released to all when every one of them spins, so
 * that its time holds no wake-up.
 *
 * Threads: the leader calls nf_team_reduce() and nf_team_dismiss(), each other thread
 * nf_team_serve(), all once the team was initialised.
 */
#ifndef NF_MEASURE_NUMA_TEAM_H
#define NF_MEASURE_NUMA_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "measure/kernels/numa_reduce.h"

/* Some rows of the matrix that lie one behind the other in memory. Borrowed memory. */
struct nf_piece {
	const double *p;
	size_t rows;
	size_t cols;
};

/* What each thread reduces: pieces first[t] .. first[t + 1] - 1 are those of thread t. */
struct nf_team_job {
	const struct nf_piece *piece;
	const size_t *first; /* n_threads + 1 */
	bool plain; /* as flat memory (nf_reduce.plain), else row by row */
};

struct nf_team_slot;

struct nf_team {
	size_t n; /* threads with the leader */
	const struct nf_reduce *reduce;
	struct nf_team_slot *slot; /* owned; one cache line each */
	const struct nf_team_job *job; /* written by the leader before it wakes the servants */
	_Alignas(64) _Atomic uint32_t call; /* number of the last job; 0: none yet; futex */
	_Alignas(64) _Atomic uint32_t n_ready; /* servants that spin for it */
	_Alignas(64) _Atomic uint32_t go; /* number of the last job released */
};

/* n 1..65536 threads. -NF_ENOMEM. */
NF_NODISCARD int nf_team_init(struct nf_team *t, size_t n, const struct nf_reduce *reduce,
                              struct nf_err *err);
void nf_team_fini(struct nf_team *t); /* no thread may be in it; zeroed is fine */

/* The sum over all pieces: each thread's in order, then the threads' in order. Returns the time in ns on
 * CLOCK_MONOTONIC_RAW from the release to the last result. */
int64_t nf_team_reduce(struct nf_team *t, const struct nf_team_job *job, double *ret_sum);
/* Lets the servants return; the last call of the leader. */
void nf_team_dismiss(struct nf_team *t);
/* Serves until dismissed. member 1 .. n-1. */
void nf_team_serve(struct nf_team *t, size_t member);

/* The same work by the calling thread alone: thread after thread's pieces. */
double nf_team_reduce_alone(const struct nf_reduce *reduce, const struct nf_team_job *job,
                            size_t n_threads);

#endif
