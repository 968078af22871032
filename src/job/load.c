/* SPDX-License-Identifier: MIT */
#include "job/load.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Kills and reaps what is left below this process: what left the load's process group was handed to
 * it, a subreaper. Bounded: a load that forks faster than it is killed is left to its limits. */
static void end_children(void)
{
	char path[64], text[4096];

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	for (int i = 0; i < GRACE_MS / 10; i++) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

		if (fd >= 0)
			close(fd);
		if (n > 0) {
			char *at = text;

			text[n] = '\0';
			for (long pid = strtol(at, &at, 10); pid > 0; pid = strtol(at, &at, 10))
				kill((pid_t)pid, SIGKILL);
		}
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		if (waitpid(-1, NULL, WNOHANG) < 0)
			return; /* none left */
		poll(NULL, 0, 10);
	}
}

static _Noreturn void become_load(const char *command, int out_fd)
{
	int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	(void)setpgid(0, 0);
	(void)signal(SIGINT, SIG_DFL);
	(void)signal(SIGTERM, SIG_DFL);
	(void)signal(SIGPIPE, SIG_DFL);
	(void)signal(SIGXFSZ, SIG_DFL);
	sigemptyset(&none); /* after the handlers are gone */
	sigprocmask(SIG_SETMASK, &none, NULL);
	(void)dup2(null_fd, STDIN_FILENO);
	(void)dup2(out_fd, STDOUT_FILENO);
	(void)dup2(out_fd, STDERR_FILENO);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* What the keeper tells: first the command's pid, which is its process group, then how it ended. */
struct word {
	pid_t pid;
	int status;
};

/* In the keeper, a child of a program that may be threaded: nothing that takes a lock. */
static _Noreturn void keep(const char *command, int out_fd, int status_fd, pid_t parent)
{
	sigset_t set;
	struct word word = { 0 };
	bool reaped = false;

	(void)setpgid(0, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_SETMASK, &set, NULL);
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (getppid() != parent)
		_exit(1);

	pid_t child = fork();
	if (child == 0)
		become_load(command, out_fd);
	if (child < 0)
		_exit(1);
	(void)setpgid(child, child);
	word.pid = child;
	(void)!write(status_fd, &word, sizeof(word));
	while (wait_signal(&set, -1) == SIGCHLD) {
		pid_t pid;

		while ((pid = waitpid(-1, &word.status, WNOHANG)) > 0) {
			if (pid != child)
				continue;
			reaped = true;
			(void)!write(status_fd, &word, sizeof(word));
		}
	}
	kill(-child, SIGTERM);
	for (int i = 0; i < GRACE_MS / 10 && !reaped; i++) {
		reaped = waitpid(child, NULL, WNOHANG) == child;
		if (!reaped)
			poll(NULL, 0, 10);
	}
	kill(-child, SIGKILL);
	end_children();
	_exit(0);
}

int nf_load_start(struct nf_load *l, const char *command, int out_fd, struct nf_err *err)
{
	int fds[2], was_subreaper = 0;
	pid_t parent = getpid();
	sigset_t all, before;

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
		return nf_fail_os(err, errno, "load: pipe");

	/* What is left when even the keeper is killed comes to this process. */
	(void)prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
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
		(void)prctl(PR_SET_CHILD_SUBREAPER, was_subreaper);
		return nf_fail_os(err, saved, "load: fork");
	}
	(void)setpgid(pid, pid);
	*l = (struct nf_load){ .keeper = pid,
		               .status_fd = fds[0],
		               .was_subreaper = was_subreaper != 0 };
	return 0;
}

bool nf_load_ended(struct nf_load *l, int *ret_status)
{
	struct word word;

	if (l->keeper <= 0)
		return false;
	while (read(l->status_fd, &word, sizeof(word)) == sizeof(word)) {
		if (l->group > 0) {
			*ret_status = word.status;
			return true;
		}
		l->group = word.pid;
	}
	/* A keeper that is gone took the command with it, or left it to us. */
	if (!l->keeper_gone && waitpid(l->keeper, ret_status, WNOHANG) == l->keeper)
		l->keeper_gone = true;
	return l->keeper_gone;
}

void nf_load_stop(struct nf_load *l)
{
	int status;

	if (l->keeper <= 0)
		return;
	(void)nf_load_ended(l, &status); /* learns the group */
	if (!l->keeper_gone) {
		kill(l->keeper, SIGTERM);
		while (waitpid(l->keeper, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (l->group > 0)
		kill(-l->group, SIGKILL);
	end_children();
	(void)prctl(PR_SET_CHILD_SUBREAPER, l->was_subreaper);
	close(l->status_fd);
	memset(l, 0, sizeof(*l));
}
