/* SPDX-License-Identifier: MIT */
/*
 * ftq - loops that do the kernels' work (kernels.h) in small units and count those that end in each quantum
 * of a fixed grid. Part of the kernels library: pinned flags, no call and no stack access between two
 * reads on the counter.
 *
 * Quantum k ends at first_tick + (k + 1) x quantum, whatever happened before: the grid is never moved. A
 * unit belongs to the quantum in which the clock is read at its end, so that none is counted twice or
 * lost. By how much that read passed the end of a quantum is kept beside the quantum's count: usually
 * less than a unit; when something took the CPU for longer than a quantum, the quanta that passed
 * meanwhile count 0, each with what passed since its own end.
 */
#ifndef NF_MEASURE_FTQ_H
#define NF_MEASURE_FTQ_H

#include "measure/kernels/kernels.h"

/* One worker's loop; the arrays are allocated by the caller and prefaulted. */
struct nf_ftq_loop {
	uint64_t work; /* iterations a unit */
	double *vector; /* as in struct nf_fwq_loop */
	uint64_t quantum; /* ticks, >= 1 */
	int64_t *units; /* that ended in each quantum */
	int64_t *overshoot; /* ticks from the quantum's end to the first read after it */
	size_t n; /* in: quanta; out: those that ended before a stop */
	const volatile sig_atomic_t *stop; /* non-zero: ends with this quantum; never NULL */
	uint64_t first_tick; /* out: where the grid begins */
};

typedef void nf_ftq_loop_fn(struct nf_ftq_loop *l);

nf_ftq_loop_fn nf_ftq_counter_nop, nf_ftq_counter_chain, nf_ftq_counter_fma, nf_ftq_counter_daxpy;
nf_ftq_loop_fn nf_ftq_monotonic_nop, nf_ftq_monotonic_chain, nf_ftq_monotonic_fma,
        nf_ftq_monotonic_daxpy;

/* By kernel: on the architecture's counter, NULL where there is none; on CLOCK_MONOTONIC_RAW in ns. */
extern nf_ftq_loop_fn *const nf_ftq_on_counter[NF_N_KERNELS];
extern nf_ftq_loop_fn *const nf_ftq_on_monotonic[NF_N_KERNELS];

#endif
