/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job/load.h"
#include "nf_unit.h"

/* Reads a pid that the load wrote into `fd`'s file, waiting for it. */
static pid_t read_pid(int fd)
{
	char text[32] = "";

	for (int i = 0; i < 6000; i++) {
		ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
		if (n > 1 && text[n - 1] == '\n')
			return (pid_t)strtol(text, NULL, 10);
		poll(NULL, 0, 10);
	}
	return -1;
}

static bool gone(pid_t pid)
{
	for (int i = 0; i < 6000; i++) {
		if (kill(pid, 0) < 0 && errno == ESRCH)
			return true;
		poll(NULL, 0, 10);
	}
	return false;
}

static int scratch(void)
{
	char path[] = "/tmp/nf-load-XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);

	assert_true(fd >= 0);
	unlink(path);
	return fd;
}

static void stopping_ends_the_command_and_its_children(void **state)
{
	struct nf_load l = { 0 };
	int out = scratch();

	(void)state;
	assert_int_equal(nf_load_start(&l, "sleep 1000 & echo $!; wait", out, NULL), 0);
	pid_t pid = read_pid(out);
	assert_true(pid > 0);
	nf_load_stop(&l);
	assert_true(gone(pid));
	assert_int_equal(l.keeper, 0);
	close(out);
}

static void a_command_that_ignores_sigterm_is_killed(void **state)
{
	struct nf_load l = { 0 };
	int out = scratch();

	(void)state;
	assert_int_equal(
	        nf_load_start(&l, "trap '' TERM; echo $$; while :; do sleep 1; done", out, NULL),
	        0);
	pid_t pid = read_pid(out);
	assert_true(pid > 0);
	nf_load_stop(&l);
	assert_true(gone(pid));
	close(out);
}

static void a_load_dies_with_the_process_that_started_it(void **state)
{
	int out = scratch();

	(void)state;
	pid_t owner = fork();
	if (owner == 0) {
		struct nf_load l = { 0 };

		if (nf_load_start(&l, "echo $$; exec sleep 1000", out, NULL) < 0)
			_exit(1);
		for (;;)
			pause();
	}
	pid_t pid = read_pid(out);
	assert_true(pid > 0);
	kill(owner, SIGKILL);
	assert_int_equal(waitpid(owner, NULL, 0), owner);
	assert_true(gone(pid));
	close(out);
}

static void the_end_of_a_command_is_noticed_with_its_status(void **state)
{
	struct nf_load l = { 0 };
	int out = scratch(), status = -1;
	bool ended = false;

	(void)state;
	assert_int_equal(nf_load_start(&l, "exit 7", out, NULL), 0);
	for (int i = 0; i < 6000 && !ended; i++) {
		ended = nf_load_ended(&l, &status);
		poll(NULL, 0, 10);
	}
	assert_true(ended);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	nf_load_stop(&l);
	close(out);
}

/* Away from the load's process group and its parent: still ended. */
static void what_leaves_the_group_is_ended_too(void **state)
{
	struct nf_load l = { 0 };
	int out = scratch();

	(void)state;
	assert_int_equal(nf_load_start(&l, "setsid sh -c 'echo $$; exec sleep 1000' & sleep 1000",
	                               out, NULL),
	                 0);
	pid_t pid = read_pid(out);
	assert_true(pid > 0);
	nf_load_stop(&l);
	assert_true(gone(pid));
	close(out);
}

static void a_load_that_kills_its_keeper_is_noticed_and_ended(void **state)
{
	struct nf_load l = { 0 };
	int out = scratch(), status = 0;
	bool ended = false;

	(void)state;
	assert_int_equal(nf_load_start(&l, "echo $$; kill -9 $PPID; sleep 1000", out, NULL), 0);
	pid_t pid = read_pid(out);
	assert_true(pid > 0);
	for (int i = 0; i < 6000 && !ended; i++) {
		ended = nf_load_ended(&l, &status);
		poll(NULL, 0, 10);
	}
	assert_true(ended);
	assert_true(WIFSIGNALED(status));
	nf_load_stop(&l);
	assert_true(gone(pid));
	close(out);
}

static void ignore(int signo)
{
	(void)signo;
}

/* The keeper inherits this handler until it waits for the signal itself. */
static void stopping_at_once_is_noticed_whatever_handlers_the_program_has(void **state)
{
	struct sigaction mine = { .sa_handler = ignore }, before;
	int out = scratch();

	(void)state;
	assert_int_equal(sigaction(SIGTERM, &mine, &before), 0);
	for (int i = 0; i < 50; i++) {
		struct nf_load l = { 0 };

		assert_int_equal(nf_load_start(&l, "exec sleep 1000", out, NULL), 0);
		alarm(60); /* a lost signal would wait for ever */
		nf_load_stop(&l);
		alarm(0);
	}
	assert_int_equal(sigaction(SIGTERM, &before, NULL), 0);
	close(out);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_leaves_the_group_is_ended_too),
	cmocka_unit_test(a_load_that_kills_its_keeper_is_noticed_and_ended),
	cmocka_unit_test(stopping_ends_the_command_and_its_children),
	cmocka_unit_test(stopping_at_once_is_noticed_whatever_handlers_the_program_has),
	cmocka_unit_test(a_command_that_ignores_sigterm_is_killed),
	cmocka_unit_test(a_load_dies_with_the_process_that_started_it),
	cmocka_unit_test(the_end_of_a_command_is_noticed_with_its_status),
};

NF_UNIT_MAIN(tests)
