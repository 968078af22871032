/* SPDX-License-Identifier: MIT */
#include "actor/worker.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "actor/chan.h"
#include "actor/join.h"
#include "actor/overflow.h"
#include "actor/resume.h"
#include "actor/timer.h"

/* Between two times that an actor woken last goes first nothing else is looked at. */
enum { LIFO_MOST = 1024 };

void nf_fiber_thread(struct nf_fiber *f)
{
#if NF_FIBER_ASAN
	pthread_attr_t attr;
	void *bottom = NULL;
	size_t bytes = 0;

	if (pthread_getattr_np(pthread_self(), &attr) == 0) {
		pthread_attr_getstack(&attr, &bottom, &bytes);
		pthread_attr_destroy(&attr);
	}
	f->bottom = bottom;
	f->bytes = bytes;
#elif NF_FIBER_TSAN
	f->tsan = __tsan_get_current_fiber();
#endif
	(void)f;
}

NF_NOINLINE void nf_poll(struct nf_wrk *w)
{
	struct nf_actor_rt *rt = w->rt;

	w->poll_left = NF_POLL_EVERY;
	if (nf_ld_acq(&w->slot) || nf_ld_acq(&w->inbox))
		nf_inbox_take(w);
	if (nf_ld_acq(&w->alarm_inbox))
		nf_timers_inbox(w);
	if (nf_ld_acq(&rt->inject_n))
		nf_inject_take(w);
	if (w->n_timers)
		nf_timers_run(w, nf_actor_now_ns());
	if (NF_UNLIKELY(nf_ld(&rt->wanted)))
		nf_donate(w);
	if (w->queue.n && nf_ld(&rt->n_sleeping))
		nf_wake_for(w);
}

NF_NOINLINE void nf_commit_slow(struct nf_wrk *w, struct nf_actor_block *a, enum nf_pending kind)
{
	uint64_t seq, arming;

	switch (kind) {
	case NF_PEND_WAKE:
		seq = a->seq;
		arming = seq << 2 | NF_WAKE_ARMING;
		if (!nf_word_cas(w->solo, &a->wake, &arming, seq << 2 | NF_WAKE_PARKED))
			nf_ready_back(w, a);
		else if (nf_ld_seq(&a->word) & NF_JOIN_CANCEL)
			nf_wake_claim(w, a, seq);
		break;
	case NF_PEND_JOIN:
		nf_commit_join(w, a);
		break;
	case NF_PEND_EXIT:
		nf_block_bury(w, a);
		break;
	case NF_PEND_NONE:
	case NF_PEND_RECV:
	case NF_PEND_QUEUE:
		break;
	}
}

/* Whom another worker has just handed over, when there is nobody else; the message that woke it
 * is fetched meanwhile. Inside. */
static struct nf_actor_block *handed_over(struct nf_wrk *w)
{
	struct nf_actor_block *a = nf_ld_acq(&w->slot);
	struct nf_chan *c;

	if (!a || !a->stack || w->lifo || w->queue.head)
		return NULL;
	c = nf_ld(&a->wait_chan);
	if (c)
		__builtin_prefetch(nf_ld(&c->tail));
	nf_st_rel(&w->slot, NULL);
	return a;
}

/* A pinned receiver was left, and its worker has nothing else to do: for a moment it looks
 * whether the next message comes, whose sender then need not wake anybody. Others would be taken
 * to where the message comes from. Returns the receiver, when it can go on. Inside; was left in
 * between. */
static struct nf_actor_block *watch(struct nf_wrk *w)
{
	struct nf_actor_block *a = w->pending;
	struct nf_chan *c;

	if (!a || w->pending_kind != NF_PEND_RECV || !a->pin || w->rt->knobs.spin_ns == 0)
		return NULL;
	c = nf_ld(&a->wait_chan);
	if (nf_ld(&c->owner) == w)
		return NULL;
	w->pending = NULL;
	nf_leave(w);
	for (int i = 0; i < NF_GLANCES; i++) {
		if (nf_ld_acq(&c->tail->next)) {
			nf_enter(w);
			return a;
		}
		if (nf_has_work(w))
			break;
		NF_POINT(NF_POINT_WAIT);
	}
	nf_enter(w);
	nf_commit_recv(w, a);
	return NULL;
}

/* The next one of this worker's. Inside. */
static struct nf_actor_block *next_of(struct nf_wrk *w)
{
	struct nf_actor_block *a;

	if (w->shared_queue)
		nf_poll(w);
	a = handed_over(w);
	if (!a)
		a = nf_pick_bound(w);
	if (!a) {
		nf_poll(w);
		a = nf_pick_bound(w);
	}
	return a;
}

