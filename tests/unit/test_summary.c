/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "nf_unit.h"
#include "noisefloor/summary.h"

static void assert_near(double got, double want, double relative)
{
	if (!(fabs(got - want) <= relative * fabs(want)))
		fail_msg("%.17g is not %.17g", got, want);
}

static void no_samples_have_no_summary(void **state)
{
	struct nf_summary s = { .n = 99 };
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_summarize(NULL, 0, &s, &e), -NF_ENODATA);
	assert_int_equal(e.code, NF_ENODATA);
	assert_int_equal(nf_summarize_i64(NULL, 0, 1, &s, &e), -NF_ENODATA);
	assert_int_equal(s.n, 99);
}

static void one_sample_has_no_sd_and_no_interval(void **state)
{
	double x = -3.5;
	struct nf_summary s;

	(void)state;
	assert_int_equal(nf_summarize(&x, 1, &s, NULL), 0);
	assert_true(s.n == 1 && s.min == x && s.max == x && s.mean == x && s.median == x);
	assert_true(s.mad == 0 && !s.has_sd && !s.has_median_ci);
	for (size_t i = 0; i < NF_SUMMARY_PERCENTILES; i++) {
		assert_true(s.percentile[i].value == x);
		assert_int_equal(s.percentile[i].n_beyond, 1);
	}
}

static void two_samples_interpolate(void **state)
{
	double x[] = { 3, 1 };
	struct nf_summary s;

	(void)state;
	assert_int_equal(nf_summarize(x, 2, &s, NULL), 0);
	assert_true(x[0] == 3 && x[1] == 1); /* not reordered */
	assert_true(s.mean == 2 && s.median == 2 && s.mad == 1 && s.has_sd);
	assert_near(s.sd, sqrt(2), 1e-15);
	assert_true(s.percentile[0].p == 25 && s.percentile[0].value == 1.5);
	assert_true(s.percentile[6].p == 99.99);
	assert_near(s.percentile[6].value, 2.9998, 1e-15);
	assert_int_equal(s.percentile[6].n_beyond, 1);
}

static void a_known_set_gives_the_known_numbers(void **state)
{
	/* By hand: sorted 1..9 and 100; sum 145, squares 285 + 10000. */
	double x[] = { 7, 2, 9, 100, 4, 1, 8, 3, 6, 5 };
	struct nf_summary s;

	(void)state;
	assert_int_equal(nf_summarize(x, 10, &s, NULL), 0);
	assert_near(s.mean, 14.5, 1e-15);
	assert_near(s.sd, sqrt((10285.0 - 145.0 * 145.0 / 10) / 9), 1e-14);
	assert_true(s.median == 5.5 && s.mad == 2.5);
	assert_true(s.percentile[0].value == 3.25 && s.percentile[2].value == 7.75);
	assert_near(s.percentile[3].value, 18.1, 1e-14);
	assert_int_equal(s.percentile[0].n_beyond, 7);
	assert_int_equal(s.percentile[1].n_beyond, 5);
	assert_int_equal(s.percentile[3].n_beyond, 1);
	/* n = 10: ranks 2 and 9. */
	assert_true(s.has_median_ci && s.median_ci_lo == 2 && s.median_ci_hi == 9);
	assert_true(s.median_ci_level == 0.95);
}

static void ties_at_a_percentile_all_count_as_at_or_beyond(void **state)
{
	double x[101];
	struct nf_summary s;

	(void)state;
	for (size_t i = 0; i < 101; i++)
		x[i] = i < 40 ? 1 : i < 95 ? 2 : 3;
	assert_int_equal(nf_summarize(x, 101, &s, NULL), 0);
	assert_true(s.percentile[0].value == 1 && s.percentile[1].value == 2);
	assert_int_equal(s.percentile[0].n_beyond, 101);
	assert_int_equal(s.percentile[1].n_beyond, 61);
	assert_int_equal(s.percentile[3].n_beyond, 61);
	assert_int_equal(s.percentile[4].n_beyond, 6);
	assert_true(s.mad == 0);
}

static void a_constant_is_exactly_its_value_without_spread(void **state)
{
	static double x[5000];
	struct nf_summary s;

	(void)state;
	for (size_t i = 0; i < 5000; i++)
		x[i] = 0.1;
	assert_int_equal(nf_summarize(x, 5000, &s, NULL), 0);
	assert_true(s.mean == 0.1 && s.has_sd && s.sd == 0 && s.mad == 0 && s.median == 0.1);
	assert_true(s.has_median_ci && s.median_ci_lo == 0.1 && s.median_ci_hi == 0.1);
	assert_int_equal(s.percentile[6].n_beyond, 5000);
}

static void a_sample_that_is_not_finite_is_named(void **state)
{
	static double x[3000];
	struct nf_summary s = { .n = 99 };
	struct nf_err e = { 0 };

	(void)state;
	x[2047] = (double)INFINITY;
	x[2500] = (double)NAN;
	assert_int_equal(nf_summarize(x, 3000, &s, &e), -NF_EDATA);
	assert_non_null(strstr(e.msg, "sample 2047"));
	x[2047] = 0;
	assert_int_equal(nf_summarize(x, 3000, &s, &e), -NF_EDATA);
	assert_non_null(strstr(e.msg, "sample 2500"));
	x[2500] = -(double)INFINITY;
	x[2999] = (double)INFINITY; /* together they are NaN */
	assert_int_equal(nf_summarize(x, 3000, &s, &e), -NF_EDATA);
	assert_non_null(strstr(e.msg, "sample 2500"));
	assert_int_equal(s.n, 99);
}

