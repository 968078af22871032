/* SPDX-License-Identifier: MIT */
#include "measure/wake_loop.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define NS_PER_S INT64_C(1000000000)

static inline struct timespec to_timespec(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };
}

/* 0, or the error: clock_nanosleep returns it and leaves errno alone. */
static inline int sleep_until(int64_t t_ns, uint64_t *interrupted)
{
	struct timespec ts = to_timespec(t_ns);
	int rc;

	while ((rc = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL)) == EINTR)
		(*interrupted)++;
	return rc;
}

/* Waits until expiration number k (from 0) of the periodic timer has been consumed; *consumed is the
 * number of those read so far. */
static inline int timer_wait(int fd, int64_t k, int64_t *consumed, uint64_t *interrupted)
{
	while (*consumed <= k) {
		uint64_t expirations;
		ssize_t n = read(fd, &expirations, sizeof(expirations));

		if (n == (ssize_t)sizeof(expirations))
			*consumed += (int64_t)expirations;
		else if (n < 0 && errno == EINTR)
			(*interrupted)++;
		else
			return n < 0 ? errno : EIO;
	}
	return 0;
}

int64_t nf_wake_missed(int64_t k, int64_t n, int64_t late_ns, int64_t period_ns)
{
	if (late_ns < period_ns)
		return 0;

	int64_t m = late_ns / period_ns;

	return m < n - 1 - k ? m : n - 1 - k;
}

/* Sleeps all but the last slice before a far deadline. 1: stop asked for. */
static int approach(const struct nf_wake_loop *l, int64_t deadline_ns, uint64_t *interrupted,
                    int *error)
{
	int64_t now = nf_now_monotonic().ns;

	while (deadline_ns - now > 2 * NF_WAKE_SLICE_NS) {
		if (nf_stop_signo(l->stop))
			return 1;
		*error = sleep_until(now + NF_WAKE_SLICE_NS, interrupted);
		if (*error)
			return 1;
		now = nf_now_monotonic().ns;
	}
	return nf_stop_signo(l->stop) != 0;
}

static int arm(const struct nf_wake_loop *l)
{
	struct itimerspec its = { .it_interval = to_timespec(l->period_ns),
		                  .it_value = to_timespec(l->first_ns) };

	if (l->method != NF_WAKE_TIMERFD)
		return 0;
	return timerfd_settime(l->timer_fd, TFD_TIMER_ABSTIME, &its, NULL) < 0 ? errno : 0;
}

void nf_wake_loop_run(struct nf_wake_loop *l)
{
	const bool timer = l->method == NF_WAKE_TIMERFD;
	uint64_t missed = 0, holes = 0, interrupted = 0;
	int64_t consumed = 0, k = 0;
	int error = arm(l);

	l->raw_begin_ns = nf_now_raw().ns;
	while (!error && k < l->n) {
		int64_t deadline = l->first_ns + k * l->period_ns;

		if (approach(l, deadline, &interrupted, &error))
			break;
		error = timer ? timer_wait(l->timer_fd, k, &consumed, &interrupted)
		              : sleep_until(deadline, &interrupted);
		int64_t now = nf_now_monotonic().ns;
		if (error)
			break;

		int64_t late = now - deadline;
		int64_t m = nf_wake_missed(k, l->n, late, l->period_ns);

		nf_stream_put(l->lateness, late);
		nf_stream_put(l->wake, now - l->first_ns);
		missed += (uint64_t)m;
		holes += m > 0;
		k += m + 1;
	}
	l->raw_end_ns = nf_now_raw().ns;
	l->lateness->n_missed = missed;
	l->wake->n_missed = missed;
	l->count.n_due = (uint64_t)k;
	l->count.n_missed = missed;
	l->count.n_holes = holes;
	l->count.n_interrupted = interrupted;
	l->os_errno = error;
}

double nf_wake_loop_overhead_ns(struct nf_wake_loop *l)
{
	enum { BATCHES = 32, PER_BATCH = 64 };
	int64_t best = INT64_MAX;
	int64_t first = nf_now_monotonic().ns;
	int64_t missed = 0;

	for (int b = 0; b < BATCHES; b++) {
		int64_t t0 = nf_now_raw().ns;

		for (int i = 0; i < PER_BATCH; i++) {
			int64_t now = nf_now_monotonic().ns;

			if (l->lateness->n == l->lateness->cap)
				l->lateness->n = l->wake->n = 0;
			missed += nf_wake_missed(0, l->n, now - first, l->period_ns);
			nf_stream_put(l->lateness, now - first);
			nf_stream_put(l->wake, now - first + missed);
		}
		int64_t spent = nf_now_raw().ns - t0;
		best = spent < best ? spent : best;
	}
	l->lateness->n = l->wake->n = 0;
	return (double)best / PER_BATCH;
}
