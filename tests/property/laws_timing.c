/* SPDX-License-Identifier: MIT */
/* Budgets, intervals and partitions (noisefloor/budget.h). */
#include "laws_timing.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_N = 40, MAX_CHANNELS = 300, MAX_GROUPS = 400 };
static const int64_t second_ns = 1000000000;

static int64_t *draw_intervals(struct pt_case *t, int64_t lo, int64_t hi, size_t min, size_t *ret_n)
{
	struct pt_loop l = { .min = min, .max = MAX_N };
	int64_t *at = pt_alloc(t, MAX_N * sizeof(*at));
	size_t n = 0;

	while (pt_more(t, &l))
		at[n++] = pt_draw_int(t, lo, hi);
	*ret_n = n;
	return at;
}

static bool intervals_come_back(struct pt_case *t, void *arg)
{
	size_t n;
	int64_t start = pt_draw_int(t, -second_ns, second_ns * 1000000);
	int64_t *in = draw_intervals(t, -second_ns, second_ns * 1000, 0, &n);
	int64_t *at = pt_alloc(t, (n + 1) * sizeof(*at));

	(void)arg;
	PT_ASSERT(t, nf_timestamps_from_intervals(start, in, n, at, NULL) == 0);
	PT_ASSERT(t, at[0] == start);
	PT_ASSERT(t, nf_intervals_from_timestamps(at, n + 1, at, NULL) == 0);
	for (size_t i = 0; i < n; i++)
		PT_ASSERT_INT_EQ(t, at[i], in[i]);
	return true;
}

static bool exact_period_conforms(struct pt_case *t, void *arg)
{
	int64_t period = pt_draw_int(t, 0, second_ns * 10), start = pt_draw_int(t, 0, second_ns);
	size_t n = pt_draw_size(t, 2, MAX_N);
	int64_t *at = pt_alloc(t, n * sizeof(*at));
	struct nf_budget_ns exact = { period, 0, period };

	(void)arg;
	for (size_t i = 0; i < n; i++)
		at[i] = start + (int64_t)i * period;
	PT_ASSERT(t, nf_intervals_from_timestamps(at, n, at, NULL) == 0);
	return nf_conforms_ns(&exact, at, n - 1, 0, true).conforms;
}

static bool bounded_jitter_conforms(struct pt_case *t, void *arg)
{
	int64_t period = pt_draw_int(t, 0, second_ns), jitter = pt_draw_int(t, 0, period);
	struct nf_budget_ns b = { period, jitter, period + jitter };
	size_t n;
	int64_t *in = draw_intervals(t, -jitter, jitter, 1, &n);

	(void)arg;
	for (size_t i = 0; i < n; i++)
		in[i] += period;
	PT_ASSERT(t, nf_conforms_ns(&b, in, n, 0, true).conforms);
	/* and one beyond does not */
	in[pt_draw_pick(t, n)] = period + jitter + 1;
	return !nf_conforms_ns(&b, in, n, 0, true).conforms;
}

/* A whole number of grid units below 4e14, so that the verdict at every scale is the exact one; intervals
 * at the limits and one unit beside them. */
bool law_scaling(struct pt_case *t, void *arg)
{
	static const double unit[] = { 1.0, 1e-6, 1e-9, 1e-12 };
	const struct conforms_fn *f = arg;
	int64_t period = pt_draw_int(t, 0, second_ns), jitter = pt_draw_int(t, 0, second_ns);
	int64_t latency = period + jitter + pt_draw_int(t, -2, 2);
	double q = unit[pt_draw_pick(t, 4)], scaled[MAX_N], plain[MAX_N], s = 1.0;
	int power = (int)pt_draw_int(t, -9, 9);
	struct nf_budget_s a, b;
	size_t n;
	int64_t *near = draw_intervals(t, -2, 2, 1, &n);

	for (int i = 0; i < abs(power); i++)
		s *= 10.0;
	s = power < 0 ? 1.0 / s : s;
	latency = latency > 0 ? latency : 0;
	a = (struct nf_budget_s){ (double)period * q, (double)jitter * q, (double)latency * q };
	b = (struct nf_budget_s){ a.period_s * s, a.max_jitter_s * s, a.max_latency_s * s };
	for (size_t i = 0; i < n; i++) {
		int64_t v = period + jitter + near[i];

		plain[i] = (double)(v > 0 ? v : 0) * q;
		scaled[i] = plain[i] * s;
	}
	return f->conforms(&a, plain, n) == f->conforms(&b, scaled, n);
}

