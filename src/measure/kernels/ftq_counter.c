/* SPDX-License-Identifier: MIT */
#define KERNEL_TICK() kernel_tick()
#define FWQ_LOOP_NAME(kernel) nf_ftq_counter_##kernel
#include "measure/kernels/ftq_loop.h"
#include "measure/kernels/fwq_loops.h"

nf_ftq_loop_fn *const nf_ftq_on_counter[NF_N_KERNELS] = {
	[NF_KERNEL_NOP] = nf_ftq_counter_nop,
	[NF_KERNEL_CHAIN] = nf_ftq_counter_chain,
	[NF_KERNEL_FMA] = nf_ftq_counter_fma,
	[NF_KERNEL_DAXPY] = nf_ftq_counter_daxpy,
};
