/* SPDX-License-Identifier: MIT */
/* switch - from one stack to another, within the function that waits. */
#ifndef NF_ACTOR_SWITCH_H
#define NF_ACTOR_SWITCH_H

#include "actor/atomic.h"
#include "actor/fiber.h"

struct nf_wrk;

/* Known to the assembly. */
struct nf_actor_ctx {
	void *sp, *pc, *fp;
};

/* What few builds or runtimes need of a context. */
struct nf_actor_ctx_more {
	uint64_t fpu;
	struct nf_fiber fiber; /* what sanitizers know of the stack */
};

/* A context in both parts. */
struct nf_actor_side {
	struct nf_actor_ctx *ctx;
	struct nf_actor_ctx_more *more;
};

#if defined(__x86_64__)
#include "actor/switch_x86_64.h"
#elif defined(__aarch64__)
#include "actor/switch_aarch64.h"
#else
#error "no context switch for this processor"
#endif

/* Where a new actor starts, on its own stack, with the worker in the first argument's register. */
void nf_actor_entry(void);

/* Returns when somebody switches back; on which worker is in the result, and nothing that was
 * read from a thread-local before may be used after. dying: `from` never runs again. */
NF_INLINE struct nf_wrk *nf_switch(struct nf_wrk *w, struct nf_actor_side from,
                                   struct nf_actor_side to, bool save_fpu, bool dying)
{
	if (NF_UNLIKELY(save_fpu))
		nf_fpu_save(&from.more->fpu);
	nf_fiber_leave(&from.more->fiber, &to.more->fiber, dying);
	w = nf_switch_raw(w, from.ctx, to.ctx);
	nf_fiber_arrive(&from.more->fiber);
	if (NF_UNLIKELY(save_fpu))
		nf_fpu_load(from.more->fpu);
	return w;
}

#endif
