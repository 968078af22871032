/* SPDX-License-Identifier: MIT */
/*
 * chrome - a run as a trace that chrome://tracing and Perfetto show: the JSON object form of the Trace
 * Event Format (Google, "Trace Event Format"), complete events ("ph":"X") on named tracks.
 *
 * Pure: spans in, text out. Of more spans than it has room for the longest are kept, and the text says
 * how many were left out. Each part (CPU) has two tracks: its interruptions, and what the kernel did.
 */
#ifndef NF_REPORT_CHROME_H
#define NF_REPORT_CHROME_H

#include "base/buf.h"
#include "base/event_log.h"
#include "stats/segments.h"

enum nf_chrome_track { NF_CHROME_INTERVALS, NF_CHROME_EVENTS, NF_N_CHROME_TRACKS };

struct nf_chrome_span {
	int64_t begin_ns; /* since the first origin */
	int64_t length_ns; /* > 0 */
	uint32_t part;
	enum nf_chrome_track track;
	struct nf_cause cause;
};

struct nf_chrome_pool {
	struct nf_chrome_span *span; /* owned */
	size_t n;
	size_t cap;
	int64_t shortest_ns; /* shorter ones are left out */
	uint64_t n_left_out;
};

struct nf_chrome {
	struct nf_chrome_pool pool[NF_N_CHROME_TRACKS];
	size_t max_spans; /* of each kind of track */
};

void nf_chrome_init(struct nf_chrome *c, size_t max_spans);
void nf_chrome_fini(struct nf_chrome *c);
/* Spans with length 0 or less are passed over. */
NF_NODISCARD int nf_chrome_add(struct nf_chrome *c, const struct nf_chrome_span *s,
                               struct nf_err *err);
/* The whole text. cpu: of each part. Sorts the spans. */
NF_NODISCARD int nf_chrome_print(struct nf_chrome *c, const char *title, const int *cpu,
                                 size_t n_parts, const struct nf_event_log *names,
                                 struct nf_buf *out, struct nf_err *err);

/* "unexplained", "events lost", "irq", ... */
const char *nf_text_cause_kind(int kind);

#endif
