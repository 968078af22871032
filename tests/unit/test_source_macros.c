/* SPDX-License-Identifier: MIT */
/* Macros that are defined as 0 and asked for by definedness: what is found, and what is left in peace. */
#include "source_trees.h"

/* One file's text; the certain findings in it. */
static size_t found_in(const char *text, struct nf_src_mistake *first)
{
	struct source_tree t;

	source_begin(&t);
	source_write(&t, "a.c", text);
	source_look(&t);
	size_t n = source_certain(&t);
	if (n > 0 && first)
		*first = t.macros.item[0];
	source_end(&t);
	return n;
}

static void every_form_of_test_is_found(void **state)
{
	static const char *const tests[] = { "#ifdef X",
		                             "#ifndef X",
		                             "#if defined X",
		                             "#if !defined(X)",
		                             "#if defined(Y) || defined(X)",
		                             "#if 0\n#elif defined(X)",
		                             "#if 0\n#elifdef X",
		                             "#if 0\n#elifndef X",
		                             "# /* c */ ifdef /* d */ X // e",
		                             "#if defined \\\n X" };
	char text[256];

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		snprintf(text, sizeof(text), "#define X 0\n%s\nint a;\n#endif\n", tests[i]);
		if (found_in(text, NULL) != 1)
			fail_msg("'%s' finds %zu", tests[i], found_in(text, NULL));
	}
}

