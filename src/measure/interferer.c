/* SPDX-License-Identifier: MIT */
#include "measure/interferer.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"

#define NS_PER_S INT64_C(1000000000)
#define MAX_AHEAD_NS INT64_C(3600000000000)

enum { STACK_BYTES = 256 * 1024 };

struct tone {
	struct nf_interferer_tone is;
	uint64_t length_ticks;
	uint64_t k; /* next burst */
	int64_t next_ns; /* and when it is due */
};

struct nf_interferer {
	const struct nf_topology *topo; /* until ready */
	const struct nf_tick_clock *clock;
	int cpu;
	int64_t origin_ns;
	int64_t jitter_ns;
	uint64_t seed;
	struct tone tone[NF_INTERFERER_TONES];
	size_t n_tones;
	struct nf_sched sched; /* asked for, then in force */
	bool policy_given;
	char note[240];
	struct nf_interferer_log log;
	pthread_t thread;
	pid_t tid;

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	bool ready;
	bool stop;
	int rc; /* of the set-up */
	struct nf_err err;
};

/* --- the schedule --- */

static int64_t due_ns(const struct nf_interferer *it, size_t i, uint64_t k)
{
	const struct nf_interferer_tone *t = &it->tone[i].is;
	int64_t at = it->origin_ns + t->phase_ns + (int64_t)k * t->period_ns;
	struct nf_rng r;

	if (it->jitter_ns == 0)
		return at;
	/* Seeded anew for each, so that a burst that is skipped changes no other. */
	nf_rng_seed(&r, it->seed ^ ((uint64_t)(i + 1) << 56) ^ k);
	return at + (int64_t)nf_rng_below(&r, (uint64_t)it->jitter_ns + 1);
}

static void set_next(struct nf_interferer *it, size_t i, uint64_t k)
{
	it->tone[i].k = k;
	it->tone[i].next_ns = due_ns(it, i, k);
}

/* The first burst of each tone that is not due before now. */
static void set_first(struct nf_interferer *it, int64_t now_ns)
{
	for (size_t i = 0; i < it->n_tones; i++) {
		const struct nf_interferer_tone *t = &it->tone[i].is;
		int64_t passed = now_ns - it->origin_ns - t->phase_ns;

		set_next(it, i, passed > 0 ? (uint64_t)(passed / t->period_ns) : 0);
		if (it->tone[i].next_ns < now_ns)
			set_next(it, i, it->tone[i].k + 1);
	}
}

/* Of bursts that are due together the lower tone goes first. */
static size_t earliest(const struct nf_interferer *it)
{
	size_t best = 0;

	for (size_t i = 1; i < it->n_tones; i++)
		if (it->tone[i].next_ns < it->tone[best].next_ns)
			best = i;
	return best;
}

/* --- the thread --- */

/* Sleeps until t_ns. False: stop asked for. */
static bool wait_until(struct nf_interferer *it, int64_t t_ns)
{
	const struct timespec ts = { .tv_sec = t_ns / NS_PER_S, .tv_nsec = t_ns % NS_PER_S };
	bool stop;

	/* The timer of clock_nanosleep, but stop need not wait for it. */
	pthread_mutex_lock(&it->lock);
	while (!it->stop && pthread_cond_timedwait(&it->changed, &it->lock, &ts) == 0)
		;
	stop = it->stop;
	pthread_mutex_unlock(&it->lock);
	return !stop;
}

static void burst(struct nf_interferer *it, size_t i, bool late)
{
	const struct tone *t = &it->tone[i];
	uint64_t begin = nf_tick_start(it->clock);
	uint64_t end;

	do {
		end = nf_tick_end(it->clock);
	} while (end - begin < t->length_ticks);
	it->log.n_late += late;
	if (it->log.n == it->log.cap) {
		it->log.n_dropped++;
		return;
	}
	it->log.burst[it->log.n++] = (struct nf_interferer_burst){
		.begin_tick = begin,
		.end_tick = end,
		.scheduled_ns = t->next_ns,
		.k = t->k,
		.tone = (uint32_t)i,
		.late = late,
	};
}

