/* SPDX-License-Identifier: MIT */
/* suite_spawn - starting a trivial static program and waiting for its end, in three ways, and a thread. */
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "bench/suites.h"
#include "bench/trivial_path.h" /* NF_TRIVIAL_PATH: where it is installed */

enum { PATH_BYTES = 4096 };
#define TRIVIAL "noisefloor-trivial"

struct spawn {
	char program[PATH_BYTES];
};

static bool try_path(struct spawn *s, const char *folder, size_t len, const char *below)
{
	int n = snprintf(s->program, sizeof(s->program), "%.*s%s%s", (int)len, folder, below,
	                 TRIVIAL);

	return n > 0 && (size_t)n < sizeof(s->program) && access(s->program, X_OK) == 0;
}

/* Beside this executable (a build folder), where an installation that was moved has it, where it was
 * installed. */
static int setup(const struct nf_bench_env *env, void **ret, struct nf_err *err)
{
	char self[PATH_BYTES];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	struct spawn *s = malloc(sizeof(*s));

	(void)env;
	if (!s)
		return nf_fail_nomem(err, "a path", sizeof(*s));
	self[n > 0 ? n : 0] = '\0';
	const char *slash = strrchr(self, '/');
	size_t len = slash ? (size_t)(slash - self) : 0;
	if (!(slash && try_path(s, self, len, "/")) &&
	    !(slash && try_path(s, self, len, "/../libexec/noisefloor/")) &&
	    !try_path(s, NF_TRIVIAL_PATH, strlen(NF_TRIVIAL_PATH), "/")) {
		free(s);
		return nf_fail(err, NF_EUNSUPPORTED,
		               "%s is not in %s: install noisefloor as a whole", TRIVIAL,
		               NF_TRIVIAL_PATH);
	}
	*ret = s;
	return 0;
}

static int await(pid_t pid, const struct spawn *s, struct nf_err *err)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return nf_fail_os(err, errno, "waiting for %s", s->program);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return nf_fail(err, NF_ESUBJECT, "%s did not run", s->program);
	return 0;
}

static int run_fork(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	const struct spawn *s = state;
	int r = 0;

	(void)thread;
	for (uint64_t i = 0; r == 0 && i < n; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			execl(s->program, TRIVIAL, (char *)NULL);
			_exit(127);
		}
		if (pid < 0)
			return nf_fail_os(err, errno, "fork");
		r = await(pid, s, err);
	}
	return r;
}

/* Nothing of the caller's lives in registers that the child could change. */
static __attribute__((noinline)) pid_t vfork_exec(const struct spawn *s)
{
	pid_t pid = vfork(); /* NOLINT: it is what is measured */

	if (pid == 0) {
		execl(s->program, TRIVIAL, (char *)NULL);
		_exit(127);
	}
	return pid;
}

static int run_vfork(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	const struct spawn *s = state;
	int r = 0;

	(void)thread;
	for (uint64_t i = 0; r == 0 && i < n; i++) {
		pid_t pid = vfork_exec(s);

		if (pid < 0)
			return nf_fail_os(err, errno, "vfork");
		r = await(pid, s, err);
	}
	return r;
}

static int run_posix_spawn(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	struct spawn *s = state;
	char name[] = TRIVIAL;
	char *argv[] = { name, NULL };
	int r = 0;

	(void)thread;
	for (uint64_t i = 0; r == 0 && i < n; i++) {
		pid_t pid;
		int e = posix_spawn(&pid, s->program, NULL, NULL, argv, environ);

		if (e != 0)
			return nf_fail_os(err, e, "posix_spawn");
		r = await(pid, s, err);
	}
	return r;
}

static void *nothing(void *arg)
{
	return arg;
}

static int run_thread(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	(void)state;
	(void)thread;
	for (uint64_t i = 0; i < n; i++) {
		pthread_t t;
		int e = pthread_create(&t, NULL, nothing, NULL);

		if (e != 0)
			return nf_fail_os(err, e, "pthread_create");
		e = pthread_join(t, NULL);
		if (e != 0)
			return nf_fail_os(err, e, "pthread_join");
	}
	return 0;
}

/* clang-format off */
#define ROW(n, r, d) { .name = "spawn." n, .doc = (d), .max_threads = NF_BENCH_THREADS_MAX, \
	.setup = setup, .run = (r), .teardown = free }
const struct nf_bench nf_suite_spawn[] = {
	ROW("fork-exec", run_fork, "fork, exec of a static program, its end"),
	ROW("posix-spawn", run_posix_spawn, "posix_spawn of a static program, its end"),
	ROW("vfork-exec", run_vfork, "vfork, exec of a static program, its end"),
	{ .name = "spawn.thread", .doc = "pthread_create of an empty thread, its join",
	  .max_threads = NF_BENCH_THREADS_MAX, .run = run_thread },
	{ .name = NULL },
};
/* clang-format on */
