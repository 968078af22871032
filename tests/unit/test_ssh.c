/* SPDX-License-Identifier: MIT */
#include "nf_unit.h"

#include <signal.h>

#include "fake_ssh.h"
#include "remote/ssh.h"

static const int64_t S = INT64_C(1000000000);

static int begin(struct nf_ssh **ret, const struct nf_ssh_cfg *cfg, char line[NF_SSH_HELD],
                 struct nf_err *err)
{
	struct nf_target t;

	assert_int_equal(nf_target_parse("who@box:77", &t, err), 0);
	return nf_ssh_open(&t, cfg, ret, line, err);
}

static void a_command_gives_its_output_its_status_and_its_last_word(void **state)
{
	struct fake_ssh f;
	struct nf_ssh_end end;
	struct nf_err err = { 0 };
	struct nf_ssh *s = NULL;
	char line[NF_SSH_HELD];
	struct nf_buf out;

	(void)state;
	fake_ssh_make(&f, NULL);
	nf_buf_init(&out, 1000);
	assert_int_equal(begin(&s,
	                       &(struct nf_ssh_cfg){ .hold = "echo 'one line'; cat >/dev/null" },
	                       line, &err),
	                 0);
	assert_string_equal(line, "one line");
	assert_true(nf_ssh_is_open(s));
	assert_int_equal(
	        nf_ssh_ask(s, "printf '%s\\n' \"a'b\\\\c!$((1+1))`echo x`\"; echo why >&2; exit 7",
	                   60 * S, &out, &end, &err),
	        0);
	assert_string_equal(out.data, "a'b\\c!2x\n");
	assert_int_equal(end.status, 7);
	assert_string_equal(end.said, "why");
	assert_false(end.stopped);
	assert_true(nf_ssh_close(s));
	nf_buf_fini(&out);
	fake_ssh_remove(&f);
}

static void ssh_is_called_without_questions_and_with_the_host_behind_the_options(void **state)
{
	struct fake_ssh f;
	struct nf_ssh *s = NULL;
	char file[300], args[8192];

	(void)state;
	fake_ssh_make(&f, NULL);
	assert_int_equal(begin(&s, &(struct nf_ssh_cfg){ .config = "/x y/cfg" }, NULL, NULL), 0);
	assert_true(nf_ssh_close(s));
	snprintf(file, sizeof(file), "%s/args", f.dir);
	nf_scratch_read(file, args, sizeof(args));
	assert_non_null(strstr(args, "-F\n/x y/cfg\n"));
	assert_non_null(strstr(args, "-oBatchMode=yes\n"));
	assert_non_null(strstr(args, "-oPermitLocalCommand=no\n"));
	assert_non_null(strstr(args, "-l\nwho\n-p77\n--\nbox\nexec sh -c '"));
	fake_ssh_remove(&f);
}

static void what_the_shell_prints_before_is_skipped_and_bounded(void **state)
{
	struct fake_ssh f;
	struct nf_ssh_end end;
	struct nf_err err = { 0 };
	struct nf_ssh *s = NULL;
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 100);
	fake_ssh_make(&f, "printf 'Welcome \\033]0;x\\a\\n@nf-0123'; exec sh -c \"$cmd\"");
	assert_int_equal(begin(&s, &(struct nf_ssh_cfg){ .hold = NULL }, NULL, &err), 0);
	assert_int_equal(nf_ssh_ask(s, "echo yes", 60 * S, &out, &end, &err), 0);
	assert_string_equal(out.data, "yes\n");
	assert_true(nf_ssh_close(s));
	fake_ssh_remove(&f);

	fake_ssh_make(&f, "exec yes");
	assert_int_equal(begin(&s, &(struct nf_ssh_cfg){ .hold = NULL }, NULL, &err), -NF_ESUBJECT);
	assert_non_null(strstr(err.msg, "before it answers"));
	fake_ssh_remove(&f);
	nf_buf_fini(&out);
}

static void an_endless_answer_ends_at_its_ceiling(void **state)
{
	struct fake_ssh f;
	struct nf_ssh_end end;
	struct nf_err err = { 0 };
	struct nf_ssh *s = NULL;
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 100000);
	fake_ssh_make(&f, NULL);
	assert_int_equal(begin(&s, &(struct nf_ssh_cfg){ .hold = NULL }, NULL, &err), 0);
	assert_int_equal(nf_ssh_ask(s, "exec yes", 60 * S, &out, &end, &err), -NF_ESUBJECT);
	assert_non_null(strstr(err.msg, "says more than it may"));
	nf_buf_clear(&out);
	assert_int_equal(
	        nf_ssh_ask(
	                s,
	                "(i=0; while [ $i -lt 5000 ]; do echo $i >&2; i=$((i+1)); done); echo fine",
	                60 * S, &out, &end, &err),
	        0);
	assert_string_equal(out.data, "fine\n");
	assert_string_equal(end.said, "4999");
	assert_true(nf_ssh_close(s));
	fake_ssh_remove(&f);
	nf_buf_fini(&out);
}

