/* SPDX-License-Identifier: MIT */
#include <sched.h>

#include "actor/chan.h"
#include "actor/preempt.h"
#include "actor/resume.h"
#include "actor/waits.h"

enum { BIAS_FIRST = 256, BIAS_LAST = 1 << 30, PATIENCE = 2000 };

/* The worker that the caller runs on, if it is one of rt's; else NULL. */
static struct nf_wrk *own_worker(const struct nf_actor_rt *rt)
{
	struct nf_wrk *w = nf_wrk_self();

	return w && w->rt == rt ? w : NULL;
}

/* ---- whose it is ---- */

/* No worker: whoever finds a channel to be this one's waits for bias_lock in nf_chan_share(). */
static struct nf_wrk nobody;

NF_NOINLINE void nf_chan_share(struct nf_wrk *w, struct nf_chan *c)
{
	struct nf_actor_rt *rt = c->rt;
	struct nf_wrk *o;

	pthread_mutex_lock(&rt->bias_lock);
	o = nf_ld_seq(&c->owner);
	if (o && o != w) {
		/* Nobody's until the owner has left: it may be in the middle of a plain operation,
		 * which a third one must not get between. */
		nf_st_seq(&c->owner, NF_BROKEN(REVOKE) ? NULL : &nobody);
		nf_asym_fence(rt);
		for (int tries = 0; nf_ld_seq(&o->busy); tries++) {
			NF_POINT(NF_POINT_WAIT);
			if (tries % PATIENCE == PATIENCE - 1)
				sched_yield();
			else
				nf_relax();
		}
		nf_st_seq(&c->owner, NULL);
		nf_st(&c->streak, 0);
		if (c->bias_at < BIAS_LAST)
			nf_st(&c->bias_at, c->bias_at * 2);
		nf_add(&rt->out_stats.revoked, 1u);
	}
	pthread_mutex_unlock(&rt->bias_lock);
}

/* True: nobody but w is at the channel, and who comes later sees that it is w's. */
static bool alone_with(struct nf_wrk *w, const struct nf_actor_rt *rt)
{
	nf_asym_fence(rt);
	for (uint32_t i = 0; i < rt->n_workers; i++) {
		const struct nf_wrk *v = &rt->workers[i];

		for (int tries = 0; v != w && nf_ld_seq(&v->busy); tries++) {
			NF_POINT(NF_POINT_WAIT);
			if (tries == PATIENCE)
				return false;
			nf_relax();
		}
	}
	return nf_ld_seq(&rt->outside_ops) == 0;
}

NF_NOINLINE void nf_chan_bias(struct nf_wrk *w, struct nf_chan *c)
{
	struct nf_actor_rt *rt = w->rt;

	nf_st(&c->streak, 0);
	if (!rt->asym || nf_ld(&c->closed))
		return;
	nf_leave(w);
	if (pthread_mutex_trylock(&rt->bias_lock) == 0) {
		nf_st_seq(&c->owner, w);
		if (!alone_with(w, rt))
			nf_st_seq(&c->owner, NULL);
		else
			nf_count(&w->stats.biased, 1u);
		pthread_mutex_unlock(&rt->bias_lock);
	}
	nf_enter(w);
}

/* ---- waking who waits ---- */

void nf_wake_claim(struct nf_wrk *w, struct nf_actor_block *a, uint64_t seq)
{
	uint64_t now = nf_ld_seq(&a->wake);
	bool solo = w ? w->solo : a->rt->solo;

	while (now >> 2 == seq) {
		uint64_t state = now & NF_WAKE_STATE, next;

		if (state != NF_WAKE_ARMING && state != NF_WAKE_PARKED)
			return;
		next = seq << 2 | (state == NF_WAKE_ARMING ? NF_WAKE_NOTIFIED : NF_WAKE_CLAIMED);
		if (!nf_word_cas(solo, &a->wake, &now, next))
			continue;
		if (state == NF_WAKE_ARMING)
			return; /* its commit makes it ready */
		if (w)
			nf_ready(w, a);
		else
			nf_ready_elsewhere(NULL, a, a->pin);
		return;
	}
}

