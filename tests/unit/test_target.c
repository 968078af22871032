/* SPDX-License-Identifier: MIT */
#include "nf_unit.h"

#include "remote/said.h"
#include "remote/target.h"

static void parts(const char *text, const char *user, const char *host, int port)
{
	struct nf_target t;
	struct nf_err err = { 0 };

	if (nf_target_parse(text, &t, &err) < 0)
		fail_msg("%s: %s", text, err.msg);
	assert_string_equal(t.user, user);
	assert_string_equal(t.host, host);
	assert_int_equal(t.port, port);
	assert_string_equal(t.text, text);
}

static void a_target_has_a_host_and_perhaps_a_user_and_a_port(void **state)
{
	(void)state;
	parts("box", "", "box", 0);
	parts("root@box", "root", "box", 0);
	parts("a.b-c_d@lab-3.example.org:2222", "a.b-c_d", "lab-3.example.org", 2222);
	parts("127.0.0.1:1", "", "127.0.0.1", 1);
	parts("u@::1", "u", "::1", 0);
	parts("u@[fe80::12]:65535", "u", "fe80::12", 65535);
	parts("[::1]", "", "::1", 0);
	parts("_alias", "", "_alias", 0);
}

static void what_could_mean_something_else_is_refused_in_one_printable_line(void **state)
{
	static const char *const bad[] = {
		"",
		"@",
		"@box",
		"u@",
		"-oProxyCommand=x",
		"-v",
		"u@-oProxyCommand=x",
		"-u@box",
		"u@@box",
		"u@box@other",
		"$(touch x)",
		"u@$(touch x)",
		"u@`x`",
		"u@box;x",
		"u@box x",
		"u@box\tx",
		"u@box\nx",
		"u@box\x1b[2J",
		"\x1b]0;x\a@box",
		"u@b\x7fx",
		"u@b\xc3\xa4x",
		"u@box%h",
		"u@box/x",
		"u@box\\x",
		"u@box'x",
		"u@box\"x",
		"u|x@box",
		"u@box:",
		"u@box:0",
		"u@box:65536",
		"u@box:99999999999",
		"u@box:+1",
		"u@box:-1",
		"u@box:22x",
		"u@[::1",
		"u@[::1]x",
		"u@[::1]:",
		"u@[]",
		"u@[box;x]",
		"u@1:2:3",
		"u@:22",
		"u@fe80::1%eth0",
		"ssh://u@box",
		"0123456789012345678901234567890123@box",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct nf_target t = { .port = 7, .host = "kept" };
		struct nf_err err = { 0 };

		if (nf_target_parse(bad[i], &t, &err) != -NF_EARG)
			fail_msg("%s is taken", bad[i]);
		assert_non_null(strstr(err.msg, "allowed: "));
		for (const char *p = err.msg; *p; p++)
			assert_true((unsigned char)*p >= 0x20 && *p != 0x7f);
		assert_int_equal(t.port, 7);
		assert_string_equal(t.host, "kept");
	}
}

static void names_that_are_too_long_are_refused(void **state)
{
	char text[700];
	struct nf_target t;

	(void)state;
	memset(text, 'a', sizeof(text));
	text[253] = '\0';
	assert_int_equal(nf_target_parse(text, &t, NULL), 0);
	text[253] = 'a';
	text[254] = '\0';
	assert_int_equal(nf_target_parse(text, &t, NULL), -NF_EARG);
	text[254] = 'a';
	text[699] = '\0';
	assert_int_equal(nf_target_parse(text, &t, NULL), -NF_EARG);
}

static void the_last_line_that_says_something_is_kept_and_printable(void **state)
{
	struct nf_said s = { .len_bytes = 0 };
	char line[NF_SAID_LINE];
	char flood[5000];

	(void)state;
	nf_said_line(&s, line);
	assert_string_equal(line, "");
	nf_said_add(&s, "first\nsecond \x1b[31mred\x9b\xc3\xa4\r\n\n", 27);
	nf_said_line(&s, line);
	assert_string_equal(line, "second ?[31mred???");
	memset(flood, 'x', sizeof(flood));
	nf_said_add(&s, flood, sizeof(flood));
	nf_said_line(&s, line);
	assert_true(strlen(line) < NF_SAID_LINE);
	assert_string_equal(line + strlen(line) - 3, "...");
	nf_said_add(&s, "\nlast", 5);
	nf_said_line(&s, line);
	assert_string_equal(line, "last");
	assert_int_equal(s.len_bytes, NF_SAID_KEPT);
}

static void text_keeps_its_characters_and_loses_what_a_terminal_obeys(void **state)
{
	static const char text[] = "a\tb\n\xe2\x94\x80 \xc2\xb5s \x1b[2J \xc2\x9b"
	                           "31m \xe2\x80\xae \xff \x7f \r \xef\xbb\xbf";
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 1000);
	assert_int_equal(nf_said_text(text, sizeof(text) - 1, &out), 7);
	assert_string_equal(out.data, "a\tb\n\xe2\x94\x80 \xc2\xb5s ?[2J ?31m ? ? ? ? ?");
	nf_buf_clear(&out);
	assert_int_equal(nf_said_text("\0", 1, &out), 1);
	assert_string_equal(out.data, "?");
	nf_buf_fini(&out);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_target_has_a_host_and_perhaps_a_user_and_a_port),
	cmocka_unit_test(what_could_mean_something_else_is_refused_in_one_printable_line),
	cmocka_unit_test(names_that_are_too_long_are_refused),
	cmocka_unit_test(the_last_line_that_says_something_is_kept_and_printable),
	cmocka_unit_test(text_keeps_its_characters_and_loses_what_a_terminal_obeys),
};

NF_UNIT_MAIN(tests)
