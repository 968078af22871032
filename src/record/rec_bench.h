/* SPDX-License-Identifier: MIT */
/*
 * rec_bench - BenchRun/1 and BenchCompare/1: what was run, in which order, every value that came of it,
 * and what was concluded. Values are in the unit of their variant, ns where it is None. A set is a fresh process;
 * what is called the global median is that of all values of all sets.
 */
#ifndef NF_RECORD_REC_BENCH_H
#define NF_RECORD_REC_BENCH_H

#include "record/rec_common.h"

/* clang-format off */
/* In the order of enum nf_backend_id (bench/backend.h). */
enum nf_rec_bench_backend { NF_BENCH_BUILTIN, NF_BENCH_COMMAND, NF_BENCH_REPORT };
NF_RECORD_ENUM(bench_backend)
/* In the order of enum nf_verdict (noisefloor/compare.h). */
enum nf_rec_bench_verdict {
	NF_BENCH_INCONCLUSIVE, NF_BENCH_SAME, NF_BENCH_REGRESSED, NF_BENCH_IMPROVED, NF_BENCH_NEW,
	NF_BENCH_GONE, NF_BENCH_FAILED,
};
NF_RECORD_ENUM(bench_verdict)
enum nf_rec_memory_method { NF_MEMORY_UNKNOWN, NF_MEMORY_CGROUP, NF_MEMORY_PSS, NF_MEMORY_RSS };
NF_RECORD_ENUM(memory_method) /* in the order of enum nf_tree_method (bench/tree_memory.h) */

#define NF_ROWS_BENCH_POSTURE(X, S) \
	X(S, OREAL, steal_s,          MEASURED, "CPU time that the hypervisor took during the set") \
	X(S, OREAL, throttled_s,      MEASURED, "time that the cgroup was throttled") \
	X(S, OREAL, mhz_before,       MEASURED, "mean frequency of the CPUs in use, before") \
	X(S, OREAL, mhz_after,        MEASURED, "after") \
	X(S, OREAL, load_before,      MEASURED, "load average over one minute") \
	X(S, ONAT,  context_switches, MEASURED, "of the benchmark's processes") \
	X(S, ONAT,  migrations,       MEASURED, "moves between CPUs")
NF_RECORD(bench_posture, NF_ROWS_BENCH_POSTURE)

/* What belongs to a result without being one; docs/ACTORS.md has those of the scheduler suite. */
#define NF_ROWS_BENCH_FACT(X, S) \
	X(S, TEXT,  name,  MEASURED, "of the fact; the benchmark's own choice") \
	X(S, OREAL, value, MEASURED, "a number; None: it is a word") \
	X(S, OTEXT, text,  MEASURED, "a word; None: it is a number")
NF_RECORD(bench_fact, NF_ROWS_BENCH_FACT)

#define NF_ROWS_BENCH_SET(X, S) \
	X(S, NAT,   variant,     DECLARED, "which, counted from 0") \
	X(S, NAT,   row,         DECLARED, "row of the schedule, or pair of the comparison, that it belongs to, from 0") \
	X(S, TEXT,  seed,        DECLARED, "of this set, decimal") \
	X(S, REAL,  started_s,   MEASURED, "from the start of the run") \
	X(S, NAT,   wall_ns,     MEASURED, "length of the set, start of its processes included") \
	X(S, NAT,   operations,  MEASURED, "timed together for one value") \
	X(S, OREAL, warm_up,     MEASURED, "value that was discarded; None: there was none") \
	X(S, OREAL, shell_ns,    MEASURED, "`sh -c :` beside it, timed as a value is; None: not before this set") \
	X(S, REALS, values,      MEASURED, "in the order they were measured") \
	X(S, OREAL, median,      DERIVED,  "of the values") \
	X(S, REALS, user_ns,     MEASURED, "CPU time in user mode, per value; empty: unknown") \
	X(S, REALS, system_ns,   MEASURED, "CPU time in the kernel, per value") \
	X(S, REALS, peak_bytes,  MEASURED, "resident memory of its largest process, per value; empty: no more than this program's own, which hides it, or unknown") \
	X(S, NATS,  wait_status, MEASURED, "as wait() gives it, per value") \
	X(S, REC(bench_posture), posture, BY_FIELD, "what the system did meanwhile") \
	X(S, LIST(bench_fact), facts, BY_FIELD, "what the benchmark told with its values") \
	X(S, BOOL,  stopped,     MEASURED, "a signal ended it early") \
	X(S, OTEXT, failure,     MEASURED, "why it failed; None: it did not") \
	X(S, OTEXT, discarded,   DERIVED,  "why its block was left out of the comparison; None: it was not")
NF_RECORD(bench_set, NF_ROWS_BENCH_SET)

