/* SPDX-License-Identifier: MIT */
/*
 * rec_sweep - BenchSweep/1: one benchmark or command at many points of its knobs, each point's sets in turn with
 * the others', against the base. And what the log of a sweep holds (job/sweep_log.h), by which one that was killed
 * goes on.
 */
#ifndef NF_RECORD_REC_SWEEP_H
#define NF_RECORD_REC_SWEEP_H

#include "record/rec_bench.h"

/* clang-format off */
enum nf_rec_sweep_kind { NF_SWEEP_ENV, NF_SWEEP_ARG };
NF_RECORD_ENUM(sweep_kind)
enum nf_rec_sweep_form { NF_SWEEP_POINTS, NF_SWEEP_GRID };
NF_RECORD_ENUM(sweep_form)
enum nf_rec_sweep_mark {
	NF_SWEEP_OPEN, NF_SWEEP_SAME, NF_SWEEP_SLOWER, NF_SWEEP_FASTER, NF_SWEEP_BASE, NF_SWEEP_FAILED,
};
NF_RECORD_ENUM(sweep_mark)

#define NF_ROWS_SWEEP_KNOB(X, S) \
	X(S, TEXT,  name,   DECLARED, "of the knob") \
	X(S, ENUM(sweep_kind), kind, DECLARED, "environment variable, or argument that stands as {NAME}") \
	X(S, TEXTS, values, DECLARED, "that it has, in order of appearance")
NF_RECORD(sweep_knob, NF_ROWS_SWEEP_KNOB)

#define NF_ROWS_SWEEP_PROGRAM(X, S) \
	X(S, TEXT, path,   MEASURED, "executable of every point") \
	X(S, TEXT, sha256, MEASURED, "of its file, before the first set") \
	X(S, BOOL, changed, MEASURED, "another file stood there after the last set")
NF_RECORD(sweep_program, NF_ROWS_SWEEP_PROGRAM)

/* One invocation; a sweep that was resumed has several. */
#define NF_ROWS_SWEEP_SESSION(X, S) \
	X(S, TEXT,  run,         DECLARED, "folder of its evidence") \
	X(S, TEXT,  started_utc, MEASURED, "its start, from which its sets' started_s count") \
	X(S, OTEXT, boot_id,     MEASURED, "of the boot it ran on") \
	X(S, NAT,   first_set,   MEASURED, "its first set, counted from 0") \
	X(S, NAT,   sets,        MEASURED, "that it completed")
NF_RECORD(sweep_session, NF_ROWS_SWEEP_SESSION)

#define NF_ROWS_SWEEP_INTERRUPTED(X, S) \
	X(S, NAT, session, MEASURED, "in which it was begun, counted from 0") \
	X(S, NAT, variant, MEASURED, "which, counted from 0") \
	X(S, NAT, row,     MEASURED, "of the schedule")
NF_RECORD(sweep_interrupted, NF_ROWS_SWEEP_INTERRUPTED)

/* Ratios are of times: of a value of which more is better, of its inverse. */
#define NF_ROWS_SWEEP_POINT(X, S) \
	X(S, TEXT,  label,          DECLARED, "its knobs as NAME=value") \
	X(S, TEXTS, values,         DECLARED, "of the knobs, in their order") \
	X(S, NAT,   variant,        DECLARED, "that it is, counted from 0") \
	X(S, ONAT,  workers,        DECLARED, "threads or workers of this point; None: nothing says") \
	X(S, NAT,   pairs,          MEASURED, "sets of this point with one of the base in the same row") \
	X(S, NAT,   pairs_discarded, DERIVED, "in rows that the system disturbed or an interruption parted") \
	X(S, OREAL, median,         DERIVED,  "median of set medians, of the pairs in the comparison") \
	X(S, OREAL, base_median,    DERIVED,  "of the base, of the same pairs") \
	X(S, OREAL, ratio,          DERIVED,  "point over base: exp of the Hodges-Lehmann estimate of the pairs' log ratios") \
	X(S, OREAL, ratio_lo,       DERIVED,  "signed-rank interval at level 1 - 2 alpha; None: too few pairs") \
	X(S, OREAL, ratio_hi,       DERIVED,  "its upper end") \
	X(S, OREAL, sd_ln,          DERIVED,  "standard deviation of the pairs' log ratios") \
	X(S, OREAL, p_slower,       DERIVED,  "of a slowdown beyond delta") \
	X(S, OREAL, p_faster,       DERIVED,  "mirrored") \
	X(S, OREAL, p,              DERIVED,  "the smaller of the two") \
	X(S, OREAL, p_bh,           DERIVED,  "Benjamini-Hochberg over the points") \
	X(S, OREAL, p_holm,         DERIVED,  "Holm over the points: what a claim about one of them needs") \
	X(S, OREAL, mde_ratio,      DERIVED,  "smallest slowdown that would have been found with probability 0.8") \
	X(S, ENUM(sweep_mark), mark, DERIVED, "slower or faster: p_bh <= bh_q; same: interval within delta") \
	X(S, OTEXT, failure,        MEASURED, "why it cannot be compared")