static void tests_that_are_meant_are_left_in_peace(void **state)
{
	static const char *const texts[] = {
		/* a default, in two ways */
		"#define X 0\n#ifndef X\n#define X 1\n#endif\n",
		"#define X 0\n#ifdef X\nint a;\n#else\n#define X 1\n#endif\n",
		/* another value from here on */
		"#define X 0\n#ifdef X\n#undef X\n#endif\n",
		/* the value is asked for too */
		"#define X 0\n#if defined(X) && X\nint a;\n#endif\n",
		"#define X 0\n#ifdef X\n#if X > 0\nint a;\n#endif\n#endif\n",
		"#define X 0\n#ifdef X\nint a = X;\n#endif\n",
		"#define X 0\n#ifndef X\nint b;\n#else\nint a = X;\n#endif\n",
		"#define X 0\n#if IS_ENABLED(X)\nint a;\n#endif\n",
		"#define X 0\n#if X\nint a;\n#endif\n",
		/* a requirement */
		"#define X 0\n#ifndef X\n#error needed\n#endif\n",
		/* not there any more, or not yet, or never together */
		"#define X 0\n#undef X\n#ifdef X\nint a;\n#endif\n",
		"#ifdef X\nint a;\n#endif\n#define X 0\n",
		"#ifdef A\n#define X 0\n#else\n#ifdef X\nint a;\n#endif\n#endif\n",
		"#if defined(B)\nint X;\n#elif defined(A)\n#else\n#define X 0\n#endif\n"
		"#ifdef A\n#ifdef X\nint a;\n#endif\n#endif\n",
		"#if !defined(A)\n#define X 0\n#endif\n#if defined A\n#ifdef X\nint "
		"a;\n#endif\n#endif\n",
		"#define X 0\n#undef X\n#define X 1\n#ifdef X\nint a;\n#endif\n",
		"#define X 0\n#if X == 0\n#undef X\n#endif\n#ifdef X\nint a;\n#endif\n",
		/* a file's own guard */
		"#ifndef X\n#define X 0\nint a;\n#endif\n",
		/* never compiled */
		"#if 0\n#define X 0\n#elif A\n#define X 1\n#else\n#define X 1\n#endif\n#ifdef "
		"X\nint a;\n#endif\n",
		"#if A\n#elif 0\n#define X 0\n#else\n#define X 1\n#endif\n#ifdef X\nint "
		"a;\n#endif\n",
		"#define X 0\n#if 0\n#ifdef X\nint a;\n#endif\n#endif\n",
		"#define X 0\n#if 1\nint b;\n#else\n#ifdef X\nint a;\n#endif\n#endif\n",
		/* in comments and strings */
		"/* #define X 0 */\n#ifdef X\nint a;\n#endif\n",
		"#define X 0\n/*\n#ifdef X\n*/\nchar *s = \"\\\n#ifdef X\\\n\";\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (found_in(texts[i], NULL) != 0)
			fail_msg("found something in:\n%s", texts[i]);
}

static void a_default_of_zero_makes_the_test_true(void **state)
{
	struct nf_src_mistake m;

	(void)state;
	assert_int_equal(
	        found_in("int a;\n#ifndef X\n#define X 0\n#endif\n#ifdef X\nint b;\n#endif\n", &m),
	        1);
	assert_int_equal(m.define.line, 3);
	assert_int_equal(m.test.line, 5);
	assert_int_equal(m.reach, NF_SRC_REACH_FILE);
}

static void another_definition_is_told(void **state)
{
	struct nf_src_mistake m;

	(void)state;
	assert_int_equal(found_in("#ifdef A\n#define X 1\n#else\n#define X 0\n#endif\n"
	                          "#ifdef X\nint b;\n#endif\n",
	                          &m),
	                 1);
	assert_int_equal(m.define.line, 4);
	assert_int_equal(m.n_also, 1);
	assert_int_equal(m.also[0].line, 2);
	assert_int_equal(m.also[0].kind, NF_SRC_PLACE_OTHER);
}

static void a_definition_in_a_condition_of_its_own_is_uncertain(void **state)
{
	struct source_tree t;

	(void)state;
	source_begin(&t);
	source_write(&t, "a.c", "#ifdef A\n#define X 0\n#endif\n#ifdef X\nint b;\n#endif\n");
	source_look(&t);
	assert_int_equal(source_certain(&t), 0);
	assert_int_equal(t.macros.n, 1);
	assert_true(t.macros.item[0].conditional);
	source_end(&t);
}

static void the_first_of_a_list_of_constants_is_uncertain(void **state)
{
	struct source_tree t;

	(void)state;
	source_begin(&t);
	source_write(&t, "a.c",
	             "#define MODE_OFF 0\n#define MODE_ON 1\n#ifdef MODE_OFF\nint b;\n#endif\n");
	source_look(&t);
	assert_int_equal(source_certain(&t), 0);
	assert_int_equal(t.macros.n, 1);
	assert_true(t.macros.item[0].constant);
	source_end(&t);
}

static void values_of_both_kinds_make_a_switch(void **state)
{
	(void)state;
	assert_int_equal(found_in("#ifdef A\n#define X 1\n#endif\n#ifdef B\n#define X 0\n#endif\n"
	                          "#ifdef X\nint a;\n#endif\n",
	                          NULL),
	                 1);
	/* or it is a number */
	assert_int_equal(found_in("#ifdef A\n#define X 2\n#endif\n#ifdef B\n#define X 0\n#endif\n"
	                          "#ifdef X\nint a;\n#endif\n",
	                          NULL),
	                 0);
	/* or the macro is told from a variable */
	assert_int_equal(
	        found_in("#ifdef A\nint X;\n#else\n#ifdef B\n#define X 1\n#endif\n#ifdef C\n"
	                 "#define X 0\n#endif\n#endif\n#ifndef X\nint a;\n#endif\n",
	                 NULL),
	        0);
}

static void numbers_of_libc_are_uncertain(void **state)
{
	(void)state;
	assert_int_equal(found_in("#define O_BINARY 0\n#ifdef O_BINARY\nint a;\n#endif\n", NULL),
	                 0);
	assert_int_equal(found_in("#define OBINARY 0\n#ifdef OBINARY\nint a;\n#endif\n", NULL), 1);
}

static void a_header_reaches_whoever_includes_it(void **state)
{
	struct source_tree t;

	(void)state;
	source_begin(&t);
	source_write(&t, "include/conf/x.h", "#ifndef G\n#define G\n\n#define X 0\n#endif\n");
	source_write(&t, "include/all.h", "#include <conf/x.h>\n");
	source_write(&t, "src/a/a.c", "#include <all.h>\n\n#ifdef X\nint a;\n#endif\n");
	/* before the line, and another file that includes nothing */
	source_write(&t, "src/a/b.c", "#ifdef X\nint a;\n#endif\n#include <all.h>\n");
	source_write(&t, "src/a/c.c", "#ifdef X\nint a;\n#endif\n");
	source_look(&t);
	assert_int_equal(t.macros.n, 1);
	const struct nf_src_mistake *m = &t.macros.item[0];
	assert_true(nf_src_mistake_certain(m));
	assert_string_equal(source_name(&t, m->define.path), "include/conf/x.h");
	assert_int_equal(m->define.line, 4);
	assert_string_equal(source_name(&t, m->test.path), "src/a/a.c");
	assert_int_equal(m->test.line, 3);
	assert_int_equal(m->reach, NF_SRC_REACH_INCLUDE);
	assert_int_equal(m->via.line, 1);
	source_end(&t);
}

static void a_source_file_reaches_headers_that_it_includes_afterwards(void **state)
{
	struct source_tree t;

	(void)state;
	source_begin(&t);
	source_write(&t, "early.h", "#ifdef X\nint a;\n#endif\n");
	source_write(&t, "late.h", "#ifdef X\nint b;\n#endif\n#include \"early.h\"\n");
	source_write(&t, "a.c", "#include \"early.h\"\n#define X 0\n#include \"late.h\"\n");
	source_look(&t);
	assert_int_equal(t.macros.n, 1);
	assert_string_equal(source_name(&t, t.macros.item[0].test.path), "late.h");
	assert_int_equal(t.macros.item[0].reach, NF_SRC_REACH_INCLUDER);
	assert_string_equal(source_name(&t, t.macros.item[0].via.path), "a.c");
	assert_int_equal(t.macros.item[0].via.line, 3);
	source_end(&t);
}

static void a_header_reaches_one_that_is_included_behind_it(void **state)
{
	struct source_tree t;

	(void)state;
	source_begin(&t);
	source_write(&t, "conf.h", "#ifndef G\n#define G\n#define X 0\n#endif\n");
	source_write(&t, "use.h", "#ifdef X\nint a;\n#endif\n");
	source_write(&t, "a.c", "#include \"conf.h\"\n#include \"use.h\"\n");
	source_write(&t, "b.c", "#include \"conf.h\"\n#include \"use.h\"\n");
	source_write(&t, "other/use.h", "#ifdef X\nint a;\n#endif\n");
	source_write(&t, "other/c.c", "#include \"use.h\"\n#include \"../conf.h\"\n");
	source_look(&t);
	size_t n = 0;
	for (size_t i = 0; i < t.macros.n; i++) {
		const struct nf_src_mistake *m = &t.macros.item[i];

		if (m->reach == NF_SRC_REACH_FOLDER)
			continue;
		n++;
		assert_string_equal(source_name(&t, m->test.path), "use.h");
		assert_string_equal(source_name(&t, m->define.path), "conf.h");
		assert_string_equal(source_name(&t, m->via.path), "a.c");
		assert_int_equal(m->via.line, 2);
	}
	assert_int_equal(n, 1);
	source_end(&t);
}

static void an_undef_on_the_way_is_seen(void **state)
{
	struct source_tree t;

	(void)state;
	source_begin(&t);
	source_write(&t, "x.h", "#define X 0\n");
	source_write(&t, "undo.h", "#undef X\n");
	source_write(&t, "a.c",
	             "#include \"x.h\"\n#include \"undo.h\"\n#ifdef X\nint a;\n#endif\n");
	source_write(&t, "b.c",
	             "#include \"undo.h\"\n#include \"x.h\"\n#ifdef X\nint a;\n#endif\n");
	source_look(&t);
	assert_int_equal(t.macros.n, 1);
	assert_string_equal(source_name(&t, t.macros.item[0].test.path), "b.c");
	assert_int_equal(t.macros.item[0].elsewhere, 1);
	source_end(&t);
}

static void a_name_that_two_files_have_reaches_from_the_nearest(void **state)
{
	struct source_tree t;

	(void)state;
	source_begin(&t);
	source_write(&t, "p/include/asm/x.h", "#define X 0\n");
	source_write(&t, "q/include/asm/x.h", "#define X 1\n");
	source_write(&t, "p/a.c", "#include <asm/x.h>\n#ifdef X\nint a;\n#endif\n");
	source_write(&t, "q/a.c", "#include <asm/x.h>\n#ifdef X\nint a;\n#endif\n");
	source_write(&t, "r/a.c", "#include <asm/x.h>\n#ifdef X\nint a;\n#endif\n");
	source_look(&t);
	assert_int_equal(t.macros.n, 1);
	assert_string_equal(source_name(&t, t.macros.item[0].test.path), "p/a.c");
	assert_int_equal(t.macros.ambiguous, 1);
	source_end(&t);
}

static void files_in_one_folder_are_uncertain(void **state)
{
	struct source_tree t;

	(void)state;
	source_begin(&t);
	source_write(&t, "s/conf.h", "#define X 0\n");
	source_write(&t, "s/a.c", "#ifdef X\nint a;\n#endif\n");
	source_write(&t, "s2/a.c", "#ifdef X\nint a;\n#endif\n");
	source_look(&t);
	assert_int_equal(source_certain(&t), 0);
	assert_int_equal(t.macros.n, 1);
	assert_int_equal(t.macros.item[0].reach, NF_SRC_REACH_FOLDER);
	source_end(&t);
}

static void binary_files_links_and_other_names_are_counted(void **state)
{
	struct source_tree t;
	char path[256], link_path[256];
	int fd;

	(void)state;
	source_begin(&t);
	source_write(&t, "a.c", "#define X 0\n#ifdef X\n#endif\n");
	source_write(&t, "a.txt", "#define X 0\n#ifdef X\n#endif\n");
	source_write(&t, "d/z.c", "");
	snprintf(path, sizeof(path), "%s/b.c", t.dir);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, "int a;\0#define X 0\n", 19), 19);
	close(fd);
	snprintf(path, sizeof(path), "%s/a.c", t.dir);
	snprintf(link_path, sizeof(link_path), "%s/hard.c", t.dir);
	assert_int_equal(link(path, link_path), 0);
	snprintf(link_path, sizeof(link_path), "%s/d/loop", t.dir);
	assert_int_equal(symlink("..", link_path), 0);
	source_look(&t);
	assert_int_equal(t.index.scanned, 2);
	assert_int_equal(t.index.binary, 1);
	assert_int_equal(t.index.same, 1);
	assert_int_equal(t.tree.links, 1);
	assert_int_equal(t.macros.n, 1);
	source_end(&t);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_form_of_test_is_found),
	cmocka_unit_test(tests_that_are_meant_are_left_in_peace),
	cmocka_unit_test(a_default_of_zero_makes_the_test_true),
	cmocka_unit_test(another_definition_is_told),
	cmocka_unit_test(a_definition_in_a_condition_of_its_own_is_uncertain),
	cmocka_unit_test(the_first_of_a_list_of_constants_is_uncertain),
	cmocka_unit_test(values_of_both_kinds_make_a_switch),
	cmocka_unit_test(numbers_of_libc_are_uncertain),
	cmocka_unit_test(a_header_reaches_whoever_includes_it),
	cmocka_unit_test(a_source_file_reaches_headers_that_it_includes_afterwards),
	cmocka_unit_test(a_header_reaches_one_that_is_included_behind_it),
	cmocka_unit_test(an_undef_on_the_way_is_seen),
	cmocka_unit_test(a_name_that_two_files_have_reaches_from_the_nearest),
	cmocka_unit_test(files_in_one_folder_are_uncertain),
	cmocka_unit_test(binary_files_links_and_other_names_are_counted),
};

NF_UNIT_MAIN(tests)
