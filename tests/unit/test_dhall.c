/* SPDX-License-Identifier: MIT */
/* The Dhall engine through its header: messages, limits, imports, JSON. What the language means is tested
 * case by case in test_dhall_suite. */
#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dhall/dhall.h"
#include "nf_unit.h"

struct fixture {
	struct nf_dhall *d;
	struct nf_buf out;
	struct nf_err err;
	char folder[64];
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	assert_int_equal(nf_dhall_new(&f->d, NULL), 0);
	nf_buf_init(&f->out, 1 << 24);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	nf_dhall_free(f->d);
	nf_buf_fini(&f->out);
	free(f);
	return 0;
}

static int parse(struct fixture *f, const char *text, const struct nf_dexpr **ret)
{
	return nf_dhall_parse(f->d, "t.dhall", text, strlen(text), ret, &f->err);
}

/* Parsed, typed, normalised. */
static int value_of(struct fixture *f, const char *text, const struct nf_dexpr **ret)
{
	const struct nf_dexpr *e, *type;
	int r = parse(f, text, &e);

	if (r == 0)
		r = nf_dhall_infer(f->d, e, &type, &f->err);
	return r ? r : nf_dhall_normalise(f->d, e, ret, &f->err);
}

static void assert_fails(struct fixture *f, const char *text, const char *message)
{
	const struct nf_dexpr *e = NULL;

	assert_int_equal(value_of(f, text, &e), -NF_EDATA);
	assert_null(e);
	assert_int_equal(f->err.code, NF_EDATA);
	assert_string_equal(f->err.msg, message);
}

static void assert_json(struct fixture *f, const char *text, const char *json)
{
	const struct nf_dexpr *e = NULL;

	nf_buf_clear(&f->out);
	assert_int_equal(value_of(f, text, &e), 0);
	assert_int_equal(nf_dhall_to_json(f->d, e, false, &f->out, &f->err), 0);
	assert_string_equal(f->out.data, json);
}

static void errors_name_file_line_and_column_in_characters(void **state)
{
	struct fixture *f = *state;

	assert_fails(f, "{ a = 1\n, b = ?\n}", "t.dhall:2:7: '?' where an expression is expected");
	assert_fails(f, "\"\u00e9\u00e9\" \u00e9",
	             "t.dhall:1:6: U+00E9 where the end of the text is expected");
	assert_fails(f, "let x = 1\nin  x : Text",
	             "t.dhall:2:5: annotation: the type is Natural where Text is expected");
	assert_fails(
	        f, "[ 1,\n  \"a\" ]",
	        "t.dhall:2:3: elements of a list have one type: the type is Text where Natural "
	        "is expected");
}

static void the_offending_line_is_shown_with_a_mark(void **state)
{
	struct fixture *f = *state;
	const struct nf_dexpr *e = NULL;

	assert_int_equal(parse(f, "{ a = 1\n, b\t= ?\r\n}", &e), -NF_EDATA);
	nf_dhall_show_line(f->d, &f->out);
	assert_string_equal(f->out.data, ", b = ?\n      ^\n");
	nf_buf_clear(&f->out);
	assert_int_equal(parse(f, "1", &e), 0);
	nf_dhall_show_line(f->d, &f->out);
	assert_int_equal(f->out.len_bytes, 0);
}

static void a_long_line_is_shown_in_part(void **state)
{
	struct fixture *f = *state;
	const struct nf_dexpr *e = NULL;
	char text[5001];

	memset(text, ' ', 5000);
	memcpy(text, "[1", 2);
	memcpy(text + 3000, ";", 1);
	text[5000] = '\0';
	assert_int_equal(parse(f, text, &e), -NF_EDATA);
	nf_dhall_show_line(f->d, &f->out);
	assert_in_range(f->out.len_bytes, 100, 450);
	char *mark = strchr(f->out.data, '^');
	assert_non_null(mark);
	char *second = strchr(f->out.data, '\n') + 1;
	assert_int_equal(f->out.data[mark - second], ';');
}

