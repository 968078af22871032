/* SPDX-License-Identifier: MIT */
/*
 * rec_common - the parts that records are made of: summaries, references to samples, the machine's
 * setup, the facts of one probe run, and the head that every record of a run carries.
 *
 * Enum constants are indices into the type's names. A zeroed enum never claims anything good: the
 * first alternative of a result is "blocked", of a state "partial".
 */
#ifndef NF_RECORD_REC_COMMON_H
#define NF_RECORD_REC_COMMON_H

#include "noisefloor/summary.h"
#include "record/type.h"
#include "samples/stream.h"

/* clang-format off */
enum nf_rec_result { NF_RESULT_BLOCKED, NF_RESULT_FAIL, NF_RESULT_PARTIAL, NF_RESULT_PASS };
NF_RECORD_ENUM(result)
enum nf_rec_state { NF_STATE_PARTIAL, NF_STATE_COMPLETE };
NF_RECORD_ENUM(state)
NF_RECORD_ENUM(lane)         /* in the order of enum nf_lane (machine/posture.h) */
NF_RECORD_ENUM(policy)       /* enum nf_policy (measure/probe.h) */
NF_RECORD_ENUM(clock_source) /* enum nf_tick_source (measure/tick.h) */
NF_RECORD_ENUM(sample_unit)  /* enum nf_sample_unit (samples/stream.h) */
NF_RECORD_ENUM(sample_kind)  /* enum nf_sample_kind */

#define NF_ROWS_PERCENTILE(X, S) \
	X(S, REAL, p,        DECLARED, "percentile, 0 to 100") \
	X(S, REAL, value,    DERIVED,  "in the summary's unit") \
	X(S, NAT,  n_beyond, DERIVED,  "samples at or beyond it; 0: it only interpolates towards the maximum")
NF_RECORD(percentile, NF_ROWS_PERCENTILE)

#define NF_ROWS_SUMMARY(X, S) \
	X(S, NAT,   n,               DERIVED, "number of samples") \
	X(S, TEXT,  unit,            DERIVED, "unit of every value here: ns, count, ratio") \
	X(S, REAL,  min,             DERIVED, "smallest") \
	X(S, REAL,  max,             DERIVED, "largest") \
	X(S, REAL,  mean,            DERIVED, "arithmetic mean") \
	X(S, REAL,  median,          DERIVED, "middle") \
	X(S, REAL,  mad,             DERIVED, "median of the distances from the median, unscaled") \
	X(S, OREAL, sd,              DERIVED, "sample standard deviation, divisor n - 1; None for one sample") \
	X(S, LIST(percentile), percentiles, BY_FIELD, "in rising order of p") \
	X(S, OREAL, median_ci_lo,    DERIVED, "lower end of the median's confidence interval (order statistics)") \
	X(S, OREAL, median_ci_hi,    DERIVED, "upper end") \
	X(S, OREAL, median_ci_level, DERIVED, "its level, 0 to 1; None: too few samples for an interval") \
	X(S, NATS,  histogram,       DERIVED, "samples in 24 bins, equally wide in the logarithm of 1 + value - min") \
	X(S, TEXT,  method,          DERIVED, "estimators in use")
NF_RECORD(summary, NF_ROWS_SUMMARY)

#define NF_ROWS_STREAM_REF(X, S) \
	X(S, TEXT,  file,      MEASURED, "path below the run folder") \
	X(S, TEXT,  stream,    MEASURED, "name of the stream in that file") \
	X(S, NAT,   count,     MEASURED, "samples kept") \
	X(S, OTEXT, sha256,    MEASURED, "digest of the file, 64 hex digits; None: samples were not kept") \
	X(S, ENUM(sample_unit), unit, MEASURED, "unit of the raw values") \
	X(S, ENUM(sample_kind), kind, MEASURED, "what a value is") \
	X(S, TEXT,  clock,     MEASURED, "clock it was read from; empty for counts") \
	X(S, OREAL, tick_hz,   MEASURED, "ticks per second where the unit is tick") \
	X(S, OTEXT, origin,    MEASURED, "what 0 is, for instants") \
	X(S, ONAT,  cpu,       MEASURED, "CPU the samples belong to") \
	X(S, ONAT,  node,      MEASURED, "NUMA node of that CPU") \
	X(S, NAT,   dropped,   MEASURED, "samples lost to a full buffer") \
	X(S, NAT,   saturated, MEASURED, "samples clipped to the representable range") \
	X(S, NAT,   missed,    MEASURED, "events that were due and never happened") \
	X(S, NAT,   truncated, MEASURED, "events cut short")
