/* SPDX-License-Identifier: MIT */
/*
 * backend_command - any command, timed from outside: from before it is started to the moment its end is
 * known, on CLOCK_MONOTONIC_RAW. An execution is one value.
 *
 * It is a process group of its own: what it leaves running there is ended with it. Signals that end this
 * program do not reach it by the terminal; a stop request ends it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/duration.h"
#include "bench/backend.h"
#include "bench/environment.h"
#include "bench/set_posture.h"

extern char **environ;

enum {
	LOOK_MS = 50, /* how often a stop request is looked for meanwhile */
	PATH_BYTES = 4096,
	MASK_SETS = 16, /* of 1,024 CPUs each */
};

/* How one process ended. */
struct ended {
	double wall_ns;
	int wait_status;
	struct rusage usage;
	bool timed_out;
	bool stopped;
};

struct command {
	const struct nf_variant *v;
	const struct nf_set_cfg *cfg;
	struct nf_environment environment; /* owned */
	char path[PATH_BYTES];
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	bool has_actions;
	bool has_attr;
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
static int find_program(const char *name, char *const *env, char ret[PATH_BYTES],
                        struct nf_err *err)
{
	const char *at = strchr(name, '/') ? NULL : path_of(env);

	if (!at) {
		if (strlen(name) >= PATH_BYTES)
			return nf_fail(err, NF_EARG, "the command's name is longer than %d bytes",
			               PATH_BYTES - 1);
		memcpy(ret, name, strlen(name) + 1);
		return runnable(ret) ? 0
		                     : nf_fail(err, NF_EARG,
		                               "command not found: '%.200s'; allowed: a program "
		                               "that can be executed",
		                               name);
	}
	while (*name) {
		size_t len = strcspn(at, ":");
		int n = snprintf(ret, PATH_BYTES, "%.*s%s%s", (int)len, at, len ? "/" : "", name);

		if (n > 0 && n < PATH_BYTES && runnable(ret))
			return 0;
		if (!at[len])
			break;
		at += len + 1;
	}
	return nf_fail(err, NF_EARG,
	               "command not found: '%.200s'; allowed: a program in PATH or by its path",
	               name);
}

static int look_for_program(const struct nf_variant *v, char *const *env, char ret[PATH_BYTES],
                            struct nf_err *err)
{
	if (v->shell)
		return find_program("/bin/sh", env, ret, err);
	if (!v->argv || !v->argv[0])
		return nf_fail(err, NF_EARG,
		               "the command is empty; allowed: a program and its "
		               "arguments");
	return find_program(v->argv[0], env, ret, err);
}

static int check(const struct nf_variant *v, struct nf_err *err)
{
	struct nf_environment env = { 0 };
	char path[PATH_BYTES];
	int r = nf_environment_make(environ, v->env, 0, &env, err);

	if (r == 0)
		r = look_for_program(v, env.item, path, err);
	if (r == 0 && v->input && access(v->input, R_OK) != 0)
		r = nf_fail_os(err, errno, "the input file '%.200s'", v->input);
	nf_environment_fini(&env);
	return r;
}

/* --- one process --- */

static int set_up(struct command *c, struct nf_err *err)
{
	const char *in = c->v->input ? c->v->input : "/dev/null";
	const char *out = c->v->output ? c->v->output : "/dev/null";
	sigset_t none, all;
	int e = posix_spawn_file_actions_init(&c->actions);

	c->has_actions = e == 0;
	if (e == 0)
		e = posix_spawn_file_actions_addopen(&c->actions, STDIN_FILENO, in, O_RDONLY, 0);
	if (e == 0)
		e = posix_spawn_file_actions_addopen(&c->actions, STDOUT_FILENO, out,
		                                     O_WRONLY | O_CREAT | O_APPEND, 0666);
	if (e == 0)
		e = posix_spawn_file_actions_adddup2(&c->actions, STDOUT_FILENO, STDERR_FILENO);
	if (e == 0) {
		e = posix_spawnattr_init(&c->attr);
		c->has_attr = e == 0;
	}
	sigemptyset(&none);
	sigfillset(&all);
	if (e == 0)
		e = posix_spawnattr_setsigmask(&c->attr, &none);
	if (e == 0)
		e = posix_spawnattr_setsigdefault(&c->attr, &all);
	if (e == 0)
		e = posix_spawnattr_setpgroup(&c->attr, 0);
	if (e == 0)
		e = posix_spawnattr_setflags(&c->attr, POSIX_SPAWN_SETPGROUP |
		                                               POSIX_SPAWN_SETSIGMASK |
		                                               POSIX_SPAWN_SETSIGDEF);
	return e ? nf_fail_os(err, e, "cannot prepare the start of a command") : 0;
}

static void tear_down(struct command *c)
{
	if (c->has_actions)
		posix_spawn_file_actions_destroy(&c->actions);
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

/* Until it has ended, its time is over or a stop is asked for; then it is told, with its whole group, to
 * end. Its wait status is still to be taken. pid_fd -1: this kernel has none (before 5.3; valgrind), and
 * it is looked for every millisecond. */
static int watch(const struct command *c, int pid_fd, pid_t pid, struct nf_instant begin,
                 struct ended *ret, struct nf_err *err)
{
	struct pollfd p = { .fd = pid_fd, .events = POLLIN };
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
		if (ret->timed_out || ret->stopped) {
			kill(-pid, SIGKILL);
			left_ns = look_ns;
		}
		struct timespec ts = { left_ns / 1000000000, left_ns % 1000000000 };
		int n = ppoll(&p, 1, &ts, NULL);
		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return nf_fail_os(err, errno, "cannot wait for a command");
	}
}

static int execute(const struct command *c, const char *path, char *const *argv, struct ended *ret,
                   struct nf_err *err)
{
	struct ended e = { 0 };
	pid_t pid;
	struct nf_instant begin = nf_now_raw();
	int failed = posix_spawn(&pid, path, &c->actions, &c->attr, argv, c->environment.item);

