/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "nf_unit.h"
#include "stats/blocks.h"

static void constant_durations_do_not_differ(void **state)
{
	int64_t x[1000];
	double ratio = -1;
	size_t blocks = 0;

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		x[i] = 7;
	assert_int_equal(nf_blocks_difference(x, 1000, 70, &ratio, &blocks, NULL), 0);
	assert_int_equal(blocks, 100);
	assert_true(ratio == 0);
}

/* Blocks of mean 10 and 11 in turn: every neighbouring pair differs by 1, the median is 10.5. */
static void alternating_blocks_differ_by_their_step(void **state)
{
	int64_t x[200];
	double ratio = -1;
	size_t blocks = 0;

	(void)state;
	for (size_t i = 0; i < 200; i++)
		x[i] = i / 10 % 2 ? 11 : 10;
	assert_int_equal(nf_blocks_difference(x, 200, 100, &ratio, &blocks, NULL), 0);
	assert_int_equal(blocks, 20);
	assert_true(fabs(ratio - 1 / 10.5) < 1e-12);
}

static void a_scaled_series_gives_the_same_ratio(void **state)
{
	int64_t x[500], y[500];
	double a = -1, b = -2;

	(void)state;
	for (size_t i = 0; i < 500; i++) {
		x[i] = (int64_t)(100 + i * 37 % 91);
		y[i] = 1000 * x[i];
	}
	assert_int_equal(nf_blocks_difference(x, 500, 1000, &a, NULL, NULL), 0);
	assert_int_equal(nf_blocks_difference(y, 500, 1000000, &b, NULL, NULL), 0);
	assert_true(a > 0);
	assert_true(fabs(a - b) < 1e-12);
}

static void too_little_or_bad_data_is_refused_and_leaves_the_output(void **state)
{
	int64_t x[20];
	double ratio = 42;
	struct nf_err e = { 0 };

	(void)state;
	for (size_t i = 0; i < 20; i++)
		x[i] = 5;
	assert_int_equal(nf_blocks_difference(x, 9, 5, &ratio, NULL, &e), -NF_ENODATA);
	assert_int_equal(nf_blocks_difference(NULL, 0, 5, &ratio, NULL, &e), -NF_ENODATA);
	assert_int_equal(nf_blocks_difference(x, 20, 0, &ratio, NULL, &e), -NF_EARG);
	assert_int_equal(nf_blocks_difference(x, 20, (double)NAN, &ratio, NULL, &e), -NF_EARG);
	x[13] = 0;
	assert_int_equal(nf_blocks_difference(x, 20, 5, &ratio, NULL, &e), -NF_EDATA);
	assert_non_null(strstr(e.msg, "13"));
	assert_true(ratio == 42);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(constant_durations_do_not_differ),
	cmocka_unit_test(alternating_blocks_differ_by_their_step),
	cmocka_unit_test(a_scaled_series_gives_the_same_ratio),
	cmocka_unit_test(too_little_or_bad_data_is_refused_and_leaves_the_output),
};

NF_UNIT_MAIN(tests)
