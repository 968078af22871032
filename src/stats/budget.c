/* SPDX-License-Identifier: MIT */
#include "noisefloor/budget.h"

#include <math.h>

#include "base/fail.h"

enum verdict { OVER_JITTER = 1, OVER_LATENCY = 2, BAD = 4 };

static void count(struct nf_conformance *c, unsigned verdict, size_t i)
{
	if (verdict == 0)
		return;
	c->n_bad += (verdict & BAD) != 0;
	c->n_over_jitter += (verdict & OVER_JITTER) != 0;
	c->n_over_latency += (verdict & OVER_LATENCY) != 0;
	if (c->first_bad_index == c->n_intervals)
		c->first_bad_index = i;
}

static void conclude(struct nf_conformance *c, bool due)
{
	c->conforms = c->budget_valid && c->n_missed == 0 && c->first_bad_index == c->n_intervals &&
	              (c->n_intervals > 0 || !due);
}

static unsigned judge_ns(const struct nf_budget_ns *b, bool valid, int64_t interval)
{
	if (interval < 0)
		return BAD;
	if (!valid)
		return 0;

	/* Neither is negative: the difference fits. */
	int64_t d = interval - b->period_ns;

	return ((d < 0 ? -d : d) > b->max_jitter_ns ? OVER_JITTER : 0u) |
	       (interval > b->max_latency_ns ? OVER_LATENCY : 0u);
}

struct nf_conformance nf_conforms_ns(const struct nf_budget_ns *budget, const int64_t *interval_ns,
                                     size_t n, uint64_t missed, bool due)
{
	struct nf_conformance c = { .n_intervals = n, .n_missed = missed, .first_bad_index = n };

	c.budget_valid =
	        budget->period_ns >= 0 && budget->max_jitter_ns >= 0 && budget->max_latency_ns >= 0;
	for (size_t i = 0; i < n; i++)
		count(&c, judge_ns(budget, c.budget_valid, interval_ns[i]), i);
	conclude(&c, due);
	return c;
}

/* a <= limit with the tolerance that budget.h derives; largest: the largest time that went into a and
 * limit. Neither side overflows for times that are not negative. */
static bool within(double a, double limit, double largest)
{
	return a - limit <= 0x1p-49 * largest;
}

static unsigned judge_s(const struct nf_budget_s *b, bool valid, double interval)
{
	if (!isfinite(interval) || interval < 0)
		return BAD;
	if (!valid)
		return 0;

	double d = fabs(interval - b->period_s);
	double m = fmax(fmax(interval, b->period_s), b->max_jitter_s);

	return (within(d, b->max_jitter_s, m) ? 0u : OVER_JITTER) |
	       (within(interval, b->max_latency_s, fmax(interval, b->max_latency_s))
	                ? 0u
	                : OVER_LATENCY);
}

struct nf_conformance nf_conforms_s(const struct nf_budget_s *budget, const double *interval_s,
                                    size_t n, uint64_t missed, bool due)
{
	struct nf_conformance c = { .n_intervals = n, .n_missed = missed, .first_bad_index = n };

	/* Comparisons with NaN are false. */
	c.budget_valid = budget->period_s >= 0 && isfinite(budget->period_s) &&
	                 budget->max_jitter_s >= 0 && budget->max_latency_s >= 0;
	for (size_t i = 0; i < n; i++)
		count(&c, judge_s(budget, c.budget_valid, interval_s[i]), i);
	conclude(&c, due);
	return c;
}

/* Both conversions look at everything first, so that a failure leaves the output untouched. */
int nf_intervals_from_timestamps(const int64_t *t_ns, size_t n, int64_t *ret_interval_ns,
                                 struct nf_err *err)
{
	int64_t d;

	for (size_t i = 1; i < n; i++)
		if (__builtin_sub_overflow(t_ns[i], t_ns[i - 1], &d))
			return nf_fail(err, NF_EDATA,
			               "interval %zu (%lld to %lld ns) does not fit 64 bits", i - 1,
			               (long long)t_ns[i - 1], (long long)t_ns[i]);
	for (size_t i = 1; i < n; i++)
		ret_interval_ns[i - 1] = t_ns[i] - t_ns[i - 1];
	return 0;
}

int nf_timestamps_from_intervals(int64_t start_ns, const int64_t *interval_ns, size_t n,
                                 int64_t *ret_t_ns, struct nf_err *err)
{
	int64_t t = start_ns;

	for (size_t i = 0; i < n; i++)
		if (__builtin_add_overflow(t, interval_ns[i], &t))
			return nf_fail(err, NF_EDATA, "timestamp %zu does not fit 64 bits", i + 1);
	ret_t_ns[0] = start_ns;
	for (size_t i = 0; i < n; i++)
		ret_t_ns[i + 1] = ret_t_ns[i] + interval_ns[i];
	return 0;
}

bool nf_is_non_decreasing(const int64_t *t_ns, size_t n, size_t *ret_first_drop)
{
	size_t i = 1;

	while (i < n && t_ns[i] >= t_ns[i - 1])
		i++;
	if (i > n)
		i = n; /* n is 0 */
	if (ret_first_drop)
		*ret_first_drop = i;
	return i == n;
}

int nf_partition_channels(size_t n_channels, size_t n_groups, struct nf_partition *ret,
                          struct nf_err *err)
{
	if (n_groups == 0)
		return nf_fail(err, NF_EARG, "cannot split %zu channels into 0 groups", n_channels);

	size_t each = n_channels / n_groups, more = n_channels % n_groups, start = 0;

	for (size_t i = 0; i < n_groups; i++) {
		ret[i] = (struct nf_partition){ start, each + (i < more) };
		start += ret[i].count;
	}
	return 0;
}