static bool conforms_s(const struct nf_budget_s *b, const double *interval, size_t n)
{
	return nf_conforms_s(b, interval, n, 0, true).conforms;
}

static bool scaling_ns(struct pt_case *t, void *arg)
{
	int64_t s = pt_draw_int(t, 1, 1000000), period = pt_draw_int(t, 0, 1000000);
	struct nf_budget_ns a = { period, pt_draw_int(t, 0, 1000), 0 }, b;
	size_t n;
	int64_t *in = draw_intervals(t, -1100, 1100, 1, &n),
	        *scaled = pt_alloc(t, n * sizeof(*scaled));

	(void)arg;
	a.max_latency_ns = period + pt_draw_int(t, 0, 1000);
	b = (struct nf_budget_ns){ a.period_ns * s, a.max_jitter_ns * s, a.max_latency_ns * s };
	for (size_t i = 0; i < n; i++) {
		in[i] += period;
		scaled[i] = in[i] * s;
	}
	return nf_conforms_ns(&a, in, n, 0, true).conforms ==
	       nf_conforms_ns(&b, scaled, n, 0, true).conforms;
}

static int partition(size_t n_channels, size_t n_groups, struct nf_partition *ret)
{
	return nf_partition_channels(n_channels, n_groups, ret, NULL);
}

bool law_partition_total(struct pt_case *t, void *arg)
{
	const struct partition_fn *f = arg;
	size_t channels = pt_draw_size(t, 0, MAX_CHANNELS), groups = pt_draw_size(t, 1, MAX_GROUPS);
	struct nf_partition *p = pt_alloc(t, groups * sizeof(*p));
	size_t total = 0;

	PT_ASSERT(t, f->partition(channels, groups, p) == 0);
	for (size_t i = 0; i < groups; i++)
		total += p[i].count;
	PT_ASSERT_INT_EQ(t, total, channels);
	return true;
}

static bool partitions_are_contiguous(struct pt_case *t, void *arg)
{
	size_t channels = pt_draw_size(t, 0, MAX_CHANNELS), groups = pt_draw_size(t, 1, MAX_GROUPS);
	struct nf_partition *p = pt_alloc(t, groups * sizeof(*p));
	size_t next = 0;

	(void)arg;
	PT_ASSERT(t, partition(channels, groups, p) == 0);
	for (size_t i = 0; i < groups; i++) {
		size_t fair = channels / groups;

		PT_ASSERT_INT_EQ(t, p[i].start, next);
		PT_ASSERT(t, p[i].count == fair || p[i].count == fair + 1);
		PT_ASSERT(t, i == 0 || p[i].count <= p[i - 1].count);
		next += p[i].count;
	}
	PT_ASSERT_INT_EQ(t, next, channels);
	pt_cover(t, groups > channels, 5.0, "more groups than channels");
	return true;
}

static bool permutation_keeps_conformance(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	size_t n;
	int64_t *in = draw_intervals(t, 0, 2000, 0, &n),
	        *moved = pt_alloc(t, (n + 1) * sizeof(*moved));
	struct pt_value order = pt_draw(t, "order", pt_permutation(m, n));
	struct nf_budget_ns b = { 1000, pt_draw_int(t, 0, 1000), pt_draw_int(t, 0, 2000) };
	uint64_t missed = (uint64_t)pt_draw_int(t, 0, 1);
	struct nf_conformance x, y;

	(void)arg;
	for (size_t i = 0; i < n; i++)
		moved[i] = in[order.at[i].i];
	x = nf_conforms_ns(&b, in, n, missed, true);
	y = nf_conforms_ns(&b, moved, n, missed, true);
	return x.conforms == y.conforms && x.n_over_jitter == y.n_over_jitter &&
	       x.n_over_latency == y.n_over_latency && x.n_bad == y.n_bad;
}

static double at_most(struct pt_case *t, double limit)
{
	return limit * pt_draw_real(t, 0.0, 1.0);
}