NF_RECORD(sweep_point, NF_ROWS_SWEEP_POINT)

/* BenchSweep/1 */
#define NF_ROWS_BENCH_SWEEP(X, S) \
	X(S, TEXT, schema, DECLARED, "BenchSweep/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what; of the last session") \
	X(S, REC(bench_plan), plan, BY_FIELD, "how much was to be measured") \
	X(S, REC(bench_rule), rule, BY_FIELD, "by what it is compared") \
	X(S, REAL, bh_q,       DECLARED, "false discovery rate of the marks") \
	X(S, OTEXT, file,      DECLARED, "YAML file that it was read from") \
	X(S, OTEXT, file_sha256, MEASURED, "of that file") \
	X(S, ENUM(sweep_form), form, DECLARED, "a full grid, or points that were listed") \
	X(S, NAT,  base,       DECLARED, "point that the others are compared with, counted from 0") \
	X(S, ONAT, cpus,       MEASURED, "that this process may run on") \
	X(S, TEXTS, ceilings,  DERIVED,  "what the machine or the plan does not allow to conclude") \
	X(S, ONAT, best,       DERIVED,  "point with the smallest time ratio, the base included") \
	X(S, ONAT, worst,      DERIVED,  "point with the largest") \
	X(S, LIST(sweep_knob), knobs, BY_FIELD, "what was turned") \
	X(S, LIST(sweep_program), programs, BY_FIELD, "the same at every point") \
	X(S, LIST(sweep_session), sessions, BY_FIELD, "invocations, in order") \
	X(S, LIST(sweep_interrupted), interrupted, BY_FIELD, "sets that were begun, lost with their values and run again") \
	X(S, LIST(bench_variant), variants, BY_FIELD, "what was measured, one a point") \
	X(S, LIST(bench_set), sets, BY_FIELD, "in the order they ran") \
	X(S, LIST(sweep_point), points, BY_FIELD, "each against the base")
NF_RECORD(bench_sweep, NF_ROWS_BENCH_SWEEP)

/* --- the log --- */

#define NF_ROWS_SWEEP_FACT(X, S) \
	X(S, TEXT, key,   DECLARED, "what it says") \
	X(S, TEXT, value, DECLARED, "of this sweep")
NF_RECORD(sweep_fact, NF_ROWS_SWEEP_FACT)
#define NF_ROWS_SWEEP_LOG_VARIANT(X, S) \
	X(S, ONAT,  pilot_ns, MEASURED, "length of its first set") \
	X(S, OTEXT, unit,     MEASURED, "of its values") \
	X(S, BOOL,  higher_is_better, MEASURED, "of its values") \
	X(S, OTEXT, failure,  MEASURED, "why its first set failed")
NF_RECORD(sweep_log_variant, NF_ROWS_SWEEP_LOG_VARIANT)
#define NF_ROWS_SWEEP_LOG_HEAD(X, S) \
	X(S, TEXT, schema, DECLARED, "BenchSweepLog/1") \
	X(S, LIST(sweep_fact), facts, BY_FIELD, "what must be the same for a sweep to go on") \
	X(S, REC(bench_plan), plan, BY_FIELD, "how much is to be measured") \
	X(S, LIST(sweep_log_variant), variants, BY_FIELD, "what the first set of each showed")
NF_RECORD(sweep_log_head, NF_ROWS_SWEEP_LOG_HEAD)
/* clang-format on */

#endif
