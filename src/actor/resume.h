/* SPDX-License-Identifier: MIT */
/* resume - who runs next, and the way there: part of every function that waits, so that the
 * switch is inlined into it. */
#ifndef NF_ACTOR_RESUME_H
#define NF_ACTOR_RESUME_H

#include "actor/block.h"
#include "actor/queue.h"

enum { NF_POLL_EVERY = 32 };

/* When poll_left has come to its end: shared queue, inbox and timers are looked at. */
void nf_poll(struct nf_wrk *w);
/* Carries out what the slower kinds of waiting left pending. */
void nf_commit_slow(struct nf_wrk *w, struct nf_actor_block *a, enum nf_pending kind);
/* The channel has a message, or the receiver now waits for it alone. */
void nf_commit_recv(struct nf_wrk *w, struct nf_actor_block *a);

NF_INLINE void nf_commit(struct nf_wrk *w)
{
	struct nf_actor_block *a = w->pending;

	NF_POINT(NF_POINT_COMMIT);
	if (!a)
		return;
	w->pending = NULL;
	if (w->pending_kind == NF_PEND_RECV)
		nf_commit_recv(w, a);
	else if (NF_LIKELY(w->pending_kind == NF_PEND_QUEUE))
		nf_ready_back(w, a);
	else
		nf_commit_slow(w, a, w->pending_kind);
}

/* The next ready actor of this worker; NULL: none. Inside. */
NF_INLINE struct nf_actor_block *nf_pick(struct nf_wrk *w)
{
	struct nf_actor_block *a;

	NF_POINT(NF_POINT_QUEUE);
	if (NF_UNLIKELY(--w->poll_left == 0))
		nf_poll(w);
	a = w->lifo;
	if (a) {
		nf_st(&w->lifo, NULL);
		if (NF_LIKELY(w->lifo_left-- > 0) || NF_BROKEN(LIFO))
			return a;
		nf_queue_push(&w->queue, a);
	}
	w->lifo_left = w->lifo_cap;
	return nf_queue_pop(&w->queue);
}

NF_INLINE struct nf_actor_side nf_side(struct nf_actor_block *a)
{
	return (struct nf_actor_side){ &a->ctx, &a->more };
}

#ifdef NF_ACTOR_HOOKS
#define NF_REMEMBER(w) struct nf_wrk *volatile remembered = (w)
#define NF_RECALL(w) ((w) = NF_BROKEN(STALE_WORKER) ? remembered : (w))
#else
#define NF_REMEMBER(w) ((void)0)
#define NF_RECALL(w) ((void)0)
#endif

/* From the running actor, or the worker's own context, to `next` (NULL: the worker's own
 * context). Inside before and after, on the worker that is returned, where something may be
 * pending. save_fpu: as the worker's. */
NF_INLINE struct nf_wrk *nf_resume_pending(struct nf_wrk *w, struct nf_actor_side from,
                                           struct nf_actor_block *next, bool save_fpu, bool dying)
{
	struct nf_actor_side to = { &w->ctx, &w->more };

	w->current = next;
	if (next) {
		to = nf_side(next);
		nf_count(&w->stats.switches, 1u);
	}
	NF_POINT(NF_POINT_SWITCH);
	NF_REMEMBER(w);
	w = nf_switch(w, from, to, save_fpu && !NF_BROKEN(FPU), dying);
	NF_RECALL(w);
	return w;
}

/* The same, with nothing left pending. */
NF_INLINE struct nf_wrk *nf_resume_fpu(struct nf_wrk *w, struct nf_actor_side from,
                                       struct nf_actor_block *next, bool save_fpu, bool dying)
{
	w = nf_resume_pending(w, from, next, save_fpu, dying);
	nf_commit(w);
	return w;
}

NF_INLINE struct nf_wrk *nf_resume(struct nf_wrk *w, struct nf_actor_side from,
                                   struct nf_actor_block *next, bool dying)
{
	return nf_resume_fpu(w, from, next, w->save_fpu, dying);
}

/* The next one that can run: one that runs for the first time is given its stack. */
NF_INLINE struct nf_actor_block *nf_pick_bound(struct nf_wrk *w)
{
	struct nf_actor_block *a;

	do
		a = nf_pick(w);
	while (a && NF_UNLIKELY(!a->stack) && !nf_block_bind(w, a));
	return a;
}

/* The running actor waits for what `kind` says. Inside before and after. */
NF_INLINE struct nf_wrk *nf_park(struct nf_wrk *w, struct nf_actor_block *a, enum nf_pending kind)
{
	struct nf_actor_block *next;

	w->pending_kind = kind;
	w->pending = a;
	if (NF_BROKEN(COMMIT))
		nf_commit(w);
	next = nf_pick_bound(w);
	return nf_resume(w, nf_side(a), next, false);
}

/* The join word's cancel bit. */
NF_INLINE bool nf_is_cancelled(const struct nf_actor_block *a)
{
	return NF_UNLIKELY(nf_ld(&a->word) & NF_JOIN_CANCEL);
}

#endif
