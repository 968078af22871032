/* SPDX-License-Identifier: MIT */
/* rec_window - the whole characterisation of a machine: what `host` writes. */
#ifndef NF_RECORD_REC_WINDOW_H
#define NF_RECORD_REC_WINDOW_H

#include "record/rec_budget.h"
#include "record/rec_clock.h"
#include "record/rec_common.h"
#include "record/rec_hwlat.h"
#include "record/rec_noise.h"
#include "record/rec_numa.h"
#include "record/rec_smi.h"
#include "record/rec_wake.h"

/* clang-format off */
enum nf_rec_profile { NF_PROFILE_QUICK, NF_PROFILE_STANDARD, NF_PROFILE_DEEP, NF_PROFILE_CUSTOM };
NF_RECORD_ENUM(profile)
/* The first four are those of enum nf_rec_result. */
enum nf_rec_step_result { NF_STEP_BLOCKED, NF_STEP_FAIL, NF_STEP_PARTIAL, NF_STEP_PASS, NF_STEP_SKIPPED };
NF_RECORD_ENUM(step_result)

#define NF_ROWS_STEP(X, S) \
	X(S, TEXT,  name,        DECLARED, "probe") \
	X(S, ENUM(step_result), result, DERIVED, "its verdict") \
	X(S, OTEXT, reason,      DERIVED,  "why it is not pass") \
	X(S, REAL,  started_s,   MEASURED, "since the start of the run") \
	X(S, REAL,  duration_s,  MEASURED, "on CLOCK_MONOTONIC_RAW")
NF_RECORD(step, NF_ROWS_STEP)

#define NF_ROWS_HEADLINE(X, S) \
	X(S, OREAL, smallest_interval_ns,      DERIVED, "smallest interval that can be resolved here") \
	X(S, OREAL, worst_interruption_ns,     DERIVED, "worst interruption seen") \
	X(S, OTEXT, worst_interruption_source, DERIVED, "probe that saw it") \
	X(S, OREAL, noise_ratio,               DERIVED, "share of the time lost to noise") \
	X(S, OREAL, repeat_below_ratio,        DERIVED, "differences smaller than this need repeats") \
	X(S, TEXT,  text,                      DERIVED, "the same as a sentence")
NF_RECORD(headline, NF_ROWS_HEADLINE)

/* WindowRun/1 */
#define NF_ROWS_WINDOW_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "WindowRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, ENUM(profile), profile, DECLARED, "how long each step was asked to take") \
	X(S, REC(timing_budget), budget, BY_FIELD, "limits") \
	X(S, REC(headline), headline, BY_FIELD, "the answer in short") \
	X(S, LIST(step), steps, BY_FIELD, "every step in the order it ran, also those that could not") \
	X(S, LIST(smi_step), smi, BY_FIELD, "one per SMI sample") \
	X(S, LIST(hwlat_step), hwlat, BY_FIELD, "one per hwlat sample") \
	X(S, OREC(noise_step), noise, BY_FIELD, "fixed work quanta") \
	X(S, OREC(wake_step), wake, BY_FIELD, "periodic wake-ups") \
	X(S, LIST(numa_step), numa, BY_FIELD, "one per NUMA sample") \
	X(S, OREC(clock_step), clock, BY_FIELD, "clocks") \
	X(S, LIST(file_ref), host_probe_runs, BY_FIELD, "HostProbeRun records written beside this one") \
	X(S, OTEXT, host_probe_reason, DERIVED, "why none was written") \
	X(S, OTEXT, load_note, MEASURED, "how the load of --under ended, where it ended by itself")
NF_RECORD(window_run, NF_ROWS_WINDOW_RUN)
/* clang-format on */

#endif
