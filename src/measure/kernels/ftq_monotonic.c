/* SPDX-License-Identifier: MIT */
/* The loops on CLOCK_MONOTONIC_RAW: this object holds no instruction that reads the counter. */
#include "measure/kernels/monotonic_tick.h"

#define KERNEL_TICK() monotonic_raw_ns()
#define FWQ_LOOP_NAME(kernel) nf_ftq_monotonic_##kernel
#include "measure/kernels/ftq_loop.h"
#include "measure/kernels/fwq_loops.h"

nf_ftq_loop_fn *const nf_ftq_on_monotonic[NF_N_KERNELS] = {
	[NF_KERNEL_NOP] = nf_ftq_monotonic_nop,
	[NF_KERNEL_CHAIN] = nf_ftq_monotonic_chain,
	[NF_KERNEL_FMA] = nf_ftq_monotonic_fma,
	[NF_KERNEL_DAXPY] = nf_ftq_monotonic_daxpy,
};
