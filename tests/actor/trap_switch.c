/* SPDX-License-Identifier: MIT */
/* Traps of the switch itself: what is saved when, what belongs to the thread and what to the
 * actor. */
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traps.h"

struct game {
	struct nf_chan *there, *back;
	long rounds;
};

static void *echoes(void *arg)
{
	struct game *g = arg;
	struct nf_actor_msg m;

	while (nf_chan_recv(g->there, &m) == 0)
		TRAP_CHECK(nf_chan_send(g->back, m) == 0);
	return NULL;
}

static void *serves(void *arg)
{
	struct game *g = arg;
	struct nf_actor_msg m;

	for (long i = 0; i < g->rounds; i++) {
		TRAP_CHECK(nf_chan_send(g->there, (struct nf_actor_msg){ .word = (uint64_t)i }) ==
		           0);
		TRAP_CHECK(nf_chan_recv(g->back, &m) == 0);
		TRAP_CHECK(m.word == (uint64_t)i);
	}
	nf_chan_close(g->there);
	return g;
}

/* One on each worker: every message finds the receiver parking on another thread. */
static void *plays_apart(void *arg)
{
	struct game *g = arg;
	struct nf_actor a, b;
	struct nf_actor_status s;

	TRAP_CHECK(nf_chan_new(NULL, &g->there, NULL) == 0);
	TRAP_CHECK(nf_chan_new(NULL, &g->back, NULL) == 0);
	TRAP_CHECK(nf_actor_spawn(NULL, &(struct nf_actor_opts){ .pin = 1 }, echoes, g, &a, NULL) ==
	           0);
	TRAP_CHECK(nf_actor_spawn(NULL, &(struct nf_actor_opts){ .pin = 2 }, serves, g, &b, NULL) ==
	           0);
	TRAP_CHECK(nf_actor_join(b, &s, NULL) == 0);
	TRAP_CHECK(s.end == NF_ACTOR_RETURNED && s.value == g);
	TRAP_CHECK(nf_actor_join(a, NULL, NULL) == 0);
	return arg;
}

static bool play_apart(void)
{
	struct nf_actor_knobs k = trap_knobs(2);
	struct game g = { .rounds = trap_times(10000, 300000) };

	hooks_at = hooks_perturb;
	return trap_run(&k, plays_apart, &g);
}

/* The other worker has time to run what is not saved yet. */
static void slow_to_switch(enum nf_actor_point point)
{
	if (point == NF_POINT_SWITCH && nf_actor_worker() == 1)
		for (int i = 0; i < 2000; i++)
			nf_relax();
}

static void *asks_once(void *arg)
{
	struct game *g = arg;
	struct nf_actor_msg m;

	TRAP_CHECK(nf_chan_send(g->there, (struct nf_actor_msg){ .word = 7 }) == 0);
	TRAP_CHECK(nf_chan_recv(g->back, &m) == 0 && m.word == 7);
	return arg;
}

/* Who asks parks on worker 1 while the answer comes from worker 2, which goes on with who asked. */
static void *asks_often(void *arg)
{
	struct game *g = arg;
	struct nf_actor echo, a;
	struct nf_actor_status s;

	TRAP_CHECK(nf_chan_new(NULL, &g->there, NULL) == 0);
	TRAP_CHECK(nf_chan_new(NULL, &g->back, NULL) == 0);
	TRAP_CHECK(nf_actor_spawn(NULL, &(struct nf_actor_opts){ .pin = 2 }, echoes, g, &echo,
	                          NULL) == 0);
	for (long i = 0; i < g->rounds; i++) {
		TRAP_CHECK(nf_actor_spawn(NULL, NULL, asks_once, g, &a, NULL) == 0);
		TRAP_CHECK(nf_actor_join(a, &s, NULL) == 0);
		if (s.end != NF_ACTOR_RETURNED)
			nf_actor_panic(s.message);
	}
	nf_chan_close(g->there);
	TRAP_CHECK(nf_actor_join(echo, NULL, NULL) == 0);
	return arg;
}

static void *on_worker_1(void *arg)
{
	struct nf_actor a;
	struct nf_actor_status s;

	TRAP_CHECK(nf_actor_spawn(NULL, &(struct nf_actor_opts){ .pin = 1 }, asks_often, arg, &a,
	                          NULL) == 0);
	TRAP_CHECK(nf_actor_join(a, &s, NULL) == 0);
	if (s.end != NF_ACTOR_RETURNED)
		nf_actor_panic(s.message);
	return arg;
}

bool trap_resume_before_saved(void)
{
	struct nf_actor_knobs k = trap_knobs(2);
	struct game g = { .rounds = hooks_broken ? 20000 : trap_times(1000, 20000) };

	hooks_at = slow_to_switch;
	k.spin_ns = 2000000;
	return trap_run(&k, on_worker_1, &g);
}

/* The mistake needs bad luck, which some games do not have. */
bool trap_lost_wake(void)
{
	for (int games = hooks_broken ? 50 : 1; games > 0; games--) {
		if (hooks_broken)
			alarm(2); /* for each */
		if (!play_apart())
			return false;
	}
	return true;
}

/* ---- the thread changes under the actor ---- */

