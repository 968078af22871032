/* SPDX-License-Identifier: MIT */
/*
 * inject - ground truth on this machine: bursts that are known exactly are injected into one CPU while a
 * probe looks at it, then the probe looks again without them. What is scored is in docs/METHOD.md.
 */
#ifndef NF_JOB_INJECT_H
#define NF_JOB_INJECT_H

#include "job/job.h"

struct nf_inject_opts {
	const char *cpus; /* exactly one; NULL: the last allowed one */
	int64_t duration_ns; /* of each pass */
	int64_t period_ns;
	int64_t length_ns;
	int64_t phase_ns;
	bool phase_given; /* false: drawn from the seed */
	uint64_t seed;
	double min_recall; /* 0..1 */
	size_t max_sample_bytes; /* 0: the probes' own */
};

/* Runs every probe of nf_inject_kinds with bursts and without, keeps an InjectRun. -NF_EARG before
 * anything is kept: an option out of place. A probe that cannot run is blocked and says why. The run
 * fails when a probe sees less than min_recall of the bursts. */
NF_NODISCARD int nf_job_inject(const struct nf_job_opts *o, const struct nf_inject_opts *in,
                               struct nf_job_outcome *ret, struct nf_err *err);

#endif
