/* SPDX-License-Identifier: MIT */
/* Traps of timers and time slices. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "traps.h"

/* ---- a stale handle of a timer ---- */

static void *cancels_a_stale_one(void *arg)
{
	struct nf_chan *c;
	struct nf_actor_msg m;
	struct nf_actor_timer old, now;
	int64_t t = nf_actor_now_ns();

	TRAP_CHECK(nf_chan_new(NULL, &c, NULL) == 0);
	TRAP_CHECK(nf_actor_timer_start(c, (struct nf_actor_msg){ .word = 1 }, t, &old, NULL) == 0);
	TRAP_CHECK(nf_chan_recv(c, &m) == 0 && m.word == 1);
	/* The same alarm, used again. */
	TRAP_CHECK(nf_actor_timer_start(c, (struct nf_actor_msg){ .word = 2 }, t + 5000000, &now,
	                                NULL) == 0);
	TRAP_CHECK(now.alarm == old.alarm);
	TRAP_CHECK(nf_actor_timer_cancel(old) == -NF_ENODATA);
	TRAP_CHECK(nf_chan_recv_until(c, nf_actor_now_ns() + 30000000000, &m) == 0 && m.word == 2);
	return arg;
}

bool trap_timer_generation(void)
{
	struct nf_actor_knobs k = trap_knobs(1);

	return trap_run(&k, cancels_a_stale_one, &k);
}

/* ---- cancelled while it fires ---- */

struct timers {
	struct nf_chan *fired, *handles;
	long n, cancelled;
};

static void *starts_timers(void *arg)
{
	struct timers *t = arg;

	for (long i = 0; i < t->n; i++) {
		struct nf_actor_timer h;

		TRAP_CHECK(nf_actor_timer_start(t->fired,
		                                (struct nf_actor_msg){ .word = (uint64_t)i },
		                                nf_actor_now_ns() + i % 7 * 1000, &h, NULL) == 0);
		TRAP_CHECK(nf_chan_send(t->handles,
		                        (struct nf_actor_msg){ h.generation, h.alarm }) == 0);
		nf_actor_yield();
	}
	nf_chan_close(t->handles);
	return NULL;
}

static void *cancels_timers(void *arg)
{
	struct timers *t = arg;
	struct nf_actor_msg m;

	while (nf_chan_recv(t->handles, &m) == 0)
		t->cancelled +=
		        nf_actor_timer_cancel((struct nf_actor_timer){ m.ptr, m.word }) == 0;
	return NULL;
}

static void *each_fires_or_not(void *arg)
{
	struct timers *t = arg;
	struct nf_actor a, b;
	struct nf_actor_msg m;
	long fired = 0;

	TRAP_CHECK(nf_chan_new(NULL, &t->fired, NULL) == 0);
	TRAP_CHECK(nf_chan_new(NULL, &t->handles, NULL) == 0);
	TRAP_CHECK(nf_actor_spawn(NULL, &(struct nf_actor_opts){ .pin = 1 }, starts_timers, t, &a,
	                          NULL) == 0);
	TRAP_CHECK(nf_actor_spawn(NULL, &(struct nf_actor_opts){ .pin = 2 }, cancels_timers, t, &b,
	                          NULL) == 0);
	TRAP_CHECK(nf_actor_join(a, NULL, NULL) == 0);
	TRAP_CHECK(nf_actor_join(b, NULL, NULL) == 0);
	/* All that are left, however late; then those that are too many. */
	while (fired + t->cancelled < t->n &&
	       nf_chan_recv_until(t->fired, nf_actor_now_ns() + 20000000000, &m) == 0)
		fired++;
	while (nf_chan_recv_until(t->fired, nf_actor_now_ns() + 50000000, &m) == 0)
		fired++;
	printf("%ld timers: %ld fired, %ld cancelled\n", t->n, fired, t->cancelled);
	TRAP_CHECK(fired + t->cancelled == t->n);
	return arg;
}

bool trap_timer_race(void)
{
	struct nf_actor_knobs k = trap_knobs(2);
	struct timers t = { .n = trap_times(20000, 500000) };

	hooks_at = hooks_perturb;
	k.max_actors = 1 << 16;
	return trap_run(&k, each_fires_or_not, &t);
}

