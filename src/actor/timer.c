/* SPDX-License-Identifier: MIT */
#include "actor/timer.h"

#include <stdlib.h>
#include <time.h>

#include "actor/chan.h"

enum { ARY = 4, FIRST_SLOTS = 64, MAX_SLOTS = 1 << 28 };

int64_t nf_actor_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- the heap ---- */

static void place(struct nf_wrk *w, uint32_t at, struct nf_timer_slot s)
{
	w->timers[at] = s;
	s.alarm->at = at;
}

static void sift_up(struct nf_wrk *w, uint32_t at, struct nf_timer_slot s)
{
	while (at > 0) {
		uint32_t up = (at - 1) / ARY;

		if (w->timers[up].deadline_ns <= s.deadline_ns)
			break;
		place(w, at, w->timers[up]);
		at = up;
	}
	place(w, at, s);
}

static void sift_down(struct nf_wrk *w, uint32_t at, struct nf_timer_slot s)
{
	for (;;) {
		uint32_t first = at * ARY + 1, best, end = first + ARY;

		if (first >= w->n_timers)
			break;
		if (end > w->n_timers)
			end = w->n_timers;
		best = first;
		for (uint32_t i = first + 1; i < end; i++)
			if (w->timers[i].deadline_ns < w->timers[best].deadline_ns)
				best = i;
		if (s.deadline_ns <= w->timers[best].deadline_ns)
			break;
		place(w, at, w->timers[best]);
		at = best;
	}
	place(w, at, s);
}

static void note_next(struct nf_wrk *w)
{
	nf_st(&w->next_ns, w->n_timers ? w->timers[0].deadline_ns : INT64_MAX);
}

static bool insert(struct nf_wrk *w, struct nf_actor_alarm *al)
{
	if (w->n_timers == w->cap_timers) {
		uint32_t cap = w->cap_timers ? w->cap_timers * 2 : FIRST_SLOTS;
		struct nf_timer_slot *t;

		if (cap > MAX_SLOTS)
			return false;
		t = realloc(w->timers, cap * sizeof(*t));
		if (!t)
			return false;
		w->timers = t;
		w->cap_timers = cap;
	}
	nf_st(&al->wrk, w);
	sift_up(w, w->n_timers++, (struct nf_timer_slot){ al->deadline_ns, al });
	note_next(w);
	return true;
}

static void take_out(struct nf_wrk *w, struct nf_actor_alarm *al)
{
	uint32_t at = al->at;
	struct nf_timer_slot last = w->timers[--w->n_timers];

	al->at = NF_ALARM_NOWHERE;
	if (last.alarm != al) {
		if (at > 0 && w->timers[(at - 1) / ARY].deadline_ns > last.deadline_ns)
			sift_up(w, at, last);
		else
			sift_down(w, at, last);
	}
	note_next(w);
}

/* ---- alarms ---- */

uint64_t nf_alarm_generation(const struct nf_actor_alarm *al)
{
	return nf_ld(&al->state) >> NF_ALARM_GENERATION_SHIFT;
}

static void release(struct nf_wrk *w, struct nf_actor_alarm *al)
{
	uint64_t generation = nf_alarm_generation(al) + 1;

	nf_st_rel(&al->state, generation << NF_ALARM_GENERATION_SHIFT | NF_ALARM_FREE);
	nf_pool_put(&w->rt->alarms, &w->alarms, al);
}

struct nf_actor_alarm *nf_alarm_set(struct nf_wrk *w, int64_t deadline_ns, struct nf_actor_block *a,
                                    uint64_t seq)
{
	struct nf_actor_alarm *al = nf_pool_get(&w->rt->alarms, &w->alarms);

	if (!al)
		return NULL;
	al->deadline_ns = deadline_ns;
	al->actor = a;
	al->seq = seq;
	if (!insert(w, al)) {
		nf_pool_put(&w->rt->alarms, &w->alarms, al);
		return NULL;
	}
	nf_st_rel(&al->state,
	          nf_alarm_generation(al) << NF_ALARM_GENERATION_SHIFT | NF_ALARM_ARMED);
	if (NF_UNLIKELY(nf_ld(&w->rt->unwatched)))
		nf_wake_for(w);
	return al;
}

