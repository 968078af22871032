/* SPDX-License-Identifier: MIT */
/* Where a new actor starts: a frame without a caller, so that backtraces end here. And the way
 * in and out of what waits: the processor predicts a return by the last call it saw, which was
 * another actor's when the stack was switched in between. So what waits is called from one
 * place, where the prediction is right, and goes back to the actor by a jump, whose target is
 * predicted by what was executed before. */
#include "actor/layout.h"
#include "actor/waits.h"

__thread struct nf_wrk *nf_wrk_tls;

#define STRING_(x) #x
#define STRING(x) STRING_(x)

#if defined(__x86_64__)
__asm__(".text\n"
        ".p2align 4\n"
        ".type nf_waits_call, @function\n"
        "nf_waits_call:\n"
        ".cfi_startproc\n"
        "subq $8, %rsp\n"
        ".cfi_adjust_cfa_offset 8\n"
        "call *%rax\n"
        "addq $8, %rsp\n"
        ".cfi_adjust_cfa_offset -8\n"
        "popq %rcx\n"
        ".cfi_adjust_cfa_offset -8\n"
        ".cfi_register rip, rcx\n"
        "jmp *%rcx\n"
        ".cfi_endproc\n"
        ".size nf_waits_call, . - nf_waits_call\n");
/* clang-format off */
#define WAITS(name) \
	__asm__(".globl " STRING(name) "\n" \
	        ".hidden " STRING(name) "\n" \
	        ".type " STRING(name) ", @function\n" \
	        STRING(name) ":\n" \
	        ".cfi_startproc\n" \
	        "leaq " STRING(name) "_body(%rip), %rax\n" \
	        "jmp nf_waits_call\n" \
	        ".cfi_endproc\n" \
	        ".size " STRING(name) ", . - " STRING(name) "\n")
/* clang-format on */
#elif defined(__aarch64__)
__asm__(".text\n"
        ".p2align 4\n"
        ".type nf_waits_call, %function\n"
        "nf_waits_call:\n"
        ".cfi_startproc\n"
        "hint #36\n"
        "stp x29, x30, [sp, #-16]!\n"
        ".cfi_adjust_cfa_offset 16\n"
        ".cfi_rel_offset x29, 0\n"
        ".cfi_rel_offset x30, 8\n"
        "mov x29, sp\n"
        "blr x9\n"
        "ldp x29, x16, [sp], #16\n"
        ".cfi_adjust_cfa_offset -16\n"
        ".cfi_restore x29\n"
        ".cfi_register x30, x16\n"
        "br x16\n"
        ".cfi_endproc\n"
        ".size nf_waits_call, . - nf_waits_call\n");
/* clang-format off */
#define WAITS(name) \
	__asm__(".globl " STRING(name) "\n" \
	        ".hidden " STRING(name) "\n" \
	        ".type " STRING(name) ", %function\n" \
	        STRING(name) ":\n" \
	        ".cfi_startproc\n" \
	        "adrp x9, " STRING(name) "_body\n" \
	        "add x9, x9, :lo12:" STRING(name) "_body\n" \
	        "b nf_waits_call\n" \
	        ".cfi_endproc\n" \
	        ".size " STRING(name) ", . - " STRING(name) "\n")
/* clang-format on */
#endif

WAITS(nf_waits_recv);
WAITS(nf_waits_recv_own);
WAITS(nf_waits_select);
WAITS(nf_waits_yield);
WAITS(nf_waits_sleep);
WAITS(nf_waits_join);
WAITS(nf_waits_exit);

#if defined(__x86_64__)
__asm__(".text\n"
        ".p2align 4\n"
        ".globl nf_actor_entry\n"
        ".hidden nf_actor_entry\n"
        ".type nf_actor_entry, @function\n"
        "nf_actor_entry:\n"
        ".cfi_startproc\n"
        ".cfi_undefined rip\n"
        "xorl %ebp, %ebp\n"
        "call nf_actor_main\n"
        "ud2\n"
        ".cfi_endproc\n"
        ".size nf_actor_entry, . - nf_actor_entry\n"
        ".globl nf_overflow_entry\n"
        ".hidden nf_overflow_entry\n"
        ".type nf_overflow_entry, @function\n"
        "nf_overflow_entry:\n"
        ".cfi_startproc\n"
        ".cfi_undefined rip\n"
        "xorl %ebp, %ebp\n"
        "call nf_overflow_main\n"
        "ud2\n"
        ".cfi_endproc\n"
        ".size nf_overflow_entry, . - nf_overflow_entry\n");
#elif defined(__aarch64__)
__asm__(".text\n"
        ".p2align 4\n"
        ".globl nf_actor_entry\n"
        ".hidden nf_actor_entry\n"
        ".type nf_actor_entry, %function\n"
        "nf_actor_entry:\n"
        ".cfi_startproc\n"
        ".cfi_undefined x30\n"
        "hint #36\n"
        "mov x29, #0\n"
        "mov x30, #0\n"
        "bl nf_actor_main\n"
        "brk #1\n"
        ".cfi_endproc\n"
        ".size nf_actor_entry, . - nf_actor_entry\n"
        ".globl nf_overflow_entry\n"
        ".hidden nf_overflow_entry\n"
        ".type nf_overflow_entry, %function\n"
        "nf_overflow_entry:\n"
        ".cfi_startproc\n"
        ".cfi_undefined x30\n"
        "hint #36\n"
        "mov x29, #0\n"
        "mov x30, #0\n"
        "bl nf_overflow_main\n"
        "brk #1\n"
        ".cfi_endproc\n"
        ".size nf_overflow_entry, . - nf_overflow_entry\n");
#endif

#if !defined(__x86_64__)
NF_NOINLINE struct nf_wrk *nf_wrk_self(void)
{
	return nf_wrk_tls;
}
#endif
