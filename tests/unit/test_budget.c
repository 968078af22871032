/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "nf_unit.h"
#include "noisefloor/budget.h"

static uint64_t seed = 0x6e6f697365;

static uint64_t next(void) /* splitmix64 */
{
	uint64_t z = seed += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static double unit(void)
{
	return (double)(next() >> 11) * 0x1p-53;
}

static struct nf_conformance one_ns(int64_t period, int64_t jitter, int64_t latency,
                                    int64_t interval)
{
	struct nf_budget_ns b = { period, jitter, latency };

	return nf_conforms_ns(&b, &interval, 1, 0, true);
}

static struct nf_conformance one_s(double period, double jitter, double latency, double interval)
{
	struct nf_budget_s b = { period, jitter, latency };

	return nf_conforms_s(&b, &interval, 1, 0, true);
}

static void the_integer_limits_are_inclusive_and_exact(void **state)
{
	(void)state;
	assert_true(one_ns(1000, 10, 1010, 1010).conforms);
	assert_true(one_ns(1000, 10, 1010, 990).conforms);
	assert_true(one_ns(1000, 0, 1000, 1000).conforms);
	assert_true(one_ns(0, 0, 0, 0).conforms);

	struct nf_conformance c = one_ns(1000, 10, 1010, 1011);

	assert_false(c.conforms);
	assert_int_equal(c.n_over_jitter, 1);
	assert_int_equal(c.n_over_latency, 1);
	c = one_ns(1000, 10, 5000, 989);
	assert_int_equal(c.n_over_jitter, 1);
	assert_int_equal(c.n_over_latency, 0);
	c = one_ns(1000, 10, 1005, 1006);
	assert_int_equal(c.n_over_jitter, 0);
	assert_int_equal(c.n_over_latency, 1);
	/* One nanosecond shows at the far end of 64 bits. */
	assert_true(one_ns(INT64_MAX, 1, INT64_MAX, INT64_MAX - 1).conforms);
	assert_false(one_ns(INT64_MAX, 1, INT64_MAX, INT64_MAX - 2).conforms);
	assert_true(one_ns(0, INT64_MAX, INT64_MAX, INT64_MAX).conforms);
}

static void an_invalid_budget_accepts_nothing_and_judges_nothing(void **state)
{
	static const struct nf_budget_ns bad[] = {
		{ -1, 10, 10 }, { 10, -1, 10 }, { 10, 10, -1 }, { INT64_MIN, INT64_MIN, INT64_MIN }
	};
	static const int64_t x[] = { 10, -3, 10 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct nf_conformance c = nf_conforms_ns(&bad[i], x, 3, 0, true);

		assert_false(c.conforms);
		assert_false(c.budget_valid);
		assert_int_equal(c.n_over_jitter + c.n_over_latency, 0);
		assert_int_equal(c.n_bad, 1);
		assert_int_equal(c.first_bad_index, 1);
		assert_false(nf_conforms_ns(&bad[i], NULL, 0, 0, false).conforms);
	}

	static const double bad_s[][3] = { { -1, 1, 1 },
		                           { 1, -DBL_MIN, 1 },
		                           { 1, 1, -1 },
		                           { (double)NAN, 1, 1 },
		                           { 1, (double)NAN, 1 },
		                           { 1, 1, (double)NAN },
		                           { (double)INFINITY, (double)INFINITY, 1 } };

	for (size_t i = 0; i < sizeof(bad_s) / sizeof(bad_s[0]); i++) {
		struct nf_conformance c = one_s(bad_s[i][0], bad_s[i][1], bad_s[i][2], 1);

		assert_false(c.conforms);
		assert_false(c.budget_valid);
		assert_int_equal(c.first_bad_index, 1);
	}
	assert_true(one_s(-0.0, 1, 1, 0).conforms);
}

static void an_empty_run_conforms_only_when_nothing_was_due(void **state)
{
	struct nf_budget_ns b = { 10, 1, 20 };
	struct nf_budget_s d = { 10, 1, 20 };

	(void)state;
	assert_true(nf_conforms_ns(&b, NULL, 0, 0, false).conforms);
	assert_false(nf_conforms_ns(&b, NULL, 0, 0, true).conforms);
	assert_false(nf_conforms_ns(&b, NULL, 0, 1, false).conforms);
	assert_true(nf_conforms_s(&d, NULL, 0, 0, false).conforms);
	assert_false(nf_conforms_s(&d, NULL, 0, 0, true).conforms);
	assert_int_equal(nf_conforms_s(&d, NULL, 0, 0, true).first_bad_index, 0);
}

static void a_missed_activation_fails_a_run_of_good_intervals(void **state)
{
	static const int64_t x[] = { 10, 10 };
	struct nf_budget_ns b = { 10, 0, 10 };
	struct nf_conformance c = nf_conforms_ns(&b, x, 2, 7, true);

	(void)state;
	assert_false(c.conforms);
	assert_int_equal(c.n_missed, 7);
	assert_int_equal(c.first_bad_index, 2);
	assert_true(nf_conforms_ns(&b, x, 2, 0, true).conforms);
}

static void bad_intervals_are_counted_apart_and_the_first_failure_is_named(void **state)
{
	const double x[] = { 1.0,     1.5, (double)NAN, (double)INFINITY, -(double)INFINITY,
		             -1e-300, 3.0 };
	struct nf_budget_s b = { 1, 0.25, 2 };
	struct nf_conformance c = nf_conforms_s(&b, x, 7, 0, true);

	(void)state;
	assert_false(c.conforms);
	assert_int_equal(c.n_bad, 4);
	assert_int_equal(c.n_over_jitter, 2);
	assert_int_equal(c.n_over_latency, 1);
	assert_int_equal(c.first_bad_index, 1);

	static const int64_t y[] = { 5, -1, INT64_MIN };
	struct nf_budget_ns n = { 5, INT64_MAX, INT64_MAX };

	c = nf_conforms_ns(&n, y, 3, 0, true);
	assert_int_equal(c.n_bad, 2);
	assert_int_equal(c.n_over_jitter, 0);
	assert_int_equal(c.first_bad_index, 1);
}

static void infinite_limits_are_no_limits(void **state)
{
	(void)state;
	assert_true(one_s(1, (double)INFINITY, (double)INFINITY, DBL_MAX).conforms);
	assert_false(one_s(1, (double)INFINITY, 2, 3).conforms);
	assert_false(one_s(1, (double)INFINITY, (double)INFINITY, (double)INFINITY).conforms);
	assert_true(one_s(DBL_MAX, DBL_MAX, DBL_MAX, 0).conforms);
}

/* The factors are neither powers of two nor round: each product rounds. */
static double factor(void)
{
	return pow(10.0, 18.0 * unit() - 9.0);
}

static void scaling_keeps_the_verdict_on_the_exact_boundary(void **state)
{
	(void)state;
	for (int i = 0; i < 10000; i++) {
		/* Multiples of 2^-30: the boundary is exact before scaling. From period equal to
		 * jitter up to period 2^20 times jitter, where cancellation is worst. */
		double q = 0x1p-30;
		double jitter = (double)(1 + next() % 1024) * q;
		double period = jitter * (double)(1 + next() % (1u << 20));
		int sign = next() % 2 ? 1 : -1;
		double at = period + sign * jitter, over = period + sign * (jitter + q);
		double s = factor();

		assert_true(fabs(at - period) == jitter);
		assert_true(one_s(period, jitter, at, at).conforms);
		assert_false(one_s(period, jitter, 2 * over, over).conforms);
		assert_true(one_s(period * s, jitter * s, at * s, at * s).conforms);
		/* The latency limit computed on another path than the interval. */
		assert_true(
		        one_s(period * s, jitter * s, period * s + jitter * s, at * s).conforms);
		if (over >= 0)
			assert_false(
			        one_s(period * s, jitter * s, 2 * over * s, over * s).conforms);
		assert_false(one_s(period * s, jitter * s, at * s, (at + q) * s).conforms);
		/* There and back again. */
		assert_true(one_s(period * s / s, jitter * s / s, at * s / s, at * s / s).conforms);
	}
}

static void scaling_keeps_the_verdict_of_decimal_times(void **state)
{
	(void)state;
	for (int i = 0; i < 10000; i++) {
		/* Times such as 0.001 s are not exact in binary; the exact verdict is the integer one. */
		int64_t period = (int64_t)(next() % 4000000000u),
		        jitter = (int64_t)(next() % 5000u);
		int64_t interval = period + (int64_t)(next() % 10001u) - 5000, latency = interval;

		if (i % 3 == 0)
			interval = period + (next() % 2 ? jitter : -jitter);
		if (interval < 0)
			continue;
		latency = interval + (int64_t)(next() % 3u) - 1;
		if (latency < 0)
			continue;

		bool want = one_ns(period, jitter, latency, interval).conforms;
		double s = factor();
		double p = (double)period / 1e9, j = (double)jitter / 1e9,
		       l = (double)latency / 1e9, x = (double)interval / 1e9;

		assert_int_equal(one_s(p, j, l, x).conforms, want);
		assert_int_equal(one_s(p * s, j * s, l * s, x * s).conforms, want);
	}
}

static void the_tolerance_is_a_few_parts_in_1e15_and_not_more(void **state)
{
	(void)state;
	for (double m = 1e-280; m < 1e280; m *= 1e7) {
		assert_true(one_s(m, 0, m, m * (1 + 4 * DBL_EPSILON)).conforms);
		assert_false(one_s(m, 0, m, m * (1 + 12 * DBL_EPSILON)).conforms);
		assert_false(one_s(m, 0, m, m * (1 - 12 * DBL_EPSILON)).conforms);
	}
	/* Nothing absolute: tiny times are told apart. */
	assert_false(one_s(1e-280, 0, 1, 1.001e-280).conforms);
}

static void a_tighter_budget_never_accepts_what_a_looser_one_rejects(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		double period = unit(), x = period + 1e-14 * (unit() - 0.5);
		double jitter = 1e-14 * unit(), more = jitter + 1e-15 * unit();
		double latency = x + 1e-15 * (unit() - 0.5), later = latency + 1e-16 * unit();

		if (one_s(period, jitter, latency, x).conforms) {
			assert_true(one_s(period, more, latency, x).conforms);
			assert_true(one_s(period, jitter, later, x).conforms);
		}
	}
}

