/* SPDX-License-Identifier: MIT */
#include "board/power_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { END_TRIES = 3, END_PAUSE_S = 1 };
/* On a busy machine the guard may start late; a driver is bounded by itself. */
static const int START_WAIT_MS = 30000;
static const int END_WAIT_MS = 200000;

struct request {
	uint32_t seq;
	uint32_t ask;
};

static void leave_terminal(int keep)
{
	static const int deaf[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE, SIGTSTP,
		                    SIGTTIN, SIGTTOU, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU };
	sigset_t none;

	for (size_t i = 0; i < sizeof(deaf) / sizeof(deaf[0]); i++)
		signal(deaf[i], SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	prctl(PR_SET_NAME, "nf-power");
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	if (keep > 3)
		close_range(3, (unsigned)keep - 1, 0);
	close_range((unsigned)keep + 1, ~0U, 0);
}

static void answer(int fd, struct nf_power_answer *a)
{
	/* Whoever asked may be gone; that shows at the next read. */
	(void)!send(fd, a, sizeof(*a), MSG_NOSIGNAL);
}

static int do_ask(struct nf_power *p, struct nf_power_answer *a, uint32_t ask,
                  enum nf_power_end *end)
{
	if (ask == NF_POWER_ASK_STATUS)
		return nf_power_status(p, &a->state, &a->err);
	if (ask == NF_POWER_ASK_LEAVE) {
		*end = NF_POWER_END_LEAVE;
		return 0;
	}
	return nf_power_set(p, ask == NF_POWER_ASK_ON, &a->err);
}

static void serve(int fd, struct nf_power *p, enum nf_power_end *end)
{
	struct request q;

	for (;;) {
		ssize_t n = recv(fd, &q, sizeof(q), 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n != sizeof(q))
			return;
		struct nf_power_answer a = { .seq = q.seq };
		a.code = do_ask(p, &a, q.ask, end);
		answer(fd, &a);
	}
}

static void finish(int fd, struct nf_power *p, enum nf_power_end end)
{
	struct nf_power_answer a = { 0 };

	for (int i = 0; end != NF_POWER_END_LEAVE && i < END_TRIES; i++) {
		a.code = nf_power_set(p, end == NF_POWER_END_ON, &a.err);
		if (a.code == 0)
			break;
		struct timespec pause = { .tv_sec = END_PAUSE_S };
		nanosleep(&pause, NULL);
	}
	answer(fd, &a);
}

static _Noreturn void guard(int fd, const struct nf_power_spec *spec, const struct nf_power_os *os,
                            enum nf_power_end end)
{
	struct nf_power_answer a = { 0 };
	struct nf_power p = { .fd = -1 };

	leave_terminal(fd);
	a.code = nf_power_open(&p, spec, os, &a.err);
	answer(fd, &a);
	if (a.code == 0) {
		serve(fd, &p, &end);
		finish(fd, &p, end);
		nf_power_close(&p);
	}
	_exit(0);
}

static int gone(struct nf_err *err)
{
	return nf_fail(err, NF_ESUBJECT, "the process that holds the power switch is gone");
}

int nf_power_guard_take(struct nf_power_guard *g, struct nf_power_answer *ret, struct nf_err *err)
{
	ssize_t n;

	do
		n = recv(g->fd, ret, sizeof(*ret), MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN)
		return 0;
	return n == sizeof(*ret) ? 1 : gone(err);
}

/* Of every answer, the next; bounded. */
static int await(struct nf_power_guard *g, int wait_ms, struct nf_power_answer *ret,
                 struct nf_err *err)
{
	struct pollfd p = { .fd = g->fd, .events = POLLIN };
	int n;

	do
		n = poll(&p, 1, wait_ms);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return nf_fail(err, NF_ETIMEOUT,
		               "the process that holds the power switch does "
		               "not answer");
	int r = nf_power_guard_take(g, ret, err);
	return r < 0 ? r : 0;
}

static void forget(struct nf_power_guard *g)
{
	if (g->fd >= 0)
		close(g->fd);
	while (g->pid > 0 && waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*g = (struct nf_power_guard){ .fd = -1 };
}

int nf_power_guard_start(struct nf_power_guard *ret, const struct nf_power_spec *spec,
                         const struct nf_power_os *os, enum nf_power_end end, struct nf_err *err)
{
	struct nf_power_answer a;
	int pair[2];
	int r = nf_power_check(spec, err);

	if (r < 0)
		return r;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return nf_fail_os(err, errno, "socketpair");
	struct nf_power_guard g = { .fd = pair[0], .pid = fork() };
	if (g.pid == 0)
		guard(pair[1], spec, os, end);
	int e = errno;
	close(pair[1]);
	if (g.pid < 0) {
		close(pair[0]);
		return nf_fail_os(err, e, "fork");
	}
	r = await(&g, START_WAIT_MS, &a, err);
	if (r == -NF_ETIMEOUT)
		kill(g.pid, SIGKILL);
	if (r == 0 && a.code < 0) {
		r = a.code;
		if (err)
			*err = a.err;
	}
	if (r < 0) {
		forget(&g);
		return r;
	}
	*ret = g;
	return 0;
}

int nf_power_guard_ask(struct nf_power_guard *g, enum nf_power_ask ask, uint32_t *ret_seq,
                       struct nf_err *err)
{
	struct request q = { .seq = g->seq + 1, .ask = ask };

	if (send(g->fd, &q, sizeof(q), MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof(q))
		return gone(err);
	*ret_seq = ++g->seq;
	return 0;
}

int nf_power_guard_stop(struct nf_power_guard *g, struct nf_err *err)
{
	struct nf_power_answer a = { .seq = 1 };
	int r = 0;

	if (g->fd < 0)
		return 0;
	shutdown(g->fd, SHUT_WR);
	/* The last answer has no number. */
	while (r == 0 && a.seq != 0)
		r = await(g, END_WAIT_MS, &a, err);
	if (r == 0 && a.code < 0) {
		r = a.code;
		if (err)
			*err = a.err;
	}
	if (r == -NF_ETIMEOUT)
		kill(g->pid, SIGKILL);
	forget(g);
	return r;
}