/* The fields may be of a later wait by now: at worst that one is woken for nothing. */
NF_NOINLINE void nf_chan_wake_among(struct nf_wrk *w, struct nf_chan *c)
{
	struct nf_actor_block *a = nf_ld_acq(&c->waiter);
	uint64_t seq = nf_ld_acq(&c->wait_seq);

	nf_wake_claim(w, a, seq);
}

static void wake_outside(struct nf_chan *c, uintptr_t bits)
{
	if (bits & NF_CHAN_ALONE) {
		nf_ready_elsewhere(NULL, nf_ld_acq(&c->waiter), nf_ld(&c->waiter_pin));
	} else if (bits) {
		nf_outside_enter(c->rt);
		nf_chan_wake_among(NULL, c);
		nf_outside_leave(c->rt);
	}
}

/* Outside, the channel is everybody's between these two. */
static void outside_begin(struct nf_chan *c)
{
	nf_add(&c->rt->outside_ops, 1);
	while (nf_ld_seq(&c->owner))
		nf_chan_share(NULL, c);
}

static void outside_end(struct nf_chan *c)
{
	nf_sub(&c->rt->outside_ops, 1);
}

NF_NOINLINE void nf_chan_kick(struct nf_wrk *w, struct nf_chan *c)
{
	uintptr_t old;

	if (!w) {
		outside_begin(c);
		wake_outside(c, nf_fetch_and(&c->head, ~NF_CHAN_WAITS) & NF_CHAN_WAITS);
		outside_end(c);
		return;
	}
	nf_chan_settle(w, c);
	if (nf_ld(&c->owner) == w) {
		old = nf_ld(&c->head);
		nf_st(&c->head, old & ~NF_CHAN_WAITS);
	} else {
		old = nf_fetch_and(&c->head, ~NF_CHAN_WAITS);
	}
	nf_chan_wake(w, c, old & NF_CHAN_WAITS);
}

NF_NOINLINE void nf_chan_again(struct nf_wrk *w, struct nf_actor_block *a, struct nf_chan *c)
{
	if (!nf_ld_acq(&c->tail->next)) {
		nf_count(&w->stats.stalled, 1u);
		while (NF_BROKEN(STALLED) && !nf_ld_acq(&c->tail->next))
			NF_POINT(NF_POINT_WAIT);
		if (!w->queue.n && !w->lifo)
			sched_yield();
	}
	nf_ready_back(w, a);
}

/* ---- life ---- */

static void init(struct nf_chan *c, struct nf_actor_node *n, struct nf_actor_rt *rt)
{
	n->next = NULL;
	nf_st(&c->tail, n);
	nf_st(&c->head, (uintptr_t)n);
	nf_st(&c->owner, rt->solo ? &rt->workers[0] : NULL);
	nf_st(&c->waiter, NULL);
	nf_st(&c->wait_seq, 0);
	c->rt = rt;
	nf_st(&c->closed, false);
	nf_st(&c->streak, 0);
	nf_st(&c->bias_at, BIAS_FIRST);
	nf_count(&c->taken, 1u);
}

int nf_chan_new(struct nf_actor_rt *rt, struct nf_chan **ret, struct nf_err *err)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_chan *c;
	struct nf_actor_node *n = NULL;

	if (!rt && !w)
		return nf_fail(err, NF_EARG, "a channel made outside of actors needs a runtime");
	if (!rt)
		rt = w->rt;
	if (w && w->rt == rt) {
		nf_enter(w);
		c = nf_pool_get(&rt->chans, &w->chans);
		if (c)
			n = nf_pool_get(&rt->nodes, &w->nodes);
		if (c && !n)
			nf_pool_put(&rt->chans, &w->chans, c);
		nf_leave(w);
	} else {
		pthread_mutex_lock(&rt->outside_lock);
		c = nf_pool_get(&rt->chans, &rt->out_chans);
		if (c)
			n = nf_pool_get(&rt->nodes, &rt->out_nodes);
		if (c && !n)
			nf_pool_put(&rt->chans, &rt->out_chans, c);
		pthread_mutex_unlock(&rt->outside_lock);
	}
	if (!c || !n)
		return nf_fail(err, NF_ENOMEM, "no memory for one more channel");
	init(c, n, rt);
	*ret = c;
	return 0;
}

