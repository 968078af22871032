/* SPDX-License-Identifier: MIT */
/* Spectra of counts: lines are found, named and told from noise, leakage and harmonics. */
#include "pulse_trains.h"

enum { N = 25000 };

static void a_sine_between_two_bins_is_placed_to_a_hundredth(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 1);
	for (int i = 0; i <= 10; i++) {
		double hz = 120 + i * 0.01; /* bins are 0.1 Hz apart */
		int64_t *c = counts_new(N);
		struct nf_spectrum s;

		for (size_t j = 0; j < N; j++)
			c[j] = (int64_t)(1600 +
			                 100 * sin(2 * 3.14159265358979 * hz * (double)j / RATE) +
			                 10 * nf_rng_normal(&rng));
		s = spectrum(c, N);
		assert_int_equal(s.n_lines, 1);
		assert_true(fabs(s.line[0].hz - hz) < 0.002);
		/* 100^2 / 2 of signal to 10^2 of noise. */
		assert_true(fabs(s.line[0].share_ratio - 5000.0 / 5100) < 0.005);
		free(c);
	}
}

static void a_strong_line_does_not_become_many(void **state)
{
	int64_t *c = counts_new(N);
	struct nf_spectrum s;

	(void)state;
	for (size_t j = 0; j < N; j++)
		c[j] = (int64_t)round(1e6 * sin(2 * 3.14159265358979 * 300.05 * (double)j / RATE));
	s = spectrum(c, N);
	show(&s);
	assert_int_equal(s.n_lines, 1);
	assert_true(fabs(s.line[0].hz - 300.05) < 0.001);
	assert_true(s.line[0].share_ratio > 0.999 && s.line[0].share_ratio <= 1 + 1e-9);
	free(c);
}

static void two_trains_of_pulses_are_two_lines(void **state)
{
	static const double hz[] = { 10, 37 };
	struct nf_rng rng;
	int64_t *c;
	struct nf_spectrum s;
	const struct nf_spectrum_line *l;

	(void)state;
	nf_rng_seed(&rng, 2);
	c = pulsed(N, 2, hz, 300e-6, 20, &rng);
	s = spectrum(c, N);
	show(&s);
	l = line_at(&s, 10, 0.02);
	assert_true(l->n_harmonics > 50 && l->with_harmonics_ratio > 10 * l->share_ratio);
	l = line_at(&s, 37, 0.02);
	assert_true(l->n_harmonics > 20);
	/* They are the strongest two, and what is beside them is little. */
	for (size_t i = 2; i < s.n_named; i++)
		assert_true(s.line[i].with_harmonics_ratio < 0.02);
	assert_true(s.named_ratio <= 1 + 1e-9);
	free(c);
}

static void harmonics_beyond_half_the_rate_are_counted_as_folded(void **state)
{
	static const double hz = 301.3; /* 5th: 1506.5, seen at 993.5 */
	struct nf_rng rng;
	int64_t *c;
	struct nf_spectrum s;

	(void)state;
	nf_rng_seed(&rng, 3);
	c = pulsed(N, 1, &hz, 30e-6, 1, &rng);
	s = spectrum(c, N);
	show(&s);
	assert_true(fabs(s.line[0].hz - hz) < 0.02);
	/* 602.6, 903.9 and 1205.2 Hz are not folded. */
	assert_int_equal(s.line[0].n_harmonics - s.line[0].n_folded, 3);
	assert_true(s.line[0].n_folded > 20);
	assert_true(s.line[0].with_harmonics_ratio > 0.99);
	free(c);
}

/* A run that was interrupted for long: zeroes, and the grid goes on. */
static void holes_hide_no_line(void **state)
{
	static const double hz = 250;
	struct nf_rng rng;
	int64_t *c;
	struct nf_spectrum s;

	(void)state;
	nf_rng_seed(&rng, 4);
	c = pulsed(N, 1, &hz, 5e-6, 3, &rng);
	memset(c + 4321, 0, 25 * sizeof(*c));
	memset(c + 17000, 0, 60 * sizeof(*c));
	s = spectrum(c, N);
	show(&s);
	line_at(&s, 250, 0.05);
	free(c);
}

/* Spectra of noise alone in which anything stands out. */
static size_t false_alarms(size_t runs, size_t n, double memory, bool spikes, uint64_t seed)
{
	struct nf_rng rng;
	int64_t *c = counts_new(n);
	size_t alarms = 0;

	nf_rng_seed(&rng, seed);
	for (size_t r = 0; r < runs; r++) {
		struct nf_spectrum s;
		double level = 0;

		for (size_t i = 0; i < n; i++) {
			level = memory * level + nf_rng_normal(&rng);
			c[i] = (int64_t)(1e6 + 1000 * level);
			if (spikes && nf_rng_below(&rng, 200) == 0)
				c[i] -= 30000;
		}
		s = spectrum(c, n);
		alarms += s.n_lines > 0;
	}
	free(c);
	return alarms;
}

