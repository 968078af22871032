/* SPDX-License-Identifier: MIT */
/*
 * budget - timing budgets of periodic activity, and whether observed intervals conform.
 *
 * An interval conforms when |interval - period| <= max_jitter and interval <= max_latency. A run
 * conforms when every interval does and no activation is missing. A run without intervals conforms
 * only if nothing was due. Negative intervals (time going backwards), NaN and infinite ones never
 * conform. A budget with a negative member, or for doubles a NaN member or an infinite period, is not
 * valid and nothing conforms to it; an infinite limit is no limit. -0.0 is 0.
 *
 * In integer nanoseconds the verdict is exact over all of 0..INT64_MAX.
 *
 * For doubles each comparison a <= b is taken as a - b <= 2^-49 m, with m the largest time in that
 * comparison: interval, period and limit for jitter; interval and limit for latency. There is no
 * absolute epsilon. What that gives, away from overflow and subnormal times (below about 1e-292),
 * with u = 2^-53 the rounding error of one operation and e the true excess a - b:
 *   - scaling by any factor s rounds interval, period and limit once each, which moves the true
 *     excess from s e by at most 3 u s m; the two subtractions round by at most 2 u s m more, also
 *     when they cancel (|a - b| <= m for times that are not negative); the tolerance is 16 u s m;
 *   - so at every scale the verdict is yes if e <= 10 u m (hence for every e <= 0, the exact boundary
 *     included) and no if e > 22 u m = 2.5e-15 m. Within that band rounding decides: no rule on
 *     rounded inputs can do without one, because scaling there and back moves each input by an ulp;
 *   - for times on a grid of q the verdict is the exact one, at every scale, while m < 4e14 q (4 days
 *     in nanoseconds);
 *   - a verdict never turns from no to yes when a limit shrinks: both sides round monotonically.
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
	bool budget_valid; /* false: nothing was judged, only n_bad is counted */
	size_t n_intervals;
	uint64_t n_missed; /* as given */
	size_t n_over_jitter;
	size_t n_over_latency;
	size_t n_bad; /* negative, NaN or infinite intervals: they count here only */
	size_t first_bad_index; /* of the first interval counted above; n_intervals if none */
};

/* missed: activations that were due and did not happen. interval may be NULL when n is 0.
 * due: whether anything was due at all (an empty run conforms only when false and missed is 0). */
NF_API struct nf_conformance nf_conforms_ns(const struct nf_budget_ns *budget,
                                            const int64_t *interval_ns, size_t n, uint64_t missed,
                                            bool due);
NF_API struct nf_conformance nf_conforms_s(const struct nf_budget_s *budget,
                                           const double *interval_s, size_t n, uint64_t missed,
                                           bool due);

/* intervals[i] = t[i+1] - t[i], n-1 of them (0 for n <= 1). -NF_EDATA with the index when a difference
 * overflows. ret may be t itself. */
NF_API NF_NODISCARD int nf_intervals_from_timestamps(const int64_t *t_ns, size_t n,
                                                     int64_t *ret_interval_ns, struct nf_err *err);
/* t[0] = start, t[i+1] = t[i] + interval[i]: n + 1 timestamps. -NF_EDATA with the index
 * on overflow. The arrays must not overlap. */
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
