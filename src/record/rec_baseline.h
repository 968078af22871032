/* SPDX-License-Identifier: MIT */
/*
 * rec_baseline - BenchBaseline/1: sessions of benchmarks that are kept to compare with, and BenchRegress/1: a
 * session beside those that were kept, or sessions that were put there. Medians are global medians, over all
 * values of all sets of a session, in the benchmark's unit; docs/METHOD_STATISTICS.md has the rule.
 */
#ifndef NF_RECORD_REC_BASELINE_H
#define NF_RECORD_REC_BASELINE_H

#include "record/rec_bench.h"

/* clang-format off */
#define NF_ROWS_BENCH_MACHINE(X, S) \
	X(S, OTEXT, machine_hash,  MEASURED, "application-specific hash of machine-id and DMI product") \
	X(S, OTEXT, cpu_model,     MEASURED, "model name of its CPUs") \
	X(S, OTEXT, cpus_online,   MEASURED, "online CPUs") \
	X(S, OTEXT, platform_kind, MEASURED, "hardware, kvm, tcg, vm or container")
NF_RECORD(bench_machine, NF_ROWS_BENCH_MACHINE)

/* What a stored median is found by: bench, threads and knobs, and its unit has to be the same. */
#define NF_ROWS_BENCH_STORED(X, S) \
	X(S, TEXT,  bench,        DECLARED, "name of the benchmark; of a command what was run, or the name it was given") \
	X(S, OTEXT, program,      DECLARED, "program that holds the benchmark; None: noisefloor, or a command") \
	X(S, BOOL,  is_command,   DECLARED, "a command: one value a set, its start included") \
	X(S, ONAT,  threads,      DECLARED, "asked for; None: the benchmark's own default") \
	X(S, TEXTS, knobs,        DECLARED, "NAME=value of what was varied, in byte order") \
	X(S, TEXT,  unit,         MEASURED, "of the median") \
	X(S, OBOOL, higher_is_better, MEASURED, "larger is better; None: as the unit tells, a session of before this was kept") \
	X(S, NAT,   sets,         MEASURED, "fresh processes that the values come from") \
	X(S, NAT,   iterations,   MEASURED, "values of each") \
	X(S, REAL,  median,       DERIVED,  "over all values of all sets") \
	X(S, OREAL, set_cv_ratio, DERIVED,  "standard deviation of the set medians over their mean")
NF_RECORD(bench_stored, NF_ROWS_BENCH_STORED)

#define NF_ROWS_BENCH_SESSION(X, S) \
	X(S, TEXT,  finished_utc, MEASURED, "when it was stored") \
	X(S, NAT,   finished_unix_s, MEASURED, "the same in seconds since 1970") \
	X(S, OTEXT, run_id,       MEASURED, "run folder that holds its values") \
	X(S, OTEXT, boot_id,      MEASURED, "boot it belongs to") \
	X(S, OTEXT, kernel,       MEASURED, "kernel release") \
	X(S, REC(bench_machine), machine, BY_FIELD, "fingerprint: where it was measured") \
	X(S, TEXT,  tool_version, MEASURED, "version of noisefloor") \
	X(S, OTEXT, tool_commit,  MEASURED, "commit that was built from") \
	X(S, OTEXT, commit,       DECLARED, "of what was measured; None: not known") \
	X(S, OBOOL, dirty,        DECLARED, "with changes that are not in the commit; None: not known") \
	X(S, LIST(bench_stored), medians, BY_FIELD, "one a benchmark")
NF_RECORD(bench_session, NF_ROWS_BENCH_SESSION)

/* BenchBaseline/1 */
#define NF_ROWS_BENCH_BASELINE(X, S) \
	X(S, TEXT, schema, DECLARED, "BenchBaseline/1") \
	X(S, LIST(bench_session), sessions, BY_FIELD, "in the order they were stored")
NF_RECORD(bench_baseline, NF_ROWS_BENCH_BASELINE)

enum nf_rec_bench_judgement {
	NF_JUDGED_INCONCLUSIVE, NF_JUDGED_WITHIN, NF_JUDGED_NOT_CONFIRMED, NF_JUDGED_REGRESSED, NF_JUDGED_NEW,
	NF_JUDGED_GONE, NF_JUDGED_STORED, NF_JUDGED_FAILED,
};
NF_RECORD_ENUM(bench_judgement)

