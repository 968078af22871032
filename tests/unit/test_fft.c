/* SPDX-License-Identifier: MIT */
/* fft_plain.c, which the static program has in the place of KISS FFT, is compiled into this test. */
#include "nf_unit.h"

#include <math.h>

#include "../../src/stats/fft_plain.c"

/* The sum of the definition. */
static double by_definition(const double *x, size_t n, size_t k)
{
	double re = 0, im = 0;

	for (size_t j = 0; j < n; j++) {
		double angle = -2 * M_PI * (double)(j * k % n) / (double)n;

		re += x[j] * cos(angle);
		im += x[j] * sin(angle);
	}
	return re * re + im * im;
}

static void every_length_of_the_factors_gives_the_sum_of_the_definition(void **state)
{
	static const size_t lengths[] = { 2, 4, 6, 10, 12, 30, 64, 90, 150, 250, 360, 486 };
	double x[486], power[486 / 2 + 1];

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t n = lengths[i];
		double energy = 0;

		for (size_t j = 0; j < n; j++) {
			x[j] = (double)(j * j * 7919 % 1009) - 504;
			energy += x[j] * x[j];
		}
		assert_int_equal(nf_fft_power(x, n, 0.5, power, NULL), 0);
		for (size_t k = 0; k <= n / 2; k++)
			assert_true(fabs(power[k] - 0.25 * by_definition(x, n, k)) <
			            1e-9 * energy * (double)n);
	}
}

static void a_tone_lies_in_its_bin_and_in_no_other(void **state)
{
	double x[200], power[101];

	(void)state;
	for (size_t j = 0; j < 200; j++)
		x[j] = cos(2 * M_PI * 17 * (double)j / 200);
	assert_int_equal(nf_fft_power(x, 200, 1, power, NULL), 0);
	for (size_t k = 0; k <= 100; k++)
		assert_true(k == 17 ? fabs(power[k] - 10000) < 1e-6 : power[k] < 1e-12);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_length_of_the_factors_gives_the_sum_of_the_definition),
	cmocka_unit_test(a_tone_lies_in_its_bin_and_in_no_other),
};

NF_UNIT_MAIN(tests)