static void the_order_of_intervals_does_not_matter(void **state)
{
	double x[64];
	struct nf_budget_s b = { 1, 0.4, 1.45 };

	(void)state;
	for (size_t i = 0; i < 64; i++)
		x[i] = 0.5 + unit();

	struct nf_conformance a = nf_conforms_s(&b, x, 64, 0, true);

	for (size_t i = 63; i > 0; i--) {
		size_t k = next() % (i + 1);
		double t = x[i];

		x[i] = x[k];
		x[k] = t;
	}

	struct nf_conformance c = nf_conforms_s(&b, x, 64, 0, true);

	assert_true(a.n_over_jitter > 0 && a.n_over_latency > 0);
	assert_int_equal(a.n_over_jitter, c.n_over_jitter);
	assert_int_equal(a.n_over_latency, c.n_over_latency);
	assert_int_equal(a.conforms, c.conforms);
}

static void timestamps_and_intervals_convert_into_each_other(void **state)
{
	int64_t x[100], t[101], back[100];
	struct nf_err e = { 0 };

	(void)state;
	for (size_t i = 0; i < 100; i++)
		x[i] = (int64_t)(next() >> 8) - ((int64_t)1 << 55);
	assert_int_equal(nf_timestamps_from_intervals(-5, x, 100, t, &e), 0);
	assert_int_equal(t[0], -5);
	assert_int_equal(nf_intervals_from_timestamps(t, 101, back, &e), 0);
	assert_memory_equal(x, back, sizeof(x));
	assert_int_equal(nf_intervals_from_timestamps(t, 101, t, &e), 0);
	assert_memory_equal(x, t, sizeof(x));
	assert_int_equal(nf_timestamps_from_intervals(7, NULL, 0, t, &e), 0);
	assert_int_equal(t[0], 7);
	t[0] = 9;
	assert_int_equal(nf_intervals_from_timestamps(NULL, 0, t, &e), 0);
	assert_int_equal(nf_intervals_from_timestamps(t + 1, 1, t, &e), 0);
	assert_int_equal(t[0], 9);
}

