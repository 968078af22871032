/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "nf_unit.h"
#include "report/describe.h"

static void prints(const struct nf_describe_column *c, size_t n, const char *want)
{
	struct nf_buf out;

	nf_buf_init(&out, 1 << 16);
	nf_describe_table(c, n, &out);
	assert_int_equal(out.failed, 0);
	assert_string_equal(out.data, want);
	nf_buf_fini(&out);
}

/* The tables in this file were printed by pandas 1.5.3 for the same numbers. */
static void columns_stand_as_wide_as_their_widest_number(void **state)
{
	static const struct nf_describe_column c[] = {
		{ 1, { 999, 15.5, 11.61, 14.03575399, 14.06, 14.07, 15.7, 229.4 } },
		{ 0, { 999, 44.0486862, 506.41, 13.33, 14.04, 14.07, 15.62, 12357.724415 } },
	};

	(void)state;
	prints(c, 2,
	       "                1             0\n"
	       "count  999.000000    999.000000\n"
	       "mean    15.500000     44.048686\n"
	       "std     11.610000    506.410000\n"
	       "min     14.035754     13.330000\n"
	       "25%     14.060000     14.040000\n"
	       "50%     14.070000     14.070000\n"
	       "75%     15.700000     15.620000\n"
	       "max    229.400000  12357.724415\n");
}

static void zeros_that_all_numbers_end_in_are_left_out(void **state)
{
	static const struct nf_describe_column c[] = {
		{ 12, { 3, 2, 0, 2, 2, 2, 2, 2 } },
		{ 7, { 3, 2.5, 0.25, 2, 2, 2.75, 2, 2 } },
	};

	(void)state;
	prints(c, 2,
	       "        12    7 \n"
	       "count  3.0  3.00\n"
	       "mean   2.0  2.50\n"
	       "std    0.0  0.25\n"
	       "min    2.0  2.00\n"
	       "25%    2.0  2.00\n"
	       "50%    2.0  2.75\n"
	       "75%    2.0  2.00\n"
	       "max    2.0  2.00\n");
}

static void large_and_tiny_numbers_give_their_column_exponents(void **state)
{
	static const struct nf_describe_column c[] = {
		{ 0, { 999, 39271.150075, 48558.7113, 33824, 34732, 34848, 39014, 1993130 } },
		{ 1, { 3, 2, 1e-7, 2, 2, 2, 2, 2 } },
		{ 2, { 3, 2, (double)NAN, 2, 2, 2, 2, 2 } },
	};

	(void)state;
	prints(c, 3,
	       "                  0             1    2\n"
	       "count  9.990000e+02  3.000000e+00  3.0\n"
	       "mean   3.927115e+04  2.000000e+00  2.0\n"
	       "std    4.855871e+04  1.000000e-07  NaN\n"
	       "min    3.382400e+04  2.000000e+00  2.0\n"
	       "25%    3.473200e+04  2.000000e+00  2.0\n"
	       "50%    3.484800e+04  2.000000e+00  2.0\n"
	       "75%    3.901400e+04  2.000000e+00  2.0\n"
	       "max    1.993130e+06  2.000000e+00  2.0\n");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(columns_stand_as_wide_as_their_widest_number),
	cmocka_unit_test(zeros_that_all_numbers_end_in_are_left_out),
	cmocka_unit_test(large_and_tiny_numbers_give_their_column_exponents),
};

NF_UNIT_MAIN(tests)
