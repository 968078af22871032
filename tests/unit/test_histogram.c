/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/rng.h"
#include "nf_unit.h"
#include "noisefloor/histogram.h"

static struct nf_hist *make(double relative_error)
{
	struct nf_hist *h = NULL;

	assert_int_equal(nf_hist_new(relative_error, &h, NULL), 0);
	return h;
}

static void add(struct nf_hist *h, uint64_t v, uint64_t n)
{
	assert_int_equal(nf_hist_add(h, v, n, NULL), 0);
}

static uint64_t quantile(const struct nf_hist *h, double q)
{
	uint64_t v = 0;

	assert_int_equal(nf_hist_quantile(h, q, &v, NULL), 0);
	return v;
}

static uint64_t any_size(struct nf_rng *r)
{
	return nf_rng_next(r) >> nf_rng_below(r, 64);
}

static void assert_same(const struct nf_hist *a, const struct nf_hist *b)
{
	size_t pa = 0, pb = 0;
	uint64_t la, ha, na, lb, hb, nb, ma = 0, mb = 0;
	int more;

	assert_int_equal(nf_hist_count(a), nf_hist_count(b));
	assert_int_equal(nf_hist_saturated(a), nf_hist_saturated(b));
	assert_int_equal(nf_hist_min(a, &ma, NULL), nf_hist_min(b, &mb, NULL));
	assert_int_equal(ma, mb);
	assert_int_equal(nf_hist_max(a, &ma, NULL), nf_hist_max(b, &mb, NULL));
	assert_int_equal(ma, mb);
	do {
		more = nf_hist_next(a, &pa, &la, &ha, &na);
		assert_int_equal(nf_hist_next(b, &pb, &lb, &hb, &nb), more);
		if (more)
			assert_true(la == lb && ha == hb && na == nb);
	} while (more);
}

static void an_empty_histogram_has_no_values(void **state)
{
	struct nf_hist *h = make(0.01);
	uint64_t v = 99, lo, hi, n;
	size_t pos = 0;
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_hist_count(h), 0);
	assert_int_equal(nf_hist_min(h, &v, &e), -NF_ENODATA);
	assert_int_equal(nf_hist_max(h, &v, &e), -NF_ENODATA);
	assert_int_equal(nf_hist_quantile(h, 0.5, &v, &e), -NF_ENODATA);
	assert_int_equal(nf_hist_next(h, &pos, &lo, &hi, &n), 0);
	add(h, 7, 0);
	assert_int_equal(nf_hist_min(h, &v, &e), -NF_ENODATA);
	assert_int_equal(v, 99);
	nf_hist_free(h);
	nf_hist_free(NULL);
}

static void the_relative_error_is_rounded_down_to_a_power_of_two(void **state)
{
	static const double bad[] = { 0.251, 0x1p-21, 0, -1, (double)NAN, (double)INFINITY };
	struct nf_hist *h = make(0.01);
	struct nf_err e = { 0 };

	(void)state;
	assert_true(nf_hist_relative_error(h) == 0x1p-7);
	nf_hist_free(h);
	for (int k = 2; k <= 20; k++) {
		h = make(ldexp(1, -k));
		assert_true(nf_hist_relative_error(h) == ldexp(1, -k));
		nf_hist_free(h);
	}
	h = NULL;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(nf_hist_new(bad[i], &h, &e), -NF_EARG);
	assert_null(h);
}

