/* SPDX-License-Identifier: MIT */
#include "bench/execution.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sysio.h"
#include "base/utf8.h"
#include "bench/tree_cgroup.h"

extern char **environ;

enum {
	LOOK_MS = 50, /* how often a stop request is looked for meanwhile */
	READ_BYTES = 1 << 16,
};

/* --- which program --- */

static const char *path_of(char *const *env)
{
	static const char name[] = "PATH=";

	for (; *env; env++)
		if (strncmp(*env, name, sizeof(name) - 1) == 0)
			return *env + sizeof(name) - 1;
	return "/usr/local/bin:/usr/bin:/bin";
}

static bool runnable(const char *path)
{
	struct stat st;

	return access(path, X_OK) == 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* As the shell finds it. */
static int find_program(const char *name, char *const *env, char ret[NF_EXECUTION_PATH_BYTES],
                        struct nf_err *err)
{
	const char *at = strchr(name, '/') ? NULL : path_of(env);

	if (!at) {
		if (strlen(name) >= NF_EXECUTION_PATH_BYTES)
			return nf_fail(err, NF_EARG, "the command's name is longer than %d bytes",
			               NF_EXECUTION_PATH_BYTES - 1);
		memcpy(ret, name, strlen(name) + 1);
		return runnable(ret) ? 0
		                     : nf_fail(err, NF_EARG,
		                               "command not found: '%.*s'; allowed: a program "
		                               "that can be executed",
		                               NF_UTF8_CUT(name, 200));
	}
	while (*name) {
		size_t len = strcspn(at, ":");
		int n = snprintf(ret, NF_EXECUTION_PATH_BYTES, "%.*s%s%s", (int)len, at,
		                 len ? "/" : "", name);

		if (n > 0 && n < NF_EXECUTION_PATH_BYTES && runnable(ret))
			return 0;
		if (!at[len])
			break;
		at += len + 1;
	}
	return nf_fail(err, NF_EARG,
	               "command not found: '%.*s'; allowed: a program in PATH or by its path",
	               NF_UTF8_CUT(name, 200));
}

static int look_for_program(const struct nf_variant *v, char *const *env,
                            char ret[NF_EXECUTION_PATH_BYTES], struct nf_err *err)
{
	if (v->shell)
		return find_program("/bin/sh", env, ret, err);
	if (!v->argv || !v->argv[0])
		return nf_fail(err, NF_EARG,
		               "the command is empty; allowed: a program and its "
		               "arguments");
	return find_program(v->argv[0], env, ret, err);
}

int nf_launch_program(const struct nf_variant *v, char ret[NF_EXECUTION_PATH_BYTES],
                      struct nf_err *err)
{
	struct nf_environment env = { 0 };
	int r = nf_environment_make(environ, v->env, 0, &env, err);

	if (r == 0)
		r = look_for_program(v, env.item, ret, err);
	nf_environment_fini(&env);
	return r;
}

int nf_launch_check_input(const char *path, struct nf_err *err)
{
	static const char allowed[] = "allowed: a file that can be read";
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1, r = 0;
	struct stat st;

	if (!path)
		return 0;
	if (fd < 0)
		return nf_errno_is_of_path(errno) ? nf_fail(err, NF_EARG, "input: %s: %s; %s", path,
		                                            strerror(errno), allowed)
		                                  : nf_fail_os(err, errno, "input: %s", path);
	if (fstat(fd, &st) < 0)
		r = nf_fail_os(err, errno, "input: %s", path);
	else if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode) && !S_ISBLK(st.st_mode))
		r = nf_fail(err, NF_EARG, "input: %s: %s, which not every execution can read; %s",
		            path, S_ISDIR(st.st_mode) ? "a folder" : "a pipe or socket", allowed);
	close(fd);
	return r;
}

int nf_launch_check(const struct nf_variant *v, struct nf_err *err)
{
	char path[NF_EXECUTION_PATH_BYTES];
	int r = nf_launch_program(v, path, err);

	return r < 0 ? r : nf_launch_check_input(v->input, err);
}

