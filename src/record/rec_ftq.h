/* SPDX-License-Identifier: MIT */
/* rec_ftq - fixed time quanta: how much work fits into each, and what returns at regular intervals. */
#ifndef NF_RECORD_REC_FTQ_H
#define NF_RECORD_REC_FTQ_H

#include "record/rec_common.h"

/* clang-format off */
#define NF_ROWS_FTQ_LINE(X, S) \
	X(S, REAL, hz,                   DERIVED, "frequency; of the fundamental, where harmonics were found") \
	X(S, REAL, share_ratio,          DERIVED, "its part of the variance of the units per quantum") \
	X(S, REAL, with_harmonics_ratio, DERIVED, "the same with its harmonics") \
	X(S, NAT,  harmonics,            DERIVED, "peaks that are harmonics of it") \
	X(S, NAT,  folded,               DERIVED, "of them, above nyquist_hz: seen folded back") \
	X(S, REAL, floor_ratio,          DERIVED, "its bin over the noise around it") \
	X(S, REAL, chance,               DERIVED, "of such a bin, or of such teeth, anywhere in noise alone") \
	X(S, NAT,  teeth,                DERIVED, "multiples of it, itself included, that stand out together; 0: its own bin does") \
	X(S, BOOL, kernel_tick,          DERIVED, "within half a hertz and a bin of the tick that the kernel was configured for")
NF_RECORD(ftq_line, NF_ROWS_FTQ_LINE)

#define NF_ROWS_FTQ_SPECTRUM(X, S) \
	X(S, NAT,  used,        DERIVED,  "quanta it is of: the first so many, an even number without prime factors over 5") \
	X(S, REAL, bin_hz,      DERIVED,  "resolution") \
	X(S, REAL, nyquist_hz,  DERIVED,  "half the rate of the quanta: what is faster appears folded back below it") \
	X(S, REAL, lowest_hz,   DERIVED,  "below it nothing can be told from noise") \
	X(S, REAL, variance,    DERIVED,  "of the units per quantum under the window") \
	X(S, TEXT, window,      DECLARED, "weights of the quanta") \
	X(S, REAL, level,       DECLARED, "largest chance of a line in noise alone, in one spectrum") \
	X(S, NAT,  peaks,       DERIVED,  "peaks that stand out, harmonics included") \
	X(S, NAT,  lines_found, DERIVED,  "fundamentals among them; the first of them are in lines") \
	X(S, REAL, named_ratio, DERIVED,  "part of the variance that lines stands for") \
	X(S, LIST(ftq_line), lines, BY_FIELD, "by with_harmonics_ratio; none: no frequency stands out")
NF_RECORD(ftq_spectrum, NF_ROWS_FTQ_SPECTRUM)

#define NF_ROWS_FTQ_WORKER(X, S) \
	X(S, NAT,   cpu,                  MEASURED, "CPU it ran on, read back") \
	X(S, ONAT,  node,                 MEASURED, "NUMA node of that CPU") \
	X(S, TEXT,  stream,               MEASURED, "name of its stream of units per quantum") \
	X(S, TEXT,  overshoot_stream,     MEASURED, "name of its stream of overshoots") \
	X(S, NAT,   quanta,               MEASURED, "quanta that ended") \
	X(S, NAT,   empty,                DERIVED,  "of them, without a unit: an interruption longer than a quantum") \
	X(S, OREC(summary), units,        BY_FIELD, "of the units per quantum") \
	X(S, OREC(summary), overshoot,    BY_FIELD, "of the time from the end of a quantum to the first clock read after it, in ns") \
	X(S, OREAL, lost_ratio,           DERIVED,  "1 - mean / max of the units per quantum: share of the best quantum's work that was lost; None: no unit") \
	X(S, OREC(ftq_spectrum), spectrum, BY_FIELD, "None: too few quanta, or all alike") \
	X(S, OTEXT, no_spectrum,          DERIVED,  "why there is none") \
	X(S, NAT,   wall_ns,              MEASURED, "the whole of it, on CLOCK_MONOTONIC_RAW") \
	X(S, NAT,   minor_faults,         MEASURED, "page faults meanwhile") \
	X(S, NAT,   involuntary_switches, MEASURED, "context switches forced on it")
NF_RECORD(ftq_worker, NF_ROWS_FTQ_WORKER)

#define NF_ROWS_FTQ_BODY(X, S) \
	X(S, TEXT,  kernel,           DECLARED, "kind of work") \
	X(S, NAT,   work,             DECLARED, "iterations per unit") \
	X(S, REAL,  unit_asked_ns,    DECLARED, "time of a unit that the work was chosen for") \
	X(S, REAL,  unit_ns,          MEASURED, "time of a unit with its clock read, when the work was chosen") \
	X(S, REAL,  quantum_asked_ns, DECLARED, "quantum asked for") \
	X(S, NAT,   quantum_ticks,    DECLARED, "quantum in whole ticks of the clock") \
	X(S, REAL,  quantum_ns,       DERIVED,  "the same in ns") \
	X(S, ONAT,  kernel_tick_hz,   MEASURED, "frequency of the kernel's tick by its configuration; it may stand still on some CPUs") \
	X(S, LIST(ftq_worker), workers, BY_FIELD, "one per CPU") \
	X(S, OREAL, lost_ratio,       DERIVED,  "largest of all CPUs") \
	X(S, ONAT,  worst_cpu,        DERIVED,  "CPU of that")
NF_RECORD(ftq_body, NF_ROWS_FTQ_BODY)

#define NF_ROWS_FTQ_STEP(X, S) \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(ftq_body), body, BY_FIELD, "what it measured")
NF_RECORD(ftq_step, NF_ROWS_FTQ_STEP)

/* FtqRun/1: this probe run by itself. */
#define NF_ROWS_FTQ_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "FtqRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(ftq_body), body, BY_FIELD, "what it measured")
NF_RECORD(ftq_run, NF_ROWS_FTQ_RUN)
/* clang-format on */

#endif
