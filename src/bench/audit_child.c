/* SPDX-License-Identifier: MIT */
#include "bench/audit_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"

enum {
	LOOK_MS = 50, /* how often a stop request is looked for */
	LOOK_BLIND_MS = 5, /* how often its end is, where nothing tells of it */
	ENV_MAX = 1 << 16,
};
#define STOP_GRACE_NS INT64_C(2000000000)

/* What the child needs between fork and exec. */
struct start {
	const struct nf_audit_cfg *cfg;
	char **env;
	int gate; /* read end; -1: not held */
	int failed; /* write end */
	pid_t parent;
};

static int make_page(bool traced, struct nf_audit_child *c, struct nf_err *err)
{
	c->page_fd = memfd_create("noisefloor-regions", MFD_CLOEXEC);
	if (c->page_fd < 0 || ftruncate(c->page_fd, sizeof(*c->page)) < 0)
		return nf_fail_os(err, errno, "memory for the regions of a program");
	void *p = mmap(NULL, sizeof(*c->page), PROT_READ | PROT_WRITE, MAP_SHARED, c->page_fd, 0);
	if (p == MAP_FAILED)
		return nf_fail_os(err, errno, "memory for the regions of a program");
	c->page = p;
	nf_region_page_init(c->page, traced);
	return 0;
}

/* The environment with the page's path; own: its last item is `page`. */
static int make_env(char *const *env, char *page, char ***ret, struct nf_err *err)
{
	static const char name[] = NF_REGION_ENV "=";
	size_t n = 0, kept = 0;

	while (env && env[n] && n < ENV_MAX)
		n++;
	char **e = calloc(n + 2, sizeof(*e));
	if (!e)
		return nf_fail_nomem(err, "an environment", (n + 2) * sizeof(*e));
	for (size_t i = 0; i < n; i++)
		if (strncmp(env[i], name, sizeof(name) - 1) != 0)
			e[kept++] = env[i];
	e[kept] = page;
	*ret = e;
	return 0;
}

static bool set_files(const struct nf_audit_cfg *cfg)
{
	if (isatty(STDIN_FILENO)) {
		int null = open("/dev/null", O_RDONLY);

		if (null < 0 || dup2(null, STDIN_FILENO) < 0)
			return false;
		if (null != STDIN_FILENO)
			close(null);
	}
	return !cfg->output_to_stderr || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
}

