/* SPDX-License-Identifier: MIT */
/* redact_target - where a redacted copy is made: a temporary folder beside its name. Internal to record/. */
#ifndef NF_RECORD_REDACT_TARGET_H
#define NF_RECORD_REDACT_TARGET_H

#include <limits.h>

#include "base/fail.h"

/* "parent/.name.PID.tmp" of "parent/name/" and, with its own NUL, "parent/" (or "./"). */
struct nf_redact_target {
	char parent[PATH_MAX];
	char name[NAME_MAX + 1];
	char path[PATH_MAX];
};

NF_NODISCARD int nf_redact_target(const char *to, struct nf_redact_target *ret, struct nf_err *err);
/* -NF_EARG: the target stands in the run (an open folder), at any depth. */
NF_NODISCARD int nf_redact_target_outside(const struct nf_redact_target *t, int run,
                                          const char *from, struct nf_err *err);
/* Removes temporary folders of the same target whose process is gone and that nobody holds. */
void nf_redact_target_sweep(const struct nf_redact_target *t);

#endif
