/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/journal.h"
#include "fault.h"
#include "nf_scratch.h"
#include "nf_unit.h"

struct fixture {
	char dir[64];
	char journal[96];
	char knob[96];
	char comm[64]; /* a file of the kernel that cuts values */
	char folder[96];
	struct nf_journal *j;
	struct nf_journal_entry *e;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	nf_scratch_make(f->dir, sizeof(f->dir));
	snprintf(f->journal, sizeof(f->journal), "%s/journal", f->dir);
	snprintf(f->knob, sizeof(f->knob), "%s/knob", f->dir);
	snprintf(f->folder, sizeof(f->folder), "%s/instance", f->dir);
	snprintf(f->comm, sizeof(f->comm), "/proc/%d/comm", (int)getpid());
	nf_scratch_write(f->knob, "old\n");
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	nf_scratch_remove(f->dir);
	free(f);
	return 0;
}

static void open_it(void *ctx)
{
	struct fixture *f = ctx;

	assert_int_equal(nf_journal_open(f->journal, "/proc", &f->j, NULL), 0);
}

static void close_it(struct fixture *f)
{
	assert_int_equal(nf_journal_close(f->j, NULL), 0);
	f->j = NULL;
	f->e = NULL;
}

/* After the journal is closed: the old state, and no entry. */
static void assert_old_state(const struct fixture *f)
{
	struct dirent *e;
	char text[100];
	DIR *d;

	nf_scratch_read(f->knob, text, sizeof(text));
	assert_string_equal(text, "old\n");
	assert_int_equal(access(f->folder, F_OK), -1);
	d = opendir(f->journal);
	assert_non_null(d);
	while ((e = readdir(d)))
		if (strstr(e->d_name, ".entry"))
			fail_msg("%s is left", e->d_name);
	closedir(d);
}

static int run_open(void *ctx, struct nf_err *err)
{
	struct fixture *f = ctx;

	return nf_journal_open(f->journal, "/proc", &f->j, err);
}

static void finish_open(void *ctx, int r)
{
	struct fixture *f = ctx;

	assert_true((f->j != NULL) == (r == 0));
	close_it(f);
}

static void opening_fails_cleanly(void **state)
{
	struct fault_subject s = { .run = run_open,
		                   .finish = finish_open,
		                   .tolerates = "close,ftruncate64" };

	fault_every(&s, *state);
	fault_survives(&s, *state);
}

static int run_set(void *ctx, struct nf_err *err)
{
	struct fixture *f = ctx;

	return nf_journal_set(f->j, f->knob, "new", &f->e, err);
}

static void finish_change(void *ctx, int r)
{
	struct fixture *f = ctx;

	assert_true((f->e != NULL) == (r == 0));
	close_it(f);
	assert_old_state(f);
}

static void a_change_that_fails_is_taken_back(void **state)
{
	struct fault_subject s = { .prepare = open_it,
		                   .run = run_set,
		                   .finish = finish_change,
		                   .tolerates = "close,ftruncate64" };

	fault_every(&s, *state);
}

static int run_set_cut(void *ctx, struct nf_err *err)
{
	struct fixture *f = ctx;

	return nf_journal_set(f->j, f->comm, "a-name-that-is-cut", &f->e, err);
}

static void finish_cut(void *ctx, int r)
{
	struct fixture *f = ctx;
	char text[100];

	finish_change(ctx, r);
	nf_scratch_read(f->comm, text, sizeof(text));
	if (strncmp(text, "a-name", 6) == 0) {
		/* Left only where the fault hid what the kernel had made of the value. */
		assert_true(r < 0);
		nf_scratch_write(f->comm, "fault_journal");
	}
}

static void a_rounded_change_that_fails_is_taken_back_or_left_alone(void **state)
{
	struct fault_subject s = { .prepare = open_it,
		                   .run = run_set_cut,
		                   .finish = finish_cut,
		                   .tolerates = "close,ftruncate64" };

	fault_every(&s, *state);
}

static int run_mkdir(void *ctx, struct nf_err *err)
{
	struct fixture *f = ctx;

	return nf_journal_mkdir(f->j, f->folder, &f->e, err);
}

static void a_folder_that_cannot_be_recorded_is_not_left(void **state)
{
	struct fault_subject s = { .prepare = open_it,
		                   .run = run_mkdir,
		                   .finish = finish_change,
		                   .tolerates = "close,ftruncate64" };

	fault_every(&s, *state);
}

