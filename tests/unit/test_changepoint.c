/* SPDX-License-Identifier: MIT */
#include "noisefloor/changepoint.h"

#include <math.h>

#include "nf_unit.h"
#include "stat_random.h"

static void close_to(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
		fail_msg("%.17g is not %.17g", got, want);
}

/* As defined, with every sum written out. */
static double q_at(const double *x, size_t tau, size_t kappa)
{
	double across = 0, left = 0, right = 0, m = (double)tau, k = (double)(kappa - tau);

	for (size_t i = 0; i < kappa; i++)
		for (size_t j = i + 1; j < kappa; j++) {
			double d = fabs(x[i] - x[j]);

			if (j < tau)
				left += d;
			else if (i >= tau)
				right += d;
			else
				across += d;
		}
	return m * k / (m + k) *
	       (2 * across / (m * k) - (m > 1 ? left / (m * (m - 1) / 2) : 0) -
	        (k > 1 ? right / (k * (k - 1) / 2) : 0));
}

static void the_statistic_is_as_defined(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 1);
	for (int round = 0; round < 40; round++) {
		size_t n = 2 + nf_rng_below(&rng, 30), min = 1 + nf_rng_below(&rng, n / 2);
		double x[40], q[40], best = -(double)INFINITY, anywhere = -(double)INFINITY;
		struct nf_split end, any;

		random_samples(&rng, x, n);
		assert_int_equal(nf_energy_profile(x, n, q, NULL), 0);
		for (size_t tau = 1; tau < n; tau++)
			close_to(q[tau - 1], q_at(x, tau, n));
		for (size_t kappa = 2 * min; kappa <= n; kappa++)
			for (size_t tau = min; tau + min <= kappa; tau++)
				anywhere = fmax(anywhere, q_at(x, tau, kappa));
		for (size_t tau = min; tau + min <= n; tau++)
			best = fmax(best, q_at(x, tau, n));
		assert_int_equal(nf_energy_split(x, n, min, 0, &end, NULL), 0);
		assert_int_equal(nf_energy_split(x, n, min, 1, &any, NULL), 0);
		close_to(end.q, best);
		close_to(any.q, anywhere);
		close_to(q_at(x, end.tau, n), end.q);
		close_to(q_at(x, any.tau, any.kappa), any.q);
		assert_int_equal(end.kappa, n);
	}
}

static void permutations_drawn_agree_with_all_of_them(void **state)
{
	static const double x[7] = { 1, 1.2, 0.9, 1.1, 2.2, 1.9, 1.8 };
	double all, drawn;

	(void)state;
	assert_int_equal(nf_energy_test(x, 7, 2, 0, 1, 0, &all, NULL), 0);
	assert_int_equal(nf_energy_test(x, 7, 2, 20000, 1, 1, &drawn, NULL), 0);
	/* The two sides apart: 3! 4! of 7! and their mirror image, which splits elsewhere. */
	assert_true(all >= 144.0 / 5040 - 1e-12 && all < 0.1);
	assert_true(fabs(all - drawn) < 0.01);
	assert_int_equal(nf_energy_test(x, 7, 2, 0, 1, 0, &all, NULL), 0);
}

static void a_constant_has_p_1_and_no_step(void **state)
{
	double x[30], p;
	struct nf_step step;
	size_t n;

	(void)state;
	for (size_t i = 0; i < 30; i++)
		x[i] = 0.1;
	assert_int_equal(nf_energy_test(x, 30, 5, 99, 1, 0, &p, NULL), 0);
	assert_true(p >= 1 && p <= 1);
	assert_int_equal(nf_steps(x, 30, NULL, &step, 1, &n, NULL), 0);
	assert_int_equal(n, 0);
}

static void steps_are_found_where_they_are(void **state)
{
	struct nf_rng rng;
	struct nf_step step[4];
	double x[90];
	size_t n;

	(void)state;
	nf_rng_seed(&rng, 2);
	for (size_t i = 0; i < 90; i++)
		x[i] = 0.005 * nf_rng_normal(&rng) + (i >= 30 ? 0.05 : 0) - (i >= 60 ? 0.08 : 0);
	assert_int_equal(
	        nf_steps(x, 90, &(struct nf_steps_options){ .min_shift = 0.01 }, step, 4, &n, NULL),
	        0);
	assert_int_equal(n, 2);
	assert_in_range(step[0].at, 29, 31);
	assert_in_range(step[1].at, 59, 61);
	assert_true(fabs(step[0].shift - 0.05) < 0.01 && fabs(step[1].shift + 0.08) < 0.01);
	assert_true(step[0].p <= 0.01 && step[1].superiority > 0.99);
	/* Room for one only: the number is right all the same. */
	assert_int_equal(nf_steps(x, 90, NULL, step, 1, &n, NULL), 0);
	assert_int_equal(n, 2);
	/* Too small to matter. */
	assert_int_equal(
	        nf_steps(x, 90, &(struct nf_steps_options){ .min_shift = 0.06 }, step, 4, &n, NULL),
	        0);
	assert_int_equal(n, 1);
}

