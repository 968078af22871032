/* SPDX-License-Identifier: MIT */
#include "bench/team.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/clock.h"
#include "noisefloor/region.h"

enum { SPINS = 2000, CPUS_MAX = 1 << 16 };

struct member {
	struct nf_team *team;
	pthread_t thread;
	unsigned index;
	int64_t start_ns, end_ns;
};

struct nf_team {
	const struct nf_bench *bench;
	void *state;
	unsigned threads; /* 1: no member runs */
	unsigned n_started;
	struct member *member; /* owned */
	unsigned arrived; /* atomic: of this iteration, before its start */

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t go;
	pthread_cond_t done;
	uint64_t iteration; /* 0: thread_setup */
	uint64_t n;
	unsigned n_done;
	bool quit;
	int rc;
	struct nf_err err;
};

/* Waits for the others awake, so that all start within the time of a cache line's way; lets them run where
 * there are more threads than CPUs. */
static void meet(struct nf_team *t)
{
	unsigned spins = 0;

	__atomic_add_fetch(&t->arrived, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(&t->arrived, __ATOMIC_ACQUIRE) < t->threads)
		if (++spins % SPINS == 0)
			sched_yield();
}

static int iterate(struct member *m, uint64_t n, struct nf_err *err)
{
	struct nf_team *t = m->team;

	/* An audit's own work comes before the others are met: it is in nobody's time. */
	nf_region_begin(t->bench->name);
	meet(t);
	m->start_ns = nf_now_raw().ns;
	int r = t->bench->run(t->state, m->index, n, err);
	m->end_ns = nf_now_raw().ns;
	nf_region_end(t->bench->name);
	return r;
}

