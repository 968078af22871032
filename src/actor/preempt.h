/* SPDX-License-Identifier: MIT */
/* preempt - time slices, and whether the stack has room for an operation of the runtime. */
#ifndef NF_ACTOR_PREEMPT_H
#define NF_ACTOR_PREEMPT_H

#include "actor/layout.h"

/* Reads the ticks; yields when the slice is used up. Not inside; what the caller knows of its
 * worker is stale afterwards. */
void nf_preempt_slow(struct nf_wrk *w);
/* The running actor's stack is at its end: it ends here. */
void nf_overflow_now(struct nf_wrk *w) __attribute__((noreturn));

NF_INLINE void nf_preempt_count(struct nf_wrk *w)
{
	if (NF_UNLIKELY(--w->countdown == 0))
		nf_preempt_slow(w);
}

NF_INLINE bool nf_stack_is_low(const struct nf_wrk *w)
{
	return NF_UNLIKELY(nf_stack_pointer() < w->current->stack_low);
}

/* An overflow in the middle of an operation could not be undone: so it shows before one. */
NF_INLINE void nf_stack_check(struct nf_wrk *w)
{
	if (nf_stack_is_low(w))
		nf_overflow_now(w);
}

#endif
