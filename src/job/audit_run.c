/* SPDX-License-Identifier: MIT */
/* audit_run - runs a command once for its regions' counts and, when asked, once more under a tracer. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/backend.h"
#include "job/audit.h"
#include "job/session.h"
#include "report/text_audit.h"

enum { RESERVE_BYTES = 4 << 20, DEFAULT_HZ = 100 };

struct job {
	struct nf_session session;
	const struct nf_audit_opts *opts;
	struct nf_region_page *page; /* in the arena */
	struct nf_audit_end end;
	struct nf_audit_trace trace;
	bool traced;
	struct nf_rec_audit_run record;
	struct nf_rec_audit_trace rec_trace;
	struct nf_verdict verdict;
};

/* Where its input begins; -1: nothing that would be gone after the first execution. */
static int input_position(const struct nf_audit_opts *a, off_t *ret, struct nf_err *err)
{
	struct stat st;

	*ret = -1;
	if (!a->syscalls || fstat(STDIN_FILENO, &st) < 0 || S_ISCHR(st.st_mode))
		return 0;
	*ret = S_ISREG(st.st_mode) ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
	return *ret >= 0
	               ? 0
	               : nf_fail(err, NF_EARG,
	                         "--syscalls runs the command twice, and its standard input can be "
	                         "read once; allowed: a file");
}

static int open_job(struct job *j, const struct nf_job_opts *o, off_t *ret_input,
                    struct nf_err *err)
{
	const struct nf_variant command = { .backend = NF_BACKEND_COMMAND, .argv = j->opts->argv };
	int r = nf_backends[NF_BACKEND_COMMAND]->check(&command, err);

	if (r == 0)
		r = input_position(j->opts, ret_input, err);
	if (r == 0)
		r = nf_session_open(&j->session, o, err);
	if (r < 0)
		return r;
	j->page = nf_arena_alloc(&j->session.arena, 1, sizeof(*j->page));
	r = nf_arena_failed(&j->session.arena, "record", err);
	return r ? r : nf_session_folder(&j->session, RESERVE_BYTES, err);
}

static struct nf_list copy_texts(struct nf_arena *a, const char *const *list)
{
	size_t n = 0;

	while (list[n])
		n++;
	const char **item = nf_arena_alloc(a, n ? n : 1, sizeof(*item));
	for (size_t i = 0; item && i < n; i++)
		item[i] = nf_arena_strdup(a, list[i]);
	return (struct nf_list){ item, item ? n : 0 };
}

static int execute(struct job *j, off_t input, struct nf_err *err)
{
	const struct nf_audit_cfg cfg = {
		.argv = j->opts->argv,
		.env = j->opts->env,
		.output_to_stderr = j->opts->output_to_stderr,
		.stop = j->session.opts->stop,
	};
	int r = nf_audit_measure(&cfg, j->page, &j->end, err);

	if (r < 0)
		return r;
	if (nf_stop_signo(cfg.stop))
		j->session.stopped_by = nf_stop_signo(cfg.stop);
	if (!j->opts->syscalls || j->session.stopped_by)
		return 0;
	if (input >= 0 && lseek(STDIN_FILENO, input, SEEK_SET) < 0)
		return nf_fail_os(err, errno, "standard input, for the second execution");
	struct nf_err why = { 0 };
	r = nf_audit_trace(&cfg, &j->trace, &why);
	if (r == -NF_EUNSUPPORTED) {
		j->rec_trace.refused = nf_arena_strdup(&j->session.arena, why.msg);
		return nf_arena_failed(&j->session.arena, "record", err);
	}
	if (r < 0) {
		*err = why;
		return r;
	}
	j->traced = true;
	if (nf_stop_signo(cfg.stop))
		j->session.stopped_by = nf_stop_signo(cfg.stop);
	return 0;
}

/* --- the record --- */

/* A call of the trace that is I/O makes its region a finding, though /proc may not count it. */
static void find_traced_io(struct nf_rec_audit_region *r, const struct nf_rec_audit_trace *t)
{
	const struct nf_rec_audit_call *call = t->calls.items;

	for (size_t i = 0; call && i < t->calls.n && !r->has_io; i++)
		r->has_io = call[i].is_io && call[i].region && strcmp(call[i].region, r->name) == 0;
}

static bool all_seen(const struct job *j)
{
	const struct nf_rec_audit_run *rec = &j->record;
	const struct nf_rec_audit_region *region = rec->regions.items;
	bool whole = !rec->too_deep && !rec->lost && !rec->stray_ends && !rec->empty.io.rchar &&
	             !rec->empty.io.syscr && !rec->empty.unread;

	for (size_t i = 0; region && i < rec->regions.n; i++)
		whole = whole && region[i].complete;
	if (j->opts->syscalls)
		whole = whole && j->traced && !j->rec_trace.rows_lost &&
		        !j->rec_trace.regions_lost && !j->rec_trace.foreign;
	return whole;
}

static int64_t tick_ns(const struct job *j)
{
	const struct nf_posture *p = &j->session.before;
	uint64_t hz = p->config_hz.some && p->config_hz.v ? p->config_hz.v : DEFAULT_HZ;

	return (int64_t)(1000000000 / hz);
}

static const char *describe_end(struct nf_arena *a, int wait_status, const char *where)
{
	if (WIFSIGNALED(wait_status)) {
		const char *name = sigdescr_np(WTERMSIG(wait_status));

		return nf_arena_printf(a, "the command was ended by signal %d (%s)%s",
		                       WTERMSIG(wait_status), name ? name : "realtime", where);
	}
	return nf_arena_printf(a, "the command ended with status %d%s", WEXITSTATUS(wait_status),
	                       where);
}

