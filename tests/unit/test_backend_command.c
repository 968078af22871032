/* SPDX-License-Identifier: MIT */
#include "bench/backend.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nf_unit.h"

static char folder[] = "/tmp/nf-command-XXXXXX";

static struct nf_variant shell(const char *text)
{
	return (struct nf_variant){ .label = "x", .backend = NF_BACKEND_COMMAND, .shell = text };
}

static struct nf_set ran(const struct nf_variant *v, size_t n, const struct nf_stop *stop)
{
	const struct nf_set_cfg cfg = { .seed = 1, .n_values = n, .stop = stop };
	struct nf_set set;
	struct nf_err err = { 0 };

	assert_int_equal(nf_backends[NF_BACKEND_COMMAND]->check(v, &err), 0);
	assert_int_equal(nf_backends[NF_BACKEND_COMMAND]->run(v, &cfg, &set, &err), 0);
	return set;
}

static void a_value_is_one_execution(void **state)
{
	const char *const argv[] = { "sleep", "0.01", NULL };
	const struct nf_variant v = { .backend = NF_BACKEND_COMMAND, .argv = argv };
	struct nf_set s = ran(&v, 3, NULL);

	(void)state;
	assert_false(s.failed);
	assert_int_equal(s.n, 3);
	assert_string_equal(s.unit, "ns");
	for (size_t i = 0; i < 3; i++) {
		assert_true(s.value[i] >= 10e6);
		assert_true(s.user_ns[i] >= 0 && s.system_ns[i] >= 0);
		assert_int_equal(s.wait_status[i], 0);
	}
	assert_true((double)s.wall_ns >= s.value[0] + s.value[1] + s.value[2]);
	assert_true(s.posture.context_switches >= 1);
	nf_set_fini(&s);
}

