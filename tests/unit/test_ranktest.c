/* SPDX-License-Identifier: MIT */
#include "noisefloor/ranktest.h"

#include <math.h>

#include "nf_unit.h"
#include "stat_random.h"

static void close_to(double got, double want)
{
	if (!(fabs(got - want) <= 1e-12 * (1 + fabs(want))))
		fail_msg("%.17g is not %.17g", got, want);
}

/* --- by listing everything --------------------------------------------------------------------- */

static double pairs_above(const double *x, size_t n_x, const double *y, size_t n_y)
{
	double u = 0;

	for (size_t i = 0; i < n_x; i++)
		for (size_t j = 0; j < n_y; j++)
			u += x[i] > y[j] ? 1 : x[i] < y[j] ? 0 : 0.5;
	return u;
}

/* p over every way to call n_x of the values x. */
static double listed_mann_whitney(const double *all, size_t n, size_t n_x, enum nf_side side)
{
	double middle = (double)(n_x * (n - n_x)) / 2;
	double seen = pairs_above(all, n_x, all + n_x, n - n_x) - middle, count = 0, total = 0;

	for (unsigned mask = 0; mask < 1u << n; mask++) {
		double x[16], y[16], u;
		size_t a = 0, b = 0;

		if ((size_t)__builtin_popcount(mask) != n_x)
			continue;
		for (size_t i = 0; i < n; i++)
			if (mask >> i & 1)
				x[a++] = all[i];
			else
				y[b++] = all[i];
		u = pairs_above(x, a, y, b) - middle;
		total++;
		count += side == NF_GREATER ? u >= seen
		         : side == NF_LESS  ? u <= seen
		                            : fabs(u) >= fabs(seen);
	}
	return count / total;
}

static void mann_whitney_equals_the_list_of_all_labels_with_and_without_ties(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 1);
	for (int round = 0; round < 60; round++) {
		size_t n = 2 + nf_rng_below(&rng, 9), n_x = 1 + nf_rng_below(&rng, n - 1);
		double all[16];

		random_samples(&rng, all, n);
		for (int side = NF_TWO_SIDED; side <= NF_LESS; side++) {
			struct nf_mann_whitney t;

			assert_int_equal(nf_mann_whitney_test(all, n_x, all + n_x, n - n_x,
			                                      (enum nf_side)side, NF_NULL_AUTO, &t,
			                                      NULL),
			                 0);
			assert_true(t.exact);
			close_to(t.u, pairs_above(all, n_x, all + n_x, n - n_x));
			close_to(t.p, listed_mann_whitney(all, n, n_x, (enum nf_side)side));
		}
	}
}

/* W and its p over every choice of signs; quadratic midranks. */
static double listed_signed_rank(const double *d, size_t n, enum nf_side side, double *ret_w)
{
	double rank[16], a[16], w = 0, middle = 0, count = 0;
	bool up[16];
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (fabs(d[i]) > 0) {
			up[m] = d[i] > 0;
			a[m++] = fabs(d[i]);
		}
	for (size_t i = 0; i < m; i++) {
		rank[i] = 0.5;
		for (size_t j = 0; j < m; j++)
			rank[i] += a[j] < a[i] ? 1 : a[j] > a[i] ? 0 : 0.5;
		middle += rank[i] / 2;
		w += up[i] ? rank[i] : 0;
	}
	*ret_w = w;
	for (unsigned mask = 0; mask < 1u << m; mask++) {
		double s = 0;

		for (size_t i = 0; i < m; i++)
			s += mask >> i & 1 ? rank[i] : 0;
		count += side == NF_GREATER ? s >= w
		         : side == NF_LESS  ? s <= w
		                            : fabs(s - middle) >= fabs(w - middle);
	}
	return count / (double)(1u << m);
}