uint64_t nf_chan_free(struct nf_chan *c)
{
	struct nf_wrk *w;
	struct nf_actor_rt *rt;
	struct nf_actor_node *n, *next;
	struct nf_pool_cache *nodes, *chans;
	uint64_t lost = 0;

	if (!c)
		return 0;
	rt = c->rt;
	w = own_worker(rt);
	if (w) {
		nf_enter(w);
		nf_chan_settle(w, c);
	} else {
		pthread_mutex_lock(&rt->outside_lock);
		nf_chan_share(NULL, c);
	}
	nodes = w ? &w->nodes : &rt->out_nodes;
	chans = w ? &w->chans : &rt->out_chans;
	nf_count(&c->taken, 1u);
	for (n = c->tail; n; n = next) {
		next = nf_ld_acq(&n->next);
		lost += next != NULL;
		nf_pool_put(&rt->nodes, nodes, n);
	}
	nf_pool_put(&rt->chans, chans, c);
	if (w)
		nf_leave(w);
	else
		pthread_mutex_unlock(&rt->outside_lock);
	return lost;
}

/* A closed channel is everybody's for good: who has it for its own need not ask. */
void nf_chan_close(struct nf_chan *c)
{
	struct nf_wrk *w = own_worker(c->rt);

	nf_st_seq(&c->closed, true);
	if (w)
		nf_enter(w);
	nf_chan_kick(w, c);
	if (w) {
		nf_st_seq(&c->owner, NULL);
		nf_leave(w);
	}
}

/* ---- sending ---- */

static int put_outside(struct nf_chan *c, struct nf_actor_msg m)
{
	struct nf_actor_rt *rt = c->rt;
	struct nf_actor_node *n, *before;
	uintptr_t old;

	pthread_mutex_lock(&rt->outside_lock);
	n = nf_pool_get(&rt->nodes, &rt->out_nodes);
	if (n)
		nf_count(&rt->out_stats.sent, 1u);
	pthread_mutex_unlock(&rt->outside_lock);
	if (!n)
		return -NF_ENOMEM;
	n->next = NULL;
	outside_begin(c);
	NF_POINT(NF_POINT_PUSH);
	old = nf_xchg(&c->head, (uintptr_t)n);
	NF_POINT(NF_POINT_PUSH_LINK);
	before = (struct nf_actor_node *)(old & ~NF_CHAN_WAITS);
	before->msg = m;
	before->from = 0;
	nf_st_rel(&before->next, n);
	wake_outside(c, old & NF_CHAN_WAITS);
	outside_end(c);
	return 0;
}

/* A node's line is fetched for writing while the message is on its way, not before the next one
 * is. */
static void make_ready(struct nf_wrk *w)
{
	struct nf_actor_node *n = w->spare;

	if (w->ready)
		return;
	if (n)
		w->spare = NULL;
	else if (w->nodes.head)
		n = nf_pool_get(&w->rt->nodes, &w->nodes);
	if (n)
		n->next = NULL;
	w->ready = n;
}

int nf_chan_put(struct nf_wrk *w, struct nf_chan *c, struct nf_actor_msg m)
{
	struct nf_actor_node *n;

	if (!w)
		return put_outside(c, m);
	n = w->ready;
	w->ready = NULL;
	if (!n)
		n = nf_pool_get(&w->rt->nodes, &w->nodes);
	if (!n)
		return -NF_ENOMEM;
	nf_chan_settle(w, c);
	nf_count(&w->stats.sent, 1u);
	nf_chan_push(w, c, n, m);
	make_ready(w);
	return 0;
}

static NF_NOINLINE int send_slow(struct nf_chan *c, struct nf_actor_msg m)
{
	struct nf_wrk *w = own_worker(c->rt);
	int r;

	if (nf_ld_acq(&c->closed))
		return -NF_ENODATA;
	if (!w)
		return put_outside(c, m);
	nf_stack_check(w);
	nf_enter(w);
	r = nf_chan_put(w, c, m);
	nf_leave(w);
	if (r == 0)
		nf_preempt_count(w);
	return r;
}

