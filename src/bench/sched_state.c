/* SPDX-License-Identifier: MIT */
#include "bench/sched_state.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fail.h"
#include "bench/sched_knobs.h"

enum { THREAD_STACK_BYTES = 64 << 10, APART_SPIN_NS = 1000000000 };

static int64_t cpu_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* --- setup --- */

static const char *environment(void *ctx, const char *name)
{
	(void)ctx;
	return secure_getenv(name); /* a benchmark runs in a program of its own */
}

enum kind { THREADS, ACTORS, APART };

static int open_runtime(struct nf_sched_state *s, enum kind kind, struct nf_err *err)
{
	struct nf_actor_knobs k;

	nf_actor_knobs_init(&k);
	int r = nf_sched_knobs_read(environment, NULL, &k, err);
	if (r == 0 && kind == APART) {
		if (s->calibration.cpus < 2)
			return nf_fail(err, NF_EUNSUPPORTED,
			               "two CPUs that spin are needed: allow it more than one");
		k.workers = 2;
		k.spin_ns = APART_SPIN_NS;
		k.cpus = s->calibration.cpu;
		k.n_cpus = 2;
	}
	if (r == 0)
		r = nf_actor_rt_new(&k, &s->rt, err);
	if (r == 0) {
		nf_actor_rt_knobs(s->rt, &k);
		s->workers = k.workers;
	}
	return r;
}

static int setup(enum kind kind, void **ret, struct nf_err *err)
{
	struct nf_sched_state *s = calloc(1, sizeof(*s));

	if (!s)
		return nf_fail_nomem(err, "a scheduler's benchmark", sizeof(*s));
	int r = nf_sched_calibrate(&s->calibration, err);
	s->workers = s->calibration.cpus;
	if (r == 0 && kind != THREADS)
		r = open_runtime(s, kind, err);
	if (r < 0)
		free(s);
	else
		*ret = s;
	return r;
}

int nf_sched_actors_setup(const struct nf_bench_env *env, void **ret_state, struct nf_err *err)
{
	(void)env;
	return setup(ACTORS, ret_state, err);
}

int nf_sched_apart_setup(const struct nf_bench_env *env, void **ret_state, struct nf_err *err)
{
	(void)env;
	return setup(APART, ret_state, err);
}

int nf_sched_threads_setup(const struct nf_bench_env *env, void **ret_state, struct nf_err *err)
{
	(void)env;
	return setup(THREADS, ret_state, err);
}

void nf_sched_teardown(void *state)
{
	struct nf_sched_state *s = state;

	nf_actor_rt_free(s->rt);
	free(s);
}

/* --- running --- */

static void count(struct nf_sched_state *s, int64_t from_ns, uint64_t n)
{
	s->cpu_ns += cpu_now_ns() - from_ns;
	s->operations += n;
}

int nf_sched_run_actor(void *state, nf_actor_fn *fn, uint64_t n, struct nf_err *err)
{
	struct nf_sched_job job = { state, n };
	struct nf_actor_status status;
	int64_t from_ns = cpu_now_ns();
	int r = nf_actor_rt_run(job.state->rt, fn, &job, &status, err);

	if (r < 0)
		return r;
	if (status.end != NF_ACTOR_RETURNED)
		return nf_fail(err, NF_ESUBJECT, "an actor ended early: %s", status.message);
	count(job.state, from_ns, n);
	return 0;
}

int nf_sched_run_threads(void *state, nf_sched_threads_fn *fn, uint64_t n, struct nf_err *err)
{
	int64_t from_ns = cpu_now_ns();
	int r = fn(state, n, err);

	if (r == 0)
		count(state, from_ns, n);
	return r;
}

struct nf_actor nf_sched_spawn(nf_actor_fn *fn, void *arg)
{
	return nf_sched_spawn_on(0, fn, arg);
}

struct nf_actor nf_sched_spawn_on(uint32_t worker, nf_actor_fn *fn, void *arg)
{
	const struct nf_actor_opts opts = { .pin = worker };
	struct nf_actor a = { 0 };
	int r = nf_actor_spawn(NULL, worker ? &opts : NULL, fn, arg, &a, NULL);

	if (r < 0)
		nf_actor_panicf("a spawn: %s", nf_strerror(r));
	return a;
}

