/* SPDX-License-Identifier: MIT */
/* rec_bench_aa - SelftestAa/1: how `bench compare` judges work whose difference is known, here. */
#ifndef NF_RECORD_REC_BENCH_AA_H
#define NF_RECORD_REC_BENCH_AA_H

#include "record/rec_bench.h"

/* clang-format off */
#define NF_ROWS_AA_TRIAL(X, S) \
	X(S, NAT,   repeat,       DECLARED, "which, from 0; its sets have the rows from repeat x plan.sets on") \
	X(S, REC(bench_comparison), comparison, BY_FIELD, "by itself, as in a run of one benchmark") \
	X(S, OREAL, expected_ratio, DERIVED, "probability that sets which scatter so find it, were the noise normal")
NF_RECORD(aa_trial, NF_ROWS_AA_TRIAL)

#define NF_ROWS_AA_SCORE(X, S) \
	X(S, TEXT,  name,           DECLARED, "what was compared") \
	X(S, REAL,  slowdown_ratio, DECLARED, "what is known of the new side") \
	X(S, NAT,   trials,         MEASURED, "comparisons") \
	X(S, NAT,   same,           DERIVED,  "found SAME") \
	X(S, NAT,   inconclusive,   DERIVED,  "not decided") \
	X(S, NAT,   regressed,      DERIVED,  "REGRESSED") \
	X(S, NAT,   improved,       DERIVED,  "IMPROVED") \
	X(S, NAT,   wrong,          DERIVED,  "decided against what is known: a change that is none, IMPROVED or SAME of a slowdown") \
	X(S, OREAL, wrong_lo_ratio, DERIVED,  "99 % lower bound of the share of wrong ones (Clopper and Pearson)") \
	X(S, OREAL, wrong_hi_ratio, DERIVED,  "99 % upper bound") \
	X(S, NAT,   found,          DERIVED,  "SAME where nothing differs, REGRESSED of a slowdown") \
	X(S, OREAL, found_lo_ratio, DERIVED,  "99 % lower bound of the share of found ones") \
	X(S, OREAL, found_hi_ratio, DERIVED,  "99 % upper bound") \
	X(S, OREAL, expected_ratio, DERIVED,  "mean of the trials' expected_ratio") \
	X(S, OREAL, set_cv_ratio,   DERIVED,  "median of the trials' set_cv_ratio") \
	X(S, ENUM(result), result,  DERIVED,  "fail: wrong more often than alpha, or found less often than expected, each beyond its bound") \
	X(S, OTEXT, reason,         DERIVED,  "why it is not pass")
NF_RECORD(aa_score, NF_ROWS_AA_SCORE)

/* SelftestAa/1 */
#define NF_ROWS_SELFTEST_AA(X, S) \
	X(S, TEXT, schema, DECLARED, "SelftestAa/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(bench_plan), plan, BY_FIELD, "of each comparison") \
	X(S, REC(bench_rule), rule, BY_FIELD, "by what each is decided") \
	X(S, NAT,  repeats_asked, DECLARED, "of each comparison") \
	X(S, NAT,  repeats, DERIVED, "as many as fit plan.max_time_ns") \
	X(S, LIST(bench_variant), variants, BY_FIELD, "two a comparison, old and new") \
	X(S, LIST(bench_set), sets, BY_FIELD, "in the order they ran") \
	X(S, LIST(aa_trial), trials, BY_FIELD, "in the order they were decided") \
	X(S, LIST(aa_score), scores, BY_FIELD, "one a comparison")
NF_RECORD(selftest_aa, NF_ROWS_SELFTEST_AA)
/* clang-format on */

#endif