static void interfere(struct nf_interferer *it)
{
	for (;;) {
		size_t i = earliest(it);
		int64_t now = nf_now_monotonic().ns;
		bool late = now > it->tone[i].next_ns;

		while (late && due_ns(it, i, it->tone[i].k + 1) <= now) {
			it->log.n_skipped++;
			set_next(it, i, it->tone[i].k + 1);
		}
		if (!wait_until(it, it->tone[i].next_ns))
			return;
		burst(it, i, late);
		set_next(it, i, it->tone[i].k + 1);
	}
}

/* FIFO 50, FIFO as the limit allows, other. */
static int set_best_policy(struct nf_interferer *it, struct nf_err *err)
{
	struct nf_sched s = { .policy = NF_POLICY_FIFO, .priority = NF_INTERFERER_PRIORITY };
	struct rlimit limit = { 0 };
	struct nf_err why;
	int rc = nf_policy_set_self(&s, &why);

	if (rc == -NF_EUNSUPPORTED && getrlimit(RLIMIT_RTPRIO, &limit) == 0 && limit.rlim_cur > 0 &&
	    limit.rlim_cur < NF_INTERFERER_PRIORITY) {
		s.priority = (int)limit.rlim_cur;
		rc = nf_policy_set_self(&s, &why);
		if (rc == 0)
			snprintf(it->note, sizeof(it->note),
			         "the interferer runs under fifo %d, not %d: the rtprio limit; "
			         "threads of a higher priority delay its bursts",
			         s.priority, NF_INTERFERER_PRIORITY);
	}
	if (rc == -NF_EUNSUPPORTED) {
		s = (struct nf_sched){ .policy = NF_POLICY_OTHER };
		rc = nf_policy_set_self(&s, &why);
		if (rc == 0)
			snprintf(it->note, sizeof(it->note),
			         "the interferer runs under policy other, as fifo is not permitted "
			         "(CAP_SYS_NICE or ulimit -r would): the scheduler may delay a "
			         "burst or break it up");
	}
	if (rc == 0)
		it->sched = s;
	else if (err)
		*err = why;
	return rc;
}

static int set_policy(struct nf_interferer *it, struct nf_err *err)
{
	int rc;

	if (!it->policy_given)
		return set_best_policy(it, err);
	rc = nf_policy_set_self(&it->sched, err);
	if (rc == 0 && it->sched.policy == NF_POLICY_OTHER)
		snprintf(it->note, sizeof(it->note),
		         "the interferer runs under policy other: the scheduler may delay a burst "
		         "or "
		         "break it up");
	return rc;
}

static int set_up(struct nf_interferer *it, struct nf_err *err)
{
	struct nf_cpuset one;
	struct nf_cpuset got;
	int rc;

	nf_cpuset_init(&one);
	nf_cpuset_init(&got);
	rc = nf_cpuset_add(&one, it->cpu, err);
	if (rc == 0)
		rc = nf_topology_bind_self(it->topo, &one, &got, err);
	nf_cpuset_fini(&one);
	nf_cpuset_fini(&got);
	if (rc != 0)
		return rc;
	rc = pthread_setname_np(pthread_self(), NF_INTERFERER_THREAD_NAME);
	if (rc != 0)
		return nf_fail_os(err, rc, "naming the interferer's thread");
	if (prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL) != 0)
		return nf_fail_os(err, errno, "setting the interferer's timer slack");
	it->tid = gettid();
	rc = set_policy(it, err);
	if (rc != 0)
		return rc;
	/* Once through the clock and the log's first page. */
	nf_tick_start(it->clock);
	nf_tick_end(it->clock);
	set_first(it, nf_now_monotonic().ns);
	return 0;
}

static void *thread_main(void *arg)
{
	struct nf_interferer *it = arg;
	struct nf_err err = { 0 };
	int rc = set_up(it, &err);

	pthread_mutex_lock(&it->lock);
	it->ready = true;
	it->rc = rc;
	it->err = err;
	pthread_cond_signal(&it->changed);
	pthread_mutex_unlock(&it->lock);
	if (rc == 0)
		interfere(it);
	return NULL;
}

/* --- start and stop --- */

