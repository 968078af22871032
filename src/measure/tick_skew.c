/* SPDX-License-Identifier: MIT */
/*
 * Skew between CPUs: two threads, one stays on the first CPU, the other goes round the rest. They
 * exchange a number through memory; the traveller's reading lies between two readings of the first, so
 * each round trip bounds the offset from both sides. The tightest round trip counts.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "measure/tick.h"

enum {
	ROUNDS = 400, /* per CPU, if time allows */
	ROUNDS_MIN = 16, /* fewer say nothing: the CPU is left out */
	ALL_CPUS_NS = 2 * 1000 * 1000 * 1000LL, /* shared out over the CPUs */
	CPU_MIN_NS = 500 * 1000,
	CPU_MAX_NS = 20 * 1000 * 1000,
	PATIENCE_NS = 200 * 1000 * 1000, /* to reach ROUNDS_MIN on a busy CPU */
	SPINS_PER_CHECK = 256,
};

static int64_t budget_of_cpu_ns(size_t n_cpus)
{
	int64_t share = ALL_CPUS_NS / (int64_t)(n_cpus > 0 ? n_cpus : 1);

	return share < CPU_MIN_NS ? CPU_MIN_NS : share > CPU_MAX_NS ? CPU_MAX_NS : share;
}

int64_t nf_tick_skew_estimate_ns(size_t n_cpus)
{
	int64_t ns;

	if (__builtin_mul_overflow((int64_t)n_cpus, budget_of_cpu_ns(n_cpus), &ns))
		return NF_TICK_SKEW_MAX_NS;
	return ns < NF_TICK_SKEW_MAX_NS ? ns : NF_TICK_SKEW_MAX_NS;
}

int64_t nf_tick_skew_patience_ns(int64_t elapsed_ns)
{
	int64_t left = NF_TICK_SKEW_MAX_NS - elapsed_ns;

	return left < 0 ? 0 : left < PATIENCE_NS ? left : PATIENCE_NS;
}

/* What the traveller is told besides ping numbers, which count up from 1. */
#define PING_NEXT UINT64_MAX /* leave this CPU */

struct skew {
	const struct nf_tick_clock *clock;
	const struct nf_topology *topo;
	const struct nf_stop *stop;
	struct nf_tick_skew *out; /* the CPUs in order; offsets filled by the first thread */
	bool *answered;
	size_t n;

	_Alignas(128) _Atomic uint64_t ping;
	_Alignas(128) _Atomic uint64_t pong;
	_Atomic uint64_t answer_tick;

	_Alignas(128) pthread_mutex_t lock;
	pthread_cond_t changed;
	size_t at; /* the traveller waits for pings on out[at]; n: it is gone */
	size_t may; /* the traveller may go to out[may]; n: it must end */
	int rc;
	struct nf_err err;
};

static int bind_one(const struct nf_topology *t, int cpu, struct nf_err *err)
{
	struct nf_cpuset one;
	struct nf_cpuset got;
	int rc;

	nf_cpuset_init(&one);
	nf_cpuset_init(&got);
	rc = nf_cpuset_add(&one, cpu, err);
	if (rc == 0)
		rc = nf_topology_bind_self(t, &one, &got, err);
	nf_cpuset_fini(&one);
	nf_cpuset_fini(&got);
	return rc;
}

/* Answers pings until told to leave. */
static void answer(struct skew *s)
{
	uint64_t last = 0;

	for (;;) {
		uint64_t p = atomic_load_explicit(&s->ping, memory_order_acquire);

		if (p == PING_NEXT)
			return;
		if (p == last)
			continue;
		last = p;
		atomic_store_explicit(&s->answer_tick, nf_tick_start(s->clock),
		                      memory_order_relaxed);
		atomic_store_explicit(&s->pong, p, memory_order_release);
	}
}

static void *traveller(void *arg)
{
	struct skew *s = arg;
	struct nf_err err = { 0 };
	int rc = 0;

	for (size_t k = 1; rc == 0; k++) {
		pthread_mutex_lock(&s->lock);
		while (s->may < k)
			pthread_cond_wait(&s->changed, &s->lock);
		k = s->may;
		pthread_mutex_unlock(&s->lock);
		if (k >= s->n)
			break;
		rc = bind_one(s->topo, s->out[k].cpu, &err);
		pthread_mutex_lock(&s->lock);
		s->at = rc == 0 ? k : s->n;
		if (rc != 0 && s->rc == 0) {
			s->rc = rc;
			s->err = err;
		}
		pthread_cond_broadcast(&s->changed);
		pthread_mutex_unlock(&s->lock);
		if (rc == 0)
			answer(s);
	}
	return NULL;
}

/* One round trip; false: no answer before the deadline. */
static bool round_trip(struct skew *s, uint64_t number, struct nf_instant deadline,
                       uint64_t *ret_t0, uint64_t *ret_t, uint64_t *ret_t1)
{
	uint64_t t0 = nf_tick_end(s->clock);

	atomic_store_explicit(&s->ping, number, memory_order_release);
	for (unsigned spins = 0; atomic_load_explicit(&s->pong, memory_order_acquire) != number;)
		if (++spins % SPINS_PER_CHECK == 0 && nf_now_raw().ns > deadline.ns)
			return false;
	*ret_t1 = nf_tick_start(s->clock);
	*ret_t0 = t0;
	*ret_t = atomic_load_explicit(&s->answer_tick, memory_order_relaxed);
	return true;
}

