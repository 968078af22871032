/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "base/fail.h"
#include "nf_unit.h"

static void failing_fills_the_error_and_returns_the_negated_code(void **state)
{
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_fail(&e, NF_EARG, "--%s: '%s'", "cpus", "9"), -NF_EARG);
	assert_int_equal(e.code, NF_EARG);
	assert_int_equal(e.os_errno, 0);
	assert_string_equal(e.msg, "--cpus: '9'");
	assert_int_equal(nf_fail(NULL, NF_EDATA, "not wanted"), -NF_EDATA);
}

static void a_failed_call_names_its_errno(void **state)
{
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_fail_os(&e, ENOENT, "open %s", "x"), -NF_EOS);
	assert_int_equal(e.os_errno, ENOENT);
	assert_string_equal(e.msg, "open x: No such file or directory");
}

static void long_messages_are_cut_not_overrun(void **state)
{
	struct nf_err e = { 0 };
	char big[2000];

	(void)state;
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	assert_int_equal(nf_fail_os(&e, EIO, "%s", big), -NF_EOS);
	assert_int_equal(strlen(e.msg), sizeof(e.msg) - 1);
}

static void every_code_has_a_text_and_an_exit_code(void **state)
{
	(void)state;
	for (int c = 1; c < NF_NCODES; c++) {
		assert_string_not_equal(nf_strerror(-c), "unknown error");
		assert_string_equal(nf_strerror(c), nf_strerror(-c));
		assert_in_range(nf_exit_code(-c), 2, 5);
	}
	assert_string_equal(nf_strerror(-1000), "unknown error");
	assert_int_equal(nf_exit_code(-1000), 4);
	assert_int_equal(nf_exit_code(0), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(failing_fills_the_error_and_returns_the_negated_code),
	cmocka_unit_test(a_failed_call_names_its_errno),
	cmocka_unit_test(long_messages_are_cut_not_overrun),
	cmocka_unit_test(every_code_has_a_text_and_an_exit_code),
};

NF_UNIT_MAIN(tests)
