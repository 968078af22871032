/* SPDX-License-Identifier: MIT */
/* compare_warn - what makes a comparison unfair, found in the runs themselves. Internal to report/. */
#ifndef NF_REPORT_COMPARE_WARN_H
#define NF_REPORT_COMPARE_WARN_H

#include "record/rec_compare.h"
#include "record/run_view.h"

/* What the rules look at. */
struct nf_compare_seen {
	const struct nf_run_view *run;
	const size_t *group_of; /* index into group, per run */
	size_t n_runs;
	const char *const *group;
	size_t n_groups;
	bool by_lane; /* the groups are lanes */
	struct nf_list figures; /* of nf_rec_compare_figure */
	struct nf_list ratios; /* of nf_rec_compare_ratio */
};

/* The warnings, in the order of the table. -NF_ENOMEM is remembered by a. */
struct nf_list nf_compare_warnings(const struct nf_compare_seen *s, struct nf_arena *a);

/* One row a warning. */
struct nf_compare_rule {
	const char *id;
	const char *rule; /* when it is given, with its threshold */
};
extern const struct nf_compare_rule nf_compare_rules[]; /* ends with id NULL */

#endif