static int check_tone(const struct nf_interferer_cfg *c, size_t i, struct nf_err *err)
{
	const struct nf_interferer_tone *t = &c->tone[i];

	if (t->period_ns < NF_INTERFERER_MIN_PERIOD_NS ||
	    t->period_ns > NF_INTERFERER_MAX_PERIOD_NS)
		return nf_fail(err, NF_EARG, "tone %zu: period of %lld ns: the range is 20us to 1h",
		               i, (long long)t->period_ns);
	if (t->length_ns < 1 || t->length_ns > t->period_ns)
		return nf_fail(err, NF_EARG,
		               "tone %zu: bursts of %lld ns: at least 1 ns and no more than the "
		               "period of %lld ns",
		               i, (long long)t->length_ns, (long long)t->period_ns);
	if (t->phase_ns < 0 || t->phase_ns >= t->period_ns)
		return nf_fail(err, NF_EARG,
		               "tone %zu: phase of %lld ns: from 0 to less than the period of %lld "
		               "ns",
		               i, (long long)t->phase_ns, (long long)t->period_ns);
	if (c->jitter_ns < 0 || c->jitter_ns > t->period_ns - t->length_ns)
		return nf_fail(
		        err, NF_EARG,
		        "tone %zu: jitter of %lld ns: from 0 to period less length (%lld ns)", i,
		        (long long)c->jitter_ns, (long long)(t->period_ns - t->length_ns));
	return 0;
}

int nf_interferer_check(const struct nf_interferer_cfg *c, struct nf_err *err)
{
	double share = 0;

	if (c->n_tones < 1 || c->n_tones > NF_INTERFERER_TONES)
		return nf_fail(err, NF_EARG, "%zu tones: 1 to %d", c->n_tones, NF_INTERFERER_TONES);
	for (size_t i = 0; i < c->n_tones; i++) {
		int rc = check_tone(c, i, err);

		if (rc != 0)
			return rc;
		share += (double)c->tone[i].length_ns / (double)c->tone[i].period_ns;
	}
	if (share > NF_INTERFERER_MAX_SHARE)
		return nf_fail(err, NF_EARG,
		               "the bursts would take %.1f %% of the CPU: at most %.0f %%",
		               100 * share, 100 * NF_INTERFERER_MAX_SHARE);
	if (c->max_bursts < 1 || c->max_bursts > NF_INTERFERER_BURSTS)
		return nf_fail(err, NF_EARG, "room for %zu bursts: 1 to %d", c->max_bursts,
		               NF_INTERFERER_BURSTS);
	if (c->origin_ns < 1 || c->origin_ns > nf_now_monotonic().ns + MAX_AHEAD_NS)
		return nf_fail(err, NF_EARG,
		               "origin at %lld ns: CLOCK_MONOTONIC, no more than an hour ahead",
		               (long long)c->origin_ns);
	if (!c->policy_given)
		return 0;
	if (c->policy == NF_POLICY_DEADLINE)
		return nf_fail(err, NF_EARG,
		               "policy deadline would cut bursts short; other, fifo and rr do not");
	return nf_policy_check(c->policy, c->priority, err);
}

static int make_log(struct nf_interferer_log *ret, size_t cap, struct nf_err *err)
{
	size_t bytes = cap * sizeof(*ret->burst);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile unsigned char *p =
	        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return errno == ENOMEM ? nf_fail_nomem(err, "the log of bursts", bytes)
		                       : nf_fail_os(err, errno, "mmap for the log of bursts");
	for (size_t i = 0; i < bytes; i += page)
		p[i] = 0;
	*ret = (struct nf_interferer_log){ .burst = (void *)(uintptr_t)p, .cap = cap };
	ret->locked = mlock(ret->burst, bytes) == 0;
	return 0;
}

void nf_interferer_log_fini(struct nf_interferer_log *log)
{
	if (log->burst)
		munmap(log->burst, log->cap * sizeof(*log->burst)); /* unlocks too */
	*log = (struct nf_interferer_log){ 0 };
}

