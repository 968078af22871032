/* SPDX-License-Identifier: MIT */
/*
 * step - one probe with everything that turns its samples into a part of a record: a row a probe.
 *
 * A step record is {facts, body}; standing alone it is {schema, head, facts, body}. Both are made from the
 * same functions, so `noisefloor wake` and the wake step of `host` say the same.
 */
#ifndef NF_JOB_STEP_H
#define NF_JOB_STEP_H

#include "job/session.h"

/* What a body builder sees. */
struct nf_step_input {
	struct nf_session *session;
	const struct nf_job_budget *budget;
	const void *cfg; /* the probe's config struct */
	const struct nf_probe_run *run;
};

struct nf_why_source; /* job/why.h */

struct nf_step_kind {
	const struct nf_probe *probe;
	const struct nf_type *run_type; /* the record of a run by itself */
	const char *schema; /* "WakeRun/1" */
	const char *claim_ceiling;
	/* Layout of the stand-alone record and of the step record. */
	size_t run_size;
	size_t run_head;
	size_t run_facts;
	size_t run_body;
	size_t step_size;
	size_t step_facts;
	size_t step_body;
	/* Fills the body; lists live in the session's arena. Loss and undefined figures become None. */
	int (*body)(const struct nf_step_input *in, void *ret_body, struct nf_err *err);
	/* Sets result, reason and limit in facts. A limit that is exceeded fails, whatever was lost; one
	 * that holds on incomplete samples is undecided: the return is true then. */
	bool (*judge)(const struct nf_step_input *in, const void *body, struct nf_rec_facts *facts);
	/* Its lines for people. */
	int (*text)(const struct nf_rec_facts *facts, const void *body, struct nf_buf *out);
	/* Whether the losses of this stream count in the totals of facts; NULL: all do. Streams that
	 * describe the same events (lateness and wake-up of an activation) count once. */
	bool (*counts_losses)(const struct nf_stream *s);
	/* Bytes of samples to expect, for the proof that the disk has room. */
	uint64_t (*sample_bytes)(const struct nf_probe_env *env, const void *cfg);
	/* Where --why looks for noise; NULL: this probe has no causes to look for. */
	const struct nf_why_source *why;
};

/* The layout members for a probe with struct nf_rec_<id>_run and struct nf_rec_<id>_step. */
#define NF_STEP_LAYOUT(id) \
	.run_size = sizeof(struct nf_rec_##id##_run), \
	.run_head = offsetof(struct nf_rec_##id##_run, head), \
	.run_facts = offsetof(struct nf_rec_##id##_run, facts), \
	.run_body = offsetof(struct nf_rec_##id##_run, body), \
	.step_size = sizeof(struct nf_rec_##id##_step), \
	.step_facts = offsetof(struct nf_rec_##id##_step, facts), \
	.step_body = offsetof(struct nf_rec_##id##_step, body)

extern const struct nf_step_kind *const nf_step_kinds[]; /* NULL-terminated */
const struct nf_step_kind *nf_step_find(const char *probe_name); /* NULL: no such step */

struct nf_step_outcome {
	struct nf_err failed; /* code NF_OK: it ran; else why the probe could not */
	enum nf_rec_result result; /* blocked when it could not run */
	const char *reason; /* arena; NULL for pass */
	bool undecided; /* a limit was set and could not be judged */
	const void *step; /* struct nf_rec_<id>_step in the arena; NULL when it could not run */
	double started_s;
	double duration_s;
};

static inline const struct nf_rec_facts *nf_step_facts(const struct nf_step_kind *kind,
                                                       const void *step)
{
	return (const void *)((const char *)step + kind->step_facts);
}
static inline const void *nf_step_body(const struct nf_step_kind *kind, const void *step)
{
	return (const char *)step + kind->step_body;
}

/* Measures, keeps samples/<stem>.nfsamples, builds facts and body in the arena, judges; tells the
 * watch. A probe that cannot run is no failure of this function: the outcome says why. What fails it is
 * evidence that cannot be kept. Sets session->stopped_by. */
NF_NODISCARD int nf_step_run(struct nf_session *s, const struct nf_step_kind *kind, const void *cfg,
                             const char *stem, struct nf_step_outcome *ret, struct nf_err *err);

/* Keeps the streams of a run as samples/<stem>.nfsamples (unless the session keeps none) and says in
 * *ret what the run stands on; without a verdict: result pass, no limit. */
NF_NODISCARD int nf_step_keep(struct nf_session *s, const struct nf_step_kind *kind,
                              const struct nf_probe_common *common, const struct nf_probe_run *run,
                              const char *stem, struct nf_rec_facts *ret, struct nf_err *err);

/* Summary of the stream in ns, as a record; *ret is NULL when there are no samples. */
NF_NODISCARD int nf_step_summary(struct nf_session *s, const struct nf_stream *stream,
                                 const struct nf_rec_summary **ret, struct nf_err *err);
/* Summary of n values with a unit. */
NF_NODISCARD int nf_step_summary_of(struct nf_session *s, const int64_t *value, size_t n,
                                    double factor, const char *unit,
                                    const struct nf_rec_summary **ret, struct nf_err *err);
/* What the limits on lost time (max_noise, max_detour) are held against. */
struct nf_step_noise_figures {
	struct nf_some_real noise_ratio;
	struct nf_some_real longest_ns;
};
/* As nf_step_kind.judge. */
bool nf_step_judge_noise(const struct nf_step_input *in, const struct nf_step_noise_figures *b,
                         struct nf_rec_facts *f);
/* A duration in the arena, as people write it: "4ms". */
const char *nf_step_duration(struct nf_arena *a, int64_t ns);
/* The stream with this name; NULL: none. */
const struct nf_stream *nf_step_stream(const struct nf_probe_run *run, const char *name);
/* Total of everything lost over all streams. */
uint64_t nf_step_lost(const struct nf_rec_facts *facts);

#endif
