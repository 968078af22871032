/* SPDX-License-Identifier: MIT */
#include "bench/sched_calibration.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

enum { LINE_BYTES = 64, BATCHES = 40, CPUS_MAX = 65536 };

/* Two threads; each waits for its own word to be 1, takes it, and sets the other's. */
struct pair {
	struct {
		_Alignas(LINE_BYTES) uint32_t is;
	} word[2];
	_Alignas(LINE_BYTES) bool sleeps; /* by futex, or else spin */
	unsigned trips; /* of a batch */
	int cpu[2];
	double batch_ns[BATCHES]; /* of one round trip */
};

static void hand_over(struct pair *p, unsigned to)
{
	__atomic_store_n(&p->word[to].is, 1, __ATOMIC_RELEASE);
	if (p->sleeps)
		(void)syscall(SYS_futex, &p->word[to].is, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void await(struct pair *p, unsigned of)
{
	uint32_t *mine = &p->word[of].is;

	while (__atomic_load_n(mine, __ATOMIC_ACQUIRE) == 0)
		if (p->sleeps)
			(void)syscall(SYS_futex, mine, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	__atomic_store_n(mine, 0, __ATOMIC_RELAXED);
}

static void *far_end(void *arg)
{
	struct pair *p = arg;

	for (unsigned i = 0; i < BATCHES * p->trips; i++) {
		await(p, 1);
		hand_over(p, 0);
	}
	return NULL;
}

static void *near_end(void *arg)
{
	struct pair *p = arg;

	for (unsigned b = 0; b < BATCHES; b++) {
		struct nf_instant from = nf_now_raw();

		for (unsigned i = 0; i < p->trips; i++) {
			hand_over(p, 1);
			await(p, 0);
		}
		p->batch_ns[b] = (double)nf_since_ns(from, nf_now_raw()) / p->trips;
	}
	return NULL;
}

static int start_on(int cpu, void *(*fn)(void *), struct pair *p, pthread_t *ret,
                    struct nf_err *err)
{
	size_t bytes = CPU_ALLOC_SIZE(CPUS_MAX);
	cpu_set_t *mask = CPU_ALLOC(CPUS_MAX);
	pthread_attr_t attr;

	if (!mask)
		return nf_fail_nomem(err, "a set of CPUs", bytes);
	CPU_ZERO_S(bytes, mask);
	CPU_SET_S((size_t)cpu, bytes, mask);
	int e = pthread_attr_init(&attr);
	if (e == 0) {
		e = pthread_attr_setaffinity_np(&attr, bytes, mask);
		if (e == 0)
			e = pthread_create(ret, &attr, fn, p);
		pthread_attr_destroy(&attr);
	}
	CPU_FREE(mask);
	return e ? nf_fail_os(err, e, "a thread on CPU %d", cpu) : 0;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int measure(const int cpu[2], bool sleeps, unsigned trips, struct nf_sched_cost *ret,
                   struct nf_err *err)
{
	struct pair *p = aligned_alloc(LINE_BYTES, sizeof(*p));
	pthread_t far, near;

	if (!p)
		return nf_fail_nomem(err, "a calibration", sizeof(*p));
	*p = (struct pair){ .sleeps = sleeps, .trips = trips };
	int r = start_on(cpu[0], near_end, p, &near, err);
	if (r == 0) {
		r = start_on(cpu[1], far_end, p, &far, err);
		if (r < 0) /* so that the near end ends */
			(void)far_end(p);
		else
			pthread_join(far, NULL);
		pthread_join(near, NULL);
	}
	if (r == 0) {
		double share = sleeps ? 0.5 : 1;

		qsort(p->batch_ns, BATCHES, sizeof(*p->batch_ns), by_size);
		*ret = (struct nf_sched_cost){ true, share * p->batch_ns[BATCHES / 10],
			                       share * p->batch_ns[BATCHES - 1 - BATCHES / 10] };
	}
	free(p);
	return r;
}

static int find_cpus(struct nf_sched_calibration *c, struct nf_err *err)
{
	size_t bytes = CPU_ALLOC_SIZE(CPUS_MAX);
	cpu_set_t *mask = CPU_ALLOC(CPUS_MAX);

	if (!mask)
		return nf_fail_nomem(err, "a set of CPUs", bytes);
	CPU_ZERO_S(bytes, mask);
	int e = sched_getaffinity(0, bytes, mask) < 0 ? errno : 0;
	for (int cpu = 0; e == 0 && cpu < CPUS_MAX; cpu++)
		if (CPU_ISSET_S((size_t)cpu, bytes, mask)) {
			if (c->cpus < 2)
				c->cpu[c->cpus] = cpu;
			c->cpus++;
		}
	CPU_FREE(mask);
	return e ? nf_fail_os(err, e, "the CPUs of this process") : 0;
}

int nf_sched_calibrate(struct nf_sched_calibration *ret, struct nf_err *err)
{
	struct nf_sched_calibration c = { .cpu = { -1, -1 } };
	sigset_t all, before;
	int r = find_cpus(&c, err);

	if (r < 0)
		return r;
	int cpu[2] = { c.cpu[0], c.cpus > 1 ? c.cpu[1] : c.cpu[0] };
	/* Signals are for the first thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	if (c.cpus > 1)
		r = measure(cpu, false, 400, &c.line, err);
	if (r == 0)
		r = measure(cpu, true, 10, &c.wake, err);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (r == 0)
		*ret = c;
	return r;
}