static void what_is_outside_the_part_is_refused_by_name(void **state)
{
	struct fixture *f = *state;

	assert_fails(f, "\\(x : Bool) -> x",
	             "t.dhall:1:1: functions: outside the part of Dhall that is evaluated here");
	assert_fails(f, "if True then 1 else 2",
	             "t.dhall:1:1: if: outside the part of Dhall that is evaluated here");
	assert_fails(f, "1 + 2",
	             "t.dhall:1:1: +: outside the part of Dhall that is evaluated here");
	assert_fails(f, "Natural/show 1",
	             "t.dhall:1:1: Natural/show: outside the part of Dhall that is evaluated here");
	assert_fails(f, "[ toMap { a = 1 } ]",
	             "t.dhall:1:3: toMap: outside the part of Dhall that is read here");
	assert_fails(f, "a::b",
	             "t.dhall:1:2: completion (::): outside the part of Dhall that is read here");
}

/* n times `open` is refused quickly, or fails otherwise, and never crashes. */
static void assert_refused(struct fixture *f, const char *open, size_t n)
{
	size_t len = strlen(open);
	char *text = malloc(n * len + 1);
	const struct nf_dexpr *e = NULL;

	assert_non_null(text);
	for (size_t i = 0; i < n; i++)
		memcpy(text + i * len, open, len);
	text[n * len] = '\0';
	assert_int_equal(nf_dhall_parse(f->d, "t.dhall", text, n * len, &e, &f->err), -NF_EDATA);
	assert_null(e);
	free(text);
}

static void hostile_nesting_is_refused(void **state)
{
	static const char *const opens[] = {
		"(",        "[",       "{a=",          "{a:",      "<a: ", "\"${",
		"''\n${",   "{-",      "a->",          "let a = ", "f (",  "Some (",
		"[[],",     "a : ",    "forall (a : ", "\\(a : ",  "if ",  "let a = 1 in ",
		"a.b // (", "{ a.b = "
	};

	for (size_t i = 0; i < sizeof(opens) / sizeof(opens[0]); i++)
		assert_refused(*state, opens[i], 100000);
}

static void long_chains_are_refused_not_followed_to_the_end_of_the_stack(void **state)
{
	static const char *const links[] = { "a // ", "a.", "a /\\ ", "x ? " };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		assert_refused(f, links[i], 100000);
}

static void wide_expressions_are_fine(void **state)
{
	struct fixture *f = *state;
	const struct nf_dexpr *e = NULL;
	struct nf_buf text;

	nf_buf_init(&text, 1 << 24);
	for (int i = 0; i < 5000; i++)
		nf_buf_addf(&text, "let a%d = %d\n", i, i);
	nf_buf_adds(&text, "in [ a0");
	for (int i = 0; i < 50000; i++)
		nf_buf_addf(&text, ", a%d", i % 10);
	nf_buf_adds(&text, "]");
	assert_int_equal(nf_buf_failed(&text, "text", NULL), 0);
	assert_int_equal(parse(f, text.data, &e), 0);
	nf_buf_fini(&text);
	/* A use of an outer name costs a walk over the inner ones: within the budget of steps. */
	assert_int_equal(nf_dhall_encode(f->d, e, &f->out, &f->err), 0);
	assert_true(f->out.len_bytes > 100000);
}

/* Each let doubles what the last one holds: 2^60 elements if it was written out. */
static void doubling(struct nf_buf *text, const char *first, const char *twice, int n)
{
	nf_buf_addf(text, "let a = %s\n", first);
	for (int i = 0; i < n; i++)
		nf_buf_addf(text, "let a = %s\n", twice);
	nf_buf_adds(text, "in a");
}

