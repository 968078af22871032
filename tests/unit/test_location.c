/* SPDX-License-Identifier: MIT */
#include "noisefloor/location.h"

#include <math.h>

#include "nf_unit.h"
#include "stat_random.h"

static void close_to(double got, double want)
{
	if (!(fabs(got - want) <= 1e-11 * (1 + fabs(want))))
		fail_msg("%.17g is not %.17g", got, want);
}

static void means_of_small_sets_are_as_computed_by_hand(void **state)
{
	static const double x[4] = { 1, 2, 4, 8 }, mixed[2] = { -1, 1 };
	struct nf_moments m;

	(void)state;
	assert_int_equal(nf_moments(x, 4, &m, NULL), 0);
	close_to(m.mean, 3.75);
	close_to(m.sd, sqrt((2.75 * 2.75 + 1.75 * 1.75 + 0.25 * 0.25 + 4.25 * 4.25) / 3));
	close_to(m.cv, m.sd / 3.75);
	close_to(m.geometric, sqrt(8.0));
	close_to(m.harmonic, 4 / 1.875);
	assert_int_equal(nf_moments(mixed, 2, &m, NULL), 0);
	assert_true(m.has_sd && !m.has_cv && !m.has_geometric);
	assert_int_equal(nf_moments(x, 1, &m, NULL), 0);
	assert_false(m.has_sd);
	close_to(m.geometric, 1);
}

static void means_keep_their_order(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 1);
	for (int round = 0; round < 100; round++) {
		size_t n = 1 + nf_rng_below(&rng, 50);
		struct nf_moments m;
		double x[64];

		for (size_t i = 0; i < n; i++)
			x[i] = exp(5 * nf_rng_normal(&rng));
		assert_int_equal(nf_moments(x, n, &m, NULL), 0);
		assert_true(m.harmonic <= m.geometric * (1 + 1e-12));
		assert_true(m.geometric <= m.mean * (1 + 1e-12));
	}
}

static void location_and_scale_follow_a_change_of_units(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 2);
	for (int round = 0; round < 100; round++) {
		size_t n = 1 + nf_rng_below(&rng, 100);
		double x[128], y[128], a = 0.25 + 4 * nf_rng_unit(&rng),
		                       b = 100 * nf_rng_normal(&rng);
		double mad_x, mad_y, med_x, med_y, q_x[3], q_y[3];
		const double p[3] = { 0.1, 0.5, 0.93 };
		struct nf_moments mx, my;

		random_samples(&rng, x, n);
		for (size_t i = 0; i < n; i++)
			y[i] = a * x[i] + b;
		shuffle_samples(&rng, y, n);
		assert_int_equal(nf_mad(x, n, &mad_x, &med_x, NULL), 0);
		assert_int_equal(nf_mad(y, n, &mad_y, &med_y, NULL), 0);
		close_to(med_y, a * med_x + b);
		close_to(mad_y, a * mad_x);
		assert_int_equal(nf_moments(x, n, &mx, NULL), 0);
		assert_int_equal(nf_moments(y, n, &my, NULL), 0);
		close_to(my.mean, a * mx.mean + b);
		close_to(my.sd, a * mx.sd);
		for (int type = 4; type <= 9; type++) {
			assert_int_equal(nf_quantiles(x, n, type, p, 3, q_x, NULL), 0);
			assert_int_equal(nf_quantiles(y, n, type, p, 3, q_y, NULL), 0);
			for (size_t k = 0; k < 3; k++)
				close_to(q_y[k], a * q_x[k] + b);
		}
	}
}

static void a_median_absolute_percentage_error_needs_a_median(void **state)
{
	static const double x[5] = { 90, 100, 105, 100, 140 }, zero[3] = { -1, 0, 1 };
	double v;

	(void)state;
	assert_int_equal(nf_mdape(x, 5, &v, NULL), 0);
	close_to(v, 0.05);
	assert_int_equal(nf_mdape(zero, 3, &v, NULL), -NF_ENODATA);
}

/* --- quantiles --------------------------------------------------------------------------------- */

