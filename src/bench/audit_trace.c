/* SPDX-License-Identifier: MIT */
#include "bench/audit_trace.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/audit.h>

#include "base/clock.h"
#include "bench/audit_tasks.h"

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#else
#define OWN_ARCH 0 /* nothing is decoded: every call is counted as foreign */
#endif

enum {
	LOOK_NS = 50 * 1000 * 1000, /* how often a stop request is looked for */
	SYSCALL_STOP = SIGTRAP | 0x80, /* PTRACE_O_TRACESYSGOOD */
	OPTIONS = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
	          PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL,
};

struct tracer {
	const struct nf_audit_cfg *cfg;
	struct nf_audit_child child;
	struct nf_audit_tasks tasks;
	struct nf_audit_trace *trace;
	bool ended; /* the command itself */
};

/* A task that is gone meanwhile (ESRCH) will say so by its end. */
static int go_on(pid_t tid, int request, int signo, struct nf_err *err)
{
	if (ptrace((enum __ptrace_request)request, tid, 0, (void *)(uintptr_t)signo) < 0 &&
	    errno != ESRCH)
		return nf_fail_os(err, errno, "tracing the command");
	return 0;
}

/* Number behind "KEY:\t" in /proc/TID/status; 0: unknown. */
static pid_t status_value(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? (pid_t)strtol(at + strlen(key), NULL, 10) : 0;
}

static int meet_task(struct tracer *t, pid_t tid, struct nf_audit_task **ret, struct nf_err *err)
{
	char path[64], text[4096];
	ssize_t n = -1;

	*ret = nf_audit_task_find(&t->tasks, tid);
	if (*ret)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	pid_t tgid = status_value(text, "\nTgid:\t");
	int r = nf_audit_task_add(&t->tasks, tid, tgid ? tgid : tid,
	                          status_value(text, "\nPPid:\t"), err);
	*ret = nf_audit_task_find(&t->tasks, tid);
	return r;
}

/* --- system calls --- */

static void read_name(pid_t tid, uint64_t address, uint64_t len, char ret[NF_REGION_NAME_BYTES])
{
	size_t n = len < NF_REGION_NAME_BYTES - 1 ? (size_t)len : NF_REGION_NAME_BYTES - 1;
	struct iovec to = { ret, n };
	struct iovec from = { (void *)(uintptr_t)address, n };
	ssize_t got = n ? process_vm_readv(tid, &to, 1, &from, 1, 0) : 0;

	ret[got > 0 ? got : 0] = '\0';
}

/* Whether it was a mark, which is no call of the program's. */
static int take_mark(struct tracer *t, struct nf_audit_task *task,
                     const struct __ptrace_syscall_info *i, bool *ret, struct nf_err *err)
{
	char name[NF_REGION_NAME_BYTES];
	uint64_t option = i->entry.args[0];

	*ret = i->entry.nr == SYS_prctl &&
	       (option == NF_REGION_TRACE_BEGIN || option == NF_REGION_TRACE_END);
	if (!*ret)
		return 0;
	read_name(task->tid, i->entry.args[1], i->entry.args[2], name);
	if (option == NF_REGION_TRACE_BEGIN)
		return nf_audit_task_begin(task, t->trace, name, err);
	nf_audit_task_end(task, t->trace, name);
	return 0;
}

static int enter_call(struct tracer *t, struct nf_audit_task *task,
                      const struct __ptrace_syscall_info *i, struct nf_err *err)
{
	bool mark = false;

	task->in_call = false;
	if (i->arch != OWN_ARCH) {
		t->trace->foreign++;
		return 0;
	}
	int r = take_mark(t, task, i, &mark, err);
	if (r < 0 || mark)
		return r;
	task->nr = i->entry.nr;
	task->kind = nf_audit_call_kind(task->nr);
	task->target_kind = NF_AUDIT_UNKNOWN;
	task->target[0] = '\0';
	if (task->kind.way == NF_AUDIT_NO_IO && task->depth == 0)
		return 0;
	task->in_call = true;
	if (task->kind.way != NF_AUDIT_NO_IO && task->kind.fd >= 0)
		task->target_kind = nf_audit_target(
		        task->tgid, (int)(int64_t)i->entry.args[task->kind.fd], task->target);
	return 0;
}

static int at_call(struct tracer *t, struct nf_audit_task *task, struct nf_err *err)
{
	struct __ptrace_syscall_info i = { 0 };

	if (ptrace(PTRACE_GET_SYSCALL_INFO, task->tid, sizeof(i), &i) < 0)
		return errno == ESRCH ? 0
		                      : nf_fail_os(err, errno, "tracing the command: its calls");
	if (i.op == PTRACE_SYSCALL_INFO_ENTRY)
		return enter_call(t, task, &i, err);
	if (i.op != PTRACE_SYSCALL_INFO_EXIT || !task->in_call)
		return 0;
	task->in_call = false;
	return nf_audit_task_called(&t->tasks, task, t->trace, i.exit.rval, i.exit.is_error, err);
}

/* --- stops --- */

