/* SPDX-License-Identifier: MIT */
/* Waiting for several things: channels and a deadline. Each is armed while the actor still runs,
 * with its wake word saying so; who comes early leaves a note there, and the commit after the
 * switch finds it. */
#include "actor/chan.h"
#include "actor/preempt.h"
#include "actor/resume.h"
#include "actor/timer.h"
#include "actor/waits.h"

enum { MAX_CHANNELS = 64, BUSY = 1 };

struct wait {
	struct nf_chan *const *chans;
	size_t n;
	int64_t deadline_ns; /* INT64_MAX: none */
	struct nf_actor_alarm *alarm;
	uint64_t alarm_generation;
	bool passed; /* the deadline */
};

/* 0: armed. BUSY: it has something. Inside. */
static int arm(struct nf_wrk *w, struct nf_chan *c, struct nf_actor_block *a, uint64_t seq)
{
	uintptr_t empty, now;

	nf_chan_settle(w, c);
	now = nf_ld_acq(&c->head);
	if (now & NF_CHAN_WAITS)
		return -NF_EEXIST;
	empty = (uintptr_t)c->tail;
	nf_st_rel(&c->waiter, a);
	nf_st_rel(&c->wait_seq, seq);
	if (nf_ld(&c->owner) == w) {
		if (now != empty)
			return BUSY;
		nf_st(&c->head, empty | NF_CHAN_AMONG);
	} else {
		now = empty;
		if (!nf_cas(&c->head, &now, empty | NF_CHAN_AMONG))
			return BUSY;
	}
	return 0;
}

/* Inside. */
static void disarm(struct nf_wrk *w, struct nf_chan *c)
{
	nf_chan_settle(w, c);
	if (nf_ld(&c->owner) == w)
		nf_st(&c->head, nf_ld(&c->head) & ~NF_CHAN_AMONG);
	else
		nf_fetch_and(&c->head, ~NF_CHAN_AMONG);
}

static bool closed_and_empty(const struct nf_chan *c)
{
	return nf_ld_acq(&c->closed) && nf_ld_acq(&c->head) == (uintptr_t)c->tail;
}

/* What can be had without waiting: 0 or -NF_ENODATA with *which; BUSY: nothing. Inside. */
static int look(struct nf_wrk *w, const struct wait *t, size_t first, size_t *which,
                struct nf_actor_msg *ret)
{
	for (size_t k = 0; k < t->n; k++) {
		size_t i = (first + k) % t->n;

		nf_chan_settle(w, t->chans[i]);
		if (nf_chan_pop(w, t->chans[i], ret)) {
			*which = i;
			return 0;
		}
	}
	for (size_t i = 0; i < t->n; i++)
		if (closed_and_empty(t->chans[i])) {
			*which = i;
			return -NF_ENODATA;
		}
	return BUSY;
}

/* Arms everything; undoes it when one has something after all. Inside. */
static int arm_all(struct nf_wrk *w, struct wait *t, struct nf_actor_block *a, uint64_t seq)
{
	size_t n = 0;
	int r = 0;

	for (; n < t->n && r == 0; n++) {
		r = arm(w, t->chans[n], a, seq);
		if (r == 0 && nf_ld_seq(&t->chans[n]->closed))
			r = BUSY, n++;
		if (r != 0)
			break;
	}
	t->alarm = NULL;
	if (r == 0 && t->deadline_ns != INT64_MAX) {
		t->alarm = nf_alarm_set(w, t->deadline_ns, a, seq);
		if (t->alarm)
			t->alarm_generation = nf_alarm_generation(t->alarm);
		else
			r = -NF_ENOMEM;
	}
	if (r != 0)
		while (n > 0)
			disarm(w, t->chans[--n]);
	return r;
}

/* Inside before and after. */
static struct nf_wrk *wait_once(struct nf_wrk *w, struct wait *t, struct nf_actor_block *a,
                                int *ret)
{
	uint64_t seq = ++a->seq;

	nf_st_seq(&a->wake, seq << 2 | NF_WAKE_ARMING);
	*ret = arm_all(w, t, a, seq);
	if (*ret == BUSY) {
		/* A sender in mid-push, maybe: the others go first. */
		*ret = 0;
		return nf_park(w, a, NF_PEND_QUEUE);
	}
	if (*ret < 0)
		return w;
	w = nf_park(w, a, NF_PEND_WAKE);
	for (size_t i = 0; i < t->n; i++)
		disarm(w, t->chans[i]);
	if (t->alarm && !nf_alarm_cancel(w, t->alarm, t->alarm_generation))
		t->passed = true;
	return w;
}

