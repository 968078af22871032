/* SPDX-License-Identifier: MIT */
/* rec_osnoise - noise that the kernel's osnoise tracer counted. */
#ifndef NF_RECORD_REC_OSNOISE_H
#define NF_RECORD_REC_OSNOISE_H

#include "record/rec_common.h"

/* clang-format off */
NF_RECORD_ENUM(osnoise_source) /* in the order of enum nf_osnoise_source (machine/osnoise.h) */

#define NF_ROWS_OSNOISE_CPU(X, S) \
	X(S, NAT,   cpu,             DERIVED, "CPU of these periods") \
	X(S, NAT,   periods,         DERIVED, "periods reported") \
	X(S, NAT,   runtime_ns,      DERIVED, "time that the tracer looked") \
	X(S, NAT,   noise_ns,        DERIVED, "of it lost") \
	X(S, OREAL, available_ratio, DERIVED, "1 - noise_ns over runtime_ns") \
	X(S, NAT,   longest_ns,      DERIVED, "longest single noise; 0: none") \
	X(S, NAT,   hw,              DERIVED, "noise in which nothing of the kernel's ran: firmware or a hypervisor") \
	X(S, NAT,   nmi,             DERIVED, "non-maskable interrupts") \
	X(S, NAT,   irq,             DERIVED, "interrupts") \
	X(S, NAT,   softirq,         DERIVED, "softirqs") \
	X(S, NAT,   thread,          DERIVED, "threads")
NF_RECORD(osnoise_cpu, NF_ROWS_OSNOISE_CPU)

#define NF_ROWS_OSNOISE_CAUSE(X, S) \
	X(S, ENUM(osnoise_source), source, MEASURED, "what kind of interruption") \
	X(S, TEXT, name,       MEASURED, "interrupt, softirq or thread; empty: it has no name") \
	X(S, NAT,  count,      MEASURED, "of all CPUs") \
	X(S, NAT,  total_ns,   MEASURED, "sum of their durations, each without what interrupted it in turn") \
	X(S, NAT,  longest_ns, MEASURED, "longest")
NF_RECORD(osnoise_cause, NF_ROWS_OSNOISE_CAUSE)

#define NF_ROWS_OSNOISE_BODY(X, S) \
	X(S, NAT,   period_us,     MEASURED, "period in force") \
	X(S, NAT,   runtime_us,    MEASURED, "time spent looking per period, in force") \
	X(S, NAT,   threshold_us,  MEASURED, "shortest noise counted, in force; 0: the kernel's own default") \
	X(S, NAT,   stop_us,       MEASURED, "recording ends at a single noise over this; 0: no limit") \
	X(S, NAT,   stop_total_us, MEASURED, "recording ends at a period with more noise; 0: no limit") \
	X(S, BOOL,  at_limit,      MEASURED, "recording ended so") \
	X(S, LIST(osnoise_cpu), cpus, BY_FIELD, "per CPU that reported") \
	X(S, OREC(summary), noise,   BY_FIELD, "per period of all CPUs, ns") \
	X(S, OREC(summary), longest, BY_FIELD, "longest single noise per period of all CPUs, ns") \
	X(S, OREAL, noise_ratio,   DERIVED,  "sum of noise over sum of runtime of all CPUs") \
	X(S, ONAT,  longest_ns,    DERIVED,  "longest single noise of all CPUs; None: no report") \
	X(S, ONAT,  longest_cpu,   DERIVED,  "CPU of that noise") \
	X(S, BOOL,  causes_traced, MEASURED, "each interruption was recorded") \
	X(S, LIST(osnoise_cause), causes, BY_FIELD, "interruptions by source, then by their total") \
	X(S, NAT,   causes_left_out, MEASURED, "interruptions with more names than there is room for") \
	X(S, NAT,   missed_events, MEASURED, "records the ring buffer lost")
NF_RECORD(osnoise_body, NF_ROWS_OSNOISE_BODY)

#define NF_ROWS_OSNOISE_STEP(X, S) \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(osnoise_body), body, BY_FIELD, "what it measured")
NF_RECORD(osnoise_step, NF_ROWS_OSNOISE_STEP)

/* OsnoiseRun/1: this probe run by itself. */
#define NF_ROWS_OSNOISE_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "OsnoiseRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(osnoise_body), body, BY_FIELD, "what it measured")
NF_RECORD(osnoise_run, NF_ROWS_OSNOISE_RUN)
/* clang-format on */

#endif
