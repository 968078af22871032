/* SPDX-License-Identifier: MIT */
/* Console logs of other tools: the form is found, the times and texts are theirs, nothing odd is lost silently. */
#include "board/import.h"
#include "nf_unit.h"

enum { LINES = 64 };

struct seen {
	size_t n;
	struct {
		char text[80];
		int64_t ns;
		uint64_t offset, bytes;
		bool stamped;
	} line[LINES];
	uint64_t cut;
};

static int take(void *ctx, const struct nf_line *l, bool stamped, struct nf_err *err)
{
	struct seen *s = ctx;

	(void)err;
	assert_int_equal(l->first_lo_ns, l->last_hi_ns);
	s->cut += l->cut_bytes;
	if (s->n == LINES)
		return 0;
	snprintf(s->line[s->n].text, sizeof(s->line[0].text), "%s", l->text);
	s->line[s->n].ns = l->first_hi_ns;
	s->line[s->n].offset = l->raw_offset;
	s->line[s->n].bytes = l->raw_bytes;
	s->line[s->n++].stamped = stamped;
	return 0;
}

static int import_split(const char *form, const char *text, size_t len, size_t cut, struct seen *s,
                        struct nf_import_facts *ret, struct nf_err *err)
{
	struct nf_import *im = NULL;

	memset(s, 0, sizeof(*s));
	assert_int_equal(
	        nf_import_new(form ? nf_import_form_find(form) : NULL, "f.log", take, s, &im, err),
	        0);
	int r = nf_import_feed(im, text, cut, err);
	if (r == 0)
		r = nf_import_feed(im, text + cut, len - cut, err);
	if (r == 0)
		r = nf_import_finish(im, err);
	*ret = *nf_import_facts(im);
	nf_import_free(im);
	return r;
}

static struct seen s;
static struct nf_import_facts facts;

static void import(const char *form, const char *text)
{
	struct nf_err err = { 0 };

	if (import_split(form, text, strlen(text), 0, &s, &facts, &err) < 0)
		fail_msg("%s", err.msg);
}

static void is_line(size_t i, int64_t us, const char *text)
{
	assert_true(i < s.n);
	assert_string_equal(s.line[i].text, text);
	assert_int_equal(s.line[i].ns, us * 1000);
	assert_true(s.line[i].stamped);
}

static void seconds_and_a_tab_with_a_head(void **state)
{
	(void)state;
	import(NULL,
	       "# config=vm run=2 status=OK src=mmc\n# t\ttext\n   0.1002\tgo 1\n   0.1002\t\n"
	       "   2.5000\t\rlogin: \n");
	assert_string_equal(facts.form->name, "tab");
	assert_string_equal(facts.head.config, "vm");
	assert_string_equal(facts.head.run, "2");
	assert_string_equal(facts.head.status, "OK");
	assert_int_equal(facts.unit_ns, 100000);
	assert_int_equal(facts.preamble, 2);
	assert_int_equal(s.n, 3);
	is_line(0, 100200, "go 1");
	is_line(1, 100200, "");
	is_line(2, 2500000, "login: ");
	assert_int_equal(s.line[0].bytes, 6); /* "go 1" and CR LF */
	assert_int_equal(s.line[1].offset, 6);
	assert_int_equal(s.line[1].bytes, 2);
	assert_int_equal(s.line[2].bytes, 10);
}

static void grabserial_has_two_numbers(void **state)
{
	(void)state;
	import(NULL, "[0.000002 0.000002] U-Boot\n[1.250000 1.249998] [    0.000000] Linux\n");
	assert_string_equal(facts.form->name, "grabserial");
	is_line(0, 2, "U-Boot");
	is_line(1, 1250000, "[    0.000000] Linux");
	import(NULL, "[10:00:00.5 0.0] a\n[10:00:01.5 1.0] b\n");
	is_line(1, 1000000, "b");
}

static void ts_in_its_forms(void **state)
{
	(void)state;
	import(NULL, "Feb 28 23:59:59 a\nFeb 29 00:00:01 b\n");
	assert_string_equal(facts.form->name, "ts");
	assert_int_equal(facts.unit_ns, 1000000000);
	is_line(0, 0, "a");
	is_line(1, 2000000, "b");
	import(NULL, "1700000000.250000 a\n1700000000.750000 b\n");
	is_line(1, 500000, "b");
	import(NULL, "0.100000 a\n0.250000 \n");
	is_line(0, 100000, "a");
	is_line(1, 250000, "");
	import(NULL, "00:00:01 a\n00:01:02 b\n");
	is_line(1, 61000000, "b");
	import(NULL, "Dec 31 23:59:59 a\nJan  1 00:00:00 b\n");
	is_line(1, 1000000, "b");
	import("ts-i", "00:00:01 a\n00:00:02 b\n00:00:00 c\n");
	is_line(0, 1000000, "a");
	is_line(1, 3000000, "b");
	is_line(2, 3000000, "c");
}

static void tio_in_its_forms(void **state)
{
	(void)state;
	import(NULL, "[23:59:59.900] a\n[00:00:00.100] b\n");
	assert_string_equal(facts.form->name, "tio");
	assert_int_equal(facts.midnights, 1);
	is_line(1, 200000, "b");
	import(NULL, "[2026-12-31T23:59:59.500+01:00] a\n[2026-12-31T23:00:00.000Z] b\n");
	is_line(1, 500000, "b");
	import("tio-delta", "[00:00:00.500] a\n[00:00:00.250] b\n");
	is_line(1, 750000, "b");
}