static bool failed(const struct job *j, int wait_status)
{
	return WIFSIGNALED(wait_status) || (wait_status != 0 && !j->opts->any_status);
}

static const char *why_failed(const struct job *j, struct nf_arena *a)
{
	if (j->session.stopped_by)
		return NULL;
	if (failed(j, j->end.wait_status))
		return describe_end(a, j->end.wait_status, "");
	if (j->traced && failed(j, j->trace.end.wait_status))
		return describe_end(a, j->trace.end.wait_status, " in the traced execution");
	return NULL;
}

/* The worst first: by its time on a console, I/O before none, then by name. */
static int by_cost(const void *a, const void *b)
{
	const struct nf_rec_audit_region *x = a, *y = b;

	if (x->console_ns != y->console_ns)
		return x->console_ns < y->console_ns ? 1 : -1;
	if (x->has_io != y->has_io)
		return x->has_io ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int fill_record(struct job *j, struct nf_err *err)
{
	struct nf_rec_audit_run *rec = &j->record;
	struct nf_arena *a = &j->session.arena;
	char name[NF_AUDIT_TARGET_BYTES];
	size_t n = 0;

	rec->argv = copy_texts(a, j->opts->argv);
	rec->baud = (uint64_t)j->opts->baud;
	rec->stderr_kind = (int)nf_audit_target(getpid(), STDERR_FILENO, name);
	rec->stdout_kind = j->opts->output_to_stderr
	                           ? rec->stderr_kind
	                           : (int)nf_audit_target(getpid(), STDOUT_FILENO, name);
	rec->wait_status = (struct nf_some_int){ true, j->end.wait_status };
	rec->failure = why_failed(j, a);
	rec->wall_ns = (uint64_t)j->end.wall_ns;
	rec->processes = j->page->processes;
	rec->stray_ends = j->page->stray_ends;
	rec->too_deep = j->page->too_deep;
	rec->lost = j->page->lost;
	nf_audit_record_sums(&j->page->empty.sums, &rec->empty);
	if (j->traced)
		nf_audit_record_trace(&j->trace, j->opts->baud, a, &j->rec_trace);
	if (j->opts->syscalls)
		rec->trace = &j->rec_trace;
	while (n < NF_REGION_SLOTS && j->page->slot[n].state == NF_REGION_NAMED)
		n++;
	struct nf_rec_audit_region *region = nf_arena_alloc(a, n ? n : 1, sizeof(*region));
	for (size_t i = 0; region && i < n; i++) {
		nf_audit_record_region(j->page->slot[i].name, &j->page->slot[i].sums, &rec->empty,
		                       j->opts->baud, tick_ns(j), a, &region[i]);
		find_traced_io(&region[i], &j->rec_trace);
		rec->findings += region[i].has_io;
	}
	int r = nf_arena_failed(a, "record", err);
	if (r < 0)
		return r;
	if (region)
		qsort(region, n, sizeof(*region), by_cost);
	rec->regions = (struct nf_list){ region, n };
	rec->complete = all_seen(j);
	return 0;
}

static void conclude(struct job *j)
{
	struct nf_arena *a = &j->session.arena;
	struct nf_verdict *v = &j->verdict;
	const struct nf_rec_audit_run *rec = &j->record;

	*v = (struct nf_verdict){
		.result = NF_RESULT_PASS,
		.claim_ceiling =
		        "Shows the I/O of this execution's marked regions; another input may "
		        "take another way. What is not marked was not looked at.",
	};
	if (j->session.stopped_by) {
		v->result = NF_RESULT_PARTIAL;
		v->reason = "stopped before the command's end";
	} else if (rec->failure) {
		v->result = NF_RESULT_FAIL;
		v->subject_failed = true;
		v->reason = rec->failure;
	} else if (rec->findings) {
		v->result = NF_RESULT_FAIL;
		v->reason = nf_arena_printf(a, "I/O in %" PRIu64 " of %zu regions", rec->findings,
		                            rec->regions.n);
	} else if (rec->regions.n == 0) {
		v->result = NF_RESULT_BLOCKED;
		v->undecided = true;
		v->reason = "the command began no region: nothing was audited";
	} else if (!rec->complete) {
		v->result = NF_RESULT_PARTIAL;
		v->undecided = true;
		v->reason = "not every region could be measured";
	}
}

static void text(const void *record, struct nf_buf *out)
{
	(void)nf_text_audit_run(record, out);
}

int nf_job_audit_run(const struct nf_job_opts *o, const struct nf_audit_opts *a,
                     struct nf_job_outcome *ret, struct nf_err *err)
{
	struct job j = { .opts = a, .record.schema = "AuditRun/1", .session.root.dirfd = -1 };
	off_t input = -1;
	int r = open_job(&j, o, &input, err);

	if (r == 0)
		r = execute(&j, input, err);
	if (r == 0)
		r = fill_record(&j, err);
	if (r < 0)
		goto out;
	conclude(&j);
	r = nf_arena_failed(&j.session.arena, "record", err);
	if (r == 0)
		r = nf_session_finish(&j.session, &nf_rec_audit_run_type, &j.record, &j.record.head,
		                      &j.verdict, text, ret, err);
out:
	nf_audit_trace_fini(&j.trace);
	nf_session_close(&j.session);
	return r;
}
