/* SPDX-License-Identifier: MIT */
#include "measure/numa_start.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>

#include "base/clock.h"

enum { STACK_BYTES = 256 * 1024 };

struct starter {
	const struct nf_topology *topo;
	sem_t *ready;
	int cpu;
	pthread_t id;
	int rc;
	struct nf_err err;
};

static void *starter_main(void *arg)
{
	struct starter *s = arg;
	struct nf_cpuset one, got;

	nf_cpuset_init(&one);
	nf_cpuset_init(&got);
	s->rc = nf_cpuset_add(&one, s->cpu, &s->err);
	if (s->rc == 0)
		s->rc = nf_topology_bind_self(s->topo, &one, &got, &s->err);
	sem_post(s->ready);
	nf_cpuset_fini(&one);
	nf_cpuset_fini(&got);
	return NULL;
}

static int start_all(struct starter *s, size_t n, const pthread_attr_t *attr, int64_t *ret_ns,
                     struct nf_err *err)
{
	size_t started = 0;
	int rc = 0;
	int64_t t0 = nf_now_raw().ns;

	for (; started < n && rc == 0; started += rc == 0)
		rc = pthread_create(&s[started].id, attr, starter_main, &s[started]);
	for (size_t i = 0; i < started; i++)
		while (sem_wait(s->ready) != 0)
			; /* interrupted by a handler */

	int64_t t1 = nf_now_raw().ns;

	for (size_t i = 0; i < started; i++)
		pthread_join(s[i].id, NULL);
	if (rc != 0)
		return nf_fail_os(err, rc, "starting thread %zu of %zu", started + 1, n);
	for (size_t i = 0; i < n; i++)
		if (s[i].rc < 0) {
			if (err)
				*err = s[i].err;
			return s[i].rc;
		}
	*ret_ns = t1 - t0;
	return 0;
}

int nf_numa_start_threads(const struct nf_topology *topo, const int *cpu, size_t n, int64_t *ret_ns,
                          struct nf_err *err)
{
	struct starter *s = calloc(n, sizeof(*s));
	pthread_attr_t attr;
	sigset_t all, old;
	sem_t ready;
	int rc;

	if (!s)
		return nf_fail_nomem(err, "threads to start", n * sizeof(*s));
	rc = pthread_attr_init(&attr);
	if (rc != 0) {
		free(s);
		return nf_fail_os(err, rc, "preparing threads");
	}
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	sem_init(&ready, 0, 0);
	for (size_t i = 0; i < n; i++)
		s[i] = (struct starter){ .topo = topo, .ready = &ready, .cpu = cpu[i] };
	/* Signal handlers are for the program's own threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = start_all(s, n, &attr, ret_ns, err);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	sem_destroy(&ready);
	pthread_attr_destroy(&attr);
	free(s);
	return rc;
}
