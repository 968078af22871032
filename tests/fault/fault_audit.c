/* SPDX-License-Identifier: MIT */
/* Audited executions with every allocation, process and call failing: no process, file or memory is left, and
 * nothing is handed out. */
#include <errno.h>
#include <sys/wait.h>

#include "bench/audit_tasks.h"
#include "fault.h"
#include "job/audit_log.h"
#include "nf_scratch.h"

#define CALLS \
	"malloc,calloc,realloc,reallocarray,memfd_create,ftruncate,ftruncate64,mmap,mmap64,pipe2," \
	"fork," \
	"syscall,poll,wait4,waitid"

static const char *const command[] = { "true", NULL };
static char variable[] = "PATH=/usr/bin:/bin";
static char *const env[] = { variable, NULL };
static const struct nf_audit_cfg cfg = { .argv = command, .env = env };

static void no_child_is_left(void)
{
	/* A wait that was made to fail left one that has ended. */
	while (waitpid(-1, NULL, __WALL) > 0)
		;
	assert_int_equal(errno, ECHILD);
}

struct subject {
	struct nf_region_page page;
	struct nf_audit_end end;
	struct nf_audit_trace trace;
};

static void prepare(void *ctx)
{
	struct subject *s = ctx;

	memset(s, 0, sizeof(*s));
	s->end.wait_status = 4711;
}

static int measure(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_audit_measure(&cfg, &s->page, &s->end, err);
}

static void finish_measure(void *ctx, int r)
{
	struct subject *s = ctx;

	assert_int_equal(s->end.wait_status, r < 0 ? 4711 : 0);
	assert_true(r < 0 ? s->page.magic == 0 : s->page.magic == NF_REGION_MAGIC);
	no_child_is_left();
}

static void an_execution_is_measured_or_fails_whole(void **state)
{
	static struct subject s;
	const struct fault_subject f = {
		.prepare = prepare, .run = measure, .finish = finish_measure, .only = CALLS
	};

	(void)state;
	fault_every(&f, &s);
}

static void interrupted_calls_change_nothing(void **state)
{
	static struct subject s;
	const struct fault_subject f = { .prepare = prepare,
		                         .run = measure,
		                         .finish = finish_measure,
		                         .only = "poll,wait4,waitid" };

	(void)state;
	fault_survives(&f, &s);
}

static int trace(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_audit_trace(&cfg, &s->trace, err);
}

static void finish_trace(void *ctx, int r)
{
	struct subject *s = ctx;

	if (r < 0)
		assert_true(!s->trace.row && !s->trace.region && s->trace.n_rows == 0);
	else
		assert_int_equal(s->trace.end.wait_status, 0);
	nf_audit_trace_fini(&s->trace);
	no_child_is_left();
}

static void a_traced_execution_is_had_or_fails_whole(void **state)
{
	static struct subject s;
	struct nf_err err;
	const struct fault_subject f = { .prepare = prepare,
		                         .run = trace,
		                         .finish = finish_trace,
		                         .only = CALLS,
		                         /* once the command has ended, "no child" is the end */
		                         .tolerates = "wait4",
		                         .any_code = true };

	(void)state;
	int r = nf_audit_trace(&cfg, &s.trace, &err);
	nf_audit_trace_fini(&s.trace);
	skip_unless(r != -NF_EUNSUPPORTED, "ptrace", err.msg);
	fault_every(&f, &s);
}

/* A program that began regions, as a tracer sees it. */
static int follow(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;
	struct nf_audit_tasks tasks = { 0 };
	int r = nf_audit_task_add(&tasks, 1, 1, 0, err);

	if (r == 0)
		r = nf_audit_task_begin(&tasks.task[0], &s->trace, "r", err);
	if (r == 0)
		r = nf_audit_task_called(&tasks, &tasks.task[0], &s->trace, 1, false, err);
	free(tasks.task);
	return r;
}

static void finish_follow(void *ctx, int r)
{
	struct subject *s = ctx;

	assert_int_equal(s->trace.n_rows, r < 0 ? 0 : 1);
	nf_audit_trace_fini(&s->trace);
}

static void what_is_traced_is_kept_or_fails_whole(void **state)
{
	static struct subject s;
	const struct fault_subject f = { .prepare = prepare,
		                         .run = follow,
		                         .finish = finish_follow };

	(void)state;
	fault_every(&f, &s);
}

/* --- console logs --- */

static char log_path[512];

static int audit_log(void *ctx, struct nf_err *err)
{
	static const char *const path[] = { log_path };
	static const struct nf_phase_want phase[] = { { "up", "login:" } };
	static const struct nf_audit_log_opts opts = {
		.lab = { .path = path, .n_paths = 1, .phases = { .phase = phase, .n_phases = 1 } },
		.top = 10,
	};
	static const struct nf_job_opts job;

	return nf_job_audit_log(&job, &opts, ctx, err);
}

static void prepare_outcome(void *ctx)
{
	nf_job_outcome_init(ctx);
}

static void finish_outcome(void *ctx, int r)
{
	struct nf_job_outcome *o = ctx;

	assert_int_equal(o->exit_code, r < 0 ? 0 : 1);
	if (r == 0)
		assert_non_null(strstr(o->summary.data, "2 kinds of line inside timed phases"));
	nf_job_outcome_fini(o);
}

static void a_log_is_audited_or_fails_whole(void **state)
{
	char folder[256];
	struct nf_job_outcome o;
	const struct fault_subject f = { .prepare = prepare_outcome,
		                         .run = audit_log,
		                         .finish = finish_outcome,
		                         .tolerates = "close",
		                         .any_code = true };

	(void)state;
	nf_scratch_make(folder, sizeof(folder));
	snprintf(log_path, sizeof(log_path), "%s/a_run1.log", folder);
	nf_scratch_write(log_path, "0.1\tbooting\n0.2\ta line\n0.9\tlogin: \n");
	fault_every(&f, &o);
	unlink(log_path);
	rmdir(folder);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(an_execution_is_measured_or_fails_whole),
	cmocka_unit_test(interrupted_calls_change_nothing),
	cmocka_unit_test(a_traced_execution_is_had_or_fails_whole),
	cmocka_unit_test(what_is_traced_is_kept_or_fails_whole),
	cmocka_unit_test(a_log_is_audited_or_fails_whole),
};

NF_UNIT_MAIN(tests)
