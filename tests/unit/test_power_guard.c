/* SPDX-License-Identifier: MIT */
#include "board/power_guard.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "nf_scratch.h"
#include "nf_unit.h"

enum { SCRATCH = 80, WAIT_MS = 60000 };

/* A switch that is a file, which keeps all that was ever asked of it. */
struct fixture {
	char dir[SCRATCH];
	char log[SCRATCH + 16];
	const char *on[5], *off[5], *status[5];
	struct nf_power_spec spec;
};

static void fixture_make(struct fixture *f)
{
	nf_scratch_make(f->dir, sizeof(f->dir));
	snprintf(f->log, sizeof(f->log), "%s/log", f->dir);
	nf_scratch_write(f->log, "");
	memcpy(f->on, (const char *[]){ "sh", "-c", "echo on >>\"$0\"", f->log, NULL },
	       sizeof(f->on));
	memcpy(f->off, (const char *[]){ "sh", "-c", "echo off >>\"$0\"", f->log, NULL },
	       sizeof(f->off));
	memcpy(f->status, (const char *[]){ "tail", "-n", "1", f->log, NULL }, sizeof(f->status));
	f->spec = (struct nf_power_spec){
		.driver = NF_POWER_COMMAND, .on = f->on, .off = f->off, .status = f->status
	};
}

static void log_is(const struct fixture *f, const char *want)
{
	char text[256];

	nf_scratch_read(f->log, text, sizeof(text));
	assert_string_equal(text, want);
}

static void must_start(struct nf_power_guard *g, const struct nf_power_spec *spec,
                       enum nf_power_end end)
{
	struct nf_err err = { 0 };

	if (nf_power_guard_start(g, spec, NULL, end, &err) < 0)
		fail_msg("%s", err.msg);
}

static struct nf_power_answer ask(struct nf_power_guard *g, enum nf_power_ask what)
{
	struct nf_power_answer a;
	struct nf_err err = { 0 };
	uint32_t seq;

	assert_int_equal(nf_power_guard_ask(g, what, &seq, &err), 0);
	struct pollfd p = { .fd = g->fd, .events = POLLIN };
	assert_int_equal(poll(&p, 1, WAIT_MS), 1);
	assert_int_equal(nf_power_guard_take(g, &a, &err), 1);
	assert_int_equal(a.seq, seq);
	return a;
}

static void what_is_asked_is_done_and_answered(void **state)
{
	struct fixture f;
	struct nf_power_guard g;
	struct nf_power_answer a;
	struct nf_err err = { 0 };

	(void)state;
	fixture_make(&f);
	must_start(&g, &f.spec, NF_POWER_END_OFF);
	assert_int_equal(nf_power_guard_take(&g, &a, &err), 0);
	assert_int_equal(ask(&g, NF_POWER_ASK_ON).code, 0);
	assert_int_equal(ask(&g, NF_POWER_ASK_STATUS).state, NF_POWER_ON);
	assert_int_equal(ask(&g, NF_POWER_ASK_OFF).code, 0);
	assert_int_equal(ask(&g, NF_POWER_ASK_STATUS).state, NF_POWER_OFF);
	log_is(&f, "on\noff\n");
	assert_int_equal(nf_power_guard_stop(&g, &err), 0);
	log_is(&f, "on\noff\noff\n");
	assert_int_equal(nf_power_guard_stop(&g, &err), 0);
	nf_scratch_remove(f.dir);
}

static void power_ends_as_it_was_asked(void **state)
{
	static const struct {
		enum nf_power_end end;
		const char *log;
	} row[] = {
		{ NF_POWER_END_OFF, "on\noff\n" },
		{ NF_POWER_END_ON, "on\non\n" },
		{ NF_POWER_END_LEAVE, "on\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct fixture f;
		struct nf_power_guard g;
		struct nf_err err = { 0 };

		fixture_make(&f);
		must_start(&g, &f.spec, row[i].end);
		assert_int_equal(ask(&g, NF_POWER_ASK_ON).code, 0);
		assert_int_equal(nf_power_guard_stop(&g, &err), 0);
		log_is(&f, row[i].log);
		nf_scratch_remove(f.dir);
	}
}

static void the_end_can_be_called_off(void **state)
{
	struct fixture f;
	struct nf_power_guard g;
	struct nf_err err = { 0 };

	(void)state;
	fixture_make(&f);
	must_start(&g, &f.spec, NF_POWER_END_OFF);
	assert_int_equal(ask(&g, NF_POWER_ASK_ON).code, 0);
	assert_int_equal(ask(&g, NF_POWER_ASK_LEAVE).code, 0);
	assert_int_equal(nf_power_guard_stop(&g, &err), 0);
	log_is(&f, "on\n");
	nf_scratch_remove(f.dir);
}

/* Until the guard, which is not this process's child, is gone. */
static void wait_for_end(pid_t pid)
{
	struct timespec pause = { .tv_nsec = 2000000 };

	for (int i = 0; i < WAIT_MS / 2; i++) {
		if (kill(pid, 0) < 0)
			return;
		nanosleep(&pause, NULL);
	}
	fail_msg("the guard is still there");
}

static void power_ends_as_asked_when_the_program_is_killed(void **state)
{
	static const int signals[] = { SIGKILL, SIGTERM, SIGABRT };

	(void)state;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct fixture f;
		pid_t guard = 0;
		int tell[2];

		fixture_make(&f);
		assert_int_equal(pipe(tell), 0);
		/* It leads a group, as a shell's command does; the signal goes to all of the group. */
		pid_t program = fork();
		if (program == 0) {
			struct nf_power_guard g;
			struct nf_err err;
			uint32_t seq;

			setpgid(0, 0);
			signal(SIGABRT, SIG_DFL);
			if (nf_power_guard_start(&g, &f.spec, NULL, NF_POWER_END_OFF, &err) < 0 ||
			    nf_power_guard_ask(&g, NF_POWER_ASK_ON, &seq, &err) < 0 ||
			    write(tell[1], &g.pid, sizeof(g.pid)) != sizeof(g.pid))
				_exit(1);
			for (;;)
				pause();
		}
		close(tell[1]);
		assert_int_equal(read(tell[0], &guard, sizeof(guard)), sizeof(guard));
		close(tell[0]);
		kill(-program, signals[i]);
		assert_int_equal(waitpid(program, NULL, 0), program);
		wait_for_end(guard);
		log_is(&f, "on\noff\n");
		nf_scratch_remove(f.dir);
	}
}

