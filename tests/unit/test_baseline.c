/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "nf_unit.h"
#include "noisefloor/compare.h"

static void close_to(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
		fail_msg("%.17g is not %.17g", got, want);
}

/* mean 10, sd 0.1 sqrt(2.5), with t(0.99, 4) = 3.7469473879791967 */
static const double stored[5] = { 9.8, 9.9, 10, 10.1, 10.2 };

static void the_bounds_are_as_published(void **state)
{
	double s = 0.1 * sqrt(2.5), start = 10 + log(1.01), t = 3.746947387979197;
	struct nf_baseline b;

	(void)state;
	assert_int_equal(nf_baseline_bounds(stored, 5, 1, NULL, &b, NULL), 0);
	close_to(b.mean, 10);
	close_to(b.sd, s);
	close_to(b.first, start + t * s * sqrt(1.2));
	close_to(b.second, start + t * s * sqrt(0.7));
	assert_true(b.detectable > exp(b.first - 10) - 1);
}

static void a_regression_needs_a_second_session(void **state)
{
	enum nf_baseline_verdict v;
	struct nf_baseline b;
	double s[2];

	(void)state;
	assert_int_equal(nf_baseline_bounds(stored, 5, 1, NULL, &b, NULL), 0);
	s[0] = b.first;
	assert_int_equal(nf_baseline_judge(stored, 5, 1, s, 1, NULL, &v, NULL), 0);
	assert_int_equal(v, NF_BASELINE_WITHIN);
	s[0] = b.first + 0.001;
	assert_int_equal(nf_baseline_judge(stored, 5, 1, s, 1, NULL, &v, NULL), 0);
	assert_int_equal(v, NF_BASELINE_CONFIRM);
	s[1] = 10;
	assert_int_equal(nf_baseline_judge(stored, 5, 1, s, 2, NULL, &v, NULL), 0);
	assert_int_equal(v, NF_BASELINE_NOT_CONFIRMED);
	s[1] = b.first;
	assert_int_equal(nf_baseline_judge(stored, 5, 1, s, 2, NULL, &v, NULL), 0);
	assert_int_equal(v, NF_BASELINE_REGRESSED);
	s[0] = 10; /* within: a second session does not matter */
	s[1] = 20;
	assert_int_equal(nf_baseline_judge(stored, 5, 1, s, 2, NULL, &v, NULL), 0);
	assert_int_equal(v, NF_BASELINE_WITHIN);
	assert_string_equal(nf_baseline_verdict_text(v), "WITHIN");
}

static void more_benchmarks_and_fewer_sessions_widen_the_bounds(void **state)
{
	struct nf_baseline one, many, few;

	(void)state;
	assert_int_equal(nf_baseline_bounds(stored, 5, 1, NULL, &one, NULL), 0);
	assert_int_equal(nf_baseline_bounds(stored, 5, 20, NULL, &many, NULL), 0);
	assert_int_equal(nf_baseline_bounds(stored + 1, 3, 1, NULL, &few, NULL), 0);
	assert_true(many.first > one.first);
	assert_true((few.first - few.mean) / few.sd > (one.first - one.mean) / one.sd);
}

static void fewer_than_3_sessions_are_inconclusive(void **state)
{
	enum nf_baseline_verdict v;
	struct nf_baseline b;
	struct nf_err err;
	double s = 99;

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		assert_int_equal(nf_baseline_judge(stored, k, 1, &s, 1, NULL, &v, &err), 0);
		assert_int_equal(v, NF_BASELINE_INCONCLUSIVE);
		assert_int_equal(nf_baseline_bounds(stored, k, 1, NULL, &b, &err), -NF_ENODATA);
	}
}

static void sessions_that_are_none_are_refused(void **state)
{
	const double bad[4] = { 1, (double)NAN, 2, 3 };
	enum nf_baseline_verdict v = NF_BASELINE_WITHIN;
	struct nf_err err;
	double s[3] = { 1, 2, 3 };

	(void)state;
	assert_int_equal(nf_baseline_judge(bad, 4, 1, s, 1, NULL, &v, &err), -NF_EDATA);
	assert_int_equal(nf_baseline_judge(stored, 5, 1, bad + 1, 1, NULL, &v, &err), -NF_EDATA);
	assert_int_equal(nf_baseline_judge(stored, 5, 1, s, 0, NULL, &v, &err), -NF_EARG);
	assert_int_equal(nf_baseline_judge(stored, 5, 1, s, 3, NULL, &v, &err), -NF_EARG);
	assert_int_equal(nf_baseline_judge(stored, 5, 0, s, 1, NULL, &v, &err), -NF_EARG);
	assert_int_equal(v, NF_BASELINE_WITHIN);
}

static void equal_sessions_leave_only_the_margin(void **state)
{
	static const double same[4] = { 7, 7, 7, 7 };
	struct nf_baseline b;

	(void)state;
	assert_int_equal(nf_baseline_bounds(same, 4, 1, NULL, &b, NULL), 0);
	close_to(b.first, 7 + log(1.01));
	close_to(b.second, 7 + log(1.01));
	close_to(b.detectable, 0.01);
}

static void the_plain_threshold_is_strict(void **state)
{
	bool over;

	(void)state;
	assert_int_equal(nf_over_threshold(1.125, 1, 0.125, &over, NULL), 0);
	assert_false(over);
	assert_int_equal(nf_over_threshold(1.126, 1, 0.125, &over, NULL), 0);
	assert_true(over);
	assert_int_equal(nf_over_threshold(0, 1, 0.1, &over, NULL), -NF_EDATA);
	assert_int_equal(nf_over_threshold(1, (double)NAN, 0.1, &over, NULL), -NF_EDATA);
	assert_int_equal(nf_over_threshold(1, 1, -0.1, &over, NULL), -NF_EARG);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_bounds_are_as_published),
	cmocka_unit_test(a_regression_needs_a_second_session),
	cmocka_unit_test(more_benchmarks_and_fewer_sessions_widen_the_bounds),
	cmocka_unit_test(fewer_than_3_sessions_are_inconclusive),
	cmocka_unit_test(sessions_that_are_none_are_refused),
	cmocka_unit_test(equal_sessions_leave_only_the_margin),
	cmocka_unit_test(the_plain_threshold_is_strict),
};
NF_UNIT_MAIN(tests)
