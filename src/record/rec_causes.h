/* SPDX-License-Identifier: MIT */
/* rec_causes - what the kernel's trace events say about the noise of a run (--why): a row a cause. */
#ifndef NF_RECORD_REC_CAUSES_H
#define NF_RECORD_REC_CAUSES_H

#include "record/rec_common.h"

/* clang-format off */
NF_RECORD_ENUM(cause_kind) /* in the order of enum nf_cause_kind (stats/segments.h) */

#define NF_ROWS_CAUSE(X, S) \
	X(S, ENUM(cause_kind), kind,   MEASURED, "unexplained: no event says what it was: hardware, firmware, hypervisor") \
	X(S, TEXT,  name,              MEASURED, "interrupt (a line with its number), softirq or thread; empty where there is none") \
	X(S, ONAT,  pid,               MEASURED, "id of the thread") \
	X(S, NAT,   count,             DERIVED,  "intervals labelled so: what interrupted") \
	X(S, NAT,   part_count,        DERIVED,  "intervals of which it took a part") \
	X(S, NAT,   total_ticks,       DERIVED,  "its part of the noise; over all causes they add up to noise_ticks") \
	X(S, NAT,   inside_ticks,      DERIVED,  "of that: between its events; the rest is the way into and out of the kernel") \
	X(S, REAL,  total_ns,          DERIVED,  "total_ticks in ns") \
	X(S, OREAL, share,             DERIVED,  "total_ticks over noise_ticks") \
	X(S, REAL,  longest_ns,        DERIVED,  "its largest part of one interval") \
	X(S, NAT,   occurrences,       DERIVED,  "times that it began within the measured span") \
	X(S, NAT,   met,               DERIVED,  "of these: while the measuring thread itself had the CPU") \
	X(S, NAT,   met_labelled,      DERIVED,  "of those that met it: in an interval labelled so") \
	X(S, NAT,   inside_intervals,  DERIVED,  "of occurrences: in an interval of noise") \
	X(S, NAT,   labelled,          DERIVED,  "of these: in an interval labelled so")
NF_RECORD(cause, NF_ROWS_CAUSE)

#define NF_ROWS_CAUSES(X, S) \
	X(S, TEXT,  noise,             DECLARED, "what the intervals of noise are") \
	X(S, TEXT,  trace_clock,       MEASURED, "clock of the events: the kernel's name") \
	X(S, REAL,  tick_hz,           MEASURED, "ticks per second") \
	X(S, NAT,   around_limit_ns,   DECLARED, "on each side of an event so much at most counts as the way into and out of the kernel") \
	X(S, NAT,   buffer_kb,         DECLARED, "the kernel's buffer per CPU") \
	X(S, BOOL,  drained,           MEASURED, "buffers were emptied during the run, on a CPU that was not measured") \
	X(S, NATS,  measured_threads,  MEASURED, "ids of the measuring threads: what they did is no cause") \
	X(S, NAT,   events,            MEASURED, "events kept") \
	X(S, NAT,   events_lost,       MEASURED, "events that the kernel's buffers lost, as far as it knows") \
	X(S, NAT,   events_dropped,    MEASURED, "events beyond the memory for them") \
	X(S, NAT,   intervals,         DERIVED,  "intervals of noise") \
	X(S, NAT,   noise_ticks,       DERIVED,  "their noise") \
	X(S, REAL,  noise_ns,          DERIVED,  "noise_ticks in ns") \
	X(S, LIST(cause), causes,      BY_FIELD, "by falling total_ticks") \
	X(S, NAT,   causes_merged,     DERIVED,  "causes with little noise that the rows without a name at the end stand for") \
	X(S, LIST(stream_ref), streams, BY_FIELD, "the events: two streams per CPU") \
	X(S, OTEXT, names_file,        MEASURED, "path below the run folder: the names that events refer to, a line each, from 0; None: not kept")
NF_RECORD(causes, NF_ROWS_CAUSES)
/* clang-format on */

#endif