static void what_multiplies_stops_at_the_limits(void **state)
{
	struct fixture *f = *state;
	const struct nf_dexpr *e = NULL;
	struct nf_buf text;

	nf_buf_init(&text, 1 << 20);
	doubling(&text, "\"xxxxxxxx\"", "\"${a}${a}\"", 60);
	assert_int_equal(value_of(f, text.data, &e), -NF_EDATA);
	nf_buf_fini(&text);
}

static void what_is_shared_stops_when_it_is_written_out(void **state)
{
	struct fixture *f = *state;
	const struct nf_dexpr *e = NULL;
	struct nf_buf text;

	nf_buf_init(&text, 1 << 20);
	doubling(&text, "[ 1 ]", "[ a, a ]", 60);
	/* "[ a, a ]" is a list of lists; its value is shared, and only writing it out is too much. */
	assert_int_equal(value_of(f, text.data, &e), 0);
	assert_int_equal(nf_dhall_to_json(f->d, e, false, &f->out, &f->err), -NF_EDATA);
	assert_int_equal(f->out.len_bytes, 0);
	assert_int_equal(nf_dhall_encode(f->d, e, &f->out, &f->err), -NF_EDATA);
	assert_int_equal(nf_dhall_print(f->d, e, &f->out, &f->err), -NF_EDATA);
	assert_int_equal(f->out.len_bytes, 0);
	nf_buf_fini(&text);
}

static void lets_that_build_up_depth_are_refused(void **state)
{
	struct fixture *f = *state;
	const struct nf_dexpr *e = NULL;
	struct nf_buf text;

	nf_buf_init(&text, 1 << 20);
	doubling(&text, "[ 1 ]", "[ a ]", 1000);
	assert_int_equal(value_of(f, text.data, &e), -NF_EDATA);
	assert_non_null(strstr(f->err.msg, "nested more than"));
	nf_buf_fini(&text);
}

static void values_become_json(void **state)
{
	struct fixture *f = *state;

	assert_json(f, "{ b = Some 1, a = None Text, c = [ -1, +2 ], d = True }",
	            "{\"a\": null, \"b\": 1, \"c\": [-1, 2], \"d\": true}\n");
	assert_json(f, "let E = < P | F : Natural > in [ E.P, E.F 3 ]", "[\"P\", 3]\n");
	assert_json(f, "[ { mapKey = \"x y\", mapValue = 1.5 } ]", "{\"x y\": 1.5}\n");
	assert_json(f, "[] : List { mapKey : Text, mapValue : Bool }", "{}\n");
	assert_json(f, "[] : List Bool", "[]\n");
	assert_json(f, "{ n = 123456789012345678901234567890 }",
	            "{\"n\": 123456789012345678901234567890}\n");
	assert_json(f, "\"\\u0000\\u001b\\n\"", "\"\\u0000\\u001b\\n\"\n");
	assert_json(f, "{=}", "{}\n");
}

static void what_json_cannot_say_is_an_error(void **state)
{
	static const char *const texts[] = { "NaN", "[ -Infinity ]", "{ a = Natural }", "Text/show",
		                             "\"a\\u{FDD0}\"" };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct nf_dexpr *e = NULL;

		assert_int_equal(value_of(f, texts[i], &e), 0);
		assert_int_equal(nf_dhall_to_json(f->d, e, true, &f->out, &f->err), -NF_EDATA);
		assert_non_null(strstr(f->err.msg, "JSON has nothing for"));
		assert_int_equal(f->out.len_bytes, 0);
	}
}