/* Inside before and after. */
static struct nf_wrk *wait_any(struct nf_wrk *w, struct wait *t, size_t *which,
                               struct nf_actor_msg *ret, int *ret_code)
{
	struct nf_actor_block *a = w->current;
	int r;

	for (;;) {
		r = look(w, t, (size_t)a->seq, which, ret);
		if (r != BUSY)
			break;
		if (nf_is_cancelled(a))
			nf_block_end_cancelled(w);
		if (!t->passed && t->deadline_ns != INT64_MAX)
			t->passed = nf_actor_now_ns() >= t->deadline_ns;
		if (t->passed) {
			r = -NF_ETIMEOUT;
			break;
		}
		if (NF_UNLIKELY(a->preempt_off))
			nf_block_end_unready(w);
		w = wait_once(w, t, a, &r);
		if (r < 0)
			break;
	}
	*ret_code = r;
	return w;
}

int nf_waits_select_body(struct nf_chan *const *c, size_t n, int64_t deadline_ns, size_t *ret_which,
                         struct nf_actor_msg *ret)
{
	struct nf_wrk *w = nf_wrk_self();
	struct wait t = { .chans = c, .n = n, .deadline_ns = deadline_ns };
	struct nf_actor_msg m = { 0 };
	size_t which = 0;
	int r;

	if (!w || n == 0 || n > MAX_CHANNELS)
		return -NF_EARG;
	for (size_t i = 0; i < n; i++)
		if (c[i]->rt != w->rt)
			return -NF_EARG;
	nf_stack_check(w);
	nf_enter(w);
	w = wait_any(w, &t, &which, &m, &r);
	nf_leave(w);
	if (r == 0)
		*ret = m;
	if (r == 0 || r == -NF_ENODATA)
		*ret_which = which;
	return r;
}

int nf_chan_select(struct nf_chan *const *c, size_t n, int64_t deadline_ns, size_t *ret_which,
                   struct nf_actor_msg *ret)
{
	return nf_waits_select(c, n, deadline_ns, ret_which, ret);
}

int nf_chan_recv_until(struct nf_chan *c, int64_t deadline_ns, struct nf_actor_msg *ret)
{
	size_t which;

	return nf_chan_select(&c, 1, deadline_ns, &which, ret);
}

/* A wait for the clock alone; small, as its frame stays on the stack of everybody who sleeps. */
void nf_waits_sleep_body(int64_t ns)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_block *a = w->current;
	struct nf_actor_alarm *al;
	uint64_t generation;
	int64_t deadline;

	nf_stack_check(w);
	if (__builtin_add_overflow(nf_actor_now_ns(), ns, &deadline))
		deadline = INT64_MAX - 1;
	nf_enter(w);
	for (;;) {
		if (nf_is_cancelled(a))
			nf_block_end_cancelled(w);
		if (NF_UNLIKELY(a->preempt_off))
			nf_block_end_unready(w);
		nf_st_seq(&a->wake, ++a->seq << 2 | NF_WAKE_ARMING);
		al = nf_alarm_set(w, deadline, a, a->seq);
		if (NF_UNLIKELY(!al))
			break;
		generation = nf_alarm_generation(al);
		w = nf_park(w, a, NF_PEND_WAKE);
		if (NF_LIKELY(!nf_alarm_cancel(w, al, generation)))
			break; /* it has fired */
	}
	nf_leave(w);
	/* Without memory for the timer: as often as it takes. */
	while (NF_UNLIKELY(!al) && nf_actor_now_ns() < deadline)
		nf_actor_yield();
}

void nf_actor_sleep(int64_t ns)
{
	if (ns <= 0)
		nf_actor_yield();
	else if (nf_wrk_self())
		nf_waits_sleep(ns);
}
