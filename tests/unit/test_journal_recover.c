/* SPDX-License-Identifier: MIT */
/* What a process left behind is put back by the next one. */
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "journal_folder.h"

struct seen {
	int n[NF_RECOVERED_FAILED + 1];
	char paths[1000]; /* in order, with a blank behind each */
	char old[100];
	char set[100];
	int pid;
};

static void note(void *ctx, enum nf_recovered what, const char *path, const char *old,
                 const char *set, int pid)
{
	struct seen *s = ctx;

	s->n[what]++;
	strncat(s->paths, path, sizeof(s->paths) - strlen(s->paths) - 1);
	strncat(s->paths, " ", sizeof(s->paths) - strlen(s->paths) - 1);
	snprintf(s->old, sizeof(s->old), "%s", old ? old : "(none)");
	snprintf(s->set, sizeof(s->set), "%s", set ? set : "(none)");
	s->pid = pid;
}

static struct seen recover(struct nf_journal *j)
{
	struct seen s = { 0 };
	struct nf_err e = { 0 };
	int r = nf_journal_recover(j, note, &s, &e);

	if (r != 0)
		fail_msg("%d: %s", r, e.msg);
	return s;
}

/* Runs fn in a child that is then killed with SIGKILL and reaped: its changes stay. */
static void run_and_kill(const struct fixture *f,
                         void (*fn)(const struct fixture *, struct nf_journal *))
{
	int ready[2], status;
	char c = 0;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct nf_journal *j = NULL;

		close(ready[0]);
		if (nf_journal_open(f->journal, "/proc", &j, NULL) != 0)
			_exit(1);
		fn(f, j);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		pause();
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
}

static void set_knob(const struct fixture *f, struct nf_journal *j)
{
	struct nf_journal_entry *e;

	if (nf_journal_set(j, f->knob, "performance", &e, NULL) != 0 || !e)
		_exit(1);
}

static void set_twice_and_make_a_folder(const struct fixture *f, struct nf_journal *j)
{
	struct nf_journal_entry *e;
	char path[128];

	snprintf(path, sizeof(path), "%s/instance", f->dir);
	set_knob(f, j);
	if (nf_journal_set(j, f->other, "never", &e, NULL) != 0 ||
	    nf_journal_set(j, f->knob, "ondemand", &e, NULL) != 0 ||
	    nf_journal_mkdir(j, path, &e, NULL) != 0)
		_exit(1);
}

static void what_a_killed_process_left_is_put_back_newest_first(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j;
	struct seen s;
	char want[500];

	run_and_kill(f, set_twice_and_make_a_folder);
	assert_knob(f->knob, "ondemand\n");
	assert_int_equal(count(f, ".entry", NULL), 4);
	j = open_journal(f);
	s = recover(j);
	assert_int_equal(s.n[NF_RECOVERED_UNDONE], 4);
	snprintf(want, sizeof(want), "%s/instance %s %s %s ", f->dir, f->knob, f->other, f->knob);
	assert_string_equal(s.paths, want);
	assert_string_equal(s.old, "powersave");
	assert_string_equal(s.set, "performance");
	assert_knob(f->knob, "powersave\n");
	assert_knob(f->other, "madvise\n");
	assert_int_equal(count(f, ".entry", NULL), 0);
	assert_int_equal(count(f, ".owner", NULL), 1); /* ours */
	s = recover(j);
	assert_string_equal(s.paths, "");
	assert_int_equal(nf_journal_close(j, NULL), 0);
}

static void a_killed_process_does_not_undo_what_others_changed_since(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j;
	struct seen s;

	run_and_kill(f, set_knob);
	nf_scratch_write(f->knob, "schedutil\n");
	j = open_journal(f);
	s = recover(j);
	assert_int_equal(s.n[NF_RECOVERED_LEFT_ALONE], 1);
	assert_knob(f->knob, "schedutil\n");
	assert_int_equal(count(f, ".entry", NULL), 0);
	assert_int_equal(nf_journal_close(j, NULL), 0);
}

static void entries_of_a_live_owner_stay(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *owner = open_journal(f), *j = open_journal(f);
	struct nf_journal_entry *e = NULL;
	struct seen s;

	assert_int_equal(nf_journal_set(owner, f->knob, "performance", &e, NULL), 0);
	s = recover(j);
	assert_string_equal(s.paths, "");
	s = recover(owner);
	assert_string_equal(s.paths, "");
	assert_knob(f->knob, "performance\n");
	assert_int_equal(nf_journal_close(j, NULL), 0);
	assert_knob(f->knob, "performance\n");
	assert_int_equal(nf_journal_close(owner, NULL), 0);
	assert_knob(f->knob, "powersave\n");
}

