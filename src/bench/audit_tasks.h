/* SPDX-License-Identifier: MIT */
/*
 * audit_tasks - the threads of a traced program, the regions that they have open, and the sums of what they
 * called. Pure: told of stops by audit_trace, which knows the kernel.
 */
#ifndef NF_BENCH_AUDIT_TASKS_H
#define NF_BENCH_AUDIT_TASKS_H

#include "bench/audit_trace.h"

enum { NF_AUDIT_TASKS_MAX = 1 << 16 };

struct nf_audit_task {
	pid_t tid, tgid, parent; /* parent: the process that started this one */
	bool in_call;
	uint64_t nr;
	struct nf_audit_call_kind kind;
	enum nf_audit_target_kind target_kind;
	char target[NF_AUDIT_TARGET_BYTES];
	unsigned depth;
	unsigned skipped; /* begins that were not taken */
	int open[NF_REGION_DEPTH]; /* regions */
};

struct nf_audit_tasks {
	struct nf_audit_task *task; /* owned */
	size_t n, cap;
};

/* NULL: unknown. */
struct nf_audit_task *nf_audit_task_find(struct nf_audit_tasks *t, pid_t tid);
NF_NODISCARD int nf_audit_task_add(struct nf_audit_tasks *t, pid_t tid, pid_t tgid, pid_t parent,
                                   struct nf_err *err);
void nf_audit_task_gone(struct nf_audit_tasks *t, pid_t tid);
/* The process executes another program: its other threads are gone, and so are its open regions. */
void nf_audit_task_executes(struct nf_audit_tasks *t, pid_t tgid);
/* Whether its process, or one that started it, has a region open. */
bool nf_audit_task_in_region(const struct nf_audit_tasks *t, const struct nf_audit_task *task);

/* A mark, with the same rules as in the program (noisefloor/region.h). */
NF_NODISCARD int nf_audit_task_begin(struct nf_audit_task *task, struct nf_audit_trace *trace,
                                     const char *name, struct nf_err *err);
void nf_audit_task_end(struct nf_audit_task *task, struct nf_audit_trace *trace, const char *name);
/* The call that the task was in is done. */
NF_NODISCARD int nf_audit_task_called(const struct nf_audit_tasks *t,
                                      const struct nf_audit_task *task,
                                      struct nf_audit_trace *trace, int64_t result, bool failed,
                                      struct nf_err *err);

#endif
