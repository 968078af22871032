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

static void a_bad_list_is_quoted_with_the_allowed_form(void **state)
{
	static const struct {
		const char *in, *says;
	} cases[] = {
		{ "3-1", "'3-1' is reversed (want LOW-HIGH, e.g. 0-3,8)" },
		{ "0,3-", "'3-' has no upper end (want LOW-HIGH, e.g. 0-3,8)" },
		{ "", "the list is empty (want a list such as 0-3,8)" },
		{ " \n", "the list is empty (want a list such as 0-3,8)" },
		{ "0,,1", "a number is missing beside a comma (want a list such as 0-3,8)" },
		{ ",1", "a number is missing beside a comma (want a list such as 0-3,8)" },
		{ "1,", "a number is missing beside a comma (want a list such as 0-3,8)" },
		{ "0, 1", "' 1' is not a number or a range (want a list such as 0-3,8)" },
		{ "-1", "'-1' is not a number or a range (want a list such as 0-3,8)" },
		{ "+1", "'+1' is not a number or a range (want a list such as 0-3,8)" },
		{ "0x1", "'0x1' is not a number or a range (want a list such as 0-3,8)" },
		{ "1-2-3", "'1-2-3' is not a number or a range (want a list such as 0-3,8)" },
		{ "all", "'all' is not a number or a range (want a list such as 0-3,8)" },
		{ "65536", "'65536' is too large (numbers are 0 to 65535)" },
		{ "0-4294967296", "'0-4294967296' is too large (numbers are 0 to 65535)" },
		{ "0-7:3/2",
		  "'0-7:3/2' has a bad stride (want LOW-HIGH:USED/GROUP, e.g. 0-31:2/4)" },
		{ "0-7:0/2",
		  "'0-7:0/2' has a bad stride (want LOW-HIGH:USED/GROUP, e.g. 0-31:2/4)" },
		{ "0-7:1/0",
		  "'0-7:1/0' has a bad stride (want LOW-HIGH:USED/GROUP, e.g. 0-31:2/4)" },
		{ "0-7:2", "'0-7:2' is not a number or a range (want a list such as 0-3,8)" },
		{ "3:1/2", "'3:1/2' is not a number or a range (want a list such as 0-3,8)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nf_err e = { 0 };
		struct nf_cpuset s;

		nf_cpuset_init(&s);
		assert_int_equal(nf_cpuset_add(&s, 9, &e), 0);
		assert_int_equal(nf_cpuset_parse(cases[i].in, false, &s, &e), -NF_EARG);
		assert_string_equal(e.msg, cases[i].says);
		assert_true(nf_cpuset_has(&s, 9) && nf_cpuset_count(&s) == 1);
		nf_cpuset_fini(&s);
	}
}

static void parse(const char *text, struct nf_cpuset *ret)
{
	nf_cpuset_init(ret);
	assert_int_equal(nf_cpuset_parse(text, true, ret, NULL), 0);
}

static void members_are_added_removed_and_walked(void **state)
{
	static const int want[] = { 0, 63, 64, 1024, 65535 };
	struct nf_err e = { 0 };
	struct nf_cpuset s;
	size_t n = 0;

	(void)state;
	nf_cpuset_init(&s);
	assert_int_equal(nf_cpuset_next(&s, -1), -1);
	assert_false(nf_cpuset_has(&s, 0));
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(nf_cpuset_add(&s, want[4 - i], &e), 0);
	for (int cpu = nf_cpuset_next(&s, -1); cpu >= 0; cpu = nf_cpuset_next(&s, cpu))
		assert_int_equal(cpu, want[n++]);
	assert_int_equal(n, 5);
	assert_int_equal(nf_cpuset_next(&s, 65535), -1);
	nf_cpuset_remove(&s, 63);
	nf_cpuset_remove(&s, 5);
	nf_cpuset_remove(&s, -1);
	nf_cpuset_remove(&s, 1 << 30);
	assert_int_equal(nf_cpuset_count(&s), 4);
	assert_false(nf_cpuset_has(&s, 63) || nf_cpuset_has(&s, -1) || nf_cpuset_has(&s, 65536));
	assert_int_equal(nf_cpuset_add(&s, -1, &e), -NF_EARG);
	assert_int_equal(nf_cpuset_add(&s, NF_CPU_MAX, &e), -NF_EARG);
	nf_cpuset_fini(&s);
}

static void sets_of_different_lengths_combine(void **state)
{
	struct nf_cpuset a, b, c;

	(void)state;
	parse("0-3,200", &a);
	parse("2-5", &b);
	nf_cpuset_init(&c);
	assert_int_equal(nf_cpuset_copy(&c, &a, NULL), 0);
	assert_true(nf_cpuset_equal(&a, &c) && !nf_cpuset_equal(&a, &b));
	nf_cpuset_and(&c, &b);
	assert_int_equal(nf_cpuset_count(&c), 2);
	assert_true(nf_cpuset_has(&c, 2) && nf_cpuset_has(&c, 3));
	/* Equal in spite of the longer storage. */
	nf_cpuset_remove(&b, 4);
	nf_cpuset_remove(&b, 5);
	assert_true(nf_cpuset_equal(&b, &c) && nf_cpuset_equal(&c, &b));
	assert_int_equal(nf_cpuset_copy(&c, &a, NULL), 0);
	nf_cpuset_andnot(&c, &b);
	assert_int_equal(nf_cpuset_count(&c), 3);
	assert_true(nf_cpuset_has(&c, 200));
	/* Copying a shorter one leaves nothing of the longer. */
	assert_int_equal(nf_cpuset_copy(&c, &b, NULL), 0);
	assert_false(nf_cpuset_has(&c, 200));
	assert_int_equal(nf_cpuset_copy(&c, &c, NULL), 0);
	assert_true(nf_cpuset_equal(&b, &c));
	nf_cpuset_fini(&c);
	nf_cpuset_fini(&b);
	nf_cpuset_fini(&a);
}

static void a_subset_check_names_what_is_not_allowed(void **state)
{
	static const struct {
		const char *want, *allowed, *what, *says;
	} cases[] = {
		{ "7", "0-1", "CPU", "CPU 7 is not allowed here (allowed: 0-1)" },
		{ "0,5-7", "0-1", "CPU", "CPUs 5-7 are not allowed here (allowed: 0-1)" },
		{ "1", "", "node", "node 1 is not allowed here (allowed: none)" },
		{ "0-1", "0-1", "CPU", NULL },
		{ "", "", "CPU", NULL },
	};
	struct nf_cpuset want, allowed;
	struct nf_err e = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		parse(cases[i].want, &want);
		parse(cases[i].allowed, &allowed);
		assert_int_equal(nf_cpuset_check_subset(&want, &allowed, cases[i].what, &e),
		                 cases[i].says ? -NF_EARG : 0);
		if (cases[i].says)
			assert_string_equal(e.msg, cases[i].says);
		nf_cpuset_fini(&want);
		nf_cpuset_fini(&allowed);
	}
	/* A list that is too long for a message is cut, and shows it. */
	parse("0-60000:1/2", &want);
	parse("1-60001:1/2", &allowed);
	assert_int_equal(nf_cpuset_check_subset(&want, &allowed, "CPU", &e), -NF_EARG);
	assert_non_null(strstr(e.msg, "CPUs 0,2,4,"));
	assert_non_null(strstr(e.msg, "... are not allowed here (allowed: 1,3,5,"));
	nf_cpuset_fini(&want);
	nf_cpuset_fini(&allowed);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_list_prints_in_its_canonical_form),
	cmocka_unit_test(a_bad_list_is_quoted_with_the_allowed_form),
	cmocka_unit_test(members_are_added_removed_and_walked),
	cmocka_unit_test(sets_of_different_lengths_combine),
	cmocka_unit_test(a_subset_check_names_what_is_not_allowed),
};

NF_UNIT_MAIN(tests)