static void signed_rank_equals_the_list_of_all_signs_with_zeros_and_ties(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 2);
	for (int round = 0; round < 60; round++) {
		size_t n = 1 + nf_rng_below(&rng, 10);
		double d[16];

		random_samples(&rng, d, n);
		for (size_t i = 0; i < n; i++) /* around 0 */
			d[i] = fmod(d[i], 4);
		for (int side = NF_TWO_SIDED; side <= NF_LESS; side++) {
			struct nf_signed_rank t;
			double w, p = listed_signed_rank(d, n, (enum nf_side)side, &w);

			assert_int_equal(nf_signed_rank_test(d, n, (enum nf_side)side,
			                                     NF_NULL_EXACT, &t, NULL),
			                 0);
			close_to(t.w, w);
			close_to(t.p, p);
		}
	}
}

static void hodges_lehmann_equals_the_sorted_list_of_pairs(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 3);
	for (int round = 0; round < 100; round++) {
		size_t n = 1 + nf_rng_below(&rng, 60), m = 1 + nf_rng_below(&rng, 30), k = 0;
		static double x[64], y[64], all[4096];
		struct nf_shift s;

		random_samples(&rng, x, n);
		random_samples(&rng, y, m);
		for (size_t i = 0; i < n; i++)
			for (size_t j = i; j < n; j++)
				all[k++] = (x[i] + x[j]) / 2;
		qsort(all, k, sizeof(*all), ascending_doubles);
		assert_int_equal(nf_hodges_lehmann(x, n, 0.9, &s, NULL), 0);
		close_to(s.estimate, (all[(k - 1) / 2] + all[k / 2]) / 2);
		assert_int_equal(s.has_interval, n >= 5);
		if (s.has_interval) {
			close_to(s.lo, all[s.k - 1]);
			close_to(s.hi, all[k - s.k]);
			assert_true(s.level >= 0.9 - 2e-3 && s.level < 1);
			assert_true(s.lo <= s.estimate && s.estimate <= s.hi);
		}
		k = 0;
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < m; j++)
				all[k++] = y[j] - x[i];
		qsort(all, k, sizeof(*all), ascending_doubles);
		assert_int_equal(nf_hodges_lehmann_2(x, n, y, m, 0.9, &s, NULL), 0);
		close_to(s.estimate, (all[(k - 1) / 2] + all[k / 2]) / 2);
		if (s.has_interval) {
			close_to(s.lo, all[s.k - 1]);
			close_to(s.hi, all[k - s.k]);
			assert_true(s.lo <= s.estimate && s.estimate <= s.hi);
		}
	}
}

/* --- laws -------------------------------------------------------------------------------------- */

static void the_interval_holds_what_the_test_does_not_reject(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 4);
	for (int round = 0; round < 40; round++) {
		size_t n = 8 + nf_rng_below(&rng, 13);
		double d[32], e[32];
		struct nf_shift s;

		for (size_t i = 0; i < n; i++)
			d[i] = nf_rng_normal(&rng);
		assert_int_equal(nf_hodges_lehmann(d, n, 0.95, &s, NULL), 0);
		for (int k = 0; k < 2; k++) {
			struct nf_signed_rank t;
			double inside = k ? -1e-9 : 1e-9, edge = k ? s.hi : s.lo;

			for (size_t i = 0; i < n; i++)
				e[i] = d[i] - edge - inside;
			assert_int_equal(
			        nf_signed_rank_test(e, n, NF_TWO_SIDED, NF_NULL_EXACT, &t, NULL),
			        0);
			assert_true(t.p > 0.05);
			for (size_t i = 0; i < n; i++)
				e[i] = d[i] - edge + inside;
			assert_int_equal(
			        nf_signed_rank_test(e, n, NF_TWO_SIDED, NF_NULL_EXACT, &t, NULL),
			        0);
			assert_true(t.p <= 0.05 + 1e-12);
		}
	}
}

