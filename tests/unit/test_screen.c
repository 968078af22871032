/* SPDX-License-Identifier: MIT */
#include "board/screen.h"

#include "nf_unit.h"

static void expect(const char *data, size_t n, const char *shown, unsigned dropped)
{
	for (size_t step = 1; step <= n; step++) {
		struct nf_screen s = { 0 };
		struct nf_buf out;

		nf_buf_init(&out, 4096);
		for (size_t at = 0; at < n; at += step)
			assert_int_equal(nf_screen_filter(&s, data + at,
			                                  n - at < step ? n - at : step, &out),
			                 0);
		assert_string_equal(out.data, shown);
		assert_int_equal(s.n_dropped, dropped);
		nf_buf_fini(&out);
	}
}
#define EXPECT(data, shown, dropped) expect(data, sizeof(data) - 1, shown, dropped)

static void what_a_line_editor_needs_comes_through(void **state)
{
	(void)state;
	EXPECT("# ls\r\n\tx\b \b\a", "# ls\r\n\tx\b \b\a", 0);
	EXPECT("\033[1;31mred\033[0m\033[K\033[2J\033[3;4H\033[5D\033[4P\033[@",
	       "\033[1;31mred\033[0m\033[K\033[2J\033[3;4H\033[5D\033[4P\033[@", 0);
	EXPECT("\033[?25l\033[?25h", "\033[?25l\033[?25h", 0);
	EXPECT("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 0);
	EXPECT("a\0b", "ab", 0);
}

static void what_changes_the_terminal_does_not(void **state)
{
	(void)state;
	EXPECT("a\033]0;title\ab", "ab", 1);
	EXPECT("a\033]52;c;QUJD\033\\b", "ab", 1);
	EXPECT("a\033P$q\"p\033\\b\033_x\033\\c\033^y\033\\d\033Xz\033\\e", "abcde", 4);
	EXPECT("a\033cb\033(0c\033#8d\033=e", "abcde", 4);
	EXPECT("a\033[cb\033[6nc\033[8;1;1td\033[?1049he\033[?2004hf\033[!pg\033[0 qh\033[5i",
	       "abcdefgh", 8);
	EXPECT("a\xc2\x9b"
	       "31mb\xc2\x9d"
	       "0;t\ac\xc2\x90q\033\\d\xc2\x85",
	       "abcd", 4);
	EXPECT("a\x9b"
	       "31m",
	       "a\xef\xbf\xbd"
	       "31m",
	       0);
	EXPECT("a\x0e\x0f\x05\x7f"
	       "b",
	       "ab", 4);
	EXPECT("\xe2\x82(\xff\xc0", "\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd", 0);
	EXPECT("\033]0;never ends\r\nnext", "\r\nnext", 1);
	EXPECT("\033\033[1mx", "\033[1mx", 1);
	EXPECT("\033[12\nx", "\nx", 1);
}

static void a_long_sequence_is_dropped(void **state)
{
	char data[80] = "\033[", *p = data + 2;

	(void)state;
	memset(p, '1', 60);
	strcpy(p + 60, "mx");
	expect(data, strlen(data), "x", 1);
}

static void a_full_buffer_is_told(void **state)
{
	struct nf_screen s = { 0 };
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 4);
	assert_int_equal(nf_screen_filter(&s, "123456", 6, &out), -NF_EDATA);
	nf_buf_fini(&out);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_a_line_editor_needs_comes_through),
	cmocka_unit_test(what_changes_the_terminal_does_not),
	cmocka_unit_test(a_long_sequence_is_dropped),
	cmocka_unit_test(a_full_buffer_is_told),
};
NF_UNIT_MAIN(tests)
