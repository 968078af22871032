/* SPDX-License-Identifier: MIT */
/* block - an actor's birth and death. */
#ifndef NF_ACTOR_BLOCK_H
#define NF_ACTOR_BLOCK_H

#include "actor/layout.h"

/* Gives it a stack; it starts at nf_actor_entry. False: none could be had, and it has ended.
 * Inside. */
bool nf_block_bind(struct nf_wrk *w, struct nf_actor_block *a);
/* Whether a stack is in stock, so that the next one to bind has it. Inside. */
NF_INLINE bool nf_block_can_bind(const struct nf_wrk *w)
{
	return w->stacks.head || w->stacks.spare;
}

/* After the last switch away from it. Inside. */
void nf_block_bury(struct nf_wrk *w, struct nf_actor_block *a);
NF_INLINE void nf_block_next_generation(struct nf_actor_block *a)
{
	uint64_t generation = (nf_ld(&a->word) >> NF_GENERATION_SHIFT) + 1;

	nf_st_rel(&a->word, generation << NF_GENERATION_SHIFT | NF_JOIN_DONE);
}

/* Back to the pool; handles become stale. Inside. */
NF_INLINE void nf_block_free(struct nf_wrk *w, struct nf_actor_block *a)
{
	nf_block_next_generation(a);
	nf_pool_put(&w->rt->blocks, &w->blocks, a);
}
/* The same from outside. */
void nf_block_free_outside(struct nf_actor_block *a);
/* A new block's fixed parts. */
void nf_block_init(void *item, uint64_t number, void *rt);

/* Ends the running actor: its clean-ups run, it leaves for good. message NULL: "". Inside not. */
void nf_block_end(enum nf_actor_end end, void *value, const char *message)
        __attribute__((noreturn));
/* For the cancelled: as above. Inside; leaves. */
void nf_block_end_cancelled(struct nf_wrk *w) __attribute__((noreturn));
/* Waiting with preemption off: a panic. Inside; leaves. */
void nf_block_end_unready(struct nf_wrk *w) __attribute__((noreturn));

#endif