static void a_large_offset_does_not_spoil_the_spread(void **state)
{
	static double x[100000];
	struct nf_summary s;

	(void)state;
	/* 1e9 + {0, 1, 2} in turn: variance of {0,1,2} is 2/3 n/(n-1). */
	for (size_t i = 0; i < 99999; i++)
		x[i] = 1e9 + (double)(i % 3);
	assert_int_equal(nf_summarize(x, 99999, &s, NULL), 0);
	assert_true(s.mean == 1e9 + 1);
	assert_near(s.sd, sqrt(2.0 / 3 * 99999 / 99998), 1e-13);
}

static void very_small_and_very_large_values_keep_their_spread(void **state)
{
	static const double scale[] = { 1e-300, 1e-200, 1, 1e200, 4e307 };

	(void)state;
	for (size_t k = 0; k < 5; k++) {
		double x[] = { 1 * scale[k], 2 * scale[k], 3 * scale[k], 4 * scale[k] };
		struct nf_summary s;

		assert_int_equal(nf_summarize(x, 4, &s, NULL), 0);
		assert_near(s.mean, 2.5 * scale[k], 1e-14);
		assert_near(s.sd, sqrt(5.0 / 3) * scale[k], 1e-14);
		assert_near(s.median, 2.5 * scale[k], 1e-14);
	}

	double wide[] = { -DBL_MAX, DBL_MAX };
	struct nf_summary s;
	struct nf_err e = { 0 };

	assert_int_equal(nf_summarize(wide, 2, &s, &e), -NF_EDATA);
	assert_non_null(strstr(e.msg, "overflow"));
}

static void integers_with_a_factor_give_what_their_products_give(void **state)
{
	int64_t t[777];
	double x[777];
	struct nf_summary a, b;
	struct nf_err e = { 0 };

	(void)state;
	for (size_t i = 0; i < 777; i++) {
		t[i] = (int64_t)(i * 7919 % 1009) - 300;
		x[i] = (double)t[i] * 0.375;
	}
	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
	assert_int_equal(nf_summarize_i64(t, 777, 0.375, &a, NULL), 0);
	assert_int_equal(nf_summarize(x, 777, &b, NULL), 0);
	assert_true(a.mean == b.mean && a.sd == b.sd && a.mad == b.mad && a.median == b.median);
	for (size_t i = 0; i < NF_SUMMARY_PERCENTILES; i++)
		assert_true(a.percentile[i].value == b.percentile[i].value);
	assert_int_equal(nf_summarize_i64(t, 777, 0, &a, &e), -NF_EARG);
	assert_int_equal(nf_summarize_i64(t, 777, -1, &a, &e), -NF_EARG);
	assert_int_equal(nf_summarize_i64(t, 777, (double)NAN, &a, &e), -NF_EARG);
	assert_int_equal(nf_summarize_i64(t, 777, (double)INFINITY, &a, &e), -NF_EARG);
}

static void percentiles_rise_and_stay_within_the_extremes(void **state)
{
	double x[200];

	(void)state;
	for (size_t n = 1; n <= 200; n++) {
		struct nf_summary s;

		for (size_t i = 0; i < n; i++)
			x[i] = 0.1 * (double)(i * 37 % 101) + 1e-3 * (double)i;
		assert_int_equal(nf_summarize(x, n, &s, NULL), 0);
		assert_true(s.min <= s.percentile[0].value && s.percentile[6].value <= s.max);
		assert_true(s.min <= s.mean && s.mean <= s.max);
		for (size_t i = 0; i < NF_SUMMARY_PERCENTILES; i++) {
			size_t beyond = 0;

			for (size_t j = 0; j < n; j++)
				beyond += x[j] >= s.percentile[i].value;
			assert_int_equal(s.percentile[i].n_beyond, beyond);
			if (i > 0)
				assert_true(s.percentile[i - 1].value <= s.percentile[i].value);
		}
	}
}

static void two_million_samples_are_summarised_exactly(void **state)
{
	const size_t n = 2000001;
	double *x = malloc(n * sizeof(*x));
	struct nf_summary s;

	(void)state;
	assert_non_null(x);
	/* A permutation of 0..n-1 (n is prime to the stride), so all is known. */
	for (size_t i = 0; i < n; i++)
		x[i] = (double)(i * 1000003 % n);
	assert_int_equal(nf_summarize(x, n, &s, NULL), 0);
	assert_true(s.min == 0 && s.max == 2000000 && s.mean == 1000000 && s.median == 1000000);
	assert_true(s.percentile[0].value == 500000 && s.percentile[2].value == 1500000);
	assert_near(s.percentile[6].value, 1999800, 1e-15);
	assert_true(s.mad == 500000);
	assert_near(s.sd, sqrt((double)n * ((double)n + 1) / 12), 1e-13);
	assert_true(s.median_ci_lo + s.median_ci_hi == 2000000);
	assert_in_range((uint64_t)s.median_ci_lo, 1000000 - 1390, 1000000 - 1380);
	free(x);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(no_samples_have_no_summary),
	cmocka_unit_test(one_sample_has_no_sd_and_no_interval),
	cmocka_unit_test(two_samples_interpolate),
	cmocka_unit_test(a_known_set_gives_the_known_numbers),
	cmocka_unit_test(ties_at_a_percentile_all_count_as_at_or_beyond),
	cmocka_unit_test(a_constant_is_exactly_its_value_without_spread),
	cmocka_unit_test(a_sample_that_is_not_finite_is_named),
	cmocka_unit_test(a_large_offset_does_not_spoil_the_spread),
	cmocka_unit_test(very_small_and_very_large_values_keep_their_spread),
	cmocka_unit_test(integers_with_a_factor_give_what_their_products_give),
	cmocka_unit_test(percentiles_rise_and_stay_within_the_extremes),
	cmocka_unit_test(two_million_samples_are_summarised_exactly),
};

NF_UNIT_MAIN(tests)