static void buckets_tile_all_64_bits_within_the_relative_error(void **state)
{
	static const int ks[] = { 2, 3, 7, 12 };
	struct nf_rng r;

	(void)state;
	nf_rng_seed(&r, 1);
	for (size_t i = 0; i < 4; i++) {
		double err = ldexp(1, -ks[i]);
		struct nf_hist *h = make(err);
		uint64_t lo, hi, n, before = 0;
		size_t pos = 0;

		for (unsigned bit = 0; bit < 64; bit++) {
			uint64_t p = (uint64_t)1 << bit;

			add(h, p - 1, 1);
			add(h, p, 1);
			add(h, p + nf_rng_below(&r, p), 1);
		}
		add(h, UINT64_MAX, 1);
		while (nf_hist_next(h, &pos, &lo, &hi, &n)) {
			assert_true(lo <= hi && (before == 0 || lo > before));
			/* Half the width, also where the ends are exact in no double. */
			assert_true((double)(hi - lo) / 2 <= err * (double)lo);
			before = hi;
		}
		assert_true(before == UINT64_MAX);
		nf_hist_free(h);
	}
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void quantiles_are_monotone_and_within_the_relative_error(void **state)
{
	enum { N = 2000 };
	static const double errors[] = { 0.25, 0.01, 0x1p-12 };
	static uint64_t v[N];
	struct nf_rng r;

	(void)state;
	nf_rng_seed(&r, 2);
	for (size_t k = 0; k < 3; k++) {
		struct nf_hist *h = make(errors[k]);
		uint64_t last = 0;

		for (size_t i = 0; i < N; i++) {
			v[i] = any_size(&r);
			add(h, v[i], 1);
		}
		qsort(v, N, sizeof(v[0]), ascending);
		for (size_t i = 0; i <= N; i++) {
			uint64_t q = quantile(h, (double)i / N), x = v[i > 0 ? i - 1 : 0];
			double off = q > x ? (double)(q - x) : (double)(x - q);

			assert_true(off <= nf_hist_relative_error(h) * (double)x);
			assert_true(q >= last && q >= v[0] && q <= v[N - 1]);
			last = q;
		}
		assert_int_equal(quantile(h, 0), v[0]);
		assert_int_equal(quantile(h, 1), v[N - 1]);
		nf_hist_free(h);
	}
}

static void decimal_quantiles_take_the_rank_that_was_meant(void **state)
{
	struct nf_hist *h = make(0x1p-10);
	uint64_t v = 99;
	struct nf_err e = { 0 };

	(void)state;
	for (uint64_t i = 1; i <= 100; i++) /* below 2^9: exact buckets */
		add(h, i, 1);
	for (unsigned p = 1; p <= 100; p++)
		assert_int_equal(quantile(h, p / 100.0), p);
	assert_int_equal(quantile(h, 0.501), 51);
	assert_int_equal(quantile(h, 1e-300), 1);
	assert_int_equal(nf_hist_quantile(h, 1.0001, &v, &e), -NF_EARG);
	assert_int_equal(nf_hist_quantile(h, -0.1, &v, &e), -NF_EARG);
	assert_int_equal(nf_hist_quantile(h, (double)NAN, &v, &e), -NF_EARG);
	assert_int_equal(v, 99);
	nf_hist_free(h);
}

static void merging_equals_recording_both_streams(void **state)
{
	struct nf_rng r;

	(void)state;
	nf_rng_seed(&r, 3);
	for (int round = 0; round < 50; round++) {
		struct nf_hist *a = make(0.01), *b = make(0.01), *both = make(0.01);
		uint64_t na = nf_rng_below(&r, 60), nb = nf_rng_below(&r, 60);

		for (uint64_t i = 0; i < na + nb; i++) {
			uint64_t v = any_size(&r);
			/* Some counts are so large that counters and total fill up. */
			uint64_t n = round % 2 ? any_size(&r) : 1 + nf_rng_below(&r, 5);

			add(i < na ? a : b, v, n);
			add(both, v, n);
		}
		assert_int_equal(nf_hist_merge(a, b, NULL), 0);
		assert_same(a, both);
		nf_hist_free(a);
		nf_hist_free(b);
		nf_hist_free(both);
	}
}

static void a_histogram_merges_into_itself_and_not_into_another_error(void **state)
{
	struct nf_hist *a = make(0.01), *twice = make(0.01), *other = make(0.1);
	struct nf_err e = { 0 };

	(void)state;
	add(a, 5, 3);
	add(a, 1000000, 1);
	add(twice, 5, 6);
	add(twice, 1000000, 2);
	assert_int_equal(nf_hist_merge(a, a, NULL), 0);
	assert_same(a, twice);
	assert_int_equal(nf_hist_merge(a, other, &e), -NF_EARG);
	assert_int_equal(nf_hist_merge(other, a, &e), -NF_EARG);
	assert_same(a, twice);
	assert_int_equal(nf_hist_count(other), 0);
	nf_hist_free(a);
	nf_hist_free(twice);
	nf_hist_free(other);
}

static void full_counters_stay_full_and_what_is_lost_is_counted(void **state)
{
	struct nf_hist *h = make(0.01);

	(void)state;
	add(h, 10, UINT64_MAX);
	assert_int_equal(nf_hist_saturated(h), 0);
	add(h, 10, 5);
	assert_true(nf_hist_count(h) == UINT64_MAX);
	assert_int_equal(nf_hist_saturated(h), 5);
	add(h, 20, 7);
	assert_int_equal(nf_hist_saturated(h), 12);
	assert_int_equal(quantile(h, 0.5), 10);
	assert_int_equal(quantile(h, 1), 20);
	add(h, 30, UINT64_MAX);
	assert_true(nf_hist_saturated(h) == UINT64_MAX);
	nf_hist_free(h);
}

static void resetting_forgets_everything(void **state)
{
	struct nf_hist *h = make(0.01), *fresh = make(0.01);

	(void)state;
	add(h, 1, 1);
	add(h, UINT64_MAX, UINT64_MAX);
	nf_hist_reset(h);
	assert_same(h, fresh);
	add(h, 77, 1);
	add(fresh, 77, 1);
	assert_same(h, fresh);
	nf_hist_free(h);
	nf_hist_free(fresh);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(an_empty_histogram_has_no_values),
	cmocka_unit_test(the_relative_error_is_rounded_down_to_a_power_of_two),
	cmocka_unit_test(buckets_tile_all_64_bits_within_the_relative_error),
	cmocka_unit_test(quantiles_are_monotone_and_within_the_relative_error),
	cmocka_unit_test(decimal_quantiles_take_the_rank_that_was_meant),
	cmocka_unit_test(merging_equals_recording_both_streams),
	cmocka_unit_test(a_histogram_merges_into_itself_and_not_into_another_error),
	cmocka_unit_test(full_counters_stay_full_and_what_is_lost_is_counted),
	cmocka_unit_test(resetting_forgets_everything),
};

NF_UNIT_MAIN(tests)