	if (failed)
		return nf_fail_os(err, failed, "cannot start '%.200s'", path);
	int pid_fd = (int)syscall(SYS_pidfd_open, pid, 0);
	int r = pid_fd < 0 && errno != ENOSYS
	                ? nf_fail_os(err, errno, "cannot wait for a command: pidfd_open")
	                : 0;
	if (r == 0)
		r = watch(c, pid_fd, pid, begin, &e, err);
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
	if (r == 0)
		*ret = e;
	return r;
}

static int run_shell(const struct command *c, const char *text, struct ended *ret,
                     struct nf_err *err)
{
	const char *const argv[] = { "sh", "-c", text, NULL };

	return execute(c, "/bin/sh", (char *const *)(uintptr_t)argv, ret, err);
}

/* --- a set --- */

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec * 1e9 + (double)t.tv_usec * 1e3;
}

/* The kernel counts what the process was before it became the command, which is this program: a peak that
 * is no greater than that cannot be told. */
static double peak_of(const struct rusage *u)
{
	struct rusage own;

	if (getrusage(RUSAGE_SELF, &own) < 0 || u->ru_maxrss <= own.ru_maxrss)
		return -1;
	return (double)u->ru_maxrss * 1024;
}

static void say_timeout(const struct command *c, struct nf_set *set)
{
	struct nf_buf text;

	nf_buf_init(&text, 64);
	(void)nf_duration_print(c->v->timeout_ns, &text);
	nf_set_fail(set, "took longer than %s", text.data);
	nf_buf_fini(&text);
}

/* Whether the set goes on after this. */
static bool went_well(const struct command *c, const struct ended *e, const char *what, bool any,
                      struct nf_set *set)
{
	if (e->stopped) {
		set->stopped = true;
		return false;
	}
	if (e->timed_out) {
		say_timeout(c, set);
		return false;
	}
	if (e->wait_status == 0 || (any && WIFEXITED(e->wait_status)))
		return true;
	if (what)
		nf_set_fail(set, "%s: %s %d", what,
		            WIFSIGNALED(e->wait_status) ? "signal" : "exit status",
		            WIFSIGNALED(e->wait_status) ? WTERMSIG(e->wait_status)
		                                        : WEXITSTATUS(e->wait_status));
	else
		nf_set_fail_status(set, e->wait_status);
	return false;
}

static int beside(const struct command *c, const char *text, const char *what, struct nf_set *set,
                  bool *ret_well, struct nf_err *err)
{
	struct ended e = { 0 };

	*ret_well = true;
	int r = text ? run_shell(c, text, &e, err) : 0;
	if (r == 0 && text)
		*ret_well = went_well(c, &e, what, false, set);
	return r;
}