static void without_ties_p_never_rises_with_the_shift(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 6);
	for (int round = 0; round < 30; round++) {
		size_t n = 2 + nf_rng_below(&rng, 25);
		double x[32], y[32], moved[32], last_w = 2, last_u = 2;

		for (size_t i = 0; i < n; i++) {
			x[i] = nf_rng_normal(&rng);
			y[i] = nf_rng_normal(&rng);
		}
		for (int step = -30; step <= 30; step++) {
			struct nf_signed_rank w;
			struct nf_mann_whitney u;

			for (size_t i = 0; i < n; i++)
				moved[i] = x[i] + 0.1234567 * step;
			assert_int_equal(
			        nf_signed_rank_test(moved, n, NF_GREATER, NF_NULL_AUTO, &w, NULL),
			        0);
			assert_int_equal(nf_mann_whitney_test(moved, n, y, n, NF_GREATER,
			                                      NF_NULL_AUTO, &u, NULL),
			                 0);
			assert_true(w.p <= last_w + 1e-12);
			assert_true(u.p <= last_u + 1e-12);
			last_w = w.p;
			last_u = u.p;
		}
	}
}

static void order_and_scale_do_not_matter(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 7);
	for (int round = 0; round < 50; round++) {
		size_t n = 1 + nf_rng_below(&rng, 40), m = 1 + nf_rng_below(&rng, 40);
		double x[64], y[64];
		struct nf_signed_rank w, w2;
		struct nf_mann_whitney u, u2;
		struct nf_shift s, s2;

		random_samples(&rng, x, n);
		random_samples(&rng, y, m);
		assert_int_equal(nf_signed_rank_test(x, n, NF_GREATER, NF_NULL_AUTO, &w, NULL), 0);
		assert_int_equal(
		        nf_mann_whitney_test(x, n, y, m, NF_TWO_SIDED, NF_NULL_AUTO, &u, NULL), 0);
		assert_int_equal(nf_hodges_lehmann_2(x, n, y, m, 0.9, &s, NULL), 0);
		shuffle_samples(&rng, x, n);
		shuffle_samples(&rng, y, m);
		for (size_t i = 0; i < n; i++)
			x[i] *= 4;
		for (size_t i = 0; i < m; i++)
			y[i] *= 4;
		assert_int_equal(nf_signed_rank_test(x, n, NF_GREATER, NF_NULL_AUTO, &w2, NULL), 0);
		assert_int_equal(
		        nf_mann_whitney_test(x, n, y, m, NF_TWO_SIDED, NF_NULL_AUTO, &u2, NULL), 0);
		assert_int_equal(nf_hodges_lehmann_2(x, n, y, m, 0.9, &s2, NULL), 0);
		close_to(w2.p, w.p);
		close_to(u2.p, u.p);
		close_to(s2.estimate, 4 * s.estimate);
		assert_int_equal(s2.has_interval, s.has_interval);
		close_to(s2.lo, 4 * s.lo);
		/* The other way round. */
		assert_int_equal(
		        nf_mann_whitney_test(y, m, x, n, NF_TWO_SIDED, NF_NULL_AUTO, &u2, NULL), 0);
		close_to(u2.p, u.p);
		close_to(u2.superiority, 1 - u.superiority);
	}
}

/* --- sizes and edges --------------------------------------------------------------------------- */

static void exact_and_normal_agree_where_both_are_good(void **state)
{
	struct nf_rng rng;
	static double x[300], y[300];

	(void)state;
	nf_rng_seed(&rng, 8);
	for (size_t i = 0; i < 300; i++) {
		x[i] = nf_rng_normal(&rng) + 0.1;
		y[i] = nf_rng_normal(&rng);
	}
	for (size_t n = 100; n <= 300; n += 100) {
		struct nf_signed_rank w, w2;
		struct nf_mann_whitney u, u2;

		assert_int_equal(nf_signed_rank_test(x, n, NF_TWO_SIDED, NF_NULL_EXACT, &w, NULL),
		                 0);
		assert_int_equal(
		        nf_signed_rank_test(x, n, NF_TWO_SIDED, NF_NULL_NORMAL_CC, &w2, NULL), 0);
		assert_true(fabs(w.p - w2.p) < 0.002);
		assert_int_equal(
		        nf_mann_whitney_test(x, n, y, n, NF_TWO_SIDED, NF_NULL_EXACT, &u, NULL), 0);
		assert_int_equal(nf_mann_whitney_test(x, n, y, n, NF_TWO_SIDED, NF_NULL_NORMAL_CC,
		                                      &u2, NULL),
		                 0);
		assert_true(fabs(u.p - u2.p) < 0.002);
	}
}

