/* SPDX-License-Identifier: MIT */
/* pt_check(): isolation, limits, outcomes, replay, saved failures. */
#include "nf_unit.h"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subjects.h"

static const struct pt_config quick = { .seed = 1,
	                                .case_limit_ms = 1000,
	                                .memory_limit_bytes = 256 << 20 };

static void assert_no_child(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* Fails so and is shrunk to 37. */
static void assert_shrunk(pt_property_fn fn, enum pt_failure failure, int code)
{
	struct pt_result r = check_with("subject", fn, NULL, &quick);

	assert_int_equal(r.outcome, PT_FAILED);
	assert_int_equal(r.failure, failure);
	if (code >= 0)
		assert_int_equal(r.code, code);
	assert_string_equal(r.notes, "draw 1 = 37\n");
	assert_false(r.flaky);
	assert_true(r.shrink_ended);
	assert_non_null(r.blob);
	pt_result_fini(&r);
	assert_no_child();
}

static void a_false_property_is_shrunk(void **state)
{
	(void)state;
	assert_shrunk(subject_false, PT_FALSE, 0);
}

static void a_failed_assertion_is_shrunk_and_names_its_place(void **state)
{
	struct pt_result r = check_with("subject", subject_assert, NULL, &quick);

	(void)state;
	assert_non_null(strstr(r.message, "subjects.c:"));
	assert_non_null(strstr(r.message, "!bad(t)"));
	pt_result_fini(&r);
	assert_shrunk(subject_assert, PT_FALSE, 0);
}

/* With sanitizers a crash may end as the status of their report. */
static bool sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
        __has_feature(undefined_behavior_sanitizer)
	return true;
#else
	return false;
#endif
#else
	return false;
#endif
}

static void a_crash_is_shrunk(void **state)
{
	struct pt_result r = check_with("subject", subject_null, NULL, &quick);

	(void)state;
	assert_int_equal(r.outcome, PT_FAILED);
	assert_string_equal(r.notes, "draw 1 = 37\n");
	pt_result_fini(&r);
	if (!sanitized())
		assert_shrunk(subject_null, PT_CRASH, SIGSEGV);
}

static void an_abort_is_shrunk_and_its_output_is_reported(void **state)
{
	struct pt_result r = check_with("subject", subject_abort, NULL, &quick);

	(void)state;
	assert_non_null(strstr(r.output, "about to abort"));
	assert_non_null(strstr(r.message, "SIGABRT"));
	pt_result_fini(&r);
	assert_shrunk(subject_abort, PT_CRASH, SIGABRT);
}

static void a_hang_is_shrunk(void **state)
{
	(void)state;
	assert_shrunk(subject_hang, PT_HANG, 0);
}

static void an_exit_is_shrunk_and_the_parent_goes_on(void **state)
{
	(void)state;
	assert_shrunk(subject_exit, PT_EXIT, 3);
}

static void unbounded_allocation_meets_the_limit_and_is_shrunk(void **state)
{
	struct pt_result r;

	(void)state;
	skip_unless(!sanitized(), "memory-limit-here",
	            "a sanitizer's allocator ends the process its own way");
	assert_shrunk(subject_allocates, PT_CRASH, SIGABRT);
	/* the other properties still run */
	r = check_with("subject", subject_holds, NULL, NULL);
	assert_int_equal(r.outcome, PT_PASSED);
	assert_int_equal(r.cases, 100);
	pt_result_fini(&r);
}

static void a_process_per_case_gives_the_same(void **state)
{
	struct pt_config c = quick;
	struct pt_result a, b;

	(void)state;
	a = check_with("subject", subject_false, NULL, &c);
	c.isolation = PT_FORK;
	b = check_with("subject", subject_false, NULL, &c);
	assert_string_equal(a.blob, b.blob);
	assert_int_equal(a.cases, b.cases);
	pt_result_fini(&b);
	c.isolation = PT_INLINE;
	b = check_with("subject", subject_false, NULL, &c);
	assert_string_equal(a.blob, b.blob);
	assert_int_equal(a.cases, b.cases);
	pt_result_fini(&a);
	pt_result_fini(&b);
	assert_no_child();
}

static bool spawns(struct pt_case *t, void *arg)
{
	int *fd = arg;

	(void)t;
	if (fork() == 0) {
		close(fd[0]);
		for (;;)
			pause(); /* holds the write end open */
	}
	return true;
}

static void children_of_the_worker_go_with_it(void **state)
{
	struct pt_config c = { .seed = 1, .cases = 3 };
	struct pt_result r;
	int fd[2];
	char byte;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	r = check_with("spawns", spawns, fd, &c);
	assert_int_equal(r.outcome, PT_PASSED);
	pt_result_fini(&r);
	close(fd[1]);
	assert_int_equal(read(fd[0], &byte, 1), 0); /* end of file: nobody has it open */
	close(fd[0]);
	assert_no_child();
}

