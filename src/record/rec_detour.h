/* SPDX-License-Identifier: MIT */
/* rec_detour - what interrupted a loop that only reads a clock. */
#ifndef NF_RECORD_REC_DETOUR_H
#define NF_RECORD_REC_DETOUR_H

#include "record/rec_causes.h"

/* clang-format off */
#define NF_ROWS_DETOUR_LENGTHS(X, S) \
	X(S, NAT,  from_ns,     DECLARED, "shortest length of this row") \
	X(S, NAT,  below_ns,    DECLARED, "lengths of this row are shorter") \
	X(S, NAT,  count,       DERIVED,  "detours kept of such length") \
	X(S, REAL, total_ns,    DERIVED,  "sum of their lengths") \
	X(S, REAL, per_s,       DERIVED,  "count per second of the CPUs' measured time") \
	X(S, REAL, share_ratio, DERIVED,  "total_ns over the CPUs' measured time")
NF_RECORD(detour_lengths, NF_ROWS_DETOUR_LENGTHS)

#define NF_ROWS_DETOUR_WORKER(X, S) \
	X(S, NAT,   cpu,                  MEASURED, "CPU it ran on, read back") \
	X(S, ONAT,  node,                 MEASURED, "NUMA node of that CPU") \
	X(S, TEXT,  start_stream,         MEASURED, "name of its stream of starts") \
	X(S, TEXT,  stream,               MEASURED, "name of its stream of lengths") \
	X(S, OREAL, loop_min_ns,          MEASURED, "shortest gap between two reads of the clock; None: stopped before") \
	X(S, OREAL, smallest_ns,          MEASURED, "smallest detectable detour: shortest gap of the warm-up + clock step; None: stopped before") \
	X(S, REAL,  threshold_ns,         MEASURED, "a longer gap is a detour; in whole ticks") \
	X(S, NAT,   reads,                MEASURED, "reads of the clock after the first") \
	X(S, NAT,   detours,              MEASURED, "detours, with those that were dropped") \
	X(S, REAL,  detoured_ns,          MEASURED, "sum of the lengths of all detours") \
	X(S, OREAL, longest_ns,           MEASURED, "longest of all detours; None: there was none") \
	X(S, REAL,  span_ns,              MEASURED, "first to last read, on the clock of the loop") \
	X(S, NAT,   wall_ns,              MEASURED, "the same on CLOCK_MONOTONIC_RAW, read right outside") \
	X(S, OREAL, span_to_wall,         DERIVED,  "span_ns over wall_ns") \
	X(S, OREAL, noise_ratio,          DERIVED,  "detoured_ns over span_ns") \
	X(S, OREAL, per_s,                DERIVED,  "detours per second of span_ns") \
	X(S, OREC(summary), lengths,      BY_FIELD, "of the detours kept, in ns; None: none") \
	X(S, OREC(summary), rate,         BY_FIELD, "detours that start in each full second; None: no full second, or some were dropped") \
	X(S, NAT,   minor_faults,         MEASURED, "page faults between first and last read") \
	X(S, NAT,   involuntary_switches, MEASURED, "context switches forced on it")
NF_RECORD(detour_worker, NF_ROWS_DETOUR_WORKER)

#define NF_ROWS_DETOUR_BODY(X, S) \
	X(S, OREAL, threshold_asked_ns, DECLARED, "threshold asked for; None: a multiple of smallest_ns, per CPU") \
	X(S, NAT,   threshold_factor,   DECLARED, "that multiple") \
	X(S, LIST(detour_worker), workers, BY_FIELD, "one per CPU") \
	X(S, LIST(detour_lengths), lengths, BY_FIELD, "detours kept of all CPUs by length, from the shortest to the longest") \
	X(S, NAT,   detours,      DERIVED,  "of all CPUs, with those that were dropped") \
	X(S, OREAL, noise_ratio,  DERIVED,  "over all CPUs: sum of detoured_ns over sum of span_ns") \
	X(S, OREAL, per_s,        DERIVED,  "over all CPUs: detours per second of the sum of span_ns") \
	X(S, OREAL, longest_ns,   DERIVED,  "largest longest_ns of all CPUs") \
	X(S, ONAT,  longest_cpu,  DERIVED,  "CPU of that detour") \
	X(S, OREC(causes), causes, BY_FIELD, "what the detours were; None: not asked for (--why)")
NF_RECORD(detour_body, NF_ROWS_DETOUR_BODY)

#define NF_ROWS_DETOUR_STEP(X, S) \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(detour_body), body, BY_FIELD, "what it measured")
NF_RECORD(detour_step, NF_ROWS_DETOUR_STEP)

/* DetourRun/1: this probe run by itself. */
#define NF_ROWS_DETOUR_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "DetourRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(detour_body), body, BY_FIELD, "what it measured")
NF_RECORD(detour_run, NF_ROWS_DETOUR_RUN)
/* clang-format on */

#endif
