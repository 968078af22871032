/* SPDX-License-Identifier: MIT */
/* Patterns that compile and are not fit for a console's lines. */
#include "board/pattern.h"

#include "board/line.h"
#include "nf_unit.h"

enum { LIMIT = NF_LINE_LIMIT };

static int check(const char *text, struct nf_err *err)
{
	*err = (struct nf_err){ 0 };
	return nf_pattern_check(text, LIMIT, err);
}

static void expect_fit(const char *text)
{
	struct nf_err err;

	if (check(text, &err) != 0)
		fail_msg("%s: %s", text, err.msg);
	assert_int_equal(err.code, 0);
}

static void expect_refused(const char *text, const char *word, size_t at)
{
	struct nf_err err;
	char place[32] = "";

	if (at)
		snprintf(place, sizeof(place), " byte %zu: ", at);
	if (check(text, &err) != -NF_EARG || !strstr(err.msg, word) || !strstr(err.msg, place))
		fail_msg("%s: '%s', expected '%s' at %zu", text, err.msg, word, at);
}

static void a_line_break_is_refused_however_it_is_spelled(void **state)
{
	static const char *const same[] = { "\\n",     "\\r",     "\\012",    "\\015",  "\\12",
		                            "\\x0a",   "\\x0D",   "\\xa",     "\\x{a}", "\\x{000d}",
		                            "\\o{12}", "\\o{15}", "\\cJ",     "\\cm",   "\\R",
		                            "\\v",     "[\\n]",   "[\\r\\n]", "\\f" };

	(void)state;
	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
		static const char *const around[] = {
			"%s",          "up%s",       "(%s| )up",       "(?<=%s)up",    "up(?=%s)",
			"up%s?",       "up(?!%s)",   "up%s*",          "u(?:p%s){2,}", "up%s{2}",
			"(?i)up%s+?x", "up%s{0,3}+", "(?x) up  %s # x"
		};

		for (size_t k = 0; k < sizeof(around) / sizeof(*around); k++) {
			const char *at = strstr(around[k], "%s");
			char text[128];

			/* Of no fixed length: no pattern to begin with. */
			if (strcmp(same[i], "\\R") == 0 && strstr(around[k], "(?<="))
				continue;
			snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - around[k]), around[k],
			         same[i], at + 2);
			expect_refused(text, "a line break, \\x", (size_t)(at - around[k]) + 1);
		}
	}
	expect_refused("up\n", "a line break, \\x0a", 3);
	expect_refused("a\\Q\r\\E", "a line break, \\x0d", 4);
	expect_refused("(?x)a # comment\n b", "a line break, \\x0a", 16);
}

static void what_takes_other_characters_too_is_fit(void **state)
{
	static const char *const fit[] = {
		"up",
		"[^\\n]+up",
		"up\\s",
		"up[ \\n]",
		"up\\h",
		"up\\W",
		"up\\D?",
		"\\N+x",
		"up.",
		"up\\t",
		"\\\\n",
		"\\Q\\n\\E",
		"a\\\\x0a",
		"(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10",
		"(a)\\1",
		"(?<x>a)\\g{x}\\k<x>",
		"(?(?=a)ab|c)",
		"^login: $",
		"x\\b",
		"# $",
		"(?<=[#$] )$",
		"\\$ \\z",
		"a(?#\\n)b",
		"\xc3\xa4",
		"[[:space:]]x",
		"(?x) a b # c",
		"WALLCLOCK_US>(\\d+)",
		"a{2}\\x41",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(fit) / sizeof(*fit); i++)
		expect_fit(fit[i]);
}

static void other_control_characters_are_refused(void **state)
{
	(void)state;
	expect_refused("\\x1b\\[0m", "a control character, \\x1b", 1);
	expect_refused("a\\e", "a control character, \\x1b", 2);
	expect_refused("ab\\a", "a control character, \\x07", 3);
	expect_refused("\\0", "a control character, \\x00", 1);
	expect_refused("x[\\x01-\\x08]", "a control character, \\x01", 2);
	expect_refused("x\x7f", "a control character, \\x7f", 2);
	/* With as many groups it is a reference. */
	expect_refused("(a)(b)\\12", "a line break, \\x0a", 7);
}

static void what_matches_an_empty_text_is_refused(void **state)
{
	static const char *const empty[] = { "x*",      "^",    "$",      "()",  "(up)?",
		                             "a|",      "(?:)", "^\\s*$", "\\b", "(?=.)",
		                             "(?!x)",   "\\A",  "(\\d*)", "^$",  "a{0,4}",
		                             "(?i)x*+", ".*",   "(?=\\w)" };

	(void)state;
	for (size_t i = 0; i < sizeof(empty) / sizeof(*empty); i++)
		expect_refused(empty[i], "matches an empty text", 0);
}

/* Written so that it needs n bytes. */
static void longest(char *text, size_t size, size_t n)
{
	if (n > 40000)
		snprintf(text, size, "x{%zu}y{40000}", n - 40000);
	else
		snprintf(text, size, "x{%zu}", n);
}

static void what_is_longer_than_a_line_is_refused_whatever_the_limit(void **state)
{
	static const size_t limits[] = { 1,   2,    16,    100,   255,
		                         256, 4095, 40000, 65533, NF_PATTERN_LIMIT_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		for (size_t n = limits[i] > 1 ? limits[i] - 1 : 1; n <= limits[i] + 1; n++) {
			struct nf_err err = { 0 };
			char text[64];

			longest(text, sizeof(text), n);
			int r = nf_pattern_check(text, limits[i], &err);
			if (r != (n > limits[i] ? -NF_EARG : 0))
				fail_msg("%s with a limit of %zu: %d, %s", text, limits[i], r,
				         err.msg);
			if (r < 0)
				assert_non_null(strstr(err.msg, "longer than the longest line"));
		}
	assert_int_equal(nf_pattern_check("x", 0, NULL), -NF_EARG);
	assert_int_equal(nf_pattern_check("x", NF_PATTERN_LIMIT_MAX + 1, NULL), -NF_EARG);
	assert_int_equal(nf_pattern_check("(", 10, NULL), -NF_EARG);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_line_break_is_refused_however_it_is_spelled),
	cmocka_unit_test(what_takes_other_characters_too_is_fit),
	cmocka_unit_test(other_control_characters_are_refused),
	cmocka_unit_test(what_matches_an_empty_text_is_refused),
	cmocka_unit_test(what_is_longer_than_a_line_is_refused_whatever_the_limit),
};
NF_UNIT_MAIN(tests)
