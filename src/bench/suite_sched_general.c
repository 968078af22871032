/* SPDX-License-Identifier: MIT */
/*
 * suite_sched_general - the scheduler suite's first group: what every program does that is made of tasks. Each is there
 * for actors of the runtime (src/actor) and for threads; the two do the same.
 */
#include <sched.h>
#include <stdlib.h>

#include "bench/sched_mailbox.h"
#include "bench/sched_state.h"
#include "bench/suites.h"

enum {
	CHAIN = 1000, /* tasks of a chain */
	FAN = 1000, /* tasks of a fan */
	YIELDERS = 200,
	THREAD_YIELDERS = 20,
	TRIPS = 10000, /* of one pair */
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* --- chained_spawn: each starts the next; the last one tells --- */

struct chain {
	uint64_t left;
	struct nf_chan *done; /* actors */
	struct nf_sched_mailbox mail; /* threads */
	struct nf_err err;
	bool failed;
};

static void *actor_link(void *arg)
{
	struct chain *c = arg;

	if (--c->left == 0) {
		if (nf_chan_send(c->done, (struct nf_actor_msg){ 0 }) < 0)
			nf_actor_panic("a message could not be sent");
	} else if (nf_actor_spawn(NULL, NULL, actor_link, c, NULL, NULL) < 0) {
		nf_actor_panic("an actor could not be spawned");
	}
	return NULL;
}

static void *actor_chains(void *arg)
{
	const struct nf_sched_job *job = arg;
	struct chain c = { 0 };
	struct nf_actor_msg m;
	struct nf_err err;

	if (nf_chan_new(NULL, &c.done, &err) < 0)
		nf_actor_panic(err.msg);
	for (uint64_t n = job->n; n > 0;) {
		c.left = least(n, CHAIN);
		n -= c.left;
		if (nf_actor_spawn(NULL, NULL, actor_link, &c, NULL, &err) < 0)
			nf_actor_panic(err.msg);
		if (nf_chan_recv(c.done, &m) < 0)
			nf_actor_panic("a message could not be received");
	}
	(void)nf_chan_free(c.done);
	return NULL;
}
NF_SCHED_RUN(chained_actors, nf_sched_run_actor, actor_chains)

static int start_link(struct chain *c);

static void *thread_link(void *arg)
{
	struct chain *c = arg;

	c->failed = --c->left > 0 && start_link(c) < 0;
	if (c->failed || c->left == 0)
		nf_sched_mailbox_send(&c->mail, 0);
	return NULL;
}

static int start_link(struct chain *c)
{
	pthread_t t;
	int r = nf_sched_start(thread_link, c, &t, &c->err);

	return r < 0 ? r : pthread_detach(t);
}

static int thread_chains(struct nf_sched_state *s, uint64_t n, struct nf_err *err)
{
	struct chain c = { 0 };
	int r = 0;

	(void)s;
	nf_sched_mailbox_init(&c.mail);
	while (r == 0 && n > 0) {
		c.left = least(n, CHAIN);
		n -= c.left;
		r = start_link(&c);
		if (r == 0)
			(void)nf_sched_mailbox_receive(&c.mail);
		if (c.failed)
			r = -NF_EOS;
	}
	if (r < 0 && err)
		*err = c.err;
	nf_sched_mailbox_fini(&c.mail);
	return r;
}
NF_SCHED_RUN(chained_threads, nf_sched_run_threads, thread_chains)

/* --- yield_many --- */

static void *actor_yields(void *arg)
{
	const uint64_t *n = arg;

	for (uint64_t i = 0; i < *n; i++)
		nf_actor_yield();
	return NULL;
}

static void *actor_yielders(void *arg)
{
	const struct nf_sched_job *job = arg;
	uint64_t tasks = least(job->n, YIELDERS), each = job->n / tasks;
	struct nf_actor *a = nf_sched_array(tasks, sizeof(*a));

	for (uint64_t i = 0; i < tasks; i++)
		a[i] = nf_sched_spawn(actor_yields, &each);
	for (uint64_t i = 0; i < tasks; i++)
		nf_sched_join(a[i]);
	return NULL;
}
NF_SCHED_RUN(yield_many_actors, nf_sched_run_actor, actor_yielders)

static void *thread_yields(void *arg)
{
	const uint64_t *n = arg;

	for (uint64_t i = 0; i < *n; i++)
		sched_yield();
	return NULL;
}

static int thread_yielders(struct nf_sched_state *s, uint64_t n, struct nf_err *err)
{
	unsigned tasks = (unsigned)least(n, THREAD_YIELDERS);
	uint64_t each = n / tasks;

	(void)s;
	return nf_sched_threads(tasks, thread_yields, &each, 0, err);
}
NF_SCHED_RUN(yield_many_threads, nf_sched_run_threads, thread_yielders)

/* --- fan_out_fan_in: as many tasks as fit a fan, each sends one message, one receives them all --- */

static void *actor_reports(void *arg)
{
	if (nf_chan_send(arg, (struct nf_actor_msg){ .word = 1 }) < 0)
		nf_actor_panic("a message could not be sent");
	return NULL;
}

static void *actor_fans(void *arg)
{
	const struct nf_sched_job *job = arg;
	struct nf_chan *c;
	struct nf_actor_msg m;
	struct nf_err err;
	uint64_t sum = 0;

	if (nf_chan_new(NULL, &c, &err) < 0)
		nf_actor_panic(err.msg);
	for (uint64_t n = job->n; n > 0;) {
		uint64_t fan = least(n, FAN);

		n -= fan;
		for (uint64_t i = 0; i < fan; i++)
			if (nf_actor_spawn(NULL, NULL, actor_reports, c, NULL, &err) < 0)
				nf_actor_panic(err.msg);
		for (uint64_t i = 0; i < fan; i++) {
			if (nf_chan_recv(c, &m) < 0)
				nf_actor_panic("a message could not be received");
			sum += m.word;
		}
	}
	if (sum != job->n)
		nf_actor_panic("a message was lost");
	(void)nf_chan_free(c);
	return NULL;
}
NF_SCHED_RUN(fan_actors, nf_sched_run_actor, actor_fans)

static void *thread_reports(void *arg)
{
	nf_sched_mailbox_send(arg, 1);
	return NULL;
}

static int thread_fans(struct nf_sched_state *s, uint64_t n, struct nf_err *err)
{
	struct nf_sched_mailbox mail;
	int r = 0;

	(void)s;
	nf_sched_mailbox_init(&mail);
	while (r == 0 && n > 0) {
		unsigned fan = (unsigned)least(n, FAN);

		n -= fan;
		r = nf_sched_threads(fan, thread_reports, &mail, 0, err);
		for (unsigned i = 0; r == 0 && i < fan; i++)
			(void)nf_sched_mailbox_receive(&mail);
	}
	nf_sched_mailbox_fini(&mail);
	return r;
}
NF_SCHED_RUN(fan_threads, nf_sched_run_threads, thread_fans)

/* --- pairs: two tasks with a channel to each; ping begins --- */

struct pair {
	struct nf_chan *to[2];
	struct nf_sched_mailbox mail[2];
	uint64_t trips;
};

static void send_or_panic(struct nf_chan *c)
{
	if (nf_chan_send(c, (struct nf_actor_msg){ .word = 1 }) < 0)
		nf_actor_panic("a message could not be sent");
}

static void receive_or_panic(struct nf_chan *c)
{
	struct nf_actor_msg m;

	if (nf_chan_recv(c, &m) < 0)
		nf_actor_panic("a message could not be received");
}

static void *actor_ping(void *arg)
{
	const struct pair *p = arg;

	for (uint64_t i = p->trips; i > 0; i--) {
		send_or_panic(p->to[1]);
		receive_or_panic(p->to[0]);
	}
	return NULL;
}

static void *actor_pong(void *arg)
{
	const struct pair *p = arg;

	for (uint64_t i = p->trips; i > 0; i--) {
		receive_or_panic(p->to[1]);
		send_or_panic(p->to[0]);
	}
	return NULL;
}

static void actor_pair(uint64_t trips, uint32_t ping_worker, uint32_t pong_worker)
{
	struct pair p = { .trips = trips };

	for (int i = 0; i < 2; i++)
		if (nf_chan_new(NULL, &p.to[i], NULL) < 0)
			nf_actor_panic("a channel could not be made");
	struct nf_actor ping = nf_sched_spawn_on(ping_worker, actor_ping, &p);
	struct nf_actor pong = nf_sched_spawn_on(pong_worker, actor_pong, &p);
	nf_sched_join(ping);
	nf_sched_join(pong);
	for (int i = 0; i < 2; i++)
		(void)nf_chan_free(p.to[i]);
}

static void *actor_steady(void *arg)
{
	const struct nf_sched_job *job = arg;

	for (uint64_t n = job->n; n > 0; n -= least(n, TRIPS))
		actor_pair(least(n, TRIPS), 0, 0);
	return NULL;
}
NF_SCHED_RUN(steady_actors, nf_sched_run_actor, actor_steady)

static void *actor_apart(void *arg)
{
	const struct nf_sched_job *job = arg;

	actor_pair(job->n, 1, 2);
	return NULL;
}
NF_SCHED_RUN(apart_actors, nf_sched_run_actor, actor_apart)

static void *actor_oneshot(void *arg)
{
	const struct nf_sched_job *job = arg;

	for (uint64_t i = 0; i < job->n; i++)
		actor_pair(1, 0, 0);
	return NULL;
}
NF_SCHED_RUN(oneshot_actors, nf_sched_run_actor, actor_oneshot)

static void *actor_nothing(void *arg)
{
	return arg;
}

static void *actor_control(void *arg)
{
	const struct nf_sched_job *job = arg;

	for (uint64_t i = 0; i < job->n; i++) {
		struct nf_actor a = nf_sched_spawn(actor_nothing, NULL),
		                b = nf_sched_spawn(actor_nothing, NULL);

		nf_sched_join(a);
		nf_sched_join(b);
	}
	return NULL;
}
NF_SCHED_RUN(control_actors, nf_sched_run_actor, actor_control)

static void *thread_ping(void *arg)
{
	struct pair *p = arg;

	for (uint64_t i = 0; i < p->trips; i++) {
		nf_sched_mailbox_send(&p->mail[1], 1);
		(void)nf_sched_mailbox_receive(&p->mail[0]);
	}
	return NULL;
}

static void *thread_pong(void *arg)
{
	struct pair *p = arg;

	for (uint64_t i = 0; i < p->trips; i++) {
		(void)nf_sched_mailbox_receive(&p->mail[1]);
		nf_sched_mailbox_send(&p->mail[0], 1);
	}
	return NULL;
}

static int thread_pair(struct pair *p, void *(*ping_fn)(void *), void *(*pong_fn)(void *),
                       struct nf_err *err)
{
	pthread_t ping, pong;
	int r = nf_sched_start(ping_fn, p, &ping, err);