static void the_nine_types_are_as_defined(void **state)
{
	static const double x[5] = { 50, 10, 40, 20, 30 };
	/* By hand for p = 0.3: n p = 1.5 and the like; type 3 has a tie at 1, which is odd. */
	static const double want[9] = { 20, 20, 20, 15, 20, 18, 22, 58.0 / 3, 19.5 };
	const double p = 0.3, ends[2] = { 0, 1 };
	double q, both[2];

	(void)state;
	for (int type = 1; type <= 9; type++) {
		assert_int_equal(nf_quantiles(x, 5, type, &p, 1, &q, NULL), 0);
		close_to(q, want[type - 1]);
		assert_int_equal(nf_quantiles(x, 5, type, ends, 2, both, NULL), 0);
		close_to(both[0], 10);
		close_to(both[1], 50);
	}
}

static void a_quantile_at_a_jump_is_not_moved_by_rounding(void **state)
{
	double x[100], p, q;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		x[i] = (double)(i + 1);
	for (size_t k = 1; k < 100; k++) {
		p = (double)k / 100;
		assert_int_equal(nf_quantiles(x, 100, 1, &p, 1, &q, NULL), 0);
		close_to(q, (double)k);
		assert_int_equal(nf_quantiles(x, 100, 2, &p, 1, &q, NULL), 0);
		close_to(q, (double)k + 0.5);
		assert_int_equal(nf_quantiles(x, 100, 4, &p, 1, &q, NULL), 0);
		close_to(q, (double)k);
	}
}

static void quantiles_rise_with_p_and_many_can_be_asked_for(void **state)
{
	enum { N_P = 101, N_X = 3000 };
	static double x[N_X], p[N_P], q[N_P];
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 3);
	random_samples(&rng, x, N_X);
	for (size_t i = 0; i < N_P; i++)
		p[i] = (double)i / 100;
	for (int type = 1; type <= 9; type++) {
		assert_int_equal(nf_quantiles(x, N_X, type, p, N_P, q, NULL), 0);
		for (size_t i = 1; i < N_P; i++)
			assert_true(q[i - 1] <= q[i]);
	}
}

/* --- intervals --------------------------------------------------------------------------------- */

static void an_interval_of_a_quantile_covers_as_it_says(void **state)
{
	enum { RUNS = 4000, SIZE = 40 };
	struct nf_rank_interval v;
	struct nf_rng rng;
	size_t hits = 0;

	(void)state;
	nf_rng_seed(&rng, 4);
	assert_int_equal(nf_quantile_interval(SIZE, 0.75, 0.95, &v, NULL), 0);
	assert_true(v.coverage >= 0.95 && v.lo_rank > 20 && v.hi_rank > v.lo_rank);
	for (size_t i = 0; i < RUNS; i++) {
		double x[SIZE];

		for (size_t k = 0; k < SIZE; k++)
			x[k] = nf_rng_unit(&rng);
		qsort(x, SIZE, sizeof(*x), ascending_doubles);
		hits += x[v.lo_rank - 1] <= 0.75 && 0.75 <= x[v.hi_rank - 1];
	}
	assert_true(fabs((double)hits / RUNS - v.coverage) < 0.015);
}

static void a_side_that_nothing_covers_is_unbounded(void **state)
{
	struct nf_rank_interval v;

	(void)state;
	assert_int_equal(nf_quantile_interval(100, 0.99, 0.95, &v, NULL), 0);
	assert_int_equal(v.hi_rank, 0); /* 0.99^100 = 0.37 */
	assert_true(v.lo_rank > 90);
	assert_int_equal(nf_quantile_interval(5, 0.5, 0.95, &v, NULL), 0);
	assert_true(v.lo_rank == 0 && v.hi_rank == 0);
	assert_int_equal(nf_quantile_interval(0, 0.5, 0.95, &v, NULL), -NF_ENODATA);
	assert_int_equal(nf_quantile_interval(10, 1, 0.95, &v, NULL), -NF_EARG);
	assert_int_equal(nf_quantile_interval(10, 0.5, (double)NAN, &v, NULL), -NF_EARG);
}

/* --- sets -------------------------------------------------------------------------------------- */

