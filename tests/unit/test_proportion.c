/* SPDX-License-Identifier: MIT */
#include "stats/proportion.h"

#include <math.h>

#include "nf_unit.h"
#include "noisefloor/dist.h"

static void the_ends_have_the_tails_that_they_promise(void **state)
{
	static const uint64_t n[] = { 1, 2, 7, 50, 1000 };

	(void)state;
	for (size_t i = 0; i < sizeof(n) / sizeof(n[0]); i++)
		for (uint64_t k = 0; k <= n[i]; k += 1 + n[i] / 7) {
			double lo, hi, p;

			assert_int_equal(nf_proportion_interval(k, n[i], 0.9, &lo, &hi, NULL), 0);
			assert_true(lo <= (double)k / (double)n[i] &&
			            (double)k / (double)n[i] <= hi);
			if (k > 0) {
				assert_int_equal(nf_binomial_cdf(k - 1, n[i], lo, &p, NULL), 0);
				assert_true(fabs(1 - p - 0.05) < 1e-9);
			}
			if (k < n[i]) {
				assert_int_equal(nf_binomial_cdf(k, n[i], hi, &p, NULL), 0);
				assert_true(fabs(p - 0.05) < 1e-9);
			}
		}
}

static void all_of_few_say_less_than_all_of_many(void **state)
{
	double lo, hi;

	(void)state;
	assert_int_equal(nf_proportion_interval(3, 3, 0.95, &lo, &hi, NULL), 0);
	assert_true(fabs(lo - cbrt(0.025)) < 1e-12 && hi == 1);
	assert_int_equal(nf_proportion_interval(500, 500, 0.95, &lo, &hi, NULL), 0);
	assert_true(fabs(lo - pow(0.025, 1 / 500.0)) < 1e-12 && hi == 1);
	assert_int_equal(nf_proportion_interval(0, 3, 0.95, &lo, &hi, NULL), 0);
	assert_true(lo == 0 && fabs(hi - (1 - cbrt(0.025))) < 1e-12);
}

static void what_is_no_share_is_refused_and_leaves_the_output(void **state)
{
	double lo = 42, hi = 43;
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(nf_proportion_interval(0, 0, 0.95, &lo, &hi, &err), -NF_ENODATA);
	assert_int_equal(nf_proportion_interval(2, 1, 0.95, &lo, &hi, &err), -NF_EARG);
	assert_int_equal(nf_proportion_interval(1, 2, 1, &lo, &hi, &err), -NF_EARG);
	assert_int_equal(nf_proportion_interval(1, 2, (double)NAN, &lo, &hi, &err), -NF_EARG);
	assert_true(lo == 42 && hi == 43);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_ends_have_the_tails_that_they_promise),
	cmocka_unit_test(all_of_few_say_less_than_all_of_many),
	cmocka_unit_test(what_is_no_share_is_refused_and_leaves_the_output),
};
NF_UNIT_MAIN(tests)
