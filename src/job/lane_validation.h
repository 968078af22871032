/* SPDX-License-Identifier: MIT */
/* lane_validation - a KernelValidationRun of what was found, and its forms. */
#ifndef NF_JOB_LANE_VALIDATION_H
#define NF_JOB_LANE_VALIDATION_H

#include "job/job.h"
#include "lane/trip_file.h"
#include "lane/verify.h"
#include "record/rec_kernel_validation.h"

/* Yes, no, or nobody knows. */
enum nf_maybe { NF_MAYBE_UNKNOWN, NF_MAYBE_NO, NF_MAYBE_YES };

struct nf_lane_validation {
	const char *phase;
	const char *owner_issue, *intent; /* may be NULL */
	const char *default_kernel; /* may be NULL */
	enum nf_maybe default_preserved, next_consumed;
	const char *next_state; /* may be NULL */
	const char *return_release; /* may be NULL */
	enum nf_maybe return_pass;
	int64_t reconnect_ns, return_ns; /* -1: not measured */
	struct nf_some_nat smi_per_10s, hwlat_max_us; /* of a window in this kernel */
	const char *run_generic, *run_rt; /* names of run folders; NULL or "": none */
	const char *note[8]; /* NULL or "": none */
	enum nf_rec_validation result;
};

/* Reads a profile into *ret; NULL path: none, *ret is empty. */
NF_NODISCARD int nf_lane_profile_read(const char *path, struct nf_arena *a, struct nf_profile *ret,
                                      struct nf_err *err);
/* Checks base and overlay (each may be empty) against the kernel that runs, into n; ret_ok: no line is missed. why (may
 * be NULL): the first that is, for people. */
NF_NODISCARD int nf_lane_profiles_check(const struct nf_lane_host *h, struct nf_profile *base,
                                        struct nf_profile *overlay, const char *release,
                                        struct nf_arena *a, struct nf_trip_notes *n, bool *ret_ok,
                                        const char **why, struct nf_err *err);
/* n: the kernel as it was verified. All of *ret lives in a, or is borrowed. */
NF_NODISCARD int nf_lane_validation_fill(const struct nf_lane_validation *v,
                                         const struct nf_trip_notes *n, struct nf_arena *a,
                                         struct nf_rec_kernel_validation_run *ret,
                                         struct nf_err *err);
/* The record as text for people, appended. */
void nf_lane_validation_text(const struct nf_rec_kernel_validation_run *r, struct nf_buf *out);

#endif