static void sets_of_unequal_size_count_by_value_or_by_set(void **state)
{
	static const double x[9] = { 1, 2, 3, 10, 20, 30, 40, 50, 0 };
	static const size_t n[3] = { 3, 5, 1 };
	struct nf_set_summary s;
	double medians[3];

	(void)state;
	assert_int_equal(nf_set_medians(x, n, 3, medians, &s, NULL), 0);
	close_to(medians[0], 2);
	close_to(medians[1], 30);
	close_to(medians[2], 0);
	close_to(s.median_of_medians, 2);
	close_to(s.pooled_median, 10);
	assert_true(s.has_spread);
	close_to(s.spread_ratio, 15);
	assert_int_equal(nf_set_medians(x, n, 0, medians, &s, NULL), -NF_ENODATA);
	assert_int_equal(nf_set_medians(x, (size_t[]){ 2, 0 }, 2, medians, &s, NULL), -NF_ENODATA);
}

static void two_levels_of_noise_are_told_apart(void **state)
{
	/* Balanced, by hand: set means 2, 6; grand mean 4; within 4 / 2; between 16 / 1. */
	static const double x[4] = { 1, 3, 5, 7 };
	static const size_t n[2] = { 2, 2 };
	struct nf_two_level v;

	(void)state;
	assert_int_equal(nf_two_level_variance(x, n, 2, &v, NULL), 0);
	close_to(v.mean, 4);
	close_to(v.var_within, 2);
	close_to(v.var_between, (16 - 2) / 2.0);
	close_to(v.icc, 7.0 / 9);
	close_to(v.mean_se, sqrt(16.0 / 4));
	/* sqrt(cost ratio * 2 / 7) */
	assert_int_equal(nf_best_iterations(&v, 350, 1, 1000), 10);
	assert_int_equal(nf_best_iterations(&v, 1, 1, 1000), 1);
	assert_int_equal(nf_best_iterations(&v, 350, 1, 4), 4);
	assert_int_equal(nf_two_level_variance(x, (size_t[]){ 1, 1, 1 }, 3, &v, NULL), -NF_ENODATA);
	assert_int_equal(nf_two_level_variance(x, (size_t[]){ 4 }, 1, &v, NULL), -NF_ENODATA);
	assert_int_equal(nf_two_level_variance((double[]){ 5, 5, 5, 5 }, n, 2, &v, NULL), 0);
	assert_true(v.icc >= 0 && v.icc <= 0);
	assert_int_equal(nf_best_iterations(&v, 1, 1, 100), 1);
}

static void variance_components_are_found_in_simulated_sets(void **state)
{
	enum { SETS = 2000 };
	static double x[SETS * 7];
	static size_t n[SETS];
	struct nf_two_level v;
	struct nf_rng rng;
	size_t k = 0;

	(void)state;
	nf_rng_seed(&rng, 5);
	for (size_t i = 0; i < SETS; i++) {
		double level = 3 * nf_rng_normal(&rng);

		n[i] = 1 + i % 7;
		for (size_t j = 0; j < n[i]; j++)
			x[k++] = 100 + level + 2 * nf_rng_normal(&rng);
	}
	assert_int_equal(nf_two_level_variance(x, n, SETS, &v, NULL), 0);
	assert_true(fabs(v.var_within - 4) < 0.3);
	assert_true(fabs(v.var_between - 9) < 1);
	assert_true(fabs(v.mean - 100) < 4 * v.mean_se);
}

/* --- outliers ---------------------------------------------------------------------------------- */

static void outliers_are_flagged_by_fences_and_by_score(void **state)
{
	static const double x[9] = { 10, 11, 12, 13, 14, 15, 16, 21, 30 };
	struct nf_fences f;
	bool flag[9];
	double z[9];
	size_t count;

	(void)state;
	assert_int_equal(nf_fences(x, 9, &f, NULL), 0);
	close_to(f.q1, 12);
	close_to(f.q3, 16);
	close_to(f.mild_hi, 22);
	close_to(f.severe_hi, 28);
	assert_int_equal(f.n_mild, 0);
	assert_int_equal(f.n_severe, 1);
	assert_int_equal(nf_modified_z(x, 9, z, NULL), 0);
	close_to(z[8], 16 / (NF_MAD_TO_SD * 2));
	assert_int_equal(nf_outliers(x, 9, 3, flag, &count, NULL), 0);
	assert_true(count == 1 && flag[8] && !flag[7]);
	assert_int_equal(nf_outliers(x, 9, 0, flag, &count, NULL), -NF_EARG);
}

