/* SPDX-License-Identifier: MIT */
/*
 * rec_kernel_validation - KernelValidationRun: a type that others published; its field names stay theirs.
 * One per validated boot of a kernel lane. Where a field that is not Optional is unknown no such record is
 * written. The order of alternatives is no part of a Dhall union type.
 */
#ifndef NF_RECORD_REC_KERNEL_VALIDATION_H
#define NF_RECORD_REC_KERNEL_VALIDATION_H

#include "record/type.h"

/* clang-format off */
enum nf_rec_validation { NF_VALIDATION_PARTIAL, NF_VALIDATION_FAIL, NF_VALIDATION_HISTORICAL,
	NF_VALIDATION_PASS };
enum nf_rec_kernel_lane { NF_KERNEL_LANE_GENERIC, NF_KERNEL_LANE_RT };
NF_RECORD_ENUM(kernel_lane)
NF_RECORD_ENUM(validation_result)

#define NF_ROWS_KERNEL_VALIDATION_RUN(X, S) \
	X(S, TEXT,  date,                   MEASURED, "day of the run, UTC, as 2026-01-02") \
	X(S, OTEXT, ownerIssue,             DECLARED, "what asked for the run") \
	X(S, TEXT,  host,                   MEASURED, "host label") \
	X(S, ENUM(kernel_lane), lane,       MEASURED, "lane of the kernel that was validated") \
	X(S, TEXT,  phase,                  DECLARED, "which step of the validation this is") \
	X(S, OTEXT, intent,                 DECLARED, "what the run was for") \
	X(S, TEXT,  kernelVersion,          MEASURED, "uname -r") \
	X(S, OTEXT, unameVariant,           MEASURED, "uname -v") \
	X(S, OBOOL, sysKernelRealtime,      MEASURED, "/sys/kernel/realtime; None: unknown") \
	X(S, OTEXT, tunedProfile,           MEASURED, "active tuned profile") \
	X(S, OTEXT, defaultKernel,          MEASURED, "kernel that boots by default") \
	X(S, OBOOL, defaultPreserved,       DECLARED, "the default kernel stayed what it was") \
	X(S, OTEXT, nextEntryState,         MEASURED, "one-time boot entry") \
	X(S, OBOOL, nextEntryConsumed,      DECLARED, "that entry was used and is gone") \
	X(S, NAT,   baseMatched,            MEASURED, "configuration lines that are as the base asks") \
	X(S, NAT,   baseMismatched,         MEASURED, "those that are not") \
	X(S, ONAT,  rtMatched,              MEASURED, "the same for the realtime overlay; None: not checked") \
	X(S, ONAT,  rtMismatched,           MEASURED, "those that are not") \
	X(S, NAT,   cmdlineMatched,         MEASURED, "command-line parameters that are there") \
	X(S, NAT,   cmdlineMissing,         MEASURED, "those that are not") \
	X(S, BOOL,  validatorPass,          MEASURED, "the validator's own verdict") \
	X(S, ONAT,  smiCountPer10s,         DERIVED,  "system management interrupts in ten seconds") \
	X(S, ONAT,  hwlatMaxUs,             MEASURED, "largest hardware latency") \
	X(S, ONAT,  reconnectSeconds,       DECLARED, "from reboot to the first connection") \
	X(S, ONAT,  returnToGenericSeconds, DECLARED, "from reboot to the generic kernel again") \
	X(S, OTEXT, returnKernelVersion,    DECLARED, "kernel after the return") \
	X(S, OBOOL, returnBaselinePass,     DECLARED, "verdict of the validator after the return") \
	X(S, ENUM(validation_result), result, DERIVED, "verdict") \
	X(S, TEXTS, evidence,               DECLARED, "files it rests on") \
	X(S, TEXTS, notes,                  DECLARED, "what a reader must know") \
	X(S, TEXTS, followUp,               DECLARED, "what is left to do")
NF_RECORD(kernel_validation_run, NF_ROWS_KERNEL_VALIDATION_RUN)
/* clang-format on */

#endif
