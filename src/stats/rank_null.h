/* SPDX-License-Identifier: MIT */
/* rank_null - null distributions of rank statistics, exact. */
#ifndef NF_STATS_RANK_NULL_H
#define NF_STATS_RANK_NULL_H

#include <stddef.h>

enum {
	NF_SIGNED_RANK_AUTO = 50,
	NF_SIGNED_RANK_HARD = 1000,
	NF_MANN_WHITNEY_AUTO = 10000, /* n_x n_y */
	NF_MANN_WHITNEY_HARD = 250000,
	NF_MANN_WHITNEY_SUM = 1000, /* n_x + n_y: more has no double for the number of ways */
	NF_MANN_WHITNEY_TIES_AUTO = 100,
	NF_MANN_WHITNEY_TIES_HARD = 200,
};

/* P(sum = s) of a random subset of ranks, each taken with probability 1/2. rank[i] are whole (doubled
 * midranks, say) with the sum `total`; ret holds total + 1. */
void nf_subset_sum_null(const size_t *rank, size_t n, size_t total, double *ret);
/* P(U = u) without ties for u in 0..n_x n_y; ret holds n_x n_y + 1. */
void nf_mann_whitney_null(size_t n_x, size_t n_y, double *ret);
/* P(sum = s) of m of the n ranks, all choices alike; s from 0 to max. work holds
 * (m + 1) (max + 1); ret max + 1. */
void nf_choice_sum_null(const size_t *rank, size_t n, size_t m, size_t max, double *work,
                        double *ret);

struct nf_ranked {
	double value;
	size_t index;
};
/* Sorts a and writes twice the midrank of each value (so that it is whole) to ret[a.index]. Returns the
 * sum of t^3 - t over groups of t equal values. */
double nf_double_midranks(struct nf_ranked *a, size_t n, size_t *ret);

#endif
