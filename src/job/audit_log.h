/* SPDX-License-Identifier: MIT */
/* audit_log - console lines that fall inside timed phases, with what they take on the line, as a record. */
#ifndef NF_JOB_AUDIT_LOG_H
#define NF_JOB_AUDIT_LOG_H

#include "job/lab_phases.h"
#include "record/rec_audit_log.h"

enum { NF_AUDIT_LOG_TOP_MAX = 10000 };

struct nf_audit_log_opts {
	struct nf_lab_opts
	        lab; /* paths, form, baud, phases.t0 and phases.phase; the rest is not read */
	size_t top; /* kinds of line that are kept, 1 to NF_AUDIT_LOG_TOP_MAX */
};

/* No run folder. Exit code 1 where a line is inside a phase, 3 where no log has both ends of any phase.
 * -NF_EARG: no phase was asked for; -NF_EDATA: a log of no known form, or one that changed while it was read. */
NF_NODISCARD int nf_job_audit_log(const struct nf_job_opts *o, const struct nf_audit_log_opts *a,
                                  struct nf_job_outcome *ret, struct nf_err *err);

/* --- of the parts --- */

/* Whether two texts are the same but for their numbers, and a hash that is the same then. */
bool nf_audit_log_alike(const char *a, const char *b);
uint64_t nf_audit_log_hash(const char *text);

#endif
