/* SPDX-License-Identifier: MIT */
#include "nf_unit.h"
#include "report/text.h"

static void expect(const char *in, size_t n, const char *want)
{
	struct nf_buf b;

	nf_buf_init(&b, 4096);
	assert_int_equal(nf_buf_add(&b, in, n), 0);
	assert_int_equal(nf_text_printable(&b), 0);
	assert_string_equal(b.data, want);
	nf_buf_fini(&b);
}

static void control_characters_and_broken_text_are_spelt_out(void **state)
{
	(void)state;
	expect("a\nb", 3, "a\nb");
	expect("\x1b[31mred\r", 9, "\\x1b[31mred\\x0d");
	expect("a\0b\x7f", 4, "a\\x00b\\x7f");
	expect("\xff\xc3(", 3, "\\xff\\xc3(");
	expect("\xc2\x9b", 2, "\\xc2\\x9b"); /* C1: CSI */
	expect("\u2581\u00e9", 5, "\u2581\u00e9");
	expect("", 0, "");
}

static void a_buffer_that_failed_stays_failed(void **state)
{
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 4);
	assert_int_equal(nf_buf_adds(&b, "\x1b\x1b"), 0);
	assert_int_equal(nf_text_printable(&b), -NF_EDATA);
	assert_int_equal(nf_buf_failed(&b, "text", NULL), -NF_EDATA);
	nf_buf_fini(&b);
}

static void undefined_is_shown_as_unknown(void **state)
{
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 256);
	nf_text_ns(&b, false, 0);
	nf_buf_adds(&b, " ");
	nf_text_percent(&b, false, 0);
	assert_string_equal(b.data, "unknown unknown");
	nf_buf_fini(&b);
}

static void a_sparkline_shows_a_single_outlier(void **state)
{
	const uint64_t count[] = { 1000000, 0, 1 };
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 256);
	assert_int_equal(nf_text_sparkline(&b, count, 3), 0);
	assert_string_equal(b.data, "\u2588 \u2581");
	nf_buf_clear(&b);
	assert_int_equal(nf_text_sparkline(&b, count, 0), 0);
	assert_string_equal(b.data, "");
	nf_buf_fini(&b);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(control_characters_and_broken_text_are_spelt_out),
	cmocka_unit_test(a_buffer_that_failed_stays_failed),
	cmocka_unit_test(undefined_is_shown_as_unknown),
	cmocka_unit_test(a_sparkline_shows_a_single_outlier),
};

NF_UNIT_MAIN(tests)
