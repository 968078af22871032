/* SPDX-License-Identifier: MIT */
/*
 * suite_sync - handing over between threads. A round trip is there and back between two threads, each
 * bound to a CPU of its own where there are two: two wake-ups, except for cache-line, where both spin.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fail.h"
#include "bench/suites.h"

enum { LINE_BYTES = 64 };

/* --- mutex --- */

struct locked {
	pthread_mutex_t mutex;
	uint64_t count; /* under it */
};

static int mutex_setup(const struct nf_bench_env *env, void **ret, struct nf_err *err)
{
	struct locked *l = calloc(1, sizeof(*l));

	(void)env;
	if (!l)
		return nf_fail_nomem(err, "a mutex", sizeof(*l));
	int e = pthread_mutex_init(&l->mutex, NULL);
	if (e != 0) {
		free(l);
		return nf_fail_os(err, e, "a mutex");
	}
	*ret = l;
	return 0;
}

static int mutex_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	struct locked *l = state;

	(void)thread;
	(void)err;
	for (uint64_t i = 0; i < n; i++) {
		pthread_mutex_lock(&l->mutex);
		l->count++;
		pthread_mutex_unlock(&l->mutex);
	}
	return 0;
}

static void mutex_teardown(void *state)
{
	struct locked *l = state;

	pthread_mutex_destroy(&l->mutex);
	free(l);
}

/* --- words that two threads hand each other --- */

struct words {
	/* Each on a line of its own: a thread waits for its own word to be 1 and takes it. */
	struct {
		_Alignas(LINE_BYTES) uint32_t is;
	} word[2];
};

static int words_setup(const struct nf_bench_env *env, void **ret, struct nf_err *err)
{
	struct words *w = aligned_alloc(LINE_BYTES, sizeof(*w));

	(void)env;
	if (!w)
		return nf_fail_nomem(err, "two cache lines", sizeof(*w));
	memset(w, 0, sizeof(*w));
	*ret = w;
	return 0;
}

static int futex_wait(uint32_t *word, struct nf_err *err)
{
	while (__atomic_exchange_n(word, 0, __ATOMIC_ACQUIRE) == 0)
		if (syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) < 0 &&
		    errno != EAGAIN && errno != EINTR)
			return nf_fail_os(err, errno, "futex");
	return 0;
}

static int futex_wake(uint32_t *word, struct nf_err *err)
{
	__atomic_store_n(word, 1, __ATOMIC_RELEASE);
	if (syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) < 0)
		return nf_fail_os(err, errno, "futex");
	return 0;
}

static int futex_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	struct words *w = state;
	uint32_t *mine = &w->word[thread].is, *other = &w->word[1 - thread].is;
	int r = 0;

	for (uint64_t i = 0; r == 0 && i < n; i++) {
		r = thread == 0 ? futex_wake(other, err) : futex_wait(mine, err);
		if (r == 0)
			r = thread == 0 ? futex_wait(mine, err) : futex_wake(other, err);
	}
	return r;
}

static int line_setup(const struct nf_bench_env *env, void **ret, struct nf_err *err)
{
	cpu_set_t mask;

	/* EINVAL: more CPUs than fit, so at least two. */
	if (sched_getaffinity(0, sizeof(mask), &mask) == 0 && CPU_COUNT(&mask) < 2)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "two CPUs that spin are needed: allow it more than one");
	return words_setup(env, ret, err);
}

static int line_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	struct words *w = state;
	uint32_t *mine = &w->word[thread].is, *other = &w->word[1 - thread].is;

	(void)err;
	for (uint64_t i = 0; i < n; i++) {
		if (thread == 0)
			__atomic_store_n(other, 1, __ATOMIC_RELEASE);
		while (__atomic_load_n(mine, __ATOMIC_ACQUIRE) == 0)
			;
		__atomic_store_n(mine, 0, __ATOMIC_RELAXED);
		if (thread != 0)
			__atomic_store_n(other, 1, __ATOMIC_RELEASE);
	}
	return 0;
}

