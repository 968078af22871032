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

/* A burst that was made; ns of the grid. */
struct nf_inject_made {
	double begin_ns;
	int64_t length_ticks;
};

/* What the pass with bursts leaves for the one without. */
struct nf_inject_window {
	/* The injected window of the phases. 0: none. */
	double lead_ns;
	double width_ns;
	double start_ns; /* of the first sample, on the grid */
	struct nf_inject_made *made; /* owned */
	size_t n_made;
};
void nf_inject_window_fini(struct nf_inject_window *w); /* zeroed is fine */

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
