/* SPDX-License-Identifier: MIT */
/* rec_clock - cost of the ways to read a clock, skew between CPUs, drift. */
#ifndef NF_RECORD_REC_CLOCK_H
#define NF_RECORD_REC_CLOCK_H

#include "record/rec_common.h"

/* clang-format off */
#define NF_ROWS_CLOCK_READ(X, S) \
	X(S, TEXT, name, DECLARED, "way to read a clock") \
	X(S, OREC(summary), summary, BY_FIELD, "between back-to-back reads, ns")
NF_RECORD(clock_read, NF_ROWS_CLOCK_READ)

#define NF_ROWS_CLOCK_SKEW(X, S) \
	X(S, NAT,  cpu,            MEASURED, "CPU; the first is the reference") \
	X(S, REAL, offset_ns,      MEASURED, "against the reference: middle of the bounds") \
	X(S, REAL, uncertainty_ns, MEASURED, "half the distance of the bounds")
NF_RECORD(clock_skew, NF_ROWS_CLOCK_SKEW)

#define NF_ROWS_CLOCK_BODY(X, S) \
	X(S, REC(clock), clock, BY_FIELD, "the counter and its calibration") \
	X(S, LIST(clock_read), reads, BY_FIELD, "cost per way to read") \
	X(S, LIST(clock_skew), skew, BY_FIELD, "per measured CPU") \
	X(S, OREAL, drift_ppm,       MEASURED, "against CLOCK_MONOTONIC_RAW") \
	X(S, OREAL, drift_error_ppm, MEASURED, "standard error of the drift")
NF_RECORD(clock_body, NF_ROWS_CLOCK_BODY)

#define NF_ROWS_CLOCK_STEP(X, S) \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(clock_body), body, BY_FIELD, "what it measured")
NF_RECORD(clock_step, NF_ROWS_CLOCK_STEP)

/* ClockRun/1: this probe run by itself. */
#define NF_ROWS_CLOCK_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "ClockRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(clock_body), body, BY_FIELD, "what it measured")
NF_RECORD(clock_run, NF_ROWS_CLOCK_RUN)
/* clang-format on */

#endif