static void *work(void *arg)
{
	struct member *m = arg;
	struct nf_team *t = m->team;
	struct nf_err err = { 0 };
	int r = t->bench->thread_setup ? t->bench->thread_setup(t->state, m->index, &err) : 0;

	pthread_mutex_lock(&t->lock);
	for (uint64_t seen = 0;; seen++) {
		if (r != 0 && t->rc == 0) {
			t->rc = r;
			t->err = err;
		}
		t->n_done++;
		if (r != 0 || t->n_done == t->threads)
			pthread_cond_signal(&t->done);
		while (t->iteration == seen && !t->quit)
			pthread_cond_wait(&t->go, &t->lock);
		if (t->quit)
			break;
		uint64_t n = t->n;

		pthread_mutex_unlock(&t->lock);
		r = iterate(m, n, &err);
		pthread_mutex_lock(&t->lock);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

/* All are done with what was asked, or one has failed. */
static int await(struct nf_team *t, struct nf_err *err)
{
	pthread_mutex_lock(&t->lock);
	while (t->n_done < t->threads && t->rc == 0)
		pthread_cond_wait(&t->done, &t->lock);
	int r = t->rc;
	if (r != 0 && err)
		*err = t->err;
	pthread_mutex_unlock(&t->lock);
	return r;
}

/* The CPU of a member: the mask's, in turn. False: the mask cannot be had. */
static bool pick_cpu(unsigned index, cpu_set_t *mask, size_t bytes, int *ret)
{
	if (sched_getaffinity(0, bytes, mask) < 0)
		return false;
	unsigned n = (unsigned)CPU_COUNT_S(bytes, mask), at = n ? index % n : 0;

	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		if (CPU_ISSET_S((size_t)cpu, bytes, mask) && at-- == 0) {
			*ret = cpu;
			return true;
		}
	return false;
}

static int start_member(struct nf_team *t, unsigned i, cpu_set_t *mask, size_t bytes,
                        struct nf_err *err)
{
	struct member *m = &t->member[i];
	pthread_attr_t attr;
	int cpu;

	*m = (struct member){ .team = t, .index = i };
	if (!pick_cpu(i, mask, bytes, &cpu))
		return nf_fail_os(err, errno, "the CPUs of this process");
	CPU_ZERO_S(bytes, mask);
	CPU_SET_S((size_t)cpu, bytes, mask);
	int e = pthread_attr_init(&attr);
	if (e != 0)
		return nf_fail_os(err, e, "thread %u", i);
	e = pthread_attr_setaffinity_np(&attr, bytes, mask);
	if (e == 0)
		e = pthread_create(&m->thread, &attr, work, m);
	pthread_attr_destroy(&attr);
	if (e != 0)
		return nf_fail_os(err, e, "thread %u on CPU %d", i, cpu);
	t->n_started++;
	return 0;
}

static int start_members(struct nf_team *t, struct nf_err *err)
{
	size_t bytes = CPU_ALLOC_SIZE(CPUS_MAX);
	cpu_set_t *mask = CPU_ALLOC(CPUS_MAX);
	sigset_t all, before;
	int r = 0;

	t->member = calloc(t->threads, sizeof(*t->member));
	if (!t->member || !mask) {
		CPU_FREE(mask);
		return nf_fail_nomem(err, "threads", t->threads * sizeof(*t->member));
	}
	/* Signals are for the first thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	for (unsigned i = 0; r == 0 && i < t->threads; i++)
		r = start_member(t, i, mask, bytes, err);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	CPU_FREE(mask);
	return r ? r : await(t, err);
}

int nf_team_open(const struct nf_bench *bench, unsigned threads, void *state, struct nf_team **ret,
                 struct nf_err *err)
{
	struct nf_team *t = calloc(1, sizeof(*t));

	if (!t)
		return nf_fail_nomem(err, "threads", sizeof(*t));
	t->bench = bench;
	t->state = state;
	t->threads = threads;
	int e = pthread_mutex_init(&t->lock, NULL);
	if (e != 0) {
		free(t);
		return nf_fail_os(err, e, "threads");
	}
	pthread_cond_init(&t->go, NULL); /* cannot fail here without attributes */
	pthread_cond_init(&t->done, NULL);
	int r = threads > 1           ? start_members(t, err)
	        : bench->thread_setup ? bench->thread_setup(state, 0, err)
	                              : 0;
	if (r != 0) {
		nf_team_close(t);
		return r;
	}
	*ret = t;
	return 0;
}

static int run_alone(struct nf_team *t, uint64_t n, int64_t *ret_ns, struct nf_err *err)
{
	nf_region_begin(t->bench->name);
	struct nf_instant from = nf_now_raw();
	int r = t->bench->run(t->state, 0, n, err);
	struct nf_instant to = nf_now_raw();
	nf_region_end(t->bench->name);

	if (r == 0)
		*ret_ns = nf_since_ns(from, to);
	return r;
}

int nf_team_run(void *team, uint64_t n, int64_t *ret_ns, struct nf_err *err)
{
	struct nf_team *t = team;

	if (t->threads == 1)
		return run_alone(t, n, ret_ns, err);
	pthread_mutex_lock(&t->lock);
	__atomic_store_n(&t->arrived, 0, __ATOMIC_RELEASE);
	t->n = n;
	t->n_done = 0;
	t->iteration++;
	pthread_cond_broadcast(&t->go);
	pthread_mutex_unlock(&t->lock);
	int r = await(t, err);
	if (r != 0)
		return r;
	int64_t start_ns = t->member[0].start_ns, end_ns = t->member[0].end_ns;
	for (unsigned i = 1; i < t->threads; i++) {
		if (t->member[i].start_ns < start_ns)
			start_ns = t->member[i].start_ns;
		if (t->member[i].end_ns > end_ns)
			end_ns = t->member[i].end_ns;
	}
	*ret_ns = end_ns - start_ns;
	return 0;
}

void nf_team_close(struct nf_team *t)
{
	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->quit = true;
	pthread_cond_broadcast(&t->go);
	pthread_mutex_unlock(&t->lock);
	for (unsigned i = 0; i < t->n_started; i++)
		pthread_join(t->member[i].thread, NULL);
	pthread_cond_destroy(&t->go);
	pthread_cond_destroy(&t->done);
	pthread_mutex_destroy(&t->lock);
	free(t->member);
	free(t);
}
