/* SPDX-License-Identifier: MIT */
#include "board/match.h"

#include "nf_unit.h"

static struct nf_match *pattern(const char *text)
{
	struct nf_match *m = NULL;

	assert_int_equal(nf_match_new(text, &m, NULL), 0);
	assert_string_equal(nf_match_pattern(m), text);
	return m;
}

static int line(struct nf_match *m, const char *text)
{
	return nf_match_line(m, text, strlen(text), NULL);
}

static int tail(struct nf_match *m, const char *text, size_t stable)
{
	return nf_match_tail(m, text, strlen(text), stable, NULL);
}

static void a_line_is_found_by_its_pattern(void **state)
{
	struct nf_match *m = pattern("^\\[ *(\\d+)\\.(\\d+)\\]( x)? Linux");
	size_t start, len;

	(void)state;
	assert_int_equal(line(m, "nothing"), NF_MATCH_NO);
	assert_int_equal(line(m, ""), NF_MATCH_NO);
	assert_int_equal(line(m, "[    0.125] Linux version"), NF_MATCH_YES);
	assert_int_equal(nf_match_n_groups(m), 4);
	assert_true(nf_match_group(m, 0, &start, &len) && start == 0 && len == 17);
	assert_true(nf_match_group(m, 2, &start, &len) && start == 7 && len == 3);
	assert_false(nf_match_group(m, 3, &start, &len));
	assert_false(nf_match_group(m, 4, &start, &len));
	nf_match_free(m);
	nf_match_free(NULL);
}

static void an_unfinished_line_is_found_once_nothing_can_change_it(void **state)
{
	struct nf_match *m = pattern("login: ?\\w*x");

	(void)state;
	assert_int_equal(tail(m, "buildroot l", 0), NF_MATCH_PARTIAL);
	assert_int_equal(nf_match_resume(m), 10);
	assert_int_equal(tail(m, "buildroot lamp", 11), NF_MATCH_NO);
	assert_int_equal(nf_match_resume(m), 14);
	assert_int_equal(tail(m, "buildroot lamp login:", 14), NF_MATCH_PARTIAL);
	assert_int_equal(nf_match_resume(m), 15);
	assert_int_equal(tail(m, "buildroot lamp login: x", 21),
	                 NF_MATCH_PARTIAL); /* \w* is greedy */
	assert_int_equal(tail(m, "buildroot lamp login: x ", 23), NF_MATCH_YES);
	assert_int_equal(tail(m, "buildroot lamp login: x more", 24), NF_MATCH_YES);
	assert_int_equal(tail(m, "another", 0), NF_MATCH_NO);
	nf_match_free(m);
	m = pattern(".{2}x");
	assert_int_equal(tail(m, "a", 0), NF_MATCH_PARTIAL);
	assert_int_equal(nf_match_resume(m), 0);
	nf_match_free(m);
}

static void a_prompt_is_decided_by_silence(void **state)
{
	struct nf_match *m = pattern("# $");
	size_t start, len;

	(void)state;
	assert_int_equal(tail(m, "root# ", 0), NF_MATCH_PARTIAL);
	assert_int_equal(nf_match_silence(m, "root# ", 6, NULL), NF_MATCH_YES);
	assert_true(nf_match_group(m, 0, &start, &len) && start == 4 && len == 2);
	assert_int_equal(tail(m, "root# ", 0), NF_MATCH_PARTIAL);
	assert_int_equal(tail(m, "root# l", 6), NF_MATCH_NO);
	assert_int_equal(nf_match_silence(m, "root# l", 7, NULL), NF_MATCH_NO);
	assert_int_equal(tail(m, "root# ls # ", 7), NF_MATCH_PARTIAL);
	assert_int_equal(nf_match_silence(m, "root# ls # ", 11, NULL), NF_MATCH_YES);
	nf_match_free(m);
}

static void text_that_was_replaced_is_sought_again(void **state)
{
	struct nf_match *m = pattern("boot: 1");

	(void)state;
	assert_int_equal(tail(m, "boot: 2", 0), NF_MATCH_NO);
	assert_int_equal(nf_match_resume(m), 7);
	assert_int_equal(tail(m, "boot: 1", 6),
	                 NF_MATCH_NO); /* its start was tried, with what stood then */
	assert_int_equal(tail(m, "boot: 1", 0), NF_MATCH_YES);
	nf_match_free(m);
}

static void look_behind_sees_what_was_scanned(void **state)
{
	struct nf_match *m = pattern("(?<=ab)c\\b");

	(void)state;
	assert_int_not_equal(tail(m, "xab", 0), NF_MATCH_YES);
	assert_int_equal(nf_match_resume(m), 3);
	assert_int_equal(tail(m, "xabc", 3), NF_MATCH_PARTIAL);
	assert_int_equal(tail(m, "xabc ", 4), NF_MATCH_YES);
	nf_match_free(m);
}

static void a_catastrophic_pattern_is_told(void **state)
{
	struct nf_match *m = pattern("(a+)+b$");
	struct nf_err err = { 0 };
	char text[64];

	(void)state;
	memset(text, 'a', sizeof(text));
	text[62] = 'c';
	text[63] = 'b'; /* without one PCRE2 gives up at once */
	assert_int_equal(nf_match_line(m, text, sizeof(text), &err), -NF_EARG);
	assert_non_null(strstr(err.msg, "steps"));
	assert_non_null(strstr(err.msg, "(a+)+b$"));
	assert_int_equal(line(m, "aaab"), NF_MATCH_YES);
	nf_match_free(m);
}

static void what_is_no_pattern_is_refused(void **state)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{ "", "0 bytes" },
		{ "a(b", "parenthes" },
		{ "a[", "byte" },
		{ "(*UTF)x", "byte" },
		{ "\\Gx", "\\G" },
		{ "a(?is)b", "(?s)" },
		{ "\\C", "byte" },
		{ "[\xc3\xa4]", "class" },
		{ "[^]\xc3\xa4]", "class" },
		{ "x\xc3\xa4+", "quantifier" },
	};
	char many[400] = "";
	struct nf_match *const untouched = (struct nf_match *)(void *)many, *m = untouched;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct nf_err err = { 0 };

		assert_int_equal(nf_match_new(bad[i].text, &m, &err), -NF_EARG);
		assert_non_null(strstr(err.msg, bad[i].says));
		assert_ptr_equal(m, untouched);
	}
	for (int i = 0; i < NF_MATCH_GROUPS_MAX; i++)
		strcat(many, "(x)");
	assert_int_equal(nf_match_new(many, &m, NULL), -NF_EARG);
	m = pattern("Z\xc3\xbcrich (?:\xc3\xa4)+ \\[\xc3\xa4");
	assert_int_equal(line(m, "in Z\xc3\xbcrich \xc3\xa4\xc3\xa4 [\xc3\xa4"), NF_MATCH_YES);
	nf_match_free(m);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_line_is_found_by_its_pattern),
	cmocka_unit_test(an_unfinished_line_is_found_once_nothing_can_change_it),
	cmocka_unit_test(a_prompt_is_decided_by_silence),
	cmocka_unit_test(text_that_was_replaced_is_sought_again),
	cmocka_unit_test(look_behind_sees_what_was_scanned),
	cmocka_unit_test(a_catastrophic_pattern_is_told),
	cmocka_unit_test(what_is_no_pattern_is_refused),
};
NF_UNIT_MAIN(tests)
