/* SPDX-License-Identifier: MIT */
/* Directives and tokens of C, as bytes. */
#include "nf_unit.h"
#include "source/text.h"

static struct nf_src_directive seen[32];

static size_t read_text(const char *text)
{
	struct nf_src_reader r;
	size_t n = 0;

	nf_src_begin(&r, text, strlen(text));
	while (n < 32 && nf_src_next(&r, &seen[n]))
		n++;
	return n;
}

static void assert_name(size_t i, const char *name)
{
	assert_int_equal(seen[i].name.len, strlen(name));
	assert_memory_equal(seen[i].name.at, name, strlen(name));
}

static void every_way_to_write_zero_is_zero(void **state)
{
	static const char *const zeros[] = { "0",      "(0)",         "((0))",          "0u",
		                             "0UL",    "0x0",         "0X00",           "00",
		                             "0b0",    "0 /* off */", "/* a */ 0 // b", "\\\n0",
		                             "( 0 )\r" };
	static const char *const others[] = { "1",  "-0", "0x10", "0 + 1",   "(0",   "0)", "x0",
		                              "0x", "10", "0.0",  "(0) + X", "0x0f", "08" };
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof(zeros) / sizeof(zeros[0]); i++) {
		snprintf(text, sizeof(text), "#define X %s\n", zeros[i]);
		assert_int_equal(read_text(text), 1);
		if (seen[0].value != NF_SRC_VALUE_ZERO)
			fail_msg("'%s' is 0", zeros[i]);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		snprintf(text, sizeof(text), "#define X %s\n", others[i]);
		assert_int_equal(read_text(text), 1);
		if (seen[0].value == NF_SRC_VALUE_ZERO)
			fail_msg("'%s' is not 0", others[i]);
	}
}

static void a_macro_without_value_or_with_parameters_is_not_zero(void **state)
{
	(void)state;
	assert_int_equal(read_text("#define A\n#define B /* 0 */\n#define C(x) 0\n#define D (0)\n"),
	                 4);
	assert_int_equal(seen[0].value, NF_SRC_VALUE_EMPTY);
	assert_int_equal(seen[1].value, NF_SRC_VALUE_EMPTY);
	assert_int_equal(seen[2].value, NF_SRC_VALUE_FUNCTION);
	assert_int_equal(seen[3].value, NF_SRC_VALUE_ZERO);
}

static void directives_in_comments_and_strings_are_none(void **state)
{
	(void)state;
	assert_int_equal(read_text("/*\n#define A 0\n*/\n// \\\n#define B 0\nchar *s = \"\\\n"
	                           "#define C 0\";\nint a; /* x\n#ifdef D */\n"
	                           "char c = '\"'; /* ' */\n#define E 0\n"),
	                 1);
	assert_name(0, "E");
	assert_int_equal(seen[0].line, 11);
}

static void a_comment_before_or_in_a_directive_is_a_blank(void **state)
{
	(void)state;
	assert_int_equal(
	        read_text("/* a */ # /* b */ define /* c\n d */ X /* e\n f */ 0 /* g\n */\n"
	                  "#ifdef Y\n"),
	        2);
	assert_int_equal(seen[0].kind, NF_SRC_DEFINE);
	assert_name(0, "X");
	assert_int_equal(seen[0].value, NF_SRC_VALUE_ZERO);
	assert_int_equal(seen[1].line, 5);
	assert_name(1, "Y");
}

static void crlf_ends_lines_and_continues_them(void **state)
{
	(void)state;
	assert_int_equal(read_text("#define X 0\r\n#if defined \\\r\n  (Y)\r\n#endif\r\n"), 3);
	assert_int_equal(seen[0].value, NF_SRC_VALUE_ZERO);
	assert_int_equal(seen[1].kind, NF_SRC_IF);
	assert_int_equal(seen[1].line, 2);
	assert_int_equal(seen[2].line, 4);
}

static void all_tests_of_definedness_are_found(void **state)
{
	const char *p;
	struct nf_src_word w;
	bool negated;

	(void)state;
	assert_int_equal(
	        read_text("#ifdef A\n#elifdef B\n#elifndef C\n#elif defined D && !defined(E) "
	                  "|| IS_ENABLED(F) && defined ( G )\n#endif\n"),
	        5);
	assert_int_equal(seen[1].kind, NF_SRC_ELIFDEF);
	assert_int_equal(seen[2].kind, NF_SRC_ELIFNDEF);
	p = seen[3].rest;
	assert_true(nf_src_next_defined(&p, seen[3].end, &w, &negated));
	assert_memory_equal(w.at, "D", 1);
	assert_false(negated);
	assert_true(nf_src_next_defined(&p, seen[3].end, &w, &negated));
	assert_memory_equal(w.at, "E", 1);
	assert_true(negated);
	assert_true(nf_src_next_defined(&p, seen[3].end, &w, &negated));
	assert_memory_equal(w.at, "G", 1);
	assert_false(nf_src_next_defined(&p, seen[3].end, &w, &negated));
}

static void a_value_asked_for_is_told_from_definedness(void **state)
{
	static const char x[] = "defined(X) && X > 1", y[] = "defined X || !defined ( X )",
	                  z[] = "IS_ENABLED(X)";
	const struct nf_src_word name = { "X", 1 };

	(void)state;
	assert_true(nf_src_uses_value(x, x + sizeof(x) - 1, name));
	assert_false(nf_src_uses_value(y, y + sizeof(y) - 1, name));
	assert_true(nf_src_uses_value(z, z + sizeof(z) - 1, name));
}

static void included_names_are_read(void **state)
{
	(void)state;
	assert_int_equal(read_text("#include \"a/b.h\"\n# include <c.h> // x\n#include MACRO\n"),
	                 3);
	assert_int_equal(seen[0].kind, NF_SRC_INCLUDE);
	assert_true(seen[0].quoted);
	assert_name(0, "a/b.h");
	assert_false(seen[1].quoted);
	assert_name(1, "c.h");
	assert_int_equal(seen[2].kind, NF_SRC_OTHER);
}

static void what_ends_early_is_read_as_far_as_it_goes(void **state)
{
	static const char whole[] =
	        "#define X 0 /* a */\n#if defined(Y) && \\\n !defined(\"z\")\n'#'";

	(void)state;
	for (size_t n = 0; n < sizeof(whole); n++) {
		struct nf_src_reader r;
		struct nf_src_directive d;
		char *copy = malloc(n + 1);

		assert_non_null(copy);
		memcpy(copy, whole, n);
		nf_src_begin(&r, copy, n);
		while (nf_src_next(&r, &d))
			assert_true(d.at >= copy && d.end <= copy + n && d.at < d.end);
		free(copy);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_way_to_write_zero_is_zero),
	cmocka_unit_test(a_macro_without_value_or_with_parameters_is_not_zero),
	cmocka_unit_test(directives_in_comments_and_strings_are_none),
	cmocka_unit_test(a_comment_before_or_in_a_directive_is_a_blank),
	cmocka_unit_test(crlf_ends_lines_and_continues_them),
	cmocka_unit_test(all_tests_of_definedness_are_found),
	cmocka_unit_test(a_value_asked_for_is_told_from_definedness),
	cmocka_unit_test(included_names_are_read),
	cmocka_unit_test(what_ends_early_is_read_as_far_as_it_goes),
};

NF_UNIT_MAIN(tests)
