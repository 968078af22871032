/* SPDX-License-Identifier: MIT */
#include "bench/audit_tasks.h"

#include <stdlib.h>
#include <string.h>

enum { ANCESTORS = 16 };

struct nf_audit_task *nf_audit_task_find(struct nf_audit_tasks *t, pid_t tid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->task[i].tid == tid)
			return &t->task[i];
	return NULL;
}

int nf_audit_task_add(struct nf_audit_tasks *t, pid_t tid, pid_t tgid, pid_t parent,
                      struct nf_err *err)
{
	if (t->n == t->cap) {
		size_t cap = t->cap ? 2 * t->cap : 16;

		if (cap > NF_AUDIT_TASKS_MAX)
			return nf_fail(err, NF_ENOMEM, "over %d threads at a time to trace",
			               NF_AUDIT_TASKS_MAX);
		void *p = reallocarray(t->task, cap, sizeof(*t->task));
		if (!p)
			return nf_fail_nomem(err, "the threads of a command",
			                     cap * sizeof(*t->task));
		t->task = p;
		t->cap = cap;
	}
	t->task[t->n++] = (struct nf_audit_task){ .tid = tid, .tgid = tgid, .parent = parent };
	return 0;
}

void nf_audit_task_gone(struct nf_audit_tasks *t, pid_t tid)
{
	struct nf_audit_task *task = nf_audit_task_find(t, tid);

	if (task)
		*task = t->task[--t->n];
}

void nf_audit_task_executes(struct nf_audit_tasks *t, pid_t tgid)
{
	for (size_t i = t->n; i-- > 0;) {
		if (t->task[i].tgid != tgid)
			continue;
		if (t->task[i].tid == tgid) {
			t->task[i].depth = t->task[i].skipped = 0;
			t->task[i].in_call = false;
		} else {
			t->task[i] = t->task[--t->n];
		}
	}
}

/* --- regions --- */

static int find_region(const struct nf_audit_trace *trace, const char *name)
{
	for (size_t i = 0; i < trace->n_regions; i++)
		if (strcmp(trace->region[i], name) == 0)
			return (int)i;
	return -1;
}

static int add_region(struct nf_audit_trace *trace, const char *name, int *ret, struct nf_err *err)
{
	if (!trace->region) {
		trace->region = calloc(NF_REGION_SLOTS, sizeof(*trace->region));
		if (!trace->region)
			return nf_fail_nomem(err, "the regions of a command",
			                     NF_REGION_SLOTS * sizeof(*trace->region));
	}
	if (trace->n_regions == NF_REGION_SLOTS)
		return 0;
	strncpy(trace->region[trace->n_regions], name, NF_REGION_NAME_BYTES - 1);
	*ret = (int)trace->n_regions++;
	return 0;
}

static int find_open(const struct nf_audit_task *task, int region)
{
	for (unsigned i = 0; i < task->depth; i++)
		if (task->open[i] == region)
			return (int)i;
	return -1;
}

int nf_audit_task_begin(struct nf_audit_task *task, struct nf_audit_trace *trace, const char *name,
                        struct nf_err *err)
{
	int region = find_region(trace, name);

	if (region < 0) {
		int r = add_region(trace, name, &region, err);

		if (r < 0)
			return r;
	}
	int again = region < 0 ? -1 : find_open(task, region);
	if (again >= 0)
		task->depth = (unsigned)again;
	if (region < 0 || task->depth == NF_REGION_DEPTH) {
		trace->regions_lost++;
		task->skipped++;
		return 0;
	}
	task->open[task->depth++] = region;
	return 0;
}

void nf_audit_task_end(struct nf_audit_task *task, struct nf_audit_trace *trace, const char *name)
{
	int region = find_region(trace, name);
	int at = region < 0 ? -1 : find_open(task, region);

	if (at >= 0)
		task->depth = (unsigned)at;
	else if (task->skipped)
		task->skipped--;
}

/* --- calls --- */

static const struct nf_audit_task *of_process(const struct nf_audit_tasks *t, pid_t tgid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->task[i].tgid == tgid)
			return &t->task[i];
	return NULL;
}