static void overflow_is_an_error_that_leaves_the_output(void **state)
{
	static const int64_t t[] = { 0, -2, INT64_MAX };
	static const int64_t x[] = { 1, INT64_MAX };
	int64_t out[3] = { 77, 77, 77 };
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_intervals_from_timestamps(t, 3, out, &e), -NF_EDATA);
	assert_non_null(strstr(e.msg, "interval 1"));
	assert_int_equal(nf_timestamps_from_intervals(0, x, 2, out, &e), -NF_EDATA);
	assert_non_null(strstr(e.msg, "timestamp 2"));
	assert_true(out[0] == 77 && out[1] == 77 && out[2] == 77);
}

static void a_drop_in_timestamps_is_found_at_its_index(void **state)
{
	static const int64_t t[] = { INT64_MIN, 3, 3, 2, 9, 1 };
	size_t at = 99;

	(void)state;
	assert_false(nf_is_non_decreasing(t, 6, &at));
	assert_int_equal(at, 3);
	assert_false(nf_is_non_decreasing(t, 6, NULL));
	for (size_t n = 0; n <= 3; n++) {
		assert_true(nf_is_non_decreasing(t, n, &at));
		assert_int_equal(at, n);
	}
}

static void partitions_are_contiguous_exact_and_even(void **state)
{
	(void)state;
	for (size_t channels = 0; channels < 40; channels++)
		for (size_t groups = 1; groups < 50; groups++) {
			struct nf_partition p[50];
			size_t next_start = 0;

			assert_int_equal(nf_partition_channels(channels, groups, p, NULL), 0);
			for (size_t i = 0; i < groups; i++) {
				assert_int_equal(p[i].start, next_start);
				next_start += p[i].count;
				assert_in_range(p[i].count, channels / groups,
				                channels / groups + (channels % groups != 0));
				assert_true(i == 0 || p[i].count <= p[i - 1].count);
			}
			assert_int_equal(next_start, channels);
		}

	struct nf_partition p[2] = { { 5, 5 }, { 5, 5 } };
	struct nf_err e = { 0 };

	assert_int_equal(nf_partition_channels(3, 0, p, &e), -NF_EARG);
	assert_int_equal(p[0].start, 5);
	assert_int_equal(nf_partition_channels(SIZE_MAX, 2, p, &e), 0);
	assert_true(p[0].count == SIZE_MAX / 2 + 1 && p[1].start == SIZE_MAX / 2 + 1 &&
	            p[1].count == SIZE_MAX / 2);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_integer_limits_are_inclusive_and_exact),
	cmocka_unit_test(an_invalid_budget_accepts_nothing_and_judges_nothing),
	cmocka_unit_test(an_empty_run_conforms_only_when_nothing_was_due),
	cmocka_unit_test(a_missed_activation_fails_a_run_of_good_intervals),
	cmocka_unit_test(bad_intervals_are_counted_apart_and_the_first_failure_is_named),
	cmocka_unit_test(infinite_limits_are_no_limits),
	cmocka_unit_test(scaling_keeps_the_verdict_on_the_exact_boundary),
	cmocka_unit_test(scaling_keeps_the_verdict_of_decimal_times),
	cmocka_unit_test(the_tolerance_is_a_few_parts_in_1e15_and_not_more),
	cmocka_unit_test(a_tighter_budget_never_accepts_what_a_looser_one_rejects),
	cmocka_unit_test(the_order_of_intervals_does_not_matter),
	cmocka_unit_test(timestamps_and_intervals_convert_into_each_other),
	cmocka_unit_test(overflow_is_an_error_that_leaves_the_output),
	cmocka_unit_test(a_drop_in_timestamps_is_found_at_its_index),
	cmocka_unit_test(partitions_are_contiguous_exact_and_even),
};

NF_UNIT_MAIN(tests)
