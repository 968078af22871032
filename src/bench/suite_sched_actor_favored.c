/* SPDX-License-Identifier: MIT */
/* suite_sched_actor_favored - the scheduler suite's third group: what is dear for threads. */
#include <sched.h>
#include <stdlib.h>

#include "bench/sched_mailbox.h"
#include "bench/sched_state.h"
#include "bench/suites.h"

enum {
	STORM = 10000, /* actors alive at a time */
	THREAD_STORM = 1000,
	STORM_STEPS = 8, /* that each is busy for */
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* --- spawn_storm_busy: all are alive before the first is joined --- */

static void *be_busy(void *arg)
{
	uint64_t *x = arg, v = *x;

	for (int i = 0; i < STORM_STEPS; i++)
		v = nf_bench_hide(v * UINT64_C(6364136223846793005) + 1);
	*x = v;
	return NULL;
}

static void *actor_storms(void *arg)
{
	const struct nf_sched_job *job = arg;
	uint64_t many = least(job->n, STORM);
	struct nf_actor *a = nf_sched_array(many, sizeof(*a));
	uint64_t *x = nf_sched_array(many, sizeof(*x));

	for (uint64_t n = job->n; n > 0; n -= many) {
		many = least(n, many);
		for (uint64_t i = 0; i < many; i++)
			a[i] = nf_sched_spawn(be_busy, &x[i]);
		for (uint64_t i = 0; i < many; i++)
			nf_sched_join(a[i]);
	}
	return NULL;
}
NF_SCHED_RUN(storm_actors, nf_sched_run_actor, actor_storms)

static int thread_storms(struct nf_sched_state *s, uint64_t n, struct nf_err *err)
{
	uint64_t x[THREAD_STORM] = { 0 };
	int r = 0;

	(void)s;
	for (; r == 0 && n > 0; n -= least(n, THREAD_STORM))
		r = nf_sched_threads((unsigned)least(n, THREAD_STORM), be_busy, x, sizeof(*x), err);
	return r;
}
NF_SCHED_RUN(storm_threads, nf_sched_run_threads, thread_storms)

/* --- catch_panics --- */

static void *panics(void *arg)
{
	(void)arg;
	nf_actor_panic("on purpose");
}

static void *actor_panics(void *arg)
{
	const struct nf_sched_job *job = arg;
	struct nf_err err;

	for (uint64_t i = 0; i < job->n; i++) {
		struct nf_actor_status status;

		if (nf_actor_join(nf_sched_spawn(panics, NULL), &status, &err) < 0)
			nf_actor_panic(err.msg);
		if (status.end != NF_ACTOR_PANICKED)
			nf_actor_panic("a panic was not seen");
	}
	return NULL;
}
NF_SCHED_RUN(panics_actors, nf_sched_run_actor, actor_panics)

/* --- yield_in_hot_loop: two, each in turn --- */

static void *actor_hot(void *arg)
{
	const uint64_t *n = arg;

	for (uint64_t i = *n; i > 0; i--)
		nf_actor_yield();
	return NULL;
}

static void *actor_hot_pair(void *arg)
{
	const struct nf_sched_job *job = arg;
	uint64_t each[2] = { job->n / 2, job->n - job->n / 2 };
	struct nf_actor a = nf_sched_spawn(actor_hot, &each[0]),
	                b = nf_sched_spawn(actor_hot, &each[1]);

	nf_sched_join(a);
	nf_sched_join(b);
	return NULL;
}
NF_SCHED_RUN(hot_actors, nf_sched_run_actor, actor_hot_pair)

static void *thread_hot(void *arg)
{
	const uint64_t *n = arg;

	for (uint64_t i = *n; i > 0; i--)
		sched_yield();
	return NULL;
}

static int thread_hot_pair(struct nf_sched_state *s, uint64_t n, struct nf_err *err)
{
	uint64_t each[2] = { n / 2, n - n / 2 };

	(void)s;
	return nf_sched_threads(2, thread_hot, each, sizeof(*each), err);
}
NF_SCHED_RUN(hot_threads, nf_sched_run_threads, thread_hot_pair)

/* --- uncontended_channel: sender and receiver are one --- */

static void *actor_alone(void *arg)
{
	const struct nf_sched_job *job = arg;
	struct nf_actor_msg m = { 0 };
	struct nf_chan *c;
	struct nf_err err;

	if (nf_chan_new(NULL, &c, &err) < 0)
		nf_actor_panic(err.msg);
	for (uint64_t i = job->n; i > 0; i--) {
		m.word++;
		if (nf_chan_send(c, m) < 0 || nf_chan_recv(c, &m) < 0)
			nf_actor_panic("a message could not be sent or received");
	}
	if (m.word != job->n)
		nf_actor_panic("a message was lost");
	(void)nf_chan_free(c);
	return NULL;
}
NF_SCHED_RUN(alone_actors, nf_sched_run_actor, actor_alone)

static int thread_alone(struct nf_sched_state *s, uint64_t n, struct nf_err *err)
{
	struct nf_sched_mailbox mail;
	uint64_t word = 0;

	(void)s;
	(void)err;
	nf_sched_mailbox_init(&mail);
	for (uint64_t i = 0; i < n; i++) {
		nf_sched_mailbox_send(&mail, word + 1);
		word = nf_sched_mailbox_receive(&mail);
	}
	nf_bench_keep(word);
	nf_sched_mailbox_fini(&mail);
	return 0;
}
NF_SCHED_RUN(alone_threads, nf_sched_run_threads, thread_alone)

/* clang-format off */
const struct nf_bench nf_suite_sched_actor_favored[] = {
	NF_SCHED_ACTORS("spawn_storm_busy", storm_actors, "actor_favored: one of 10,000 alive at a time"),
	NF_SCHED_THREADS("spawn_storm_busy", storm_threads, "one of 1,000 threads at a time"),
	NF_SCHED_ACTORS("catch_panics", panics_actors, "actor_favored: spawn, panic, join"),
	NF_SCHED_ACTORS("yield_in_hot_loop", hot_actors, "actor_favored: a yield of one of two"),
	NF_SCHED_THREADS("yield_in_hot_loop", hot_threads, "sched_yield(2) of one of two threads"),
	NF_SCHED_ACTORS("uncontended_channel", alone_actors, "actor_favored: send and receive by one"),
	NF_SCHED_THREADS("uncontended_channel", alone_threads, "the same by mutex and condition"),
	{ .name = NULL },
};
/* clang-format on */