/* Without ties: 1 / 2^n and 1 / C(2n, n) at the end of the range. */
static void the_smallest_p_is_reached_exactly(void **state)
{
	double x[50], y[50];

	(void)state;
	for (size_t n = 1; n <= 50; n++) {
		struct nf_signed_rank w;
		struct nf_mann_whitney u;
		double choose = 1;

		for (size_t i = 0; i < n; i++) {
			x[i] = 100 + (double)i;
			y[i] = (double)i;
			choose *= (double)(n + i + 1) / (double)(i + 1);
		}
		assert_int_equal(nf_signed_rank_test(x, n, NF_GREATER, NF_NULL_AUTO, &w, NULL), 0);
		assert_true(w.exact);
		assert_true(fabs(w.p / ldexp(1, -(int)n) - 1) < 1e-14);
		assert_true(fabs(w.p / nf_signed_rank_min_p(n, NF_GREATER) - 1) < 1e-14);
		assert_int_equal(
		        nf_mann_whitney_test(x, n, y, n, NF_GREATER, NF_NULL_AUTO, &u, NULL), 0);
		assert_true(u.exact);
		assert_true(fabs(u.p * choose - 1) < 1e-12);
		assert_true(fabs(u.p / nf_mann_whitney_min_p(n, n, NF_GREATER) - 1) < 1e-12);
	}
}

static void nothing_to_tell_apart_is_p_1(void **state)
{
	static const double zeros[5] = { 0 }, fives[4] = { 5, 5, 5, 5 };
	static const enum nf_null null[] = { NF_NULL_AUTO, NF_NULL_EXACT, NF_NULL_NORMAL,
		                             NF_NULL_NORMAL_CC };
	struct nf_sign_test s;

	(void)state;
	for (size_t k = 0; k < 4; k++)
		for (int side = NF_TWO_SIDED; side <= NF_LESS; side++) {
			struct nf_signed_rank w;
			struct nf_mann_whitney u;

			assert_int_equal(nf_signed_rank_test(zeros, 5, (enum nf_side)side, null[k],
			                                     &w, NULL),
			                 0);
			assert_true(w.n == 0 && w.p >= 1 && w.p <= 1);
			assert_int_equal(nf_mann_whitney_test(fives, 4, fives, 3,
			                                      (enum nf_side)side, null[k], &u,
			                                      NULL),
			                 0);
			assert_true(u.p >= 1 && u.p <= 1);
			close_to(u.superiority, 0.5);
		}
	assert_int_equal(nf_sign_test(zeros, 5, NF_TWO_SIDED, &s, NULL), 0);
	assert_true(s.p >= 1 && s.p <= 1);
}

static void too_few_values_have_no_interval_rather_than_a_wrong_one(void **state)
{
	static const double d[6] = { 1, 2, 3, 4, 5, 6 };
	struct nf_shift s;

	(void)state;
	for (size_t n = 1; n <= 6; n++) {
		assert_int_equal(nf_hodges_lehmann(d, n, 0.95, &s, NULL), 0);
		assert_int_equal(s.has_interval, n == 6);
		close_to(s.estimate, (1 + (double)n) / 2);
	}
	assert_int_equal(nf_hodges_lehmann_2(d, 1, d, 1, 0.95, &s, NULL), 0);
	assert_false(s.has_interval);
	close_to(s.estimate, 0);
}

