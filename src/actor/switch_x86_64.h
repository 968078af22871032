/* SPDX-License-Identifier: MIT */
/* switch_x86_64 - included by switch.h. Callee-saved registers that live across the switch are
 * spilled by the compiler, which knows which ones those are: all are clobbered but the stack and
 * frame pointers. */

#ifdef __AVX512F__
#define NF_SWITCH_MORE \
	, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", \
	        "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", \
	        "k4", "k5", "k6", "k7"
#else
#define NF_SWITCH_MORE
#endif

/* Leaves by a jump, so that no return address is mispredicted. `w` travels in a register: who
 * comes back learns which worker it is on from the one that left. */
NF_INLINE struct nf_wrk *nf_switch_raw(struct nf_wrk *w, struct nf_actor_ctx *from,
                                       struct nf_actor_ctx *to)
{
	__asm__ volatile("leaq 1f(%%rip), %%rax\n\t"
	                 "movq %%rsp, 0(%1)\n\t"
	                 "movq %%rax, 8(%1)\n\t"
	                 "movq %%rbp, 16(%1)\n\t"
	                 "movq 0(%2), %%rsp\n\t"
	                 "movq 16(%2), %%rbp\n\t"
	                 "jmp *8(%2)\n"
	                 "1:\n"
	                 : "+D"(w), "+S"(from), "+d"(to)
	                 :
	                 : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
	                   "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
	                   "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
	                   "xmm15" NF_SWITCH_MORE, "memory", "cc");
	return w;
}

/* Not __builtin_frame_address(), which makes a frame pointer. */
NF_INLINE uintptr_t nf_stack_pointer(void)
{
	uintptr_t sp;

	__asm__ volatile("movq %%rsp, %0" : "=r"(sp));
	return sp;
}

/* Rounding, traps and flags: mxcsr and the x87 control word. */
NF_INLINE void nf_fpu_save(uint64_t *fpu)
{
	uint32_t mxcsr;
	uint16_t x87;

	__asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(x87));
	*fpu = (uint64_t)mxcsr | (uint64_t)x87 << 32;
}

NF_INLINE void nf_fpu_load(uint64_t fpu)
{
	uint32_t mxcsr = (uint32_t)fpu;
	uint16_t x87 = (uint16_t)(fpu >> 32);

	__asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(mxcsr), "m"(x87));
}

#define NF_FPU_DEFAULT (0x1f80u | (uint64_t)0x37f << 32)