static void to_inbox(struct nf_wrk *v, struct nf_actor_alarm *al)
{
	struct nf_actor_alarm *first = nf_ld(&v->alarm_inbox);

	do
		al->inbox_next = first;
	while (!nf_cas(&v->alarm_inbox, &first, al));
}

/* w NULL: outside. */
static bool cancel(struct nf_wrk *w, struct nf_actor_alarm *al, uint64_t generation)
{
	uint64_t g = generation << NF_ALARM_GENERATION_SHIFT, now = nf_ld_acq(&al->state), next;
	struct nf_wrk *home;

	if (NF_BROKEN(TIMER_GENERATION))
		g = now >> NF_ALARM_GENERATION_SHIFT << NF_ALARM_GENERATION_SHIFT;
	do {
		if (now != (g | NF_ALARM_ARMED) && now != (g | NF_ALARM_ARMED | NF_ALARM_INBOX))
			return false;
		home = nf_ld(&al->wrk);
		next = g | NF_ALARM_CANCELLED | NF_ALARM_INBOX;
		if (NF_BROKEN(TIMER_RACE)) {
			NF_POINT(NF_POINT_WAIT);
			nf_st(&al->state, next);
			break;
		}
	} while (!nf_cas(&al->state, &now, next));
	if (now & NF_ALARM_INBOX)
		return true; /* whoever empties the inbox frees it */
	if (w && home == w) {
		take_out(w, al);
		release(w, al);
	} else {
		to_inbox(home, al);
	}
	return true;
}

bool nf_alarm_cancel(struct nf_wrk *w, struct nf_actor_alarm *al, uint64_t generation)
{
	bool in_time = cancel(w, al, generation);

	if (in_time)
		nf_count(&w->stats.timers_cancelled, 1u);
	return in_time;
}

static void fire(struct nf_wrk *w, struct nf_actor_alarm *al)
{
	struct nf_actor_block *a = al->actor;
	uint64_t seq = al->seq, taken = al->chan_taken;
	struct nf_chan *c = al->chan;
	struct nf_actor_msg m = al->msg;

	release(w, al);
	nf_count(&w->stats.timers_fired, 1u);
	if (a)
		nf_wake_claim(w, a, seq);
	else if (nf_ld(&c->taken) == taken && !nf_ld(&c->closed))
		/* Without memory for a message nothing can be told: counted where the sender
		 * looks. */
		if (nf_chan_put(w, c, m) != 0)
			nf_count(&w->stats.timers_fired, UINT64_MAX);
}

void nf_timers_run(struct nf_wrk *w, int64_t now_ns)
{
	while (w->n_timers && w->timers[0].deadline_ns <= now_ns) {
		struct nf_actor_alarm *al = w->timers[0].alarm;
		uint64_t g = nf_alarm_generation(al) << NF_ALARM_GENERATION_SHIFT;
		uint64_t armed = g | NF_ALARM_ARMED;

		take_out(w, al);
		/* The next one, and whom it wakes: nobody of them is in a cache, most likely. */
		if (w->n_timers) {
			__builtin_prefetch(w->timers[0].alarm->actor);
			if (w->n_timers > ARY)
				for (uint32_t i = 1; i <= ARY; i++)
					__builtin_prefetch(w->timers[i].alarm);
		}
		/* Else it was cancelled, and comes by the inbox. */
		if (nf_cas(&al->state, &armed, g | NF_ALARM_FIRED))
			fire(w, al);
	}
}