static void a_line_that_is_none_is_refused(void **state)
{
	static const char *const holds[] = {
		"printf 'a\\033[2Jb\\n'; cat >/dev/null",
		"printf 'a\\200b\\n'; cat >/dev/null",
		"head -c 600 /dev/zero | tr '\\0' x; cat >/dev/null",
		"exec yes \"$(printf '\\033')\"",
		"exit 3",
	};
	struct fake_ssh f;
	struct nf_ssh *s = NULL;

	(void)state;
	fake_ssh_make(&f, NULL);
	for (size_t i = 0; i < sizeof(holds) / sizeof(holds[0]); i++) {
		char line[NF_SSH_HELD] = "kept";
		struct nf_err err = { 0 };

		assert_int_equal(begin(&s, &(struct nf_ssh_cfg){ .hold = holds[i] }, line, &err),
		                 -NF_ESUBJECT);
		assert_string_equal(line, "kept");
		assert_null(s);
		assert_null(strchr(err.msg, '\x1b'));
	}
	fake_ssh_remove(&f);
}

static void what_ssh_says_of_a_failure_is_told_in_one_printable_line(void **state)
{
	struct fake_ssh f;
	struct nf_err err = { 0 };
	struct nf_ssh *s = NULL;

	(void)state;
	fake_ssh_make(&f, "printf 'banner\\nwho@box: Permission \\033[31mdenied "
	                  "(publickey).\\r\\n' >&2; exit 255");
	assert_int_equal(begin(&s, &(struct nf_ssh_cfg){ .hold = NULL }, NULL, &err), -NF_ESUBJECT);
	assert_string_equal(
	        err.msg, "who@box:77: not reached: who@box: Permission ?[31mdenied (publickey).");
	fake_ssh_remove(&f);
}

static void no_answer_is_waited_for_no_longer_than_allowed(void **state)
{
	struct fake_ssh f;
	struct nf_ssh_end end;
	struct nf_err err = { 0 };
	struct nf_ssh *s = NULL;
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 100);
	fake_ssh_make(&f, "exec sleep 1000");
	assert_int_equal(begin(&s, &(struct nf_ssh_cfg){ .connect_ns = S / 5 }, NULL, &err),
	                 -NF_ETIMEOUT);
	fake_ssh_remove(&f);
	fake_ssh_make(&f, NULL);
	assert_int_equal(begin(&s, &(struct nf_ssh_cfg){ .hold = NULL }, NULL, &err), 0);
	assert_int_equal(nf_ssh_ask(s, "exec sleep 1000", S / 5, &out, &end, &err), -NF_ETIMEOUT);
	/* One that does not listen to being asked. */
	const struct nf_ssh_call deaf = { .script = "exec sleep 1000",
		                          .controlled = true,
		                          .timeout_ns = S / 5,
		                          .grace_ns = S / 5 };
	assert_int_equal(nf_ssh_run(s, &deaf, &end, &err), -NF_ETIMEOUT);
	assert_true(nf_ssh_close(s));
	fake_ssh_remove(&f);
	nf_buf_fini(&out);
}

static void a_stop_request_asks_a_controlled_command_and_ends_another(void **state)
{
	struct nf_stop stop = { .signo = 0 };
	struct fake_ssh f;
	struct nf_ssh_end end;
	struct nf_err err = { 0 };
	struct nf_ssh *s = NULL;
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 100);
	fake_ssh_make(&f, NULL);
	assert_int_equal(begin(&s, &(struct nf_ssh_cfg){ .stop = &stop }, NULL, &err), 0);
	nf_stop_ask(&stop, SIGINT);
	const struct nf_ssh_call call = { .script = "read -r how; echo \"$how\" >&2; exit 130",
		                          .controlled = true,
		                          .timeout_ns = 600 * S,
		                          .grace_ns = 60 * S };
	assert_int_equal(nf_ssh_run(s, &call, &end, &err), 0);
	assert_true(end.stopped);
	assert_int_equal(end.status, 130);
	assert_string_equal(end.said, "INT");
	assert_int_equal(nf_ssh_ask(s, "exec sleep 1000", 600 * S, &out, &end, &err), 0);
	assert_true(end.stopped);
	assert_int_equal(end.status, -1);
	assert_true(nf_ssh_close(s));
	fake_ssh_remove(&f);
	nf_buf_fini(&out);
}

static void time_over_asks_a_controlled_command_to_end(void **state)
{
	struct fake_ssh f;
	struct nf_ssh_end end;
	struct nf_err err = { 0 };
	struct nf_ssh *s = NULL;

	(void)state;
	fake_ssh_make(&f, NULL);
	assert_int_equal(begin(&s, &(struct nf_ssh_cfg){ .hold = NULL }, NULL, &err), 0);
	const struct nf_ssh_call call = { .script = "read -r how; echo \"$how\" >&2; exit 143",
		                          .controlled = true,
		                          .timeout_ns = S / 10,
		                          .grace_ns = 60 * S };
	assert_int_equal(nf_ssh_run(s, &call, &end, &err), 0);
	assert_true(end.timed_out);
	assert_int_equal(end.status, 143);
	assert_string_equal(end.said, "TERM");
	assert_true(nf_ssh_close(s));
	fake_ssh_remove(&f);
}

