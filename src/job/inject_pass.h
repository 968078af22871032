/* SPDX-License-Identifier: MIT */
/* inject_pass - one run of a probe, with bursts or without, and its part of the record. Internal to job/. */
#ifndef NF_JOB_INJECT_PASS_H
#define NF_JOB_INJECT_PASS_H

#include "job/inject_kinds.h"
#include "job/step.h"
#include "record/rec_inject.h"

/* The level of the test whether hits prefer the injected phase. */
#define NF_INJECT_ALPHA 0.01

struct nf_injection {
	struct nf_session *session;
	const struct nf_inject_opts *in;
	int cpu;
	const char *cpu_text; /* the same as a list */
	int64_t origin_ns; /* of the grid, on CLOCK_MONOTONIC */
	int64_t phase_ns; /* in force */
};

/* The injected window of the phases, in ns: settled with the bursts, then used without them too. 0: none. */
struct nf_inject_window {
	double lead_ns;
	double width_ns;
};

/* The config of the kind's probe: free() it. */
NF_NODISCARD int nf_inject_config(const struct nf_injection *j, const struct nf_inject_kind *kind,
                                  void **ret, struct nf_err *err);
/* Of one pass. */
int64_t nf_inject_estimate_ns(const struct nf_injection *j, const struct nf_inject_kind *kind,
                              const void *cfg);

/* Measures and keeps samples/<probe>-injected.nfsamples, or -control. A probe that cannot run is no failure
 * of this function: *ret is NULL then and *failed says why; NULL without a code: it was stopped before its
 * first sample. Sets session->stopped_by. */
NF_NODISCARD int nf_inject_pass(const struct nf_injection *j, const struct nf_inject_kind *kind,
                                const void *cfg, bool inject, struct nf_inject_window *window,
                                struct nf_rec_inject_pass **ret, struct nf_err *failed,
                                struct nf_err *err);

#endif
