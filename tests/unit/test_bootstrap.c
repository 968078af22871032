/* SPDX-License-Identifier: MIT */
#include "noisefloor/bootstrap.h"

#include <math.h>

#include "nf_unit.h"
#include "noisefloor/dist.h"
#include "stat_random.h"

static void close_to(double got, double want)
{
	if (!(fabs(got - want) <= 1e-12 * (1 + fabs(want))))
		fail_msg("%.17g is not %.17g", got, want);
}

/* The ordinary bootstrap of the mean, written out again: the same generator, one draw a value. */
static void blocks_of_1_are_the_ordinary_bootstrap(void **state)
{
	enum { SIZE = 13, REPLICATES = 999 };
	struct nf_bootstrap_options o = { .replicates = REPLICATES, .seed = 42, .block = 1 };
	double x[SIZE], rep[REPLICATES];
	struct nf_bootstrap b;
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 1);
	for (size_t i = 0; i < SIZE; i++)
		x[i] = (double)nf_rng_below(&rng, 1000); /* whole: sums are exact in any order */
	nf_rng_seed(&rng, 42);
	for (size_t r = 0; r < REPLICATES; r++) {
		double sum = 0;

		for (size_t i = 0; i < SIZE; i++)
			sum += x[nf_rng_below(&rng, SIZE)];
		rep[r] = sum / SIZE;
	}
	qsort(rep, REPLICATES, sizeof(*rep), ascending_doubles);
	assert_int_equal(nf_bootstrap(x, SIZE, nf_statistic_mean, NULL, &o, &b, NULL), 0);
	/* Type 7 at 0.025 and 0.975 of 999 is between the 25th and 26th from either end. */
	close_to(b.percentile_lo, rep[24] + 0.95 * (rep[25] - rep[24]));
	close_to(b.percentile_hi, rep[973] + 0.05 * (rep[974] - rep[973]));
}

static void drawing_comes_close_to_listing_all(void **state)
{
	static const double x[6] = { 1, 3, 4, 9, 13, 40 };
	struct nf_bootstrap_options all = { .all = 1 }, drawn = { .replicates = 200000, .seed = 7 };
	struct nf_bootstrap a, d;

	(void)state;
	assert_int_equal(nf_bootstrap(x, 6, nf_statistic_mean, NULL, &all, &a, NULL), 0);
	assert_int_equal(nf_bootstrap(x, 6, nf_statistic_mean, NULL, &drawn, &d, NULL), 0);
	close_to(a.replicates, 46656);
	assert_true(fabs(a.z0 - d.z0) < 0.02);
	close_to(a.acceleration, d.acceleration);
	assert_true(fabs(a.lo - d.lo) < 0.3 && fabs(a.hi - d.hi) < 0.7);
	assert_true(fabs(a.percentile_lo - d.percentile_lo) < 0.3);
}

static void intervals_contain_the_estimate_and_follow_units(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 3);
	for (int round = 0; round < 60; round++) {
		size_t n = 1 + nf_rng_below(&rng, 40);
		struct nf_bootstrap_options o = { .replicates = 199, .seed = (uint64_t)round };
		nf_statistic f = round % 2 ? nf_statistic_mean : nf_statistic_median;
		struct nf_bootstrap a, b;
		double x[64];

		o.block = 1 + nf_rng_below(&rng, n);
		random_samples(&rng, x, n);
		assert_int_equal(nf_bootstrap(x, n, f, NULL, &o, &a, NULL), 0);
		assert_true(a.lo <= a.estimate && a.estimate <= a.hi);
		assert_true(isfinite(a.z0) && isfinite(a.acceleration));
		for (size_t i = 0; i < n; i++)
			x[i] *= 8;
		assert_int_equal(nf_bootstrap(x, n, f, NULL, &o, &b, NULL), 0);
		close_to(b.lo, 8 * a.lo);
		close_to(b.hi, 8 * a.hi);
	}
}

static void the_interval_covers_about_as_often_as_it_says(void **state)
{
	enum { RUNS = 400, SIZE = 30 };
	struct nf_rng rng;
	size_t hits = 0;

	(void)state;
	nf_rng_seed(&rng, 4);
	for (int i = 0; i < RUNS; i++) {
		struct nf_bootstrap_options o = { .replicates = 399, .seed = (uint64_t)i };
		struct nf_bootstrap b;
		double x[SIZE];

		for (size_t k = 0; k < SIZE; k++)
			x[k] = nf_rng_normal(&rng);
		assert_int_equal(nf_bootstrap(x, SIZE, nf_statistic_mean, NULL, &o, &b, NULL), 0);
		hits += b.lo <= 0 && 0 <= b.hi;
	}
	assert_in_range(hits, RUNS * 88 / 100, RUNS * 98 / 100);
}

