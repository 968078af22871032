/* SPDX-License-Identifier: MIT */
/* rec_hwlat - gaps seen by the kernel's hwlat tracer. */
#ifndef NF_RECORD_REC_HWLAT_H
#define NF_RECORD_REC_HWLAT_H

#include "record/rec_common.h"

/* clang-format off */
#define NF_ROWS_HWLAT_BODY(X, S) \
	X(S, NAT,  window_us,     MEASURED, "sampling period in force") \
	X(S, NAT,  width_us,      MEASURED, "time spent looking per period, in force") \
	X(S, NAT,  threshold_us,  MEASURED, "smallest gap reported, in force") \
	X(S, NAT,  gaps,          MEASURED, "reports") \
	X(S, ONAT, max_ns,        MEASURED, "longest gap; None: none over the threshold") \
	X(S, OREC(summary), summary, BY_FIELD, "of the larger of inner and outer gap per report, ns") \
	X(S, NAT,  missed_events, MEASURED, "reports the ring buffer lost")
NF_RECORD(hwlat_body, NF_ROWS_HWLAT_BODY)

#define NF_ROWS_HWLAT_STEP(X, S) \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(hwlat_body), body, BY_FIELD, "what it measured")
NF_RECORD(hwlat_step, NF_ROWS_HWLAT_STEP)

/* HwlatRun/1: this probe run by itself. */
#define NF_ROWS_HWLAT_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "HwlatRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(hwlat_body), body, BY_FIELD, "what it measured")
NF_RECORD(hwlat_run, NF_ROWS_HWLAT_RUN)
/* clang-format on */

#endif
