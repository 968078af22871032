/* SPDX-License-Identifier: MIT */
#include "measure/probe_threads.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
	PROGRESS_EVERY_NS = 250 * 1000 * 1000,
	WARMUP_SLICE_NS = 20 * 1000 * 1000, /* how late a stop request may be seen */
};

enum phase { PREPARE, WARM, MEASURE, END, ABORT };

struct nf_crew_gate {
	_Atomic int phase; /* written under the lock */
};

struct crew {
	const struct nf_crew_cfg *cfg;
	struct nf_crew_gate gate;
	pthread_mutex_t lock;
	pthread_cond_t phase_changed;
	pthread_cond_t progressed;
	size_t n_ready; /* prepared, or failed */
	size_t n_done;
	int rc; /* first failure of a thread */
	struct nf_err err;
};

struct crew_thread {
	struct crew *crew;
	struct nf_crew_member *member;
	size_t index;
	pthread_t id;
	struct nf_cpuset got; /* owned */
	int cpu_got;
};

bool nf_crew_warm(const struct nf_crew_gate *g)
{
	return atomic_load_explicit(&g->phase, memory_order_acquire) == WARM;
}

static void set_phase(struct crew *c, enum phase p)
{
	pthread_mutex_lock(&c->lock);
	atomic_store_explicit(&c->gate.phase, p, memory_order_release);
	pthread_cond_broadcast(&c->phase_changed);
	pthread_mutex_unlock(&c->lock);
}

/* Sleeps while the phase is `p`; returns the next one. */
static enum phase wait_while(struct crew *c, enum phase p)
{
	enum phase now;

	pthread_mutex_lock(&c->lock);
	while ((now = (enum phase)atomic_load(&c->gate.phase)) == p)
		pthread_cond_wait(&c->phase_changed, &c->lock);
	pthread_mutex_unlock(&c->lock);
	return now;
}

/* Writes the part of the stack that measuring will use, and locks it if the limits let it. Returns
 * where, for munlock; 0: not locked. */
static __attribute__((noinline)) uintptr_t touch_stack(void)
{
	volatile unsigned char room[NF_CREW_STACK_TOUCHED_BYTES];
	uintptr_t at = (uintptr_t)room;

	for (size_t i = 0; i < sizeof(room); i += 1024)
		room[i] = 1;
	return mlock((const void *)at, sizeof(room)) == 0 ? at : 0;
}

static int bind_and_set(struct crew_thread *t, struct nf_err *err)
{
	const struct nf_crew_cfg *cfg = t->crew->cfg;
	struct nf_cpuset one;
	int rc;

	nf_cpuset_init(&one);
	rc = nf_cpuset_add(&one, t->member->cpu, err);
	if (rc == 0)
		rc = nf_topology_bind_self(cfg->env->topo, &one, &t->got, err);
	nf_cpuset_fini(&one);
	if (rc != 0)
		return rc;
	t->cpu_got = nf_cpuset_next(&t->got, -1);
	return nf_policy_set_self(&cfg->sched, err);
}

static uint64_t grown(long before, long after)
{
	return after > before ? (uint64_t)(after - before) : 0;
}

/* Counts a thread as ready or done and keeps the first failure. */
static void count_in(struct crew *c, size_t *count, int rc, const struct nf_err *err)
{
	pthread_mutex_lock(&c->lock);
	++*count;
	if (rc != 0 && c->rc == 0) {
		c->rc = rc;
		c->err = *err;
	}
	pthread_cond_signal(&c->progressed);
	pthread_mutex_unlock(&c->lock);
}

static void *thread_main(void *arg)
{
	struct crew_thread *t = arg;
	struct crew *c = t->crew;
	const struct nf_crew_ops *ops = c->cfg->ops;
	uintptr_t stack = touch_stack();
	struct nf_err err = { 0 };
	struct rusage before;
	struct rusage after;
	enum phase now;
	int rc = bind_and_set(t, &err);

	t->member->tid = gettid();

	if (rc == 0 && ops->prepare)
		rc = ops->prepare(c->cfg->ctx, t->index, &err);
	count_in(c, &c->n_ready, rc, &err);
	now = wait_while(c, PREPARE);
	if (now == WARM && ops->warm)
		ops->warm(c->cfg->ctx, t->index, &c->gate);
	if (now == WARM)
		now = wait_while(c, WARM);
	if (now == MEASURE) {
		int before_errno = getrusage(RUSAGE_THREAD, &before) == 0 ? 0 : errno;
		int after_errno;

		ops->measure(c->cfg->ctx, t->index);
		after_errno = getrusage(RUSAGE_THREAD, &after) == 0 ? 0 : errno;
		if (before_errno == 0 && after_errno == 0) {
			t->member->minor_faults = grown(before.ru_minflt, after.ru_minflt);
			t->member->major_faults = grown(before.ru_majflt, after.ru_majflt);
			t->member->voluntary_switches = grown(before.ru_nvcsw, after.ru_nvcsw);
			t->member->involuntary_switches = grown(before.ru_nivcsw, after.ru_nivcsw);
		} else {
			rc = nf_fail_os(&err, before_errno ? before_errno : after_errno,
			                "counting the page faults of a thread");
		}
		count_in(c, &c->n_done, rc, &err);
		wait_while(c, MEASURE);
	}
	if (stack)
		munlock((const void *)stack, NF_CREW_STACK_TOUCHED_BYTES);
	return NULL;
}

