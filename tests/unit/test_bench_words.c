/* SPDX-License-Identifier: MIT */
#include "base/rng.h"
#include "bench/words.h"
#include "nf_unit.h"

static void splits(const char *text, size_t n, const char *const want[])
{
	struct nf_bench_words w = { 0 };
	struct nf_err err = { 0 };

	assert_int_equal(nf_bench_words_split(text, &w, &err), 0);
	assert_int_equal(w.n, n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(w.word[i], want[i]);
	assert_null(w.word[n]);
	nf_bench_words_fini(&w);
}

static void words_are_separated_by_blanks(void **state)
{
	(void)state;
	splits("ls", 1, (const char *const[]){ "ls" });
	splits("  ls\t-l \n /tmp ", 3, (const char *const[]){ "ls", "-l", "/tmp" });
	splits("env A=1 true", 3, (const char *const[]){ "env", "A=1", "true" });
}

static void quotes_and_backslashes_are_the_shells(void **state)
{
	(void)state;
	splits("a 'b  c' \"d 'e'\" f\\ g", 4, (const char *const[]){ "a", "b  c", "d 'e'", "f g" });
	splits("a '' \"\" x''y", 4, (const char *const[]){ "a", "", "", "xy" });
	splits("a '$HOME `x` \\' \"\\$ \\\\ \\n\"", 3,
	       (const char *const[]){ "a", "$HOME `x` \\", "$ \\ \\n" });
}

static void what_needs_a_shell_is_refused(void **state)
{
	static const char *const bad[] = {
		"a | b",  "a && b", "a; b",    "a > f", "a < f", "a $X", "a `b`", "a \"$X\"",
		"ls *.c", "ls a?",  "ls [ab]", "~/x",   "a #b",  "(a)",  "A=1 b",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct nf_bench_words w = { 0 };
		struct nf_err err = { 0 };

		assert_int_equal(nf_bench_words_split(bad[i], &w, &err), -NF_EARG);
		assert_non_null(strstr(err.msg, "--shell"));
		assert_null(w.word);
	}
}

static void what_has_no_end_or_no_program_is_refused(void **state)
{
	static const char *const bad[] = { "", "  ", "'a", "a \"b", "a \\", "''", "'' a" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct nf_bench_words w = { 0 };
		struct nf_err err = { 0 };

		assert_int_equal(nf_bench_words_split(bad[i], &w, &err), -NF_EARG);
		assert_true(err.msg[0] != '\0');
	}
}

/* Whatever the words hold, joined and split they are the same. */
static void joining_and_splitting_gives_the_same_words(void **state)
{
	static const char letters[] = "ab'\"\\ \t\n$|;*?~#=\xc3\xa4";
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 7);
	for (int round = 0; round < 2000; round++) {
		char text[4][12];
		const char *word[4];
		size_t n = 1 + (size_t)nf_rng_below(&rng, 4);
		struct nf_bench_words w = { 0 };
		struct nf_err err = { 0 };
		struct nf_buf joined;

		for (size_t i = 0; i < n; i++) {
			size_t len = (size_t)nf_rng_below(&rng, sizeof(text[i]));

			for (size_t k = 0; k < len; k++)
				text[i][k] = letters[nf_rng_below(&rng, sizeof(letters) - 1)];
			text[i][len] = '\0';
			word[i] = text[i];
		}
		text[0][0] = 'p'; /* a program's name is not empty */
		if (text[0][1] == '=')
			text[0][1] = '_';
		text[0][sizeof(text[0]) - 1] = '\0';
		nf_buf_init(&joined, 4096);
		nf_bench_words_join(word, n, &joined);
		if (strchr(word[0], '=') == NULL) {
			assert_int_equal(nf_bench_words_split(joined.data, &w, &err), 0);
			assert_int_equal(w.n, n);
			for (size_t i = 0; i < n; i++)
				assert_string_equal(w.word[i], word[i]);
			nf_bench_words_fini(&w);
		}
		nf_buf_fini(&joined);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(words_are_separated_by_blanks),
	cmocka_unit_test(quotes_and_backslashes_are_the_shells),
	cmocka_unit_test(what_needs_a_shell_is_refused),
	cmocka_unit_test(what_has_no_end_or_no_program_is_refused),
	cmocka_unit_test(joining_and_splitting_gives_the_same_words),
};
NF_UNIT_MAIN(tests)