static void loop(struct nf_wrk *w)
{
	const struct nf_actor_side self = { &w->ctx, &w->more };

	for (;;) {
		struct nf_actor_block *a;

		nf_enter(w);
		a = next_of(w);
		while (a) {
			nf_resume_pending(w, self, a, w->save_fpu, false);
			a = watch(w);
			nf_commit(w);
			if (!a)
				a = next_of(w);
		}
		nf_leave(w);
		if (nf_ld_acq(&w->rt->stop))
			return;
		nf_idle(w);
	}
}

#ifdef NF_ACTOR_HOOKS
static uint32_t last_interval;
#endif

/* The knobs of its runtime, which are read from the worker later. */
static void take_knobs(struct nf_wrk *w, const struct nf_actor_knobs *k)
{
	w->alloc_interval = k->alloc_interval;
#ifdef NF_ACTOR_HOOKS
	if (!last_interval)
		last_interval = k->alloc_interval;
	if (NF_BROKEN(OWN_SLICES))
		w->alloc_interval = last_interval;
#endif
	w->countdown = w->alloc_interval;
	w->timeslice_ticks = k->timeslice_ticks;
	w->lifo_cap = k->run_queue == NF_ACTOR_SHARED ? 0 : k->lifo_cap;
	if (w->lifo_cap > LIFO_MOST)
		w->lifo_cap = LIFO_MOST;
	w->lifo_left = w->lifo_cap;
	w->save_fpu = k->save_fpu;
	w->shared_queue = k->run_queue == NF_ACTOR_SHARED;
}

static void *thread(void *arg)
{
	struct nf_wrk *w = arg;

	nf_wrk_tls = w;
	nf_fiber_thread(&w->more.fiber);
	nf_overflow_thread(w);
	w->found_ns = nf_actor_now_ns();
	loop(w);
	return NULL;
}

/* The shortcuts of recv and send know the common case alone. */
static bool takes_shortcuts(const struct nf_wrk *w)
{
#ifdef NF_ACTOR_HOOKS
	return false;
#endif
	return w->rt->asym && !w->save_fpu && !w->shared_queue && w->lifo_cap > 0;
}

int nf_worker_init(struct nf_wrk *w, struct nf_actor_rt *rt, uint32_t number, struct nf_err *err)
{
	w->rt = rt;
	w->number = number;
	take_knobs(w, &rt->knobs);
	w->thief = takes_shortcuts(w) ? 0 : NF_THIEF_SLOW;
	w->solo = rt->solo;
	w->poll_left = NF_POLL_EVERY;
	w->wake_skip = 1;
	w->next_ns = INT64_MAX;
	nf_pool_cache_init(&w->nodes, &rt->nodes);
	nf_pool_cache_init(&w->blocks, &rt->blocks);
	nf_pool_cache_init(&w->stacks, &rt->stacks);
	nf_pool_cache_init(&w->chans, &rt->chans);
	nf_pool_cache_init(&w->alarms, &rt->alarms);
	w->sights = calloc(rt->n_workers, sizeof(*w->sights));
	if (!w->sights)
		return nf_fail_nomem(err, "a worker", rt->n_workers * sizeof(*w->sights));
	return nf_overflow_prepare(w, err);
}

int nf_worker_start(struct nf_wrk *w, struct nf_err *err)
{
	const struct nf_actor_knobs *k = &w->rt->knobs;
	pthread_attr_t attr;
	cpu_set_t cpu;
	int r;

	r = pthread_attr_init(&attr);
	if (r != 0)
		return nf_fail_os(err, r, "worker %u: pthread_attr_init", w->number);
	if (k->n_cpus) {
		CPU_ZERO(&cpu);
		CPU_SET((size_t)k->cpus[(w->number - 1) % k->n_cpus], &cpu);
		r = pthread_attr_setaffinity_np(&attr, sizeof(cpu), &cpu);
	}
	if (r == 0)
		r = pthread_create(&w->thread, &attr, thread, w);
	pthread_attr_destroy(&attr);
	if (r != 0)
		return nf_fail_os(err, r, "worker %u: starting its thread%s", w->number,
		                  k->n_cpus && r == EINVAL ? " on its CPU" : "");
	w->started = true;
	return 0;
}

void nf_worker_join(struct nf_wrk *w)
{
	if (w->started)
		pthread_join(w->thread, NULL);
	w->started = false;
}

void nf_worker_fini(struct nf_wrk *w)
{
	nf_overflow_release(w);
	free(w->sights);
	free(w->timers);
}
