/* SPDX-License-Identifier: MIT */
/*
 * why - what interrupted a probe (--why): the kernel's events traced around its run, laid over its noise,
 * kept and added up by cause.
 *
 * Order: nf_why_check() before anything is made; nf_why_start(), the probe's run, nf_why_stop();
 * nf_why_evidence() once the step's body is built; nf_why_free().
 */
#ifndef NF_JOB_WHY_H
#define NF_JOB_WHY_H

#include "base/event_log.h"
#include "job/step.h"
#include "record/rec_causes.h"
#include "stats/attribute.h"

struct nf_why;

/* The intervals of noise on one CPU, in ticks since origin_tick. */
struct nf_why_part {
	int cpu;
	uint64_t origin_tick; /* raw reading of the clock */
	int64_t span_ticks; /* measured from the origin on */
	nf_interval_fn *next; /* its context is the part */
	/* What next() goes over, borrowed from the probe's run; or owned intervals. */
	const int64_t *begin;
	const int64_t *length;
	struct nf_interval *interval; /* owned */
	size_t n;
	size_t at;
	int64_t now;
	int64_t shortest;
};

struct nf_why_parts {
	struct nf_why_part *part; /* owned */
	size_t n;
	double tick_hz;
};

/* How a probe's samples become intervals of noise. */
struct nf_why_source {
	const char *noise; /* what the intervals are, for the record */
	bool raw_clock; /* samples are on CLOCK_MONOTONIC_RAW whatever the run's clock is */
	bool not_asleep; /* struct nf_segments_cfg */
	size_t body_causes; /* offset in the step's body of its const struct nf_rec_causes * */
	/* At most one part per CPU. `log` holds raw ticks. */
	int (*parts)(const struct nf_step_input *in, const struct nf_event_log *log,
	             struct nf_why_parts *ret, struct nf_err *err);
};
void nf_why_parts_fini(struct nf_why_parts *p); /* zeroed is fine */

extern const struct nf_why_source nf_why_noise, nf_why_detour, nf_why_numa;

/* 0, or -NF_EUNSUPPORTED with what would help: no events here, none on this clock, nothing may be
 * changed, or the probe has no source. */
NF_NODISCARD int nf_why_check(const struct nf_session *s, const struct nf_step_kind *kind,
                              struct nf_err *err);
NF_NODISCARD int nf_why_start(const struct nf_session *s, const struct nf_step_kind *kind,
                              const void *cfg, struct nf_why **ret, struct nf_err *err);
/* Ends tracing and puts everything back; to be called on every way out. Notes go to run (NULL: the probe
 * failed). */
NF_NODISCARD int nf_why_stop(struct nf_why *w, struct nf_probe_run *run, struct nf_err *err);
/* Keeps samples/<stem>-events.nfsamples, captures/<stem>-event-names.txt and derived/trace.json, and
 * puts the causes into the body. */
NF_NODISCARD int nf_why_evidence(struct nf_why *w, const struct nf_step_input *in, const char *stem,
                                 void *body, struct nf_err *err);
void nf_why_free(struct nf_why *w); /* after stop; NULL is fine */

#endif