#define NF_ROWS_BENCH_VARIANT(X, S) \
	X(S, TEXT,  label,        DECLARED, "its name in this run") \
	X(S, ENUM(bench_backend), backend, DECLARED, "what makes its sets") \
	X(S, OTEXT, bench,        DECLARED, "name of the benchmark; None: the command is one") \
	X(S, ONAT,  threads,      DECLARED, "asked for; None: the benchmark's own default") \
	X(S, OTEXT, program,      DECLARED, "program that holds the benchmark; None: this one") \
	X(S, TEXTS, argv,         DECLARED, "command, one word each") \
	X(S, OTEXT, shell,        DECLARED, "text that /bin/sh ran instead") \
	X(S, TEXTS, env,          DECLARED, "NAME=value put over the environment") \
	X(S, OTEXT, setup,        DECLARED, "shell text once before its first set, not timed") \
	X(S, OTEXT, prepare,      DECLARED, "shell text before each execution, not timed") \
	X(S, OTEXT, cleanup,      DECLARED, "shell text after each execution, not timed") \
	X(S, OTEXT, input,        DECLARED, "file for standard input; None: /dev/null") \
	X(S, OTEXT, output,       DECLARED, "file for standard output and error; None: /dev/null") \
	X(S, OTEXT, report_form,  DECLARED, "form in which the command reports its own numbers; None: it does not") \
	X(S, OTEXT, report_file,  DECLARED, "file that the command reports in; None: its standard output") \
	X(S, OTEXT, better,       DECLARED, "smaller or larger, as an option says; None: as the command says, else as its unit tells") \
	X(S, BOOL,  any_status,   DECLARED, "a non-zero exit status was no failure") \
	X(S, ONAT,  timeout_ns,   DECLARED, "a set that took longer failed; None: no limit") \
	X(S, ONAT,  pilot_ns,     MEASURED, "length of the first set, of one value, which is discarded; None: it was not reached") \
	X(S, OREAL, tree_peak_bytes, MEASURED, "memory of all its processes together at its highest, in that first set; None: unknown, or no command") \
	X(S, ENUM(memory_method), tree_peak_method, MEASURED, "how that was found out: by a control group of its own, or by samples of PSS or RSS, which may miss the highest") \
	X(S, NAT,   tree_peak_samples, MEASURED, "samples of all its processes that were taken then") \
	X(S, OTEXT, unit,         MEASURED, "of its values; None: nothing was measured") \
	X(S, BOOL,  higher_is_better, DERIVED, "larger values are better, as `better` or the command says, else as of a unit that ends in /s: comparisons take one over them") \
	X(S, OREAL, shell_ns,     DERIVED,  "median of its sets' shell_ns: what the start of a shell costs, which is in its values; None: no shell") \
	X(S, NAT,   sets,         MEASURED, "sets that gave all their values") \
	X(S, OTEXT, failure,      MEASURED, "why it failed; None: it did not") \
	X(S, OTEXT, unsupported,  MEASURED, "why this machine cannot have it, so that it was left out; None: it can, or it was not asked") \
	X(S, OREC(summary), summary, BY_FIELD, "over all values of all sets: its median is the global median") \
	X(S, OREAL, median_of_set_medians, DERIVED, "not the global median: every set counts once") \
	X(S, OREAL, set_cv_ratio, DERIVED,  "standard deviation of the set medians (n - 1) over their mean") \
	X(S, OREC(summary), user,   BY_FIELD, "CPU time in user mode") \
	X(S, OREC(summary), system, BY_FIELD, "CPU time in the kernel") \
	X(S, OREC(summary), peak,   BY_FIELD, "resident memory of the largest process, not of all together (tree_peak_bytes); None: see peak_bytes")
NF_RECORD(bench_variant, NF_ROWS_BENCH_VARIANT)

#define NF_ROWS_BENCH_PLAN(X, S) \
	X(S, NAT,   sets,             DECLARED, "of each variant") \
	X(S, NAT,   iterations,       DECLARED, "values of a set, after the warm-up") \
	X(S, NAT,   sets_asked,       DECLARED, "before they were fitted to max_time_ns") \
	X(S, NAT,   iterations_asked, DECLARED, "before they were fitted to max_time_ns") \
	X(S, NAT,   min_iteration_ns, DECLARED, "a value of a built-in benchmark is timed over at least so long") \
	X(S, NAT,   max_time_ns,      DECLARED, "how long the run may take") \
	X(S, OTEXT, cpus,             DECLARED, "CPUs that every set was bound to; None: those of this process") \
	X(S, REAL,  estimate_s,       DERIVED,  "what was expected, after the first sets") \
	X(S, TEXT,  order,            DECLARED, "how the sets were ordered")
NF_RECORD(bench_plan, NF_ROWS_BENCH_PLAN)

/* BenchRun/1 */
#define NF_ROWS_BENCH_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "BenchRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(bench_plan), plan, BY_FIELD, "how much was to be measured") \
	X(S, LIST(bench_variant), variants, BY_FIELD, "what was measured") \
	X(S, LIST(bench_set), sets, BY_FIELD, "in the order they ran")
