/* SPDX-License-Identifier: MIT */
/*
 * suite_sched_thread_favored - the scheduler suite's second group: what threads are made for, and what a runtime of actors can at best keep up
 * with: computing on all CPUs, a lock that many want, calls that block, many sleepers.
 */
#include <errno.h>
#include <time.h>

#include "base/clock.h"
#include "bench/sched_state.h"
#include "bench/suites.h"

enum {
	UNIT_STEPS = 1000, /* of a chain of multiplications */
	CONTENDERS = 4,
	BLOCKING_NS = 100000,
	SLEEPERS = 10000, /* actors */
	THREAD_SLEEPERS = 1000,
	SLEEP_MIN_NS = 1000000,
	SLEEP_SPAN_NS = 19000000,
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* One of several workers' share of the operations, or a sleeper's time. */
struct share {
	uint64_t n;
	struct common {
		pthread_mutex_t lock;
		uint64_t count; /* under it */
	} * common;
};

/* n operations over at most `tasks` shares; how many shares there are. */
static unsigned share_out(struct share *s, unsigned tasks, uint64_t n, struct common *c)
{
	unsigned used = (unsigned)least(tasks, n);

	for (unsigned i = 0; i < used; i++)
		s[i] = (struct share){ n / used + (i < n % used), c };
	return used;
}

static void in_actors(nf_actor_fn *fn, unsigned tasks, uint64_t n, struct common *c)
{
	struct nf_actor *a = nf_sched_array(tasks, sizeof(*a));
	struct share *s = nf_sched_array(tasks, sizeof(*s));
	unsigned used = share_out(s, tasks, n, c);

	for (unsigned i = 0; i < used; i++)
		a[i] = nf_sched_spawn(fn, &s[i]);
	for (unsigned i = 0; i < used; i++)
		nf_sched_join(a[i]);
}

static int in_threads(void *(*fn)(void *), unsigned tasks, uint64_t n, struct common *c,
                      struct nf_err *err)
{
	struct share s[NF_BENCH_THREADS_MAX];
	unsigned used = share_out(s, (unsigned)least(tasks, NF_BENCH_THREADS_MAX), n, c);

