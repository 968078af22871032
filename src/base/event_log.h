/* SPDX-License-Identifier: MIT */
/*
 * event_log - what the kernel told about its own doings on some CPUs, in order: interrupts, softirqs,
 * NMIs, context switches, and where such events were lost.
 *
 * An event is two 64-bit values, as they are kept in a run folder (docs/RECORD_FORMAT.md): a tick of the
 * trace's clock, and a word that holds
 *   bits  0..31  arg: thread id, interrupt line or vector, softirq number, ns of an NMI, number lost
 *   bits 32..51  index of a name
 *   bits 52..55  kind
 * and nothing above. Names are interned; index 0 is "?", also for names beyond the limit.
 * Threads: one at a time per log.
 */
#ifndef NF_BASE_EVENT_LOG_H
#define NF_BASE_EVENT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpuset.h"

enum nf_event_kind {
	NF_EVENT_NONE,
	NF_EVENT_IRQ_IN, /* a hard interrupt begins; arg: its line or vector */
	NF_EVENT_IRQ_OUT,
	NF_EVENT_SOFTIRQ_IN, /* arg: its number */
	NF_EVENT_SOFTIRQ_OUT,
	NF_EVENT_THREAD_OUT, /* this thread lost the CPU although it could run on; arg: its id */
	NF_EVENT_THREAD_SLEEP, /* it gave the CPU up */
	NF_EVENT_THREAD_IN, /* this thread goes on */
	NF_EVENT_NMI, /* stamped at its end; arg: how long it took, in ns */
	NF_EVENT_LOST, /* events between the one before and this tick; arg: how many, 0: unknown */
	NF_N_EVENTS,
};

struct nf_event {
	int64_t tick;
	enum nf_event_kind kind;
	uint32_t name;
	uint32_t arg;
};

enum { NF_EVENT_NAMES_MAX = 1 << 20 };

/* name is below NF_EVENT_NAMES_MAX. */
int64_t nf_event_pack(enum nf_event_kind kind, uint32_t name, uint32_t arg);
/* False: the word is no event. Any word may be given. */
bool nf_event_unpack(int64_t tick, int64_t word, struct nf_event *ret);

/* The events of one CPU. */
struct nf_event_track {
	int cpu;
	int64_t *tick; /* owned; n of cap are valid */
	int64_t *word; /* owned */
	size_t n;
	size_t cap;
	uint64_t n_lost; /* by the kernel's buffer, as far as it knows; at least one each time */
	uint64_t n_dropped; /* for want of memory, at the end */
	int64_t last_dropped_tick;
};

struct nf_event_log {
	struct nf_event_track *track; /* owned; in rising order of CPUs */
	size_t n_tracks;
	char **name; /* owned */
	size_t n_names;
	size_t max_names;
	uint32_t *slot; /* owned; index of a name + 1, 0: free */
	size_t n_slots;
	size_t max_events; /* over all tracks */
	size_t n_events;
};

/* max_names 1 .. NF_EVENT_NAMES_MAX. */
NF_NODISCARD int nf_event_log_init(struct nf_event_log *log, const struct nf_cpuset *cpus,
                                   size_t max_events, size_t max_names, struct nf_err *err);
void nf_event_log_fini(struct nf_event_log *log); /* zeroed is fine */

/* NULL: not of this log. */
struct nf_event_track *nf_event_log_track(const struct nf_event_log *log, int cpu);
/* Index of the name: the first len_bytes of text, up to a NUL. */
NF_NODISCARD int nf_event_log_name(struct nf_event_log *log, const char *text, size_t len_bytes,
                                   uint32_t *ret, struct nf_err *err);
/* "?" for an index that is none. Borrowed until fini. */
const char *nf_event_log_text(const struct nf_event_log *log, uint32_t name);
/* Ticks of a track do not fall: an earlier one becomes the last. Beyond max_events: counted as dropped. */
NF_NODISCARD int nf_event_log_put(struct nf_event_log *log, struct nf_event_track *t, int64_t tick,
                                  enum nf_event_kind kind, uint32_t name, uint32_t arg,
                                  struct nf_err *err);
/* After the last event: what was dropped at the end of a track becomes an event of the kind LOST. */
NF_NODISCARD int nf_event_log_finish(struct nf_event_log *log, struct nf_err *err);

#endif