static int start_thread(struct nf_interferer *it, struct nf_err *err)
{
	pthread_attr_t attr;
	sigset_t all;
	sigset_t old;
	int rc = pthread_attr_init(&attr);

	if (rc != 0)
		return nf_fail_os(err, rc, "preparing the interferer's thread");
	rc = pthread_attr_setstacksize(&attr, STACK_BYTES);
	sigfillset(&all);
	if (rc == 0)
		rc = pthread_sigmask(SIG_SETMASK, &all, &old);
	if (rc == 0) {
		rc = pthread_create(&it->thread, &attr, thread_main, it);
		pthread_sigmask(SIG_SETMASK, &old, NULL);
	}
	pthread_attr_destroy(&attr);
	return rc == 0 ? 0 : nf_fail_os(err, rc, "starting the interferer's thread");
}

static void interferer_free(struct nf_interferer *it)
{
	pthread_cond_destroy(&it->changed);
	pthread_mutex_destroy(&it->lock);
	nf_interferer_log_fini(&it->log);
	free(it);
}

/* 0 or the error's number. */
static int init_locks(struct nf_interferer *it)
{
	pthread_condattr_t attr;
	int rc = pthread_condattr_init(&attr);

	if (rc != 0)
		return rc;
	rc = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	if (rc == 0)
		rc = pthread_mutex_init(&it->lock, NULL);
	if (rc == 0) {
		rc = pthread_cond_init(&it->changed, &attr);
		if (rc != 0)
			pthread_mutex_destroy(&it->lock);
	}
	pthread_condattr_destroy(&attr);
	return rc;
}

static int interferer_new(const struct nf_interferer_cfg *c, struct nf_interferer **ret,
                          struct nf_err *err)
{
	struct nf_interferer *it = calloc(1, sizeof(*it));
	int rc;

	if (!it)
		return nf_fail_nomem(err, "the interferer", sizeof(*it));
	it->topo = c->topo;
	it->clock = c->clock;
	it->cpu = c->cpu;
	it->origin_ns = c->origin_ns;
	it->jitter_ns = c->jitter_ns;
	it->seed = c->seed;
	it->n_tones = c->n_tones;
	it->policy_given = c->policy_given;
	it->sched = (struct nf_sched){ .policy = c->policy, .priority = c->priority };
	for (size_t i = 0; i < c->n_tones; i++) {
		it->tone[i].is = c->tone[i];
		it->tone[i].length_ticks =
		        (uint64_t)((double)c->tone[i].length_ns * c->clock->hz / 1e9);
	}
	rc = init_locks(it);
	if (rc != 0) {
		free(it);
		return nf_fail_os(err, rc, "preparing the interferer");
	}
	*ret = it;
	return 0;
}

int nf_interferer_start(const struct nf_interferer_cfg *cfg, struct nf_interferer **ret,
                        struct nf_err *err)
{
	struct nf_interferer *it = NULL;
	int rc = nf_interferer_check(cfg, err);

	if (rc == 0)
		rc = interferer_new(cfg, &it, err);
	if (rc != 0)
		return rc;
	rc = make_log(&it->log, cfg->max_bursts, err);
	if (rc == 0)
		rc = start_thread(it, err);
	if (rc != 0)
		goto out;
	pthread_mutex_lock(&it->lock);
	while (!it->ready)
		pthread_cond_wait(&it->changed, &it->lock);
	rc = it->rc;
	if (rc != 0 && err)
		*err = it->err;
	pthread_mutex_unlock(&it->lock);
	if (rc != 0) {
		pthread_join(it->thread, NULL);
		goto out;
	}
	*ret = it;
	return 0;
out:
	interferer_free(it);
	return rc;
}

pid_t nf_interferer_tid(const struct nf_interferer *it)
{
	return it->tid;
}

enum nf_policy nf_interferer_policy(const struct nf_interferer *it, int *ret_priority)
{
	if (ret_priority)
		*ret_priority = it->sched.priority;
	return it->sched.policy;
}

const char *nf_interferer_note(const struct nf_interferer *it)
{
	return it->note;
}

void nf_interferer_stop(struct nf_interferer *it, struct nf_interferer_log *ret)
{
	pthread_mutex_lock(&it->lock);
	it->stop = true;
	pthread_cond_signal(&it->changed);
	pthread_mutex_unlock(&it->lock);
	pthread_join(it->thread, NULL);
	if (ret) {
		*ret = it->log;
		it->log = (struct nf_interferer_log){ 0 };
	}
	interferer_free(it);
}
