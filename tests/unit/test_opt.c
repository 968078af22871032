/* SPDX-License-Identifier: MIT */
#include "nf_unit.h"
#include "opt/opt.h"

enum colour { RED, GREEN };

struct params {
	bool verbose, fast;
	int64_t times, work, duration_ns;
	bool duration_given;
	const char *tag, *cpus, *out;
	int colour;
	struct nf_opt_list define;
};

static const char *const colours[] = { "red", "green", NULL };

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_FLAG('v', "verbose", struct params, verbose, "say more") },
	{ NF_OPT_FLAG('f', "fast", struct params, fast, "hurry") , .conflicts = "duration times" },
	{ NF_OPT_INT('n', "times", struct params, times, -5, 100, 7, "how often") },
	{ NF_OPT_COUNT('w', "work", struct params, work, 1, INT64_C(1) << 40, 1024, "iterations") },
	{ NF_OPT_DURATION('d', "duration", struct params, duration_ns, 1000000, INT64_C(3600000000000),
		INT64_C(10000000000), "how long"), NF_OPT_GIVEN(struct params, duration_given) },
	{ NF_OPT_TEXT('t', "tag", struct params, tag, NULL, "TEXT", "label"), .needs = "out" },
	{ NF_OPT_CPUS('c', "cpus", struct params, cpus, "allowed", "where") },
	{ NF_OPT_PATH('o', "out", struct params, out, NULL, "FILE", "output") },
	{ NF_OPT_CHOICE(0, "colour", struct params, colour, colours, GREEN, "NAME", "which") },
	{ NF_OPT_LIST('D', "define", struct params, define, "TEXT", "more") },
	{ NF_OPT_FLAG(0, "secret", struct params, fast, "internal"), .hidden = true },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

enum { ROOM = 64 };

struct outcome {
	struct params p;
	struct nf_opt_rest rest;
	const char *item[ROOM];
	struct nf_err err;
	int r;
};

static struct outcome parse(int argc, const char *const argv[])
{
	static struct outcome o;
	char *args[ROOM];
	struct nf_opt_set set = { .opts = opts, .params = &o.p };

	memset(&o, 0, sizeof(o));
	for (int i = 0; i < argc; i++)
		memcpy(&args[i], &argv[i], sizeof(args[i]));
	o.rest.item = o.item;
	nf_opt_defaults(&set);
	o.r = nf_opt_parse(&set, 1, argc, args, false, &o.rest, &o.err);
	return o;
}

#define PARSE(...) \
	parse((int)(sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)), \
	      (const char *const[]){ __VA_ARGS__ })

static void assert_refused(const struct outcome *o, const char *text)
{
	assert_int_equal(o->r, -NF_EARG);
	assert_int_equal(o->err.code, NF_EARG);
	assert_string_equal(o->err.msg, text);
	assert_null(strchr(o->err.msg, '\n'));
}

static void defaults_are_written_when_nothing_is_given(void **state)
{
	struct outcome o = parse(0, NULL);

	(void)state;
	assert_int_equal(o.r, 0);
	assert_false(o.p.verbose);
	assert_int_equal(o.p.times, 7);
	assert_int_equal(o.p.work, 1024);
	assert_int_equal(o.p.duration_ns, 10000000000);
	assert_false(o.p.duration_given);
	assert_null(o.p.tag);
	assert_string_equal(o.p.cpus, "allowed");
	assert_int_equal(o.p.colour, GREEN);
	assert_int_equal(o.rest.n, 0);
	assert_int_equal(o.rest.n_used, 0);
}

static void every_form_of_a_value_is_read(void **state)
{
	struct outcome o =
	        PARSE("-n5", "-w", "2^20", "--duration=1.5s", "--colour", "red", "-c0-3,8");

	(void)state;
	assert_int_equal(o.r, 0);
	assert_int_equal(o.p.times, 5);
	assert_int_equal(o.p.work, 1 << 20);
	assert_int_equal(o.p.duration_ns, 1500000000);
	assert_true(o.p.duration_given);
	assert_int_equal(o.p.colour, RED);
	assert_string_equal(o.p.cpus, "0-3,8");
	o = PARSE("-vn", "-5");
	assert_int_equal(o.r, 0);
	assert_true(o.p.verbose);
	assert_int_equal(o.p.times, -5);
	o = PARSE("-vn3", "-vvv");
	assert_int_equal(o.r, 0);
	assert_int_equal(o.p.times, 3);
	o = PARSE("--work", "12", "--out=a=b");
	assert_int_equal(o.r, 0);
	assert_int_equal(o.p.work, 12);
	assert_string_equal(o.p.out, "a=b");
}

