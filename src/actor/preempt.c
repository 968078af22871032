/* SPDX-License-Identifier: MIT */
#include "actor/preempt.h"

#include <errno.h>

#include "actor/chan.h"
#include "actor/resume.h"
#include "actor/ticks.h"
#include "actor/timer.h"
#include "actor/waits.h"

/* Lets the others run; back at once where there are none. Inside before and after. */
static struct nf_wrk *yield(struct nf_wrk *w)
{
	struct nf_actor_block *a = w->current, *next;

	if (w->shared_queue) {
		/* This worker keeps nothing for itself: what is next is known after it went
		 * back. */
		w->pending = a;
		w->pending_kind = NF_PEND_QUEUE;
		return nf_resume(w, nf_side(a), NULL, false);
	}
	next = nf_pick_bound(w);
	if (!next) {
		nf_poll(w);
		next = nf_pick_bound(w);
	}
	if (!next || next == a)
		return w;
	w->pending = a;
	w->pending_kind = NF_PEND_QUEUE;
	return nf_resume(w, nf_side(a), next, false);
}

int nf_waits_yield_body(bool preempted)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_block *a;

	nf_stack_check(w);
	a = w->current;
	nf_enter(w);
	if (nf_is_cancelled(a))
		nf_block_end_cancelled(w);
	if (NF_UNLIKELY(a->preempt_off))
		nf_block_end_unready(w);
	if (preempted) {
		nf_poll(w);
		nf_count(&w->stats.preempted, 1u);
		w->slice_start = nf_actor_ticks();
	}
	w = yield(w);
	if (nf_is_cancelled(a))
		nf_block_end_cancelled(w);
	nf_leave(w);
	return 0;
}

void nf_actor_yield(void)
{
	if (nf_wrk_self())
		nf_waits_yield(false);
}

NF_NOINLINE void nf_preempt_slow(struct nf_wrk *w)
{
	uint64_t now = nf_actor_ticks();

	w->countdown = w->alloc_interval;
	if (w->slice_switches != nf_ld(&w->stats.switches)) {
		/* Not read at the switch, which would cost each of them: the slice begins here. */
		w->slice_switches = nf_ld(&w->stats.switches);
		w->slice_start = now;
		if (w->timeslice_ticks)
			return;
	}
	if (now - w->slice_start < w->timeslice_ticks)
		return;
	if (NF_BROKEN(PREEMPT_OFF))
		w->current->preempt_off = 0;
	if (w->current->preempt_off)
		return;
	nf_waits_yield(true);
}

void nf_actor_checkpoint(void)
{
	struct nf_wrk *w = nf_wrk_self();

	if (w)
		nf_preempt_count(w);
}

void nf_actor_preempt_off(void)
{
	nf_wrk_self()->current->preempt_off++;
}

void nf_actor_preempt_on(void)
{
	struct nf_actor_block *a = nf_wrk_self()->current;

	if (a->preempt_off == 0)
		nf_actor_panic("preemption was not off");
	a->preempt_off--;
}

NF_NOINLINE int *nf_actor_errno(void)
{
#ifdef NF_ACTOR_HOOKS
	static int *first;

	if (!first)
		first = &errno;
	if (NF_BROKEN(STALE_ERRNO))
		return first;
#endif
	return &errno;
}