/* The receiver was made ready while nobody watches over this worker. */
static NF_NOINLINE int send_wakes(struct nf_wrk *w)
{
	nf_wake_for_slow(w);
	nf_leave(w);
	nf_preempt_count(w);
	return 0;
}

static NF_NOINLINE int send_preempted(struct nf_wrk *w)
{
	nf_preempt_slow(w);
	return 0;
}

/* The way of a message between two actors of one worker, whose channel is theirs; the rest is in
 * send_slow(), and so is everything of workers that take the slow way always (nf_enter). No call
 * but as the last thing, so that nothing is saved on the stack. */
int nf_chan_send(struct nf_chan *c, struct nf_actor_msg m)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_node *n;
	struct nf_actor_block *a;
	uintptr_t old;

	if (NF_UNLIKELY(nf_ld(&c->owner) != w || !w || nf_stack_is_low(w)))
		return send_slow(c, m);
	nf_st_rel(&w->busy, 1);
	nf_compiler_fence();
	n = w->spare;
	if (NF_UNLIKELY(nf_ld_acq(&w->thief) || nf_ld_acq(&c->owner) != w ||
	                (!n && !w->nodes.head)))
		return send_slow(c, m);
	old = nf_ld(&c->head);
	if (old & NF_CHAN_WAITS) {
		a = nf_ld(&c->waiter);
		if (NF_UNLIKELY(old & NF_CHAN_AMONG || w->lifo || nf_ld(&c->waiter_pin)))
			return send_slow(c, m);
		old &= ~NF_CHAN_WAITS;
		nf_st(&w->lifo, a);
	}
	if (n) {
		w->spare = NULL;
	} else {
		n = (struct nf_actor_node *)(void *)w->nodes.head;
		w->nodes.head = (struct nf_pool_item *)(void *)n->next;
		w->nodes.n--;
	}
	n->next = NULL;
	nf_st(&c->head, (uintptr_t)n);
	((struct nf_actor_node *)old)->msg = m;
	nf_st_rel(&((struct nf_actor_node *)old)->next, n);
	nf_count(&w->stats.sent, 1u);
	if (NF_UNLIKELY(nf_ld(&w->rt->unwatched)))
		return send_wakes(w);
	nf_leave(w);
	if (NF_UNLIKELY(--w->countdown == 0))
		return send_preempted(w);
	return 0;
}

/* ---- receiving ---- */

/* Why nothing can be had: 0: it is worth waiting. Inside and settled. */
static int why_not(const struct nf_chan *c)
{
	uintptr_t head = nf_ld_acq(&c->head);

	if (head & NF_CHAN_WAITS)
		return -NF_EEXIST;
	if (nf_ld_acq(&c->closed) && nf_ld_acq(&c->head) == (uintptr_t)c->tail)
		return -NF_ENODATA;
	return 0;
}

int nf_waits_recv_body(struct nf_chan *c, struct nf_actor_msg *ret)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_block *a;
	int r;

	if (NF_UNLIKELY(!w || w->rt != c->rt))
		return -NF_EARG;
	nf_stack_check(w);
	a = w->current;
	nf_enter(w);
	for (;;) {
		nf_chan_settle(w, c);
		if (nf_chan_pop(w, c, ret))
			break;
		if (nf_is_cancelled(a))
			nf_block_end_cancelled(w);
		r = why_not(c);
		if (NF_UNLIKELY(r < 0)) {
			nf_leave(w);
			return r;
		}
		if (NF_UNLIKELY(a->preempt_off))
			nf_block_end_unready(w);
		nf_st(&a->wait_chan, c);
		w = nf_park(w, a, NF_PEND_RECV);
	}
	nf_leave(w);
	return 0;
}

