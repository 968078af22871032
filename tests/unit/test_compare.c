/* SPDX-License-Identifier: MIT */
#include "noisefloor/compare.h"

#include <math.h>

#include "nf_unit.h"
#include "noisefloor/meantest.h"
#include "noisefloor/multiple.h"
#include "stat_random.h"

static void close_to(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
		fail_msg("%.17g is not %.17g", got, want);
}

/* n pairs of times around 1 ms with noise sd; new is `ratio` times as long. */
static void pairs_of(struct nf_rng *rng, size_t n, double ratio, double sd, double *old,
                     double *new_)
{
	for (size_t i = 0; i < n; i++) {
		old[i] = 1e6 * exp(sd * nf_rng_normal(rng));
		new_[i] = ratio * 1e6 * exp(sd * nf_rng_normal(rng));
	}
}

static enum nf_verdict verdict_for(double ratio, double sd, const struct nf_compare_options *o,
                                   struct nf_comparison *ret)
{
	double old[20], new_[20];
	struct nf_rng rng;

	nf_rng_seed(&rng, 5);
	pairs_of(&rng, 20, ratio, sd, old, new_);
	assert_int_equal(nf_compare_pairs(old, new_, 20, o, ret, NULL), 0);
	assert_int_equal(nf_compare_decide(ret, 1, o, NULL), 0);
	return ret->verdict;
}

static void each_verdict_is_reached(void **state)
{
	struct nf_comparison c;

	(void)state;
	assert_int_equal(verdict_for(1.05, 0.002, NULL, &c), NF_REGRESSED);
	assert_true(c.ratio_lo > 1.04 && c.ratio_hi < 1.06 && c.holm < 0.001);
	assert_int_equal(verdict_for(1 / 1.05, 0.002, NULL, &c), NF_IMPROVED);
	assert_int_equal(verdict_for(1, 0.002, NULL, &c), NF_SAME);
	assert_true(c.ratio_lo <= c.ratio && c.ratio <= c.ratio_hi);
	assert_int_equal(verdict_for(1, 0.05, NULL, &c), NF_INCONCLUSIVE);
	assert_true(c.has_mde && c.mde > 0.02);
	assert_string_equal(nf_verdict_text(NF_REGRESSED), "REGRESSED");
	assert_string_equal(nf_verdict_text((enum nf_verdict)99), "unknown");
}

static void old_and_new_are_mirrored(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 6);
	for (int round = 0; round < 50; round++) {
		size_t n = 1 + nf_rng_below(&rng, 30);
		struct nf_comparison a, b;
		double old[32], new_[32];

		pairs_of(&rng, n, exp(0.02 * nf_rng_normal(&rng)), 0.01, old, new_);
		assert_int_equal(nf_compare_pairs(old, new_, n, NULL, &a, NULL), 0);
		assert_int_equal(nf_compare_pairs(new_, old, n, NULL, &b, NULL), 0);
		close_to(a.ratio, 1 / b.ratio);
		close_to(a.p_slower, b.p_faster);
		close_to(a.p_faster, b.p_slower);
		assert_int_equal(a.has_interval, b.has_interval);
		if (a.has_interval)
			close_to(a.ratio_lo, 1 / b.ratio_hi);
	}
}

static void a_larger_margin_never_makes_a_regression_surer(void **state)
{
	struct nf_rng rng;
	double old[20], new_[20], last = 0;

	(void)state;
	nf_rng_seed(&rng, 7);
	pairs_of(&rng, 20, 1.03, 0.01, old, new_);
	for (int percent = 1; percent <= 10; percent++) {
		struct nf_compare_options o = { .delta = percent / 100.0 };
		struct nf_comparison c;

		assert_int_equal(nf_compare_pairs(old, new_, 20, &o, &c, NULL), 0);
		assert_true(c.p_slower >= last - 1e-12);
		last = c.p_slower;
	}
	assert_true(last >= 0.99);
}

