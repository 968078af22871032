/* SPDX-License-Identifier: MIT */
/*
 * compare_runs - runs in groups: figures, differences with intervals, warnings. Pure: records in, a
 * CompareRun out. docs/METHOD.md ("Comparing runs") has the estimators, compare_warn.c the rules.
 */
#ifndef NF_REPORT_COMPARE_RUNS_H
#define NF_REPORT_COMPARE_RUNS_H

#include "record/rec_compare.h"
#include "record/run_view.h"

enum { NF_COMPARE_RUNS_MAX = 10000, NF_COMPARE_GROUPS_MAX = 64 };
enum nf_compare_by { NF_BY_LANE, NF_BY_TAG, NF_BY_HOST };

/* The interval's level. */
#define NF_COMPARE_LEVEL 0.95

struct nf_compare_opts {
	enum nf_compare_by by;
	const char
	        *base; /* NULL: the first group (lanes: generic, rt, unknown; else as they come) */
};

/* run: n >= 1 views. All of *ret lives in a; the texts of the views are copied. -NF_EARG: too many runs or groups, or no
 * group of the base's name. */
NF_NODISCARD int nf_compare_runs(const struct nf_run_view *run, size_t n,
                                 const struct nf_compare_opts *opts, struct nf_arena *a,
                                 struct nf_rec_compare_run *ret, struct nf_err *err);

#endif