static bool tells_pid(struct pt_case *t, void *arg)
{
	const int *fd = arg;
	pid_t pid = getpid();

	(void)t;
	if (write(fd[1], &pid, sizeof(pid)) != sizeof(pid))
		return false;
	for (;;)
		pause();
}

static void a_killed_parent_takes_the_worker_along(void **state)
{
	int fd[2];
	pid_t parent, worker;
	char byte;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	parent = fork();
	if (parent == 0) {
		struct pt_config c = { .seed = 1, .case_limit_ms = 60000 };
		struct pt_result r = check_with("tells pid", tells_pid, fd, &c);

		pt_result_fini(&r);
		_exit(0);
	}
	close(fd[1]);
	assert_int_equal(read(fd[0], &worker, sizeof(worker)), sizeof(worker));
	assert_int_not_equal(worker, parent);
	kill(parent, SIGKILL);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	assert_int_equal(read(fd[0], &byte, 1), 0); /* the worker's end is closed too */
	close(fd[0]);
}

/* ---- outcomes ---- */
static bool mostly_discarded(struct pt_case *t, void *arg)
{
	(void)arg;
	pt_assume(t, pt_draw_pick(t, 100) == 7);
	return true;
}

static void a_discard_heavy_property_gives_up_with_the_ratio(void **state)
{
	struct pt_result r = check_with("mostly discarded", mostly_discarded, NULL, NULL);

	(void)state;
	assert_int_equal(r.outcome, PT_GAVE_UP);
	assert_true(r.cases > 0 && r.cases < 100);
	assert_int_equal(r.discarded, 1001);
	assert_non_null(strstr(r.message, "discarded 1001 of"));
	assert_non_null(strstr(r.message, "%"));
	pt_result_fini(&r);
}

static bool never(struct pt_case *t, void *arg)
{
	(void)arg;
	return pt_implies(t, pt_draw_int(t, 0, 10) > 10, false);
}

static void a_premise_that_never_holds_is_vacuous(void **state)
{
	struct pt_result r = check_with("never", never, NULL, NULL);

	(void)state;
	assert_int_equal(r.outcome, PT_VACUOUS);
	assert_int_equal(r.cases, 0);
	pt_result_fini(&r);
}

static bool covered(struct pt_case *t, void *arg)
{
	bool even = pt_draw_pick(t, 2) == 0;

	pt_cover(t, even, *(const double *)arg, "even");
	pt_classify(t, !even, "odd");
	pt_label(t, "all");
	return true;
}

static void cover_below_its_share_fails_and_above_it_passes(void **state)
{
	double share = 20.0;
	struct pt_result r = check_with("covered", covered, &share, NULL);

	(void)state;
	assert_int_equal(r.outcome, PT_PASSED);
	assert_int_equal(r.n_share, 3);
	assert_int_equal(r.share[0].n + r.share[r.n_share - 2].n <= 200, true);
	for (size_t i = 0; i < r.n_share; i++)
		if (strcmp(r.share[i].label, "all") == 0)
			assert_int_equal(r.share[i].n, 100);
	pt_result_fini(&r);
	share = 90.0;
	r = check_with("covered", covered, &share, NULL);
	assert_int_equal(r.outcome, PT_UNCOVERED);
	assert_non_null(strstr(r.message, "even"));
	pt_result_fini(&r);
}

static bool never_covered(struct pt_case *t, void *arg)
{
	(void)arg;
	pt_cover(t, pt_draw_int(t, 0, 9) > 9, 0.1, "impossible");
	return true;
}

static void a_label_that_never_occurs_is_uncovered(void **state)
{
	struct pt_result r = check_with("never covered", never_covered, NULL, NULL);

	(void)state;
	assert_int_equal(r.outcome, PT_UNCOVERED);
	pt_result_fini(&r);
}

static bool climbs(struct pt_case *t, void *arg)
{
	int64_t x = pt_draw_int(t, 0, 1000000), y = pt_draw_int(t, 0, 1000000);
	int64_t dx = x - 734211, dy = y - 251003;
	double d = (double)(dx < 0 ? -dx : dx) + (double)(dy < 0 ? -dy : dy);

	if (*(const bool *)arg)
		pt_target(t, -d);
	return d > 20.0;
}

static void target_finds_what_chance_does_not(void **state)
{
	struct pt_config c = { .seed = 3, .cases = 20000, .shrink_calls = 200 };
	bool guided = true;
	struct pt_result r = check_with("climbs", climbs, &guided, &c);

	(void)state;
	assert_int_equal(r.outcome, PT_FAILED);
	pt_result_fini(&r);
	guided = false;
	r = check_with("climbs", climbs, &guided, &c);
	assert_int_equal(r.outcome, PT_PASSED);
	pt_result_fini(&r);
}

