/* SPDX-License-Identifier: MIT */
#include "remote/ssh_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/quote.h"

extern char **environ;

/* How often a child without streams is asked whether it has ended. */
static const struct timespec WATCH = { .tv_nsec = 5000000 };

static void shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int spawn(const char *const argv[], int in, int out, int said, pid_t *ret)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;

	int e = posix_spawn_file_actions_init(&files);
	if (e != 0)
		return e;
	e = posix_spawnattr_init(&attr);
	if (e != 0) {
		posix_spawn_file_actions_destroy(&files);
		return e;
	}
	sigemptyset(&none);
	sigfillset(&all);
	e = posix_spawn_file_actions_adddup2(&files, in, 0);
	if (e == 0)
		e = posix_spawn_file_actions_adddup2(&files, out, 1);
	if (e == 0)
		e = posix_spawn_file_actions_adddup2(&files, said, 2);
	if (e == 0)
		e = posix_spawnattr_setsigmask(&attr, &none);
	if (e == 0)
		e = posix_spawnattr_setsigdefault(&attr, &all);
	if (e == 0)
		e = posix_spawnattr_setpgroup(&attr, 0);
	if (e == 0)
		e = posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
		                                            POSIX_SPAWN_SETPGROUP);
	if (e == 0) /* it takes char *const and changes none */
		e = posix_spawnp(ret, argv[0], &files, &attr, (char *const *)(uintptr_t)argv,
		                 environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return e;
}

static int streams(int input_fd, int in[2], int out[2], int said[2])
{
	if (input_fd < 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) < 0)
		return errno;
	if (pipe2(out, O_CLOEXEC) < 0 || pipe2(said, O_CLOEXEC) < 0)
		return errno;
	if (fcntl(out[0], F_SETFL, O_NONBLOCK) < 0 || fcntl(said[0], F_SETFL, O_NONBLOCK) < 0)
		return errno;
	return 0;
}

int nf_ssh_child_start(const char *const argv[], int input_fd, struct nf_ssh_child *ret,
                       struct nf_err *err)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, said[2] = { -1, -1 };
	struct nf_ssh_child c = NF_SSH_CHILD_NONE;
	char name[NF_QUOTED];

	int e = streams(input_fd, in, out, said);
	if (e == 0)
		e = spawn(argv, input_fd < 0 ? in[1] : input_fd, out[1], said[1], &c.pid);
	shut(&in[1]);
	shut(&out[1]);
	shut(&said[1]);
	if (e == 0) {
		c.in_fd = in[0];
		c.out_fd = out[0];
		c.err_fd = said[0];
		*ret = c;
		return 0;
	}
	shut(&in[0]);
	shut(&out[0]);
	shut(&said[0]);
	nf_quote(argv[0], name);
	if (e == ENOENT)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "%s is not on the PATH; it comes with OpenSSH's client "
		               "(openssh-client)",
		               name);
	return nf_fail_os(err, e, "cannot start %s", name);
}

bool nf_ssh_child_ended(struct nf_ssh_child *c)
{
	if (c->pid < 0)
		return true;
	pid_t got = waitpid(c->pid, &c->wait_status, WNOHANG);
	if (got == 0 || (got < 0 && errno == EINTR))
		return false;
	c->pid = -1;
	return true;
}

bool nf_ssh_child_await(struct nf_ssh_child *c, int64_t limit_ns)
{
	struct nf_instant begin = nf_now_monotonic();

	while (!nf_ssh_child_ended(c)) {
		if (nf_since_ns(begin, nf_now_monotonic()) >= limit_ns)
			return false;
		nf_ssh_child_listen(c);
		nanosleep(&WATCH, NULL);
	}
	return true;
}

void nf_ssh_child_hush(struct nf_ssh_child *c)
{
	shut(&c->in_fd);
}

void nf_ssh_child_listen(struct nf_ssh_child *c)
{
	char data[4096];

	for (int i = 0; i < 16 && c->err_fd >= 0; i++) { /* a stream without end is not followed */
		ssize_t n = read(c->err_fd, data, sizeof(data));

		if (n > 0)
			nf_said_add(&c->said, data, (size_t)n);
		else if (n == 0 || (errno != EINTR && errno != EAGAIN))
			shut(&c->err_fd);
		else if (errno == EAGAIN)
			return;
	}
}

void nf_ssh_child_end(struct nf_ssh_child *c)
{
	nf_ssh_child_hush(c);
	shut(&c->out_fd); /* what waits for a reader goes on to its end */
	if (c->pid >= 0) {
		kill(-c->pid, SIGTERM);
		if (!nf_ssh_child_await(c, INT64_C(2000000000))) {
			kill(-c->pid, SIGKILL);
			while (waitpid(c->pid, &c->wait_status, 0) < 0 && errno == EINTR)
				;
			c->pid = -1;
		}
	}
	shut(&c->err_fd);
}
