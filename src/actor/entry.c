/* SPDX-License-Identifier: MIT */
/* Where a new actor starts: a frame without a caller, so that backtraces end here. */
#include "actor/layout.h"

__thread struct nf_wrk *nf_wrk_tls;

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
