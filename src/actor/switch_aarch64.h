/* SPDX-License-Identifier: MIT */
/* switch_aarch64 - included by switch.h. The compiler spills what lives across the switch of
 * x19-x28, x30 and d8-d15; the stack and frame pointers are kept here. Linux leaves x18 to the
 * compiler. */

NF_INLINE struct nf_wrk *nf_switch_raw(struct nf_wrk *w, struct nf_actor_ctx *from,
                                       struct nf_actor_ctx *to)
{
	register struct nf_wrk *x0 __asm__("x0") = w;
	register struct nf_actor_ctx *x1 __asm__("x1") = from;
	register struct nf_actor_ctx *x2 __asm__("x2") = to;

	/* hint 36 is "bti j": a landing pad where branch targets are checked, else nothing. */
	__asm__ volatile("adr x9, 1f\n\t"
	                 "mov x10, sp\n\t"
	                 "stp x10, x9, [x1]\n\t"
	                 "str x29, [x1, #16]\n\t"
	                 "ldp x10, x9, [x2]\n\t"
	                 "ldr x29, [x2, #16]\n\t"
	                 "mov sp, x10\n\t"
	                 "br x9\n"
	                 "1:\thint #36\n"
	                 : "+r"(x0), "+r"(x1), "+r"(x2)
	                 :
	                 : "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
	                   "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23",
	                   "x24", "x25", "x26", "x27", "x28", "x30", "v0", "v1", "v2", "v3", "v4",
	                   "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15",
	                   "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25",
	                   "v26", "v27", "v28", "v29", "v30", "v31", "memory", "cc");
	return x0;
}

NF_INLINE uintptr_t nf_stack_pointer(void)
{
	uintptr_t sp;

	__asm__ volatile("mov %0, sp" : "=r"(sp));
	return sp;
}

NF_INLINE void nf_fpu_save(uint64_t *fpu)
{
	uint64_t fpcr;

	__asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
	*fpu = fpcr;
}

NF_INLINE void nf_fpu_load(uint64_t fpu)
{
	__asm__ volatile("msr fpcr, %0" : : "r"(fpu));
}

#define NF_FPU_DEFAULT 0