static __attribute__((noinline)) pthread_t this_thread(void)
{
	pthread_t t;

	/* Not pthread_self(), which is declared to be always the same. */
	__asm__ volatile("" : "=r"(t) : "0"(pthread_self()) : "memory");
	return t;
}

static pthread_t thread_of[3];

/* Until they have changed the thread often enough, all together: a last one would have nobody to
 * change places with. */
static long moves_left;

static void *moves(void *arg)
{
	uint32_t before = nf_actor_worker();

	while (nf_ld(&moves_left) > 0) {
		uint32_t w;

		nf_actor_yield();
		w = nf_actor_worker();
		TRAP_CHECK(w >= 1 && w <= 2);
		/* The first to come tells which thread a worker is. */
		if (!thread_of[w])
			thread_of[w] = this_thread();
		TRAP_CHECK(pthread_equal(thread_of[w], this_thread()));
		nf_sub(&moves_left, w != before);
		before = w;
	}
	return arg;
}

static void *moves_errno(void *arg)
{
	uint32_t before = nf_actor_worker();

	while (nf_ld(&moves_left) > 0) {
		int *at;

		nf_actor_yield();
		nf_sub(&moves_left, nf_actor_worker() != before);
		before = nf_actor_worker();
		at = nf_actor_errno();
		*at = 12345;
		/* The thread's own one, read by the C library's function in another frame. */
		TRAP_CHECK(close(-1) == -1 && *nf_actor_errno() == EBADF);
		TRAP_CHECK(*at == EBADF);
	}
	return arg;
}

static nf_actor_fn *mover;

static void *moves_many(void *arg)
{
	struct nf_actor a[4];
	struct nf_actor_status s;

	for (int i = 0; i < 4; i++)
		TRAP_CHECK(nf_actor_spawn(NULL, NULL, mover, arg, &a[i], NULL) == 0);
	for (int i = 0; i < 4; i++) {
		TRAP_CHECK(nf_actor_join(a[i], &s, NULL) == 0);
		if (s.end != NF_ACTOR_RETURNED)
			nf_actor_panic(s.message);
	}
	return arg;
}

/* Every switch point sends the actor through the shared queue, from which any worker takes it. */
static bool migrate(nf_actor_fn *fn, long n, long n_long)
{
	struct nf_actor_knobs k = trap_knobs(2);

	moves_left = trap_times(n, n_long);
	mover = fn;
	hooks_migrate_every = 1;
	return trap_run(&k, moves_many, &k);
}

bool trap_stale_worker(void)
{
	return migrate(moves, 1000, 50000);
}

bool trap_stale_errno(void)
{
	return migrate(moves_errno, 1000, 50000);
}

/* ---- the floating point environment ---- */

static void *rounds_up(void *arg)
{
	volatile long *until = arg;

	fesetround(FE_UPWARD);
	while (*until) {
		TRAP_CHECK(fegetround() == FE_UPWARD);
		nf_actor_yield();
	}
	return NULL;
}

static void *stays_default(void *arg)
{
	volatile long *until = arg;
	struct nf_actor a;
	struct nf_actor_status s;

	TRAP_CHECK(nf_actor_spawn(NULL, NULL, rounds_up, arg, &a, NULL) == 0);
	for (int i = 0; i < 100; i++) {
		TRAP_CHECK(fegetround() == FE_TONEAREST);
		nf_actor_yield();
	}
	*until = 0;
	TRAP_CHECK(nf_actor_join(a, &s, NULL) == 0);
	TRAP_CHECK(s.end == NF_ACTOR_RETURNED);
	return arg;
}

bool trap_fpu_leak(void)
{
	struct nf_actor_knobs k = trap_knobs(1);
	long until = 1;

	k.save_fpu = true;
	return trap_run(&k, stays_default, &until);
}

/* ---- stacks ---- */

static void *takes_a_large_frame(void *arg)
{
	if (hooks_broken == NF_BREAK_CLASH)
		frame_unprobed();
	else
		frame_probed();
	return arg;
}

bool trap_large_frame(void)
{
	struct nf_actor_knobs k = trap_knobs(1);
	struct nf_actor_rt *rt;
	struct nf_actor_status s;
	bool well;

	if (nf_actor_rt_new(&k, &rt, NULL) != 0)
		return false;
	mover = moves;
	/* Some stacks below, so that there is something to run into. */
	for (int i = 0; i < 32; i++)
		if (nf_actor_rt_run(rt, moves_many, NULL, NULL, NULL) != 0)
			return false;
	well = nf_actor_rt_run(rt, takes_a_large_frame, NULL, &s, NULL) == 0 &&
	       s.end == NF_ACTOR_OVERFLOWED;
	nf_actor_rt_free(rt);
	return well;
}

static void *writes_astray(void *arg)
{
	*(volatile char *)((uintptr_t)arg % 64) = 1;
	return arg;
}

static void ends_by_fault(void)
{
	struct nf_actor_knobs k = trap_knobs(1);

	trap_run(&k, writes_astray, &k);
	_exit(0);
}

bool trap_fatal_signal(void)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0)
		ends_by_fault();
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	/* A sanitizer reports it and exits. */
	return WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV : WEXITSTATUS(status) != 0;
}
