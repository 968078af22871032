/* SPDX-License-Identifier: MIT */
#include "job/lab_board.h"

#include <signal.h>
#include <time.h>

#include "job/lab_boot_opts.h"
#include "nf_scratch.h"
#include "nf_unit.h"

enum { SCRATCH = 80, LIMIT_S = 120 };

/* A board on a pty: this test is its other side. Its switch keeps what it was asked in a file. */
struct board {
	char dir[SCRATCH];
	char log[SCRATCH + 16];
	int master;
	bool printed;
	bool flood;
	struct nf_campaign campaign;
	struct nf_arena arena;
	struct nf_dialogue_opts opts;
	struct nf_lab_board lab;
};

/* off: what the switch does for it, beside keeping it. */
static void board_make(struct board *b, const char *off, const char *on_abort, const char *boot)
{
	char text[2048];
	struct nf_err err = { 0 };

	*b = (struct board){ 0 };
	nf_lab_board_none(&b->lab);
	nf_scratch_make(b->dir, sizeof(b->dir));
	snprintf(b->log, sizeof(b->log), "%s/log", b->dir);
	nf_scratch_write(b->log, "");
	b->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	assert_true(b->master >= 0);
	assert_int_equal(grantpt(b->master), 0);
	assert_int_equal(unlockpt(b->master), 0);
	snprintf(text, sizeof(text),
	         "board:\n"
	         "  name: b\n"
	         "  console: { pty: %s }\n"
	         "  power: { driver: command, on: [ sh, -c, 'echo on >>%s' ], "
	         "off: [ sh, -c, 'echo off >>%s; %s' ], off_time: 10ms, verify: none }\n"
	         "on_abort: %s\n"
	         "configs:\n"
	         "  - { name: c, done: \"login:\", timeout: { prompt: 60s, boot: %s, silence: 60s "
	         "} }\n",
	         ptsname(b->master), b->log, b->log, off, on_abort, boot);
	if (nf_campaign_read("b.yaml", text, strlen(text), &b->campaign, &err) < 0)
		fail_msg("%s", err.msg);
	nf_arena_init(&b->arena, 1 << 20);
	assert_int_equal(nf_lab_boot_opts(&b->campaign, nf_campaign_config(&b->campaign, 0), NULL,
	                                  &b->arena, &b->opts, &err),
	                 0);
	if (nf_lab_board_open(&b->lab, &b->campaign, NULL, true, &err) < 0)
		fail_msg("%s", err.msg);
}

static void board_end(struct board *b)
{
	struct nf_err err = { 0 };

	if (nf_lab_board_close(&b->lab, &err) < 0)
		fail_msg("%s", err.msg);
	if (b->master >= 0)
		close(b->master);
	nf_campaign_fini(&b->campaign);
	nf_arena_fini(&b->arena);
	nf_scratch_remove(b->dir);
}

static void talk(struct board *b, int dirfd)
{
	const struct nf_lab_talk t = { .opts = &b->opts, .dirfd = dirfd, .name = "console" };
	struct nf_err err = { 0 };

	b->printed = false;
	if (nf_lab_board_talk(&b->lab, &t, &err) < 0)
		fail_msg("%s", err.msg);
}

static void log_is(const struct board *b, const char *want)
{
	char text[256];

	nf_scratch_read(b->log, text, sizeof(text));
	assert_string_equal(text, want);
}

static bool is_on(const struct board *b)
{
	char text[256];
	size_t n;

	nf_scratch_read(b->log, text, sizeof(text));
	n = strlen(text);
	return n >= 3 && strcmp(text + n - 3, "on\n") == 0;
}

/* With power it prints its boot, or without end. */
static void play(struct board *b)
{
	static const char boot[] = "Linux version 6.1\r\nbuildroot login: ";
	char flood[512];

	if (b->master < 0 || b->printed || !is_on(b))
		return;
	if (b->flood) {
		memset(flood, 'x', sizeof(flood));
		flood[sizeof(flood) - 1] = '\n';
		while (write(b->master, flood, sizeof(flood)) > 0)
			;
		return;
	}
	assert_int_equal(write(b->master, boot, strlen(boot)), strlen(boot));
	b->printed = true;
}

static bool all_over(struct board *const *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!nf_lab_board_outcome(&b[i]->lab))
			return false;
	return true;
}