#define NF_ROWS_BENCH_AGAINST(X, S) \
	X(S, TEXT,  path,            DECLARED, "file of the baseline") \
	X(S, BOOL,  saves,           DECLARED, "sessions were to be added, not compared") \
	X(S, NAT,   sessions,        MEASURED, "sessions in it, before this run") \
	X(S, NAT,   sessions_here,   DERIVED,  "of those from a machine with this fingerprint") \
	X(S, BOOL,  any_machine,     DECLARED, "sessions of other machines counted, too") \
	X(S, REAL,  delta_ratio,     DECLARED, "slowdown that does not matter") \
	X(S, REAL,  alpha,           DECLARED, "family-wise error of the run") \
	X(S, NAT,   family,          DERIVED,  "benchmarks that were judged together") \
	X(S, OREAL, threshold_ratio, DECLARED, "the plain rule instead: REGRESSED when a median is more than so much above the stored one, where larger is better one over it above one over the stored; no claim about noise") \
	X(S, NAT,   stored_now,      MEASURED, "sessions that this run added")
NF_RECORD(bench_against, NF_ROWS_BENCH_AGAINST)

#define NF_ROWS_BENCH_JUDGED(X, S) \
	X(S, TEXT,  bench,         DECLARED, "name of the benchmark") \
	X(S, ONAT,  threads,       DECLARED, "asked for; None: the benchmark's own default") \
	X(S, TEXTS, knobs,         DECLARED, "NAME=value of what was varied") \
	X(S, ONAT,  variant,       DECLARED, "which, counted from 0; None: it is only in the baseline") \
	X(S, OTEXT, unit,          MEASURED, "of every value here") \
	X(S, BOOL,  higher_is_better, DERIVED, "larger is better: what is compared is one over it") \
	X(S, REALS, stored,        MEASURED, "medians of the stored sessions, oldest first") \
	X(S, OREAL, newest_age_s,  DERIVED,  "of the last of them") \
	X(S, OREAL, oldest_age_s,  DERIVED,  "of the first") \
	X(S, OTEXT, newest_commit, DECLARED, "what the last of them was measured of") \
	X(S, OBOOL, newest_dirty,  DECLARED, "with changes that are not in the commit") \
	X(S, NAT,   boots,         DERIVED,  "different boots they come from; 1: the bounds do not know how boots differ") \
	X(S, REALS, sessions,      DERIVED,  "medians of the sessions of this run; the second confirms") \
	X(S, OREAL, mean_ln,       DERIVED,  "mean of the logarithms of `stored`, where larger is better of one over it") \
	X(S, OREAL, sd_ln,         DERIVED,  "their standard deviation (n - 1)") \
	X(S, OREAL, first_bound,   DERIVED,  "a first session beyond it asks for a second") \
	X(S, OREAL, second_bound,  DERIVED,  "REGRESSED when the geometric mean of the two is beyond it, too") \
	X(S, OREAL, stored_median, DERIVED,  "geometric mean of `stored`; under the plain rule the median of `stored`") \
	X(S, OREAL, ratio,         DERIVED,  "geometric mean of `sessions` over stored_median, where larger is better the other way round: above 1 is worse") \
	X(S, OREAL, detectable_ratio, DERIVED, "slowdown found with probability of about 0.8") \
	X(S, ENUM(bench_judgement), verdict, DERIVED, "what follows") \
	X(S, OTEXT, reason,        DERIVED,  "why it is inconclusive or failed")
NF_RECORD(bench_judged, NF_ROWS_BENCH_JUDGED)

/* BenchRegress/1 */
#define NF_ROWS_BENCH_REGRESS(X, S) \
	X(S, TEXT, schema, DECLARED, "BenchRegress/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(bench_plan), plan, BY_FIELD, "how much was to be measured in a session; sets of row r are of session r / sets") \
	X(S, REC(bench_against), baseline, BY_FIELD, "what it is compared with, or stored in, and by which rule") \
	X(S, LIST(bench_variant), variants, BY_FIELD, "what was measured; figures are over all sessions") \
	X(S, LIST(bench_set), sets, BY_FIELD, "in the order they ran") \
	X(S, LIST(bench_judged), judged, BY_FIELD, "one a benchmark")
NF_RECORD(bench_regress, NF_ROWS_BENCH_REGRESS)
/* clang-format on */

#endif