static void many_benchmarks_are_adjusted_together(void **state)
{
	enum { M = 6 };
	struct nf_comparison c[M + 2];
	struct nf_rng rng;
	double p[M], holm[M], bh[M];

	(void)state;
	nf_rng_seed(&rng, 8);
	for (size_t i = 0; i < M; i++) {
		double old[20], new_[20];

		pairs_of(&rng, 20, 1 + 0.01 * (double)i, 0.01, old, new_);
		assert_int_equal(nf_compare_pairs(old, new_, 20, NULL, &c[i], NULL), 0);
		p[i] = fmin(c[i].p_slower, c[i].p_faster);
	}
	memset(&c[M], 0, 2 * sizeof(*c));
	c[M].verdict = NF_NEW;
	c[M + 1].verdict = NF_FAILED;
	assert_int_equal(nf_compare_decide(c, M + 2, NULL, NULL), 0);
	assert_int_equal(nf_adjust_p(NF_HOLM, p, M, holm, NULL), 0);
	assert_int_equal(nf_adjust_p(NF_BENJAMINI_HOCHBERG, p, M, bh, NULL), 0);
	for (size_t i = 0; i < M; i++) {
		close_to(c[i].holm, holm[i]);
		close_to(c[i].bh, bh[i]);
	}
	assert_int_equal(c[M - 1].verdict, NF_REGRESSED);
	assert_int_equal(c[M].verdict, NF_NEW);
	assert_int_equal(c[M + 1].verdict, NF_FAILED);
}

static void two_looks_share_the_level(void **state)
{
	struct nf_compare_options two = { .looks = 2 }, half = { .alpha = 0.005 };
	struct nf_comparison a, b;

	(void)state;
	verdict_for(1.02, 0.01, &two, &a);
	verdict_for(1.02, 0.01, &half, &b);
	assert_memory_equal(&a, &b, sizeof(a));
}

static void too_few_pairs_never_decide(void **state)
{
	static const double old[6] = { 1, 1, 1, 1, 1, 1 }, new_[6] = { 2, 2.1, 2.2, 2.3, 2.4, 2.5 };
	size_t need = nf_compare_min_pairs(1, NULL);

	(void)state;
	assert_int_equal(need, 5); /* 2 / C(10, 5) is 0.0079 */
	assert_true(nf_compare_min_pairs(100, NULL) > need);
	for (size_t n = 1; n <= 6; n++) {
		struct nf_comparison c;

		assert_int_equal(nf_compare_pairs(old, new_, n, NULL, &c, NULL), 0);
		assert_int_equal(nf_compare_decide(&c, 1, NULL, NULL), 0);
		assert_int_equal(c.verdict, n >= need ? NF_REGRESSED : NF_INCONCLUSIVE);
		assert_int_equal(c.has_sd, n > 1);
	}
}

static void equal_times_are_the_same_and_never_a_change(void **state)
{
	double x[20];
	struct nf_comparison c;

	(void)state;
	for (size_t i = 0; i < 20; i++)
		x[i] = 12345;
	assert_int_equal(nf_compare_pairs(x, x, 20, NULL, &c, NULL), 0);
	assert_int_equal(nf_compare_decide(&c, 1, NULL, NULL), 0);
	assert_int_equal(c.verdict, NF_SAME);
	assert_true(c.p_slower >= 0.99 && c.ratio >= 1 && c.ratio <= 1);
	close_to(c.mde, 0.01);
}

static void a_null_row_that_differs_fires(void **state)
{
	struct nf_comparison c;

	(void)state;
	verdict_for(1.05, 0.002, NULL, &c);
	assert_true(nf_compare_null_fires(&c, NULL));
	verdict_for(1, 0.002, NULL, &c);
	assert_false(nf_compare_null_fires(&c, NULL));
}

static void times_that_are_none_are_refused(void **state)
{
	const double good[2] = { 1, 2 }, zero[2] = { 1, 0 }, nan[2] = { (double)NAN, 1 };
	struct nf_comparison c = { .n = 9 };
	struct nf_err err;

	(void)state;
	assert_int_equal(nf_compare_pairs(good, zero, 2, NULL, &c, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "new time 1"));
	assert_int_equal(nf_compare_pairs(nan, good, 2, NULL, &c, &err), -NF_EDATA);
	assert_int_equal(nf_compare_pairs(good, good, 0, NULL, &c, &err), -NF_ENODATA);
	assert_int_equal(nf_compare_pairs(good, good, 2,
	                                  &(struct nf_compare_options){ .delta = -0.1 }, &c, &err),
	                 -NF_EARG);
	assert_int_equal(nf_compare_pairs(good, good, 2,
	                                  &(struct nf_compare_options){ .alpha = 0.7 }, &c, &err),
	                 -NF_EARG);
	assert_int_equal(c.n, 9);
}

/* --- detectable effects ------------------------------------------------------------------------ */

