/* SPDX-License-Identifier: MIT */
#include "noisefloor/series.h"

#include <math.h>

#include "nf_unit.h"
#include "stat_random.h"

static void close_to(double got, double want)
{
	if (!(fabs(got - want) <= 1e-10 * (1 + fabs(want))))
		fail_msg("%.17g is not %.17g", got, want);
}

static void autocorrelation_of_a_short_series_is_as_by_hand(void **state)
{
	/* mean 2; deviations -1 1 -1 1; c0 = 4 */
	static const double x[4] = { 1, 3, 1, 3 };
	double r[3], q, p;

	(void)state;
	assert_int_equal(nf_autocorrelation(x, 4, 3, r, NULL), 0);
	close_to(r[0], -0.75);
	close_to(r[1], 0.5);
	close_to(r[2], -0.25);
	assert_int_equal(nf_ljung_box(x, 4, 2, &q, &p, NULL), 0);
	close_to(q, 4 * 6 * (0.5625 / 3 + 0.25 / 2));
	close_to(p, exp(-q / 2)); /* chi-squared with 2 degrees of freedom */
	assert_int_equal(nf_autocorrelation(x, 4, 4, r, NULL), -NF_EARG);
	assert_int_equal(nf_autocorrelation((double[]){ 5, 5, 5 }, 3, 1, r, NULL), -NF_ENODATA);
}

static void effective_size_is_n_where_nothing_repeats(void **state)
{
	double v;

	(void)state;
	assert_int_equal(nf_effective_size(100, 0, &v, NULL), 0);
	close_to(v, 100);
	assert_int_equal(nf_effective_size(100, 0.5, &v, NULL), 0);
	close_to(v, 100 / 3.0);
	assert_int_equal(nf_effective_size(100, 1, &v, NULL), -NF_EARG);
	assert_int_equal(nf_effective_size(100, (double)NAN, &v, NULL), -NF_EARG);
	assert_int_equal(nf_effective_size(0, 0, &v, NULL), -NF_ENODATA);
}

static void ljung_box_fires_as_often_as_its_level(void **state)
{
	enum { RUNS = 2000, SIZE = 200 };
	struct nf_rng rng;
	size_t fired = 0;

	(void)state;
	nf_rng_seed(&rng, 1);
	for (int i = 0; i < RUNS; i++) {
		double x[SIZE], q, p;

		for (size_t k = 0; k < SIZE; k++)
			x[k] = nf_rng_normal(&rng);
		assert_int_equal(nf_ljung_box(x, SIZE, 5, &q, &p, NULL), 0);
		fired += p <= 0.05;
	}
	assert_in_range(fired, 65, 140);
}

static void blocks_are_longer_than_1_only_for_dependent_samples(void **state)
{
	enum { SIZE = 1000 };
	static double x[SIZE];
	struct nf_rng rng;
	size_t l;

	(void)state;
	nf_rng_seed(&rng, 2);
	for (size_t i = 0; i < SIZE; i++)
		x[i] = nf_rng_normal(&rng);
	assert_int_equal(nf_block_length(x, SIZE, &l, NULL), 0);
	assert_int_equal(l, 1);
	for (size_t i = 1; i < SIZE; i++)
		x[i] += 0.9 * x[i - 1];
	assert_int_equal(nf_block_length(x, SIZE, &l, NULL), 0);
	assert_in_range(l, 20, SIZE / 3); /* (1.8 / 0.19)^(2/3) 10 is 45 */
	assert_int_equal(nf_block_length((double[]){ 1, 1, 1, 1, 1, 1, 1 }, 7, &l, NULL), 0);
	assert_int_equal(l, 1);
}

static void runs_are_counted_about_the_median(void **state)
{
	/* median 3; above/below: - - . + + + - */
	static const double x[7] = { 1, 2, 3, 5, 6, 7, 1 };
	struct nf_runs t;

	(void)state;
	assert_int_equal(nf_runs_test(x, 7, &t, NULL), 0);
	assert_int_equal(t.n_above, 3);
	assert_int_equal(t.n_below, 3);
	assert_int_equal(t.runs, 3);
	close_to(t.expected, 4);
	close_to(t.variance, 18.0 * 12 / (36 * 5));
	assert_int_equal(nf_runs_test((double[]){ 2, 2, 2 }, 3, &t, NULL), 0);
	assert_true(t.p >= 1 && t.runs == 0);
	assert_int_equal(nf_runs_test((double[]){ 2 }, 1, &t, NULL), 0);
	assert_true(t.p >= 1);
	assert_int_equal(nf_runs_test((double[]){ 2, 3 }, 2, &t, NULL), 0);
	assert_true(t.p >= 0 && t.p <= 1);
}

