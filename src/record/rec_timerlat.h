/* SPDX-License-Identifier: MIT */
/* rec_timerlat - how late the kernel's own periodic timers were, with its timerlat tracer. */
#ifndef NF_RECORD_REC_TIMERLAT_H
#define NF_RECORD_REC_TIMERLAT_H

#include "record/rec_common.h"

/* clang-format off */
#define NF_ROWS_TIMERLAT_CPU(X, S) \
	X(S, NAT,   cpu,             MEASURED, "CPU of these activations") \
	X(S, TEXT,  irq_stream,      MEASURED, "name of its stream of interrupt latencies") \
	X(S, TEXT,  thread_stream,   MEASURED, "name of its stream of thread latencies") \
	X(S, NAT,   missed,          MEASURED, "activations that left no record of their interrupt") \
	X(S, OREC(summary), irq,     BY_FIELD, "timer set to, until its interrupt handler ran, ns") \
	X(S, OREC(summary), thread,  BY_FIELD, "timer set to, until the thread that it woke ran, ns") \
	X(S, OREAL, worst_irq_ns,    DERIVED,  "latest interrupt") \
	X(S, OREAL, worst_thread_ns, DERIVED,  "latest thread")
NF_RECORD(timerlat_cpu, NF_ROWS_TIMERLAT_CPU)

#define NF_ROWS_TIMERLAT_BODY(X, S) \
	X(S, NAT,   period_us,       MEASURED, "period in force") \
	X(S, NAT,   stop_irq_us,     MEASURED, "recording ends at an interrupt later than this; 0: no limit") \
	X(S, NAT,   stop_thread_us,  MEASURED, "recording ends at a thread later than this; 0: no limit") \
	X(S, BOOL,  at_limit,        MEASURED, "recording ended so") \
	X(S, LIST(timerlat_cpu), cpus, BY_FIELD, "per CPU") \
	X(S, OREAL, worst_irq_ns,    DERIVED,  "latest interrupt of all CPUs") \
	X(S, OREAL, worst_thread_ns, DERIVED,  "latest thread of all CPUs") \
	X(S, ONAT,  worst_cpu,       DERIVED,  "CPU of the latest thread") \
	X(S, NAT,   missed_events,   MEASURED, "records the ring buffer lost")
NF_RECORD(timerlat_body, NF_ROWS_TIMERLAT_BODY)

#define NF_ROWS_TIMERLAT_STEP(X, S) \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(timerlat_body), body, BY_FIELD, "what it measured")
NF_RECORD(timerlat_step, NF_ROWS_TIMERLAT_STEP)

/* TimerlatRun/1: this probe run by itself. */
#define NF_ROWS_TIMERLAT_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "TimerlatRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(timerlat_body), body, BY_FIELD, "what it measured")
NF_RECORD(timerlat_run, NF_ROWS_TIMERLAT_RUN)
/* clang-format on */

#endif
