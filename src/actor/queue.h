/* SPDX-License-Identifier: MIT */
/* queue - ready actors: a worker's own queue, the slot of the actor woken last, the queue that
 * all share, the inbox of pinned ones. */
#ifndef NF_ACTOR_QUEUE_H
#define NF_ACTOR_QUEUE_H

#include "actor/enter.h"
#include "actor/wake.h"

NF_INLINE void nf_queue_push(struct nf_run_queue *q, struct nf_actor_block *a)
{
	a->item.next = NULL;
	if (q->head)
		q->tail->item.next = &a->item;
	else
		q->head = a;
	q->tail = a;
	nf_count(&q->n, 1u);
}

/* The stack of the one after it is fetched meanwhile, a page of its own that most likely is in
 * no TLB; and the block of the one after that. */
NF_INLINE struct nf_actor_block *nf_queue_pop(struct nf_run_queue *q)
{
	struct nf_actor_block *a = q->head, *after;

	if (a) {
		after = (struct nf_actor_block *)(void *)a->item.next;
		q->head = after;
		if (after) {
			__builtin_prefetch(after->item.next);
			__builtin_prefetch(after->ctx.sp);
		}
		nf_st(&q->n, nf_ld(&q->n) - 1);
	}
	return a;
}

/* Moves up to n actors from the front of one to the back of the other; pinned ones stay. How
 * many. */
uint32_t nf_queue_move(struct nf_run_queue *from, struct nf_run_queue *to, uint32_t n);

/* The queue that all share. Any thread. */
void nf_inject(struct nf_actor_rt *rt, struct nf_actor_block *a);
/* Takes this worker's part of it into its own queue. */
void nf_inject_take(struct nf_wrk *w);
/* Gives half of this worker's queue to whoever searches. */
void nf_donate(struct nf_wrk *w);
/* To the worker that it is pinned to. Any thread. */
void nf_inbox_put(struct nf_wrk *to, struct nf_actor_block *a);
void nf_inbox_take(struct nf_wrk *w);
/* Ready, but not for this worker's own queue. w NULL: outside. */
void nf_ready_elsewhere(struct nf_wrk *w, struct nf_actor_block *a, uint32_t pin);

NF_INLINE bool nf_is_elsewhere(const struct nf_wrk *w, uint32_t pin)
{
	return NF_UNLIKELY(w->shared_queue || (pin && pin != w->number)) || NF_MIGRATE();
}

/* To the back of the queue: new ones, and those that yielded. */
NF_INLINE void nf_ready_back(struct nf_wrk *w, struct nf_actor_block *a)
{
	NF_POINT(NF_POINT_QUEUE);
	if (nf_is_elsewhere(w, a->pin))
		nf_ready_elsewhere(w, a, a->pin);
	else
		nf_queue_push(&w->queue, a);
}

/* Woken: next, as what it needs is still in the cache. Who was next before goes to the queue. */
NF_INLINE void nf_ready_pinned(struct nf_wrk *w, struct nf_actor_block *a, uint32_t pin)
{
	struct nf_actor_block *before;

	NF_POINT(NF_POINT_QUEUE);
	if (nf_is_elsewhere(w, pin)) {
		nf_ready_elsewhere(w, a, pin);
		return;
	}
	if (NF_UNLIKELY(w->lifo_cap == 0)) {
		nf_queue_push(&w->queue, a);
	} else {
		before = w->lifo;
		nf_st(&w->lifo, a);
		if (before)
			nf_queue_push(&w->queue, before);
	}
	if (NF_UNLIKELY(nf_ld(&w->rt->n_sleeping)))
		nf_wake_for(w);
}

NF_INLINE void nf_ready(struct nf_wrk *w, struct nf_actor_block *a)
{
	nf_ready_pinned(w, a, a->pin);
}

#endif