	return nf_sched_threads(used, fn, s, sizeof(*s), err);
}

/* --- compute_parallel --- */

static void *compute(void *arg)
{
	const struct share *s = arg;
	uint64_t x = nf_bench_hide(1);

	for (uint64_t i = 0; i < s->n; i++)
		for (int k = 0; k < UNIT_STEPS; k++)
			x = nf_bench_hide(x * UINT64_C(6364136223846793005) + 1);
	nf_bench_keep(x);
	return NULL;
}

static void *actor_compute(void *arg)
{
	const struct nf_sched_job *job = arg;

	in_actors(compute, job->state->workers, job->n, NULL);
	return NULL;
}
NF_SCHED_RUN(compute_actors, nf_sched_run_actor, actor_compute)

static int thread_compute(struct nf_sched_state *s, uint64_t n, struct nf_err *err)
{
	return in_threads(compute, s->workers, n, NULL, err);
}
NF_SCHED_RUN(compute_threads, nf_sched_run_threads, thread_compute)

/* --- mutex_contended --- */

static void *contend(void *arg)
{
	struct share *s = arg;

	for (uint64_t i = 0; i < s->n; i++) {
		pthread_mutex_lock(&s->common->lock);
		s->common->count++;
		pthread_mutex_unlock(&s->common->lock);
	}
	return NULL;
}

static void *actor_contend(void *arg)
{
	const struct nf_sched_job *job = arg;
	struct common c = { .lock = PTHREAD_MUTEX_INITIALIZER };

	in_actors(contend, CONTENDERS, job->n, &c);
	if (c.count != job->n)
		nf_actor_panic("a count was lost");
	return NULL;
}
NF_SCHED_RUN(mutex_actors, nf_sched_run_actor, actor_contend)

static int thread_contend(struct nf_sched_state *s, uint64_t n, struct nf_err *err)
{
	struct common c = { .lock = PTHREAD_MUTEX_INITIALIZER };

	(void)s;
	return in_threads(contend, CONTENDERS, n, &c, err);
}
NF_SCHED_RUN(mutex_threads, nf_sched_run_threads, thread_contend)

/* --- blocking_io: the worker waits in the kernel, as in a read of a slow file --- */

static void *block(void *arg)
{
	const struct share *s = arg;
	const struct timespec t = { .tv_nsec = BLOCKING_NS };

	for (uint64_t i = 0; i < s->n; i++)
		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	return NULL;
}

static void *actor_block(void *arg)
{
	const struct nf_sched_job *job = arg;

	in_actors(block, CONTENDERS, job->n, NULL);
	return NULL;
}
NF_SCHED_RUN(blocking_actors, nf_sched_run_actor, actor_block)

static int thread_block(struct nf_sched_state *s, uint64_t n, struct nf_err *err)
{
	(void)s;
	return in_threads(block, CONTENDERS, n, NULL, err);
}
NF_SCHED_RUN(blocking_threads, nf_sched_run_threads, thread_block)

/* --- many_timers: 1 to 20 ms, spread evenly and out of order; the CPU time is among the facts --- */

static int64_t sleep_of(uint64_t i)
{
	return SLEEP_MIN_NS + (int64_t)(i * UINT64_C(7919) % 10007) * (SLEEP_SPAN_NS / 10007);
}

static void *actor_sleeps(void *arg)
{
	const struct share *s = arg;

	nf_actor_sleep(sleep_of(s->n));
	return NULL;
}

static void *actor_timers(void *arg)
{
	const struct nf_sched_job *job = arg;
	struct nf_actor *a = nf_sched_array(SLEEPERS, sizeof(*a));
	struct share *s = nf_sched_array(SLEEPERS, sizeof(*s));

	for (uint64_t n = job->n; n > 0; n--) {
		for (uint64_t i = 0; i < SLEEPERS; i++) {
			s[i].n = i;
			a[i] = nf_sched_spawn(actor_sleeps, &s[i]);
		}
		for (uint64_t i = 0; i < SLEEPERS; i++)
			nf_sched_join(a[i]);
	}
	return NULL;
}
NF_SCHED_RUN(timers_actors, nf_sched_run_actor, actor_timers)

static void *thread_sleeps(void *arg)
{
	const struct share *s = arg;
	const struct timespec t = { .tv_nsec = (long)sleep_of(s->n) };

	(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	return NULL;
}

static int thread_timers(struct nf_sched_state *state, uint64_t n, struct nf_err *err)
{
	struct share s[THREAD_SLEEPERS] = { 0 };
	int r = 0;

	(void)state;
	for (uint64_t i = 0; i < THREAD_SLEEPERS; i++)
		s[i].n = i;
	for (; r == 0 && n > 0; n--)
		r = nf_sched_threads(THREAD_SLEEPERS, thread_sleeps, s, sizeof(*s), err);
	return r;
}
NF_SCHED_RUN(timers_threads, nf_sched_run_threads, thread_timers)

/* clang-format off */
const struct nf_bench nf_suite_sched_thread_favored[] = {
	NF_SCHED_ACTORS("compute_parallel", compute_actors, "thread_favored: 1,000 steps, on all workers"),
	NF_SCHED_THREADS("compute_parallel", compute_threads, "the same on all CPUs"),
	NF_SCHED_ACTORS("mutex_contended", mutex_actors, "thread_favored: a mutex that 4 want"),
	NF_SCHED_THREADS("mutex_contended", mutex_threads, "the same of threads"),
	NF_SCHED_ACTORS("blocking_io", blocking_actors, "thread_favored: a call that blocks for 100 us, 4 at a time"),
	NF_SCHED_THREADS("blocking_io", blocking_threads, "the same of threads"),
	NF_SCHED_ACTORS("many_timers", timers_actors, "thread_favored: 10,000 sleep 1 to 20 ms at a time; see cpu_ns"),
	NF_SCHED_THREADS("many_timers", timers_threads, "the same of 1,000 threads"),
	{ .name = NULL },
};
/* clang-format on */
