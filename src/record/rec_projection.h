/* SPDX-License-Identifier: MIT */
/*
 * rec_projection - what captures of others say: the facts of each, the record of a published type that they
 * make together, and for every value the line it was read from.
 */
#ifndef NF_RECORD_REC_PROJECTION_H
#define NF_RECORD_REC_PROJECTION_H

#include "record/rec_common.h"
#include "record/rec_hostprobe.h"
#include "record/rec_kernel_validation.h"

/* clang-format off */
/* The kinds of captures that are known; their signs stand in capture_facts.c. */
enum nf_capture_kind { NF_CAPTURE_UNKNOWN, NF_CAPTURE_PROBE, NF_CAPTURE_VALIDATOR, NF_CAPTURE_SMI,
	NF_CAPTURE_WINDOW, NF_CAPTURE_LANE };
NF_RECORD_ENUM(capture_kind)
enum nf_trace_origin { NF_ORIGIN_UNKNOWN, NF_ORIGIN_LINE, NF_ORIGIN_FILE_NAME, NF_ORIGIN_OPTION };
NF_RECORD_ENUM(trace_origin)

#define NF_ROWS_TRACE(X, S) \
	X(S, TEXT,  field,   DERIVED,  "field it is about; several entries: the value rests on all of them") \
	X(S, TEXT,  value,   DERIVED,  "as it was understood") \
	X(S, ENUM(trace_origin), origin, DERIVED, "where it stands") \
	X(S, OTEXT, capture, MEASURED, "file; None: an option said it") \
	X(S, ONAT,  line,    MEASURED, "line, from 1; None: the file's name or an option") \
	X(S, OTEXT, text,    MEASURED, "that line; None: there is none")
NF_RECORD(trace, NF_ROWS_TRACE)

/* Everything that the known kinds of captures may hold. None: no line says it. */
#define NF_ROWS_CAPTURE_FACTS(X, S) \
	X(S, OTEXT, tag,               DECLARED, "series the capture belongs to") \
	X(S, ONAT,  sample,            DECLARED, "number in that series, from 1") \
	X(S, ONAT,  sample_count,      DECLARED, "captures that the series has") \
	X(S, OTEXT, run_id,            DECLARED, "name of the run") \
	X(S, OTEXT, host,              MEASURED, "host label") \
	X(S, OTEXT, captured_utc,      MEASURED, "when it was captured, RFC 3339 UTC") \
	X(S, OTEXT, expected_lane,     DECLARED, "lane the user expected") \
	X(S, OTEXT, compiler_source,   DECLARED, "how the compiler came to the host") \
	X(S, OTEXT, compiler_ref,      MEASURED, "which compiler exactly") \
	X(S, OTEXT, chapel_version,    MEASURED, "version of the Chapel compiler") \
	X(S, OTEXT, kernel_version,    MEASURED, "uname -r") \
	X(S, OTEXT, uname_variant,     MEASURED, "uname -v") \
	X(S, OBOOL, realtime,          MEASURED, "the kernel is a realtime kernel") \
	X(S, OTEXT, tuned_profile,     MEASURED, "active tuned profile") \
	X(S, OTEXT, kernel_cmdline,    MEASURED, "/proc/cmdline") \
	X(S, OREAL, uptime_s,          MEASURED, "time since boot") \
	X(S, OREAL, uptime_step_s,     DERIVED,  "its resolution") \
	X(S, OREAL, load_1min,         MEASURED, "load average over one minute") \
	X(S, OTEXT, clocksource,       MEASURED, "clock source in use") \
	X(S, OTEXT, cpus_isolated,     MEASURED, "isolated CPUs") \
	X(S, OTEXT, nohz_full,         MEASURED, "nohz_full= of the command line") \
	X(S, OTEXT, default_kernel,    MEASURED, "kernel that boots by default") \
	X(S, OTEXT, next_entry,        MEASURED, "one-time boot entry") \
	X(S, ONAT,  locale_count,      MEASURED, "locales of the probe") \
	X(S, ONAT,  sublocale_count,   MEASURED, "NUMA nodes seen as sublocales") \
	X(S, ONAT,  cores_per_locale,  MEASURED, "cores of a locale") \
	X(S, ONAT,  channel_count,     DECLARED, "channels of the matrix") \
	X(S, ONAT,  samples_per_channel, DECLARED, "samples per channel") \
	X(S, ONAT,  sample_rate_hz,    DECLARED, "sampling rate the matrix stands for") \
	X(S, ONAT,  partition_count,   DECLARED, "groups of channels") \
	X(S, OREAL, period_s,          DECLARED, "period of the timing proof") \
	X(S, OBOOL, timing_conforms,   MEASURED, "the probe's verdict on it") \
	X(S, OREAL, jitter_min_s,      MEASURED, "jitter as the probe printed it") \
	X(S, OREAL, jitter_max_s,      MEASURED, "largest") \
	X(S, OREAL, jitter_mean_s,     MEASURED, "mean") \
	X(S, OREAL, serial_s,          MEASURED, "serial reduction") \
	X(S, OREAL, serial_ns_per_element, DERIVED, "serial_s over channels times samples") \
	X(S, OREAL, parallel_s,        MEASURED, "parallel reduction") \
	X(S, OREAL, speedup,           MEASURED, "as the probe printed it") \
	X(S, OREAL, delta,             MEASURED, "difference of the two sums") \
	X(S, OBOOL, expect_rt,         DECLARED, "the validator was told to expect a realtime kernel") \
	X(S, ONAT,  base_matched,      MEASURED, "configuration lines as the base asks") \
	X(S, ONAT,  base_mismatched,   MEASURED, "those that are not") \
	X(S, ONAT,  rt_matched,        MEASURED, "the same for the realtime overlay") \
	X(S, ONAT,  rt_mismatched,     MEASURED, "those that are not") \
	X(S, ONAT,  cmdline_matched,   MEASURED, "command-line parameters that are there") \
	X(S, ONAT,  cmdline_missing,   MEASURED, "those that are not") \
	X(S, TEXTS, missing_parameters, MEASURED, "those the validator named") \
	X(S, OBOOL, validator_pass,    MEASURED, "the validator's verdict") \
	X(S, ONAT,  smi_count,         MEASURED, "system management interrupts counted") \
	X(S, ONAT,  smi_s,             DECLARED, "seconds they were counted for") \
	X(S, OREAL, smi_per_10s,       DERIVED,  "smi_count in ten of those seconds") \
	X(S, ONAT,  hwlat_max_us,      MEASURED, "largest hardware latency") \
	X(S, ONAT,  hwlat_s,           DECLARED, "seconds it was looked for") \
	X(S, ONAT,  hwlat_threshold_us, DECLARED, "threshold of the detector")
