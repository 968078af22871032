/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "base/rng.h"

#include <math.h>

#include "nf_unit.h"

static void clocks_do_not_go_back(void **state)
{
	struct nf_instant mono = nf_now_monotonic(), raw = nf_now_raw();

	(void)state;
	assert_true(mono.ns > 0 && raw.ns > 0);
	for (int i = 0; i < 10000; i++) {
		struct nf_instant m = nf_now_monotonic(), r = nf_now_raw();

		assert_true(nf_since_ns(mono, m) >= 0);
		assert_true(nf_since_ns(raw, r) >= 0);
		mono = m;
		raw = r;
	}
}

static void dates_are_utc_and_round_down(void **state)
{
	static const struct {
		int64_t ns;
		const char *text, *compact;
	} cases[] = {
		{ 0, "1970-01-01T00:00:00.000Z", "19700101T000000Z" },
		{ 1767323045678999999, "2026-01-02T03:04:05.678Z", "20260102T030405Z" },
		{ -1, "1969-12-31T23:59:59.999Z", "19691231T235959Z" },
		{ 951782400000000000, "2000-02-29T00:00:00.000Z", "20000229T000000Z" },
		{ INT64_MAX, "2262-04-11T23:47:16.854Z", "22620411T234716Z" },
		{ INT64_MIN, "1677-09-21T00:12:43.145Z", "16770921T001243Z" },
	};
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 100);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		nf_buf_clear(&b);
		assert_int_equal(nf_utc_print((struct nf_instant){ cases[i].ns }, &b), 0);
		assert_string_equal(b.data, cases[i].text);
		nf_buf_clear(&b);
		assert_int_equal(nf_utc_print_compact((struct nf_instant){ cases[i].ns }, &b), 0);
		assert_string_equal(b.data, cases[i].compact);
	}
	nf_buf_fini(&b);
	assert_true(nf_now_utc().ns > 1700000000000000000);
}

/* Values of the authors' own C code (splitmix64.c, xoshiro256starstar.c). */
static void the_sequence_is_the_published_one(void **state)
{
	struct nf_rng r = { .s = { 1, 2, 3, 4 } };
	static const uint64_t want[] = { 11520, 0, 1509978240, 1215971899390074240 };

	(void)state;
	for (int i = 0; i < 4; i++)
		assert_true(nf_rng_next(&r) == want[i]);
	nf_rng_seed(&r, 1234567);
	assert_true(r.s[0] == 6457827717110365317u);
	assert_true(r.s[1] == 3203168211198807973u);
	assert_true(r.s[2] == 9817491932198370423u);
	assert_true(r.s[3] == 4593380528125082431u);
}

static void bounded_numbers_are_in_range_and_even(void **state)
{
	struct nf_rng r;
	int n[6] = { 0 };

	(void)state;
	nf_rng_seed(&r, 42);
	for (int i = 0; i < 60000; i++) {
		uint64_t v = nf_rng_below(&r, 6);

		assert_true(v < 6);
		n[v]++;
		assert_int_equal(nf_rng_below(&r, 1), 0);
		assert_true(nf_rng_below(&r, UINT64_MAX) < UINT64_MAX);
		assert_true(nf_rng_below(&r, (UINT64_C(1) << 63) + 1) <= UINT64_C(1) << 63);
	}
	/* 10,000 each, standard deviation 91. */
	for (int i = 0; i < 6; i++)
		assert_in_range(n[i], 9500, 10500);
}

static void unit_and_normal_numbers_have_their_moments(void **state)
{
	enum { N = 100000 };
	double sum = 0, sum_n = 0, sq_n = 0;
	struct nf_rng r;

	(void)state;
	nf_rng_seed(&r, 7);
	for (int i = 0; i < N; i++) {
		double u = nf_rng_unit(&r), z = nf_rng_normal(&r);

		assert_true(u >= 0 && u < 1);
		sum += u;
		sum_n += z;
		sq_n += z * z;
	}
	assert_true(fabs(sum / N - 0.5) < 0.005);
	assert_true(fabs(sum_n / N) < 0.02);
	assert_true(fabs(sq_n / N - 1) < 0.03);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(clocks_do_not_go_back),
	cmocka_unit_test(dates_are_utc_and_round_down),
	cmocka_unit_test(the_sequence_is_the_published_one),
	cmocka_unit_test(bounded_numbers_are_in_range_and_even),
	cmocka_unit_test(unit_and_normal_numbers_have_their_moments),
};

NF_UNIT_MAIN(tests)