static void how_it_failed_is_said(void **state)
{
	static const struct {
		const char *text;
		const char *why;
	} bad[] = {
		{ "exit 3", "exit status 3" },
		{ "kill -SEGV $$", "SIGSEGV" },
		{ "exec nf-no-such-program", "exit status 127" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct nf_variant v = shell(bad[i].text);
		struct nf_set s = ran(&v, 2, NULL);

		assert_true(s.failed);
		assert_non_null(strstr(s.why, bad[i].why));
		assert_int_equal(s.n, 0);
		nf_set_fini(&s);
	}
}

static void any_status_may_be_allowed_but_no_signal(void **state)
{
	struct nf_variant v = shell("exit 3");
	struct nf_set s;

	(void)state;
	v.any_status = true;
	s = ran(&v, 2, NULL);
	assert_false(s.failed);
	assert_int_equal(s.n, 2);
	assert_int_equal(WEXITSTATUS(s.wait_status[1]), 3);
	nf_set_fini(&s);
	v.shell = "kill -TERM $$";
	s = ran(&v, 2, NULL);
	assert_true(s.failed);
	nf_set_fini(&s);
}

static void what_takes_too_long_is_ended_with_what_it_started(void **state)
{
	char text[200];
	struct nf_variant v;
	struct nf_set s;

	(void)state;
	snprintf(text, sizeof(text), "sleep 60 & echo $! >%s/pid; sleep 60", folder);
	v = shell(text);
	v.timeout_ns = 1000000000;
	s = ran(&v, 1, NULL);
	assert_true(s.failed);
	assert_string_equal(s.why, "took longer than 1s");
	nf_set_fini(&s);
	/* It may take a moment until its new parent has reaped it. */
	snprintf(text, sizeof(text),
	         "p=$(cat %s/pid) || exit 1; i=0; while [ $((i += 1)) -le 600 ]; do "
	         "grep -q 'State:.[^Z]' /proc/$p/status 2>/dev/null || exit 0; sleep 0.1; done; "
	         "exit 1",
	         folder);
	assert_int_equal(system(text), 0);
}

static void preparation_and_cleanup_happen_every_time_untimed(void **state)
{
	char prepare[200], command[200], cleanup[200];
	struct nf_variant v;
	struct nf_set s;

	(void)state;
	snprintf(prepare, sizeof(prepare), "echo p >>%s/log; sleep 0.05", folder);
	snprintf(command, sizeof(command), "echo c >>%s/log", folder);
	snprintf(cleanup, sizeof(cleanup), "echo e >>%s/log", folder);
	v = shell(command);
	v.prepare = prepare;
	v.cleanup = cleanup;
	s = ran(&v, 2, NULL);
	assert_int_equal(s.n, 2);
	assert_true((double)s.wall_ns >= s.value[0] + s.value[1] + 100e6);
	nf_set_fini(&s);
	snprintf(command, sizeof(command), "test \"$(tr -d '\\n' <%s/log)\" = pcepce", folder);
	assert_int_equal(system(command), 0);

	v.prepare = "exit 9";
	s = ran(&v, 2, NULL);
	assert_true(s.failed);
	assert_string_equal(s.why, "prepare: exit status 9");
	assert_int_equal(s.n, 0);
	nf_set_fini(&s);
}

static void it_gets_its_input_and_environment(void **state)
{
	static const char *const env[] = { "NF_KNOB=7", NULL };
	char path[200];
	struct nf_variant v = shell("read x && test \"$x\" = hello && test \"$NF_KNOB\" = 7");
	struct nf_set s;
	struct nf_err err = { 0 };

	(void)state;
	snprintf(path, sizeof(path), "%s/input", folder);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs("hello\n", f);
	assert_int_equal(fclose(f), 0);
	v.input = path;
	v.env = env;
	s = ran(&v, 1, NULL);
	assert_false(s.failed);
	nf_set_fini(&s);
	v.input = "/no/such/input";
	assert_int_equal(nf_backends[NF_BACKEND_COMMAND]->check(&v, &err), -NF_EARG);
	assert_non_null(strstr(err.msg, "/no/such/input: No such file"));
	v.input = folder;
	assert_int_equal(nf_backends[NF_BACKEND_COMMAND]->check(&v, &err), -NF_EARG);
	assert_non_null(strstr(err.msg, "a folder"));
	v.input = "/dev/null";
	assert_int_equal(nf_backends[NF_BACKEND_COMMAND]->check(&v, &err), 0);
}

static void a_command_that_is_not_there_is_refused_before(void **state)
{
	const char *const names[] = { "nf-no-such-program", "/no/such/program", "/tmp", "" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const char *const argv[] = { names[i], NULL };
		const struct nf_variant v = { .backend = NF_BACKEND_COMMAND, .argv = argv };
		struct nf_err err = { 0 };

		assert_int_equal(nf_backends[NF_BACKEND_COMMAND]->check(&v, &err), -NF_EARG);
		assert_non_null(strstr(err.msg, "not found"));
	}
}

static void a_stop_request_ends_it(void **state)
{
	static const struct nf_stop stop = { .signo = SIGINT };
	struct nf_variant v = shell("sleep 60");
	struct nf_set s = ran(&v, 3, &stop);

	(void)state;
	assert_true(s.stopped);
	assert_false(s.failed);
	assert_int_equal(s.n, 0);
	nf_set_fini(&s);
}

static void a_peak_that_this_program_hides_is_unknown(void **state)
{
	struct nf_variant v = shell("true");
	struct nf_set s = ran(&v, 1, NULL);

	(void)state;
	assert_true(s.peak_bytes[0] < 0);
	nf_set_fini(&s);
	v.shell = "head -c 200000000 /dev/zero | tail -n 1"; /* a line is kept whole */
	s = ran(&v, 1, NULL);
	assert_false(s.failed);
	assert_true(s.peak_bytes[0] >= 200e6);
	nf_set_fini(&s);
}

static struct nf_set weighed(const char *text)
{
	const struct nf_variant v = shell(text);
	const struct nf_set_cfg cfg = { .seed = 1, .n_values = 1, .weigh = true };
	struct nf_err err = { 0 };
	struct nf_set s;

	assert_int_equal(nf_backends[NF_BACKEND_COMMAND]->run(&v, &cfg, &s, &err), 0);
	assert_false(s.failed);
	return s;
}

/* Each dd keeps a buffer of 50 MiB while it copies; the second is in a session and group of its own. */
static void memory_of_all_processes_together_is_their_sum(void **state)
{
	static const double mib = 1 << 20;
	struct nf_set s = weighed("dd if=/dev/zero of=/dev/null bs=50M count=60 & "
	                          "setsid dd if=/dev/zero of=/dev/null bs=50M count=60; wait");

	(void)state;
	assert_true(s.tree_method != NF_TREE_UNKNOWN);
	assert_true(s.tree_method == NF_TREE_CGROUP || s.tree_samples > 1);
	if (s.tree_bytes < 98 * mib || s.tree_bytes > 150 * mib)
		fail_msg("%.1f MiB", s.tree_bytes / mib);
	assert_true(s.peak_bytes[0] < 70 * mib);
	nf_set_fini(&s);
}

static void memory_is_not_looked_for_while_times_count(void **state)
{
	struct nf_variant v = shell("sleep 0.01");
	struct nf_set s = ran(&v, 1, NULL);

	(void)state;
	assert_int_equal(s.tree_method, NF_TREE_UNKNOWN);
	assert_int_equal(s.tree_samples, 0);
	nf_set_fini(&s);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char text[100];

	(void)state;
	snprintf(text, sizeof(text), "rm -rf %s", folder);
	return system(text);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_value_is_one_execution),
	cmocka_unit_test(how_it_failed_is_said),
	cmocka_unit_test(any_status_may_be_allowed_but_no_signal),
	cmocka_unit_test(what_takes_too_long_is_ended_with_what_it_started),
	cmocka_unit_test(preparation_and_cleanup_happen_every_time_untimed),
	cmocka_unit_test(it_gets_its_input_and_environment),
	cmocka_unit_test(a_command_that_is_not_there_is_refused_before),
	cmocka_unit_test(a_stop_request_ends_it),
	cmocka_unit_test(a_peak_that_this_program_hides_is_unknown),
	cmocka_unit_test(memory_of_all_processes_together_is_their_sum),
	cmocka_unit_test(memory_is_not_looked_for_while_times_count),
};
NF_UNIT_MAIN_WITH(tests, make_folder, remove_folder)
