/* SPDX-License-Identifier: MIT */
/*
 * segments - who had a CPU when it was not the measuring thread: from the events of one CPU, in order, to
 * stretches of time that do not overlap. Pure; allocates nothing; any two arrays may be given.
 *
 * The innermost owns the time: NMI over hard interrupt over softirq over thread; what one interrupts goes on
 * behind it. Time of the measuring threads, and time of which nothing is known, gives no segment.
 *
 * Entries without exit and exits without entry (the beginning, the end, what was lost): an exit that
 * nothing here began is passed over; an entry is ended by the exit of what was below it, by a second
 * entry of its kind (softirqs and interrupts do not nest in themselves) and by a context switch; what is
 * open at the last event ends there. Before the first event nothing is known. Where events were lost the
 * time since the one before is a segment of the kind LOST, and what is known begins anew.
 *
 * On PREEMPT_RT a softirq may be preempted: the rest of it counts as the thread that runs it.
 */
#ifndef NF_STATS_SEGMENTS_H
#define NF_STATS_SEGMENTS_H

#include "base/event_log.h"

enum nf_cause_kind {
	NF_CAUSE_UNEXPLAINED, /* no event: hardware, firmware or the hypervisor */
	NF_CAUSE_LOST, /* events were lost: nobody knows */
	NF_CAUSE_IRQ,
	NF_CAUSE_SOFTIRQ,
	NF_CAUSE_NMI,
	NF_CAUSE_THREAD,
};

struct nf_cause {
	enum nf_cause_kind kind;
	uint32_t name; /* index of the event's name; 0 where there is none */
	uint32_t id; /* of a thread, else 0 */
};

struct nf_segment {
	int64_t begin; /* INT64_MIN: since ever (LOST) */
	int64_t end; /* > begin */
	struct nf_cause cause;
	bool first; /* of its occurrence: the rest of one that was interrupted is not */
	bool met; /* first, and it began while the measuring thread itself had the CPU */
};

struct nf_segments_cfg {
	const int *measured; /* ids of the measuring threads; borrowed */
	size_t n_measured;
	/* While a measuring thread has given up the CPU, what runs there interrupts nobody. */
	bool not_asleep;
	double ticks_per_ns; /* for NMIs, whose length the kernel gives in ns */
};

enum { NF_SEGMENT_NESTING = 16 };

struct nf_segments {
	const struct nf_segments_cfg *cfg; /* borrowed, as the arrays */
	const int64_t *tick;
	const int64_t *word;
	size_t n;
	size_t at;
	int64_t last;
	bool begun;
	bool asleep; /* the measuring thread gave up the CPU */
	enum { NF_RUNS_UNKNOWN, NF_RUNS_MEASURED, NF_RUNS_OTHER } runs;
	struct nf_segment thread; /* cause, first and met */
	struct {
		struct nf_segment s; /* cause, first and met */
		enum nf_event_kind kind;
		uint32_t arg;
	} nest[NF_SEGMENT_NESTING];
	size_t depth;
	struct nf_segment ready[2];
	size_t n_ready;
	size_t next_ready;
};

/* tick and word: n events (base/event_log.h); ticks that fall are taken as equal. */
void nf_segments_init(struct nf_segments *s, const struct nf_segments_cfg *cfg, const int64_t *tick,
                      const int64_t *word, size_t n);
/* False: no more. */
bool nf_segments_next(struct nf_segments *s, struct nf_segment *ret);

static inline bool nf_cause_equal(const struct nf_cause *a, const struct nf_cause *b)
{
	return a->kind == b->kind && a->name == b->name && a->id == b->id;
}

#endif
