/* SPDX-License-Identifier: MIT */
/*
 * schedules [lost-wake | join]: channels and joins under many schedules, each made from its
 * seed: one worker runs at a time, and at every point of the runtime (src/actor/atomic.h) the
 * seed decides who goes on. A worker that waits for something else than its turn (a mutex, the
 * system) loses the turn after a moment: there alone a schedule is not its seed's. With a name
 * the runtime makes that mistake, which has to show.
 */
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "actor/layout.h"
#include "hooks.h"

enum { WORKERS = 3, SCHEDULES = 300, SCHEDULES_LONG = 10000, PATIENCE_NS = 500000 };

/* ---- whose turn it is ---- */

static struct {
	uint32_t turn; /* futex: the worker that runs; 0: nobody waits for anything */
	uint32_t runnable; /* bit per worker */
	uint64_t random;
	uint64_t points;
} token;

static uint64_t next_random(void)
{
	uint64_t x = nf_ld(&token.random);

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	nf_st(&token.random, x);
	return x;
}

static void give_turn(uint32_t to)
{
	nf_st_seq(&token.turn, to);
	syscall(SYS_futex, &token.turn, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void wait_for_turn(uint32_t me)
{
	const struct timespec patience = { 0, PATIENCE_NS };
	uint32_t turn;

	while ((turn = nf_ld_seq(&token.turn)) != me && turn != 0)
		if (syscall(SYS_futex, &token.turn, FUTEX_WAIT_PRIVATE, turn, &patience, NULL, 0) !=
		            0 &&
		    nf_ld_seq(&token.turn) == turn)
			nf_cas(&token.turn, &turn,
			       me); /* whoever has it does not come back to a point */
}

/* Somebody runnable, by the seed; `me` when there is nobody else. */
static uint32_t choose(uint32_t me)
{
	uint32_t runnable = nf_ld_seq(&token.runnable) & ~(1u << me), n;

	if (!runnable)
		return me;
	n = (uint32_t)(next_random() >> 8) % (uint32_t)__builtin_popcount(runnable);
	while (n--)
		runnable &= runnable - 1;
	return (uint32_t)__builtin_ctz(runnable);
}

static void schedule(enum nf_actor_point point)
{
	struct nf_wrk *w = nf_wrk_self();
	uint32_t me = w ? w->number : 0;

	if (!me)
		return;
	if (point == NF_POINT_SLEEP) {
		nf_fetch_and(&token.runnable, ~(1u << me));
		if (nf_ld_seq(&token.turn) == me)
			give_turn(choose(me) == me ? 0 : choose(me));
		return;
	}
	nf_fetch_or(&token.runnable, 1u << me);
	if (point == NF_POINT_AWAKE) {
		wait_for_turn(me);
		return;
	}
	wait_for_turn(me);
	nf_st_seq(&token.turn, me);
	nf_count(&token.points, 1u);
	hooks_migrate_every = 1 + (unsigned)(next_random() >> 4) % 3;
	if (next_random() >> 8 & 3)
		return;
	give_turn(choose(me));
	wait_for_turn(me);
}

/* ---- what is run ---- */

enum { SENDERS = 2, EACH = 8 };

struct scene {
	struct nf_chan *c, *d;
	struct nf_actor child, waiter;
	uint32_t with_select;
	long ends;
};

#define CHECK(cond) \
	do { \
		if (!(cond)) { \
			printf("%s:%d: %s\n", __FILE__, __LINE__, #cond); \
			fflush(stdout); \
			_exit(1); \
		} \
	} while (0)

static void *sends(void *arg)
{
	struct scene *s = arg;

	for (uint64_t i = 0; i < EACH; i++)
		CHECK(nf_chan_send(i % 2 ? s->c : s->d,
		                   (struct nf_actor_msg){ i, nf_actor_self().block }) == 0);
	return NULL;
}

static void *receives(void *arg)
{
	struct scene *s = arg;
	struct nf_chan *both[2] = { s->c, s->d };
	void *who[SENDERS] = { NULL, NULL };
	uint64_t next[SENDERS][2] = { { 0, 1 }, { 0, 1 } };

	for (int i = 0; i < SENDERS * EACH; i++) {
		struct nf_actor_msg m;
		size_t which = (size_t)i % 2, from;
		int r;

		if (s->with_select)
			r = nf_chan_select(both, 2, INT64_MAX, &which, &m);
		else
			r = nf_chan_recv(both[which = (size_t)i / EACH], &m);
		CHECK(r == 0);
		from = who[0] == m.ptr || !who[0] ? 0 : 1;
		who[from] = m.ptr;
		CHECK(m.word == next[from][m.word % 2]);
		next[from][m.word % 2] += 2;
	}
	CHECK(nf_chan_recv(s->c, &(struct nf_actor_msg){ 0 }) == -NF_ENODATA);
	return NULL;
}

static void *plays_channels(void *arg)
{
	struct scene *s = arg;
	struct nf_actor a[SENDERS], b;

	CHECK(nf_chan_new(NULL, &s->c, NULL) == 0 && nf_chan_new(NULL, &s->d, NULL) == 0);
	CHECK(nf_actor_spawn(NULL, NULL, receives, s, &b, NULL) == 0);
	for (int i = 0; i < SENDERS; i++)
		CHECK(nf_actor_spawn(NULL, NULL, sends, s, &a[i], NULL) == 0);
	for (int i = 0; i < SENDERS; i++)
		CHECK(nf_actor_join(a[i], NULL, NULL) == 0);
	nf_chan_close(s->c);
	CHECK(nf_actor_join(b, NULL, NULL) == 0);
	return arg;
}

static void *yields(void *arg)
{
	nf_actor_yield();
	return arg;
}

static void *waits(void *arg)
{
	struct nf_actor_msg m;
	int r = nf_chan_recv(((struct scene *)arg)->c, &m);

	CHECK(r == 0);
	return NULL;
}

static void *joins(void *arg)
{
	struct scene *s = arg;
	int r = nf_actor_join(s->child, NULL, NULL);

	CHECK(r == 0 || r == -NF_EEXIST || r == -NF_ENODATA);
	nf_add(&s->ends, r == 0);
	return NULL;
}

static void *detaches(void *arg)
{
	struct scene *s = arg;
	int r = nf_actor_detach(s->child, NULL);

	CHECK(r == 0 || r == -NF_EEXIST || r == -NF_ENODATA);
	nf_add(&s->ends, r == 0);
	return NULL;
}

static void *cancels(void *arg)
{
	CHECK(nf_actor_cancel(((struct scene *)arg)->waiter, NULL) == 0);
	return NULL;
}

static void *plays_joins(void *arg)
{
	struct scene *s = arg;
	struct nf_actor a[4];
	struct nf_actor_status st;
	nf_actor_fn *fn[4] = { joins, s->with_select ? detaches : joins, joins, cancels };

	CHECK(nf_chan_new(NULL, &s->c, NULL) == 0);
	CHECK(nf_actor_spawn(NULL, NULL, yields, NULL, &s->child, NULL) == 0);
	CHECK(nf_actor_spawn(NULL, NULL, waits, s, &s->waiter, NULL) == 0);
	for (int i = 0; i < 4; i++)
		CHECK(nf_actor_spawn(NULL, NULL, fn[i], s, &a[i], NULL) == 0);
	for (int i = 0; i < 4; i++)
		CHECK(nf_actor_join(a[i], NULL, NULL) == 0);
	CHECK(nf_actor_join(s->waiter, &st, NULL) == 0);
	CHECK(st.end == NF_ACTOR_CANCELLED);
	CHECK(s->ends == 1);
	return arg;
}

static void run(uint64_t seed)
{
	struct nf_actor_knobs k;
	struct nf_actor_rt *rt;
	struct nf_actor_status st;
	struct nf_err err;
	struct scene s = { .with_select = seed / 2 % 2 };

	nf_actor_knobs_init(&k);
	k.workers = 1 + (uint32_t)(seed / 4) % WORKERS;
	k.max_actors = 64;
	k.spin_ns = 20000;
	k.lifo_cap = (uint32_t)(seed % 3);
	hooks_no_membarrier = seed % 5 == 4;
	token.random = (seed + 1) * 0x9e3779b97f4a7c15u;
	nf_st_seq(&token.turn, 0);
	nf_st_seq(&token.runnable, 0);
	if (nf_actor_rt_new(&k, &rt, &err) != 0 ||
	    nf_actor_rt_run(rt, seed % 2 ? plays_joins : plays_channels, &s, &st, &err) != 0) {
		printf("%s\n", err.msg);
		exit(1);
	}
	CHECK(st.end == NF_ACTOR_RETURNED);
	nf_actor_rt_free(rt);
}

static uint64_t running;

static void too_long(int signal)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "seed %llu came to no end\n",
	                 (unsigned long long)running);

	(void)signal;
	_exit(write(STDOUT_FILENO, text, (size_t)n) == n ? 1 : 4);
}

int main(int argc, char **argv)
{
	const char *in_the_long_run = getenv("NF_LONG");
	bool all = in_the_long_run && strcmp(in_the_long_run, "1") == 0;
	uint64_t first = 0, n = all ? SCHEDULES_LONG : SCHEDULES;
	unsigned limit_s = 20;

	if (argc > 1 && strcmp(argv[1], "lost-wake") == 0)
		hooks_broken = NF_BREAK_LOST_WAKE;
	else if (argc > 1 && strcmp(argv[1], "join") == 0)
		hooks_broken = NF_BREAK_JOIN;
	else if (argc > 1)
		first = strtoull(argv[1], NULL, 10), n = 1;
	/* It ends when the mistake shows, which on a busy machine may take more than the long run. */
	if (hooks_broken)
		limit_s = 2, n = 10 * SCHEDULES_LONG;
	hooks_at = schedule;
	signal(SIGALRM, too_long);
	for (running = first; running < first + n; running++) {
		alarm(limit_s);
		run(running);
	}
	printf("%llu schedules, %llu points\n", (unsigned long long)n,
	       (unsigned long long)token.points);
	return 0;
}