static void json_becomes_a_value_of_a_type_and_back(void **state)
{
	static const char json[] = "{\"a\": null, \"b\": [1, 2], \"c\": \"P\", \"d\": {\"x\": -1}, "
	                           "\"e\": 2.0, \"f\": true, \"g\": []}\n";
	struct fixture *f = *state;
	const struct nf_dexpr *type = NULL, *value = NULL, *inferred = NULL;
	struct nf_buf a, b;

	assert_int_equal(
	        value_of(f,
	                 "{ a : Optional Text, b : List Natural, c : < P | F >, d : List "
	                 "{ mapKey : Text, mapValue : Integer }, e : Double, f : Bool, g : "
	                 "List (Optional Bool) }",
	                 &type),
	        0);
	assert_int_equal(
	        nf_dhall_from_json(f->d, type, "t.json", json, strlen(json), &value, &f->err), 0);
	assert_int_equal(nf_dhall_infer(f->d, value, &inferred, &f->err), 0);
	nf_buf_init(&a, 1 << 16);
	nf_buf_init(&b, 1 << 16);
	assert_int_equal(nf_dhall_encode(f->d, type, &a, NULL), 0);
	assert_int_equal(nf_dhall_encode(f->d, inferred, &b, NULL), 0);
	assert_int_equal(a.len_bytes, b.len_bytes);
	assert_memory_equal(a.data, b.data, a.len_bytes);
	nf_buf_fini(&a);
	nf_buf_fini(&b);
	assert_int_equal(nf_dhall_to_json(f->d, value, false, &f->out, &f->err), 0);
	assert_string_equal(f->out.data, json);
}

static void json_that_is_not_of_the_type_is_refused_with_its_place(void **state)
{
	static const char *const rows[][3] = {
		{ "{ a : Natural }", "{\"a\": -1}",
		  "t.json: a: a whole number from 0 on is expected" },
		{ "{ a : Natural }", "{}", "t.json: a: it is not there" },
		{ "{ a : Natural }", "{\"a\": 1, \"b\": 2}", "t.json: the type has no field b" },
		{ "{ a : List { b : Bool } }", "{\"a\": [{\"b\": true}, {\"b\": 1}]}",
		  "t.json: a[1].b: true or false is expected" },
		{ "< P | F >", "\"Q\"", "t.json: the type has no alternative Q" },
		{ "< P : Bool >", "\"P\"",
		  "t.json: JSON does not tell alternatives with a payload apart" },
		{ "Text", "1", "t.json: a text is expected" },
		{ "Integer", "1.5", "t.json: a whole number is expected" },
		{ "List Text", "\"a\"", "t.json: a list is expected" },
		{ "Type", "1", "t.json: JSON has no values of the type Type" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct nf_dexpr *type = NULL, *value = NULL;

		assert_int_equal(parse(f, rows[i][0], &type), 0);
		assert_int_equal(nf_dhall_from_json(f->d, type, "t.json", rows[i][1],
		                                    strlen(rows[i][1]), &value, &f->err),
		                 -NF_EDATA);
		assert_null(value);
		assert_string_equal(f->err.msg, rows[i][2]);
	}
}

static void json_without_a_type_is_read_where_it_settles_one(void **state)
{
	static const char json[] = "{\"a\": [{\"b\": 1}], \"c\": -2, \"d\": \"x\"}";
	static const char *const bad[] = {
		"null", "[]",          "[1, \"a\"]",          "[1", "{\"a\": 1, \"a\": 2}",
		"",     "\"\\uffff\"", "{\"a\": \"\\ufdd0\"}"
	};
	struct fixture *f = *state;
	const struct nf_dexpr *value = NULL;

	assert_int_equal(
	        nf_dhall_from_json(f->d, NULL, "t.json", json, strlen(json), &value, &f->err), 0);
	assert_int_equal(nf_dhall_print(f->d, value, &f->out, &f->err), 0);
	assert_string_equal(f->out.data, "{ a = [ { b = 1 } ], c = -2, d = \"x\" }\n");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		value = NULL;
		assert_int_equal(nf_dhall_from_json(f->d, NULL, "t.json", bad[i], strlen(bad[i]),
		                                    &value, &f->err),
		                 -NF_EDATA);
		assert_null(value);
	}
}