static void child_execute(const struct start *s)
{
	sigset_t none;
	char byte;

	if (setpgid(0, 0) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != s->parent)
		_exit(127);
	for (int signo = 1; signo < NSIG; signo++)
		signal(signo, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (s->gate >= 0 && read(s->gate, &byte, 1) != 1)
		_exit(127);
	if (set_files(s->cfg))
		execvpe(s->cfg->argv[0], (char *const *)(uintptr_t)s->cfg->argv, s->env);
	int why = errno;
	(void)!write(s->failed, &why, sizeof(why));
	_exit(127);
}

static void close_both(int fd[2])
{
	for (int i = 0; i < 2; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

int nf_audit_child_start(const struct nf_audit_cfg *cfg, bool traced, bool held,
                         struct nf_audit_child *c, struct nf_err *err)
{
	int gate[2] = { -1, -1 }, failed[2] = { -1, -1 };
	struct start s = { .cfg = cfg, .gate = -1, .parent = getpid() };
	char page[64];

	*c = (struct nf_audit_child){ .page_fd = -1, .gate = -1, .failed = -1 };
	int r = make_page(traced, c, err);
	if (r < 0)
		goto out;
	snprintf(page, sizeof(page), NF_REGION_ENV "=/proc/%d/fd/%d", (int)getpid(), c->page_fd);
	r = make_env(cfg->env, page, &s.env, err);
	if (r < 0)
		goto out;
	if (pipe2(failed, O_CLOEXEC) < 0 || (held && pipe2(gate, O_CLOEXEC) < 0)) {
		r = nf_fail_os(err, errno, "a pipe to a command");
		goto out;
	}
	s.gate = gate[0];
	s.failed = failed[1];
	c->start_ns = nf_now_raw().ns;
	pid_t pid = fork();
	if (pid == 0) {
		/* Else its own end would keep the gate open when this process is gone. */
		if (gate[1] >= 0)
			close(gate[1]);
		child_execute(&s); /* does not return */
	}
	if (pid < 0) {
		r = nf_fail_os(err, errno, "a process for the command");
		goto out;
	}
	c->pid = pid;
	(void)setpgid(pid, pid); /* the child does the same: whoever is first */
	c->gate = gate[1];
	c->failed = failed[0];
	gate[1] = failed[0] = -1;
out:
	close_both(gate);
	close_both(failed);
	free(s.env);
	return r;
}

int nf_audit_child_release(struct nf_audit_child *c, struct nf_err *err)
{
	c->start_ns = nf_now_raw().ns;
	if (write(c->gate, "", 1) != 1)
		return nf_fail_os(err, errno, "starting the command");
	close(c->gate);
	c->gate = -1;
	return 0;
}

int nf_audit_child_executed(struct nf_audit_child *c, const char *name, struct nf_err *err)
{
	int why = 0;
	ssize_t n;

	do
		n = read(c->failed, &why, sizeof(why));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return nf_fail_os(err, errno, "starting the command");
	close(c->failed);
	c->failed = -1;
	if (n == 0)
		return 0;
	return nf_fail(err, NF_EARG, "'%.*s' cannot be executed: %s; allowed: a program",
	               NF_UTF8_CUT(name, 200),
	               strerrordesc_np(why) ? strerrordesc_np(why) : "an unknown error");
}

void nf_audit_child_attend(struct nf_audit_child *c, const struct nf_stop *stop)
{
	int64_t now_ns = nf_now_raw().ns;

	if (!nf_stop_signo(stop))
		return;
	if (c->stop_ns == 0) {
		c->stop_ns = now_ns;
		kill(-c->pid, SIGTERM);
		kill(-c->pid, SIGCONT);
	} else if (now_ns - c->stop_ns > STOP_GRACE_NS) {
		kill(-c->pid, SIGKILL);
	}
}

void nf_audit_end_process(pid_t pid)
{
	pid_t got;
	int status = 0;

	kill(pid, SIGKILL);
	do /* one that is traced may still tell of a stop */
		got = waitpid(pid, &status, __WALL);
	while ((got < 0 && errno == EINTR) || (got == pid && WIFSTOPPED(status)));
}

void nf_audit_child_end(struct nf_audit_child *c)
{
	if (c->pid > 0) {
		kill(-c->pid, SIGKILL);
		nf_audit_end_process(c->pid); /* it may not have made its group yet */
	}
	if (c->page)
		munmap(c->page, sizeof(*c->page));
	if (c->page_fd >= 0)
		close(c->page_fd);
	if (c->gate >= 0)
		close(c->gate);
	if (c->failed >= 0)
		close(c->failed);
	*c = (struct nf_audit_child){ .page_fd = -1, .gate = -1, .failed = -1 };
}

/* Without taking its status: its number is still its own. */
static int has_ended(pid_t pid, bool *ret, struct nf_err *err)
{
	siginfo_t info = { .si_pid = 0 };

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno != EINTR)
		return nf_fail_os(err, errno, "cannot wait for the command");
	*ret = info.si_pid == pid;
	return 0;
}

static int watch(struct nf_audit_child *c, const struct nf_stop *stop, struct nf_err *err)
{
	int pidfd = (int)syscall(SYS_pidfd_open, c->pid, 0);
	bool ended = false;
	int r = 0;

	if (pidfd < 0 && errno != ENOSYS)
		return nf_fail_os(err, errno, "cannot wait for the command");
	while (r == 0 && !ended) {
		struct pollfd p = { .fd = pidfd, .events = POLLIN };

		nf_audit_child_attend(c, stop);
		if (poll(&p, 1, pidfd < 0 ? LOOK_BLIND_MS : LOOK_MS) < 0 && errno != EINTR)
			r = nf_fail_os(err, errno, "cannot wait for the command");
		else
			r = has_ended(c->pid, &ended, err);
	}
	if (pidfd >= 0)
		close(pidfd);
	return r;
}

int nf_audit_measure(const struct nf_audit_cfg *cfg, struct nf_region_page *ret,
                     struct nf_audit_end *ret_end, struct nf_err *err)
{
	struct nf_audit_child c;
	struct nf_audit_end end = { 0 };
	int r = nf_audit_child_start(cfg, false, false, &c, err);

	if (r == 0)
		r = nf_audit_child_executed(&c, cfg->argv[0], err);
	if (r == 0)
		r = watch(&c, cfg->stop, err);
	if (r < 0)
		goto out;
	end.wall_ns = nf_now_raw().ns - c.start_ns;
	end.stopped = c.stop_ns != 0;
	/* What it left running in its group goes first: it may still write to the page. */
	kill(-c.pid, SIGKILL);
	pid_t got;
	do
		got = wait4(c.pid, &end.wait_status, 0, &end.usage);
	while (got < 0 && errno == EINTR);
	if (got < 0) {
		r = nf_fail_os(err, errno, "cannot learn how the command ended");
		goto out;
	}
	c.pid = 0;
	r = nf_region_page_read(c.page, ret, err);
	if (r == 0)
		*ret_end = end;
out:
	nf_audit_child_end(&c);
	return r;
}