static void prepare_undo(void *ctx)
{
	struct fixture *f = ctx;

	open_it(f);
	assert_int_equal(nf_journal_set(f->j, f->knob, "new", &f->e, NULL), 0);
}

static int run_undo(void *ctx, struct nf_err *err)
{
	struct fixture *f = ctx;
	bool left_alone = true;
	int r = nf_journal_undo(f->j, f->e, &left_alone, err);

	assert_true(left_alone == (r < 0));
	return r;
}

static void finish_undo(void *ctx, int r)
{
	struct fixture *f = ctx;

	(void)r;
	close_it(f);
	assert_old_state(f);
}

static void an_undo_that_fails_is_done_at_close(void **state)
{
	struct fault_subject s = { .prepare = prepare_undo,
		                   .run = run_undo,
		                   .finish = finish_undo,
		                   .tolerates = "close,ftruncate64" };

	fault_every(&s, *state);
}

static int run_lock(void *ctx, struct nf_err *err)
{
	struct fixture *f = ctx;

	return nf_journal_lock(f->j, "tracer", err);
}

static void finish_lock(void *ctx, int r)
{
	struct fixture *f = ctx;
	struct nf_journal *other = NULL;

	/* Held only after a success. */
	assert_int_equal(nf_journal_open(f->journal, "/proc", &other, NULL), 0);
	assert_int_equal(nf_journal_lock(other, "tracer", NULL), r < 0 ? 0 : -NF_EUNSUPPORTED);
	assert_int_equal(nf_journal_close(other, NULL), 0);
	close_it(f);
}

static void a_lock_is_held_or_not(void **state)
{
	struct fault_subject s = { .prepare = open_it, .run = run_lock, .finish = finish_lock };

	fault_every(&s, *state);
	fault_survives(&s, *state);
}

/* What a killed process left, and a journal to recover it with. */
static void prepare_recover(void *ctx)
{
	struct fixture *f = ctx;
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		open_it(f);
		if (nf_journal_set(f->j, f->knob, "new", &f->e, NULL) == 0 &&
		    nf_journal_mkdir(f->j, f->folder, &f->e, NULL) == 0)
			kill(getpid(), SIGKILL);
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	open_it(f);
}

static void count_failed(void *ctx, enum nf_recovered what, const char *path, const char *old,
                         const char *set, int pid)
{
	(void)path;
	(void)old;
	(void)set;
	(void)pid;
	if (what != NF_RECOVERED_UNDONE && what != NF_RECOVERED_FAILED)
		fail_msg("outcome %d", (int)what);
	*(int *)ctx += what == NF_RECOVERED_FAILED;
}

/* An entry that could not be undone is told through the callback: for this test a failure. */
static int run_recover(void *ctx, struct nf_err *err)
{
	struct fixture *f = ctx;
	int n_failed = 0;
	int r = nf_journal_recover(f->j, count_failed, &n_failed, err);

	return r == 0 && n_failed ? nf_fail(err, NF_EOS, "%d not undone", n_failed) : r;
}

static void finish_recover(void *ctx, int r)
{
	struct fixture *f = ctx;
	struct nf_err err = { 0 };

	(void)r;
	/* Whatever failed, the next try does the rest. */
	assert_int_equal(run_recover(f, &err), 0);
	close_it(f);
	assert_old_state(f);
}

static void a_recovery_that_fails_is_completed_by_the_next(void **state)
{
	/* Files that cannot be looked at mean an owner that may be alive: left for the next run. */
	struct fault_subject s = {
		.prepare = prepare_recover,
		.run = run_recover,
		.finish = finish_recover,
		.tolerates =
		        "close,openat,read,realloc,unlinkat,flock,syscall,ftruncate64,readlinkat",
		.any_code = true
	};

	fault_every(&s, *state);
}

static const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
	T(opening_fails_cleanly),
	T(a_change_that_fails_is_taken_back),
	T(a_rounded_change_that_fails_is_taken_back_or_left_alone),
	T(a_folder_that_cannot_be_recorded_is_not_left),
	T(an_undo_that_fails_is_done_at_close),
	T(a_lock_is_held_or_not),
	T(a_recovery_that_fails_is_completed_by_the_next),
};

NF_UNIT_MAIN(tests)