static void text_is_printed_so_that_it_stays_text(void **state)
{
	struct fixture *f = *state;
	const struct nf_dexpr *e = NULL;

	assert_int_equal(parse(f, "\"\\${env:HOME as Text}\\u001b\\u0000\\r\\\\\"", &e), 0);
	assert_int_equal(nf_dhall_print(f->d, e, &f->out, &f->err), 0);
	assert_string_equal(f->out.data, "\"\\u0024{env:HOME as Text}\\u001B\\u0000\\r\\\\\"\n");
}

static void put_file(const struct fixture *f, const char *name, const char *text)
{
	char path[PATH_MAX];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", f->folder, name);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static int load(struct fixture *f, const char *name, struct nf_dhall_loaded *ret)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", f->folder, name);
	return nf_dhall_load(f->d, path, ret, &f->err);
}

static void make_tree(struct fixture *f)
{
	char path[PATH_MAX];

	strcpy(f->folder, "/tmp/nf-dhall-XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	static const char *const folders[] = { "root", "root/a", "root/a/b" };
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", f->folder, folders[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	put_file(f, "outside.dhall", "1");
	put_file(f, "root/top.dhall", "2");
	put_file(f, "root/a/near.dhall", "3");
	put_file(f, "root/a/b/main.dhall", "[ ../near.dhall ]");
	put_file(f, "root/a/b/up.dhall", "[ ../../top.dhall ]");
	put_file(f, "root/a/b/out.dhall", "[ ../../../outside.dhall ]");
	put_file(f, "root/a/b/link.dhall", "[ ./leads-out.dhall ]");
	snprintf(path, sizeof(path), "%s/root/a/b/leads-out.dhall", f->folder);
	assert_int_equal(symlink("../../../outside.dhall", path), 0);
}

static void remove_tree(struct fixture *f)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", f->folder);
	assert_int_equal(system(command), 0);
}

static void without_a_mark_the_root_is_the_parent_of_the_folder(void **state)
{
	struct fixture *f = *state;
	struct nf_dhall_loaded l = { 0 };

	make_tree(f);
	assert_int_equal(load(f, "root/a/b/main.dhall", &l), 0);
	assert_non_null(l.value);
	l.value = NULL;
	assert_int_equal(load(f, "root/a/b/up.dhall", &l), -NF_EDATA);
	assert_non_null(strstr(f->err.msg, "up.dhall:1:3: the import leaves the root"));
	assert_null(l.value);
	remove_tree(f);
}

static void a_manifest_marks_the_root(void **state)
{
	struct fixture *f = *state;
	struct nf_dhall_loaded l;

	make_tree(f);
	put_file(f, "root/MANIFEST", "");
	assert_int_equal(load(f, "root/a/b/up.dhall", &l), 0);
	assert_int_equal(load(f, "root/a/b/out.dhall", &l), -NF_EDATA);
	assert_non_null(strstr(f->err.msg, "leaves the root"));
	remove_tree(f);
}

static void links_do_not_lead_out_of_the_root(void **state)
{
	struct fixture *f = *state;
	struct nf_dhall_loaded l;

	make_tree(f);
	put_file(f, "root/MANIFEST", "");
	assert_int_equal(load(f, "root/a/b/link.dhall", &l), -NF_EDATA);
	assert_true(strstr(f->err.msg, "by a link") || strstr(f->err.msg, "symbolic links"));
	remove_tree(f);
}

static void a_given_root_decides(void **state)
{
	struct fixture *f = *state;
	struct nf_dhall_loaded l;
	char path[PATH_MAX];

	make_tree(f);
	snprintf(path, sizeof(path), "%s/root/a/b", f->folder);
	assert_int_equal(nf_dhall_set_root(f->d, path, &f->err), 0);
	assert_int_equal(load(f, "root/a/b/main.dhall", &l), -NF_EDATA);
	assert_int_equal(nf_dhall_set_root(f->d, f->folder, &f->err), 0);
	assert_int_equal(load(f, "root/a/b/out.dhall", &l), 0);
	/* A link within the root is followed where the kernel has openat2(). */
	assert_true(load(f, "root/a/b/link.dhall", &l) == 0 ||
	            strstr(f->err.msg, "symbolic links"));
	assert_int_equal(nf_dhall_set_root(f->d, "/nowhere/at/all", &f->err), -NF_EARG);
	remove_tree(f);
}

