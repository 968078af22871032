/* SPDX-License-Identifier: MIT */
/*
 * text - records for people: lines of at most 100 columns, plain ASCII but for the sparkline.
 *
 * Pure: reads records, appends to a buffer. Everything shown stands in the record; undefined is shown
 * as "unknown", never as 0.
 */
#ifndef NF_REPORT_TEXT_H
#define NF_REPORT_TEXT_H

#include "base/buf.h"
#include "record/rec_causes.h"
#include "record/rec_clock.h"
#include "record/rec_detour.h"
#include "record/rec_ftq.h"
#include "record/rec_history.h"
#include "record/rec_hwlat.h"
#include "record/rec_inject.h"
#include "record/rec_noise.h"
#include "record/rec_numa.h"
#include "record/rec_osnoise.h"
#include "record/rec_posture.h"
#include "record/rec_samplestats.h"
#include "record/rec_smi.h"
#include "record/rec_timerlat.h"
#include "record/rec_wake.h"
#include "record/rec_window.h"

/* The lines of one step; the first says the most. 0 or the buffer's failure. */
int nf_text_clock(const struct nf_rec_facts *f, const struct nf_rec_clock_body *b,
                  struct nf_buf *out);
int nf_text_smi(const struct nf_rec_facts *f, const struct nf_rec_smi_body *b, struct nf_buf *out);
int nf_text_hwlat(const struct nf_rec_facts *f, const struct nf_rec_hwlat_body *b,
                  struct nf_buf *out);
int nf_text_osnoise(const struct nf_rec_facts *f, const struct nf_rec_osnoise_body *b,
                    struct nf_buf *out);
int nf_text_timerlat(const struct nf_rec_facts *f, const struct nf_rec_timerlat_body *b,
                     struct nf_buf *out);
int nf_text_noise(const struct nf_rec_facts *f, const struct nf_rec_noise_body *b,
                  struct nf_buf *out);
int nf_text_detour(const struct nf_rec_facts *f, const struct nf_rec_detour_body *b,
                   struct nf_buf *out);
int nf_text_ftq(const struct nf_rec_facts *f, const struct nf_rec_ftq_body *b, struct nf_buf *out);
int nf_text_wake(const struct nf_rec_facts *f, const struct nf_rec_wake_body *b,
                 struct nf_buf *out);
int nf_text_numa(const struct nf_rec_facts *f, const struct nf_rec_numa_body *b,
                 struct nf_buf *out);

/* The table of --why, for c not NULL. */
int nf_text_causes(const struct nf_rec_causes *c, struct nf_buf *out);

/* Host, platform, kernel, lane, CPUs, clock with its error (clock NULL: not open yet). */
int nf_text_head(const struct nf_rec_setup *setup, int lane, const struct nf_rec_clock *clock,
                 struct nf_buf *out);
/* The whole of `host`: the verdict's first line is the headline. */
int nf_text_window(const struct nf_rec_window_run *w, struct nf_buf *out);
/* Ground truth: what was asked for, one pass as a line, the whole. */
int nf_text_inject_plan(const struct nf_rec_inject_plan *p, struct nf_buf *out);
int nf_text_inject_pass(const struct nf_rec_inject_pass *p, struct nf_buf *out);
int nf_text_inject(const struct nf_rec_inject_run *r, struct nf_buf *out);
/* Each series as a plot, its steps and its last runs; or the list of figures. */
int nf_text_history(const struct nf_rec_history *h, struct nf_buf *out);
/* Every fact; with a profile or advice these instead. */
int nf_text_posture(const struct nf_rec_posture *p, struct nf_buf *out);

/* A row a worker, and how fwq-stats reads the same files. */
int nf_text_sample_stats(const struct nf_rec_sample_stats *s, struct nf_buf *out);

/* What captured texts may hold must not reach a terminal: control characters but the newline, marks of
 * direction, and broken UTF-8, become \xNN. In place, at the end. */
int nf_text_printable(struct nf_buf *text);
/* The same for lines whose columns are separated by tabs: those stay. */
int nf_text_printable_table(struct nf_buf *text);
/* For JSON and Dhall, whose strings may say it: C1 controls and marks of direction become \uNNNN, which
 * reads back as the same text. In place, at the end. */
int nf_text_escaped(struct nf_buf *text);

/* Pieces. */
const char *nf_text_result(int result); /* "pass", "FAIL", "partial", "blocked" */
/* "12.3 us", or "unknown". */
int nf_text_ns(struct nf_buf *out, bool some, double ns);
int nf_text_percent(struct nf_buf *out, bool some, double ratio);
/* A histogram as a row of block characters: counts scaled by their logarithm, so that a single outlier
 * shows. */
int nf_text_sparkline(struct nf_buf *out, const uint64_t *count, size_t n);

#endif
