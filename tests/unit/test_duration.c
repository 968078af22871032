/* SPDX-License-Identifier: MIT */
#include "base/duration.h"
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

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_duration_prints_and_reads_back),
};

NF_UNIT_MAIN(tests)
