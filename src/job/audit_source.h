/* SPDX-License-Identifier: MIT */
/* audit_source - C sources read for what makes timing numbers wrong (source/), as a record. */
#ifndef NF_JOB_AUDIT_SOURCE_H
#define NF_JOB_AUDIT_SOURCE_H

#include "job/job.h"

struct nf_audit_source_opts {
	const char *const *paths; /* files and folders */
	size_t n_paths;
	bool all; /* the uncertain findings too */
	/* POSIX extended expressions for lines that begin and end a timed region; NULL: reads of a clock. */
	const char *begin, *end;
};

/* No run folder. Exit code 1 where something is found, 3 where nothing is and not everything could be read.
 * -NF_EARG: a path that is neither a file nor a folder, an expression that does not compile. */
NF_NODISCARD int nf_job_audit_source(const struct nf_job_opts *o,
                                     const struct nf_audit_source_opts *s,
                                     struct nf_job_outcome *ret, struct nf_err *err);

#endif