static void with_a_mad_of_0_all_that_differs_is_an_outlier(void **state)
{
	static const double x[5] = { 7, 7, 7, 7, 7.5 };
	double z[5];
	bool flag[5];
	size_t count;

	(void)state;
	assert_int_equal(nf_modified_z(x, 5, z, NULL), -NF_ENODATA);
	assert_int_equal(nf_outliers(x, 5, 10, flag, &count, NULL), 0);
	assert_true(count == 1 && flag[4]);
}

/* --- edges ------------------------------------------------------------------------------------- */

static void no_samples_and_bad_ones_are_errors_everywhere(void **state)
{
	const double bad[3] = { 1, 2, (double)NAN }, large[2] = { 1, 2e150 }, p = 0.5, p_bad = 1.1;
	struct nf_moments m = { .n = 9 };
	struct nf_fences f;
	struct nf_err err;
	double v = 9;

	(void)state;
	assert_int_equal(nf_moments(NULL, 0, &m, &err), -NF_ENODATA);
	assert_int_equal(nf_moments(bad, 3, &m, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "sample 2"));
	assert_int_equal(nf_median(large, 2, &v, &err), -NF_EDATA);
	assert_int_equal(nf_mad(bad, 3, &v, NULL, &err), -NF_EDATA);
	assert_int_equal(nf_mdape(NULL, 0, &v, &err), -NF_ENODATA);
	assert_int_equal(nf_quantiles(NULL, 0, 7, &p, 1, &v, &err), -NF_ENODATA);
	assert_int_equal(nf_quantiles(bad, 2, 0, &p, 1, &v, &err), -NF_EARG);
	assert_int_equal(nf_quantiles(bad, 2, 10, &p, 1, &v, &err), -NF_EARG);
	assert_int_equal(nf_quantiles(bad, 2, 7, &p_bad, 1, &v, &err), -NF_EARG);
	assert_int_equal(nf_fences(bad, 3, &f, &err), -NF_EDATA);
	assert_true(m.n == 9 && v >= 9 && v <= 9);
}

static void a_constant_is_exactly_itself(void **state)
{
	static const double value[] = { 0, 0.1, -3e149, 7e-310, 1e150 };
	double x[7], mad, median, q, p = 0.37;
	struct nf_moments m;

	(void)state;
	for (size_t k = 0; k < 5; k++)
		for (size_t n = 1; n <= 7; n++) {
			for (size_t i = 0; i < n; i++)
				x[i] = value[k];
			assert_int_equal(nf_moments(x, n, &m, NULL), 0);
			assert_true(m.mean >= value[k] && m.mean <= value[k]);
			assert_true(m.sd >= 0 && m.sd <= 0);
			assert_int_equal(nf_mad(x, n, &mad, &median, NULL), 0);
			assert_true(mad >= 0 && mad <= 0);
			for (int type = 1; type <= 9; type++) {
				assert_int_equal(nf_quantiles(x, n, type, &p, 1, &q, NULL), 0);
				assert_true(q >= value[k] && q <= value[k]);
			}
		}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(means_of_small_sets_are_as_computed_by_hand),
	cmocka_unit_test(means_keep_their_order),
	cmocka_unit_test(location_and_scale_follow_a_change_of_units),
	cmocka_unit_test(a_median_absolute_percentage_error_needs_a_median),
	cmocka_unit_test(the_nine_types_are_as_defined),
	cmocka_unit_test(a_quantile_at_a_jump_is_not_moved_by_rounding),
	cmocka_unit_test(quantiles_rise_with_p_and_many_can_be_asked_for),
	cmocka_unit_test(an_interval_of_a_quantile_covers_as_it_says),
	cmocka_unit_test(a_side_that_nothing_covers_is_unbounded),
	cmocka_unit_test(sets_of_unequal_size_count_by_value_or_by_set),
	cmocka_unit_test(two_levels_of_noise_are_told_apart),
	cmocka_unit_test(variance_components_are_found_in_simulated_sets),
	cmocka_unit_test(outliers_are_flagged_by_fences_and_by_score),
	cmocka_unit_test(with_a_mad_of_0_all_that_differs_is_an_outlier),
	cmocka_unit_test(no_samples_and_bad_ones_are_errors_everywhere),
	cmocka_unit_test(a_constant_is_exactly_itself),
};
NF_UNIT_MAIN(tests)