static void operands_and_options_may_be_mixed(void **state)
{
	struct outcome o = PARSE("a", "-v", "-", "--", "-n", "--x", "--");

	(void)state;
	assert_int_equal(o.r, 0);
	assert_true(o.p.verbose);
	assert_int_equal(o.rest.n, 5);
	assert_int_equal(o.rest.n_before, 2);
	assert_string_equal(o.item[0], "a");
	assert_string_equal(o.item[1], "-");
	assert_string_equal(o.item[2], "-n");
	assert_string_equal(o.item[4], "--");
	o = PARSE("a");
	assert_int_equal(o.rest.n_before, 1);
}

static void parsing_may_stop_before_the_first_operand(void **state)
{
	char a0[] = "-v", a1[] = "run", a2[] = "--bogus";
	char *argv[] = { a0, a1, a2 };
	struct params p = { 0 };
	struct nf_opt_set set = { .opts = opts, .params = &p };
	struct nf_opt_rest rest = { .n = 99 };

	(void)state;
	assert_int_equal(nf_opt_parse(&set, 1, 3, argv, true, &rest, NULL), 0);
	assert_int_equal(rest.n_used, 1);
	assert_int_equal(rest.n, 0);
	assert_true(p.verbose);
	assert_int_equal(set.given, 1);
}

static void a_bad_value_names_option_value_and_what_is_allowed(void **state)
{
	struct outcome o = PARSE("--times=101");

	(void)state;
	assert_refused(
	        &o, "--times: bad value '101': too large; allowed: a whole number from -5 to 100");
	o = PARSE("-n", "-6");
	assert_refused(
	        &o, "--times: bad value '-6': too small; allowed: a whole number from -5 to 100");
	o = PARSE("-n", "5x");
	assert_refused(
	        &o,
	        "--times: bad value '5x': not a number; allowed: a whole number from -5 to 100");
	o = PARSE("-n", "99999999999999999999");
	assert_refused(&o, "--times: bad value '99999999999999999999': out of range; allowed: "
	                   "a whole number from -5 to 100");
	o = PARSE("--work", "0");
	assert_refused(
	        &o,
	        "--work: bad value '0': too small; allowed: a whole number or 2^N from 1 to 2^40");
	o = PARSE("--work", "2^63");
	assert_refused(&o, "--work: bad value '2^63': out of range; allowed: "
	                   "a whole number or 2^N from 1 to 2^40");
	o = PARSE("--work", "2^-1");
	assert_refused(&o, "--work: bad value '2^-1': not a number; allowed: "
	                   "a whole number or 2^N from 1 to 2^40");
	o = PARSE("--duration", "5");
	assert_refused(&o, "--duration: bad value '5': has no unit; allowed: "
	                   "a number and a unit (ns us ms s m h), from 1ms to 1h");
	o = PARSE("--duration", "2h");
	assert_refused(&o, "--duration: bad value '2h': too large; allowed: "
	                   "a number and a unit (ns us ms s m h), from 1ms to 1h");
	o = PARSE("--colour", "blue");
	assert_refused(&o, "--colour: bad value 'blue'; allowed: red, green");
	o = PARSE("--out", "");
	assert_refused(&o, "--out: bad value '': empty; allowed: a path");
	o = PARSE("-n");
	assert_refused(&o, "--times: the value is missing; allowed: a whole number from -5 to 100");
	o = PARSE("--verbose=yes");
	assert_refused(&o, "--verbose: value 'yes' not allowed; allowed: --verbose alone");
}

