/* SPDX-License-Identifier: MIT */
#include "board/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/quote.h"

extern char **environ;

/* How often a command that closed its outputs is asked whether it has ended. */
static const int WATCH_MS = 5;

static int spawn(const char *const argv[], int out, pid_t *ret, struct nf_err *err)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	char name[NF_QUOTED];

	int e = posix_spawn_file_actions_init(&files);
	if (e != 0)
		return nf_fail_os(err, e, "posix_spawn");
	e = posix_spawnattr_init(&attr);
	if (e != 0) {
		posix_spawn_file_actions_destroy(&files);
		return nf_fail_os(err, e, "posix_spawn");
	}
	sigemptyset(&none);
	sigfillset(&all);
	e = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	if (e == 0)
		e = posix_spawn_file_actions_adddup2(&files, out, 1);
	if (e == 0)
		e = posix_spawn_file_actions_adddup2(&files, out, 2);
	if (e == 0)
		e = posix_spawnattr_setsigmask(&attr, &none);
	if (e == 0)
		e = posix_spawnattr_setsigdefault(&attr, &all);
	if (e == 0)
		e = posix_spawnattr_setpgroup(&attr, 0);
	if (e == 0)
		e = posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
		                                            POSIX_SPAWN_SETPGROUP);
	if (e == 0)
		e = posix_spawnp(ret, argv[0], &files, &attr, (char *const *)(uintptr_t)argv,
		                 environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	if (e == 0)
		return 0;
	nf_quote(argv[0], name);
	return nf_fail(err, NF_EARG, "command %s: %s", name, strerror(e));
}

/* Keeps what there is room for, drops the rest. 1 at the end of it. */
static int take(int fd, struct nf_command_end *ret)
{
	char data[512];
	ssize_t n = read(fd, data, sizeof(data));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (n <= 0)
		return 1;
	size_t room = NF_COMMAND_SAID - 1 - ret->said_bytes;
	size_t keep = (size_t)n < room ? (size_t)n : room;
	memcpy(ret->said + ret->said_bytes, data, keep);
	ret->said_bytes += keep;
	ret->said[ret->said_bytes] = '\0';
	return 0;
}

/* Until it has ended or the time is over. 1: ended. */
static int watch(pid_t pid, int fd, int64_t timeout_ns, struct nf_command_end *ret)
{
	struct nf_instant begin = nf_now_monotonic();
	struct pollfd p = { .fd = fd, .events = POLLIN };

	for (;;) {
		if (waitpid(pid, &ret->wait_status, WNOHANG) == pid)
			return 1;
		if (nf_since_ns(begin, nf_now_monotonic()) >= timeout_ns)
			return 0;
		if (poll(&p, 1, WATCH_MS) > 0 && p.fd >= 0 && take(fd, ret) != 0)
			p.fd = -1;
	}
}

int nf_command_run(const char *const argv[], int64_t timeout_ns, struct nf_command_end *ret,
                   struct nf_err *err)
{
	struct nf_command_end end = { 0 };
	char name[NF_QUOTED];
	int out[2];
	pid_t pid;

	if (pipe2(out, O_CLOEXEC | O_NONBLOCK) < 0)
		return nf_fail_os(err, errno, "pipe");
	int r = spawn(argv, out[1], &pid, err);
	close(out[1]);
	if (r < 0) {
		close(out[0]);
		return r;
	}
	int ended = watch(pid, out[0], timeout_ns, &end);
	kill(-pid, SIGKILL);
	if (ended) {
		for (size_t i = 0; i < NF_COMMAND_SAID && take(out[0], &end) == 0; i++)
			;
		*ret = end;
	} else {
		while (waitpid(pid, &end.wait_status, 0) < 0 && errno == EINTR)
			;
		nf_quote(argv[0], name);
		r = nf_fail(err, NF_ETIMEOUT, "command %s took longer than %g s and was killed",
		            name, (double)timeout_ns / 1e9);
	}
	close(out[0]);
	return r;
}
