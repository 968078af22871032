/* SPDX-License-Identifier: MIT */
/* chan - the parts of a channel that are inlined into who uses it. An intrusive queue of many
 * producers and one consumer (D. Vyukov's, 1024cores.net) whose head tells in its low bits
 * whether it is empty with a waiting receiver: the exchange that pushes a message also says who
 * has to be woken. */
#ifndef NF_ACTOR_CHAN_H
#define NF_ACTOR_CHAN_H

#include "actor/queue.h"

/* Makes it everybody's. Not inside; w NULL: outside. */
void nf_chan_share(struct nf_wrk *w, struct nf_chan *c);
/* The receiver is on w and so were the senders of late: makes it w's own. Inside; was left in
 * between. */
void nf_chan_bias(struct nf_wrk *w, struct nf_chan *c);
/* Wakes who waits, according to the bits that were taken from the head. */
void nf_chan_wake_among(struct nf_wrk *w, struct nf_chan *c);
/* Takes the bits and wakes who waits, spuriously maybe. Inside, or outside with w NULL; was left
 * in between. */
void nf_chan_kick(struct nf_wrk *w, struct nf_chan *c);
/* The receiver goes back to the queue: a message is there, or a sender is in mid-push. */
void nf_chan_again(struct nf_wrk *w, struct nf_actor_block *a, struct nf_chan *c);
/* A message without a check or a switch; w NULL: outside. -NF_ENOMEM. */
int nf_chan_put(struct nf_wrk *w, struct nf_chan *c, struct nf_actor_msg m);
/* Claims a wait on several things and makes its actor ready. Inside; w NULL: outside. */
void nf_wake_claim(struct nf_wrk *w, struct nf_actor_block *a, uint64_t seq);

/* Inside: afterwards c->owner is w or NULL, and stays so until w leaves. Was left in between. */
NF_INLINE void nf_chan_settle(struct nf_wrk *w, struct nf_chan *c)
{
	struct nf_wrk *o;

	while (NF_UNLIKELY((o = nf_ld_acq(&c->owner)) != w && o)) {
		nf_leave(w);
		nf_chan_share(w, c);
		nf_enter(w);
	}
}

/* Inside and settled. */
NF_INLINE void nf_chan_wake(struct nf_wrk *w, struct nf_chan *c, uintptr_t bits)
{
	if (bits & NF_CHAN_ALONE)
		nf_ready_pinned(w, nf_ld(&c->waiter), nf_ld(&c->waiter_pin));
	else if (NF_UNLIKELY(bits))
		nf_chan_wake_among(w, c);
}

/* Inside and settled. */
NF_INLINE void nf_chan_push(struct nf_wrk *w, struct nf_chan *c, struct nf_actor_node *n,
                            struct nf_actor_msg m)
{
	struct nf_actor_node *before;
	uintptr_t old;

	n->next = NULL;
	NF_POINT(NF_POINT_PUSH);
	if (NF_LIKELY(nf_ld(&c->owner) == w)) {
		old = nf_ld(&c->head);
		NF_POINT(NF_POINT_PUSH_OWN);
		nf_st(&c->head, (uintptr_t)n);
	} else {
		old = nf_xchg(&c->head, (uintptr_t)n);
	}
	NF_POINT(NF_POINT_PUSH_LINK);
	before = (struct nf_actor_node *)(old & ~NF_CHAN_WAITS);
	if (NF_UNLIKELY(old & NF_CHAN_ALONE && nf_ld(&c->waiter_pin)))
		/* Of the waiter's worker, which looks there. */
		__builtin_prefetch(&w->rt->workers[nf_ld(&c->waiter_pin) - 1].slot, 1);
	before->msg = m;
	before->from = w->number;
	nf_st_rel(&before->next, n);
	nf_chan_wake(w, c, old & NF_CHAN_WAITS);
}

/* Word by word, as it was written: a wider load would wait until both stores have left the store
 * buffer. */
NF_INLINE void nf_msg_copy(struct nf_actor_msg *to, const struct nf_actor_msg *from)
{
	uint64_t word = nf_ld(&from->word);
	void *ptr = nf_ld(&from->ptr);

	nf_st(&to->word, word);
	nf_st(&to->ptr, ptr);
}

/* Inside and settled; the receiver alone. */
NF_INLINE bool nf_chan_pop(struct nf_wrk *w, struct nf_chan *c, struct nf_actor_msg *ret)
{
	struct nf_actor_node *tail = c->tail, *next = nf_ld_acq(&tail->next);
	uint32_t from;

	NF_POINT(NF_POINT_POP);
	if (!next)
		return false;
	nf_msg_copy(ret, &tail->msg);
	from = tail->from;
	nf_st(&c->tail, next);
	if (!w->spare) /* not written to before the next message leaves */
		w->spare = tail;
	else
		nf_pool_put(&w->rt->nodes, &w->nodes, tail);
	nf_count(&w->stats.received, 1u);
	if (NF_UNLIKELY(nf_ld(&c->owner) != w)) {
		if (from != w->number)
			nf_st(&c->streak, 0);
		else if (nf_ld(&c->streak) < nf_ld(&c->bias_at))
			nf_count(&c->streak, 1u);
		else
			nf_chan_bias(w, c);
	}
	return true;
}

/* After the receiver's context was saved: it waits now, or there is a message after all. */
NF_INLINE void nf_commit_recv(struct nf_wrk *w, struct nf_actor_block *a)
{
	struct nf_chan *c = nf_ld(&a->wait_chan);
	uintptr_t empty = (uintptr_t)c->tail, now = empty;

	nf_st(&c->waiter, a);
	nf_st(&c->waiter_pin, a->pin);
	if (NF_BROKEN(LOST_WAKE) && nf_ld(&c->owner) != w) {
		now = nf_ld(&c->head);
		NF_POINT(NF_POINT_WAIT);
		if (now == empty)
			nf_st(&c->head, empty | NF_CHAN_ALONE);
	} else if (NF_LIKELY(nf_ld(&c->owner) == w)) {
		now = nf_ld(&c->head);
		if (NF_LIKELY(now == empty))
			nf_st(&c->head, empty | NF_CHAN_ALONE);
	} else {
		nf_cas(&c->head, &now, empty | NF_CHAN_ALONE);
	}
	nf_compiler_fence();
	if (NF_UNLIKELY(now != empty))
		nf_chan_again(w, a, c);
	else if (NF_UNLIKELY(nf_ld_acq(&c->closed) || nf_ld_seq(&a->word) & NF_JOIN_CANCEL))
		nf_chan_kick(w, c);
}

#endif
