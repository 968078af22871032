/* SPDX-License-Identifier: MIT */
/* rec_wake - periodic wake-ups judged against a budget. */
#ifndef NF_RECORD_REC_WAKE_H
#define NF_RECORD_REC_WAKE_H

#include "record/rec_budget.h"
#include "record/rec_common.h"

/* clang-format off */
NF_RECORD_ENUM(wake_method) /* in the order of enum nf_wake_method (measure/probe_wake.h) */

#define NF_ROWS_WAKE_WORKER(X, S) \
	X(S, NAT,   cpu,               MEASURED, "CPU it ran on, read back") \
	X(S, TEXT,  lateness_stream,   MEASURED, "name of its stream of lateness") \
	X(S, TEXT,  wake_stream,       MEASURED, "name of its stream of wake-up instants") \
	X(S, NAT,   due,               MEASURED, "deadlines that passed") \
	X(S, NAT,   recorded,          MEASURED, "activations recorded") \
	X(S, NAT,   missed,            MEASURED, "activations that never happened") \
	X(S, NAT,   holes,             MEASURED, "runs of missed activations") \
	X(S, NAT,   interrupted,       MEASURED, "sleeps that returned early and were retried") \
	X(S, OREC(summary), lateness,  BY_FIELD, "wake-up minus deadline, ns") \
	X(S, OREC(summary), interval,  BY_FIELD, "between consecutive wake-ups, ns") \
	X(S, OREC(summary), jitter,    BY_FIELD, "distance of an interval from the period, ns") \
	X(S, OBOOL, conforms,          DERIVED,  "every interval within the budget, none missing; None: not decidable") \
	X(S, NAT,   over_jitter,       DERIVED,  "intervals beyond max_jitter_ns") \
	X(S, NAT,   over_latency,      DERIVED,  "intervals beyond max_latency_ns") \
	X(S, OREAL, worst_lateness_ns, DERIVED,  "largest lateness") \
	X(S, OREAL, worst_interval_ns, DERIVED,  "longest interval")
NF_RECORD(wake_worker, NF_ROWS_WAKE_WORKER)

#define NF_ROWS_WAKE_BODY(X, S) \
	X(S, NAT,   period_ns, DECLARED, "period asked for") \
	X(S, ENUM(wake_method), method, DECLARED, "how it slept") \
	X(S, REC(timing_budget), budget, BY_FIELD, "limits it was judged against") \
	X(S, LIST(wake_worker), workers, BY_FIELD, "one per CPU") \
	X(S, OREC(summary), jitter, BY_FIELD, "over all workers: distance of an interval from the period, ns") \
	X(S, OBOOL, conforms,  DERIVED,  "every worker conforms; None: not decidable")
NF_RECORD(wake_body, NF_ROWS_WAKE_BODY)

#define NF_ROWS_WAKE_STEP(X, S) \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(wake_body), body, BY_FIELD, "what it measured")
NF_RECORD(wake_step, NF_ROWS_WAKE_STEP)

/* WakeRun/1: this probe run by itself. */
#define NF_ROWS_WAKE_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "WakeRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(wake_body), body, BY_FIELD, "what it measured")
NF_RECORD(wake_run, NF_ROWS_WAKE_RUN)
/* clang-format on */

#endif