static int count(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	(void)data;
	(void)err;
	*(size_t *)ctx += len_bytes;
	return 0;
}

static void input_goes_through_whole(void **state)
{
	struct fake_ssh f;
	struct nf_ssh_end end;
	struct nf_err err = { 0 };
	struct nf_ssh *s = NULL;
	size_t n = 0, len = (size_t)3 << 20;
	char *data = calloc(1, len);

	(void)state;
	assert_non_null(data);
	fake_ssh_make(&f, NULL);
	assert_int_equal(begin(&s, &(struct nf_ssh_cfg){ .hold = NULL }, NULL, &err), 0);
	const struct nf_ssh_call call = { .script = "cat",
		                          .input = data,
		                          .input_bytes = len,
		                          .timeout_ns = 120 * S,
		                          .max_bytes = len,
		                          .sink = count,
		                          .sink_ctx = &n };
	assert_int_equal(nf_ssh_run(s, &call, &end, &err), 0);
	assert_int_equal(n, len);
	/* What it does not read is not waited for. */
	const struct nf_ssh_call blind = {
		.script = "exit 4", .input = data, .input_bytes = len, .timeout_ns = 120 * S
	};
	assert_int_equal(nf_ssh_run(s, &blind, &end, &err), 0);
	assert_int_equal(end.status, 4);
	assert_true(nf_ssh_close(s));
	fake_ssh_remove(&f);
	free(data);
}

static void the_holding_command_cleans_up_at_the_close_and_a_lost_one_is_told(void **state)
{
	struct fake_ssh f;
	struct nf_ssh_end end;
	struct nf_err err = { 0 };
	struct nf_ssh *s = NULL;
	char line[NF_SSH_HELD], hold[500];
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 100);
	fake_ssh_make(&f, NULL);
	snprintf(hold, sizeof(hold),
	         "d=$(mktemp -d '%s/XXXXXX'); echo \"$d $$\"; cat >/dev/null; rmdir \"$d\"", f.dir);
	assert_int_equal(begin(&s, &(struct nf_ssh_cfg){ .hold = hold }, line, &err), 0);
	char *blank = strchr(line, ' ');
	assert_non_null(blank);
	*blank = '\0';
	assert_int_equal(access(line, F_OK), 0);
	assert_true(nf_ssh_close(s));
	assert_int_equal(access(line, F_OK), -1);

	assert_int_equal(
	        begin(&s, &(struct nf_ssh_cfg){ .hold = "echo $$; cat >/dev/null" }, line, &err),
	        0);
	assert_int_equal(kill((pid_t)atoi(line), SIGKILL), 0);
	for (int i = 0; i < 6000 && nf_ssh_is_open(s); i++)
		usleep(10000);
	assert_int_equal(nf_ssh_ask(s, "echo yes", 60 * S, &out, &end, &err), -NF_ESUBJECT);
	assert_non_null(strstr(err.msg, "the connection is lost"));
	assert_false(nf_ssh_close(s));
	fake_ssh_remove(&f);
	nf_buf_fini(&out);
}

static void without_ssh_it_is_said_what_would_help(void **state)
{
	struct nf_err err = { 0 };
	struct nf_ssh *s = NULL;
	char was[4096];

	(void)state;
	skip_unless(!nf_unit_instrumented(), "plain-build",
	            "under valgrind a child that cannot be started ends with 127 instead");
	snprintf(was, sizeof(was), "%s", getenv("PATH"));
	setenv("PATH", "/nonexistent", 1);
	assert_int_equal(begin(&s, &(struct nf_ssh_cfg){ .hold = NULL }, NULL, &err),
	                 -NF_EUNSUPPORTED);
	assert_non_null(strstr(err.msg, "openssh-client"));
	setenv("PATH", was, 1);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_command_gives_its_output_its_status_and_its_last_word),
	cmocka_unit_test(ssh_is_called_without_questions_and_with_the_host_behind_the_options),
	cmocka_unit_test(what_the_shell_prints_before_is_skipped_and_bounded),
	cmocka_unit_test(an_endless_answer_ends_at_its_ceiling),
	cmocka_unit_test(a_line_that_is_none_is_refused),
	cmocka_unit_test(what_ssh_says_of_a_failure_is_told_in_one_printable_line),
	cmocka_unit_test(no_answer_is_waited_for_no_longer_than_allowed),
	cmocka_unit_test(a_stop_request_asks_a_controlled_command_and_ends_another),
	cmocka_unit_test(time_over_asks_a_controlled_command_to_end),
	cmocka_unit_test(input_goes_through_whole),
	cmocka_unit_test(the_holding_command_cleans_up_at_the_close_and_a_lost_one_is_told),
	cmocka_unit_test(without_ssh_it_is_said_what_would_help),
};

NF_UNIT_MAIN(tests)