NF_RECORD(stream_ref, NF_ROWS_STREAM_REF)

/* The machine's setup: every fact of tables/posture.def, each may be unknown, then `unread`. */
struct nf_rec_setup {
#define X(kind, name, is_volatile, doc) NF_C_O##kind name;
#include "posture.def"
#undef X
	struct nf_list unread; /* of const char *: "path: why" */
};
extern const struct nf_type nf_rec_setup_type;

#define NF_ROWS_DIFFERENCE(X, S) \
	X(S, TEXT,  name,        DERIVED, "fact of the setup that differs between before and after") \
	X(S, OTEXT, before,      DERIVED, "its value before; None: unknown") \
	X(S, OTEXT, after,       DERIVED, "its value after; None: unknown") \
	X(S, BOOL,  is_volatile, DERIVED, "it changes by itself (load, uptime): shown, no finding")
NF_RECORD(difference, NF_ROWS_DIFFERENCE)

#define NF_ROWS_CLOCK(X, S) \
	X(S, ENUM(clock_source), source, MEASURED, "counter in use") \
	X(S, REAL,  hz,                MEASURED, "ticks per second of CLOCK_MONOTONIC_RAW") \
	X(S, REAL,  hz_error_ppm,      MEASURED, "standard error of that rate") \
	X(S, OREAL, hz_nominal,        MEASURED, "rate the hardware declares") \
	X(S, NAT,   step_ticks,        MEASURED, "greatest common divisor of small differences") \
	X(S, REAL,  read_min_ns,       MEASURED, "cheapest read") \
	X(S, REAL,  read_median_ns,    MEASURED, "usual cost of a read") \
	X(S, OTEXT, fallback_reason,   MEASURED, "why the hardware counter is not used") \
	X(S, NAT,   windows_kept,      MEASURED, "calibration windows in the regression") \
	X(S, NAT,   windows_rejected,  MEASURED, "calibration windows rejected as outliers")
NF_RECORD(clock, NF_ROWS_CLOCK)

/* Differences of /proc and /sys readings around a measurement (machine/bracket.h). */
#define NF_ROWS_BRACKET_CPU(X, S) \
	X(S, NAT,  cpu,               MEASURED, "measured CPU") \
	X(S, ONAT, interrupts,        MEASURED, "all lines of /proc/interrupts") \
	X(S, ONAT, timer_interrupts,  MEASURED, "local timer interrupts") \
	X(S, ONAT, softirqs,          MEASURED, "/proc/softirqs") \
	X(S, ONAT, steal_ticks,       MEASURED, "time the hypervisor took, in USER_HZ ticks") \
	X(S, ONAT, thermal_throttles, MEASURED, "thermal throttling events of the core") \
	X(S, ONAT, freq_before_khz,   MEASURED, "frequency before") \
	X(S, ONAT, freq_after_khz,    MEASURED, "frequency after")
NF_RECORD(bracket_cpu, NF_ROWS_BRACKET_CPU)

#define NF_ROWS_BRACKET(X, S) \
	X(S, LIST(bracket_cpu), cpus,     BY_FIELD, "per measured CPU") \
	X(S, ONAT,  voluntary_switches,   MEASURED, "context switches of this process that it asked for") \
	X(S, ONAT,  involuntary_switches, MEASURED, "context switches forced on it") \
	X(S, ONAT,  minor_faults,         MEASURED, "page faults without I/O") \
	X(S, ONAT,  major_faults,         MEASURED, "page faults with I/O") \
	X(S, ONAT,  migrations,           MEASURED, "moves of its threads between CPUs") \
	X(S, ONAT,  cgroup_throttled,     MEASURED, "periods its cgroup was throttled") \
	X(S, ONAT,  cgroup_throttled_us,  MEASURED, "time its cgroup was throttled") \
	X(S, OREAL, load_before,          MEASURED, "load average over one minute") \
	X(S, OREAL, load_after,           MEASURED, "load average over one minute") \
	X(S, ONAT,  runnable_before,      MEASURED, "runnable tasks") \
	X(S, ONAT,  runnable_after,       MEASURED, "runnable tasks")
NF_RECORD(bracket, NF_ROWS_BRACKET)

