/* SPDX-License-Identifier: MIT */
#include "bench/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/protocol.h"

enum {
	LOOK_MS = 100, /* how often a stop request is looked for */
	LOOK_BLIND_MS = 5, /* how often its end is looked for, where nothing tells of it */
	STOP_GRACE_MS = 500, /* for the iteration at hand; then for what was measured so far */
	READ_BYTES = 1 << 16,
};

/* Room for every CPU, beyond what a cpu_set_t has. */
union cpus {
	cpu_set_t set;
	unsigned long word[NF_CPU_MAX / (8 * sizeof(unsigned long))];
};

/* What the child needs between fork and exec, where it may not allocate. */
struct start {
	const struct nf_process_cfg *cfg;
	int socket;
	pid_t parent;
	union cpus mask; /* as asked, if cfg->cpus */
	union cpus got; /* as read back */
};

static void say_failure(int fd, const char *what, const char *which, int os_errno)
{
	uint8_t head[NF_FRAME_HEAD_BYTES];
	char text[256];

	/* Another thread may hold the lock of what translates messages: strerrordesc_np() has none. */
	const char *why = strerrordesc_np(os_errno);
	size_t n = 0;
	const char *part[] = { what, which, ": ", why ? why : "an unknown error" };
	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++)
		for (const char *p = part[i]; *p && n < sizeof(text); p++)
			text[n++] = *p;
	nf_frame_head(NF_FRAME_FAIL, text, n, head);
	if (write(fd, head, sizeof(head)) == (ssize_t)sizeof(head))
		(void)!write(fd, text, n);
}

static int redirect(const char *path, int flags, int to)
{
	int fd = open(path, flags, 0666);

	if (fd < 0)
		return -1;
	if (fd == to)
		return 0;
	int r = dup2(fd, to);
	close(fd);
	return r;
}

static bool bind_to_cpus(struct start *s)
{
	if (!s->cfg->cpus)
		return true;
	if (sched_setaffinity(0, sizeof(s->mask), &s->mask.set) < 0)
		return false;
	if (sched_getaffinity(0, sizeof(s->got), &s->got.set) < 0)
		return false;
	errno = EINVAL;
	return CPU_EQUAL_S(sizeof(s->mask), &s->mask.set, &s->got.set) != 0;
}

