/* SPDX-License-Identifier: MIT */
/*
 * budget - timing budgets of periodic activity, and whether observed intervals conform.
 *
 * An interval conforms when |interval - period| <= max_jitter and interval <= max_latency. A run
 * conforms when every interval does and no activation is missing. A budget with a negative (or, for
 * doubles, NaN) member never conforms. A run without intervals conforms only if nothing was due.
 * Negative intervals (time going backwards) never conform. NaN and infinite intervals never conform.
 *
 * In integer nanoseconds the verdict is exact (differences are computed in 128 bits). For doubles each
 * comparison a <= b is taken as a <= b + 8 ulp(m), with m the largest magnitude among interval,
 * period and the limit of that comparison: the tolerance is relative only, so scaling
 * intervals and budget by one factor keeps the verdict (up to overflow and subnormals), and there is
 * no absolute epsilon.
 */
#ifndef NOISEFLOOR_BUDGET_H
#define NOISEFLOOR_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

struct nf_budget_ns {
	int64_t period_ns;
	int64_t max_jitter_ns;
	int64_t max_latency_ns;
};

struct nf_budget_s {
	double period_s;
	double max_jitter_s;
	double max_latency_s;
};

/* Why a run does not conform: counts per cause. An interval may count under both limits. */
struct nf_conformance {
	bool conforms;
	bool budget_valid; /* false: a member is negative or NaN */
	size_t n_intervals;
	uint64_t n_missed; /* as given */
	size_t n_over_jitter;
	size_t n_over_latency;
	size_t n_bad; /* negative, NaN or infinite intervals: they count here only */
	size_t first_bad_index; /* index of the first interval that fails; n_intervals if none */
};

/* missed: activations that were due and did not happen. interval may be NULL when n is 0.
 * due: whether anything was due at all (an empty run conforms only when false and missed is 0). */
NF_API struct nf_conformance nf_conforms_ns(const struct nf_budget_ns *budget,
					    const int64_t *interval_ns, size_t n, uint64_t missed,
					    bool due);
NF_API struct nf_conformance nf_conforms_s(const struct nf_budget_s *budget,
					   const double *interval_s, size_t n, uint64_t missed,
					   bool due);

/* intervals[i] = t[i+1] - t[i], n-1 of them (0 for n <= 1). -NF_EDATA when a difference overflows. */
NF_API NF_NODISCARD int nf_intervals_from_timestamps(const int64_t *t_ns, size_t n,
						     int64_t *ret_interval_ns, struct nf_err *err);
/* t[0] = start, t[i+1] = t[i] + interval[i]: n + 1 timestamps. -NF_EDATA on overflow. */
NF_API NF_NODISCARD int nf_timestamps_from_intervals(int64_t start_ns, const int64_t *interval_ns,
						     size_t n, int64_t *ret_t_ns,
						     struct nf_err *err);
/* True for n <= 1. *ret_first_drop (may be NULL): index i of the first t[i] < t[i-1], n if none. */
NF_API bool nf_is_non_decreasing(const int64_t *t_ns, size_t n, size_t *ret_first_drop);

/* One contiguous group of channels. */
struct nf_partition {
	size_t start;
	size_t count;
};
/* Splits n_channels into n_groups contiguous groups in order that cover them exactly; the remainder is
 * spread one each over the first groups; with more groups than channels the last ones are empty.
 * ret has n_groups entries. n_groups 0: -NF_EARG. */
NF_API NF_NODISCARD int nf_partition_channels(size_t n_channels, size_t n_groups,
					      struct nf_partition *ret, struct nf_err *err);

#ifdef __cplusplus
}
#endif

#endif