/* ---- replay ---- */
static bool counts_runs(struct pt_case *t, void *arg)
{
	const int *fd = arg;

	if (write(fd[1], "x", 1) != 1)
		return false;
	return pt_draw_int(t, 0, 1000) < 37;
}

static void a_blob_replays_exactly_one_case(void **state)
{
	struct pt_config c = quick;
	struct pt_result first = check_with("subject", subject_false, NULL, &c), r;
	char text[64];
	int fd[2];

	(void)state;
	assert_int_equal(pipe(fd), 0);
	c.replay = first.blob;
	r = check_with("subject", counts_runs, fd, &c);
	close(fd[1]);
	assert_int_equal(read(fd[0], text, sizeof(text)), 1);
	close(fd[0]);
	assert_int_equal(r.outcome, PT_FAILED);
	assert_int_equal(r.cases, 1);
	assert_string_equal(r.notes, "draw 1 = 37\n");
	assert_string_equal(r.blob, first.blob);
	pt_result_fini(&r);
	pt_result_fini(&first);
}

static void a_blob_of_a_passing_case_passes(void **state)
{
	struct pt_config c = quick;
	struct pt_result first = check_with("subject", subject_false, NULL, &c), r;

	(void)state;
	c.replay = first.blob;
	r = check_with("subject", subject_holds, NULL, &c);
	assert_int_equal(r.outcome, PT_PASSED);
	assert_int_equal(r.cases, 1);
	pt_result_fini(&r);
	pt_result_fini(&first);
}

static void a_damaged_blob_is_refused(void **state)
{
	struct pt_property p = { .name = "subject", .fn = subject_false };
	struct pt_config c = quick;
	struct pt_result first = check_with("subject", subject_false, NULL, &c), r;
	size_t n;

	(void)state;
	assert_int_equal(pt_blob_check(first.blob, &n), 0);
	assert_int_equal(n, 1);
	first.blob[5] = first.blob[5] == 'A' ? 'B' : 'A';
	assert_int_equal(pt_blob_check(first.blob, NULL), -PT_EARG);
	c.replay = first.blob;
	assert_int_equal(pt_check(&p, &c, &r), -PT_EARG);
	pt_result_fini(&first);
}

static void the_same_seed_gives_the_same_run(void **state)
{
	struct pt_config c = { .seed = 77 };
	struct pt_result a = check_with("subject", subject_false, NULL, &c);
	struct pt_result b = check_with("subject", subject_false, NULL, &c);

	(void)state;
	assert_string_equal(a.blob, b.blob);
	assert_int_equal(a.cases, b.cases);
	assert_int_equal(a.shrink_calls, b.shrink_calls);
	pt_result_fini(&a);
	pt_result_fini(&b);
}

/* ---- limits ---- */
static void without_shrink_calls_the_first_failure_is_reported(void **state)
{
	struct pt_config c = { .seed = 1, .shrink_calls = UINT32_MAX };
	struct pt_result r = check_with("subject", subject_false, NULL, &c);

	(void)state;
	assert_int_equal(r.shrink_calls, 0);
	assert_int_equal(r.outcome, PT_FAILED);
	pt_result_fini(&r);
}

static bool long_list(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);

	(void)arg;
	return pt_draw(t, "v", pt_list(m, pt_any_int(m), 0, 100)).n < 15;
}

static void the_call_budget_ends_shrinking_with_the_best_so_far(void **state)
{
	struct pt_config c = { .seed = 1, .cases = 5000, .shrink_calls = 3 };
	struct pt_result r = check_with("long list", long_list, NULL, &c);

	(void)state;
	assert_int_equal(r.outcome, PT_FAILED);
	assert_int_equal(r.shrink_calls, 3);
	assert_false(r.shrink_ended);
	assert_true(r.n_choices >= 31);
	pt_result_fini(&r);
}

static bool slow(struct pt_case *t, void *arg)
{
	(void)t;
	(void)arg;
	usleep(20000);
	return true;
}

static void the_total_limit_ends_the_run_with_the_cases_so_far(void **state)
{
	uint64_t cases = 0;

	(void)state;
	/* Longer where the machine does not let one case end by then. */
	for (uint32_t ms = 300; ms <= 30000 && cases == 0; ms *= 10) {
		struct pt_config c = { .seed = 1, .cases = 1000000, .total_limit_ms = ms };
		struct pt_result r = check_with("slow", slow, NULL, &c);

		assert_int_equal(r.outcome, PT_PASSED);
		assert_true(r.cases < 1000000);
		cases = r.cases;
		pt_result_fini(&r);
	}
	assert_true(cases > 0);
}

