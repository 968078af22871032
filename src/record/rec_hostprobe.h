/* SPDX-License-Identifier: MIT */
/*
 * rec_hostprobe - HostProbeRun: a type that others published; its field names stay theirs. One per NUMA
 * sample. Where a field that is not Optional is unknown no such record is written, and the WindowRun
 * says why (host_probe_reason). The order of alternatives is no part of a Dhall union type: here it is
 * that of enum nf_lane and enum nf_rec_result.
 */
#ifndef NF_RECORD_REC_HOSTPROBE_H
#define NF_RECORD_REC_HOSTPROBE_H

#include "record/rec_common.h"

/* clang-format off */
NF_RECORD_ENUM(expected_lane)
NF_RECORD_ENUM(probe_result)

#define NF_ROWS_HOST_PROBE_RUN(X, S) \
	X(S, TEXT,  date,              MEASURED, "day of the run, UTC, as 2026-01-02") \
	X(S, OTEXT, ownerIssue,        DECLARED, "what asked for the run") \
	X(S, TEXT,  host,              MEASURED, "host label") \
	X(S, TEXT,  compilerSource,    MEASURED, "where the compiler came from") \
	X(S, OTEXT, compilerRef,       MEASURED, "which compiler exactly") \
	X(S, OTEXT, chapelVersion,     MEASURED, "version of the Chapel compiler; None: not Chapel") \
	X(S, ENUM(expected_lane), expectedLane, DECLARED, "lane the user expected") \
	X(S, TEXT,  kernelVersion,     MEASURED, "uname -r") \
	X(S, OTEXT, unameVariant,      MEASURED, "uname -v") \
	X(S, OBOOL, sysKernelRealtime, MEASURED, "/sys/kernel/realtime; None: unknown") \
	X(S, OTEXT, tunedProfile,      MEASURED, "active tuned profile") \
	X(S, NAT,   localeCount,       MEASURED, "locales: 1 on one machine") \
	X(S, NAT,   sublocaleCount,    MEASURED, "NUMA nodes seen as sublocales") \
	X(S, NAT,   coresPerLocale,    MEASURED, "cores of a locale") \
	X(S, NAT,   channelCount,      DECLARED, "channels of the matrix") \
	X(S, NAT,   sampleCount,       DECLARED, "samples per channel") \
	X(S, NAT,   sampleRateHz,      DECLARED, "sampling rate the matrix stands for") \
	X(S, NAT,   partitionCount,    DECLARED, "contiguous groups of channels") \
	X(S, BOOL,  timingConforms,    DERIVED,  "the wake-ups keep the budget") \
	X(S, REAL,  jitterMinSeconds,  DERIVED,  "smallest distance of an interval from the period") \
	X(S, REAL,  jitterMaxSeconds,  DERIVED,  "largest") \
	X(S, REAL,  jitterMeanSeconds, DERIVED,  "mean") \
	X(S, OREAL, serialSeconds,     DERIVED,  "median serial reduction") \
	X(S, OREAL, parallelSeconds,   DERIVED,  "median parallel reduction") \
	X(S, OREAL, speedup,           DERIVED,  "ratio of the medians") \
	X(S, OREAL, delta,             DERIVED,  "difference of the two sums") \
	X(S, TEXT,  contractCeiling,   DECLARED, "what the record does not show") \
	X(S, ENUM(probe_result), result, DERIVED, "verdict") \
	X(S, TEXTS, evidence,          MEASURED, "files it rests on") \
	X(S, TEXTS, notes,             MEASURED, "what a reader must know") \
	X(S, TEXTS, followUp,          DECLARED, "what is left to do")
NF_RECORD(host_probe_run, NF_ROWS_HOST_PROBE_RUN)
/* clang-format on */

#endif
