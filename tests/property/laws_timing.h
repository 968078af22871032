/* SPDX-License-Identifier: MIT */
/* Laws of budgets and partitions that take the function they judge: a wrong one must fail them. */
#ifndef LAWS_TIMING_H
#define LAWS_TIMING_H

#include "laws.h"
#include "noisefloor/budget.h"

struct conforms_fn {
	bool (*conforms)(const struct nf_budget_s *b, const double *interval, size_t n);
};
struct partition_fn {
	int (*partition)(size_t n_channels, size_t n_groups, struct nf_partition *ret);
};
/* arg: a struct conforms_fn, a struct partition_fn */
bool law_scaling(struct pt_case *t, void *arg);
bool law_partition_total(struct pt_case *t, void *arg);

#endif