static void a_forked_child_undoes_nothing(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j = open_journal(f);
	struct nf_journal_entry *e = NULL;
	pid_t pid;
	int status;

	assert_int_equal(nf_journal_set(j, f->knob, "performance", &e, NULL), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(nf_journal_close(j, NULL) == 0 ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_knob(f->knob, "performance\n");
	assert_int_equal(count(f, ".entry", NULL), 1);
	assert_int_equal(nf_journal_close(j, NULL), 0);
	assert_knob(f->knob, "powersave\n");
}

static void a_failure_to_undo_is_said_and_the_entry_stays(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j = open_journal(f);
	struct nf_journal_entry *e = NULL;
	struct nf_err err = { 0 };
	char path[128], inner[160];

	snprintf(path, sizeof(path), "%s/instance", f->dir);
	snprintf(inner, sizeof(inner), "%s/x", path);
	assert_int_equal(nf_journal_set(j, f->knob, "performance", &e, NULL), 0);
	assert_int_equal(nf_journal_mkdir(j, path, &e, NULL), 0);
	nf_scratch_write(inner, "");
	assert_int_equal(nf_journal_close(j, &err), -NF_EOS);
	assert_non_null(strstr(err.msg, path));
	/* The other change is back all the same. */
	assert_knob(f->knob, "powersave\n");
	assert_int_equal(count(f, ".entry", NULL), 1);
}

static void a_run_that_recovers_reports_what_it_could_not_undo(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j;
	struct seen s;
	char inner[160];

	run_and_kill(f, set_twice_and_make_a_folder);
	snprintf(inner, sizeof(inner), "%s/instance/x", f->dir);
	nf_scratch_write(inner, "");
	j = open_journal(f);
	s = recover(j);
	assert_int_equal(s.n[NF_RECOVERED_FAILED], 1);
	assert_int_equal(s.n[NF_RECOVERED_UNDONE], 3);
	assert_int_equal(count(f, ".entry", NULL), 1);
	assert_int_equal(unlink(inner), 0);
	s = recover(j);
	assert_int_equal(s.n[NF_RECOVERED_UNDONE], 1);
	assert_string_equal(s.old, "(none)");
	assert_int_equal(count(f, ".entry", NULL), 0);
	assert_int_equal(nf_journal_close(j, NULL), 0);
}

static void two_processes_that_recover_at_once_undo_once(void **state)
{
	struct fixture *f = *state;
	enum { N = 4 };
	int total = 0, start[2], result[2];
	pid_t pids[N];

	for (int i = 0; i < 8; i++) {
		nf_scratch_write(f->knob, "powersave\n");
		run_and_kill(f, set_knob);
	}
	total = count(f, ".entry", NULL);
	assert_int_equal(total, 8);
	assert_int_equal(pipe(start), 0);
	assert_int_equal(pipe(result), 0);
	for (int i = 0; i < N; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0) {
			struct nf_journal *j = NULL;
			struct seen s = { 0 };
			int n = 0;
			char c;

			close(start[1]);
			if (read(start[0], &c, 1) != 0 ||
			    nf_journal_open(f->journal, "/proc", &j, NULL) != 0 ||
			    nf_journal_recover(j, note, &s, NULL) != 0)
				_exit(1);
			for (int k = 0; k <= NF_RECOVERED_FAILED; k++)
				n += s.n[k];
			if (write(result[1], &n, sizeof(n)) != sizeof(n))
				_exit(1);
			_exit(nf_journal_close(j, NULL) == 0 ? 0 : 1);
		}
	}
	close(start[0]);
	close(start[1]); /* all start */
	for (int i = 0; i < N; i++) {
		int status, n;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
		assert_int_equal(read(result[0], &n, sizeof(n)), sizeof(n));
		total -= n;
	}
	close(result[0]);
	close(result[1]);
	assert_int_equal(total, 0);
	assert_int_equal(count(f, ".entry", NULL), 0);
	assert_knob(f->knob, "powersave\n");
}

static const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
	T(what_a_killed_process_left_is_put_back_newest_first),
	T(a_killed_process_does_not_undo_what_others_changed_since),
	T(entries_of_a_live_owner_stay),
	T(a_forked_child_undoes_nothing),
	T(a_failure_to_undo_is_said_and_the_entry_stays),
	T(a_run_that_recovers_reports_what_it_could_not_undo),
	T(two_processes_that_recover_at_once_undo_once),
};

NF_UNIT_MAIN(tests)
