/* SPDX-License-Identifier: MIT */
/* Traps of queues and of the end of actors: who waits for whom, and what piles up where. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "traps.h"

static void *returns(void *arg)
{
	return arg;
}

/* ---- made on one worker, freed on the other ---- */

struct drift {
	struct nf_chan *handles;
	long n;
};

static void *spawns_here(void *arg)
{
	struct drift *d = arg;

	for (long i = 0; i < d->n; i++) {
		struct nf_actor a;

		TRAP_CHECK(nf_actor_spawn(NULL, &(struct nf_actor_opts){ .pin = 1 }, returns, NULL,
		                          &a, NULL) == 0);
		TRAP_CHECK(nf_chan_send(d->handles,
		                        (struct nf_actor_msg){ a.generation, a.block }) == 0);
		/* Not far ahead of who joins. */
		if (i % 256 == 255)
			nf_actor_sleep(100000);
	}
	nf_chan_close(d->handles);
	return NULL;
}

static void *joins_there(void *arg)
{
	struct drift *d = arg;
	struct nf_actor_msg m;

	while (nf_chan_recv(d->handles, &m) == 0)
		TRAP_CHECK(nf_actor_join((struct nf_actor){ m.ptr, m.word }, NULL, NULL) == 0);
	return d;
}

static void *drifts(void *arg)
{
	struct drift *d = arg;
	struct nf_actor a, b;
	struct nf_actor_status s;
	struct nf_actor_stats st;

	TRAP_CHECK(nf_chan_new(NULL, &d->handles, NULL) == 0);
	TRAP_CHECK(nf_actor_spawn(NULL, &(struct nf_actor_opts){ .pin = 1 }, spawns_here, d, &a,
	                          NULL) == 0);
	TRAP_CHECK(nf_actor_spawn(NULL, &(struct nf_actor_opts){ .pin = 2 }, joins_there, d, &b,
	                          NULL) == 0);
	TRAP_CHECK(nf_actor_join(b, &s, NULL) == 0 && s.value == d);
	TRAP_CHECK(nf_actor_join(a, NULL, NULL) == 0);
	nf_actor_rt_stats(nf_actor_rt_current(), &st);
	printf("%ld actors took %llu blocks, %llu stacks, %llu nodes\n", d->n,
	       (unsigned long long)st.blocks, (unsigned long long)st.stacks,
	       (unsigned long long)st.nodes);
	TRAP_CHECK(st.blocks <= 8192 && st.stacks <= 8192 && st.nodes <= 8192);
	return d;
}

bool trap_drift(void)
{
	struct nf_actor_knobs k = trap_knobs(2);
	struct drift d = { .n = trap_times(40000, 1000000) };

	k.max_actors = 1 << 20;
	k.guard = NF_ACTOR_GUARD_NONE;
	return trap_run(&k, drifts, &d);
}

/* ---- two that wake each other, and a third ---- */

struct starved {
	struct nf_chan *a, *b;
	volatile long done;
};

static void *plays_on(void *arg)
{
	struct starved *s = arg;
	struct nf_actor_msg m;

	while (nf_chan_recv(s->a, &m) == 0)
		if (s->done || nf_chan_send(s->b, m) != 0)
			break;
	return NULL;
}

static void *serves_on(void *arg)
{
	struct starved *s = arg;
	struct nf_actor_msg m = { 0 };

	while (!s->done) {
		TRAP_CHECK(nf_chan_send(s->a, m) == 0);
		TRAP_CHECK(nf_chan_recv(s->b, &m) == 0);
	}
	nf_chan_close(s->a);
	return NULL;
}

static void *says_done(void *arg)
{
	((struct starved *)arg)->done = 1;
	return NULL;
}

static void *starves(void *arg)
{
	struct starved *s = arg;
	struct nf_actor a[3];
	nf_actor_fn *fn[3] = { plays_on, serves_on, says_done };

	TRAP_CHECK(nf_chan_new(NULL, &s->a, NULL) == 0);
	TRAP_CHECK(nf_chan_new(NULL, &s->b, NULL) == 0);
	for (int i = 0; i < 2; i++)
		TRAP_CHECK(nf_actor_spawn(NULL, NULL, fn[i], s, &a[i], NULL) == 0);
	for (int i = 0; i < 3; i++)
		nf_actor_yield();
	TRAP_CHECK(nf_actor_spawn(NULL, NULL, fn[2], s, &a[2], NULL) == 0);
	for (int i = 0; i < 3; i++)
		TRAP_CHECK(nf_actor_join(a[i], NULL, NULL) == 0);
	return arg;
}

bool trap_lifo_starvation(void)
{
	struct nf_actor_knobs k = trap_knobs(1);
	struct starved s = { 0 };

	k.timeslice_ticks = UINT64_MAX;
	return trap_run(&k, starves, &s);
}