static void effects_and_pairs_are_each_others_inverse(void **state)
{
	(void)state;
	for (int kind = NF_MDE_HODGES_LEHMANN; kind <= NF_MDE_MEAN; kind++)
		for (size_t n = 2; n < 200; n += 9) {
			double effect, back;
			size_t need;

			assert_int_equal(nf_mde((enum nf_mde_kind)kind, 0.02, n, 0.005, 0.8, 0.01,
			                        &effect, NULL),
			                 0);
			assert_true(effect > 0.01);
			assert_int_equal(nf_pairs_needed((enum nf_mde_kind)kind, 0.02,
			                                 effect + 1e-9, 0.005, 0.8, 0.01, &need,
			                                 NULL),
			                 0);
			assert_int_equal(need, n);
			assert_int_equal(nf_mde((enum nf_mde_kind)kind, 0.02, n + 1, 0.005, 0.8,
			                        0.01, &back, NULL),
			                 0);
			assert_true(back < effect);
		}
	assert_int_equal(nf_mde(NF_MDE_MEAN, 0, 5, 0.01, 0.8, 0.02, &(double){ 0 }, NULL), 0);
	assert_int_equal(nf_mde(NF_MDE_MEAN, 0.1, 0, 0.01, 0.8, 0, &(double){ 0 }, NULL),
	                 -NF_ENODATA);
	assert_int_equal(nf_mde(NF_MDE_MEAN, (double)NAN, 5, 0.01, 0.8, 0, &(double){ 0 }, NULL),
	                 -NF_EARG);
	assert_int_equal(nf_mde(NF_MDE_MEAN, 1e6, 1, 0.01, 0.8, 0, &(double){ 0 }, NULL),
	                 -NF_ENODATA);
}

/* --- disturbed blocks -------------------------------------------------------------------------- */

static void the_worst_fifth_of_the_blocks_at_most_is_discarded(void **state)
{
	double steal[20] = { 0 };
	bool out[20];
	size_t count;

	(void)state;
	assert_int_equal(nf_disturbed_blocks(steal, 20, out, &count, NULL), 0);
	assert_int_equal(count, 0);
	steal[3] = 5;
	steal[7] = 2;
	assert_int_equal(nf_disturbed_blocks(steal, 20, out, &count, NULL), 0);
	assert_true(count == 2 && out[3] && out[7]);
	for (size_t i = 10; i < 15; i++)
		steal[i] = (double)i;
	assert_int_equal(nf_disturbed_blocks(steal, 20, out, &count, NULL), 0);
	assert_true(count == 4 && out[14] && out[11] && !out[3] && !out[10]);
	assert_int_equal(nf_disturbed_blocks(steal, 4, out, &count, NULL), 0);
	assert_int_equal(count, 0); /* a fifth of four is none */
}

/* --- means ------------------------------------------------------------------------------------- */

static void welch_is_as_by_hand(void **state)
{
	/* means 2 and 5, variances 1 and 4 */
	static const double a[3] = { 1, 2, 3 }, b[3] = { 3, 5, 7 }, c[2] = { 4, 4 };
	struct nf_welch w;
	struct nf_mean_interval m;

	(void)state;
	assert_int_equal(nf_welch_test(a, 3, b, 3, &w, NULL), 0);
	close_to(w.t, 3 / sqrt(5.0 / 3));
	close_to(w.df, (5.0 / 3) * (5.0 / 3) / (1.0 / 9 / 2 + 16.0 / 9 / 2));
	assert_true(w.p > 0.05 && w.p < 0.15);
	assert_int_equal(nf_welch_test(c, 2, c, 2, &w, NULL), -NF_ENODATA);
	assert_int_equal(nf_welch_test(c, 2, a, 3, &w, NULL), 0);
	assert_int_equal(nf_welch_test(c, 1, a, 3, &w, NULL), -NF_ENODATA);
	assert_int_equal(nf_mean_interval(a, 3, 0.95, &m, NULL), 0);
	close_to(m.hi, 2 + 4.302652729911275 / sqrt(3.0));
	assert_true(m.has_ratio && m.lo <= m.mean && m.mean <= m.hi);
	assert_int_equal(nf_mean_interval((double[]){ 1e6, 2e6 }, 2, 0.95, &m, NULL), 0);
	assert_false(m.has_ratio);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_verdict_is_reached),
	cmocka_unit_test(old_and_new_are_mirrored),
	cmocka_unit_test(a_larger_margin_never_makes_a_regression_surer),
	cmocka_unit_test(many_benchmarks_are_adjusted_together),
	cmocka_unit_test(two_looks_share_the_level),
	cmocka_unit_test(too_few_pairs_never_decide),
	cmocka_unit_test(equal_times_are_the_same_and_never_a_change),
	cmocka_unit_test(a_null_row_that_differs_fires),
	cmocka_unit_test(times_that_are_none_are_refused),
	cmocka_unit_test(effects_and_pairs_are_each_others_inverse),
	cmocka_unit_test(the_worst_fifth_of_the_blocks_at_most_is_discarded),
	cmocka_unit_test(welch_is_as_by_hand),
};
NF_UNIT_MAIN(tests)
