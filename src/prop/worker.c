/* SPDX-License-Identifier: MIT */
#include "prop/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "prop/explore.h"

enum { TICK_MS = 50, MAX_OUTPUT = 8 << 20, DEATH_MS = 2000 };

uint64_t pt_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

int pt_worker_init(struct pt_worker *w, const struct pt_property *p, const struct pt_config *c)
{
	void *map = mmap(NULL, sizeof(struct pt_shared), PROT_READ | PROT_WRITE,
	                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		return -PT_ENOMEM;
	*w = (struct pt_worker){ .sh = map,
		                 .property = p,
		                 .memory_limit_bytes = c->memory_limit_bytes,
		                 .isolation = c->isolation,
		                 .fd = -1,
		                 .output_fd = -1 };
	pt_case_init(&w->inline_case, w->sh);
	return 0;
}

void pt_worker_fini(struct pt_worker *w)
{
	pt_worker_stop(w);
	pt_case_fini(&w->inline_case);
	munmap(w->sh, sizeof(*w->sh));
}

void pt_worker_stop(struct pt_worker *w)
{
	if (w->pid > 0) {
		/* Not reaped yet: the number is still its own, also as that of the group. */
		kill(-w->pid, SIGKILL);
		kill(w->pid, SIGKILL);
		while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
			;
		w->pid = 0;
	}
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}

/* ---- the worker's side ---- */
static void on_exit_called(int status, void *arg)
{
	struct pt_shared *sh = arg;

	sh->exiting = true;
	_exit(status);
}

static uint64_t mapped_bytes(void)
{
	char text[128];
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0'; /* its first number is the size in pages */
	return (uint64_t)strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void set_limits(const struct pt_worker *w)
{
	/* 1 byte: neither a core file nor a core for a program (core(5)) */
	struct rlimit none = { 1, 1 }, as;
	uint64_t bytes = mapped_bytes();

	setrlimit(RLIMIT_CORE, &none);
	if (bytes == 0 || getrlimit(RLIMIT_AS, &as) != 0 ||
	    __builtin_add_overflow(bytes, w->memory_limit_bytes, &bytes))
		return;
	if (as.rlim_max == RLIM_INFINITY || bytes < as.rlim_max)
		as.rlim_cur = bytes;
	setrlimit(RLIMIT_AS, &as);
}

/* A handler of the parent (cmocka has some) would carry on in the worker what it jumps back to. */
static void reset_signals(void)
{
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE,
		                     SIGABRT, SIGSYS, SIGINT, SIGTERM };

	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		signal(fatal[i], SIG_DFL);
}

static void __attribute__((noreturn)) serve(struct pt_worker *w, pid_t parent, int fd)
{
	struct pt_case t;
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	setpgid(0, 0);
	reset_signals();
	if (w->output_fd >= 0) {
		dup2(w->output_fd, STDOUT_FILENO);
		dup2(w->output_fd, STDERR_FILENO);
	}
	on_exit(on_exit_called, w->sh);
	set_limits(w);
	pt_case_init(&t, w->sh);
	for (;;) {
		ssize_t n = read(fd, &byte, 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n != 1)
			_exit(0);
		pt_carry_out(&t, w->property);
		fflush(NULL);
		do
			n = write(fd, &byte, 1);
		while (n < 0 && errno == EINTR);
		if (n != 1)
			_exit(0);
	}
}

/* ---- the runner's side ---- */
static int start(struct pt_worker *w)
{
	int pair[2];
	pid_t parent = getpid(), pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return -PT_EOS;
	fflush(NULL); /* or the worker writes it too */
	pid = fork();
	if (pid == 0) {
		close(pair[0]);
		serve(w, parent, pair[1]);
	}
	close(pair[1]);
	if (pid < 0) {
		close(pair[0]);
		return -PT_EOS;
	}
	setpgid(pid, pid); /* whoever comes first: the group exists when it is to be killed */
	w->pid = pid;
	w->fd = pair[0];
	return 0;
}

/* Whether the process has ended; how, in *ret. It is left for pt_worker_stop(). */
static bool has_died(const struct pt_worker *w, struct pt_ran *ret)
{
	siginfo_t si = { 0 };

	if (waitid(P_PID, (id_t)w->pid, &si, WEXITED | WNOHANG | WNOWAIT) != 0 || si.si_pid == 0)
		return false;
	if (si.si_code == CLD_EXITED)
		*ret = (struct pt_ran){ PT_EXIT, si.si_status };
	else
		*ret = (struct pt_ran){ PT_CRASH, si.si_status };
	return true;
}

static struct pt_ran death(const struct pt_worker *w)
{
	struct pt_ran ran;
	struct timespec ms = { .tv_nsec = 1000000 };

	for (int i = 0; i < DEATH_MS; i++) {
		if (has_died(w, &ran))
			return ran;
		nanosleep(&ms, NULL);
	}
	return (struct pt_ran){ PT_HANG, 0 }; /* it closed its end and goes on */
}

static void bound_output(const struct pt_worker *w)
{
	struct stat st;

	if (w->output_fd >= 0 && fstat(w->output_fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size > MAX_OUTPUT && ftruncate(w->output_fd, 0) != 0)
		return;
}

/* Waits for the answer, the end of the process, or a case that takes too long. */
static struct pt_ran wait_answer(struct pt_worker *w, unsigned limit_ms, uint64_t deadline_ms)
{
	struct pt_shared *sh = w->sh;
	uint64_t beat = sh->beat, since = pt_now_ms();
	int tick = (int)(limit_ms / 4 < TICK_MS ? limit_ms / 4 + 1 : TICK_MS);

	for (;;) {
		struct pollfd p = { .fd = w->fd, .events = POLLIN };
		int n = poll(&p, 1, tick);
		struct pt_ran ran;
		uint64_t now;
		char byte;

		if (n > 0) {
			ssize_t got = read(w->fd, &byte, 1);

			if (got == 1)
				return (struct pt_ran){ PT_NO_FAILURE, 0 };
			if (got == 0 || errno != EINTR)
				return death(w);
			continue;
		}
		if (has_died(w, &ran))
			return ran;
		bound_output(w);
		now = pt_now_ms();
		if (deadline_ms && now >= deadline_ms)
			sh->stop = true;
		if (sh->beat != beat) {
			beat = sh->beat;
			since = now;
		} else if (now - since > limit_ms) {
			return (struct pt_ran){ PT_HANG, 0 };
		}
	}
}

static int run_in_worker(struct pt_worker *w, unsigned limit_ms, uint64_t deadline_ms,
                         struct pt_ran *ret)
{
	char byte = 1;
	ssize_t n;
	int err = w->pid ? 0 : start(w);

	if (err)
		return err;
	w->sh->exiting = false;
	w->sh->status = PT_HELD;
	do
		n = send(w->fd, &byte, 1, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	*ret = n == 1 ? wait_answer(w, limit_ms, deadline_ms) : death(w);
	if (ret->failure != PT_NO_FAILURE || w->isolation == PT_FORK)
		pt_worker_stop(w);
	return 0;
}

int pt_worker_run(struct pt_worker *w, unsigned limit_ms, uint64_t deadline_ms, struct pt_ran *ret)
{
	struct pt_shared *sh = w->sh;

	if (w->isolation == PT_INLINE) {
		pt_carry_out(&w->inline_case, w->property);
		*ret = (struct pt_ran){ PT_NO_FAILURE, 0 };
	} else {
		int err;

		sh->order.one = w->isolation == PT_FORK;
		err = run_in_worker(w, limit_ms, deadline_ms, ret);
		if (err)
			return err;
	}
	if (ret->failure == PT_NO_FAILURE && sh->status == PT_BROKE_RULE)
		ret->failure = PT_FALSE;
	return 0;
}