/* --- one process --- */

/* What the descriptors 0 to 2 of a process are; fd_out -1: as standard error. */
static int set_actions(const struct nf_variant *v, int fd_out, posix_spawn_file_actions_t *a)
{
	const char *in = v->input ? v->input : "/dev/null";
	const char *out = v->output ? v->output : "/dev/null";
	int e = posix_spawn_file_actions_addopen(a, STDIN_FILENO, in, O_RDONLY, 0);

	if (e == 0)
		e = posix_spawn_file_actions_addopen(a, STDERR_FILENO, out,
		                                     O_WRONLY | O_CREAT | O_APPEND, 0666);
	if (e == 0)
		e = posix_spawn_file_actions_adddup2(a, fd_out >= 0 ? fd_out : STDERR_FILENO,
		                                     STDOUT_FILENO);
	return e;
}

static int set_attributes(posix_spawnattr_t *attr)
{
	sigset_t none, all;
	int e;

	sigemptyset(&none);
	sigfillset(&all);
	e = posix_spawnattr_setsigmask(attr, &none);
	if (e == 0)
		e = posix_spawnattr_setsigdefault(attr, &all);
	if (e == 0)
		e = posix_spawnattr_setpgroup(attr, 0);
	if (e == 0)
		e = posix_spawnattr_setflags(attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
		                                           POSIX_SPAWN_SETSIGDEF);
	return e;
}

static int set_up(struct nf_launch *c, bool listen, struct nf_err *err)
{
	int e = 0;

	if (c->v->prepare || c->v->cleanup) {
		e = posix_spawn_file_actions_init(&c->beside);
		c->has_beside = e == 0;
		if (e == 0)
			e = set_actions(c->v, -1, &c->beside);
	}
	if (e == 0 && listen && pipe2(c->pipe, O_CLOEXEC) < 0)
		return nf_fail_os(err, errno, "a pipe from a command");
	/* Only our end does not wait. */
	if (e == 0 && listen && fcntl(c->pipe[0], F_SETFL, O_NONBLOCK) < 0)
		return nf_fail_os(err, errno, "a pipe from a command");
	if (e == 0) {
		e = posix_spawn_file_actions_init(&c->actions);
		c->has_actions = e == 0;
	}
	if (e == 0)
		e = set_actions(c->v, c->pipe[1], &c->actions);
	if (e == 0) {
		e = posix_spawnattr_init(&c->attr);
		c->has_attr = e == 0;
	}
	if (e == 0)
		e = set_attributes(&c->attr);
	return e ? nf_fail_os(err, e, "cannot prepare the start of a command") : 0;
}

int nf_launch_open(const struct nf_variant *v, const struct nf_set_cfg *cfg, bool listen,
                   struct nf_launch *ret, struct nf_err *err)
{
	*ret = (struct nf_launch){
		.v = v, .cfg = cfg, .pipe = { -1, -1 }, .weighs = cfg->weigh, .proc_fd = -1
	};
	int r = nf_environment_make(environ, v->env, cfg->seed, &ret->environment, err);

	if (r == 0)
		r = look_for_program(v, ret->environment.item, ret->path, err);
	if (r == 0)
		r = set_up(ret, listen, err);
	if (r == 0 && cfg->weigh)
		ret->proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r < 0)
		nf_launch_close(ret);
	return r;
}

void nf_launch_close(struct nf_launch *c)
{
	for (size_t i = 0; i < 2; i++)
		if (c->pipe[i] >= 0)
			close(c->pipe[i]);
	if (c->proc_fd >= 0)
		close(c->proc_fd);
	if (c->has_actions)
		posix_spawn_file_actions_destroy(&c->actions);
	if (c->has_beside)
		posix_spawn_file_actions_destroy(&c->beside);
	if (c->has_attr)
		posix_spawnattr_destroy(&c->attr);
	nf_environment_fini(&c->environment);
}

/* Where there is no pidfd. It stays to be waited for. */
static bool has_ended(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == pid;
}

