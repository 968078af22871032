/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <locale.h>
#include <math.h>

#include "base/arena.h"
#include "base/buf.h"
#include "nf_unit.h"

static void an_empty_buffer_is_an_empty_string(void **state)
{
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 1);
	assert_string_equal(b.data, "");
	nf_buf_clear(&b);
	assert_string_equal(b.data, "");
	assert_int_equal(nf_buf_add(&b, NULL, 0), 0);
	assert_string_equal(b.data, "");
	nf_buf_fini(&b);
	nf_buf_fini(&b);
	assert_string_equal(b.data, "");
}

static void appends_add_up_and_stay_terminated(void **state)
{
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 100000);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(nf_buf_addf(&b, "%d", i % 10), 0);
		assert_int_equal(nf_buf_addc(&b, 'x'), 0);
		assert_int_equal(b.len_bytes, 2 * (i + 1));
		assert_int_equal(b.data[b.len_bytes], '\0');
	}
	assert_int_equal(nf_buf_add(&b, "a\0b", 3), 0);
	assert_memory_equal(b.data + 1996, "8x9xa\0b", 8);
	nf_buf_fini(&b);
}

static void the_ceiling_is_exact_and_remembered(void **state)
{
	struct nf_err e = { 0 };
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 5);
	assert_int_equal(nf_buf_adds(&b, "12345"), 0);
	assert_int_equal(nf_buf_failed(&b, "x", &e), 0);
	assert_int_equal(nf_buf_addc(&b, '6'), -NF_EDATA);
	assert_string_equal(b.data, "12345");
	assert_int_equal(nf_buf_add(&b, "", 0), -NF_EDATA);
	assert_int_equal(nf_buf_addf(&b, "%s", ""), -NF_EDATA);
	assert_int_equal(nf_buf_failed(&b, "the report", &e), -NF_EDATA);
	assert_string_equal(e.msg, "the report does not fit into 5 bytes");
	assert_null(nf_buf_steal(&b));
	nf_buf_clear(&b);
	assert_int_equal(nf_buf_addf(&b, "%05d", 1), 0);
	assert_string_equal(b.data, "00001");
	assert_int_equal(nf_buf_add(&b, b.data, SIZE_MAX), -NF_EDATA);
	nf_buf_fini(&b);
}

static void stolen_text_belongs_to_the_caller(void **state)
{
	struct nf_buf b;
	char *s;

	(void)state;
	nf_buf_init(&b, 10);
	s = nf_buf_steal(&b);
	assert_string_equal(s, "");
	free(s);
	nf_buf_adds(&b, "abc");
	s = nf_buf_steal(&b);
	assert_string_equal(s, "abc");
	assert_int_equal(b.len_bytes, 0);
	assert_int_equal(nf_buf_adds(&b, "0123456789"), 0);
	free(s);
	nf_buf_fini(&b);
}

static void doubles_have_the_fewest_digits_that_read_back(void **state)
{
	static const struct {
		double v;
		const char *text;
	} cases[] = {
		{ 0, "0.0" },
		{ -0.0, "-0.0" },
		{ 1, "1.0" },
		{ -1.5, "-1.5" },
		{ 100, "100.0" },
		{ 0.1, "0.1" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 1e15, "1000000000000000.0" },
		{ 1e16, "1e+16" },
		{ 123456789012345680.0, "1.2345678901234568e+17" },
		{ 0.0001, "0.0001" },
		{ 0.00001, "1e-05" },
		{ 9007199254740993.0, "9007199254740992.0" },
		{ 5e-324, "5e-324" },
		{ DBL_MAX, "1.7976931348623157e+308" },
		{ DBL_MIN, "2.2250738585072014e-308" },
	};
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 100);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		nf_buf_clear(&b);
		assert_int_equal(nf_buf_add_double(&b, cases[i].v), 0);
		assert_string_equal(b.data, cases[i].text);
		assert_true(strtod(b.data, NULL) == cases[i].v);
	}
	nf_buf_clear(&b);
	assert_int_equal(nf_buf_add_double(&b, (double)NAN), -NF_EDATA);
	nf_buf_clear(&b);
	assert_int_equal(nf_buf_add_double(&b, (double)-INFINITY), -NF_EDATA);
	assert_string_equal(b.data, "");
	nf_buf_fini(&b);
}

