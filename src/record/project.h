/* SPDX-License-Identifier: MIT */
/*
 * project - captures of a run, and what its user says about it, as a record of a published type with the
 * provenance of every value. Pure: bytes in, record out. docs/PROJECTION.md has the rules.
 *
 * A probe capture makes a HostProbeRun, a validator's a KernelValidationRun. Captures of the other kinds
 * go along: a window says which lane was expected, SMI and lane captures what the validator did not look at.
 */
#ifndef NF_RECORD_PROJECT_H
#define NF_RECORD_PROJECT_H

#include "record/rec_projection.h"

enum { NF_PROJECT_CAPTURES = 64, NF_PROJECT_ARENA_BYTES = 256 << 20 };

struct nf_project_input {
	const char *name; /* stands in the trace */
	const void *data;
	size_t len_bytes;
};

/* What no capture holds. NULL and empty: not said. */
struct nf_project_opts {
	const char *date; /* 2026-01-02; only where no capture is dated */
	const char *host; /* only where no capture names it */
	const char *lane; /* generic or rt: expectedLane; lane only where no capture shows it */
	const char *result; /* an alternative of the record's result */
	const char *compiler_source;
	const char *claim_ceiling;
	const char *phase;
	const char *intent;
	const char *owner_issue;
	struct nf_list evidence, notes, follow_up; /* of const char * */
};

/* in: 1 to NF_PROJECT_CAPTURES captures, at most one of them a probe's or a validator's. All of *ret lives in a;
 * names are copied. host_probe or kernel_validation is NULL when a field that must have a value has none: those are
 * in `missing`. -NF_EARG: two captures that make records, or an option of another form. -NF_EDATA: a
 * capture of no known kind, or too large. */
NF_NODISCARD int nf_project(const struct nf_project_input *in, size_t n,
                            const struct nf_project_opts *opts, struct nf_arena *a,
                            struct nf_rec_projection *ret, struct nf_err *err);

/* The published type that a kind of capture makes by itself, or NULL. */
const struct nf_type *nf_project_type(enum nf_capture_kind kind);

#endif