/* At a level of 1 %: more than 8 of 200 come about once in 4,000 seeds, and the seeds are fixed. */
static void noise_of_any_colour_has_no_line(void **state)
{
	(void)state;
	assert_in_range(false_alarms(200, 2048, 0, false, 11), 0, 8);
	assert_in_range(false_alarms(200, 2048, 0, true, 12), 0, 8);
	assert_in_range(false_alarms(200, 2048, 0.9, false, 13), 0, 8);
	assert_in_range(false_alarms(200, 2048, 0.99, false, 14), 0, 8);
}

/* The least that is found: the level keeps false alarms away without hiding what is there. */
static void a_line_of_one_percent_of_the_power_stands_out(void **state)
{
	struct nf_rng rng;
	size_t found = 0;

	(void)state;
	nf_rng_seed(&rng, 21);
	for (int r = 0; r < 20; r++) {
		int64_t *c = counts_new(N);
		struct nf_spectrum s;

		for (size_t j = 0; j < N; j++)
			c[j] = (int64_t)(1e4 +
			                 14.2 * sin(2 * 3.14159265358979 * 77.7 * (double)j /
			                            RATE) +
			                 100 * nf_rng_normal(&rng));
		s = spectrum(c, N);
		for (size_t i = 0; i < s.n_named; i++)
			found += fabs(s.line[i].hz - 77.7) < 0.05;
		free(c);
	}
	assert_int_equal(found, 20);
}

static void lengths_are_even_and_smooth(void **state)
{
	(void)state;
	assert_int_equal(nf_spectrum_length(0), 0);
	assert_int_equal(nf_spectrum_length(1), 0);
	assert_int_equal(nf_spectrum_length(2), 2);
	assert_int_equal(nf_spectrum_length(7), 6);
	assert_int_equal(nf_spectrum_length(255), 250);
	assert_int_equal(nf_spectrum_length(257), 256);
	assert_int_equal(nf_spectrum_length(25000), 25000);
	assert_int_equal(nf_spectrum_length(SIZE_MAX), NF_SPECTRUM_MAX);
}

static void what_has_no_spectrum_is_said(void **state)
{
	int64_t c[300] = { 0 };
	struct nf_spectrum s = { .n_used = 77 };
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_spectrum_lines(c, 255, RATE, &s, &e), -NF_ENODATA);
	assert_non_null(strstr(e.msg, "256 values, not 255"));
	assert_int_equal(nf_spectrum_lines(c, 300, RATE, &s, &e), -NF_ENODATA);
	c[0] = 5; /* where the window is 0 */
	assert_int_equal(nf_spectrum_lines(c, 300, RATE, &s, &e), -NF_ENODATA);
	c[1] = 5;
	assert_int_equal(nf_spectrum_lines(c, 300, 0, &s, &e), -NF_EARG);
	assert_int_equal(nf_spectrum_lines(c, 300, (double)NAN, &s, &e), -NF_EARG);
	assert_int_equal(s.n_used, 77);
	assert_int_equal(nf_spectrum_lines(c, 300, RATE, &s, &e), 0);
	assert_int_equal(s.n_used, 300);
}

static void the_powers_add_up_to_the_variance(void **state)
{
	enum { LEN = 480 };
	double power[LEN / 2 + 1], sum = 0;
	struct nf_spectrum s;
	int64_t c[LEN];
	struct nf_rng rng;
	size_t used = 0;

	(void)state;
	nf_rng_seed(&rng, 31);
	for (size_t i = 0; i < LEN; i++)
		c[i] = (int64_t)nf_rng_below(&rng, 1000) + INT64_C(1000000000000);
	assert_int_equal(nf_spectrum_power(c, LEN, power, &used, NULL), 0);
	assert_int_equal(used, LEN);
	for (size_t k = 0; k <= LEN / 2; k++)
		sum += power[k];
	s = spectrum(c, LEN);
	assert_true(fabs(sum / s.variance - 1) < 1e-5);
	assert_true(fabs(s.variance / (1000.0 * 1000 / 12) - 1) < 0.25);
	assert_true(power[0] < 1e-9 * s.variance);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_sine_between_two_bins_is_placed_to_a_hundredth),
	cmocka_unit_test(a_strong_line_does_not_become_many),
	cmocka_unit_test(two_trains_of_pulses_are_two_lines),
	cmocka_unit_test(harmonics_beyond_half_the_rate_are_counted_as_folded),
	cmocka_unit_test(holes_hide_no_line),
	cmocka_unit_test(noise_of_any_colour_has_no_line),
	cmocka_unit_test(a_line_of_one_percent_of_the_power_stands_out),
	cmocka_unit_test(lengths_are_even_and_smooth),
	cmocka_unit_test(what_has_no_spectrum_is_said),
	cmocka_unit_test(the_powers_add_up_to_the_variance),
};
NF_UNIT_MAIN(tests)
