/* SPDX-License-Identifier: MIT */
#include "stats/bsp.h"

#include <math.h>

#include "base/rng.h"
#include "nf_unit.h"

static void assert_near(double got, double want, double relative)
{
	if (!(fabs(got - want) <= relative * fabs(want)))
		fail_msg("got %.17g, expected %.17g", got, want);
}

/* C(b, N) / C(n, N) factor by factor in long double. */
static double by_product(uint64_t n, uint64_t b, uint64_t draws)
{
	long double share = 1;

	for (uint64_t j = 0; j < draws && b >= draws; j++)
		share *= (long double)(b - j) / (long double)(n - j);
	return b < draws ? 0 : (double)share;
}

static void the_share_of_draws_among_the_smallest_is_the_product(void **state)
{
	static const uint64_t ns[] = { 1, 2, 7, 100, 5000, 200000 };

	(void)state;
	for (size_t i = 0; i < sizeof(ns) / sizeof(ns[0]); i++)
		for (uint64_t d = 0; d <= ns[i]; d = d * 3 + 1)
			for (uint64_t draws = 1; draws <= ns[i]; draws = draws * 4 + 1) {
				uint64_t n = ns[i];
				double want = by_product(n, n - d, draws);
				double got = nf_bsp_all_among(n, n - d, draws);

				if (!(fabs(got - want) <= 1e-9 + 1e-7 * want))
					fail_msg("n %llu, b %llu, N %llu: got %.17g, want %.17g",
					         (unsigned long long)n, (unsigned long long)(n - d),
					         (unsigned long long)draws, got, want);
			}
}

/* Both ways of computing it meet where one takes over from the other, for a trillion samples. */
static void huge_samples_keep_their_precision(void **state)
{
	const uint64_t n = UINT64_C(1000000000000);
	static const uint64_t draws[] = { 600, 10000, 1000000 };

	(void)state;
	for (size_t i = 0; i < sizeof(draws) / sizeof(draws[0]); i++) {
		/* About one draw in the upper part: the share is near 1/e. */
		uint64_t d = n / draws[i];
		double exact = exp((double)draws[i] * log1p(-(double)d / (double)n));

		assert_near(nf_bsp_all_among(n, n - d, draws[i]), exact,
		            2e-3 / (double)draws[i] * 600);
	}
}

/* The values 1..n: the largest of N of them is N (n + 1) / (N + 1) on average, exactly. */
static void the_largest_of_equally_spaced_values_is_known_exactly(void **state)
{
	enum { N = 5000 };
	double *x = calloc(N, sizeof(*x));

	(void)state;
	assert_non_null(x);
	for (size_t i = 0; i < N; i++)
		x[i] = (double)(i + 1);
	for (uint64_t ranks = 1; ranks <= N; ranks = ranks * 3 + 1) {
		struct nf_bsp b;

		assert_int_equal(nf_bsp_sorted(x, N, ranks, &b, NULL), 0);
		assert_near(b.step, (double)ranks * (N + 1) / ((double)ranks + 1), 1e-6);
		assert_near(b.to_mean, b.step / ((N + 1) / 2.0), 1e-12);
		assert_near(b.to_min, b.step, 1e-12);
		assert_int_equal(b.lower_bound, ranks == N);
	}
	free(x);
}

static void one_rank_waits_for_nobody(void **state)
{
	const double x[] = { 2, 3, 3, 8 };
	struct nf_bsp b;

	(void)state;
	assert_int_equal(nf_bsp_sorted(x, 4, 1, &b, NULL), 0);
	assert_near(b.step, 4, 1e-12);
	assert_near(b.to_mean, 1, 1e-12);
	assert_near(b.to_min, 2, 1e-12);
}

static void from_as_many_ranks_as_samples_on_only_a_lower_bound_is_said(void **state)
{
	const double x[] = { 2, 3, 3, 8 };
	struct nf_bsp below, at, beyond;

	(void)state;
	assert_int_equal(nf_bsp_sorted(x, 4, 3, &below, NULL), 0);
	assert_false(below.lower_bound);
	assert_true(below.step < 8);
	assert_int_equal(nf_bsp_sorted(x, 4, 4, &at, NULL), 0);
	assert_true(at.lower_bound);
	assert_near(at.step, 8, 1e-12);
	assert_int_equal(nf_bsp_sorted(x, 4, 5, &beyond, NULL), 0);
	assert_true(beyond.lower_bound);
	assert_near(beyond.step, 8, 1e-12);
}

/* Unbiased: over many samples of an exponential distribution the estimates average to the harmonic
 * number of N, which is the expected largest of N such draws. */
static void estimates_average_to_the_expectation(void **state)
{
	enum { SAMPLES = 40, ROUNDS = 4000, RANKS = 20 };
	double harmonic = 0, sum = 0, squares = 0;
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 20);
	for (int i = 1; i <= RANKS; i++)
		harmonic += 1.0 / i;
	for (int round = 0; round < ROUNDS; round++) {
		double x[SAMPLES];
		struct nf_bsp b;

		for (int i = 0; i < SAMPLES; i++) {
			double v = -log1p(-nf_rng_unit(&rng)) + 1e-300;
			int at = i;

			for (; at > 0 && x[at - 1] > v; at--)
				x[at] = x[at - 1];
			x[at] = v;
		}
		assert_int_equal(nf_bsp_sorted(x, SAMPLES, RANKS, &b, NULL), 0);
		sum += b.step;
		squares += b.step * b.step;
	}
	double mean = sum / ROUNDS;
	double error = sqrt((squares / ROUNDS - mean * mean) / ROUNDS);
	assert_true(fabs(mean - harmonic) < 5 * error);
	assert_true(error < 0.02);
}