static void keep(const struct ended *e, struct nf_set *set)
{
	set->value[set->n] = e->wall_ns;
	set->user_ns[set->n] = seconds_of(e->usage.ru_utime);
	set->system_ns[set->n] = seconds_of(e->usage.ru_stime);
	set->peak_bytes[set->n] = peak_of(&e->usage);
	set->wait_status[set->n] = e->wait_status;
	set->posture.context_switches += e->usage.ru_nvcsw + e->usage.ru_nivcsw;
	set->n++;
}

/* One execution with what belongs before and after it. */
static int once(const struct command *c, bool warm_up, struct nf_set *set, bool *ret_on,
                struct nf_err *err)
{
	struct ended e = { 0 };
	bool well;
	int r = beside(c, c->v->prepare, "prepare", set, ret_on, err);

	if (r < 0 || !*ret_on)
		return r;
	r = c->v->shell ? run_shell(c, c->v->shell, &e, err)
	                : execute(c, c->path, (char *const *)(uintptr_t)c->v->argv, &e, err);
	if (r < 0)
		return r;
	well = went_well(c, &e, NULL, c->v->any_status, set);
	if (well && warm_up)
		set->warm_up = e.wall_ns;
	else if (well)
		keep(&e, set);
	r = beside(c, c->v->cleanup, "cleanup", set, ret_on, err);
	*ret_on = *ret_on && well;
	return r;
}

static int executions(const struct command *c, struct nf_set *set, struct nf_err *err)
{
	bool on = true;
	int r = c->cfg->warm_up ? once(c, true, set, &on, err) : 0;

	for (size_t i = 0; r == 0 && on && i < c->cfg->n_values; i++) {
		if (nf_stop_signo(c->cfg->stop)) {
			set->stopped = true;
			break;
		}
		r = once(c, false, set, &on, err);
	}
	return r;
}

/* A process takes the CPUs of who starts it. */
static int bound_executions(const struct command *c, struct nf_set *set, struct nf_err *err)
{
	cpu_set_t before[MASK_SETS], mask[MASK_SETS];

	if (!c->cfg->cpus)
		return executions(c, set, err);
	memset(mask, 0, sizeof(mask));
	for (int cpu = nf_cpuset_next(c->cfg->cpus, -1); cpu >= 0;
	     cpu = nf_cpuset_next(c->cfg->cpus, cpu))
		if (cpu < MASK_SETS * CPU_SETSIZE)
			CPU_SET_S((size_t)cpu, sizeof(mask), mask);
	if (sched_getaffinity(0, sizeof(before), before) < 0 ||
	    sched_setaffinity(0, sizeof(mask), mask) < 0)
		return nf_fail_os(err, errno, "cannot bind a command to its CPUs");
	int r = executions(c, set, err);
	if (sched_setaffinity(0, sizeof(before), before) < 0 && r == 0)
		r = nf_fail_os(err, errno, "cannot go back to the CPUs from before");
	return r;
}

static int run(const struct nf_variant *v, const struct nf_set_cfg *cfg, struct nf_set *ret,
               struct nf_err *err)
{
	struct command c = { .v = v, .cfg = cfg };
	struct nf_set_watch *watching = NULL;
	struct nf_instant begin = nf_now_raw();

	nf_set_init(ret, "ns");
	ret->posture.context_switches = 0;
	int r = nf_set_reserve(ret, cfg->n_values, true, err);
	if (r == 0)
		r = nf_environment_make(environ, v->env, cfg->seed, &c.environment, err);
	if (r == 0)
		r = look_for_program(v, c.environment.item, c.path, err);
	if (r == 0)
		r = set_up(&c, err);
	if (r == 0)
		r = nf_set_watch_open(cfg->cpus, &watching, err);
	if (r == 0)
		r = bound_executions(&c, ret, err);
	if (r == 0) {
		r = nf_set_watch_close(watching, &ret->posture, err);
		watching = NULL;
	}
	nf_set_watch_free(watching);
	ret->wall_ns = nf_since_ns(begin, nf_now_raw());
	tear_down(&c);
	if (r < 0)
		nf_set_fini(ret);
	return r;
}

const struct nf_backend nf_backend_command = { .name = "command", .check = check, .run = run };
