/* SPDX-License-Identifier: MIT */
#include "board/line.h"

#include "nf_unit.h"

enum { LINES = 64 };

struct got {
	struct nf_line line[LINES];
	char text[LINES][256];
	size_t n;
};

static int keep(void *ctx, const struct nf_line *line, struct nf_err *err)
{
	struct got *g = ctx;

	(void)err;
	assert_true(g->n < LINES);
	assert_true(line->text[line->len] == '\0');
	g->line[g->n] = *line;
	snprintf(g->text[g->n], sizeof(g->text[0]), "%.*s", (int)line->len, line->text);
	g->line[g->n].text = g->text[g->n];
	g->n++;
	return 0;
}

static void assemble(struct got *g, struct nf_line_counts *counts, const char *data, size_t n,
                     size_t step)
{
	struct nf_lines s;

	*g = (struct got){ 0 };
	assert_int_equal(nf_line_init(&s, 64, NULL), 0);
	for (size_t at = 0; at < n; at += step) {
		struct nf_line_time t = { (int64_t)at * 10, (int64_t)at * 10 + 5,
			                  (int64_t)at * 10 + 9, false };

		assert_int_equal(nf_line_feed(&s, data + at, n - at < step ? n - at : step, &t,
		                              keep, g, NULL),
		                 0);
	}
	assert_int_equal(nf_line_finish(&s, keep, g, NULL), 0);
	if (counts)
		*counts = s.counts;
	nf_line_fini(&s);
}

/* lines: texts joined by '|'. */
static void expect_bytes(const char *data, size_t n, const char *lines)
{
	for (size_t step = 1; step <= n + 1; step++) {
		struct got g;
		char all[4096] = "";
		uint64_t at = 0;

		assemble(&g, NULL, data, n, step);
		for (size_t i = 0; i < g.n; i++) {
			assert_true(g.line[i].raw_offset == at);
			at += g.line[i].raw_bytes;
			strcat(strcat(all, i ? "|" : ""), g.text[i]);
		}
		assert_string_equal(all, lines);
	}
}

#define EXPECT(data, lines) expect_bytes(data, sizeof(data) - 1, lines)

static void every_ending_ends_a_line(void **state)
{
	(void)state;
	EXPECT("a\nb\n", "a|b");
	EXPECT("a\r\nb\r\n", "a|b");
	EXPECT("a\r\r\nb\r\r\r\n", "a|b");
	EXPECT("a\n\rb\n\r", "a|b");
	EXPECT("\n\n", "|");
	EXPECT("\r\n\r\n", "|");
	EXPECT("a\n\r\nb", "a||b");
	EXPECT("a\r\0\nb", "a|b");
	EXPECT("prompt # ", "prompt # ");
	EXPECT("", "");
}

static void endings_are_told_apart(void **state)
{
	static const char data[] = "a\nb\r\nc\r\r\nd\n\re\n\r\nf\n\r\rg\n\r";
	struct nf_line_counts c;
	struct got g;

	(void)state;
	for (size_t step = 1; step < sizeof(data); step++) {
		assemble(&g, &c, data, sizeof(data) - 1, step);
		assert_int_equal(g.n, 8); /* e is followed by an empty line */
		assert_int_equal(g.line[0].ending, NF_LINE_LF);
		assert_int_equal(g.line[1].ending, NF_LINE_CRLF);
		assert_int_equal(g.line[2].ending, NF_LINE_CRCRLF);
		assert_int_equal(g.line[5].ending, NF_LINE_CRLF);
		assert_int_equal(c.n_ending[NF_LINE_LF], 5);
		assert_int_equal(c.n_ending[NF_LINE_CRLF], 2);
		assert_int_equal(c.n_ending[NF_LINE_CRCRLF], 1);
		assert_int_equal(c.n_lfcr, 3);
		assert_int_equal(c.raw_bytes, sizeof(data) - 1);
		assert_int_equal(c.n_lines, 8);
	}
}