/* Against drawing without putting back, again and again. */
static void it_is_what_a_direct_simulation_gives(void **state)
{
	enum { SAMPLES = 60, RANKS = 12, ROUNDS = 40000 };
	double x[SAMPLES], sum = 0, squares = 0;
	struct nf_rng rng;
	struct nf_bsp b;

	(void)state;
	nf_rng_seed(&rng, 7);
	for (int i = 0; i < SAMPLES; i++)
		x[i] = 100 + i + (i > 55 ? 40 * (i - 55) : 0);
	assert_int_equal(nf_bsp_sorted(x, SAMPLES, RANKS, &b, NULL), 0);
	for (int round = 0; round < ROUNDS; round++) {
		int index[SAMPLES];
		double largest = 0;

		for (int i = 0; i < SAMPLES; i++)
			index[i] = i;
		for (int i = 0; i < RANKS; i++) {
			int k = i + (int)nf_rng_below(&rng, (uint64_t)(SAMPLES - i)), t = index[k];

			index[k] = index[i];
			index[i] = t;
			largest = fmax(largest, x[t]);
		}
		sum += largest;
		squares += largest * largest;
	}
	double mean = sum / ROUNDS, error = sqrt((squares / ROUNDS - mean * mean) / ROUNDS);
	assert_true(fabs(mean - b.step) < 5 * error);
}

static void a_histogram_says_the_same_within_its_error(void **state)
{
	enum { SAMPLES = 3000 };
	double *x = calloc(SAMPLES, sizeof(*x));
	struct nf_hist *h = NULL;
	struct nf_rng rng;

	(void)state;
	assert_non_null(x);
	nf_rng_seed(&rng, 5);
	assert_int_equal(nf_hist_new(0x1p-9, &h, NULL), 0);
	for (size_t i = 0; i < SAMPLES; i++) {
		/* Rising by construction. */
		x[i] = floor((i ? x[i - 1] : 1e6) * (1 + 0.002 * nf_rng_unit(&rng)));
		assert_int_equal(nf_hist_add(h, (uint64_t)x[i], 1, NULL), 0);
	}
	static const uint64_t ranks[] = { 1, 2, 10, 100, 2999, 3000, 3001, 1000000 };
	double before = 0;
	for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
		struct nf_bsp exact, rough;

		assert_int_equal(nf_bsp_sorted(x, SAMPLES, ranks[i], &exact, NULL), 0);
		assert_int_equal(nf_bsp_histogram(h, 0, ranks[i], &rough, NULL), 0);
		assert_near(rough.step, exact.step, 0x1p-8);
		assert_near(rough.to_mean, exact.to_mean, 0x1p-7);
		assert_int_equal(rough.lower_bound, exact.lower_bound);
		assert_true(rough.step >= before); /* more ranks never wait less */
		before = rough.step * (1 - 1e-12);
	}
	struct nf_bsp all;
	assert_int_equal(nf_bsp_histogram(h, 0, SAMPLES, &all, NULL), 0);
	assert_near(all.step, x[SAMPLES - 1], 1e-12); /* the extremes are exact */
	free(x);
	nf_hist_free(h);
}

static void nothing_is_said_from_nothing(void **state)
{
	const double zero[] = { 0, 1 };
	struct nf_hist *h = NULL;
	struct nf_bsp b = { .step = -1 };
	struct nf_err err;

	(void)state;
	assert_int_equal(nf_bsp_sorted(NULL, 0, 5, &b, &err), -NF_ENODATA);
	assert_int_equal(nf_bsp_sorted(zero, 2, 0, &b, &err), -NF_EARG);
	assert_int_equal(nf_bsp_sorted(zero, 2, 1, &b, &err), -NF_EARG);
	assert_int_equal(nf_hist_new(0x1p-9, &h, NULL), 0);
	assert_int_equal(nf_bsp_histogram(h, 0, 5, &b, &err), -NF_ENODATA);
	assert_true(b.step == -1); /* untouched */
	nf_hist_free(h);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_share_of_draws_among_the_smallest_is_the_product),
	cmocka_unit_test(huge_samples_keep_their_precision),
	cmocka_unit_test(the_largest_of_equally_spaced_values_is_known_exactly),
	cmocka_unit_test(one_rank_waits_for_nobody),
	cmocka_unit_test(from_as_many_ranks_as_samples_on_only_a_lower_bound_is_said),
	cmocka_unit_test(estimates_average_to_the_expectation),
	cmocka_unit_test(it_is_what_a_direct_simulation_gives),
	cmocka_unit_test(a_histogram_says_the_same_within_its_error),
	cmocka_unit_test(nothing_is_said_from_nothing),
};

NF_UNIT_MAIN(tests)