	if (r < 0)
		return r;
	r = nf_sched_start(pong_fn, p, &pong, err);
	if (r < 0)
		(void)pong_fn(p); /* here, so that ping ends */
	else
		pthread_join(pong, NULL);
	pthread_join(ping, NULL);
	return r;
}

static int thread_trips(uint64_t n, uint64_t of_a_pair, struct nf_err *err)
{
	int r = 0;

	for (; r == 0 && n > 0; n -= least(n, of_a_pair)) {
		struct pair p = { .trips = least(n, of_a_pair) };

		for (int i = 0; i < 2; i++)
			nf_sched_mailbox_init(&p.mail[i]);
		r = thread_pair(&p, thread_ping, thread_pong, err);
		for (int i = 0; i < 2; i++)
			nf_sched_mailbox_fini(&p.mail[i]);
	}
	return r;
}

static int thread_steady(struct nf_sched_state *s, uint64_t n, struct nf_err *err)
{
	(void)s;
	return thread_trips(n, TRIPS, err);
}
NF_SCHED_RUN(steady_threads, nf_sched_run_threads, thread_steady)

static int thread_oneshot(struct nf_sched_state *s, uint64_t n, struct nf_err *err)
{
	(void)s;
	return thread_trips(n, 1, err);
}
NF_SCHED_RUN(oneshot_threads, nf_sched_run_threads, thread_oneshot)

static int thread_control(struct nf_sched_state *s, uint64_t n, struct nf_err *err)
{
	int r = 0;

	(void)s;
	for (; r == 0 && n > 0; n--)
		r = thread_pair(NULL, actor_nothing, actor_nothing, err);
	return r;
}
NF_SCHED_RUN(control_threads, nf_sched_run_threads, thread_control)

/* clang-format off */
const struct nf_bench nf_suite_sched_general[] = {
	NF_SCHED_ACTORS("chained_spawn", chained_actors, "general: a spawn, each by the one before"),
	NF_SCHED_THREADS("chained_spawn", chained_threads, "the same of threads"),
	NF_SCHED_ACTORS("yield_many", yield_many_actors, "general: a yield among 200"),
	NF_SCHED_THREADS("yield_many", yield_many_threads, "sched_yield(2) among 20 threads"),
	NF_SCHED_ACTORS("fan_out_fan_in", fan_actors, "general: one of 1,000 that send to one"),
	NF_SCHED_THREADS("fan_out_fan_in", fan_threads, "the same of threads"),
	NF_SCHED_ACTORS("spawn_pair_control", control_actors, "general: spawn and join of two"),
	NF_SCHED_THREADS("spawn_pair_control", control_threads, "the same of threads"),
	NF_SCHED_ACTORS("ping_pong_oneshot", oneshot_actors, "general: the same, with one round trip"),
	NF_SCHED_THREADS("ping_pong_oneshot", oneshot_threads, "the same of threads"),
	NF_SCHED_ACTORS("ping_pong_steady", steady_actors, "general: a round trip of one pair"),
	NF_SCHED_THREADS("ping_pong_steady", steady_threads, "the same of threads"),
	/* A calibration: what it takes beyond the cache line's way. */
	{ .name = "sched.calibration.pair_apart", .doc = "a round trip of a pair forced onto two workers that spin",
	  .setup = nf_sched_apart_setup, .run = apart_actors, .teardown = nf_sched_teardown,
	  .facts = nf_sched_facts },
	{ .name = NULL },
};
/* clang-format on */
