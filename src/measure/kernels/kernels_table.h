/* SPDX-License-Identifier: MIT */
/* kernels_table - the rows of nf_kernels. COUNTER_LOOP(kernel) is the loop on the counter, or NULL. */
#ifndef NF_MEASURE_KERNELS_TABLE_H
#define NF_MEASURE_KERNELS_TABLE_H

#include "measure/kernels/fwq_decl.h"

#define KERNEL_ROW(id, kernel, text) \
	[NF_KERNEL_##id] = { #kernel, text, COUNTER_LOOP(kernel), nf_fwq_monotonic_##kernel }

/* clang-format off */
const struct nf_kernel nf_kernels[NF_N_KERNELS] = {
	KERNEL_ROW(NOP,   nop,   "an empty counted loop"),
	KERNEL_ROW(CHAIN, chain, "dependent integer multiply-add"),
	KERNEL_ROW(FMA,   fma,   "dependent floating-point multiply-add"),
	KERNEL_ROW(DAXPY, daxpy, "y += a x, one element an iteration, vectors in the first-level cache"),
};
/* clang-format on */

#endif
