/* SPDX-License-Identifier: MIT */
#include "job/why.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "job/why_impl.h"
#include "machine/trace.h"
#include "measure/probe_threads.h"

enum {
	DRAIN_EVERY_NS = 100 * 1000 * 1000,
	/* Buffers per CPU: when they are emptied ten times a second, and when only at the end. */
	DRAINED_KB = 4096,
	DRAINED_MIN_KB = 512,
	DRAINED_TOTAL_KB = 256 * 1024,
	/* A busy CPU: 20,000 events a second of some 32 bytes. */
	KB_PER_S = 640,
	NAMES_MAX = 65536,
};
#define EVENT_BYTES_MAX ((size_t)1 << 30) /* 64 Mi events of 16 bytes */

/* --- whether --- */

/* The kernel's name of the clock that samples are stamped with; NULL: it has none. */
static const char *trace_clock(const struct nf_session *s, const struct nf_why_source *source)
{
	if (source->raw_clock || s->clock.source == NF_TICK_MONOTONIC_RAW)
		return "mono_raw";
	return s->clock.source == NF_TICK_TSC ? "x86-tsc" : NULL;
}

int nf_why_check(const struct nf_session *s, const struct nf_step_kind *kind, struct nf_err *err)
{
	const char *clock;

	if (!kind->why)
		return nf_fail(err, NF_EUNSUPPORTED, "--why: %s has no causes to look for",
		               kind->probe->name);
	clock = trace_clock(s, kind->why);
	if (!clock)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "--why: the kernel cannot stamp trace events with the counter %s; "
		               "with --clock monotonic it can",
		               nf_tick_name(s->clock.source));
	if (!s->env.journal)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "--why: changes are not allowed without a journal: %s",
		               s->env.no_journal ? s->env.no_journal : "a writable runtime folder");
	return nf_trace_check(s->env.root, clock, err);
}

/* --- around the run --- */

/* Ends when asked to, or at its first failure. */
static void *drain(void *arg)
{
	struct nf_why *w = arg;
	struct nf_controller place = { 0 };
	struct timespec next;
	int r;

	r = nf_controller_enter(&place, w->env, &w->cpus, &w->drain_err);
	clock_gettime(CLOCK_MONOTONIC, &next);
	pthread_mutex_lock(&w->lock);
	while (r == 0 && !w->stop) {
		int64_t ns = next.tv_nsec + DRAIN_EVERY_NS;

		next.tv_sec += ns / 1000000000;
		next.tv_nsec = ns % 1000000000;
		if (pthread_cond_timedwait(&w->wake, &w->lock, &next) != ETIMEDOUT)
			continue;
		pthread_mutex_unlock(&w->lock);
		r = nf_trace_drain(w->trace, &w->drain_err);
		pthread_mutex_lock(&w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	nf_controller_leave(&place);
	w->drain_rc = r;
	return NULL;
}

static int start_drainer(struct nf_why *w, struct nf_err *err)
{
	pthread_condattr_t attr;
	sigset_t all, old;
	int rc = pthread_condattr_init(&attr);

	if (rc != 0)
		return nf_fail_os(err, rc, "preparing the thread that reads trace events");
	rc = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	if (rc == 0)
		rc = pthread_cond_init(&w->wake, &attr);
	pthread_condattr_destroy(&attr);
	if (rc != 0)
		return nf_fail_os(err, rc, "preparing the thread that reads trace events");
	rc = pthread_mutex_init(&w->lock, NULL);
	if (rc == 0) {
		/* A handler runs elsewhere. */
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &old);
		rc = pthread_create(&w->drainer, NULL, drain, w);
		pthread_sigmask(SIG_SETMASK, &old, NULL);
		if (rc != 0)
			pthread_mutex_destroy(&w->lock);
	}
	if (rc != 0) {
		pthread_cond_destroy(&w->wake);
		return nf_fail_os(err, rc, "starting the thread that reads trace events");
	}
	w->drained = true;
	return 0;
}

static int stop_drainer(struct nf_why *w, struct nf_err *err)
{
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->drainer, NULL);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->lock);
	if (w->drain_rc < 0 && err)
		*err = w->drain_err;
	return w->drain_rc;
}

static uint64_t clamp(uint64_t v, uint64_t lo, uint64_t hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

/* Per CPU. Where nothing is read until the end, what a busy CPU may do meanwhile, within an eighth of
 * the memory that is free. */
static uint64_t buffer_kb(const struct nf_session *s, size_t n_cpus, bool drained, int64_t run_ns)
{
	uint64_t free_kb =
	        s->before.mem_available_kib.some ? s->before.mem_available_kib.v : 1 << 20;
	uint64_t want, share;

	if (drained)
		return clamp(DRAINED_TOTAL_KB / n_cpus, DRAINED_MIN_KB, DRAINED_KB);
	want = (uint64_t)((double)run_ns * 1e-9 * KB_PER_S);
	share = free_kb / 8 / n_cpus;
	return clamp(want, DRAINED_KB, share > DRAINED_KB ? share : DRAINED_KB);
}

int nf_why_start(const struct nf_session *s, const struct nf_step_kind *kind, const void *cfg,
                 struct nf_why **ret, struct nf_err *err)
{
	struct nf_why *w = calloc(1, sizeof(*w));
	struct nf_trace_cfg trace = { .max_events = EVENT_BYTES_MAX / 16 };
	bool room;
	int r;

	if (!w)
		return nf_fail_nomem(err, "a trace", sizeof(*w));
	w->source = kind->why;
	w->env = &s->env;
	nf_cpuset_init(&w->cpus);
	r = nf_why_check(s, kind, err);
	if (r == 0)
		r = nf_probe_cpus(kind->probe, &s->env, cfg, &w->cpus, err);
	if (r == 0)
		r = nf_event_log_init(&w->log, &w->cpus, trace.max_events, NAMES_MAX, err);
	if (r < 0)
		goto out;
	room = nf_controller_has_room(&s->env, &w->cpus);
	w->clock = trace_clock(s, kind->why);
	w->buffer_kb = buffer_kb(s, nf_cpuset_count(&w->cpus), room,
	                         kind->probe->estimate_ns(&s->env, cfg));
	trace.clock = w->clock;
	trace.cpus = &w->cpus;
	trace.buffer_kb = w->buffer_kb;
	r = nf_trace_start(s->env.root, s->env.journal, &trace, &w->log, &w->trace, err);
	if (r == 0 && room) {
		r = start_drainer(w, err);
		if (r < 0) {
			/* The first failure is the one to tell. */
			struct nf_err later;
			int put_back = nf_trace_stop(w->trace, &later);

			(void)put_back;
		}
	}
out:
	if (r < 0)
		nf_why_free(w);
	else
		*ret = w;
	return r;
}

int nf_why_stop(struct nf_why *w, struct nf_probe_run *run, struct nf_err *err)
{
	struct nf_err later;
	int first = w->drained ? stop_drainer(w, err) : 0;
	int r = nf_trace_stop(w->trace, first ? &later : err);

	w->trace = NULL;
	if (run)
		nf_probe_note(run, "the kernel's events were traced meanwhile (--why): each costs "
		                   "time of its own; without tracing there is less noise");
	return first ? first : r;
}

void nf_why_free(struct nf_why *w)
{
	if (!w)
		return;
	nf_event_log_fini(&w->log);
	nf_cpuset_fini(&w->cpus);
	free(w);
}