static void loop_make(struct nf_lab_loop *l, struct board *const *b, size_t n)
{
	struct nf_err err = { 0 };

	assert_int_equal(nf_lab_loop_init(l, &err), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(nf_lab_loop_add(l, &b[i]->lab, &err), 0);
}

static void turn(struct nf_lab_loop *l, struct board *const *b, size_t n)
{
	struct nf_err err = { 0 };

	if (nf_lab_loop_turn(l, 10, &err) < 0)
		fail_msg("%s", err.msg);
	for (size_t i = 0; i < n; i++)
		play(b[i]);
}

/* Until the first n are over. */
static void run(struct nf_lab_loop *l, struct board *const *b, size_t n_over, size_t n)
{
	time_t end = time(NULL) + LIMIT_S;

	while (!all_over(b, n_over)) {
		assert_true(time(NULL) < end);
		turn(l, b, n);
	}
}

static void outcome_is(const struct board *b, enum nf_outcome_kind kind)
{
	const struct nf_outcome *o = nf_lab_board_outcome(&b->lab);

	assert_non_null(o);
	if (o->kind != kind)
		fail_msg("%s", o->words);
}

static void boots_is_captured_and_ends_with_its_power_off(void **state)
{
	struct board one, *const all[] = { &one };
	struct nf_lab_loop l;
	char path[SCRATCH + 32], text[256];
	struct nf_err err = { 0 };

	(void)state;
	board_make(&one, "true", "off", "60s");
	loop_make(&l, all, 1);
	int dir = open(one.dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	talk(&one, dir);
	run(&l, all, 1, 1);
	outcome_is(&one, NF_OUTCOME_DONE);
	assert_int_equal(nf_lab_board_hush(&one.lab, &err), 0);
	log_is(&one, "off\non\n");
	snprintf(path, sizeof(path), "%s/console.raw", one.dir);
	nf_scratch_read(path, text, sizeof(text));
	assert_string_equal(text, "Linux version 6.1\r\nbuildroot login: ");
	close(dir);
	nf_lab_loop_fini(&l);
	assert_int_equal(nf_lab_board_close(&one.lab, &err), 0);
	log_is(&one, "off\non\noff\n");
	board_end(&one);
}

static void a_second_talk_begins_with_power_off_again(void **state)
{
	struct board one, *const all[] = { &one };
	struct nf_lab_loop l;
	struct nf_err err = { 0 };

	(void)state;
	board_make(&one, "true", "leave", "60s");
	loop_make(&l, all, 1);
	for (int i = 0; i < 2; i++) {
		talk(&one, -1);
		run(&l, all, 1, 1);
		outcome_is(&one, NF_OUTCOME_DONE);
		assert_int_equal(nf_lab_board_hush(&one.lab, &err), 0);
		if (i == 0) {
			log_is(&one, "off\non\n");
			nf_scratch_write(one.log, "");
		}
	}
	nf_lab_loop_fini(&l);
	assert_int_equal(nf_lab_board_close(&one.lab, &err), 0);
	log_is(&one, "off\non\n");
	board_end(&one);
}

static void a_port_that_goes_away_is_that_boards_alone(void **state)
{
	struct board one, two, *const all[] = { &one, &two };
	struct nf_lab_loop l;
	struct nf_err err = { 0 };

	(void)state;
	board_make(&one, "true", "off", "60s");
	board_make(&two, "true", "off", "60s");
	loop_make(&l, all, 2);
	talk(&one, -1);
	talk(&two, -1);
	close(one.master);
	one.master = -1;
	run(&l, all, 2, 2);
	outcome_is(&one, NF_OUTCOME_PORT_LOST);
	outcome_is(&two, NF_OUTCOME_DONE);
	assert_true(one.lab.port.fd < 0);
	assert_int_equal(nf_lab_board_hush(&one.lab, &err), 0);
	nf_lab_loop_fini(&l);
	board_end(&one);
	board_end(&two);
}

/* The switch of the first does not answer before the second is over. */
static void a_slow_switch_holds_up_nobody_else(void **state)
{
	struct board one, two, *const all[] = { &two, &one };
	struct nf_lab_loop l;
	char gate[SCRATCH], wait[SCRATCH + 64];

	(void)state;
	nf_scratch_make(gate, sizeof(gate));
	snprintf(wait, sizeof(wait), "while [ -d %s ]; do sleep 0.05; done", gate);
	board_make(&one, wait, "leave", "60s");
	board_make(&two, "true", "off", "60s");
	loop_make(&l, all, 2);
	talk(&one, -1);
	talk(&two, -1);
	run(&l, all, 1, 2);
	outcome_is(&two, NF_OUTCOME_DONE);
	assert_null(nf_lab_board_outcome(&one.lab));
	assert_int_equal(rmdir(gate), 0);
	run(&l, all, 2, 2);
	outcome_is(&one, NF_OUTCOME_DONE);
	nf_lab_loop_fini(&l);
	board_end(&one);
	board_end(&two);
}

static void a_switch_that_fails_is_told_in_its_own_words(void **state)
{
	struct board one, *const all[] = { &one };
	struct nf_lab_loop l;

	(void)state;
	board_make(&one, "echo the strip is offline; exit 3", "leave", "60s");
	loop_make(&l, all, 1);
	talk(&one, -1);
	run(&l, all, 1, 1);
	outcome_is(&one, NF_OUTCOME_POWER_OFF);
	assert_non_null(strstr(nf_lab_board_outcome(&one.lab)->words, "the strip is offline"));
	nf_lab_loop_fini(&l);
	board_end(&one);
}

static void a_guard_that_is_killed_fails_the_talk_and_can_be_had_again(void **state)
{
	struct board one, *const all[] = { &one };
	struct nf_lab_loop l;
	struct nf_err err = { 0 };

	(void)state;
	board_make(&one, "true", "leave", "60s");
	loop_make(&l, all, 1);
	assert_int_equal(kill(one.lab.guard.pid, SIGKILL), 0);
	talk(&one, -1);
	run(&l, all, 1, 1);
	outcome_is(&one, NF_OUTCOME_POWER_OFF);
	assert_int_equal(nf_lab_board_hush(&one.lab, &err), 0);
	assert_int_equal(nf_lab_board_reopen(&one.lab, true, &err), 0);
	talk(&one, -1);
	run(&l, all, 1, 1);
	outcome_is(&one, NF_OUTCOME_DONE);
	nf_lab_loop_fini(&l);
	board_end(&one);
}

static void power_ends_as_asked_though_its_guard_was_killed(void **state)
{
	struct board one, *const all[] = { &one };
	struct nf_lab_loop l;

	(void)state;
	board_make(&one, "true", "off", "60s");
	loop_make(&l, all, 1);
	assert_int_equal(kill(one.lab.guard.pid, SIGKILL), 0);
	talk(&one, -1);
	run(&l, all, 1, 1);
	outcome_is(&one, NF_OUTCOME_POWER_OFF);
	log_is(&one, "");
	nf_lab_loop_fini(&l);
	struct nf_err err = { 0 };
	assert_int_equal(nf_lab_board_close(&one.lab, &err), 0);
	log_is(&one, "off\n");
	board_end(&one);
}

static void a_board_that_floods_ends_by_its_limit_and_keeps_nobody_out(void **state)
{
	struct board one, two, *const all[] = { &two, &one };
	struct nf_lab_loop l;

	(void)state;
	board_make(&one, "true", "off", "500ms");
	board_make(&two, "true", "off", "60s");
	one.flood = true;
	loop_make(&l, all, 2);
	talk(&one, -1);
	talk(&two, -1);
	run(&l, all, 2, 2);
	outcome_is(&one, NF_OUTCOME_LATE);
	outcome_is(&two, NF_OUTCOME_DONE);
	nf_lab_loop_fini(&l);
	board_end(&one);
	board_end(&two);
}

static void stopped_it_has_no_outcome_of_its_own(void **state)
{
	struct board one, *const all[] = { &one };
	struct nf_lab_loop l;
	struct nf_err err = { 0 };

	(void)state;
	board_make(&one, "true", "off", "60s");
	loop_make(&l, all, 1);
	assert_int_equal(nf_lab_board_stop(&one.lab, &err), 0);
	talk(&one, -1);
	turn(&l, all, 0);
	assert_int_equal(nf_lab_board_stop(&one.lab, &err), 0);
	outcome_is(&one, NF_OUTCOME_STOPPED);
	assert_int_equal(nf_lab_board_outcome(&one.lab)->class, NF_OUTCOME_NONE);
	nf_lab_loop_fini(&l);
	board_end(&one);
	assert_int_equal(one.lab.guard.fd, -1);
}

static void a_console_that_takes_nothing_is_said(void **state)
{
	struct board one;
	char much[NF_LAB_OUT_MAX] = { 0 };
	struct nf_err err = { 0 };

	(void)state;
	board_make(&one, "true", "leave", "60s");
	assert_int_equal(nf_lab_board_send(&one.lab, much, sizeof(much), &err), 0);
	assert_int_equal(nf_lab_board_send(&one.lab, much, 1, &err), -NF_ESUBJECT);
	assert_non_null(strstr(err.msg, "takes no more bytes"));
	board_end(&one);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(boots_is_captured_and_ends_with_its_power_off),
	cmocka_unit_test(a_second_talk_begins_with_power_off_again),
	cmocka_unit_test(a_port_that_goes_away_is_that_boards_alone),
	cmocka_unit_test(a_slow_switch_holds_up_nobody_else),
	cmocka_unit_test(a_switch_that_fails_is_told_in_its_own_words),
	cmocka_unit_test(a_guard_that_is_killed_fails_the_talk_and_can_be_had_again),
	cmocka_unit_test(power_ends_as_asked_though_its_guard_was_killed),
	cmocka_unit_test(a_board_that_floods_ends_by_its_limit_and_keeps_nobody_out),
	cmocka_unit_test(stopped_it_has_no_outcome_of_its_own),
	cmocka_unit_test(a_console_that_takes_nothing_is_said),
};

NF_UNIT_MAIN(tests)