/* --- trend ------------------------------------------------------------------------------------- */

static void trend_equals_the_count_of_all_pairs(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 3);
	for (int round = 0; round < 100; round++) {
		size_t n = 2 + nf_rng_below(&rng, 60), k = 0;
		static double x[64], slope[2048];
		double s = 0, got, variance;
		struct nf_trend t;

		random_samples(&rng, x, n);
		variance = (double)(n * (n - 1) * (2 * n + 5));
		for (size_t i = 0; i < n; i++) {
			double equal = 0;

			for (size_t j = 0; j < n; j++) {
				equal += x[j] >= x[i] && x[j] <= x[i];
				if (j <= i)
					continue;
				s += (x[j] > x[i]) - (x[j] < x[i]);
				slope[k++] = (x[j] - x[i]) / (double)(j - i);
			}
			/* each of a group of t adds the t-th part */
			variance -= (equal - 1) * (2 * equal + 5);
		}
		qsort(slope, k, sizeof(*slope), ascending_doubles);
		assert_int_equal(nf_mann_kendall(x, n, &t, NULL), 0);
		close_to(t.s, s);
		close_to(t.variance, variance / 18);
		assert_true(t.p >= 0 && t.p <= 1);
		assert_int_equal(nf_theil_sen(x, n, &got, NULL), 0);
		close_to(got, (slope[(k - 1) / 2] + slope[k / 2]) / 2);
	}
}

static void slopes_too_many_to_list_are_found_by_halving(void **state)
{
	enum { SIZE = 2500 };
	static double x[SIZE], slope[SIZE * (SIZE - 1) / 2];
	struct nf_rng rng;
	double got;
	size_t k = 0;

	(void)state;
	nf_rng_seed(&rng, 4);
	for (size_t i = 0; i < SIZE; i++)
		x[i] = 1000 + 0.01 * (double)i + nf_rng_normal(&rng);
	for (size_t i = 0; i < SIZE; i++)
		for (size_t j = i + 1; j < SIZE; j++)
			slope[k++] = (x[j] - x[i]) / (double)(j - i);
	qsort(slope, k, sizeof(*slope), ascending_doubles);
	assert_int_equal(nf_theil_sen(x, SIZE, &got, NULL), 0);
	assert_true(fabs(got - (slope[(k - 1) / 2] + slope[k / 2]) / 2) < 1e-12 * 20);
	for (size_t i = 0; i < SIZE; i++)
		x[i] = 5;
	assert_int_equal(nf_theil_sen(x, SIZE, &got, NULL), 0);
	assert_true(got >= 0 && got <= 0);
}

static void a_trend_follows_a_change_of_units_and_reverses(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 5);
	for (int round = 0; round < 50; round++) {
		size_t n = 2 + nf_rng_below(&rng, 60);
		double x[64], y[64], a, b;
		struct nf_trend t, u;

		random_samples(&rng, x, n);
		for (size_t i = 0; i < n; i++)
			y[i] = 7 - 2 * x[i];
		assert_int_equal(nf_mann_kendall(x, n, &t, NULL), 0);
		assert_int_equal(nf_mann_kendall(y, n, &u, NULL), 0);
		close_to(u.s, -t.s);
		close_to(u.p, t.p);
		assert_int_equal(nf_theil_sen(x, n, &a, NULL), 0);
		assert_int_equal(nf_theil_sen(y, n, &b, NULL), 0);
		close_to(b, -2 * a);
	}
}

/* --- warm-up ----------------------------------------------------------------------------------- */