static void the_kernels_own_stamps_are_no_hosts(void **state)
{
	static const char text[] = "[    0.000000] Linux version\n[    0.100000] x\n";
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(import_split(NULL, text, strlen(text), 0, &s, &facts, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "printk"));
	assert_non_null(strstr(err.msg, "f.log"));
	import("grabserial-nodelta", text);
	is_line(1, 100000, "x");
}

static void what_is_no_log_is_refused(void **state)
{
	static const char *const texts[] = { "", "\n\n", "hello\nworld\n", "12 monkeys\n13 more\n",
		                             "\xff\xfe\x31\0\t\0" };
	struct nf_err err;

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(import_split(NULL, texts[i], i == 4 ? 6 : strlen(texts[i]), 0, &s,
		                              &facts, &err),
		                 -NF_EDATA);
		assert_non_null(strstr(err.msg, "allowed: "));
	}
	assert_int_equal(import_split("tio", "0.1\ta\n", 6, 0, &s, &facts, &err), -NF_EDATA);
}

static void lines_without_a_stamp_are_told(void **state)
{
	(void)state;
	import(NULL, "\xef\xbb\xbf"
	             "noise\n0.1\ta\nno stamp\n\n0.2\tb\r\n12:00:00\tc\n0.3\tab\rcd\n0.4\tz");
	assert_int_equal(facts.preamble, 1);
	assert_int_equal(facts.unstamped, 2);
	assert_int_equal(facts.blank, 1);
	assert_int_equal(facts.other_kind, 1);
	assert_true(facts.unterminated);
	assert_int_equal(s.n, 6);
	assert_false(s.line[1].stamped);
	assert_int_equal(s.line[1].ns, 100000000);
	is_line(2, 200000, "b");
	assert_int_equal(s.line[2].bytes, 3); /* its CR is one of the two */
	is_line(4, 300000, "cd");
	assert_int_equal(s.line[4].bytes, 7);
	is_line(5, 400000, "z");
}

static void a_clock_that_goes_back_goes_back(void **state)
{
	(void)state;
	import(NULL, "5.0\ta\n4.5\tb\n-1.0\tc\n");
	is_line(1, 4500000, "b");
	is_line(2, -1000000, "c");
}

static void a_huge_line_is_cut_and_counted(void **state)
{
	enum { HUGE = 3 << 20 };
	char *text = malloc(HUGE + 64);
	struct nf_err err = { 0 };

	(void)state;
	assert_non_null(text);
	memcpy(text, "1.0\ta\n2.0\t", 10);
	memset(text + 10, 'x', HUGE);
	memcpy(text + 10 + HUGE, "\n3.0\tb\n", 7);
	assert_int_equal(import_split(NULL, text, 17 + HUGE, 7, &s, &facts, &err), 0);
	free(text);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.cut, HUGE - NF_LINE_LIMIT);
	assert_int_equal(s.line[1].bytes, HUGE + 2);
	is_line(2, 3000000, "b");
}

static void numbers_beyond_all_time_are_no_stamps(void **state)
{
	(void)state;
	import(NULL,
	       "4000000000.0\ta\n-4000000000.0\tb\n99999999999999999999.0\tc\n4000000001\td\n");
	assert_int_equal(facts.stamped, 2);
	assert_int_equal(facts.unstamped, 2);
	assert_int_equal(s.line[1].ns, INT64_C(-4000000000000000000));
}

static void however_it_is_split_it_is_the_same(void **state)
{
	static const char text[] =
	        "\xef\xbb\xbf# config=a\n0.1\tone\nplain\n0.2\t\x1b[31mtwo\r\n0.3\tx\ry\n";
	struct nf_import_facts whole_facts;
	struct seen whole;

	(void)state;
	import(NULL, text);
	whole = s;
	whole_facts = facts;
	for (size_t cut = 0; cut < sizeof(text); cut++) {
		assert_int_equal(import_split(NULL, text, sizeof(text) - 1,
		                              cut < sizeof(text) - 1 ? cut : 0, &s, &facts, NULL),
		                 0);
		assert_memory_equal(&s, &whole, sizeof(s));
		assert_memory_equal(&facts, &whole_facts, sizeof(facts));
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(seconds_and_a_tab_with_a_head),
	cmocka_unit_test(grabserial_has_two_numbers),
	cmocka_unit_test(ts_in_its_forms),
	cmocka_unit_test(tio_in_its_forms),
	cmocka_unit_test(the_kernels_own_stamps_are_no_hosts),
	cmocka_unit_test(what_is_no_log_is_refused),
	cmocka_unit_test(lines_without_a_stamp_are_told),
	cmocka_unit_test(a_clock_that_goes_back_goes_back),
	cmocka_unit_test(a_huge_line_is_cut_and_counted),
	cmocka_unit_test(numbers_beyond_all_time_are_no_stamps),
	cmocka_unit_test(however_it_is_split_it_is_the_same),
};
NF_UNIT_MAIN(tests)
