/* SPDX-License-Identifier: MIT */
/* A command in a board's shell: login, output, exit status, whatever else is printed. The shell behind it is this machine's. */
#include "board/dialogue.h"

#include "nf_unit.h"
#include "played_board.h"
#include "uboot_texts.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#define NONCE "0123456789abcdeffedcba9876543210"
#define PROMPT "# " PLAYED_LINE

enum { SAID = 1 << 16 };

/* What happens to what the shell prints, on its way. */
struct way {
	const char *at; /* these bytes of it */
	size_t after; /* so many bytes into them */
	const char *message; /* comes in between */
	unsigned times; /* of commands; 0: all */
	unsigned n;
	char said[SAID];
};

static size_t run_shell(const char *line, char *ret, size_t size)
{
	int fds[2];
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(fds[1], 1);
		dup2(fds[1], 2);
		close(fds[0]);
		close(fds[1]);
		execl("/bin/sh", "sh", "-c", line, (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	while ((got = read(fds[0], ret + n, size - 1 - n)) > 0 || (got < 0 && errno == EINTR))
		n += got > 0 ? (size_t)got : 0;
	close(fds[0]);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	ret[n] = '\0';
	return n;
}

/* As a terminal sends it; a NUL cannot be played. */
static const char *shell(void *ctx, const char *line)
{
	static char text[SAID / 4];
	struct way *w = ctx;
	size_t len = run_shell(line, text, sizeof(text));
	const char *at = w->at && (w->times == 0 || w->n < w->times) ? strstr(text, w->at) : NULL;
	char *p = w->said;

	w->n++;
	for (size_t i = 0; i <= len; i++) {
		if (at && text + i == at + w->after)
			p = stpcpy(p, w->message);
		if (text[i] == '\n')
			*p++ = '\r';
		if (i < len)
			*p++ = text[i];
	}
	strcpy(p, PROMPT);
	return w->said;
}

static struct nf_dialogue_opts shell_opts(const char *command)
{
	return (struct nf_dialogue_opts){
		.login = "login:",
		.user = "root",
		.password = "secret",
		.shell_prompt = "# $",
		.shell_command = command,
		.nonce = NONCE,
		.prompt_ns = 30 * SECONDS,
		.shell_ns = 60 * SECONDS,
	};
}

static struct played_script shell_script(struct way *w, const struct played_reply *rows, size_t n)
{
	return (struct played_script){ .reply = rows, .n_replies = n, .run = shell, .ctx = w };
}

static const struct played_reply at_shell[] = { { "", PROMPT, 0 },
	                                        { "<on>", PLAYED_LINE, 0 },
	                                        { "<break>", "^C\r\n" PROMPT, 0 } };

static void play(struct played *p, const struct nf_dialogue_opts *o, const struct played_script *s)
{
	struct nf_err err = { 0 };

	if (played_run(p, o, true, s, NULL, NULL, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(p->finishes, 1);
	assert_false(p->after_finish);
	assert_false(p->over);
}

/* output NULL: any. */
static void expect(const char *command, struct way *w, const char *output, int status)
{
	struct nf_dialogue_opts o = shell_opts(command);
	struct played_script s = shell_script(w, at_shell, 3);
	struct played p;

	play(&p, &o, &s);
	if (p.outcome.kind != NF_OUTCOME_DONE || p.status != status ||
	    (output && strcmp(p.output.data, output) != 0))
		fail_msg("%s: %s, status %d, output '%s'", command, p.outcome.words, p.status,
		         p.output.data);
	played_fini(&p);
}

static void output_and_status_of_a_command_come_back(void **state)
{
	struct way w = { 0 };

	(void)state;
	expect("echo one; echo two", &w, "one\ntwo\n", 0);
	expect("printf abc", &w, "abc", 0);
	expect("true", &w, "", 0);
	expect("sh -c 'exit 7'", &w, "", 7);
	expect("exit 3", &w, "", 3);
	expect("printf 'a\\n\\nb\\n\\n'", &w, "a\n\nb\n\n", 0);
	expect("nosuchcommandhere 2>/dev/null", &w, "", 127);
	expect("kill -9 $$", &w, NULL, 137);
}

static void quotes_comments_and_more_survive(void **state)
{
	struct way w = { 0 };

	(void)state;
	expect("echo \"a b\" 'c  d' # said", &w, "a b c  d\n", 0);
	expect("# nothing", &w, "", 0);
	expect("echo it\\'s 100% \\\\ !x $((1+1)) `echo q`", &w, "it's 100% \\ !x 2 q\n", 0);
	expect("-x 2>/dev/null", &w, "", 127);
	expect("echo a\necho b\n", &w, "a\nb\n", 0);
	expect("printf '\xc3\xa9\\tx'", &w, "\xc3\xa9\tx", 0);
	expect("cat", &w, "", 0); /* nothing to read */
	expect("echo 'a", &w, NULL, 2);
	expect("cat <<E\n' \"\nE\n", &w, "' \"\n", 0);
}

#define MESSAGE "[   12.345678] usb 1-1: new device\r\n"

static void a_kernel_message_may_come_anywhere(void **state)
{
	static const char *const where[] = { NONCE "-b\n", NONCE "-e 5\n" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		for (size_t at = 1; at < strlen(where[i]); at++) {
			struct way w = { .at = where[i], .after = at, .message = MESSAGE };

			expect("echo out; exit 5", &w, "out\n", 5);
			/* Two in a row. */
			w.message = MESSAGE MESSAGE;
			expect("echo out; exit 5", &w, "out\n", 5);
		}
	}
	struct way w = { .at = "out", .after = 1, .message = MESSAGE };
	expect("echo out; exit 5", &w, "o[   12.345678] usb 1-1: new device\nut\n", 5);
}

/* One that does not begin with a stamp. */
static void a_torn_end_is_asked_for_again(void **state)
{
	struct nf_dialogue_opts o = shell_opts("echo out; exit 5");
	struct way w = { .at = NONCE "-e", .after = 20, .message = "<6>usb\r\n", .times = 1 };
	struct played_script s = shell_script(&w, at_shell, 3);
	struct played p;

	(void)state;
	play(&p, &o, &s);
	assert_non_null(strstr(p.sent.data, "\rprintf '%s%s %s\\n' 0123456789abcdef "
	                                    "fedcba9876543210-e $n\r"));
	/* The shell that asks is another one here: it has no $n. */
	assert_int_equal(p.outcome.kind, NF_OUTCOME_NO_OUTPUT);
	assert_string_equal(p.output.data, "out\n");
	assert_int_equal(p.status, -1);
	played_fini(&p);
}

static void a_torn_beginning_is_no_second_run(void **state)
{
	for (size_t at = 1; at < NF_DIALOGUE_NONCE + 1; at++) {
		struct nf_dialogue_opts o = shell_opts("echo out; exit 5");
		struct way w = {
			.at = NONCE "-b", .after = at, .message = "<6>usb\r\n", .times = 1
		};
		struct played_script s = shell_script(&w, at_shell, 3);
		struct played p;

		(void)state;
		play(&p, &o, &s);
		assert_int_equal(p.outcome.kind, NF_OUTCOME_NO_OUTPUT);
		assert_string_equal(p.outcome.words,
		                    "the command was run, its output is lost: a marker of it was "
		                    "broken by what else was printed; exit status 5");
		assert_int_equal(w.n, 1);
		assert_int_equal(p.retries, 0);
		played_fini(&p);
	}
}

static void what_looks_like_a_prompt_or_a_marker_is_output(void **state)
{
	struct way w = { .at = "x", .after = 1, .message = PLAYED_10S };

	(void)state;
	expect("printf '# x# # '", &w, "# x# # ", 0);
	w = (struct way){ .at = "# ", .after = 2, .message = PLAYED_10S };
	expect("printf '# '; printf 'login:'", &w, "# login:", 0);
	w = (struct way){ .at = "01", .after = 1, .message = PLAYED_1S };
	expect("echo 0123456789abcdef; printf 0123; printf 01[; printf x", &w,
	       "0123456789abcdef\n012301[x", 0);
	expect("printf 'a\\rb\\r'", &w, "a\rb\r", 0);
}

static void characters_that_get_lost_keep_a_command_from_being_run(void **state)
{
	(void)state;
	for (unsigned lose = 1; lose < 12; lose++) {
		struct nf_dialogue_opts o = shell_opts("echo out; exit 5");
		struct way w = { 0 };
		/* The knock is the first line that is typed. */
		struct played_script s = shell_script(&w, at_shell, 3);
		struct played p;

		s.lose = lose;
		s.lose_lines = 2;
		play(&p, &o, &s);
		if (p.outcome.kind != NF_OUTCOME_DONE || p.retries != 1 || p.status != 5)
			fail_msg("%u lost: %s\n%s", lose, p.outcome.words, p.sent.data);
		assert_string_equal(p.output.data, "out\n");
		played_fini(&p);
	}
}

static void it_logs_in_where_that_is_asked_for(void **state)
{
	static const struct played_reply rows[] = {
		{ "<on>", PLAYED_LINE, 0 },
		{ "", "\r\nWelcome\r\nbuildroot login: " PLAYED_LINE, 1 },
		{ "root", "Password: " PLAYED_SECRET, 0 },
		{ "secret", "\r\n" PLAYED_1S "Last login: never\r\n" PROMPT, 0 },
		{ "", PROMPT, 0 },
	};
	struct nf_dialogue_opts o = shell_opts("exit 4");
	struct way w = { 0 };
	struct played_script s = shell_script(&w, rows, 5);
	struct played p;

	(void)state;
	play(&p, &o, &s);
	assert_string_equal(p.outcome.words, "done: exit status 4");
	assert_int_equal(strncmp(p.sent.data, "\rroot\rsecret\r", 13), 0);
	played_fini(&p);
}

struct login {
	const char *name;
	struct played_reply rows[5];
	const char *user, *password;
	enum nf_outcome_kind kind;
	const char *words;
};

static void each_end_without_a_shell_has_its_words(void **state)
{
	/* clang-format off */
	static const struct login ends[] = {
		{ "silent", { { "<on>", "", 0 } }, "root", "secret", NF_OUTCOME_NO_SHELL, "no shell: not a byte within 30.0 s; the last line: ''" },
		{ "no user", { { "", "login: " PLAYED_LINE, 0 } }, NULL, NULL, NF_OUTCOME_LOGIN, "the login was refused: the board asks who logs in, and no user is given" },
		{ "no password", { { "", "login: " PLAYED_LINE, 0 }, { "root", "Password: " PLAYED_SECRET, 0 } }, "root", NULL, NF_OUTCOME_LOGIN, "the login was refused: 'root' needs a password" },
		{ "wrong password", { { "", "login: " PLAYED_LINE, 0 }, { "root", "Password: " PLAYED_SECRET, 0 }, { "secret", PLAYED_1S "Login incorrect\r\nlogin: " PLAYED_LINE, 0 } },
		  "root", "secret", NF_OUTCOME_LOGIN, "the login was refused: as 'root'" },
		{ "for ever", { { "", "login: " PLAYED_LINE, 0 }, { "root", "\r\nlogin: " PLAYED_LINE, 0 } }, "root", "secret", NF_OUTCOME_NO_SHELL, "no shell: as 'root'" },
		{ "another prompt", { { "", "=> " PLAYED_LINE, 0 } }, "root", "secret", NF_OUTCOME_NO_SHELL, "no shell: no prompt within 30.0 s; the last line: '=> '" },
		{ "deaf shell", { { "<on>", "# " , 0 } }, "root", "secret", NF_OUTCOME_NO_MARKER, "the shell did not take the command: within 1.00 min; the last line: '# '" },
	};
	/* clang-format on */
	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct nf_dialogue_opts o = shell_opts("exit 4");
		struct way w = { 0 };
		struct played_reply rows[6];
		struct played_script s = shell_script(&w, rows, 0);
		struct played p;

		while (s.n_replies < 5 && ends[i].rows[s.n_replies].to) {
			rows[s.n_replies] = ends[i].rows[s.n_replies];
			s.n_replies++;
		}
		rows[s.n_replies++] = (struct played_reply){ "<on>", PLAYED_LINE, 0 };
		o.user = ends[i].user;
		o.password = ends[i].password;
		play(&p, &o, &s);
		if (p.outcome.kind != ends[i].kind || strcmp(p.outcome.words, ends[i].words) != 0)
			fail_msg("%s: %s\n%s", ends[i].name, p.outcome.words, p.states.data);
		assert_int_equal(p.status, -1);
		played_fini(&p);
	}
}

static void a_command_that_does_not_end_is_told_with_what_it_said(void **state)
{
	struct nf_dialogue_opts o = shell_opts("echo out; exit 5");
	struct way w = { .at = "out\n",
		         .after = 3,
		         .message = PLAYED_10S PLAYED_10S PLAYED_10S PLAYED_10S PLAYED_10S
		                 PLAYED_10S PLAYED_10S };
	struct played_script s = shell_script(&w, at_shell, 3);
	struct played p;

	(void)state;
	play(&p, &o, &s);
	assert_string_equal(
	        p.outcome.words,
	        "the command did not end in time: within 1.00 min; the last line: 'out'");
	assert_string_equal(p.output.data, "out");
	assert_int_equal(p.outcome.kind, NF_OUTCOME_SHELL_LATE);
	played_fini(&p);
}

static void a_kernel_message_that_hides_the_prompt_does_not_matter(void **state)
{
	static const struct played_reply rows[] = {
		{ "<on>", "# " MESSAGE PLAYED_LINE, 0 },
		{ "", "# " MESSAGE PLAYED_LINE, 2 },
		{ "", PROMPT, 0 },
	};
	struct nf_dialogue_opts o = shell_opts("exit 4");
	struct way w = { 0 };
	struct played_script s = shell_script(&w, rows, 3);
	struct played p;

	(void)state;
	play(&p, &o, &s);
	assert_int_equal(p.outcome.kind, NF_OUTCOME_DONE);
	assert_int_equal(p.status, 4);
	played_fini(&p);
}

static void a_command_that_is_too_long_is_refused_before_anything_is_sent(void **state)
{
	char many[NF_DIALOGUE_SHELL_MAX + 2];
	struct nf_dialogue_opts o = shell_opts(many);
	struct nf_dialogue *d = NULL;
	struct nf_err err = { 0 };

	(void)state;
	memset(many, 'x', sizeof(many));
	many[NF_DIALOGUE_SHELL_MAX] = '\0';
	assert_int_equal(nf_dialogue_shell(&o, NULL, NULL, &d, &err), 0);
	nf_dialogue_free(d);
	d = NULL;
	many[NF_DIALOGUE_SHELL_MAX] = 'x';
	many[NF_DIALOGUE_SHELL_MAX + 1] = '\0';
	assert_int_equal(nf_dialogue_shell(&o, NULL, NULL, &d, &err), -NF_EARG);
	assert_non_null(strstr(err.msg, "a command of 701 bytes; allowed: up to 700"));
	assert_null(d);
	o = shell_opts("true");
	o.nonce = "0123";
	assert_int_equal(nf_dialogue_shell(&o, NULL, NULL, &d, &err), -NF_EARG);
	o = shell_opts("true");
	o.shell_prompt = "(";
	assert_int_equal(nf_dialogue_shell(&o, NULL, NULL, &d, &err), -NF_EARG);
	o = shell_opts("true");
	o.shell_prompt = NULL;
	assert_int_equal(nf_dialogue_shell(&o, NULL, NULL, &d, &err), -NF_EARG);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(output_and_status_of_a_command_come_back),
	cmocka_unit_test(quotes_comments_and_more_survive),
	cmocka_unit_test(a_kernel_message_may_come_anywhere),
	cmocka_unit_test(a_torn_end_is_asked_for_again),
	cmocka_unit_test(a_torn_beginning_is_no_second_run),
	cmocka_unit_test(what_looks_like_a_prompt_or_a_marker_is_output),
	cmocka_unit_test(characters_that_get_lost_keep_a_command_from_being_run),
	cmocka_unit_test(it_logs_in_where_that_is_asked_for),
	cmocka_unit_test(each_end_without_a_shell_has_its_words),
	cmocka_unit_test(a_command_that_does_not_end_is_told_with_what_it_said),
	cmocka_unit_test(a_kernel_message_that_hides_the_prompt_does_not_matter),
	cmocka_unit_test(a_command_that_is_too_long_is_refused_before_anything_is_sent),
};
NF_UNIT_MAIN(tests)