static bool measure_cpu(struct skew *s, struct nf_tick_skew *ret, int64_t budget_ns,
                        int64_t patience_ns, uint64_t *number)
{
	struct nf_instant start = nf_now_raw();
	struct nf_instant deadline = { .ns = start.ns + patience_ns };
	double best = -1; /* shortest round trip so far, ticks */
	size_t rounds = 0;

	while (rounds < ROUNDS && !nf_stop_signo(s->stop)) {
		uint64_t t0;
		uint64_t t;
		uint64_t t1;
		double trip;

		if (rounds >= ROUNDS_MIN && nf_since_ns(start, nf_now_raw()) > budget_ns)
			break;
		if (!round_trip(s, ++*number, deadline, &t0, &t, &t1))
			break;
		rounds++;
		trip = (double)(int64_t)(t1 - t0);
		if (best >= 0 && trip >= best)
			continue;
		best = trip;
		ret->offset_ticks = ((double)(int64_t)(t - t0) + (double)(int64_t)(t - t1)) / 2;
		/* The answer's own read is part of every trip, at least its shortest time. */
		ret->uncertainty_ticks = (trip - s->clock->read_min_ticks) / 2;
	}
	if (rounds < ROUNDS_MIN)
		return false;
	if (ret->uncertainty_ticks < (double)s->clock->step_ticks)
		ret->uncertainty_ticks = (double)s->clock->step_ticks;
	return true;
}

static void *stayer(void *arg)
{
	struct skew *s = arg;
	int64_t budget = budget_of_cpu_ns(s->n);
	struct nf_instant begin = nf_now_raw();
	int64_t patience = PATIENCE_NS;
	struct nf_err err = { 0 };
	uint64_t number = 0;
	int rc = bind_one(s->topo, s->out[0].cpu, &err);

	for (size_t k = 1; k < s->n && rc == 0 && !nf_stop_signo(s->stop) && patience > 0; k++) {
		bool gone;

		/* 0 is never a ping's number, so the traveller waits for the first of this CPU. */
		atomic_store_explicit(&s->ping, 0, memory_order_release);
		pthread_mutex_lock(&s->lock);
		s->may = k;
		pthread_cond_broadcast(&s->changed);
		while (s->at != k && s->at != s->n)
			pthread_cond_wait(&s->changed, &s->lock);
		gone = s->at == s->n;
		pthread_mutex_unlock(&s->lock);
		if (gone)
			break;
		patience = nf_tick_skew_patience_ns(nf_since_ns(begin, nf_now_raw()));
		s->answered[k] =
		        patience > 0 && measure_cpu(s, &s->out[k], budget, patience, &number);
		atomic_store_explicit(&s->ping, PING_NEXT, memory_order_release);
	}
	pthread_mutex_lock(&s->lock);
	s->may = s->n;
	if (rc != 0 && s->rc == 0) {
		s->rc = rc;
		s->err = err;
	}
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* Runs both threads to their end. */
static int run_pair(struct skew *s, struct nf_err *err)
{
	pthread_t first;
	pthread_t second;
	sigset_t all;
	sigset_t old;
	int rc;

	sigfillset(&all);
	rc = pthread_sigmask(SIG_SETMASK, &all, &old);
	if (rc != 0)
		return nf_fail_os(err, rc, "blocking signals");
	rc = pthread_create(&second, NULL, traveller, s);
	if (rc != 0) {
		rc = nf_fail_os(err, rc, "starting a thread to compare clocks");
		goto out;
	}
	rc = pthread_create(&first, NULL, stayer, s);
	if (rc != 0) {
		rc = nf_fail_os(err, rc, "starting a thread to compare clocks");
		pthread_mutex_lock(&s->lock);
		s->may = s->n;
		pthread_cond_broadcast(&s->changed);
		pthread_mutex_unlock(&s->lock);
	} else {
		pthread_join(first, NULL);
	}
	pthread_join(second, NULL);
	if (rc == 0 && s->rc != 0) {
		rc = s->rc;
		if (err)
			*err = s->err;
	}
out:
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return rc;
}

int nf_tick_skew(const struct nf_tick_clock *c, const struct nf_topology *topo,
                 const struct nf_cpuset *cpus, struct nf_tick_skew *ret, size_t *ret_n,
                 const struct nf_stop *stop, struct nf_err *err)
{
	size_t n = nf_cpuset_count(cpus);
	struct nf_tick_skew *out = NULL;
	struct skew *s = NULL;
	size_t kept = 0;
	int rc;

	if (n == 0 || n > *ret_n)
		return nf_fail(err, NF_EARG, "clock skew of %zu CPUs with room for %zu", n, *ret_n);
	out = calloc(n, sizeof(*out));
	if (!out)
		return nf_fail_nomem(err, "clock skew", n * sizeof(*out));
	s = aligned_alloc(_Alignof(struct skew), sizeof(*s));
	if (!s) {
		free(out);
		return nf_fail_nomem(err, "clock skew", sizeof(*s));
	}
	*s = (struct skew){ .clock = c, .topo = topo, .stop = stop, .out = out, .n = n };
	s->answered = calloc(n, sizeof(*s->answered));
	if (!s->answered) {
		rc = nf_fail_nomem(err, "clock skew", n * sizeof(*s->answered));
		goto out;
	}
	for (int cpu = -1, i = 0; (cpu = nf_cpuset_next(cpus, cpu)) >= 0; i++)
		out[i].cpu = cpu;
	s->answered[0] = true; /* the reference: 0 by definition */
	rc = pthread_mutex_init(&s->lock, NULL);
	if (rc == 0)
		rc = pthread_cond_init(&s->changed, NULL);
	if (rc != 0) {
		rc = nf_fail_os(err, rc, "preparing the comparison of clocks");
		goto out;
	}
	if (n > 1)
		rc = run_pair(s, err);
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
	if (rc != 0)
		goto out;
	for (size_t i = 0; i < n; i++)
		if (s->answered[i])
			ret[kept++] = out[i];
	*ret_n = kept;
out:
	free(s->answered);
	free(s);
	free(out);
	return rc;
}