/* Takes the message after `tail`, which is there, of a channel that is w's. Inside; leaves. */
NF_INLINE void take_own(struct nf_wrk *w, struct nf_chan *c, struct nf_actor_node *tail,
                        struct nf_actor_node *next, struct nf_actor_msg *ret)
{
	nf_msg_copy(ret, &tail->msg);
	nf_st(&c->tail, next);
	if (!w->spare) {
		w->spare = tail;
	} else {
		tail->next = (struct nf_actor_node *)(void *)w->nodes.head;
		w->nodes.head = (struct nf_pool_item *)(void *)tail;
		w->nodes.n++;
	}
	nf_count(&w->stats.received, 1u);
	nf_leave(w);
}

/* Who runs after the one that waits, when nothing else has to be looked at: the one woken last,
 * or the first of the queue, bound. NULL: that is for nf_pick(). Inside. */
NF_INLINE struct nf_actor_block *pick_quickly(struct nf_wrk *w)
{
	struct nf_actor_block *next = w->lifo;

	if (NF_LIKELY(next)) {
		if (NF_UNLIKELY(w->lifo_left == 0 || !next->stack))
			return NULL;
		nf_st(&w->lifo, NULL);
		w->lifo_left--;
		return next;
	}
	next = w->queue.head;
	if (!next || w->poll_left == 1 || (!next->stack && !nf_block_can_bind(w)))
		return NULL;
	w->poll_left--;
	w->lifo_left = w->lifo_cap;
	nf_queue_pop(&w->queue);
	if (!next->stack)
		nf_block_bind(w, next);
	return next;
}

/* Waiting for a channel that is this worker's, with somebody ready: straight to that one. w is
 * entered. What is left pending in other cases is done at once, as nobody sees it before the
 * worker is left, which is after the switch. */
NF_NO_PROTECTOR int nf_waits_recv_own_body(struct nf_chan *c, struct nf_actor_msg *ret,
                                           struct nf_wrk *w)
{
	struct nf_actor_block *a = w->current, *next;
	struct nf_actor_node *tail = c->tail;

	nf_st(&a->wait_chan, c);
	nf_compiler_fence();
	if (NF_UNLIKELY(nf_ld(&c->head) != (uintptr_t)tail || nf_is_cancelled(a) ||
	                a->preempt_off || nf_stack_is_low(w)))
		return nf_waits_recv_body(c, ret);
	next = pick_quickly(w);
	if (NF_UNLIKELY(!next))
		return nf_waits_recv_body(c, ret);
	nf_st(&c->waiter, a);
	nf_st(&c->waiter_pin, a->pin);
	nf_st(&c->head, (uintptr_t)tail | NF_CHAN_ALONE);
	w = nf_resume_fpu(w, nf_side(a), next, false, false);
	tail = c->tail;
	if (NF_UNLIKELY(nf_ld(&c->owner) != w || !nf_ld_acq(&tail->next) ||
	                w->nodes.n == w->nodes.limit))
		return nf_waits_recv_body(c, ret);
	take_own(w, c, tail, nf_ld_acq(&tail->next), ret);
	return 0;
}

/* A message that is there, of a channel that is this worker's. */
int nf_chan_recv(struct nf_chan *c, struct nf_actor_msg *ret)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_node *tail, *next;

	if (NF_UNLIKELY(nf_ld(&c->owner) != w || !w || w->nodes.n == w->nodes.limit))
		return nf_waits_recv(c, ret);
	nf_st_rel(&w->busy, 1);
	nf_compiler_fence();
	if (NF_UNLIKELY(nf_ld_acq(&w->thief) || nf_ld_acq(&c->owner) != w))
		return nf_waits_recv(c, ret);
	tail = c->tail;
	next = nf_ld_acq(&tail->next);
	if (!next)
		return nf_waits_recv_own(c, ret, w);
	take_own(w, c, tail, next, ret);
	return 0;
}

int nf_chan_try_recv(struct nf_chan *c, struct nf_actor_msg *ret)
{
	struct nf_wrk *w = nf_wrk_self();
	int r = 0;

	if (NF_UNLIKELY(!w || w->rt != c->rt))
		return -NF_EARG;
	nf_stack_check(w);
	nf_enter(w);
	nf_chan_settle(w, c);
	if (!nf_chan_pop(w, c, ret)) {
		r = why_not(c);
		if (r == 0)
			r = -NF_ETIMEOUT;
	}
	nf_leave(w);
	return r;
}
