/* SPDX-License-Identifier: MIT */
/*
 * attribute - lays the noise of a CPU over what the kernel was doing there, and adds up by cause. Pure; in
 * whole ticks, so that the totals of all causes are the noise, exactly.
 *
 * An interval has a length and a noise of at most that: for a detour both are the same, for fixed work
 * the noise is what it took beyond the shortest. The noise of one interval is shared out so:
 *   1. time inside segments (segments.h) belongs to their causes; where that is more than the noise, it
 *      is scaled down to it;
 *   2. what is left of the noise goes to the way into and out of the kernel around segments, which no event
 *      stamps: up to around_ticks on each side of each segment, not beyond the interval nor the
 *      middle between two of them, scaled down to what is left;
 *   3. the rest is UNEXPLAINED.
 * So an interrupt of 3 us inside a gap of 10 ms takes 3 us and what entry and exit may cost, not 10 ms.
 *
 * The label says what interrupted, not what took longest: of the causes with at least one
 * NF_EXPLAINED_SHARE-th of the interval's noise a thread, else a hard interrupt (which leads to threads
 * and softirqs), else an NMI, else a softirq, the one with most of it among several; without such a cause the one
 * with most. UNEXPLAINED where all causes together have less than that share, as with an interrupt that
 * waited for the end of a long gap; LOST where events were lost in the interval. Totals do not depend on
 * labels.
 */
#ifndef NF_STATS_ATTRIBUTE_H
#define NF_STATS_ATTRIBUTE_H

#include "stats/segments.h"

enum { NF_EXPLAINED_SHARE = 10 };

struct nf_interval {
	int64_t begin;
	int64_t length; /* >= 1 */
	int64_t noise; /* 1 .. length */
};

struct nf_cause_total {
	struct nf_cause cause;
	uint64_t n_labelled; /* intervals labelled so */
	uint64_t n_part; /* intervals it has a part in */
	int64_t total_ticks; /* its part of the noise */
	int64_t inside_ticks; /* of that: between its events; 0 for UNEXPLAINED */
	int64_t longest_ticks; /* its largest part of one interval */
	uint64_t events; /* occurrences that began in the measured span */
	uint64_t
	        events_met; /* of these: that began while the measuring thread itself had the CPU */
	uint64_t events_met_labelled; /* of those: in an interval labelled so */
	uint64_t events_inside; /* of events: that began in an interval */
	uint64_t events_labelled; /* of these: in an interval labelled so */
	/* Of the interval at hand. */
	uint64_t stamp;
	int64_t inside;
	int64_t around;
	int64_t part;
	uint64_t began;
	uint64_t began_met;
};

struct nf_attribution {
	struct nf_cause_total *total; /* owned; index 0 is UNEXPLAINED, 1 LOST */
	size_t n;
	size_t cap;
	uint32_t *slot; /* owned */
	size_t n_slots;
	uint32_t *touched; /* owned; of the interval at hand, cap entries */
	size_t n_touched;
	uint64_t n_intervals;
	int64_t noise_ticks; /* sum over total of total_ticks */
};

/* Beyond so many causes the later ones go to one of their kind with the name 0 and the id 0. */
enum { NF_CAUSES_MAX = 1 << 16 };

/* False: no more. Intervals come in order and do not overlap. */
typedef bool nf_interval_fn(void *ctx, struct nf_interval *ret);
/* part: the label's part of the noise. Non-zero stops and is returned. */
typedef int nf_label_fn(void *ctx, const struct nf_interval *i, const struct nf_cause *label,
                        int64_t part);

/* One CPU. */
struct nf_attribute_cpu {
	struct nf_segments_cfg segments;
	const int64_t *tick; /* n_events events */
	const int64_t *word;
	size_t n_events;
	int64_t around_ticks; /* >= 0 */
	int64_t span_begin; /* the measured span, for counting events */
	int64_t span_end;
	nf_interval_fn *next;
	void *next_ctx;
	nf_label_fn *label; /* may be NULL */
	void *label_ctx;
};

void nf_attribution_init(struct nf_attribution *a); /* allocates nothing */
void nf_attribution_fini(struct nf_attribution *a); /* zeroed is fine */

/* Adds one CPU. -NF_EARG: an interval out of order or with a noise out of range; -NF_ENOMEM. After a
 * failure only fini is left. */
NF_NODISCARD int nf_attribute(struct nf_attribution *a, const struct nf_attribute_cpu *cpu,
                              struct nf_err *err);
/* By falling total, then kind, name, id: total[] is in that order, and nothing may be added. */
void nf_attribution_sort(struct nf_attribution *a);

/* Time inside segments of each of n intervals, in order and not overlapping; LOST counts too. */
void nf_attribute_overlap(const struct nf_attribute_cpu *cpu, const struct nf_interval *interval,
                          size_t n, int64_t *ret);

#endif