static void a_bad_cpu_list_is_refused_with_its_reason(void **state)
{
	static const char *const bad[] = {
		"3-0", "3-", "", "a", "0,,1", "-1", "0-99999999", "all"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct outcome o = PARSE("--cpus", bad[i]);

		assert_int_equal(o.r, -NF_EARG);
		assert_non_null(strstr(o.err.msg, "--cpus: bad value '"));
		assert_non_null(strstr(
		        o.err.msg, "allowed: a list such as 0-3,8, or 'allowed', or 'isolated'"));
		assert_string_equal(o.p.cpus, "allowed");
	}
	struct outcome o = PARSE("--cpus", "isolated");
	assert_int_equal(o.r, 0);
}

static void names_are_never_abbreviated(void **state)
{
	struct outcome o = PARSE("--dur=1s");

	(void)state;
	assert_refused(&o, "unknown option '--dur'; did you mean --duration?");
	o = PARSE("--colur", "red");
	assert_refused(&o, "unknown option '--colur'; did you mean --colour?");
	o = PARSE("--zzzz");
	assert_refused(&o, "unknown option '--zzzz'; --help lists the options");
	o = PARSE("-vz");
	assert_refused(&o, "unknown option '-z'; --help lists the options");
	o = PARSE("--=x");
	assert_refused(&o, "unknown option '--'; --help lists the options");
	o = PARSE("--secre");
	assert_refused(&o, "unknown option '--secre'; --help lists the options");
}

static void an_option_with_a_value_may_be_given_once(void **state)
{
	struct outcome o = PARSE("-n1", "--times=2");

	(void)state;
	assert_refused(&o, "--times: given again with '2'; allowed: once");
	o = PARSE("-D", "a", "-Db", "--define=c");
	assert_int_equal(o.r, 0);
	assert_int_equal(o.p.define.n, 3);
	assert_string_equal(o.p.define.item[2], "c");
	const char *many[2 * (NF_OPT_LIST_MAX + 1)];
	for (size_t i = 0; i < sizeof(many) / sizeof(many[0]); i++)
		many[i] = i % 2 ? "x" : "-D";
	o = parse(2 * NF_OPT_LIST_MAX, many);
	assert_int_equal(o.r, 0);
	o = parse(2 * (NF_OPT_LIST_MAX + 1), many);
	assert_refused(&o, "--define: given more than 16 times; allowed: up to 16");
}

static void conflicts_and_needs_are_judged_at_the_end(void **state)
{
	struct outcome o = PARSE("--fast", "-d", "1s");

	(void)state;
	assert_refused(&o, "--fast and --duration cannot be given together; allowed: one of them");
	o = PARSE("-n1", "-f");
	assert_refused(&o, "--fast and --times cannot be given together; allowed: one of them");
	o = PARSE("--tag", "x");
	assert_refused(&o, "--tag needs --out; allowed: both or neither");
	o = PARSE("--tag", "x", "--out", "y");
	assert_int_equal(o.r, 0);
}