/* What there is without waiting. False: it said more than there is room for. */
static bool take(const struct nf_launch *c, struct nf_buf *said)
{
	char data[READ_BYTES];
	ssize_t n;

	while ((n = read(c->pipe[0], data, sizeof(data))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0 && nf_buf_add(said, data, (size_t)n) < 0)
			return false;
	return true;
}

/* What is found out of a process while it runs; NULL: is not. */
struct listener {
	struct nf_buf *said;
	struct nf_tree_memory *memory;
};

/* Until it has ended, its time is over or a stop is asked for; then it is told, with its whole group, to
 * end. Its wait status is still to be taken. pid_fd -1: this kernel has none (before 5.3; valgrind), and
 * it is looked for every millisecond. */
static int watch(const struct nf_launch *c, int pid_fd, pid_t pid, struct nf_instant begin,
                 const struct listener *to, struct nf_ended *ret, struct nf_err *err)
{
	struct pollfd p[2] = { { .fd = pid_fd, .events = POLLIN },
		               { .fd = to->said ? c->pipe[0] : -1, .events = POLLIN } };
	const int64_t look_ns = (pid_fd < 0 ? 1 : (int64_t)LOOK_MS) * 1000000;

	for (;;) {
		if (pid_fd < 0 && has_ended(pid))
			return 0;
		int64_t spent_ns = nf_since_ns(begin, nf_now_raw());
		int64_t left_ns = look_ns;

		if (c->v->timeout_ns > 0 && c->v->timeout_ns - spent_ns < left_ns)
			left_ns = c->v->timeout_ns - spent_ns;
		ret->timed_out = left_ns <= 0;
		ret->stopped = nf_stop_signo(c->cfg->stop) != 0;
		if (ret->timed_out || ret->stopped || ret->too_much) {
			kill(-pid, SIGKILL);
			left_ns = look_ns;
		} else if (to->memory) {
			int r = nf_tree_memory_sample(to->memory, c->proc_fd, pid, err);

			if (r < 0)
				return r;
			left_ns = left_ns < to->memory->step_ns ? left_ns : to->memory->step_ns;
		}
		struct timespec ts = { left_ns / 1000000000, left_ns % 1000000000 };
		int n = ppoll(p, 2, &ts, NULL);
		if (n < 0 && errno != EINTR)
			return nf_fail_os(err, errno, "cannot wait for a command");
		if (n > 0 && p[1].revents && !take(c, to->said)) {
			ret->too_much = true;
			p[1].fd = -1;
		}
		if (n > 0 && p[0].revents)
			return 0;
	}
}

static int execute(const struct nf_launch *c, const posix_spawn_file_actions_t *actions,
                   const char *path, char *const *argv, const struct listener *to,
                   struct nf_ended *ret, struct nf_err *err)
{
	struct nf_buf *said = to->said;
	struct nf_ended e = { 0 };
	pid_t pid;
	struct nf_instant begin = nf_now_raw();
	int failed = posix_spawn(&pid, path, actions, &c->attr, argv, c->environment.item);

	if (failed)
		return nf_fail_os(err, failed, "cannot start '%.*s'", NF_UTF8_CUT(path, 200));
	int pid_fd = (int)syscall(SYS_pidfd_open, pid, 0);
	int r = pid_fd < 0 && errno != ENOSYS
	                ? nf_fail_os(err, errno, "cannot wait for a command: pidfd_open")
	                : 0;
	if (r == 0)
		r = watch(c, pid_fd, pid, begin, to, &e, err);
	e.wall_ns = (double)nf_since_ns(begin, nf_now_raw());
	/* Before it is reaped the number of its group cannot be another's. */
	kill(-pid, SIGKILL);
	while (wait4(pid, &e.wait_status, 0, &e.usage) < 0)
		if (errno != EINTR) {
			if (r == 0)
				r = nf_fail_os(err, errno, "cannot learn how a command ended");
			break;
		}
	if (pid_fd >= 0)
		close(pid_fd);
	if (r == 0 && said && !e.too_much)
		e.too_much = !take(c, said);
	if (r == 0 && said && said->failed == NF_ENOMEM)
		r = nf_fail_nomem(err, "what a command said", said->max_bytes);
	if (r == 0)
		*ret = e;
	return r;
}

/* The words of what runs: argv or a shell's text. */
struct words {
	const char *path;
	const char *const *argv;
};

static int run_words(const struct nf_launch *c, const struct words *w, const struct listener *to,
                     struct nf_ended *ret, struct nf_err *err)
{
	return execute(c, &c->actions, w->path, (char *const *)(uintptr_t)w->argv, to, ret, err);
}

/* A shell enters the group and becomes the command: where it may not enter the command is in no group
 * of its own, whose peak then is 0. */
static int run_in_group(const struct nf_launch *c, const struct nf_tree_cgroup *group,
                        const struct words *w, const struct listener *to, struct nf_ended *ret,
                        struct nf_err *err)
{
	static const char enter[] = "{ echo $$ >\"$0\"; } 2>/dev/null; exec \"$@\"";
	struct words in = { .path = "/bin/sh" };
	size_t n = 0;

	while (w->argv[n])
		n++;
	const char **argv = calloc(n + 5, sizeof(*argv));
	if (!argv)
		return nf_fail_nomem(err, "a command", (n + 5) * sizeof(*argv));
	argv[0] = "sh";
	argv[1] = "-c";
	argv[2] = enter;
	argv[3] = group->procs;
	memcpy(argv + 4, w->argv, n * sizeof(*argv));
	argv[4] = w->path; /* which the shell must not look for */
	in.argv = argv;
	int r = run_words(c, &in, to, ret, err);
	free(argv);
	return r;
}

/* By a control group where one can be had, else by samples, which are taken in any case. */
static int run_weighed(const struct nf_launch *c, const struct words *w, struct nf_buf *said,
                       struct nf_ended *ret, struct nf_err *err)
{
	struct nf_tree_memory memory = { 0 };
	struct nf_tree_cgroup group;
	const struct listener to = { .said = said, .memory = c->proc_fd >= 0 ? &memory : NULL };
	struct nf_ended e = { 0 };
	struct nf_err ignored = { 0 };
	bool grouped = nf_tree_cgroup_make("", &group);

	nf_tree_memory_init(&memory);
	int r = grouped ? run_in_group(c, &group, w, &to, &e, err) : run_words(c, w, &to, &e, err);
	e.tree_samples = memory.samples;
	if (r == 0 && nf_tree_cgroup_peak(&group, &e.tree_bytes)) {
		e.tree_method = NF_TREE_CGROUP;
	} else if (memory.method != NF_TREE_UNKNOWN) {
		e.tree_method = memory.method;
		e.tree_bytes = memory.peak_bytes;
	}
	int removed = nf_tree_cgroup_remove(&group, r == 0 ? err : &ignored);
	nf_tree_memory_fini(&memory);
	if (r == 0)
		r = removed;
	if (r == 0)
		*ret = e;
	return r;
}

int nf_launch_run(const struct nf_launch *c, struct nf_buf *said, struct nf_ended *ret,
                  struct nf_err *err)
{
	const char *const shell[] = { "sh", "-c", c->v->shell, NULL };
	const struct words words = { .path = c->v->shell ? "/bin/sh" : c->path,
		                     .argv = c->v->shell ? shell : c->v->argv };
	const struct listener to = { .said = said };

	return c->weighs ? run_weighed(c, &words, said, ret, err)
	                 : run_words(c, &words, &to, ret, err);
}

int nf_launch_shell(const struct nf_launch *c, const char *text, struct nf_ended *ret,
                    struct nf_err *err)
{
	const char *const argv[] = { "sh", "-c", text, NULL };
	const struct listener to = { 0 };

	return execute(c, &c->beside, "/bin/sh", (char *const *)(uintptr_t)argv, &to, ret, err);
}