/* Dependent samples: blocks see the true spread of a mean, single draws do not. */
static void blocks_widen_the_interval_of_dependent_samples(void **state)
{
	enum { SIZE = 600 };
	struct nf_bootstrap_options one = { .replicates = 999 },
	                            many = { .replicates = 999, .block = 40 };
	struct nf_bootstrap a, b;
	static double x[SIZE];
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 5);
	for (size_t i = 0; i < SIZE; i++)
		x[i] = nf_rng_normal(&rng) + (i > 0 ? 0.9 * x[i - 1] : 0);
	assert_int_equal(nf_bootstrap(x, SIZE, nf_statistic_mean, NULL, &one, &a, NULL), 0);
	assert_int_equal(nf_bootstrap(x, SIZE, nf_statistic_mean, NULL, &many, &b, NULL), 0);
	assert_true(b.percentile_hi - b.percentile_lo > 2 * (a.percentile_hi - a.percentile_lo));
}

static void the_same_seed_gives_the_same_interval(void **state)
{
	static const double x[5] = { 1, 2, 3, 5, 8 };
	struct nf_bootstrap_options o = { .seed = 11 };
	struct nf_bootstrap a, b;

	(void)state;
	assert_int_equal(nf_bootstrap(x, 5, nf_statistic_median, NULL, &o, &a, NULL), 0);
	assert_int_equal(nf_bootstrap(x, 5, nf_statistic_median, NULL, &o, &b, NULL), 0);
	assert_memory_equal(&a, &b, sizeof(a));
}

static void a_ratio_of_medians_has_an_interval_around_it(void **state)
{
	static const double old[6] = { 10, 11, 9, 10, 12, 10 }, new_[5] = { 20, 22, 18, 21, 20 };
	static const double zero[2] = { 0, 1 };
	struct nf_ratio r;

	(void)state;
	assert_int_equal(nf_ratio_of_medians(new_, 5, old, 6, NULL, &r, NULL), 0);
	close_to(r.ratio, 2);
	assert_true(r.lo < 2 && r.hi > 2 && r.lo > 1.5 && r.hi < 2.5);
	assert_int_equal(nf_ratio_of_medians(new_, 5, zero, 2, NULL, &r, NULL), -NF_EDATA);
	assert_int_equal(nf_ratio_of_medians(new_, 0, old, 6, NULL, &r, NULL), -NF_ENODATA);
}

static double not_finite(double *x, size_t n, void *arg)
{
	(void)n;
	(void)arg;
	return log(x[0] - x[0]);
}

static void bad_options_and_statistics_are_refused(void **state)
{
	static double x[20] = { 1, 2, 3 };
	struct nf_bootstrap b = { .z0 = 9 };
	struct nf_err err;

	(void)state;
#define TRY(n, f, ...) \
	nf_bootstrap(x, n, f, NULL, &(struct nf_bootstrap_options){ __VA_ARGS__ }, &b, &err)
	assert_int_equal(TRY(0, nf_statistic_mean, .seed = 1), -NF_ENODATA);
	assert_int_equal(TRY(3, nf_statistic_mean, .level = 1), -NF_EARG);
	assert_int_equal(TRY(3, nf_statistic_mean, .block = 4), -NF_EARG);
	assert_int_equal(TRY(20, nf_statistic_mean, .all = 1), -NF_EARG);
	assert_int_equal(TRY(3, nf_statistic_mean, .block = 2, .all = 1), -NF_EARG);
	assert_int_equal(TRY(3, nf_statistic_mean, .replicates = 2000000), -NF_EARG);
	assert_int_equal(TRY(3, not_finite, .seed = 1), -NF_EDATA);
	assert_true(b.z0 >= 9);
}

static void one_value_and_constants_have_an_interval_of_one_point(void **state)
{
	static const double x[4] = { 0.1, 0.1, 0.1, 0.1 };
	struct nf_bootstrap b;

	(void)state;
	for (size_t n = 1; n <= 4; n++) {
		struct nf_bootstrap_options o = { .all = n % 2 == 0 };

		assert_int_equal(nf_bootstrap(x, n, nf_statistic_mean, NULL, &o, &b, NULL), 0);
		assert_true(b.lo >= 0.1 && b.hi <= 0.1 && b.z0 >= 0 && b.z0 <= 0);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(blocks_of_1_are_the_ordinary_bootstrap),
	cmocka_unit_test(drawing_comes_close_to_listing_all),
	cmocka_unit_test(intervals_contain_the_estimate_and_follow_units),
	cmocka_unit_test(the_interval_covers_about_as_often_as_it_says),
	cmocka_unit_test(blocks_widen_the_interval_of_dependent_samples),
	cmocka_unit_test(the_same_seed_gives_the_same_interval),
	cmocka_unit_test(a_ratio_of_medians_has_an_interval_around_it),
	cmocka_unit_test(bad_options_and_statistics_are_refused),
	cmocka_unit_test(one_value_and_constants_have_an_interval_of_one_point),
};
NF_UNIT_MAIN(tests)
