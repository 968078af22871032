/* SPDX-License-Identifier: MIT */
#include "measure/fwq_calibrate.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
	SAMPLES = 31, /* the median of so many quanta counts */
	SPIN_NS = 20 * 1000 * 1000, /* busy before timing, so that the CPU is awake */
	LONGEST_NS = 1000 * 1000, /* longer quanta are extrapolated */
	REFINEMENTS = 3,
};
/* 2^56 iterations last years: beyond it something is wrong with the clock. */
#define WORK_MAX (UINT64_C(1) << 56)

struct nf_fwq_room *nf_fwq_room_new(void)
{
	size_t page = 4096;
	size_t bytes = (sizeof(struct nf_fwq_room) + page - 1) / page * page;

	return aligned_alloc(page, bytes);
}

void nf_fwq_room_fill(struct nf_fwq_room *r)
{
	for (size_t i = 0; i < NF_DAXPY_LEN; i++) {
		r->vector[i] = 1.0;
		r->vector[NF_DAXPY_LEN + i] = 0.0;
	}
	memset(r->scratch, 0, sizeof(r->scratch));
}

nf_fwq_loop_fn *nf_fwq_loop_for(const struct nf_tick_clock *clock, enum nf_kernel_id kernel)
{
	const struct nf_kernel *k = &nf_kernels[kernel];

	return clock->source == NF_TICK_MONOTONIC_RAW ? k->loop_monotonic : k->loop_counter;
}

struct job {
	const struct nf_probe_env *env;
	struct nf_fwq_room *room;
	const volatile sig_atomic_t *stop;
	int cpu;
	enum nf_kernel_id kernel;
	uint64_t work;
	int64_t quantum_ns;
	struct nf_fwq_calibration out;
	int rc;
	struct nf_err err;
};

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Median time of a quantum of `work` iterations, in ns. */
static double time_work(const struct job *j, enum nf_kernel_id kernel, uint64_t work)
{
	struct nf_fwq_loop l = { .work = work,
		                 .vector = j->room->vector,
		                 .sample = j->room->scratch,
		                 .n = SAMPLES,
		                 .deadline_tick = UINT64_MAX,
		                 .stop = j->stop };

	nf_fwq_loop_for(j->env->clock, kernel)(&l);
	qsort(j->room->scratch, l.n, sizeof(int64_t), by_value);
	size_t middle = l.n / 2;

	return nf_tick_to_ns(j->env->clock, (double)j->room->scratch[middle]);
}

static bool stopped(const struct job *j)
{
	return nf_stop_signo(j->env->stop) != 0;
}

static void spin(const struct job *j)
{
	struct nf_instant start = nf_now_raw();

	while (nf_since_ns(start, nf_now_raw()) < SPIN_NS && !stopped(j))
		(void)time_work(j, j->kernel, 100);
}

/* Iterations that last `ns` if `work` of them last `t_ns`, 1..WORK_MAX. */
static uint64_t scale(uint64_t work, double t_ns, double ns)
{
	double w = (double)work * ns / (t_ns > 0 ? t_ns : 1);

	return w < 1 ? 1 : w > (double)WORK_MAX ? WORK_MAX : (uint64_t)(w + 0.5);
}

static void calibrate(struct job *j)
{
	double aim_ns = j->quantum_ns < LONGEST_NS ? (double)j->quantum_ns : (double)LONGEST_NS;
	double empty_ns;
	double t_ns = 0;
	uint64_t w = 64;

	spin(j);
	empty_ns = time_work(j, NF_KERNEL_NOP, 0);
	j->out.overhead_ns = empty_ns;
	empty_ns = time_work(j, j->kernel, 0);
	if (j->work != 0)
		aim_ns = LONGEST_NS;
	/* Grow until the time is long enough to scale from, or the given work is reached. */
	for (;;) {
		if (j->work != 0 && w > j->work)
			w = j->work;
		t_ns = time_work(j, j->kernel, w) - empty_ns;
		if (t_ns >= aim_ns / 4 || w == j->work || w >= WORK_MAX || stopped(j))
			break;
		w *= 2;
	}
	for (int i = 0; i < REFINEMENTS && j->work == 0; i++) {
		w = scale(w, t_ns, aim_ns > empty_ns ? aim_ns - empty_ns : 0);
		t_ns = time_work(j, j->kernel, w) - empty_ns;
	}
	j->out.stopped = stopped(j);
	if (t_ns <= 0)
		t_ns = nf_tick_to_ns(j->env->clock, 1);
	j->out.iteration_ns = t_ns / (double)w;
	if (j->work != 0)
		j->out.work = j->work;
	else if (j->quantum_ns > LONGEST_NS)
		j->out.work = scale(w, t_ns, (double)j->quantum_ns - empty_ns);
	else
		j->out.work = w;
	j->out.quantum_ns = j->out.iteration_ns * (double)j->out.work + empty_ns;
}

static void *job_main(void *arg)
{
	struct job *j = arg;
	struct nf_cpuset one;
	struct nf_cpuset got;

	nf_cpuset_init(&one);
	nf_cpuset_init(&got);
	j->rc = nf_cpuset_add(&one, j->cpu, &j->err);
	if (j->rc == 0)
		j->rc = nf_topology_bind_self(j->env->topo, &one, &got, &j->err);
	if (j->rc == 0) {
		nf_fwq_room_fill(j->room);
		calibrate(j);
	}
	nf_cpuset_fini(&one);
	nf_cpuset_fini(&got);
	return NULL;
}

int nf_fwq_calibrate(const struct nf_probe_env *env, int cpu, enum nf_kernel_id kernel,
                     uint64_t work, int64_t quantum_ns, struct nf_fwq_calibration *ret,
                     struct nf_err *err)
{
	static const volatile sig_atomic_t never = 0;
	struct job j = { .env = env,
		         .stop = env->stop ? &env->stop->signo : &never,
		         .cpu = cpu,
		         .kernel = kernel,
		         .work = work,
		         .quantum_ns = quantum_ns };
	pthread_t thread;
	sigset_t all;
	sigset_t old;
	int rc;

	j.room = nf_fwq_room_new();
	if (!j.room)
		return nf_fail_nomem(err, "the calibration", sizeof(*j.room));
	sigfillset(&all);
	rc = pthread_sigmask(SIG_SETMASK, &all, &old);
	if (rc == 0) {
		rc = pthread_create(&thread, NULL, job_main, &j);
		pthread_sigmask(SIG_SETMASK, &old, NULL);
	}
	if (rc != 0) {
		rc = nf_fail_os(err, rc, "starting the calibration");
		goto out;
	}
	pthread_join(thread, NULL);
	rc = j.rc;
	if (rc == 0)
		*ret = j.out;
	else if (err)
		*err = j.err;
out:
	free(j.room);
	return rc;
}