static bool tighter_accepts_no_more(struct pt_case *t, void *arg)
{
	struct nf_budget_s loose = { pt_draw_real(t, 0.0, 1.0), pt_draw_real(t, 0.0, 1.0),
		                     pt_draw_real(t, 0.0, 2.0) };
	struct nf_budget_s tight = { loose.period_s, at_most(t, loose.max_jitter_s),
		                     at_most(t, loose.max_latency_s) };
	double in[MAX_N];
	struct pt_loop l = { .min = 1, .max = MAX_N };
	size_t n = 0;

	(void)arg;
	while (pt_more(t, &l)) {
		double j = pt_draw_bool(t, 0.3) ? loose.max_jitter_s : tight.max_jitter_s;

		in[n++] = pt_draw_bool(t, 0.5) ? loose.period_s + j : pt_draw_real(t, 0.0, 2.0);
	}
	return !conforms_s(&tight, in, n) || conforms_s(&loose, in, n);
}

static double odd_double(struct pt_case *t)
{
	return pt_draw(t, NULL, pt_any_real(pt_case_mem(t), true)).r;
}

static bool impossible_values_never_conform(struct pt_case *t, void *arg)
{
	struct nf_budget_s b = { odd_double(t), odd_double(t), odd_double(t) };
	double x = odd_double(t);
	struct nf_conformance c = nf_conforms_s(&b, &x, 1, 0, true);
	bool valid = b.period_s >= 0.0 && !isinf(b.period_s) && b.max_jitter_s >= 0.0 &&
	             b.max_latency_s >= 0.0;
	bool bad = !(x >= 0.0) || isinf(x);

	(void)arg;
	PT_ASSERT(t, c.budget_valid == valid);
	PT_ASSERT(t, c.n_bad == (bad ? 1U : 0U));
	return !c.conforms || (valid && !bad);
}

static bool an_empty_run_conforms_when_nothing_was_due(struct pt_case *t, void *arg)
{
	struct nf_budget_ns b = { pt_draw_int(t, -1, 5), pt_draw_int(t, -1, 5),
		                  pt_draw_int(t, -1, 5) };
	bool due = pt_draw_bool(t, 0.5);
	uint64_t missed = (uint64_t)pt_draw_int(t, 0, 2);
	bool valid = b.period_ns >= 0 && b.max_jitter_ns >= 0 && b.max_latency_ns >= 0;

	(void)arg;
	return nf_conforms_ns(&b, NULL, 0, missed, due).conforms == (valid && !due && missed == 0);
}

static const struct conforms_fn real_conforms = { conforms_s };
static const struct partition_fn real_partition = { partition };

/* clang-format off */
const struct law laws_timing[] = {
	{ "intervals come back", "Timestamps built from intervals give the intervals back.", intervals_come_back, NULL },
	{ "exact period", "Exactly periodic timestamps satisfy the budget without jitter.", exact_period_conforms, NULL },
	{ "bounded jitter", "Intervals within a jitter satisfy the budget that allows it, and one beyond it does not.", bounded_jitter_conforms, NULL },
	{ "scaling in seconds", "Scaling intervals and budget by the same factor, 1e-9 to 1e9, keeps the verdict, also one unit beside a limit.", law_scaling, (void *)(uintptr_t)&real_conforms },
	{ "scaling in ns", "Scaling intervals and budget in whole nanoseconds by the same factor keeps the verdict.", scaling_ns, NULL },
	{ "partition total", "Partitions cover the channel total.", law_partition_total, (void *)(uintptr_t)&real_partition },
	{ "partition contiguous", "Partitions are contiguous, in order and even to one channel, also with more groups than channels.", partitions_are_contiguous, NULL },
	{ "permutation", "The order of the intervals does not matter to conformance.", permutation_keeps_conformance, NULL },
	{ "tighter budget", "A tighter budget never accepts what a looser one rejects.", tighter_accepts_no_more, NULL },
	{ "impossible values", "Negative, NaN and infinite intervals never conform; a negative or NaN budget or an infinite period is not valid.", impossible_values_never_conform, NULL },
	{ "empty run", "A run without intervals conforms only if nothing was due, nothing is missing and the budget is valid.", an_empty_run_conforms_when_nothing_was_due, NULL },
	{ .name = NULL },
};
/* clang-format on */
