/* SPDX-License-Identifier: MIT */
/*
 * audit_trace - which system calls fall into the regions of a program: an execution of its own under
 * ptrace(2), which takes many times as long and whose times mean nothing.
 *
 * A call counts for every region that its thread has open. A call of another thread of that process, or of a
 * process that it started, counts for them too, marked as of others. Input and output outside of all regions
 * is kept as that: what stdio buffered in a region is often written there.
 */
#ifndef NF_BENCH_AUDIT_TRACE_H
#define NF_BENCH_AUDIT_TRACE_H

#include "bench/audit_calls.h"
#include "bench/audit_child.h"

enum { NF_AUDIT_ROWS_MAX = 4096, NF_AUDIT_NO_REGION = -1 };

/* All calls of one number to one target in one region. */
struct nf_audit_row {
	int region; /* index, or NF_AUDIT_NO_REGION */
	bool others;
	uint64_t nr;
	struct nf_audit_call_kind kind;
	enum nf_audit_target_kind target_kind;
	char target[NF_AUDIT_TARGET_BYTES]; /* "" where the call has none */
	uint64_t calls;
	uint64_t failed; /* of those */
	uint64_t bytes; /* 0 where they are not known */
};

struct nf_audit_trace {
	struct nf_audit_row *row; /* owned */
	size_t n_rows;
	char (*region)[NF_REGION_NAME_BYTES]; /* owned; in the order of first use */
	size_t n_regions;
	uint64_t rows_lost; /* calls for which there was no row */
	uint64_t regions_lost; /* begins without a name in the table, or too deep */
	uint64_t foreign; /* calls of another architecture's numbers */
	struct nf_audit_end end;
};

/* -NF_EUNSUPPORTED: this process may not trace. */
NF_NODISCARD int nf_audit_trace(const struct nf_audit_cfg *cfg, struct nf_audit_trace *ret,
                                struct nf_err *err);
void nf_audit_trace_fini(struct nf_audit_trace *t); /* zeroed is fine */

#endif