static void a_locale_does_not_change_the_decimal_point(void **state)
{
	struct nf_buf b;

	(void)state;
	skip_unless(setlocale(LC_NUMERIC, "de_DE.UTF-8"), "locale-de", "no de_DE.UTF-8 locale");
	nf_buf_init(&b, 100);
	assert_int_equal(nf_buf_add_double(&b, 2.5), 0);
	assert_int_equal(nf_buf_add_double(&b, 1.5e-9), 0);
	setlocale(LC_NUMERIC, "C");
	assert_string_equal(b.data, "2.51.5e-09");
	nf_buf_fini(&b);
}

static void arena_memory_is_zeroed_aligned_and_apart(void **state)
{
	unsigned char *p[200];
	struct nf_arena a;

	(void)state;
	nf_arena_init(&a, 10000000);
	for (size_t i = 0; i < 200; i++) {
		size_t n = i * i % 9000;

		p[i] = nf_arena_alloc(&a, n, 1);
		assert_non_null(p[i]);
		assert_int_equal((uintptr_t)p[i] % _Alignof(max_align_t), 0);
		for (size_t k = 0; k < n; k++)
			assert_int_equal(p[i][k], 0);
		memset(p[i], (int)i + 1, n);
	}
	for (size_t i = 0; i < 200; i++)
		for (size_t k = 0; k < i * i % 9000; k++)
			assert_int_equal(p[i][k], (i + 1) & 0xff);
	assert_int_equal(nf_arena_failed(&a, "x", NULL), 0);
	nf_arena_fini(&a);
	nf_arena_fini(&a);
}

static void arena_texts_are_copies(void **state)
{
	struct nf_arena a;
	char text[] = "abc", *s, *t;

	(void)state;
	nf_arena_init(&a, 100000);
	s = nf_arena_strdup(&a, text);
	t = nf_arena_strndup(&a, text, 2);
	text[0] = 'x';
	assert_string_equal(s, "abc");
	assert_string_equal(t, "ab");
	assert_string_equal(nf_arena_printf(&a, "%5000d|%s", 7, s) + 4999, "7|abc");
	assert_string_equal(nf_arena_strndup(&a, NULL, 0), "");
	assert_null(nf_arena_strdup(&a, NULL));
	assert_int_equal(nf_arena_failed(&a, "x", NULL), 0);
	nf_arena_fini(&a);
}

static void an_arena_has_a_ceiling(void **state)
{
	struct nf_err e = { 0 };
	struct nf_arena a;

	(void)state;
	nf_arena_init(&a, 64);
	assert_non_null(nf_arena_alloc(&a, 64, 1));
	assert_null(nf_arena_alloc(&a, 1, 1));
	assert_int_equal(nf_arena_failed(&a, "the record", &e), -NF_EDATA);
	assert_string_equal(e.msg, "the record does not fit into 64 bytes");
	nf_arena_fini(&a);
	nf_arena_init(&a, SIZE_MAX);
	assert_null(nf_arena_alloc(&a, SIZE_MAX / 2, 3));
	assert_int_equal(nf_arena_failed(&a, "x", NULL), -NF_EDATA);
	assert_null(nf_arena_strdup(&a, "later"));
	nf_arena_fini(&a);
	nf_arena_init(&a, SIZE_MAX);
	assert_null(nf_arena_alloc(&a, SIZE_MAX, 1));
	nf_arena_fini(&a);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(an_empty_buffer_is_an_empty_string),
	cmocka_unit_test(appends_add_up_and_stay_terminated),
	cmocka_unit_test(the_ceiling_is_exact_and_remembered),
	cmocka_unit_test(stolen_text_belongs_to_the_caller),
	cmocka_unit_test(doubles_have_the_fewest_digits_that_read_back),
	cmocka_unit_test(a_locale_does_not_change_the_decimal_point),
	cmocka_unit_test(arena_memory_is_zeroed_aligned_and_apart),
	cmocka_unit_test(arena_texts_are_copies),
	cmocka_unit_test(an_arena_has_a_ceiling),
};

NF_UNIT_MAIN(tests)