static void messages_stay_one_line_whatever_the_value_holds(void **state)
{
	struct outcome o = PARSE("--colour", "a\nb\033[31m\x7f");
	char big[4000];

	(void)state;
	assert_refused(&o, "--colour: bad value 'a\\x0ab\\x1b[31m\\x7f'; allowed: red, green");
	o = PARSE("--cpus", "0,a\nb");
	assert_int_equal(o.r, -NF_EARG);
	assert_null(strchr(o.err.msg, '\n'));
	memset(big, 'y', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	o = PARSE("--colour", big);
	assert_int_equal(o.r, -NF_EARG);
	assert_non_null(strstr(o.err.msg, "y...'; allowed: red, green"));
	memcpy(big, "--", 2);
	o = PARSE(big);
	assert_int_equal(o.r, -NF_EARG);
	assert_non_null(strstr(o.err.msg, "unknown option '--yyy"));
	char ctl[2 * NF_OPT_QUOTED], quoted[NF_OPT_QUOTED];
	memset(ctl, 1, sizeof(ctl) - 1);
	ctl[sizeof(ctl) - 1] = '\0';
	nf_opt_quote(ctl, quoted);
	assert_in_range(strlen(quoted), 60, NF_OPT_QUOTED - 1);
}

static void what_was_given_lives_on_between_two_calls(void **state)
{
	char a0[] = "-n1";
	char *argv[] = { a0 };
	struct params p = { 0 };
	struct nf_opt_set set = { .opts = opts, .params = &p };
	struct nf_opt_rest rest = { 0 };
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(nf_opt_parse(&set, 1, 1, argv, true, &rest, NULL), 0);
	assert_int_equal(nf_opt_parse(&set, 1, 1, argv, true, &rest, &err), -NF_EARG);
	assert_string_equal(err.msg, "--times: given again with '1'; allowed: once");
}

static void the_first_set_that_knows_a_name_gets_it(void **state)
{
	struct params p = { 0 }, q = { 0 };
	struct nf_opt_set sets[] = { { .opts = opts, .params = &p },
		                     { .opts = opts, .params = &q } };
	char a0[] = "-v";
	char *argv[] = { a0 };
	const char *item[1];
	struct nf_opt_rest rest = { .item = item };

	(void)state;
	assert_int_equal(nf_opt_parse(sets, 2, 1, argv, false, &rest, NULL), 0);
	assert_true(p.verbose);
	assert_false(q.verbose);
}

static void help_man_and_completion_show_every_row_but_the_hidden(void **state)
{
	struct nf_buf help, man, words, cases;

	(void)state;
	nf_buf_init(&help, 1 << 16);
	nf_buf_init(&man, 1 << 16);
	nf_buf_init(&words, 1 << 16);
	nf_buf_init(&cases, 1 << 16);
	nf_opt_help(opts, &help);
	nf_opt_man(opts, &man);
	nf_opt_complete_words(opts, &words);
	nf_opt_complete_cases("cmd", opts, &cases);
	for (const struct nf_opt *o = opts; o->kind != NF_OPT_END; o++) {
		char text[64];

		snprintf(text, sizeof(text), "--%s", o->name);
		assert_int_equal(strstr(help.data, text) != NULL, !o->hidden);
		assert_int_equal(strstr(words.data, text) != NULL, !o->hidden);
		assert_int_equal(strstr(cases.data, text) != NULL,
		                 !o->hidden && o->kind != NF_OPT_FLAG);
		snprintf(text, sizeof(text), "\\-\\-%s", o->name);
		assert_int_equal(strstr(man.data, text) != NULL, !o->hidden);
	}
	assert_non_null(strstr(help.data, "default 10s]"));
	assert_non_null(strstr(help.data, "[red, green; default green]"));
	assert_non_null(strstr(cases.data, "-W 'red green'"));
	for (const char *line = help.data; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		assert_in_range(strcspn(line, "\n"), 0, 80);
	}
	nf_buf_fini(&help);
	nf_buf_fini(&man);
	nf_buf_fini(&words);
	nf_buf_fini(&cases);
}

static void roff_sees_captured_text_as_text(void **state)
{
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 256);
	nf_opt_man_text(".B x\n'y\\z 2^-1", &out);
	assert_string_equal(out.data, "\\&.B x\n\\&\\(aqy\\ez 2\\(ha\\-1");
	nf_buf_fini(&out);
}

static void wrapping_breaks_between_words_only(void **state)
{
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 256);
	nf_opt_wrap("aa bb  cccccccccccc dd", 2, 9, &out);
	assert_string_equal(out.data, "aa bb\n  cccccccccccc\n  dd");
	nf_buf_fini(&out);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(defaults_are_written_when_nothing_is_given),
	cmocka_unit_test(every_form_of_a_value_is_read),
	cmocka_unit_test(operands_and_options_may_be_mixed),
	cmocka_unit_test(parsing_may_stop_before_the_first_operand),
	cmocka_unit_test(a_bad_value_names_option_value_and_what_is_allowed),
	cmocka_unit_test(a_bad_cpu_list_is_refused_with_its_reason),
	cmocka_unit_test(names_are_never_abbreviated),
	cmocka_unit_test(an_option_with_a_value_may_be_given_once),
	cmocka_unit_test(conflicts_and_needs_are_judged_at_the_end),
	cmocka_unit_test(messages_stay_one_line_whatever_the_value_holds),
	cmocka_unit_test(what_was_given_lives_on_between_two_calls),
	cmocka_unit_test(the_first_set_that_knows_a_name_gets_it),
	cmocka_unit_test(help_man_and_completion_show_every_row_but_the_hidden),
	cmocka_unit_test(roff_sees_captured_text_as_text),
	cmocka_unit_test(wrapping_breaks_between_words_only),
};

NF_UNIT_MAIN(tests)