static void the_warm_up_found_is_the_best_of_all(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 6);
	for (int round = 0; round < 100; round++) {
		size_t n = 4 + nf_rng_below(&rng, 60), min_d = nf_rng_below(&rng, n / 2 + 1),
		       best = 0;
		double x[64], least = (double)INFINITY;
		struct nf_warmup w;

		for (size_t i = 0; i < n; i++)
			x[i] = 10 + nf_rng_normal(&rng) + 20 * exp(-(double)i / 3);
		for (size_t d = min_d; d <= n / 2; d++) {
			double mean = 0, s = 0, k = (double)(n - d);

			for (size_t i = d; i < n; i++)
				mean += x[i] / k;
			for (size_t i = d; i < n; i++)
				s += (x[i] - mean) * (x[i] - mean);
			if (s / k / k < least) {
				least = s / k / k;
				best = d;
			}
		}
		assert_int_equal(nf_mser(x, n, min_d, &w, NULL), 0);
		assert_int_equal(w.d, best);
		close_to(w.criterion, least);
		assert_int_equal(w.steady, best < n / 2);
	}
}

static void a_series_that_never_settles_says_so(void **state)
{
	double x[100];
	struct nf_warmup w;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		x[i] = 1000 - (double)i;
	assert_int_equal(nf_mser(x, 100, 1, &w, NULL), 0);
	assert_false(w.steady);
	for (size_t i = 0; i < 100; i++)
		x[i] = 0.1;
	assert_int_equal(nf_mser(x, 100, 3, &w, NULL), 0);
	assert_true(w.steady && w.d == 3);
	assert_true(w.mean >= 0.1 && w.mean <= 0.1);
	assert_int_equal(nf_mser(x, 3, 0, &w, NULL), -NF_ENODATA);
	assert_int_equal(nf_mser(x, 10, 6, &w, NULL), -NF_ENODATA);
}

static void short_and_bad_series_have_documented_answers(void **state)
{
	const double bad[4] = { 1, (double)INFINITY, 2, 3 }, one[1] = { 1 };
	struct nf_trend t;
	struct nf_runs u;
	struct nf_warmup w;
	struct nf_err err;
	double v, p;
	size_t l;

	(void)state;
	assert_int_equal(nf_mann_kendall(one, 1, &t, &err), -NF_ENODATA);
	assert_int_equal(nf_theil_sen(one, 1, &v, &err), -NF_ENODATA);
	assert_int_equal(nf_runs_test(one, 0, &u, &err), -NF_ENODATA);
	assert_int_equal(nf_ljung_box(one, 1, 1, &v, &p, &err), -NF_ENODATA);
	assert_int_equal(nf_block_length(one, 0, &l, &err), -NF_ENODATA);
	assert_int_equal(nf_mann_kendall(bad, 4, &t, &err), -NF_EDATA);
	assert_int_equal(nf_theil_sen(bad, 4, &v, &err), -NF_EDATA);
	assert_int_equal(nf_runs_test(bad, 4, &u, &err), -NF_EDATA);
	assert_int_equal(nf_mser(bad, 4, 0, &w, &err), -NF_EDATA);
	assert_int_equal(nf_autocorrelation(bad, 4, 1, &v, &err), -NF_EDATA);
	assert_int_equal(nf_mann_kendall((double[]){ 4, 4, 4 }, 3, &t, &err), 0);
	assert_true(t.p >= 1 && t.p <= 1);
	assert_int_equal(nf_mann_kendall((double[]){ 4, 5 }, 2, &t, &err), 0);
	assert_true(t.p >= 0 && t.p <= 1);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(autocorrelation_of_a_short_series_is_as_by_hand),
	cmocka_unit_test(effective_size_is_n_where_nothing_repeats),
	cmocka_unit_test(ljung_box_fires_as_often_as_its_level),
	cmocka_unit_test(blocks_are_longer_than_1_only_for_dependent_samples),
	cmocka_unit_test(runs_are_counted_about_the_median),
	cmocka_unit_test(trend_equals_the_count_of_all_pairs),
	cmocka_unit_test(slopes_too_many_to_list_are_found_by_halving),
	cmocka_unit_test(a_trend_follows_a_change_of_units_and_reverses),
	cmocka_unit_test(the_warm_up_found_is_the_best_of_all),
	cmocka_unit_test(a_series_that_never_settles_says_so),
	cmocka_unit_test(short_and_bad_series_have_documented_answers),
};
NF_UNIT_MAIN(tests)
