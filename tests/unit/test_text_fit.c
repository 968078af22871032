/* SPDX-License-Identifier: MIT */
#include "report/text_fit.h"

#include <stdio.h>
#include <string.h>

#include "base/columns.h"
#include "base/utf8.h"
#include "nf_unit.h"

static void columns_are_what_a_terminal_shows(void **state)
{
	static const struct {
		const char *text;
		size_t columns;
	} row[] = {
		{ "", 0 },
		{ "abc", 3 },
		{ "\u00e4\u00f6", 2 },
		{ "a\u0308", 1 }, /* a mark over it */
		{ "\u65e5\u672c", 4 }, /* wide */
		{ "\U0001f600", 2 },
		{ "\u2588\u2581", 2 },
		{ "\xc3", 4 }, /* shown as \xc3 */
		{ "a\nb\x7f", 10 },
		{ "\u202e", 12 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		assert_int_equal(nf_columns(row[i].text, strlen(row[i].text)), row[i].columns);
}

static void a_text_is_cut_between_characters_only(void **state)
{
	static const char text[] = "a\u00e4\u65e5\U0001f600z";
	/* Bytes: 1, 2, 3, 4, 1. */
	static const size_t cut[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11 };

	(void)state;
	for (size_t max = 0; max < sizeof(cut) / sizeof(*cut); max++) {
		assert_int_equal(nf_utf8_cut(text, max), cut[max]);
		assert_int_equal(nf_utf8_cut_bytes(text, strlen(text), max), cut[max]);
	}
	/* What is no UTF-8 is cut where it is asked for. */
	assert_int_equal(nf_utf8_cut("\xff\xff\xff", 2), 2);
	assert_int_equal(nf_utf8_cut("\x80\x80\x80\x80\x80\x80", 5), 5);
	assert_int_equal(nf_columns_head(text, strlen(text), 3), 3);
	assert_int_equal(nf_columns_head(text, strlen(text), 4), 6);
	assert_int_equal(nf_columns_tail(text, strlen(text), 2), 1);
	assert_int_equal(nf_columns_tail(text, strlen(text), 3), 5);
	/* A mark goes with its letter. */
	assert_int_equal(nf_columns_tail("a\u0308b", 4, 1), 1);
}

static void clipped_name_has_its_width_and_whole_characters(void **state)
{
	struct nf_buf out;
	char name[4 * 60 + 1] = "";

	(void)state;
	for (int i = 0; i < 60; i++)
		strcat(name, i % 3 == 0 ? "\u00e4" : i % 3 == 1 ? "\u65e5" : "x");
	nf_buf_init(&out, 1 << 16);
	for (size_t width = 4; width < 100; width++) {
		uint64_t replaced = 0;
		struct nf_buf clean;

		nf_buf_clear(&out);
		nf_text_clip(&out, name, width, true);
		assert_int_equal(nf_columns(out.data, out.len_bytes), width);
		nf_buf_init(&clean, 1 << 16);
		assert_int_equal(nf_utf8_clean(&clean, out.data, out.len_bytes, &replaced), 0);
		assert_int_equal(replaced, 0);
		nf_buf_fini(&clean);
	}
	nf_buf_clear(&out);
	nf_text_clip(&out, "two\nlines", 40, false);
	assert_string_equal(out.data, "two\\x0alines");
	nf_buf_fini(&out);
}

static void cell_is_right_aligned_by_columns(void **state)
{
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 1 << 10);
	nf_buf_adds(&out, "ab");
	nf_buf_adds(&out, "\u00b5s");
	nf_text_right(&out, 2, 5);
	assert_string_equal(out.data, "ab   \u00b5s");
	nf_text_right(&out, 2, 3);
	assert_string_equal(out.data, "ab   \u00b5s");
	nf_buf_fini(&out);
}

static void wide_lines_are_broken_between_words_and_go_on_under_their_text(void **state)
{
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 1 << 16);
	nf_buf_adds(&out, "untouched, whatever its width: ........................................"
	                  "..............\n");
	size_t from = out.len_bytes;
	nf_buf_adds(&out, "  key      ");
	for (int i = 0; i < 20; i++)
		nf_buf_addf(&out, "word%d ", i);
	nf_buf_adds(&out, "\nshort\n");
	for (int i = 0; i < 100; i++)
		nf_buf_adds(&out, "\u65e5");
	nf_text_fit(&out, from, 0);
	assert_string_equal(out.data + from,
	                    "  key      word0 word1 word2 word3 word4 word5 word6 word7 word8 "
	                    "word9 word10\n"
	                    "           word11 word12 word13 word14 word15 word16 word17 word18 "
	                    "word19\n"
	                    "short\n"
	                    "\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5"
	                    "\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5"
	                    "\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5"
	                    "\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\n"
	                    "\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5"
	                    "\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5"
	                    "\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5"
	                    "\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\n"
	                    "\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5"
	                    "\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5\u65e5");
	nf_buf_fini(&out);
}

static const char *item(const void *ctx, size_t i)
{
	return ((const char *const *)ctx)[i];
}

static void names_that_look_alike_once_clipped_are_numbered(void **state)
{
	static const char *const alike[] = { "aaaaaaaaaaaaaaaa1aaaaaaaaaaaaaaaa",
		                             "aaaaaaaaaaaaaaaa2aaaaaaaaaaaaaaaa", "short" };
	struct nf_text_names names = { item, alike, 3, 0 };
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 1 << 10);
	nf_text_names_number(&names, 40);
	assert_int_equal(names.digits, 0);
	nf_text_names_legend(&out, &names, "name");
	assert_int_equal(out.len_bytes, 0);
	nf_text_names_number(&names, 20);
	assert_int_equal(names.digits, 1);
	for (size_t i = 0; i < 3; i++) {
		nf_text_names_put(&out, &names, i, 20, true);
		nf_buf_addc(&out, '|');
	}
	assert_string_equal(out.data,
	                    "1 aaaaaaa...aaaaaaaa|2 aaaaaaa...aaaaaaaa|3 short             |");
	nf_buf_clear(&out);
	nf_text_names_legend(&out, &names, "name");
	assert_string_equal(out.data, "\n#  name\n1  aaaaaaaaaaaaaaaa1aaaaaaaaaaaaaaaa\n"
	                              "2  aaaaaaaaaaaaaaaa2aaaaaaaaaaaaaaaa\n3  short\n");
	nf_buf_fini(&out);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(columns_are_what_a_terminal_shows),
	cmocka_unit_test(a_text_is_cut_between_characters_only),
	cmocka_unit_test(clipped_name_has_its_width_and_whole_characters),
	cmocka_unit_test(cell_is_right_aligned_by_columns),
	cmocka_unit_test(wide_lines_are_broken_between_words_and_go_on_under_their_text),
	cmocka_unit_test(names_that_look_alike_once_clipped_are_numbered),
};
NF_UNIT_MAIN(tests)