NF_RECORD(bench_run, NF_ROWS_BENCH_RUN)

#define NF_ROWS_BENCH_RULE(X, S) \
	X(S, REAL,  delta_ratio, DECLARED, "slowdown that does not matter") \
	X(S, REAL,  alpha,       DECLARED, "family-wise error of the run") \
	X(S, NAT,   looks,       DECLARED, "planned looks at the data, each at alpha / looks") \
	X(S, NAT,   looks_taken, MEASURED, "of those") \
	X(S, NAT,   min_pairs,   DERIVED,  "fewest pairs with which the test can find anything") \
	X(S, OBOOL, null_fired,  DERIVED,  "old against old was found different: nothing is decided; None: there was no null row")
NF_RECORD(bench_rule, NF_ROWS_BENCH_RULE)

/* One benchmark, old against new; docs/METHOD_STATISTICS.md has the formulas. */
#define NF_ROWS_BENCH_COMPARISON(X, S) \
	X(S, TEXT,  name,           DECLARED, "of the benchmark") \
	X(S, ONAT,  old_variant,    DECLARED, "which, counted from 0; None: the old side does not have it, NEW") \
	X(S, ONAT,  new_variant,    DECLARED, "which, counted from 0; None: the new side does not have it, GONE") \
	X(S, BOOL,  is_null,        DECLARED, "old against old: outside the family") \
	X(S, NAT,   pairs,          MEASURED, "in the comparison") \
	X(S, NAT,   pairs_discarded, DERIVED, "in blocks that the system disturbed, whichever the variant") \
	X(S, OREAL, old_median,     DERIVED,  "median of set medians, of the pairs in the comparison") \
	X(S, OREAL, new_median,     DERIVED,  "median of set medians") \
	X(S, OREAL, ratio,          DERIVED,  "new over old: exp of the Hodges-Lehmann estimate of the pairs' log ratios") \
	X(S, OREAL, ratio_lo,       DERIVED,  "signed-rank interval at level 1 - 2 alpha; None: too few pairs") \
	X(S, OREAL, ratio_hi,       DERIVED,  "its upper end") \
	X(S, OREAL, ranks_ratio,    DERIVED,  "the same without the pairs: two-sample Hodges-Lehmann") \
	X(S, OREAL, ranks_lo,       DERIVED,  "its interval") \
	X(S, OREAL, ranks_hi,       DERIVED,  "its upper end") \
	X(S, OREAL, sd_ln,          DERIVED,  "standard deviation of the pairs' log ratios") \
	X(S, OREAL, p_slower,       DERIVED,  "of a slowdown beyond delta: twice the smaller of the two below, at most 1") \
	X(S, OREAL, p_slower_pairs, DERIVED,  "one-sided signed-rank test") \
	X(S, OREAL, p_slower_ranks, DERIVED,  "one-sided Mann-Whitney test") \
	X(S, OREAL, p_faster,       DERIVED,  "mirrored") \
	X(S, OREAL, p_faster_pairs, DERIVED,  "mirrored") \
	X(S, OREAL, p_faster_ranks, DERIVED,  "mirrored") \
	X(S, OREAL, p,              DERIVED,  "the smaller of p_slower and p_faster") \
	X(S, OREAL, p_holm,         DERIVED,  "adjusted over the run") \
	X(S, OREAL, p_bh,           DERIVED,  "Benjamini-Hochberg: marks tables at 0.05") \
	X(S, OREAL, mde_ratio,      DERIVED,  "smallest slowdown that would have been found with probability 0.8") \
	X(S, OREAL, set_cv_ratio,   DERIVED,  "of the set medians: the root of the mean of the two variants' squares") \
	X(S, OREAL, same_ratio,     DERIVED,  "share of runs like this one that would find SAME, were there no difference") \
	X(S, ENUM(bench_verdict), verdict, DERIVED, "what follows") \
	X(S, OTEXT, failure,        MEASURED, "which side failed and how")
NF_RECORD(bench_comparison, NF_ROWS_BENCH_COMPARISON)

/* BenchCompare/1 */
#define NF_ROWS_BENCH_COMPARE(X, S) \
	X(S, TEXT, schema, DECLARED, "BenchCompare/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(bench_plan), plan, BY_FIELD, "how much was to be measured") \
	X(S, REC(bench_rule), rule, BY_FIELD, "by what it is decided") \
	X(S, LIST(bench_variant), variants, BY_FIELD, "what was measured") \
	X(S, LIST(bench_set), sets, BY_FIELD, "in the order they ran") \
	X(S, LIST(bench_comparison), comparisons, BY_FIELD, "old against new")
NF_RECORD(bench_compare, NF_ROWS_BENCH_COMPARE)
/* clang-format on */

#endif