/* ---- a lock of the C library over a switch point ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long over;

static void *holds_the_lock(void *arg)
{
	for (int i = 0; i < 200; i++) {
		nf_actor_preempt_off();
		pthread_mutex_lock(&lock);
		for (int j = 0; j < 100; j++)
			nf_actor_free(nf_actor_alloc(16));
		pthread_mutex_unlock(&lock);
		nf_actor_preempt_on();
		nf_actor_yield();
	}
	over = 1;
	return arg;
}

static void *never_sees_it_held(void *arg)
{
	while (!over) {
		TRAP_CHECK(pthread_mutex_trylock(&lock) == 0);
		pthread_mutex_unlock(&lock);
		nf_actor_yield();
	}
	return arg;
}

static void *both(void *arg)
{
	struct nf_actor a, b;
	struct nf_actor_status s;

	TRAP_CHECK(nf_actor_spawn(NULL, NULL, holds_the_lock, NULL, &a, NULL) == 0);
	TRAP_CHECK(nf_actor_spawn(NULL, NULL, never_sees_it_held, NULL, &b, NULL) == 0);
	TRAP_CHECK(nf_actor_join(b, &s, NULL) == 0);
	if (s.end != NF_ACTOR_RETURNED)
		nf_actor_panic(s.message);
	TRAP_CHECK(nf_actor_join(a, NULL, NULL) == 0);
	return arg;
}

bool trap_preempt_off(void)
{
	struct nf_actor_knobs k = trap_knobs(1);

	k.timeslice_ticks = 0;
	k.alloc_interval = 1;
	return trap_run(&k, both, &k);
}

/* ---- two runtimes with different slices ---- */

static void *counts_preemptions(void *arg)
{
	volatile long *other = arg;

	for (int i = 0; i < 1000; i++)
		nf_actor_checkpoint();
	(*other)++;
	return NULL;
}

static void *runs_beside(void *arg)
{
	volatile long ran = 0;
	struct nf_actor a, b;

	TRAP_CHECK(nf_actor_spawn(NULL, NULL, counts_preemptions, (void *)(uintptr_t)&ran, &a,
	                          NULL) == 0);
	TRAP_CHECK(nf_actor_spawn(NULL, NULL, counts_preemptions, (void *)(uintptr_t)&ran, &b,
	                          NULL) == 0);
	TRAP_CHECK(nf_actor_join(a, NULL, NULL) == 0);
	TRAP_CHECK(nf_actor_join(b, NULL, NULL) == 0);
	TRAP_CHECK(ran == 2);
	return arg;
}

static uint64_t preempted(struct nf_actor_rt *rt)
{
	struct nf_actor_stats s;

	nf_actor_rt_stats(rt, &s);
	return s.preempted;
}

/* One yields at every tenth call, one at every hundredth, one never; all at once. */
bool trap_own_slices(void)
{
	struct nf_actor_knobs k[3] = { trap_knobs(1), trap_knobs(1), trap_knobs(1) };
	struct nf_actor_rt *rt[3];
	struct nf_actor a[3];
	uint64_t n[3];

	for (int i = 0; i < 3; i++) {
		k[i].alloc_interval = i == 0 ? 10 : i == 1 ? 100 : UINT32_MAX;
		k[i].timeslice_ticks = i == 2 ? UINT64_MAX : 0;
		if (nf_actor_rt_new(&k[i], &rt[i], NULL) != 0)
			return false;
	}
	for (int i = 0; i < 3; i++)
		if (nf_actor_spawn(rt[i], NULL, runs_beside, NULL, &a[i], NULL) != 0)
			return false;
	for (int i = 0; i < 3; i++)
		if (nf_actor_join(a[i], NULL, NULL) != 0)
			return false;
	for (int i = 0; i < 3; i++) {
		n[i] = preempted(rt[i]);
		nf_actor_rt_free(rt[i]);
	}
	printf("preempted: %llu %llu %llu\n", (unsigned long long)n[0], (unsigned long long)n[1],
	       (unsigned long long)n[2]);
	return n[0] >= 150 && n[1] >= 15 && n[1] < n[0] / 5 && n[2] == 0;
}