static void the_guard_holds_nothing_else_open(void **state)
{
	struct fixture f;
	struct nf_power_guard g;
	struct nf_err err = { 0 };
	int pair[2];
	char byte;

	(void)state;
	fixture_make(&f);
	assert_int_equal(pipe(pair), 0);
	must_start(&g, &f.spec, NF_POWER_END_LEAVE);
	close(pair[1]);
	struct pollfd p = { .fd = pair[0], .events = POLLIN };
	assert_int_equal(poll(&p, 1, WAIT_MS), 1);
	assert_int_equal(read(pair[0], &byte, 1), 0);
	close(pair[0]);
	assert_int_equal(nf_power_guard_stop(&g, &err), 0);
	nf_scratch_remove(f.dir);
}

static void a_guard_that_was_killed_is_told(void **state)
{
	struct fixture f;
	struct nf_power_guard g;
	struct nf_power_answer a;
	struct nf_err err = { 0 };
	uint32_t seq;

	(void)state;
	fixture_make(&f);
	must_start(&g, &f.spec, NF_POWER_END_OFF);
	kill(g.pid, SIGKILL);
	struct pollfd p = { .fd = g.fd, .events = POLLIN };
	assert_int_equal(poll(&p, 1, WAIT_MS), 1);
	assert_int_equal(nf_power_guard_take(&g, &a, &err), -NF_ESUBJECT);
	assert_int_equal(nf_power_guard_ask(&g, NF_POWER_ASK_ON, &seq, &err), -NF_ESUBJECT);
	assert_int_equal(nf_power_guard_stop(&g, &err), -NF_ESUBJECT);
	log_is(&f, "");
	nf_scratch_remove(f.dir);
}

static void a_switch_that_cannot_be_opened_starts_no_guard(void **state)
{
	struct nf_power_spec spec = { .driver = NF_POWER_QMP, .path = "/nonexistent/qmp" };
	struct nf_power_guard g = { .fd = -1 };
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(nf_power_guard_start(&g, &spec, NULL, NF_POWER_END_OFF, &err),
	                 -NF_ESUBJECT);
	assert_non_null(strstr(err.msg, "/nonexistent/qmp"));
	assert_int_equal(g.fd, -1);
	spec.path = NULL;
	assert_int_equal(nf_power_guard_start(&g, &spec, NULL, NF_POWER_END_OFF, &err), -NF_EARG);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void a_switch_that_fails_at_the_end_is_told(void **state)
{
	static const char *const bad[] = { "false", NULL };
	struct fixture f;
	struct nf_power_guard g;
	struct nf_err err = { 0 };

	(void)state;
	fixture_make(&f);
	f.spec.off = bad;
	must_start(&g, &f.spec, NF_POWER_END_OFF);
	assert_int_equal(nf_power_guard_stop(&g, &err), -NF_ESUBJECT);
	assert_non_null(strstr(err.msg, "exit status 1"));
	nf_scratch_remove(f.dir);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_is_asked_is_done_and_answered),
	cmocka_unit_test(power_ends_as_it_was_asked),
	cmocka_unit_test(the_end_can_be_called_off),
	cmocka_unit_test(power_ends_as_asked_when_the_program_is_killed),
	cmocka_unit_test(the_guard_holds_nothing_else_open),
	cmocka_unit_test(a_guard_that_was_killed_is_told),
	cmocka_unit_test(a_switch_that_cannot_be_opened_starts_no_guard),
	cmocka_unit_test(a_switch_that_fails_at_the_end_is_told),
};

NF_UNIT_MAIN(tests)