static void a_lone_spike_is_no_step(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 3);
	for (size_t at = 0; at < 40; at += 3) {
		struct nf_step step;
		double x[40];
		size_t n;

		for (size_t i = 0; i < 40; i++)
			x[i] = 0.005 * nf_rng_normal(&rng) + (i == at ? 0.5 : 0);
		assert_int_equal(nf_steps(x, 40, &(struct nf_steps_options){ .permutations = 199 },
		                          &step, 1, &n, NULL),
		                 0);
		assert_int_equal(n, 0);
	}
}

static void noise_alone_has_a_step_as_rarely_as_it_says(void **state)
{
	enum { RUNS = 150 };
	struct nf_rng rng;
	size_t fired = 0;

	(void)state;
	nf_rng_seed(&rng, 4);
	for (int i = 0; i < RUNS; i++) {
		struct nf_steps_options o = { .permutations = 199, .seed = (uint64_t)i };
		struct nf_step step;
		double x[30];
		size_t n;

		for (size_t k = 0; k < 30; k++)
			x[k] = nf_rng_normal(&rng);
		assert_int_equal(nf_steps(x, 30, &o, &step, 1, &n, NULL), 0);
		fired += n > 0;
	}
	assert_true(fired <= 6);
}

static void a_step_of_a_short_series_is_found(void **state)
{
	enum { RUNS = 60, N = 24 };
	struct nf_rng rng;
	size_t found = 0;

	(void)state;
	nf_rng_seed(&rng, 5);
	for (int i = 0; i < RUNS; i++) {
		struct nf_steps_options o = { .permutations = 299, .seed = (uint64_t)i };
		struct nf_step step = { 0 };
		double x[N];
		size_t n;

		for (size_t k = 0; k < N; k++)
			x[k] = 0.01 * nf_rng_normal(&rng) + (k < N / 2 ? 0 : 0.3);
		assert_int_equal(nf_steps(x, N, &o, &step, 1, &n, NULL), 0);
		found += n == 1 && step.at == N / 2;
	}
	if (found < RUNS * 85 / 100)
		fail_msg("%zu of %d steps found", found, RUNS);
}

static void bad_series_and_options_are_refused(void **state)
{
	double x[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, (double)NAN }, p;
	struct nf_split s;
	struct nf_step step;
	struct nf_err err;
	size_t n = 7;

	(void)state;
	assert_int_equal(nf_energy_split(x, 1, 1, 0, &s, &err), -NF_ENODATA);
	assert_int_equal(nf_energy_split(x, 0, 1, 0, &s, &err), -NF_ENODATA);
	assert_int_equal(nf_energy_split(x, 5, 3, 0, &s, &err), -NF_ENODATA);
	assert_int_equal(nf_energy_split(x, 5, 0, 0, &s, &err), -NF_EARG);
	assert_int_equal(nf_energy_split(x, 12, 1, 0, &s, &err), -NF_EDATA);
	assert_int_equal(nf_energy_test(x, 11, 1, 0, 1, 0, &p, &err), -NF_EARG);
	assert_int_equal(nf_energy_test(x, 11, 1, 9, 0, 0, &p, &err), -NF_EARG);
	assert_int_equal(nf_steps(x, 12, NULL, &step, 1, &n, &err), -NF_EDATA);
	assert_int_equal(
	        nf_steps(x, 11, &(struct nf_steps_options){ .alpha = 2 }, &step, 1, &n, &err),
	        -NF_EARG);
	assert_int_equal(n, 7);
	assert_int_equal(nf_steps(x, 9, NULL, &step, 1, &n, &err), 0);
	assert_int_equal(n, 0); /* shorter than two segments */
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_statistic_is_as_defined),
	cmocka_unit_test(permutations_drawn_agree_with_all_of_them),
	cmocka_unit_test(a_constant_has_p_1_and_no_step),
	cmocka_unit_test(steps_are_found_where_they_are),
	cmocka_unit_test(a_lone_spike_is_no_step),
	cmocka_unit_test(noise_alone_has_a_step_as_rarely_as_it_says),
	cmocka_unit_test(a_step_of_a_short_series_is_found),
	cmocka_unit_test(bad_series_and_options_are_refused),
};
NF_UNIT_MAIN(tests)