static void at_event(struct tracer *t, const struct nf_audit_task *task, int event, int signo,
                     int *request)
{
	if (event == PTRACE_EVENT_EXEC)
		nf_audit_task_executes(&t->tasks, task->tgid);
	else if (event == PTRACE_EVENT_STOP && signo != SIGTRAP)
		*request = PTRACE_LISTEN; /* it is stopped by SIGSTOP or its like, and stays so */
}

static int at_stop(struct tracer *t, pid_t tid, int status, struct nf_err *err)
{
	int signo = WSTOPSIG(status), event = (int)((unsigned)status >> 16);
	int request = PTRACE_SYSCALL, deliver = 0;
	struct nf_audit_task *task = NULL;
	int r = meet_task(t, tid, &task, err);

	if (t->ended)
		kill(tid, SIGKILL); /* started while the others were ended */
	if (r == 0 && event)
		at_event(t, task, event, signo, &request);
	else if (r == 0 && signo == SYSCALL_STOP)
		r = at_call(t, task, err);
	else
		deliver = signo;
	return r < 0 ? r : go_on(tid, request, deliver, err);
}

static int at_change(struct tracer *t, pid_t tid, int status, const struct rusage *usage,
                     struct nf_err *err)
{
	if (WIFSTOPPED(status))
		return at_stop(t, tid, status, err);
	nf_audit_task_gone(&t->tasks, tid);
	if (tid == t->child.pid) {
		t->ended = true;
		t->trace->end.wait_status = status;
		t->trace->end.usage = *usage;
		/* What it left running ends with it, outside of its group too: a tracer cannot go away from what
		 * is running. */
		for (size_t i = 0; i < t->tasks.n; i++)
			kill(t->tasks.task[i].tid, SIGKILL);
	}
	return 0;
}

/* Until the command has ended and nothing of it is left to trace. SIGCHLD is blocked: it is waited for
 * together with a stop request. */
static int attend(struct tracer *t, const sigset_t *chld, struct nf_err *err)
{
	const struct timespec look = { 0, LOOK_NS };

	for (;;) {
		struct rusage usage;
		int status;
		pid_t tid = wait4(-1, &status, __WALL | WNOHANG, &usage);

		if (tid < 0 && errno == ECHILD && t->ended)
			return 0;
		if (tid < 0 && errno != EINTR)
			return nf_fail_os(err, errno, "waiting for the traced command");
		if (tid > 0) {
			int r = at_change(t, tid, status, &usage, err);

			if (r < 0)
				return r;
			continue;
		}
		if (t->ended && t->tasks.n == 0)
			return 0;
		nf_audit_child_attend(&t->child, t->cfg->stop);
		(void)sigtimedwait(chld, NULL, &look);
	}
}

static int seize(const struct nf_audit_child *c, struct nf_err *err)
{
	if (ptrace(PTRACE_SEIZE, c->pid, 0, (void *)(uintptr_t)OPTIONS) == 0)
		return 0;
	if (errno == EPERM || errno == EACCES || errno == ENOSYS || errno == EIO || errno == EINVAL)
		return nf_fail(
		        err, NF_EUNSUPPORTED,
		        "this process may not trace another (ptrace: %s); what would help: no "
		        "debugger or sandbox around it, in a container --cap-add SYS_PTRACE",
		        strerrordesc_np(errno));
	return nf_fail_os(err, errno, "tracing the command");
}

static int trace_held(struct tracer *t, const sigset_t *chld, struct nf_err *err)
{
	struct nf_audit_task *task;
	int r = seize(&t->child, err);

	/* From here on it stops at every call, once it runs. */
	if (r == 0)
		r = meet_task(t, t->child.pid, &task, err);
	if (r == 0 && ptrace(PTRACE_INTERRUPT, t->child.pid, 0, 0) < 0)
		r = nf_fail_os(err, errno, "tracing the command");
	if (r == 0)
		r = nf_audit_child_release(&t->child, err);
	if (r == 0)
		r = attend(t, chld, err);
	if (r == 0)
		r = nf_audit_child_executed(&t->child, t->cfg->argv[0], err);
	return r;
}

int nf_audit_trace(const struct nf_audit_cfg *cfg, struct nf_audit_trace *ret, struct nf_err *err)
{
	struct nf_audit_trace trace = { 0 };
	struct tracer t = { .cfg = cfg, .trace = &trace };
	sigset_t chld, before;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	if (sigprocmask(SIG_BLOCK, &chld, &before) < 0)
		return nf_fail_os(err, errno, "tracing the command");
	int r = nf_audit_child_start(cfg, true, true, &t.child, err);
	if (r == 0)
		r = trace_held(&t, &chld, err);
	trace.end.wall_ns = nf_now_raw().ns - t.child.start_ns;
	trace.end.stopped = t.child.stop_ns != 0;
	if (t.ended)
		t.child.pid = 0; /* waited for */
	nf_audit_child_end(&t.child);
	for (size_t i = 0; i < t.tasks.n; i++)
		nf_audit_end_process(t.tasks.task[i].tid);
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(t.tasks.task);
	if (r == 0)
		*ret = trace;
	else
		nf_audit_trace_fini(&trace);
	return r;
}

void nf_audit_trace_fini(struct nf_audit_trace *t)
{
	free(t->row);
	free(t->region);
	*t = (struct nf_audit_trace){ 0 };
}