/* ---- joining while it ends ---- */

struct race {
	struct nf_actor a;
	struct nf_chan *go;
	long n;
	long joined, detached, late;
};

static void *joins_one(void *arg)
{
	struct race *r = arg;
	int e = nf_actor_join(r->a, NULL, NULL);

	TRAP_CHECK(e == 0 || e == -NF_EEXIST || e == -NF_ENODATA);
	__atomic_fetch_add(e == 0 ? &r->joined : &r->late, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void *detaches_one(void *arg)
{
	struct race *r = arg;
	int e = nf_actor_detach(r->a, NULL);

	TRAP_CHECK(e == 0 || e == -NF_EEXIST || e == -NF_ENODATA);
	__atomic_fetch_add(e == 0 ? &r->detached : &r->late, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void *races(void *arg)
{
	struct race *r = arg;

	for (long i = 0; i < r->n; i++) {
		struct nf_actor o[3];
		nf_actor_fn *fn[3] = { joins_one, i % 2 ? joins_one : detaches_one, joins_one };
		uint32_t first = (uint32_t)(i / 2) % 2;

		r->joined = r->detached = r->late = 0;
		TRAP_CHECK(nf_actor_spawn(NULL, &(struct nf_actor_opts){ .pin = 1 + first },
		                          returns, NULL, &r->a, NULL) == 0);
		for (uint32_t j = 0; j < 3; j++)
			TRAP_CHECK(nf_actor_spawn(
			                   NULL,
			                   &(struct nf_actor_opts){ .pin = 1 + (first + j) % 2 },
			                   fn[j], r, &o[j], NULL) == 0);
		for (int j = 0; j < 3; j++) {
			struct nf_actor_status s;

			TRAP_CHECK(nf_actor_join(o[j], &s, NULL) == 0);
			if (s.end != NF_ACTOR_RETURNED)
				nf_actor_panic(s.message);
		}
		/* It belongs to exactly one of them. */
		TRAP_CHECK(r->joined + r->detached == 1 && r->late == 2);
	}
	return arg;
}

bool trap_join_race(void)
{
	struct nf_actor_knobs k = trap_knobs(2);
	struct race r = { .n = trap_times(3000, 200000) };

	hooks_at = hooks_perturb;
	return trap_run(&k, races, &r);
}

/* ---- a sender that stops in the middle ---- */

static volatile long sender_is_in, sender_may_go;
static __thread bool is_the_sender;

static void stops_in_mid_push(enum nf_actor_point point)
{
	if (point != NF_POINT_PUSH_LINK || !is_the_sender)
		return;
	sender_is_in = 1;
	while (!sender_may_go)
		sched_yield();
}

static void *lets_it_go(void *arg)
{
	/* Comes to run once the receiver has met the gap and gone to the back of the queue. */
	for (int i = 0; i < 20; i++)
		nf_actor_yield();
	sender_may_go = 1;
	return arg;
}

static void *meets_the_gap(void *arg)
{
	struct nf_actor a;
	struct nf_actor_msg m;

	while (!sender_is_in)
		sched_yield();
	TRAP_CHECK(nf_actor_spawn(NULL, NULL, lets_it_go, NULL, &a, NULL) == 0);
	TRAP_CHECK(nf_chan_recv(arg, &m) == 0 && m.word == 5);
	TRAP_CHECK(nf_actor_join(a, NULL, NULL) == 0);
	return arg;
}

static void *sends_slowly(void *arg)
{
	is_the_sender = true;
	return nf_chan_send(arg, (struct nf_actor_msg){ .word = 5 }) == 0 ? arg : NULL;
}

bool trap_stalled_sender(void)
{
	struct nf_actor_knobs k = trap_knobs(1);
	struct nf_actor_rt *rt;
	struct nf_actor_status s;
	struct nf_chan *c;
	pthread_t t;
	bool well;

	hooks_at = stops_in_mid_push;
	if (nf_actor_rt_new(&k, &rt, NULL) != 0 || nf_chan_new(rt, &c, NULL) != 0 ||
	    pthread_create(&t, NULL, sends_slowly, c) != 0)
		return false;
	well = nf_actor_rt_run(rt, meets_the_gap, c, &s, NULL) == 0 && s.end == NF_ACTOR_RETURNED;
	pthread_join(t, NULL);
	nf_actor_rt_free(rt);
	return well;
}

/* ---- work behind a long actor ---- */

static volatile long stranded_ran;

static void *receives_and_tells(void *arg)
{
	struct nf_actor_msg m;

	TRAP_CHECK(nf_chan_recv(arg, &m) == 0);
	stranded_ran++;
	return NULL;
}

static void *tells(void *arg)
{
	stranded_ran++;
	return arg;
}

static void *sleeps_and_tells(void *arg)
{
	nf_actor_sleep(1000000);
	stranded_ran++;
	return arg;
}

/* Wakes one, spawns one, one has a timer; then never comes to a switch point until all three
 * ran. */
static void *runs_long(void *arg)
{
	struct nf_chan *c;
	struct nf_actor a[3];

	TRAP_CHECK(nf_chan_new(NULL, &c, NULL) == 0);
	TRAP_CHECK(nf_actor_spawn(NULL, NULL, receives_and_tells, c, &a[0], NULL) == 0);
	TRAP_CHECK(nf_actor_spawn(NULL, NULL, sleeps_and_tells, NULL, &a[1], NULL) == 0);
	nf_actor_yield();
	TRAP_CHECK(nf_actor_spawn(NULL, NULL, tells, NULL, &a[2], NULL) == 0);
	TRAP_CHECK(nf_chan_send(c, (struct nf_actor_msg){ 0 }) == 0);
	while (stranded_ran < 3)
		sched_yield();
	for (int i = 0; i < 3; i++)
		TRAP_CHECK(nf_actor_join(a[i], NULL, NULL) == 0);
	return arg;
}

bool trap_stranded(void)
{
	struct nf_actor_knobs k = trap_knobs(2);

	for (long i = 0; i < trap_times(5, 100); i++) {
		stranded_ran = 0;
		if (!trap_run(&k, runs_long, &k))
			return false;
	}
	return true;
}

/* ---- a channel that is taken away from its worker in mid-push ---- */

enum { OWNING = 2000, OTHERS = 2 };

static volatile long owner_stops, owner_is_in, others_sent;

/* The owner, for long enough that the others come, or until one of them has sent, which it must
 * not while the owner is in. */
static void owner_stops_in_mid_push(enum nf_actor_point point)
{
	int64_t until;

	if (point != NF_POINT_PUSH_OWN || nf_actor_worker() != 1 || !owner_stops)
		return;
	owner_stops = 0;
	until = nf_actor_now_ns() + (hooks_broken ? 5000000000 : 50000000);
	owner_is_in = 1;
	while (nf_ld(&others_sent) == 0 && nf_actor_now_ns() < until)
		sched_yield();
}

static void *sends_from_elsewhere(void *arg)
{
	while (!owner_is_in)
		sched_yield();
	TRAP_CHECK(nf_chan_send(arg, (struct nf_actor_msg){ .word = 1 }) == 0);
	nf_add(&others_sent, 1);
	return arg;
}

static void *owns(void *arg)
{
	struct nf_actor a[OTHERS];
	struct nf_chan *c;
	struct nf_actor_msg m;
	uint64_t sum = 0;

	TRAP_CHECK(nf_chan_new(NULL, &c, NULL) == 0);
	/* Until it is this worker's. */
	for (int i = 0; i < OWNING; i++) {
		TRAP_CHECK(nf_chan_send(c, (struct nf_actor_msg){ 0 }) == 0);
		TRAP_CHECK(nf_chan_recv(c, &m) == 0);
	}
	for (uint32_t i = 0; i < OTHERS; i++)
		TRAP_CHECK(nf_actor_spawn(NULL, &(struct nf_actor_opts){ .pin = 2 + i },
		                          sends_from_elsewhere, c, &a[i], NULL) == 0);
	owner_stops = 1;
	TRAP_CHECK(nf_chan_send(c, (struct nf_actor_msg){ .word = 1 }) == 0);
	/* Without membarrier(2) no channel is anybody's. */
	owner_is_in = 1;
	for (int i = 0; i < OTHERS; i++)
		TRAP_CHECK(nf_actor_join(a[i], NULL, NULL) == 0);
	while (nf_chan_try_recv(c, &m) == 0)
		sum += m.word;
	TRAP_CHECK(sum == 1 + OTHERS);
	return arg;
}

static void *owns_on_worker_1(void *arg)
{
	struct nf_actor a;
	struct nf_actor_status s;

	TRAP_CHECK(nf_actor_spawn(NULL, &(struct nf_actor_opts){ .pin = 1 }, owns, arg, &a, NULL) ==
	           0);
	TRAP_CHECK(nf_actor_join(a, &s, NULL) == 0);
	if (s.end != NF_ACTOR_RETURNED)
		nf_actor_panic(s.message);
	return arg;
}

bool trap_early_revocation(void)
{
	struct nf_actor_knobs k = trap_knobs(1 + OTHERS);

	hooks_at = owner_stops_in_mid_push;
	return trap_run(&k, owns_on_worker_1, &k);
}
