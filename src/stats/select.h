/* SPDX-License-Identifier: MIT */
/*
 * select - order statistics of large arrays without sorting or copying them.
 *
 * Up to 2^20 values are copied into the scratch and selected there. Larger arrays are read in one
 * pass: a stratified sample gives cuts around every wanted rank, each value is counted in its class
 * between cuts, and only the few percent near a rank are kept and selected from (the idea of Floyd and
 * Rivest, Communications of the ACM 18(3), 1975, for many ranks at once). When the sample misled, the
 * rank is found by counting digits, eight passes, always.
 * The input is never written. Deterministic: the same array gives the same answer and the same work.
 */
#ifndef NF_STATS_SELECT_H
#define NF_STATS_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values x[i], or x[i] * factor of integers; with deviation |that - centre|. All must be finite. */
struct nf_source {
	const double *f64; /* borrowed; exactly one of f64 and i64 is set */
	const int64_t *i64;
	double factor; /* for i64 */
	bool deviation;
	double centre; /* for deviation */
};
void nf_source_load(const struct nf_source *s, size_t start, size_t n, double *ret);
/* The same, in `room` (n doubles) only where the array itself does not hold the values. */
const double *nf_source_block(const struct nf_source *s, size_t start, size_t n, double *room);

struct nf_order {
	size_t rank; /* in: 0 is the smallest */
	double value; /* out */
	size_t n_below; /* out: values smaller than `value` (at most rank) */
};

enum { NF_ORDERS_MAX = 16 };

/* Scratch, in doubles, with which nf_select works at full speed: n up to 2^20, beyond that n/12. */
size_t nf_select_scratch(size_t n);
/* 1..16 orders with ranks below n (any order, also equal). n_scratch at least 2048; less than
 * nf_select_scratch(n) costs time, not correctness. */
void nf_select(const struct nf_source *s, size_t n, struct nf_order *order, size_t n_orders,
               double *scratch, size_t n_scratch);

/* Rearranges a so that a[pos[i]] is what it would be if a were sorted. pos is ascending. */
void nf_multiselect(double *a, size_t n, const size_t *pos, size_t n_pos);

/* Largest r such that the r-th smallest and r-th largest of n values enclose the population's median
 * with at least this probability, whatever the distribution (binomial; David and Nagaraja, Order
 * Statistics, 2003, section 7.1); 0 if not even the extremes do. level in (0, 1). */
size_t nf_median_ci_rank(size_t n, double level);

#endif