static void from_inbox(struct nf_wrk *w, struct nf_actor_alarm *al)
{
	uint64_t g = nf_alarm_generation(al) << NF_ALARM_GENERATION_SHIFT;
	uint64_t coming = g | NF_ALARM_ARMED | NF_ALARM_INBOX;

	if (nf_ld_acq(&al->state) == coming) {
		if (!insert(w, al))
			al->deadline_ns = 0; /* no memory to keep it: it fires at once, below */
		if (nf_cas(&al->state, &coming, g | NF_ALARM_ARMED)) {
			if (al->at != NF_ALARM_NOWHERE)
				return;
			coming = g | NF_ALARM_ARMED;
			if (nf_cas(&al->state, &coming, g | NF_ALARM_FIRED))
				fire(w, al);
			return;
		}
	}
	if (al->at != NF_ALARM_NOWHERE)
		take_out(w, al);
	release(w, al);
}

void nf_timers_inbox(struct nf_wrk *w)
{
	struct nf_actor_alarm *al = nf_xchg(&w->alarm_inbox, NULL), *next;

	for (; al; al = next) {
		next = al->inbox_next;
		from_inbox(w, al);
	}
}

uint32_t nf_timers_rescue(struct nf_wrk *w, struct nf_wrk *v, int64_t now_ns)
{
	uint32_t n = 0;

	while (v->n_timers && v->timers[0].deadline_ns <= now_ns) {
		struct nf_actor_alarm *al = v->timers[0].alarm;
		uint64_t g = nf_alarm_generation(al) << NF_ALARM_GENERATION_SHIFT;
		uint64_t armed = g | NF_ALARM_ARMED;

		take_out(v, al);
		if (nf_cas(&al->state, &armed, g | NF_ALARM_FIRED))
			fire(w, al);
		n++;
	}
	return n;
}

/* ---- the public ones ---- */

int nf_actor_timer_start(struct nf_chan *c, struct nf_actor_msg m, int64_t deadline_ns,
                         struct nf_actor_timer *ret, struct nf_err *err)
{
	struct nf_actor_rt *rt = c->rt;
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_alarm *al;
	uint64_t generation;
	bool kept = true;

	if (w && w->rt != rt)
		w = NULL;
	if (w) {
		nf_enter(w);
		al = nf_pool_get(&rt->alarms, &w->alarms);
	} else {
		pthread_mutex_lock(&rt->outside_lock);
		al = nf_pool_get(&rt->alarms, &rt->out_alarms);
		pthread_mutex_unlock(&rt->outside_lock);
	}
	if (al) {
		generation = nf_alarm_generation(al);
		al->deadline_ns = deadline_ns;
		al->actor = NULL;
		al->chan = c;
		al->chan_taken = nf_ld(&c->taken);
		al->msg = m;
		al->at = NF_ALARM_NOWHERE;
		if (w) {
			kept = insert(w, al);
			if (kept)
				nf_st_rel(&al->state,
				          generation << NF_ALARM_GENERATION_SHIFT | NF_ALARM_ARMED);
			else
				nf_pool_put(&rt->alarms, &w->alarms, al);
		} else {
			nf_st(&al->wrk, &rt->workers[0]);
			nf_st_rel(&al->state, generation << NF_ALARM_GENERATION_SHIFT |
			                              NF_ALARM_ARMED | NF_ALARM_INBOX);
			to_inbox(&rt->workers[0], al);
			nf_wake_this(&rt->workers[0]);
		}
	}
	if (w)
		nf_leave(w);
	if (!al || !kept)
		return nf_fail(err, NF_ENOMEM, "no memory for one more timer");
	if (ret)
		*ret = (struct nf_actor_timer){ al, generation };
	return 0;
}

int nf_actor_timer_cancel(struct nf_actor_timer t)
{
	struct nf_wrk *w = nf_wrk_self();
	bool in_time;

	if (!t.alarm)
		return -NF_ENODATA;
	if (w)
		nf_enter(w);
	in_time = cancel(w, t.alarm, t.generation);
	if (in_time && w)
		nf_count(&w->stats.timers_cancelled, 1u);
	if (w)
		nf_leave(w);
	return in_time ? 0 : -NF_ENODATA;
}