/* Sleeps until `ns` have passed since `from` or a stop is asked for. */
static void sleep_until(const struct nf_stop *stop, struct nf_instant from, int64_t ns)
{
	int64_t left;

	while (!nf_stop_signo(stop) && (left = ns - nf_since_ns(from, nf_now_raw())) > 0) {
		struct timespec ts = { .tv_nsec = left < WARMUP_SLICE_NS ? left : WARMUP_SLICE_NS };

		clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
	}
}

static struct timespec soon(void)
{
	int64_t ns = nf_now_monotonic().ns + PROGRESS_EVERY_NS;

	return (struct timespec){ .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
}

static bool wants_progress(const struct nf_crew_cfg *cfg)
{
	return cfg->env->progress && cfg->expected_ns > 0;
}

/* Sleeps until every thread has measured; wakes up only to report progress, if that is wanted and
 * disturbs nobody. */
static void wait_done(struct crew *c, size_t n)
{
	const struct nf_crew_cfg *cfg = c->cfg;
	const struct nf_probe_env *env = cfg->env;
	struct nf_instant start = nf_now_raw();
	bool report = wants_progress(cfg) && nf_controller_has_room(env, cfg->measured);

	pthread_mutex_lock(&c->lock);
	while (c->n_done < n) {
		struct timespec until = soon();
		double f;

		if (!report) {
			pthread_cond_wait(&c->progressed, &c->lock);
			continue;
		}
		if (pthread_cond_timedwait(&c->progressed, &c->lock, &until) != ETIMEDOUT)
			continue;
		pthread_mutex_unlock(&c->lock);
		f = (double)nf_since_ns(start, nf_now_raw()) / (double)cfg->expected_ns;
		env->progress(env->progress_ctx, f < 1.0 ? f : 1.0);
		pthread_mutex_lock(&c->lock);
	}
	pthread_mutex_unlock(&c->lock);
}

static int crew_init(struct crew *c, const struct nf_crew_cfg *cfg, struct nf_err *err)
{
	pthread_condattr_t attr;
	int rc;

	*c = (struct crew){ .cfg = cfg };
	rc = pthread_condattr_init(&attr);
	if (rc != 0)
		return nf_fail_os(err, rc, "preparing a condition variable");
	rc = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	if (rc == 0)
		rc = pthread_mutex_init(&c->lock, NULL);
	if (rc == 0)
		rc = pthread_cond_init(&c->phase_changed, NULL);
	if (rc == 0)
		rc = pthread_cond_init(&c->progressed, &attr);
	pthread_condattr_destroy(&attr);
	return rc == 0 ? 0 : nf_fail_os(err, rc, "preparing the start of the threads");
}

/* Starts threads until one fails; *ret_started counts those that run, also on failure. All signals
 * stay blocked in them, so that a handler runs elsewhere. */
static int start_threads(struct crew *c, struct crew_thread *t, size_t n, size_t *ret_started,
                         struct nf_err *err)
{
	pthread_attr_t attr;
	sigset_t all;
	sigset_t old;
	int rc = pthread_attr_init(&attr);

	if (rc != 0)
		return nf_fail_os(err, rc, "preparing threads");
	rc = pthread_attr_setstacksize(&attr, NF_CREW_STACK_BYTES);
	sigfillset(&all);
	if (rc == 0)
		rc = pthread_sigmask(SIG_SETMASK, &all, &old);
	if (rc != 0) {
		pthread_attr_destroy(&attr);
		return nf_fail_os(err, rc, "preparing threads");
	}
	for (size_t i = 0; i < n; i++) {
		rc = pthread_create(&t[i].id, &attr, thread_main, &t[i]);
		if (rc != 0) {
			rc = nf_fail_os(err, rc, "starting measuring thread %zu of %zu", i + 1, n);
			break;
		}
		*ret_started = i + 1;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	(void)c;
	return rc;
}

static int thread_failure(struct crew *c, struct nf_err *err)
{
	int rc;

	pthread_mutex_lock(&c->lock);
	rc = c->rc;
	if (rc != 0 && err)
		*err = c->err;
	pthread_mutex_unlock(&c->lock);
	return rc;
}

/* From all threads prepared to all of them done. */
static int conduct(struct crew *c, size_t n, int64_t *ret_warmup_ns, struct nf_bracket_diff *ret,
                   struct nf_err *err)
{
	const struct nf_crew_cfg *cfg = c->cfg;
	struct nf_instant start = nf_now_raw();
	struct nf_bracket *bracket = NULL;
	bool ends_only = wants_progress(cfg) && !nf_controller_has_room(cfg->env, cfg->measured);
	int rc;