static void absent_files_and_folders_are_the_callers_mistake(void **state)
{
	struct fixture *f = *state;
	struct nf_dhall_loaded l = { 0 };

	assert_int_equal(nf_dhall_load(f->d, "/nowhere/x.dhall", &l, &f->err), -NF_EARG);
	assert_int_equal(nf_dhall_load(f->d, "/tmp", &l, &f->err), -NF_EARG);
	assert_null(l.value);
}

static void a_session_goes_on_after_an_error(void **state)
{
	struct fixture *f = *state;
	const struct nf_dexpr *e = NULL;

	assert_int_equal(parse(f, "[", &e), -NF_EDATA);
	assert_json(f, "1", "1\n");
	assert_int_equal(value_of(f, "x", &e), -NF_EDATA);
	assert_json(f, "2", "2\n");
}

static void published_records_are_read(void **state)
{
	const char *shared = getenv("NF_SHARED_DATA");
	struct fixture *f = *state;
	char folder[PATH_MAX], path[PATH_MAX];
	struct dirent *entry;
	int n = 0;
	DIR *dir;

	if (shared)
		snprintf(folder, sizeof(folder), "%s/host-captures/dhall/records", shared);
	else
		snprintf(folder, sizeof(folder), "%s/../shared/data/host-captures/dhall/records",
		         getenv("NF_SOURCE"));
	dir = opendir(folder);
	skip_unless(dir, "shared-data", "no host-captures beside the source");
	while ((entry = readdir(dir))) {
		struct nf_dhall_loaded l;

		if (!strstr(entry->d_name, ".dhall"))
			continue;
		n++;
		snprintf(path, sizeof(path), "%.*s/%.*s", 2000, folder, 500, entry->d_name);
		if (nf_dhall_load(f->d, path, &l, &f->err) < 0 ||
		    nf_dhall_to_json(f->d, l.value, true, &f->out, &f->err) < 0)
			fail_msg("%s", f->err.msg);
		assert_non_null(strstr(f->out.data, "\"host\": \"host-a\""));
		nf_buf_clear(&f->out);
	}
	closedir(dir);
	assert_true(n >= 5);
}

#define t(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
	t(errors_name_file_line_and_column_in_characters),
	t(the_offending_line_is_shown_with_a_mark),
	t(a_long_line_is_shown_in_part),
	t(what_is_outside_the_part_is_refused_by_name),
	t(hostile_nesting_is_refused),
	t(long_chains_are_refused_not_followed_to_the_end_of_the_stack),
	t(wide_expressions_are_fine),
	t(what_multiplies_stops_at_the_limits),
	t(what_is_shared_stops_when_it_is_written_out),
	t(lets_that_build_up_depth_are_refused),
	t(values_become_json),
	t(what_json_cannot_say_is_an_error),
	t(json_becomes_a_value_of_a_type_and_back),
	t(json_that_is_not_of_the_type_is_refused_with_its_place),
	t(json_without_a_type_is_read_where_it_settles_one),
	t(text_is_printed_so_that_it_stays_text),
	t(without_a_mark_the_root_is_the_parent_of_the_folder),
	t(a_manifest_marks_the_root),
	t(links_do_not_lead_out_of_the_root),
	t(a_given_root_decides),
	t(absent_files_and_folders_are_the_callers_mistake),
	t(a_session_goes_on_after_an_error),
	t(published_records_are_read),
};
NF_UNIT_MAIN(tests)
