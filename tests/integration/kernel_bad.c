/* SPDX-License-Identifier: MIT */
/* Loops that kernel_disasm.py must refuse: a call in the timed region, and values that live on the
 * stack. Compiled exactly as the kernels are. */
#include "kernel_arch.h"
#include "measure/kernels/fwq_decl.h"

#define KERNEL_TICK() kernel_tick()
#define FWQ_LOOP_NAME(kernel) nf_fwq_good_##kernel
nf_fwq_loop_fn nf_fwq_good_nop, nf_fwq_good_chain, nf_fwq_good_fma, nf_fwq_good_daxpy;
#include "measure/kernels/fwq_loops.h"

nf_fwq_loop_fn nf_fwq_bad_call, nf_fwq_bad_spill;
void nf_fwq_bad_callee(void);

void nf_fwq_bad_call(struct nf_fwq_loop *l)
{
	FWQ_TIMED(l, nf_fwq_bad_callee());
}

void nf_fwq_bad_spill(struct nf_fwq_loop *l)
{
	uint64_t v[24];

	for (int k = 0; k < 24; k++)
		v[k] = l->work + (uint64_t)k;
	FWQ_TIMED(l, {
		KEEP_INT(v[0]);
		KEEP_INT(v[1]);
		KEEP_INT(v[2]);
		KEEP_INT(v[3]);
		KEEP_INT(v[4]);
		KEEP_INT(v[5]);
		KEEP_INT(v[6]);
		KEEP_INT(v[7]);
		KEEP_INT(v[8]);
		KEEP_INT(v[9]);
		KEEP_INT(v[10]);
		KEEP_INT(v[11]);
		KEEP_INT(v[12]);
		KEEP_INT(v[13]);
		KEEP_INT(v[14]);
		KEEP_INT(v[15]);
	});
	l->work = v[0] + v[15];
}