/* --- pipes and eventfds --- */

struct files {
	int read_fd[2]; /* what thread 0 and 1 read from */
	int write_fd[2]; /* what they write to */
};

static void files_teardown(void *state)
{
	struct files *f = state;

	for (int i = 0; i < 2; i++) {
		if (f->read_fd[i] >= 0)
			close(f->read_fd[i]);
		if (f->write_fd[i] >= 0 && f->write_fd[i] != f->read_fd[1 - i])
			close(f->write_fd[i]);
	}
	free(f);
}

static int open_way(struct files *f, int to, bool event, struct nf_err *err)
{
	int pair[2];

	if (event) {
		pair[0] = pair[1] = eventfd(0, EFD_CLOEXEC);
		if (pair[0] < 0)
			return nf_fail_os(err, errno, "eventfd");
	} else if (pipe2(pair, O_CLOEXEC) < 0) {
		return nf_fail_os(err, errno, "pipe");
	}
	f->read_fd[to] = pair[0];
	f->write_fd[1 - to] = pair[1];
	return 0;
}

static int files_setup(bool event, void **ret, struct nf_err *err)
{
	struct files *f = malloc(sizeof(*f));

	if (!f)
		return nf_fail_nomem(err, "two files", sizeof(*f));
	*f = (struct files){ { -1, -1 }, { -1, -1 } };
	int r = open_way(f, 0, event, err);
	if (r == 0)
		r = open_way(f, 1, event, err);
	if (r < 0)
		files_teardown(f);
	else
		*ret = f;
	return r;
}

static int pipe_setup(const struct nf_bench_env *env, void **ret, struct nf_err *err)
{
	(void)env;
	return files_setup(false, ret, err);
}

static int event_setup(const struct nf_bench_env *env, void **ret, struct nf_err *err)
{
	(void)env;
	return files_setup(true, ret, err);
}

/* One byte, or a counter's eight. */
static int hand(int fd, bool write_it, size_t bytes, struct nf_err *err)
{
	uint64_t one = 1;
	ssize_t n;

	do
		n = write_it ? write(fd, &one, bytes) : read(fd, &one, bytes);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)bytes)
		return nf_fail_os(err, n < 0 ? errno : EIO, "a round trip");
	return 0;
}

static int round_trips(const struct files *f, unsigned thread, uint64_t n, size_t bytes,
                       struct nf_err *err)
{
	int in = f->read_fd[thread], out = f->write_fd[thread], r = 0;

	for (uint64_t i = 0; r == 0 && i < n; i++) {
		r = thread == 0 ? hand(out, true, bytes, err) : hand(in, false, bytes, err);
		if (r == 0)
			r = thread == 0 ? hand(in, false, bytes, err) : hand(out, true, bytes, err);
	}
	return r;
}

static int pipe_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	return round_trips(state, thread, n, 1, err);
}

static int event_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	return round_trips(state, thread, n, sizeof(uint64_t), err);
}

/* clang-format off */
#define PAIR(n, s, r, t, d) { .name = "sync." n, .doc = (d), .min_threads = 2, .max_threads = 2, \
	.setup = (s), .run = (r), .teardown = (t) }
const struct nf_bench nf_suite_sync[] = {
	{ .name = "sync.mutex", .doc = "lock and unlock of one mutex; contended with threads",
	  .max_threads = NF_BENCH_THREADS_MAX, .setup = mutex_setup, .run = mutex_run,
	  .teardown = mutex_teardown },
	PAIR("futex-wake", words_setup, futex_run, free, "a round trip by futex wake"),
	PAIR("pipe", pipe_setup, pipe_run, files_teardown, "a round trip through two pipes"),
	PAIR("eventfd", event_setup, event_run, files_teardown, "a round trip through two eventfds"),
	PAIR("cache-line", line_setup, line_run, free,
		"a round trip between spinning CPUs"),
	{ .name = NULL },
};
/* clang-format on */