static bool flaky(struct pt_case *t, void *arg)
{
	static int runs;

	(void)arg;
	pt_draw_int(t, 0, 10);
	return runs++ != 3;
}

static void a_case_that_passes_when_run_again_is_called_flaky(void **state)
{
	struct pt_result r = check_with("flaky", flaky, NULL, NULL);

	(void)state;
	assert_int_equal(r.outcome, PT_FAILED);
	assert_true(r.flaky);
	assert_non_null(strstr(r.message, "false"));
	pt_result_fini(&r);
}

/* ---- saved failures ---- */
static int files_in(const char *dir)
{
	DIR *d = opendir(dir);
	int n = 0;

	if (!d)
		return -1;
	for (struct dirent *e = readdir(d); e; e = readdir(d))
		n += e->d_name[0] != '.';
	closedir(d);
	return n;
}

static void a_saved_failure_runs_first_and_goes_when_it_passes(void **state)
{
	char dir[] = "/tmp/prop-save-XXXXXX";
	struct pt_config c = { .seed = 1, .save_dir = dir };
	struct pt_result r;

	(void)state;
	assert_non_null(mkdtemp(dir));
	r = check_with("saved one", subject_false, NULL, &c);
	assert_false(r.from_saved);
	pt_result_fini(&r);
	assert_int_equal(files_in(dir), 1);
	/* first: one case is enough, whatever the seed */
	c.seed = 99;
	r = check_with("saved one", subject_false, NULL, &c);
	assert_true(r.from_saved);
	assert_int_equal(r.cases, 1);
	assert_string_equal(r.notes, "draw 1 = 37\n");
	pt_result_fini(&r);
	assert_int_equal(files_in(dir), 1);
	/* another property has its own */
	r = check_with("saved two", subject_holds, NULL, &c);
	assert_int_equal(r.cases, 100);
	pt_result_fini(&r);
	/* mended: it passes, and is forgotten */
	r = check_with("saved one", subject_holds, NULL, &c);
	assert_int_equal(r.outcome, PT_PASSED);
	assert_int_equal(r.saved_dropped, 1);
	assert_int_equal(r.cases, 101);
	pt_result_fini(&r);
	assert_int_equal(files_in(dir), 0);
	assert_int_equal(rmdir(dir), 0);
}

static void wrong_arguments_are_refused(void **state)
{
	struct pt_property p = { .name = "subject", .fn = NULL };
	struct pt_result r;

	(void)state;
	assert_int_equal(pt_check(&p, NULL, &r), -PT_EARG);
	assert_int_equal(pt_check(NULL, NULL, &r), -PT_EARG);
	p.fn = subject_holds;
	assert_int_equal(pt_check(&p, &(struct pt_config){ .replay = "nonsense" }, &r), -PT_EARG);
	assert_string_equal(pt_strerror(-PT_EARG), "invalid argument");
	assert_string_equal(pt_strerror(99), "unknown error");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_false_property_is_shrunk),
	cmocka_unit_test(a_failed_assertion_is_shrunk_and_names_its_place),
	cmocka_unit_test(a_crash_is_shrunk),
	cmocka_unit_test(an_abort_is_shrunk_and_its_output_is_reported),
	cmocka_unit_test(a_hang_is_shrunk),
	cmocka_unit_test(an_exit_is_shrunk_and_the_parent_goes_on),
	cmocka_unit_test(unbounded_allocation_meets_the_limit_and_is_shrunk),
	cmocka_unit_test(a_process_per_case_gives_the_same),
	cmocka_unit_test(children_of_the_worker_go_with_it),
	cmocka_unit_test(a_killed_parent_takes_the_worker_along),
	cmocka_unit_test(a_discard_heavy_property_gives_up_with_the_ratio),
	cmocka_unit_test(a_premise_that_never_holds_is_vacuous),
	cmocka_unit_test(cover_below_its_share_fails_and_above_it_passes),
	cmocka_unit_test(a_label_that_never_occurs_is_uncovered),
	cmocka_unit_test(target_finds_what_chance_does_not),
	cmocka_unit_test(a_blob_replays_exactly_one_case),
	cmocka_unit_test(a_blob_of_a_passing_case_passes),
	cmocka_unit_test(a_damaged_blob_is_refused),
	cmocka_unit_test(the_same_seed_gives_the_same_run),
	cmocka_unit_test(without_shrink_calls_the_first_failure_is_reported),
	cmocka_unit_test(the_call_budget_ends_shrinking_with_the_best_so_far),
	cmocka_unit_test(the_total_limit_ends_the_run_with_the_cases_so_far),
	cmocka_unit_test(a_case_that_passes_when_run_again_is_called_flaky),
	cmocka_unit_test(a_saved_failure_runs_first_and_goes_when_it_passes),
	cmocka_unit_test(wrong_arguments_are_refused),
};

NF_UNIT_MAIN(tests)
