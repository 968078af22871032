/* SPDX-License-Identifier: MIT */
#include "job/load.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GRACE_MS = 1000 };

static int wait_signal(const sigset_t *set, int timeout_ms)
{
	struct timespec ts = { timeout_ms / 1000, (timeout_ms % 1000) * 1000000L };
	int r;

	do {
		r = timeout_ms < 0 ? sigwaitinfo(set, NULL) : sigtimedwait(set, NULL, &ts);
	} while (r < 0 && errno == EINTR);
	return r;
}

/* In the keeper: only async-signal-safe calls, the parent may have been threaded. */
static _Noreturn void keep(const char *command, int out_fd, int status_fd, pid_t parent)
{
	sigset_t set;
	int status = 0;
	bool reaped = false;

	(void)setpgid(0, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_SETMASK, &set, NULL);
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);

	pid_t child = fork();
	if (child == 0) {
		int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

		(void)signal(SIGINT, SIG_DFL);
		(void)signal(SIGTERM, SIG_DFL);
		(void)signal(SIGPIPE, SIG_DFL);
		sigemptyset(&set); /* after the handlers are gone */
		sigprocmask(SIG_SETMASK, &set, NULL);
		(void)dup2(null_fd, STDIN_FILENO);
		(void)dup2(out_fd, STDOUT_FILENO);
		(void)dup2(out_fd, STDERR_FILENO);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (child < 0)
		_exit(1);
	while (wait_signal(&set, -1) == SIGCHLD) {
		if (waitpid(child, &status, WNOHANG) == child) {
			reaped = true;
			(void)!write(status_fd, &status, sizeof(status));
		}
	}
	kill(0, SIGTERM); /* blocked here, taken by the rest of the group */
	for (int i = 0; i < GRACE_MS / 10 && !reaped; i++) {
		reaped = waitpid(child, NULL, WNOHANG) == child;
		if (!reaped)
			poll(NULL, 0, 10);
	}
	kill(0, SIGKILL); /* what ignored it, and this process */
	_exit(0);
}

int nf_load_start(struct nf_load *l, const char *command, int out_fd, struct nf_err *err)
{
	int fds[2];
	pid_t parent = getpid();
	sigset_t all, before;

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
		return nf_fail_os(err, errno, "load: pipe");

	/* The keeper inherits this program's handlers: a SIGTERM that comes before it waits for one
	 * must stay pending, not be eaten by a handler. */
	sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	pid_t pid = fork();
	if (pid == 0) {
		close(fds[0]);
		keep(command, out_fd, fds[1], parent);
	}
	int saved = errno;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return nf_fail_os(err, saved, "load: fork");
	}
	(void)setpgid(pid, pid);
	*l = (struct nf_load){ .keeper = pid, .status_fd = fds[0] };
	return 0;
}

bool nf_load_ended(struct nf_load *l, int *ret_status)
{
	int status;

	if (l->keeper <= 0 || read(l->status_fd, &status, sizeof(status)) != sizeof(status))
		return false;
	*ret_status = status;
	return true;
}

void nf_load_stop(struct nf_load *l)
{
	if (l->keeper <= 0)
		return;
	kill(l->keeper, SIGTERM);
	while (waitpid(l->keeper, NULL, 0) < 0 && errno == EINTR)
		;
	close(l->status_fd);
	memset(l, 0, sizeof(*l));
}