void nf_sched_join(struct nf_actor a)
{
	int r = nf_actor_join(a, NULL, NULL);

	if (r < 0)
		nf_actor_panicf("a join: %s", nf_strerror(r));
}

void *nf_sched_array(size_t n, size_t bytes)
{
	size_t all;

	if (__builtin_mul_overflow(n, bytes, &all))
		nf_actor_panic("an array of too many");
	void *p = nf_actor_alloc(all);
	if (!p)
		nf_actor_panicf("no memory for %zu bytes", all);
	return memset(p, 0, all);
}

/* --- threads --- */

int nf_sched_start(void *(*fn)(void *), void *arg, pthread_t *ret, struct nf_err *err)
{
	size_t least = (size_t)PTHREAD_STACK_MIN;
	pthread_attr_t attr;
	int e = pthread_attr_init(&attr);

	if (e == 0) {
		e = pthread_attr_setstacksize(
		        &attr, least > THREAD_STACK_BYTES ? least : THREAD_STACK_BYTES);
		if (e == 0)
			e = pthread_create(ret, &attr, fn, arg);
		pthread_attr_destroy(&attr);
	}
	return e ? nf_fail_os(err, e, "a thread") : 0;
}

int nf_sched_threads(unsigned n, void *(*fn)(void *), void *item, size_t item_bytes,
                     struct nf_err *err)
{
	pthread_t *thread = calloc(n, sizeof(*thread));
	unsigned started = 0;
	int r = 0;

	if (!thread)
		return nf_fail_nomem(err, "threads", n * sizeof(*thread));
	for (; r == 0 && started < n; started += r == 0)
		r = nf_sched_start(fn, (char *)item + started * item_bytes, &thread[started], err);
	for (unsigned i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	free(thread);
	return r;
}

/* --- facts --- */

static void say_cost(nf_bench_fact_fn *say, void *to, const char *fast, const char *slow,
                     const struct nf_sched_cost *c)
{
	if (c->known) {
		say(to, fast, c->fast_ns, NULL);
		say(to, slow, c->slow_ns, NULL);
	}
}

static void say_runtime(const struct nf_actor_rt *rt, nf_bench_fact_fn *say, void *to)
{
	struct nf_actor_stats s;
	struct nf_actor_knobs k;

	nf_actor_rt_stats(rt, &s);
	nf_actor_rt_knobs(rt, &k);
	say(to, "switch_inlined", s.switch_inlined, NULL);
	say(to, "asymmetric_barrier", s.asymmetric, NULL);
	if (s.wake_ns > 0)
		say(to, "worker_wake_ns", (double)s.wake_ns, NULL);
	say(to, "preempted", (double)s.preempted, NULL);
	say(to, "stolen", (double)s.stolen, NULL);
	say(to, "worker_sleeps", (double)s.sleeps, NULL);
	say(to, "timeslice_ticks", (double)k.timeslice_ticks, NULL);
	say(to, "alloc_interval", k.alloc_interval, NULL);
	say(to, "stack_bytes", (double)k.stack_bytes, NULL);
	say(to, "spin_ns", (double)k.spin_ns, NULL);
	say(to, "lifo_cap", k.lifo_cap, NULL);
	say(to, "save_fpu", k.save_fpu, NULL);
	say(to, "run_queue", 0, k.run_queue == NF_ACTOR_SHARED ? "shared" : "stealing");
	say(to, "guard", 0,
	    k.guard == NF_ACTOR_GUARD_INSTALL    ? "install"
	    : k.guard == NF_ACTOR_GUARD_MPROTECT ? "mprotect"
	                                         : "none");
}

int nf_sched_facts(void *state, nf_bench_fact_fn *say, void *to, struct nf_err *err)
{
	const struct nf_sched_state *s = state;
	const struct nf_sched_calibration *c = &s->calibration;

	(void)err;
	say(to, "cpus", c->cpus, NULL);
	say(to, "workers", s->workers, NULL);
	say_cost(say, to, "cache_line_fast_ns", "cache_line_slow_ns", &c->line);
	say_cost(say, to, "futex_wake_fast_ns", "futex_wake_slow_ns", &c->wake);
	if (s->operations)
		say(to, "cpu_ns", (double)s->cpu_ns / (double)s->operations, NULL);
	if (s->rt)
		say_runtime(s->rt, say, to);
	return 0;
}