static void a_lone_cr_replaces_the_line_so_far(void **state)
{
	struct got g;

	(void)state;
	EXPECT("abc\rx\n", "x");
	EXPECT("abc\r\n", "abc");
	EXPECT("abc\r", "abc");
	EXPECT("10%\r20%\r\r30%\r\n", "30%");
	EXPECT("abc\r\033[0m\n", "abc");
	EXPECT("abc\r\033[K\nx", "|x");
	EXPECT("abc\r\t\n", "\t");
	assemble(&g, NULL, "abc\rx\n", 6, 1);
	assert_true(g.line[0].replaced);
	assert_int_equal(g.line[0].first_lo_ns, 40); /* of the x */
	assert_int_equal(g.line[0].first_hi_ns, 45);
	assert_int_equal(g.line[0].last_lo_ns, 50);
	assert_int_equal(g.line[0].raw_offset, 0);
	assert_int_equal(g.line[0].raw_bytes, 6);
	assemble(&g, NULL, "abc\r\n", 5, 1);
	assert_false(g.line[0].replaced);
}

static void moving_back_replaces_from_there(void **state)
{
	(void)state;
	EXPECT("autoboot:  2 \b\b\b 1 \b\b\b 0 \n", "autoboot:  0 ");
	EXPECT("abc\b\n", "abc");
	EXPECT("abc\b\bXbc\b\b\n", "aXbc");
	EXPECT("abc\b \b\bX\n", "aX");
	EXPECT("a\xc3\xa9\bX\n", "aX");
	EXPECT("a\xf0\x9f\x98\x80\bX\n", "aX");
	EXPECT("a\x80\x80\bX\n", "a\x80X");
	EXPECT("\b\b\bX\n", "X");
	EXPECT("abcd\033[2DX\n", "abX");
	EXPECT("abcd\033[DX\n", "abcX");
	EXPECT("abcd\033[99999999999999999999DX\n", "X");
	EXPECT("abcd\033[GX\n", "X");
	EXPECT("abcd\033[5GX\n", "abcdX");
	EXPECT("abcd\b\b\033[K\n", "ab");
	EXPECT("abcd\033[K\n", "abcd");
	EXPECT("abcd\033[2K\n", "");
	EXPECT("abcd\033[1Kx\n", "abcdx");
}

static void control_sequences_are_removed(void **state)
{
	(void)state;
	EXPECT("\033[1;31mred\033[0m\n", "red");
	EXPECT("a\033[?25lb\033[>0cc\n", "abc");
	EXPECT("a\033]0;title\007b\n", "ab");
	EXPECT("a\033]52;c;AAAA\033\\b\n", "ab");
	EXPECT("a\033Pq#0\033\\b\033_x\033\\c\033^y\033\\d\033Xz\033\\e\n", "abcde");
	EXPECT("a\033(Bb\033#8c\033cd\n", "abcd");
	EXPECT("a\xc2\x9b"
	       "31mb\xc2\x9d"
	       "0;t\xc2\x9c"
	       "c\n",
	       "abc");
	EXPECT("a\xc2\x85"
	       "b\n",
	       "ab");
	EXPECT("a\033]0;cut\nb\n", "a|b");
	EXPECT("a\033[3\nb\n", "a|b");
	EXPECT("a\033\nb\n", "a|b");
	EXPECT("a\033[3\033[1mb\n", "ab");
	EXPECT("a\033]0;x\033[1mb\007c\n", "ac");
	EXPECT("a\033[\xff"
	       "b\n",
	       "a\xff"
	       "b");
	EXPECT("a\007\013\014\016\017\177b\n", "ab");
	EXPECT("a\0b\0\0c\n", "abc");
	EXPECT("a\tb\n", "a\tb");
}

static void what_is_dropped_is_counted(void **state)
{
	static const char data[] = "a\0\0b\033[1mc\007\x80\xc3(\n";
	struct nf_line_counts c;
	struct got g;

	(void)state;
	for (size_t step = 1; step < sizeof(data); step++) {
		assemble(&g, &c, data, sizeof(data) - 1, step);
		assert_int_equal(g.n, 1);
		assert_string_equal(g.text[0], "abc\x80\xc3(");
		assert_int_equal(g.line[0].n_nul, 2);
		assert_int_equal(g.line[0].n_controls, 2);
		assert_int_equal(g.line[0].n_bad_utf8, 2);
		assert_int_equal(c.n_nul, 2);
		assert_int_equal(c.control_bytes, 5);
		/* Every byte is text, ending, NUL, control, cut or replaced. */
		assert_int_equal(c.raw_bytes, g.line[0].len + 1 + c.n_nul + c.control_bytes);
	}
}