/* The process and those that started it, while they are there; the number of them. */
static size_t ancestry(const struct nf_audit_tasks *t, const struct nf_audit_task *task,
                       pid_t ret[ANCESTORS])
{
	size_t n = 0;
	const struct nf_audit_task *at = task;

	while (at && n < ANCESTORS) {
		ret[n++] = at->tgid;
		at = at->parent == at->tgid ? NULL : of_process(t, at->parent);
	}
	return n;
}

static bool is_one_of(pid_t pid, const pid_t *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == pid)
			return true;
	return false;
}

bool nf_audit_task_in_region(const struct nf_audit_tasks *t, const struct nf_audit_task *task)
{
	pid_t line[ANCESTORS];
	size_t n = ancestry(t, task, line);

	for (size_t i = 0; i < t->n; i++)
		if (t->task[i].depth > 0 && is_one_of(t->task[i].tgid, line, n))
			return true;
	return false;
}

static struct nf_audit_row *find_row(struct nf_audit_trace *trace, const struct nf_audit_task *task,
                                     int region, bool others)
{
	for (size_t i = 0; i < trace->n_rows; i++) {
		struct nf_audit_row *r = &trace->row[i];

		if (r->region == region && r->others == others && r->nr == task->nr &&
		    r->target_kind == task->target_kind && strcmp(r->target, task->target) == 0)
			return r;
	}
	return NULL;
}

static int add_call(struct nf_audit_trace *trace, const struct nf_audit_task *task, int region,
                    bool others, int64_t result, bool failed, struct nf_err *err)
{
	struct nf_audit_row *row = find_row(trace, task, region, others);

	if (!trace->row) {
		trace->row = calloc(NF_AUDIT_ROWS_MAX, sizeof(*trace->row));
		if (!trace->row)
			return nf_fail_nomem(err, "the calls of a command",
			                     NF_AUDIT_ROWS_MAX * sizeof(*trace->row));
	}
	if (!row && trace->n_rows == NF_AUDIT_ROWS_MAX) {
		trace->rows_lost++;
		return 0;
	}
	if (!row) {
		row = &trace->row[trace->n_rows++];
		*row = (struct nf_audit_row){ .region = region,
			                      .others = others,
			                      .nr = task->nr,
			                      .kind = task->kind,
			                      .target_kind = task->target_kind };
		memcpy(row->target, task->target, sizeof(row->target));
	}
	row->calls++;
	row->failed += failed;
	if (!failed && result > 0 &&
	    (task->kind.way == NF_AUDIT_IN || task->kind.way == NF_AUDIT_OUT))
		row->bytes += (uint64_t)result;
	return 0;
}

/* For the regions that other tasks of its process, or of one that started it, have open. */
static int add_others(const struct nf_audit_tasks *t, const struct nf_audit_task *task,
                      struct nf_audit_trace *trace, int64_t result, bool failed, bool *ret_any,
                      struct nf_err *err)
{
	bool told[NF_REGION_SLOTS] = { false };
	pid_t line[ANCESTORS];
	size_t n = ancestry(t, task, line);
	int r = 0;

	for (unsigned i = 0; i < task->depth; i++)
		told[task->open[i]] = true;
	for (size_t i = 0; r == 0 && i < t->n; i++) {
		const struct nf_audit_task *o = &t->task[i];

		if (o == task || !is_one_of(o->tgid, line, n))
			continue;
		for (unsigned d = 0; r == 0 && d < o->depth; d++)
			if (!told[o->open[d]]) {
				told[o->open[d]] = *ret_any = true;
				r = add_call(trace, task, o->open[d], true, result, failed, err);
			}
	}
	return r;
}

int nf_audit_task_called(const struct nf_audit_tasks *t, const struct nf_audit_task *task,
                         struct nf_audit_trace *trace, int64_t result, bool failed,
                         struct nf_err *err)
{
	bool any = task->depth > 0;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < task->depth; i++)
		r = add_call(trace, task, task->open[i], false, result, failed, err);
	if (r == 0 && task->kind.way != NF_AUDIT_NO_IO)
		r = add_others(t, task, trace, result, failed, &any, err);
	if (r == 0 && !any && (task->kind.way == NF_AUDIT_OUT || task->kind.way == NF_AUDIT_MANY))
		r = add_call(trace, task, NF_AUDIT_NO_REGION, false, result, failed, err);
	return r;
}
