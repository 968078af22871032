/* SPDX-License-Identifier: MIT */
#include "actor/wake.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "actor/enter.h"
#include "actor/steal.h"

enum {
	SKIP_PUSHES = 16, /* between two looks at the clock */
	SENTINEL_FIRST_NS = 1000000,
	SENTINEL_LAST_NS = 8000000,
	WAKE_FIRST_NS = 50000,
	WAKE_LAST_NS = 5000000,
	MEASURES = 15,
	TIMER_NEAR_NS = 1000000,
	POLLS = 16, /* of the flags, for one look at the clock */
};

static void futex_wake(uint32_t *at, int n)
{
	syscall(SYS_futex, at, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

static void futex_wait(uint32_t *at, uint32_t value, int64_t timeout_ns)
{
	struct timespec t = { timeout_ns / 1000000000, timeout_ns % 1000000000 };

	syscall(SYS_futex, at, FUTEX_WAIT_PRIVATE, value, timeout_ns == INT64_MAX ? NULL : &t, NULL,
	        0);
}

/* ---- waking ---- */

/* Takes v's sleep away; false: it does not sleep. */
static bool rouse(struct nf_wrk *v)
{
	uint32_t asleep = 1;

	if (nf_ld_seq(&v->sleeping) != 1 || !nf_cas(&v->sleeping, &asleep, 0))
		return false;
	nf_sub(&v->rt->n_sleeping, 1);
	futex_wake(&v->sleeping, 1);
	return true;
}

static bool rouse_one(struct nf_actor_rt *rt)
{
	for (uint32_t i = 0; i < rt->n_workers; i++)
		if (rouse(&rt->workers[i])) {
			nf_add(&rt->out_stats.wakes, 1u);
			return true;
		}
	return false;
}

void nf_wake_any(struct nf_actor_rt *rt)
{
	if (nf_ld_seq(&rt->n_sleeping) && !nf_ld_seq(&rt->spinning))
		rouse_one(rt);
}

void nf_wake_this(struct nf_wrk *v)
{
	if (nf_ld_seq(&v->sleeping) && rouse(v))
		nf_add(&v->rt->out_stats.wakes, 1u);
}

void nf_wake_all(struct nf_actor_rt *rt)
{
	for (uint32_t i = 0; i < rt->n_workers; i++)
		rouse(&rt->workers[i]);
}

NF_NOINLINE void nf_wake_for_slow(struct nf_wrk *w)
{
	struct nf_actor_rt *rt = w->rt;
	bool unwatched = nf_ld(&rt->unwatched);
	int64_t now;

	w->wake_skip = SKIP_PUSHES;
	if (nf_ld(&rt->spinning))
		return;
	if (!unwatched) {
		now = nf_actor_now_ns();
		if (now < nf_ld(&rt->wake_after_ns))
			return;
		nf_st(&rt->wake_after_ns, now + nf_ld(&rt->wake_every_ns));
	}
	nf_st(&rt->unwatched, 0u);
	rouse_one(rt);
}

/* ---- sleeping ---- */

bool nf_has_work(const struct nf_wrk *w)
{
	const struct nf_actor_rt *rt = w->rt;

	return nf_ld_seq(&w->slot) || nf_ld_seq(&rt->inject_n) || nf_ld_seq(&w->inbox) ||
	       nf_ld_seq(&w->alarm_inbox) || nf_ld_seq(&rt->stop) || nf_ld(&w->queue.n) ||
	       nf_ld(&w->lifo);
}

/* Everybody sleeps now: who waits for the end of all actors counts again. */
static void tell_quiet(struct nf_actor_rt *rt)
{
	if (!nf_ld_seq(&rt->quiet_waiters))
		return;
	nf_add(&rt->quiet, 1);
	futex_wake(&rt->quiet, INT_MAX);
}

/* One of the sleeping looks now and then while others work: nothing is stranded behind a long
 * actor. */
static bool become_sentinel(struct nf_actor_rt *rt)
{
	uint32_t nobody = 0;

	if (rt->n_workers == 1 || nf_ld_seq(&rt->n_sleeping) >= rt->n_workers)
		return false;
	return nf_cas(&rt->sentinel, &nobody, 1);
}

static void go_to_sleep(struct nf_wrk *w, int64_t *watch_ns)
{
	struct nf_actor_rt *rt = w->rt;
	int64_t timeout = nf_ld(&w->next_ns), now = nf_actor_now_ns();
	uint32_t asleep = 1;
	bool sentinel;

	if (timeout != INT64_MAX)
		timeout = timeout > now ? timeout - now + rt->knobs.timer_slack_ns : 0;
	NF_POINT(NF_POINT_SLEEP);
	nf_st_seq(&w->sleeping, 1);
	nf_add(&rt->n_sleeping, 1);
	sentinel = become_sentinel(rt);
	if (sentinel) {
		nf_st_seq(&rt->unwatched, 0u);
		if (timeout > *watch_ns)
			timeout = *watch_ns;
		if (*watch_ns < SENTINEL_LAST_NS)
			*watch_ns *= 2;
	} else if (rt->n_workers > 1 && !nf_ld_seq(&rt->sentinel)) {
		nf_st_seq(&rt->unwatched, 1u);
	}
	if (nf_ld_seq(&rt->n_sleeping) == rt->n_workers)
		tell_quiet(rt);
	if (!nf_has_work(w) && timeout > 0) {
		nf_count(&w->stats.sleeps, 1u);
		futex_wait(&w->sleeping, 1, timeout);
	}
	if (nf_cas(&w->sleeping, &asleep, 0))
		nf_sub(&rt->n_sleeping, 1);
	if (sentinel) {
		nf_st_seq(&rt->sentinel, 0u);
		nf_st_seq(&rt->unwatched, nf_ld_seq(&rt->n_sleeping) != 0);
	}
	NF_POINT(NF_POINT_AWAKE);
}

/* With a timer due soon it is the clock that brings the next work: waiting for that costs less
 * asleep. */
static bool is_worth_spinning(const struct nf_wrk *w, int64_t now_ns)
{
	return nf_ld(&w->next_ns) > now_ns + TIMER_NEAR_NS || w->rt->knobs.spin_ns > TIMER_NEAR_NS;
}

/* True: there is work. */
static bool spin(struct nf_wrk *w, int64_t from_ns)
{
	struct nf_actor_rt *rt = w->rt;
	uint32_t nobody = 0;
	bool searcher, found = false;
	int64_t now = from_ns;

	nf_add(&rt->spinning, 1);
	searcher = rt->n_workers > 1 && rt->knobs.run_queue == NF_ACTOR_STEALING &&
	           nf_cas(&rt->searching, &nobody, 1);
	do {
		for (int i = 0; i < POLLS && !found; i++) {
			NF_POINT(NF_POINT_WAIT);
			found = nf_has_work(w);
			if (!found)
				nf_relax();
		}
		if (!found) {
			now = nf_actor_now_ns();
			found = nf_ld(&w->next_ns) <= now || (searcher && nf_steal(w, now));
		}
	} while (!found && now - from_ns < rt->knobs.spin_ns && is_worth_spinning(w, now));
	if (searcher) {
		nf_st(&rt->wanted, 0u);
		nf_st_seq(&rt->searching, 0);
	}
	nf_sub(&rt->spinning, 1);
	return found;
}

/* A wake that brought less than it cost makes the next ones rarer. */
static void judge_wake(struct nf_wrk *w, int64_t now)
{
	struct nf_actor_rt *rt = w->rt;
	int64_t worked = now - w->found_ns, every = nf_ld(&rt->wake_every_ns);

	if (worked < 2 * rt->wake_ns)
		every = every * 2 > WAKE_LAST_NS ? WAKE_LAST_NS : every * 2;
	else
		every = every / 4 < WAKE_FIRST_NS ? WAKE_FIRST_NS : every / 4;
	nf_st(&rt->wake_every_ns, every);
}

/* Before anybody is told that this worker has nothing to do: what comes at once costs the least. */
static bool glance(struct nf_wrk *w)
{
	if (w->rt->knobs.spin_ns == 0)
		return false;
	for (int i = 0; i < NF_GLANCES; i++)
		if (nf_has_work(w))
			return true;
	return false;
}

void nf_idle(struct nf_wrk *w)
{
	int64_t watch_ns = SENTINEL_FIRST_NS, now;

	if (glance(w))
		return;
	now = nf_actor_now_ns();

	judge_wake(w, now);
	while (!spin(w, now)) {
		go_to_sleep(w, &watch_ns);
		now = nf_actor_now_ns();
	}
	w->found_ns = nf_actor_now_ns();
}

/* ---- what a wake costs ---- */

struct measure {
	uint32_t go; /* futex: the round; UINT32_MAX: the end */
	uint32_t done;
	int64_t woken_ns;
};

static void *woken(void *arg)
{
	struct measure *m = arg;

	for (uint32_t round = 0;; round++) {
		while (nf_ld_acq(&m->go) == round)
			futex_wait(&m->go, round, INT64_MAX);
		m->woken_ns = nf_actor_now_ns();
		if (nf_ld_acq(&m->go) == UINT32_MAX)
			return NULL;
		nf_st_rel(&m->done, round + 1);
	}
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int64_t nf_wake_measure(void)
{
	struct timespec settle = { 0, 100000 };
	struct measure m = { 0 };
	int64_t took[MEASURES];
	pthread_t t;

	if (pthread_create(&t, NULL, woken, &m) != 0)
		return 0;
	for (uint32_t i = 0; i < MEASURES; i++) {
		int64_t from;

		nanosleep(&settle, NULL);
		from = nf_actor_now_ns();
		nf_st_rel(&m.go, i + 1);
		futex_wake(&m.go, 1);
		while (nf_ld_acq(&m.done) != i + 1)
			nf_relax();
		took[i] = m.woken_ns - from;
	}
	nf_st_rel(&m.go, UINT32_MAX);
	futex_wake(&m.go, 1);
	pthread_join(t, NULL);
	qsort(took, MEASURES, sizeof(took[0]), by_value);
	return took[MEASURES / 2];
}