static void child_execute(struct start *s)
{
	const char *input = s->cfg->input ? s->cfg->input : "/dev/null";
	const char *output = s->cfg->output ? s->cfg->output : "/dev/null";
	char *argv[] = { (char *)(uintptr_t)s->cfg->program, (char *)(uintptr_t)NF_BENCH_CHILD_ARG,
		         NULL };
	sigset_t none;

	if (setpgid(0, 0) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		say_failure(s->socket, "cannot start ", s->cfg->program, errno);
	if (getppid() != s->parent)
		_exit(1); /* it ended before it was watched */
	for (int signo = 1; signo < NSIG; signo++)
		signal(signo, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (!bind_to_cpus(s)) {
		say_failure(s->socket, "cannot be bound to the CPUs", "", errno);
	} else if (redirect(input, O_RDONLY, 0) < 0) {
		say_failure(s->socket, "cannot open ", input, errno);
	} else if (redirect(output, O_WRONLY | O_CREAT | O_APPEND, 1) < 0 || dup2(1, 2) < 0) {
		say_failure(s->socket, "cannot open ", output, errno);
	} else if (s->socket == NF_BENCH_FD ? fcntl(NF_BENCH_FD, F_SETFD, 0) < 0
	                                    : dup2(s->socket, NF_BENCH_FD) < 0) {
		say_failure(s->socket, "cannot start ", s->cfg->program, errno);
	} else {
		execve(s->cfg->program, argv, s->cfg->env);
		say_failure(NF_BENCH_FD, "cannot start ", s->cfg->program, errno);
	}
	_exit(127);
}

static void make_mask(const struct nf_cpuset *cpus, union cpus *ret)
{
	enum { BITS = 8 * sizeof(ret->word[0]) };

	for (int cpu = -1; cpus && (cpu = nf_cpuset_next(cpus, cpu)) >= 0;)
		ret->word[cpu / BITS] |= 1UL << cpu % BITS;
}

/* What the parent holds of it. */
struct running {
	pid_t pid; /* 0: none */
	int pidfd; /* -1: this kernel has none (before 5.3; valgrind) */
	int socket; /* ours; -1: closed */
	int64_t start_ns;
	int64_t stop_ns; /* when it was asked to end; 0: it was not */
	unsigned n_asked;
};

static int start(const struct nf_process_cfg *cfg, struct running *run, struct nf_err *err)
{
	struct start s = { .cfg = cfg, .parent = getpid() };
	int pair[2] = { -1, -1 };
	int r = 0;

	make_mask(cfg->cpus, &s.mask);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return nf_fail_os(err, errno, "a socket to a benchmark");
	s.socket = pair[1];
	run->start_ns = nf_now_raw().ns;
	pid_t pid = fork();
	if (pid == 0)
		child_execute(&s); /* does not return */
	if (pid < 0) {
		r = nf_fail_os(err, errno, "a benchmark's process");
		goto out;
	}
	run->pid = pid;
	run->socket = pair[0];
	pair[0] = -1;
	(void)setpgid(pid, pid); /* the child does the same: whoever is first */
	run->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (run->pidfd < 0 && errno != ENOSYS)
		r = nf_fail_os(err, errno, "watching a benchmark's process");
out:
	if (pair[0] >= 0)
		close(pair[0]);
	if (pair[1] >= 0)
		close(pair[1]);
	return r;
}

/* What is there without waiting. False: nothing more will come. */
static bool take(struct running *run, struct nf_buf *said, struct nf_process_end *end)
{
	char data[READ_BYTES];

	for (;;) {
		ssize_t n = recv(run->socket, data, sizeof(data), MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN;
		if (n == 0)
			return false;
		if (nf_buf_add(said, data, (size_t)n) < 0) {
			end->too_much = said->failed == NF_EDATA;
			return false;
		}
	}
}

/* Asks it to end when that is wanted; true: it had its time. */
static bool overdue(const struct nf_process_cfg *cfg, struct running *run,
                    struct nf_process_end *end)
{
	int64_t now_ns = nf_now_raw().ns;

	if (cfg->timeout_ns > 0 && now_ns - run->start_ns >= cfg->timeout_ns && !run->stop_ns) {
		end->timed_out = true;
		return true;
	}
	if (!nf_stop_signo(cfg->stop))
		return false;
	end->stopped = true;
	if (run->n_asked && now_ns - run->stop_ns < STOP_GRACE_MS * INT64_C(1000000))
		return false;
	if (run->n_asked == 2)
		return true;
	run->stop_ns = now_ns;
	run->n_asked++;
	kill(run->pid, SIGTERM);
	return false;
}

static int wait_ms(const struct nf_process_cfg *cfg, const struct running *run)
{
	int look_ms = run->pidfd < 0 ? LOOK_BLIND_MS : LOOK_MS;

	if (cfg->timeout_ns <= 0)
		return look_ms;
	int64_t left_ns = run->start_ns + cfg->timeout_ns - nf_now_raw().ns;
	int64_t left_ms = left_ns / 1000000 + 1;

	return left_ms < 1 ? 1 : left_ms > look_ms ? look_ms : (int)left_ms;
}

/* Where there is no pidfd. It stays to be waited for. */
static bool has_ended(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == pid;
}

/* Until it has ended by itself, or has to be ended. */
static int attend(const struct nf_process_cfg *cfg, struct running *run, struct nf_buf *said,
                  struct nf_process_end *end, struct nf_err *err)
{
	bool listening = true;

	while (!overdue(cfg, run, end)) {
		struct pollfd p[2] = { { .fd = run->pidfd, .events = POLLIN },
			               { .fd = listening ? run->socket : -1, .events = POLLIN } };

		if (poll(p, 2, wait_ms(cfg, run)) < 0) {
			if (errno == EINTR)
				continue;
			return nf_fail_os(err, errno, "waiting for a benchmark");
		}
		bool ended = run->pidfd < 0 ? has_ended(run->pid) : p[0].revents != 0;
		if (listening && (ended || p[1].revents))
			listening = take(run, said, end);
		if (ended || end->too_much || said->failed == NF_ENOMEM)
			return 0;
	}
	(void)take(run, said, end);
	return 0;
}

/* Gone, with everything that it has started and that did not leave its group. */
static int finish(struct running *run, struct nf_process_end *end, struct nf_err *err)
{
	int r = 0;

	if (run->pid > 0) {
		pid_t got;

		kill(-run->pid, SIGKILL);
		kill(run->pid, SIGKILL); /* it may not have made its group yet */
		do
			got = wait4(run->pid, &end->wait_status, 0, &end->usage);
		while (got < 0 && errno == EINTR);
		if (got < 0)
			r = nf_fail_os(err, errno, "waiting for a benchmark's end");
	}
	end->wall_ns = nf_now_raw().ns - run->start_ns;
	if (run->socket >= 0)
		close(run->socket);
	if (run->pidfd >= 0)
		close(run->pidfd);
	return r;
}

int nf_process_run(const struct nf_process_cfg *cfg, struct nf_buf *said,
                   struct nf_process_end *ret, struct nf_err *err)
{
	struct running run = { .pidfd = -1, .socket = -1 };
	struct nf_process_end end = { 0 };
	int r = start(cfg, &run, err);

	/* One that is gone already explains itself by its end. */
	if (r == 0 && send(run.socket, cfg->request, cfg->request_bytes, MSG_NOSIGNAL) < 0 &&
	    errno != EPIPE && errno != ECONNRESET)
		r = nf_fail_os(err, errno, "the request to a benchmark");
	if (r == 0)
		r = attend(cfg, &run, said, &end, err);
	int ended = finish(&run, &end, r == 0 ? err : NULL);
	if (r == 0)
		r = ended;
	if (r == 0 && said->failed == NF_ENOMEM)
		r = nf_fail_nomem(err, "a benchmark's answer", said->max_bytes);
	if (r == 0)
		*ret = end;
	return r;
}
