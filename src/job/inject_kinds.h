/* SPDX-License-Identifier: MIT */
/* inject_kinds - what a hit is for each probe that is scored. Internal to job/. */
#ifndef NF_JOB_INJECT_KINDS_H
#define NF_JOB_INJECT_KINDS_H

#include "job/inject.h"
#include "stats/inject_score.h"

/* What a probe saw, in ticks from its first sample. */
struct nf_inject_seen {
	struct nf_inject_hit *hit; /* owned */
	size_t n_hits;
	uint64_t origin_tick;
	double tick_hz;
	int64_t span_ticks;
	int64_t threshold_ticks;
	double lead_ticks; /* a hit may begin so long before what caused it */
};

struct nf_inject_kind {
	const struct nf_probe *probe;
	const char *hit; /* what is taken for one, in words */
	/* The probe's config beyond its defaults and the common part. */
	void (*configure)(void *cfg, const struct nf_inject_opts *in);
	/* -NF_ENODATA: it was stopped before it looked at anything. */
	int (*look)(const struct nf_probe_run *run, const struct nf_inject_opts *in,
	            struct nf_inject_seen *ret, struct nf_err *err);
};

extern const struct nf_inject_kind nf_inject_kinds[]; /* ends with probe NULL */

#endif
