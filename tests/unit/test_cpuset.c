/* SPDX-License-Identifier: MIT */
#include "base/cpuset.h"
#include "nf_unit.h"

static void a_list_prints_in_its_canonical_form(void **state)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "0", "0" },
		{ "0-3,8", "0-3,8" },
		{ " 8,0-3\n", "0-3,8" },
		{ "1,2,3", "1-3" },
		{ "0-4,2-6", "0-6" },
		{ "5,5", "5" },
		{ "0-7:2/4", "0-1,4-5" },
		{ "0-31:1/16", "0,16" },
		{ "65535", "65535" },
		{ "", "" },
		{ " \n", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nf_cpuset s;
		struct nf_buf b;
		struct nf_err e = { 0 };

		nf_cpuset_init(&s);
		nf_buf_init(&b, 1000);
		assert_int_equal(nf_cpuset_parse(cases[i].in, true, &s, &e), 0);
		assert_int_equal(nf_cpuset_print(&s, &b), 0);
		assert_string_equal(b.data, cases[i].out);
		nf_buf_fini(&b);
		nf_cpuset_fini(&s);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_list_prints_in_its_canonical_form),
};

NF_UNIT_MAIN(tests)
