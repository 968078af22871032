/* SPDX-License-Identifier: MIT */
#include "base/duration.h"

#include <math.h>

#include "nf_unit.h"

static void a_duration_prints_and_reads_back(void **state)
{
	static const struct {
		const char *in;
		int64_t ns;
		const char *out;
	} cases[] = {
		{ "2.5s", 2500000000, "2.5s" },
		{ "4ms", 4000000, "4ms" },
		{ "128/48000s", 2666667, "2666.667us" },
		{ "0ns", 0, "0s" },
		{ "0.5us", 500, "500ns" },
		{ "1.5m", 90000000000, "90s" },
		{ "60m", 3600000000000, "1h" },
		{ "9223372036854775807ns", INT64_MAX, "9223372036854775.807us" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nf_err e = { 0 };
		struct nf_buf b;
		int64_t ns = -1;

		nf_buf_init(&b, 100);
		assert_int_equal(nf_duration_parse(cases[i].in, &ns, &e), 0);
		assert_int_equal(ns, cases[i].ns);
		assert_int_equal(nf_duration_print(ns, &b), 0);
		assert_string_equal(b.data, cases[i].out);
		assert_int_equal(nf_duration_parse(b.data, &ns, &e), 0);
		assert_int_equal(ns, cases[i].ns);
		nf_buf_fini(&b);
	}
}

static void a_bad_duration_is_quoted_with_the_units(void **state)
{
	static const struct {
		const char *in, *says;
	} cases[] = {
		{ "2.5", "'2.5' has no unit (want a number and one of ns us ms s m h, e.g. 2.5s)" },
		{ "1x", "'1x' has an unknown unit (want" },
		{ "1 s", "'1 s' has an unknown unit" },
		{ "1S", "'1S' has an unknown unit" },
		{ "1e3s", "'1e3s' has an unknown unit" },
		{ "", "'' is not a duration" },
		{ "s", "'s' is not a duration" },
		{ "-1s", "'-1s' is not a duration" },
		{ "+1s", "'+1s' is not a duration" },
		{ ".5s", "'.5s' is not a duration" },
		{ "5.s", "'5.s' is not a duration" },
		{ "1/s", "'1/s' is not a duration" },
		{ "1/0s", "'1/0s' divides by zero" },
		{ "0.5ns", "'0.5ns' is not a whole number of ns" },
		{ "0.0000000001s", "'0.0000000001s' is not a whole number of ns" },
		{ "1.00000000000000000000000001h", "is not a whole number of ns" },
		{ "9223372036854775808ns", "is too long (at most 9223372036854775807ns" },
		{ "2562048h", "is too long" },
		{ "100000000000000000000s", "is too long" },
		{ "1/100000000000000000000s", "has too many digits" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nf_err e = { 0 };
		int64_t ns = -7;

		assert_int_equal(nf_duration_parse(cases[i].in, &ns, &e), -NF_EARG);
		if (!strstr(e.msg, cases[i].says))
			fail_msg("%s: '%s'", cases[i].in, e.msg);
		assert_int_equal(ns, -7);
	}
}

static void decimals_and_ratios_are_exact(void **state)
{
	static const struct {
		const char *in;
		int64_t ns;
	} cases[] = {
		{ "0.000000001s", 1 },
		{ "1.50000000000000000000000000s", 1500000000 },
		{ "000000000000000000000001us", 1000 },
		{ "0.0000000000025h", 9 },
		{ "2562047.7880152155h", 9223372036854775800 },
		{ "1/3ns", 0 },
		{ "1/2ns", 1 },
		{ "2/3ns", 1 },
		{ "5/1h", 18000000000000 },
		{ "9999999999999999999/9999999999999999999h", 3600000000000 },
		{ "64/44100s", 1451247 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nf_err e = { 0 };
		int64_t ns = -1;
		int r = nf_duration_parse(cases[i].in, &ns, &e);

		assert_int_equal(r, cases[i].ns < 0 ? -NF_EARG : 0);
		assert_int_equal(ns, cases[i].ns);
	}
}

static void people_read_three_digits(void **state)
{
	static const struct {
		double ns;
		const char *text;
	} cases[] = {
		{ 0, "0 ns" },         { 2666667, "2.67 ms" }, { -2666667, "-2.67 ms" },
		{ 1, "1.00 ns" },      { 0.125, "0.125 ns" },  { 12.34, "12.3 ns" },
		{ 123.4, "123 ns" },   { 999.4, "999 ns" },    { 999.6, "1.00 us" },
		{ 999999, "1.00 ms" }, { 59.94e9, "59.9 s" },  { 59.96e9, "60.0 s" },
		{ 90e9, "1.50 min" },  { 3599e9, "1.00 h" },   { 5400e9, "1.50 h" },
		{ 4e18, "1111111 h" },
	};
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 100);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		nf_buf_clear(&b);
		assert_int_equal(nf_duration_print_short(cases[i].ns, &b), 0);
		assert_string_equal(b.data, cases[i].text);
	}
	nf_buf_clear(&b);
	assert_int_equal(nf_duration_print_short((double)NAN, &b), -NF_EDATA);
	nf_buf_fini(&b);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_duration_prints_and_reads_back),
	cmocka_unit_test(a_bad_duration_is_quoted_with_the_units),
	cmocka_unit_test(decimals_and_ratios_are_exact),
	cmocka_unit_test(people_read_three_digits),
};

NF_UNIT_MAIN(tests)