/* What one probe run stands on (struct nf_probe_run), and its verdict. */
#define NF_ROWS_FACTS(X, S) \
	X(S, TEXT,  cpus_asked,          DECLARED, "CPU list asked for") \
	X(S, TEXT,  cpus_got,            MEASURED, "CPU list from the masks read back after binding") \
	X(S, ONAT,  controller_cpu,      MEASURED, "where the controlling thread sat; None: it moved") \
	X(S, BOOL,  controller_measured, MEASURED, "the controlling thread sat on a measured CPU") \
	X(S, BOOL,  sibling_measured,    MEASURED, "a measured CPU shares a core with the controlling thread") \
	X(S, ENUM(policy), policy,       MEASURED, "scheduling policy in force") \
	X(S, NAT,   priority,            MEASURED, "realtime priority in force, else 0") \
	X(S, NAT,   warmup_ns,           MEASURED, "warm-up that was not recorded") \
	X(S, NAT,   wall_ns,             MEASURED, "measured span on CLOCK_MONOTONIC_RAW") \
	X(S, OREAL, overhead_ns,         MEASURED, "cost of the empty loop per sample") \
	X(S, NAT,   faults_inside,       MEASURED, "page faults of measuring threads between first and last sample") \
	X(S, BOOL,  locked,              MEASURED, "sample buffers were locked in memory") \
	X(S, TEXT,  seed,                DECLARED, "seed, decimal") \
	X(S, TEXTS, notes,               MEASURED, "what a reader must know: holes, fallbacks, sharing") \
	X(S, NAT,   notes_lost,          MEASURED, "notes for which there was no room") \
	X(S, NAT,   dropped,             MEASURED, "over all streams: samples lost to a full buffer") \
	X(S, NAT,   saturated,           MEASURED, "over all streams: samples clipped") \
	X(S, NAT,   missed,              MEASURED, "over all streams: events due that never happened") \
	X(S, NAT,   truncated,           MEASURED, "over all streams: events cut short") \
	X(S, LIST(stream_ref), streams,  BY_FIELD, "raw samples") \
	X(S, OREC(bracket), bracket,     BY_FIELD, "what the system did meanwhile") \
	X(S, ENUM(result), result,       DERIVED,  "verdict on this run") \
	X(S, OTEXT, reason,              DERIVED,  "why it is not pass") \
	X(S, OTEXT, limit,               DECLARED, "limit it was judged against; None: no limit set") \
	X(S, OTEXT, stopped_by,          MEASURED, "signal that ended it early")
NF_RECORD(facts, NF_ROWS_FACTS)

#define NF_ROWS_HOST(X, S) \
	X(S, TEXT,  label,         MEASURED, "host name: a label, not an identity") \
	X(S, OTEXT, machine_hash,  MEASURED, "application-specific hash of machine-id and DMI product") \
	X(S, OTEXT, dmi_model,     MEASURED, "DMI vendor and product") \
	X(S, OTEXT, platform_kind, MEASURED, "hardware, kvm, tcg, vm or container")
NF_RECORD(host, NF_ROWS_HOST)

#define NF_ROWS_LIBRARY(X, S) \
	X(S, TEXT, name,    MEASURED, "library") \
	X(S, TEXT, version, MEASURED, "version in use")
NF_RECORD(library, NF_ROWS_LIBRARY)

#define NF_ROWS_BUILD(X, S) \
	X(S, TEXT,  compiler,         MEASURED, "compiler and version") \
	X(S, TEXT,  build_type,       MEASURED, "Meson build type") \
	X(S, TEXT,  flags,            MEASURED, "flags of the program") \
	X(S, TEXT,  kernels_compiler, MEASURED, "compiler of the measured kernels") \
	X(S, TEXT,  kernels_flags,    MEASURED, "flags of the measured kernels") \
	X(S, TEXT,  sanitize,         MEASURED, "sanitizers, or none") \
	X(S, OTEXT, commit,           MEASURED, "commit it was built from") \
	X(S, OBOOL, dirty,            MEASURED, "the tree had uncommitted changes") \
	X(S, OTEXT, binary_sha256,    MEASURED, "digest of the running program") \
	X(S, LIST(library), libraries, BY_FIELD, "libraries it runs with")
NF_RECORD(build, NF_ROWS_BUILD)

#define NF_ROWS_ENV_VAR(X, S) \
	X(S, TEXT, name,  MEASURED, "environment variable of the allow-list") \
	X(S, TEXT, value, MEASURED, "its value")
NF_RECORD(env_var, NF_ROWS_ENV_VAR)

#define NF_ROWS_FILE_REF(X, S) \
	X(S, TEXT, path,   MEASURED, "file: below the run folder, or as given for an input") \
	X(S, TEXT, sha256, MEASURED, "its digest, 64 hex digits")
NF_RECORD(file_ref, NF_ROWS_FILE_REF)

#define NF_ROWS_EXCLUSION(X, S) \
	X(S, TEXT, what,   DERIVED, "what was left out of the numbers") \
	X(S, TEXT, reason, DERIVED, "why")
