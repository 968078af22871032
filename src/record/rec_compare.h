/* SPDX-License-Identifier: MIT */
/* rec_compare - runs side by side: groups, figures, differences, and what makes the comparison unfair. */
#ifndef NF_RECORD_REC_COMPARE_H
#define NF_RECORD_REC_COMPARE_H

#include "record/rec_common.h"

/* clang-format off */
enum nf_rec_difference_verdict { NF_DIFF_UNDECIDED, NF_DIFF_HURT, NF_DIFF_HELPED };
NF_RECORD_ENUM(difference_verdict)

#define NF_ROWS_COMPARE_INPUT(X, S) \
	X(S, TEXT,  path,         DECLARED, "operand") \
	X(S, TEXT,  type,         MEASURED, "what it is: a record's schema, or CaptureFacts") \
	X(S, TEXT,  group,        DERIVED,  "group it was put in") \
	X(S, OTEXT, tag,          DECLARED, "its tag") \
	X(S, OTEXT, host,         MEASURED, "its host") \
	X(S, TEXT,  lane,         MEASURED, "its lane: generic, rt or unknown") \
	X(S, OTEXT, kernel,       MEASURED, "its kernel") \
	X(S, OTEXT, captured_utc, MEASURED, "when it was taken") \
	X(S, OTEXT, boot_id,      MEASURED, "boot it belongs to") \
	X(S, OTEXT, platform,     MEASURED, "platform kind") \
	X(S, OREAL, uptime_s,     MEASURED, "time since boot") \
	X(S, OREAL, load_1min,    MEASURED, "load average over one minute") \
	X(S, OREAL, smi_window_s, DECLARED, "seconds that SMIs were counted for") \
	X(S, OBOOL, conforms,     MEASURED, "its timing conforms to its budget")
NF_RECORD(compare_input, NF_ROWS_COMPARE_INPUT)

#define NF_ROWS_COMPARE_FIGURE(X, S) \
	X(S, TEXT,  metric, DERIVED,  "figure: an id of tables/metrics.def") \
	X(S, TEXT,  unit,   DERIVED,  "unit of every value here") \
	X(S, TEXT,  group,  DERIVED,  "group") \
	X(S, NAT,   n,      DERIVED,  "values") \
	X(S, REAL,  min,    DERIVED,  "smallest") \
	X(S, REAL,  max,    DERIVED,  "largest") \
	X(S, REAL,  mean,   DERIVED,  "arithmetic mean") \
	X(S, OREAL, sd,     DERIVED,  "sample standard deviation, divisor n - 1; None for one value") \
	X(S, REAL,  median, DERIVED,  "middle") \
	X(S, REALS, values, MEASURED, "in the order of the operands") \
	X(S, NATS,  inputs, DERIVED,  "which operand each comes from, from 0")
NF_RECORD(compare_figure, NF_ROWS_COMPARE_FIGURE)

#define NF_ROWS_COMPARE_DIFFERENCE(X, S) \
	X(S, TEXT,  metric,   DERIVED, "figure") \
	X(S, TEXT,  unit,     DERIVED, "unit of estimate, lo and hi") \
	X(S, TEXT,  base,     DERIVED, "group it is measured against") \
	X(S, TEXT,  other,    DERIVED, "group") \
	X(S, REAL,  estimate, DERIVED, "median of the differences of every pair, other minus base (Hodges and Lehmann)") \
	X(S, OREAL, lo,       DERIVED, "lower end of its interval; None: too few values for one") \
	X(S, OREAL, hi,       DERIVED, "upper end") \
	X(S, OREAL, level,    DERIVED, "level that the interval has, at least 0.95") \
	X(S, OREAL, of_base_ratio, DERIVED, "estimate over the base's median; None: that is 0") \
	X(S, ENUM(difference_verdict), verdict, DERIVED, "what the interval allows to say") \
	X(S, TEXT,  sentence, DERIVED, "the same in words")
NF_RECORD(compare_difference, NF_ROWS_COMPARE_DIFFERENCE)

#define NF_ROWS_COMPARE_RATIO(X, S) \
	X(S, TEXT, group,            DERIVED, "group") \
	X(S, REAL, mean_of_ratios,   DERIVED, "mean of the runs' speedups") \
	X(S, REAL, ratio_of_means,   DERIVED, "mean serial over mean parallel") \
	X(S, REAL, ratio_of_medians, DERIVED, "median serial over median parallel")
NF_RECORD(compare_ratio, NF_ROWS_COMPARE_RATIO)

#define NF_ROWS_COMPARE_WARNING(X, S) \
	X(S, TEXT,  id,   DERIVED, "which warning: a row of src/report/compare_warn.c") \
	X(S, OTEXT, group, DERIVED, "group it is about; None: several") \
	X(S, TEXT,  text, DERIVED, "what was found") \
	X(S, TEXT,  rule, DERIVED, "when it is given")
NF_RECORD(compare_warning, NF_ROWS_COMPARE_WARNING)

/* CompareRun/1 */
#define NF_ROWS_COMPARE_RUN(X, S) \
	X(S, TEXT,  schema,        DECLARED, "CompareRun/1") \
	X(S, TEXT,  tool_version,  MEASURED, "version of noisefloor") \
	X(S, TEXT,  by,            DECLARED, "what made the groups: lane, tag or host") \
	X(S, TEXTS, groups,        DERIVED,  "groups; the first is the base") \
	X(S, TEXT,  conclusion,    DERIVED,  "what can be said, in a sentence") \
	X(S, LIST(compare_warning), warnings, BY_FIELD, "what makes the comparison unfair") \
	X(S, LIST(compare_figure), figures, BY_FIELD, "per figure and group") \
	X(S, LIST(compare_difference), differences, BY_FIELD, "per figure and group against the base") \
	X(S, LIST(compare_ratio), ratios, BY_FIELD, "three ways to one speedup") \
	X(S, LIST(compare_input), inputs, BY_FIELD, "operands") \
	X(S, TEXT,  method,        DECLARED, "estimators and interval in use") \
	X(S, NAT,   replaced_text, DERIVED,  "broken UTF-8 sequences and non-characters replaced in texts") \
	X(S, TEXT,  claim_ceiling, DECLARED, "what this record does not show") \
	X(S, REC(honesty), honesty, BY_FIELD, "paths of this record by where their values come from")
NF_RECORD(compare_run, NF_ROWS_COMPARE_RUN)
/* clang-format on */

#endif