static void broken_utf8_is_kept_and_flagged(void **state)
{
	static const struct {
		const char *data;
		unsigned n_bad;
	} cases[] = {
		{ "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xc2\xa0", 0 },
		{ "\x80", 1 },
		{ "\xff\xfe", 2 },
		{ "\xc3", 1 },
		{ "\xc2", 1 },
		{ "\xc2"
		  "a",
		  1 },
		{ "\xc2\xc2\xa0", 1 },
		{ "\xe2\x82", 1 },
		{ "\xe2\x82"
		  "a",
		  1 },
		{ "\xe0\x80\x80", 3 },
		{ "\xed\xa0\x80", 3 },
		{ "\xf4\x90\x80\x80", 4 },
		{ "\xc0\xaf", 2 },
		{ "\x9b"
		  "31m",
		  1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t step = 1; step <= strlen(cases[i].data); step++) {
			struct got g;

			assemble(&g, NULL, cases[i].data, strlen(cases[i].data), step);
			assert_int_equal(g.n, 1);
			assert_string_equal(g.text[0], cases[i].data);
			assert_int_equal(g.line[0].n_bad_utf8, cases[i].n_bad);
			assert_int_equal(g.line[0].ending, NF_LINE_UNTERMINATED);
		}
}

static void a_long_line_is_cut_and_counted(void **state)
{
	struct nf_line_counts c;
	struct got g;
	char data[300];

	(void)state;
	for (size_t step = 1; step < 120; step++) {
		memset(data, 'x', 100);
		memcpy(data + 100, "\nshort\n", 7);
		assemble(&g, &c, data, 107, step);
		assert_int_equal(g.n, 2);
		assert_int_equal(g.line[0].len, 64);
		assert_int_equal(g.line[0].cut_bytes, 36);
		assert_int_equal(g.line[1].cut_bytes, 0);
		assert_int_equal(c.n_cut, 1);
		assert_int_equal(c.cut_bytes, 36);
		assert_string_equal(g.text[1], "short");

		/* A character is not cut in two; moving back there does nothing; CR begins anew. */
		memset(data, 'x', 63);
		memcpy(data + 63, "\xe2\x82\xacyz\b\b\033[Gab\n", 13);
		assemble(&g, NULL, data, 76, step);
		assert_int_equal(g.n, 1);
		assert_int_equal(g.line[0].len, 63);
		assert_int_equal(g.line[0].cut_bytes, 7);
		memcpy(data + 63, "\xe2\x82\xacyz\rab\n", 9);
		assemble(&g, NULL, data, 72, step);
		assert_string_equal(g.text[0], "ab");
		assert_int_equal(g.line[0].cut_bytes, 5);
	}
}

static void a_string_of_noise_ends(void **state)
{
	enum { N = NF_LINE_CONTROL_MAX };
	static char data[N + 16];
	struct nf_line_counts c;
	struct got g;

	(void)state;
	data[0] = '\033';
	data[1] = ']';
	memset(data + 2, 'x', N + 2);
	data[N + 4] = '\n';
	assemble(&g, &c, data, N + 5, 7);
	assert_int_equal(g.n, 1);
	assert_string_equal(g.text[0], "xx");
	assert_int_equal(c.control_bytes, N + 2);
	/* A CSI that never ends is given up sooner. */
	memset(data + 2, '1', 200);
	data[1] = '[';
	data[150] = '\n';
	assemble(&g, NULL, data, 151, 3);
	assert_true(g.line[0].len > 0);
}

static void the_first_byte_of_a_read_has_an_interval_of_its_own(void **state)
{
	struct nf_line_time a = { 0, 10, 12, true }, b = { 12, 20, 25, false };
	struct nf_lines s;
	struct got g = { 0 };

	(void)state;
	assert_int_equal(nf_line_init(&s, 64, NULL), 0);
	assert_int_equal(nf_line_feed(&s, "x\ny", 3, &a, keep, &g, NULL), 0);
	assert_int_equal(nf_line_feed(&s, "\nz", 2, &b, keep, &g, NULL), 0);
	assert_int_equal(nf_line_finish(&s, keep, &g, NULL), 0);
	assert_int_equal(g.n, 3);
	assert_true(g.line[0].waiting && g.line[1].waiting && !g.line[2].waiting);
	assert_int_equal(g.line[0].first_lo_ns, 0);
	assert_int_equal(g.line[0].first_hi_ns, 10);
	assert_int_equal(g.line[0].last_hi_ns, 12);
	assert_int_equal(g.line[1].first_hi_ns, 12);
	assert_int_equal(g.line[1].last_lo_ns, 12);
	assert_int_equal(g.line[1].last_hi_ns, 20);
	assert_int_equal(g.line[2].first_hi_ns, 25);
	nf_line_fini(&s);
}

static void a_held_byte_keeps_its_time(void **state)
{
	struct got g;

	(void)state;
	assemble(&g, NULL, "\xc2\xa0\n", 3, 1);
	assert_int_equal(g.line[0].first_lo_ns, 0);
	assert_int_equal(g.line[0].first_hi_ns, 5);
}

static void the_tail_tells_what_stands_of_it(void **state)
{
	struct nf_line_time t = { 0, 0, 0, false };
	struct nf_lines s;
	struct nf_line tail;
	struct got g = { 0 };

	(void)state;
	assert_int_equal(nf_line_init(&s, 64, NULL), 0);
#define TAIL(add, all, stands) \
	do { \
		assert_int_equal(nf_line_feed(&s, add, strlen(add), &t, keep, &g, NULL), 0); \
		assert_int_equal(nf_line_tail(&s, &tail), stands); \
		assert_int_equal(tail.len, strlen(all)); \
		assert_memory_equal(tail.text, all, tail.len); \
		assert_int_equal(tail.ending, NF_LINE_UNTERMINATED); \
	} while (0)
	TAIL("ab", "ab", 0);
	TAIL("cd", "abcd", 2);
	TAIL("\b\b", "abcd", 4);
	TAIL("X", "abX", 2);
	TAIL("\r", "abX", 3);
	TAIL("Y", "Y", 0);
	TAIL("\xe2\x82", "Y", 1);
	TAIL("\xac", "Y\xe2\x82\xac", 1);
	TAIL("\nab", "ab", 0);
	TAIL("", "ab", 2);
#undef TAIL
	nf_line_fini(&s);
}

static int fail_at_second(void *ctx, const struct nf_line *line, struct nf_err *err)
{
	unsigned *n = ctx;

	(void)line;
	return ++*n == 2 ? nf_fail(err, NF_ESUBJECT, "enough") : 0;
}

static void the_callers_failure_ends_it(void **state)
{
	struct nf_line_time t = { 0, 0, 0, false };
	struct nf_lines s;
	unsigned n = 0;

	(void)state;
	assert_int_equal(nf_line_init(&s, 64, NULL), 0);
	assert_int_equal(nf_line_feed(&s, "a\nb\nc\n", 6, &t, fail_at_second, &n, NULL),
	                 -NF_ESUBJECT);
	assert_int_equal(n, 2);
	nf_line_fini(&s);
}

static void a_limit_out_of_range_is_refused(void **state)
{
	struct nf_lines s = { 0 };
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(nf_line_init(&s, NF_LINE_LIMIT_MIN - 1, &err), -NF_EARG);
	assert_non_null(strstr(err.msg, "15"));
	assert_int_equal(nf_line_init(&s, (size_t)NF_LINE_LIMIT_MAX + 1, &err), -NF_EARG);
	assert_null(s.text);
	nf_line_fini(&s);
}

static void endings_have_names(void **state)
{
	(void)state;
	assert_string_equal(nf_line_ending_name(NF_LINE_CRCRLF), "CRCRLF");
	assert_string_equal(nf_line_ending_name(NF_LINE_UNTERMINATED), "none");
	assert_string_equal(nf_line_ending_name(NF_LINE_N_ENDINGS), "none");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_ending_ends_a_line),
	cmocka_unit_test(endings_are_told_apart),
	cmocka_unit_test(a_lone_cr_replaces_the_line_so_far),
	cmocka_unit_test(moving_back_replaces_from_there),
	cmocka_unit_test(control_sequences_are_removed),
	cmocka_unit_test(what_is_dropped_is_counted),
	cmocka_unit_test(broken_utf8_is_kept_and_flagged),
	cmocka_unit_test(a_long_line_is_cut_and_counted),
	cmocka_unit_test(a_string_of_noise_ends),
	cmocka_unit_test(the_first_byte_of_a_read_has_an_interval_of_its_own),
	cmocka_unit_test(a_held_byte_keeps_its_time),
	cmocka_unit_test(the_tail_tells_what_stands_of_it),
	cmocka_unit_test(the_callers_failure_ends_it),
	cmocka_unit_test(a_limit_out_of_range_is_refused),
	cmocka_unit_test(endings_have_names),
};
NF_UNIT_MAIN(tests)