NF_RECORD(exclusion, NF_ROWS_EXCLUSION)

#define NF_ROWS_HONESTY(X, S) \
	X(S, TEXTS, measured,  DERIVED, "paths read from a clock, a counter or the system") \
	X(S, TEXTS, derived,   DERIVED, "paths computed from measured values") \
	X(S, TEXTS, declared,  DERIVED, "paths said by the user or chosen before measuring") \
	X(S, TEXTS, synthetic, DERIVED, "paths made up to exercise the program")
NF_RECORD(honesty, NF_ROWS_HONESTY)

#define NF_ROWS_HEAD(X, S) \
	X(S, TEXT,  run_id,        MEASURED, "name of the run: its folder's name") \
	X(S, OTEXT, tag,           DECLARED, "tag given by the user") \
	X(S, TEXT,  tool_version,  MEASURED, "version of noisefloor") \
	X(S, TEXTS, command,       DECLARED, "command line as given, one word each") \
	X(S, TEXT,  started_utc,   MEASURED, "RFC 3339 UTC") \
	X(S, TEXT,  finished_utc,  MEASURED, "RFC 3339 UTC") \
	X(S, REAL,  duration_s,    MEASURED, "on CLOCK_MONOTONIC_RAW, never from the dates") \
	X(S, REC(host),  host,     BY_FIELD, "which machine") \
	X(S, REC(build), build,    BY_FIELD, "how this program was built") \
	X(S, LIST(env_var), environment, BY_FIELD, "allow-listed part of the environment") \
	X(S, LIST(file_ref), inputs, BY_FIELD, "files that were read as input") \
	X(S, OTEXT, under,         DECLARED, "command run as load during the measurement") \
	X(S, OTEXT, reached,       DECLARED, "how this machine was reached from another, as whom it was measured; None: it was not") \
	X(S, OTEXT, recovered,     MEASURED, "what was put back of killed runs before this one; None: nothing") \
	X(S, TEXT,  seed,          DECLARED, "seed, decimal") \
	X(S, ENUM(lane), lane,     MEASURED, "realtime lane of the running kernel") \
	X(S, OENUM(lane), expected_lane, DECLARED, "lane the user expected; None: any") \
	X(S, OREC(clock), clock,   BY_FIELD, "clock that intervals were measured with") \
	X(S, REC(setup), setup_before, BY_FIELD, "setup before measuring") \
	X(S, OREC(setup), setup_after, BY_FIELD, "setup after; None: it could not be read again") \
	X(S, LIST(difference), differences, BY_FIELD, "facts that differ between the two") \
	X(S, LIST(exclusion), exclusions, BY_FIELD, "what was left out, with reasons") \
	X(S, NAT,   replaced_text, DERIVED,  "broken UTF-8 sequences and non-characters replaced in texts") \
	X(S, ENUM(state), state,   MEASURED, "complete: measured to its planned end; partial: stopped early") \
	X(S, ENUM(result), result, DERIVED,  "verdict of the whole run") \
	X(S, OTEXT, reason,        DERIVED,  "why it is not pass") \
	X(S, TEXT,  claim_ceiling, DECLARED, "what this record does not show") \
	X(S, REC(honesty), honesty, BY_FIELD, "paths of this record by where their values come from")
NF_RECORD(head, NF_ROWS_HEAD)
/* clang-format on */

/* Fills *ret from a summary of samples in `unit` ("ns"); lists live in a, unit is borrowed. */
NF_NODISCARD int nf_rec_summary_fill(const struct nf_summary *s, const char *unit,
                                     struct nf_arena *a, struct nf_rec_summary *ret,
                                     struct nf_err *err);
/* Fills *ret from a stream; file and sha256 (NULL: not kept) and the stream's texts are copied into a. */
NF_NODISCARD int nf_rec_stream_fill(const struct nf_stream *s, const char *file, const char *sha256,
                                    struct nf_arena *a, struct nf_rec_stream_ref *ret,
                                    struct nf_err *err);
/* The paths of a record by where their values come from; for records without a head. */
NF_NODISCARD int nf_rec_honesty_fill(struct nf_rec_honesty *ret, const struct nf_type *t,
                                     const void *value, struct nf_arena *a, struct nf_err *err);
/* Fills head->replaced_text and head->honesty for the whole record `value` of type t, of which head is
 * part. Last step before writing. */
NF_NODISCARD int nf_rec_head_finish(struct nf_rec_head *head, const struct nf_type *t,
                                    const void *value, struct nf_arena *a, struct nf_err *err);

#endif
