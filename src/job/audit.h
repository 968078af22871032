/* SPDX-License-Identifier: MIT */
/* audit - the I/O in the timed regions of a program. As the other jobs (job.h). */
#ifndef NF_JOB_AUDIT_H
#define NF_JOB_AUDIT_H

#include "bench/audit_trace.h"
#include "job/job.h"
#include "record/rec_audit.h"

#define NF_AUDIT_KERNEL_RATIO 0.05
#define NF_AUDIT_OVERHEAD_RATIO 0.10
enum { NF_AUDIT_BITS_PER_BYTE = 10, NF_AUDIT_MIN_TICKS = 100 };

struct nf_audit_opts {
	const char *const *argv; /* ends with NULL */
	char *const *env; /* of the command, ends with NULL */
	int64_t baud;
	bool syscalls; /* a second execution, under a tracer */
	bool any_status; /* an exit status other than 0 is no failure */
	bool output_to_stderr;
};

/* Exit code 1: I/O was found; 3: the command began no region, or not all of them could be measured; 5: the
 * command failed. -NF_EARG: it cannot be executed, or with syscalls its input cannot be read twice. */
NF_NODISCARD int nf_job_audit_run(const struct nf_job_opts *o, const struct nf_audit_opts *a,
                                  struct nf_job_outcome *ret, struct nf_err *err);

/* The records of regions; pure. tick_ns: of the kernel's accounting of CPU time. Texts live in a. */
void nf_audit_record_sums(const struct nf_region_sums *from, struct nf_rec_audit_sums *ret);
void nf_audit_record_region(const char *name, const struct nf_region_sums *from,
                            const struct nf_rec_audit_sums *empty, int64_t baud, int64_t tick_ns,
                            struct nf_arena *a, struct nf_rec_audit_region *ret);
/* Rows of a trace as a list of calls. */
void nf_audit_record_trace(const struct nf_audit_trace *t, int64_t baud, struct nf_arena *a,
                           struct nf_rec_audit_trace *ret);

#endif
