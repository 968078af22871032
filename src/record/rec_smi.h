/* SPDX-License-Identifier: MIT */
/* rec_smi - system management interrupts over a window. */
#ifndef NF_RECORD_REC_SMI_H
#define NF_RECORD_REC_SMI_H

#include "record/rec_common.h"

/* clang-format off */
NF_RECORD_ENUM(smi_source) /* in the order of enum nf_smi_source (machine/smi.h) */

#define NF_ROWS_SMI_COUNT(X, S) \
	X(S, NAT, cpu,   MEASURED, "CPU") \
	X(S, NAT, count, MEASURED, "increase over the window")
NF_RECORD(smi_count, NF_ROWS_SMI_COUNT)

#define NF_ROWS_SMI_BODY(X, S) \
	X(S, ENUM(smi_source), source, MEASURED, "where the counts came from") \
	X(S, BOOL,  trusted,   MEASURED, "false: a guest whose counter never moved; no verdict rests on it") \
	X(S, NAT,   window_ns, MEASURED, "length of the window") \
	X(S, LIST(smi_count), counts, BY_FIELD, "per CPU") \
	X(S, NAT,   max_count, DERIVED,  "largest of the CPUs: an SMI stops all of them") \
	X(S, NAT,   min_count, DERIVED,  "smallest of the CPUs") \
	X(S, OREAL, per_10s,   DERIVED,  "max_count per ten seconds; None: untrusted")
NF_RECORD(smi_body, NF_ROWS_SMI_BODY)

#define NF_ROWS_SMI_STEP(X, S) \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(smi_body), body, BY_FIELD, "what it measured")
NF_RECORD(smi_step, NF_ROWS_SMI_STEP)

/* SmiRun/1: this probe run by itself. */
#define NF_ROWS_SMI_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "SmiRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(smi_body), body, BY_FIELD, "what it measured")
NF_RECORD(smi_run, NF_ROWS_SMI_RUN)
/* clang-format on */

#endif