NF_RECORD(capture_facts, NF_ROWS_CAPTURE_FACTS)

#define NF_ROWS_CAPTURE(X, S) \
	X(S, TEXT,  name,     MEASURED, "file") \
	X(S, ENUM(capture_kind), kind, DERIVED, "what it is a capture of") \
	X(S, TEXT,  sha256,   MEASURED, "its digest, 64 hex digits") \
	X(S, NAT,   bytes,    MEASURED, "its length") \
	X(S, NAT,   lines,    MEASURED, "lines") \
	X(S, NAT,   replaced, MEASURED, "bytes and terminal sequences that are no text, replaced") \
	X(S, REC(capture_facts), facts, BY_FIELD, "what its lines say") \
	X(S, LIST(trace), trace, BY_FIELD, "which line says it") \
	X(S, TEXTS, notes,    DERIVED,  "lines that contradict each other")
NF_RECORD(capture, NF_ROWS_CAPTURE)

/* Projection/1 */
#define NF_ROWS_PROJECTION(X, S) \
	X(S, TEXT,  schema,   DECLARED, "Projection/1") \
	X(S, TEXT,  tool_version, MEASURED, "version of noisefloor") \
	X(S, OREC(host_probe_run), host_probe, BY_FIELD, "the record of a probe capture") \
	X(S, OREC(kernel_validation_run), kernel_validation, BY_FIELD, "the record of a validator capture") \
	X(S, LIST(trace), trace, BY_FIELD, "where the values of that record stand") \
	X(S, TEXTS, missing,  DERIVED,  "fields without which there is no such record, and no capture says them") \
	X(S, TEXTS, notes,    DERIVED,  "contradictions, and what was not used") \
	X(S, LIST(capture), captures, BY_FIELD, "what was read") \
	X(S, NAT,   replaced_text, DERIVED,  "broken UTF-8 sequences and non-characters replaced in texts") \
	X(S, TEXT,  claim_ceiling, DECLARED, "what this record does not show") \
	X(S, REC(honesty), honesty, BY_FIELD, "paths of this record by where their values come from")
NF_RECORD(projection, NF_ROWS_PROJECTION)
/* clang-format on */

#endif