	if (ends_only)
		cfg->env->progress(cfg->env->progress_ctx, 0);
	if (cfg->warmup_ns > 0) {
		set_phase(c, WARM);
		sleep_until(cfg->env->stop, start, cfg->warmup_ns);
	}
	rc = nf_bracket_open(cfg->env->root, cfg->measured, &bracket, err);
	if (rc != 0)
		return rc;
	if (cfg->warmup_ns > 0)
		*ret_warmup_ns = nf_since_ns(start, nf_now_raw());
	set_phase(c, MEASURE);
	wait_done(c, n);
	rc = thread_failure(c, err);
	if (rc == 0)
		rc = nf_bracket_close(bracket, ret, err);
	if (ends_only)
		cfg->env->progress(cfg->env->progress_ctx, 1);
	nf_bracket_free(bracket);
	return rc;
}

static int gather(struct crew_thread *t, size_t n, struct nf_cpuset *got, uint64_t *ret_faults,
                  struct nf_err *err)
{
	*ret_faults = 0;
	for (size_t i = 0; i < n; i++) {
		for (int cpu = -1; (cpu = nf_cpuset_next(&t[i].got, cpu)) >= 0;) {
			int rc = nf_cpuset_add(got, cpu, err);

			if (rc != 0)
				return rc;
		}
		*ret_faults += t[i].member->minor_faults + t[i].member->major_faults;
	}
	return 0;
}

int nf_crew_run(const struct nf_crew_cfg *cfg, struct nf_crew_member *member, size_t n,
                struct nf_probe_run *run, struct nf_err *err)
{
	struct crew_thread *t = calloc(n, sizeof(*t));
	struct nf_bracket_diff diff = { 0 };
	struct nf_cpuset got;
	struct crew c;
	uint64_t faults = 0;
	int64_t warmup_ns = 0;
	size_t started = 0;
	int *tids = NULL;
	int rc;

	if (!t)
		return nf_fail_nomem(err, "the threads", n * sizeof(*t));
	rc = crew_init(&c, cfg, err);
	if (rc != 0) {
		free(t);
		return rc;
	}
	nf_cpuset_init(&got);
	for (size_t i = 0; i < n; i++) {
		t[i] = (struct crew_thread){ .crew = &c, .member = &member[i], .index = i };
		nf_cpuset_init(&t[i].got);
	}
	rc = start_threads(&c, t, n, &started, err);
	pthread_mutex_lock(&c.lock);
	while (c.n_ready < started)
		pthread_cond_wait(&c.progressed, &c.lock);
	pthread_mutex_unlock(&c.lock);
	if (rc == 0)
		rc = thread_failure(&c, err);
	if (rc == 0)
		rc = conduct(&c, n, &warmup_ns, &diff, err);
	set_phase(&c, rc == 0 ? END : ABORT);
	for (size_t i = 0; i < started; i++)
		pthread_join(t[i].id, NULL);
	if (rc == 0)
		rc = gather(t, n, &got, &faults, err);
	if (rc != 0)
		goto out;

	tids = calloc(n, sizeof(*tids));
	if (!tids) {
		rc = nf_fail_nomem(err, "the threads' ids", n * sizeof(*tids));
		goto out;
	}
	for (size_t i = 0; i < n; i++) {
		member[i].cpu = t[i].cpu_got;
		tids[i] = member[i].tid;
	}
	free(run->tids);
	run->tids = tids;
	run->n_tids = n;
	nf_cpuset_fini(&run->cpus_got);
	run->cpus_got = got;
	nf_cpuset_init(&got);
	nf_bracket_diff_fini(&run->bracket);
	run->bracket = diff;
	diff = (struct nf_bracket_diff){ 0 };
	run->policy = cfg->sched.policy;
	run->priority = cfg->sched.priority;
	run->warmup_ns = warmup_ns;
	run->faults_inside = faults;
	run->stopped_by = nf_stop_signo(cfg->env->stop);
out:
	nf_bracket_diff_fini(&diff);
	nf_cpuset_fini(&got);
	for (size_t i = 0; i < n; i++)
		nf_cpuset_fini(&t[i].got);
	pthread_cond_destroy(&c.progressed);
	pthread_cond_destroy(&c.phase_changed);
	pthread_mutex_destroy(&c.lock);
	free(t);
	return rc;
}
