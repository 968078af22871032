/* SPDX-License-Identifier: MIT */
/* check - what all estimators demand of their samples, and small helpers on arrays. */
#ifndef NF_STATS_CHECK_H
#define NF_STATS_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"

#define NF_STATS_LARGEST 1e150

/* -NF_ENODATA below min samples, -NF_EDATA for one that is NaN, infinite or too large. */
NF_NODISCARD int nf_stats_check(const double *x, size_t n, size_t min, struct nf_err *err);
/* An owned copy in ascending order; NULL when memory is short. n >= 1. */
double *nf_stats_sorted(const double *x, size_t n);
void nf_stats_sort(double *x, size_t n);
/* Of an array in ascending order. */
double nf_stats_median_sorted(const double *x, size_t n);
/* Rearranges x. */
double nf_stats_median_of(double *x, size_t n);
/* Mean and, with divisor n - 1, the sd (0 for n = 1). A constant has exactly that mean and sd 0. */
void nf_stats_mean_sd(const double *x, size_t n, double *ret_mean, double *ret_sd);
/* Block length for samples of lag-1 autocorrelation r1: see nf_block_length. */
size_t nf_stats_block_length(double r1, size_t n);
bool nf_same(double a, double b); /* a == b, said on purpose */

#endif