static void bad_samples_and_arguments_are_refused(void **state)
{
	static double many[1200];
	const double bad[3] = { 1, (double)NAN, 2 }, wide[2] = { 1, (double)INFINITY };
	struct nf_signed_rank w = { .n = 9 };
	struct nf_mann_whitney u;
	struct nf_sign_test t;
	struct nf_shift s;
	struct nf_err err;

	(void)state;
	for (size_t i = 0; i < 1200; i++)
		many[i] = (double)i + 1;
	assert_int_equal(nf_sign_test(bad, 0, NF_GREATER, &t, &err), -NF_ENODATA);
	assert_int_equal(nf_sign_test(bad, 3, NF_GREATER, &t, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "sample 1"));
	assert_int_equal(nf_signed_rank_test(bad, 3, NF_GREATER, NF_NULL_AUTO, &w, &err),
	                 -NF_EDATA);
	assert_int_equal(nf_signed_rank_test(many, 1200, NF_GREATER, NF_NULL_EXACT, &w, &err),
	                 -NF_EARG);
	assert_int_equal(w.n, 9);
	assert_int_equal(nf_mann_whitney_test(many, 3, wide, 2, NF_GREATER, NF_NULL_AUTO, &u, &err),
	                 -NF_EDATA);
	assert_int_equal(
	        nf_mann_whitney_test(many, 600, many, 600, NF_GREATER, NF_NULL_EXACT, &u, &err),
	        -NF_EARG);
	assert_int_equal(nf_hodges_lehmann(many, 5, 1, &s, &err), -NF_EARG);
	assert_int_equal(nf_hodges_lehmann_2(many, 5, many, 0, 0.9, &s, &err), -NF_ENODATA);
}

static void huge_samples_are_answered_in_time_and_memory_of_their_size(void **state)
{
	enum { LARGE = 200000 };
	double *x = malloc(2 * LARGE * sizeof(*x)), *y = x + LARGE;
	struct nf_signed_rank w;
	struct nf_mann_whitney u;
	struct nf_shift s;
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 9);
	assert_non_null(x);
	for (size_t i = 0; i < LARGE; i++) {
		x[i] = nf_rng_normal(&rng);
		y[i] = nf_rng_normal(&rng) + 0.1;
	}
	assert_int_equal(nf_hodges_lehmann(x, LARGE, 0.99, &s, NULL), 0);
	assert_true(fabs(s.estimate) < 0.02 && s.lo < s.estimate && s.estimate < s.hi);
	assert_int_equal(nf_hodges_lehmann_2(x, LARGE, y, LARGE, 0.99, &s, NULL), 0);
	assert_true(s.lo > 0.08 && s.hi < 0.12);
	assert_int_equal(nf_signed_rank_test(y, LARGE, NF_GREATER, NF_NULL_AUTO, &w, NULL), 0);
	assert_true(!w.exact && w.p < 1e-100);
	assert_int_equal(
	        nf_mann_whitney_test(y, LARGE, x, LARGE, NF_GREATER, NF_NULL_AUTO, &u, NULL), 0);
	assert_true(!u.exact && u.p < 1e-100);
	free(x);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(mann_whitney_equals_the_list_of_all_labels_with_and_without_ties),
	cmocka_unit_test(signed_rank_equals_the_list_of_all_signs_with_zeros_and_ties),
	cmocka_unit_test(hodges_lehmann_equals_the_sorted_list_of_pairs),
	cmocka_unit_test(the_interval_holds_what_the_test_does_not_reject),
	cmocka_unit_test(without_ties_p_never_rises_with_the_shift),
	cmocka_unit_test(order_and_scale_do_not_matter),
	cmocka_unit_test(exact_and_normal_agree_where_both_are_good),
	cmocka_unit_test(the_smallest_p_is_reached_exactly),
	cmocka_unit_test(nothing_to_tell_apart_is_p_1),
	cmocka_unit_test(too_few_values_have_no_interval_rather_than_a_wrong_one),
	cmocka_unit_test(bad_samples_and_arguments_are_refused),
	cmocka_unit_test(huge_samples_are_answered_in_time_and_memory_of_their_size),
};
NF_UNIT_MAIN(tests)
