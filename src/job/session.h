/* SPDX-License-Identifier: MIT */
/*
 * session - the machine a run stands on, opened once, and the run folder that takes its evidence.
 *
 * Order: open (root, topology, posture, lane, clock), folder, any number of steps, then
 * nf_session_finish(), which reads the posture again, completes the head, writes record.json,
 * record.dhall, derived/summary.txt and MANIFEST. close undoes and frees, also after a failure.
 */
#ifndef NF_JOB_SESSION_H
#define NF_JOB_SESSION_H

#include "job/job.h"
#include "record/rec_common.h"
#include "record/runfolder.h"

struct nf_session {
	const struct nf_job_opts *opts; /* borrowed */
	struct nf_arena arena; /* every text and list of the record */
	struct nf_rootfs root;
	struct nf_topology *topo; /* owned */
	struct nf_tick_clock clock;
	struct nf_posture before;
	struct nf_posture after;
	struct nf_instant started_utc;
	struct nf_instant started_raw;
	struct nf_runfolder *folder; /* owned; NULL before nf_session_folder() */
	struct nf_probe_env env; /* what probes get */
	const char *under; /* the load, for the record; NULL: none */
	uint64_t seed;
	const char *step; /* the running step, for progress; NULL: none */
	int stopped_by; /* the signal that ended the run early; 0: none */
};

/* Reads the machine. -NF_EUNSUPPORTED when the lane is not the expected one: one line, before
 * anything is measured. Zero *s first; nf_session_close() after success and failure alike. */
NF_NODISCARD int nf_session_open(struct nf_session *s, const struct nf_job_opts *opts,
                                 struct nf_err *err);
/* Chooses, checks and calibrates the tick clock (about 200 ms). */
NF_NODISCARD int nf_session_clock(struct nf_session *s, struct nf_err *err);
/* Makes the run folder, proves that reserve_bytes can be written, and keeps captures/. */
NF_NODISCARD int nf_session_folder(struct nf_session *s, uint64_t reserve_bytes,
                                   struct nf_err *err);
void nf_session_close(struct nf_session *s);

static inline int64_t nf_session_elapsed_ns(const struct nf_session *s)
{
	return nf_since_ns(s->started_raw, nf_now_raw());
}

/* The verdict of a whole run and why. reason NULL only for pass. */
struct nf_verdict {
	enum nf_rec_result result;
	const char *reason; /* borrowed from the arena or static */
	const char *claim_ceiling;
	bool undecided; /* a limit was set and could not be judged: exit 3 */
	bool subject_failed; /* what was to be measured did not run to its end: exit 5 */
	bool failed; /* the tool or the system failed in a step: exit 4, what was measured is kept */
};

/* head: part of `record`, which is of type t; its fields are filled here. text appends the summary for
 * people from the finished record. Fills the outcome. */
typedef void nf_session_text_fn(const void *record, struct nf_buf *out);
NF_NODISCARD int nf_session_finish(struct nf_session *s, const struct nf_type *t, void *record,
                                   struct nf_rec_head *head, const struct nf_verdict *verdict,
                                   nf_session_text_fn *text, struct nf_job_outcome *ret,
                                   struct nf_err *err);
#endif
