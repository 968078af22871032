/* SPDX-License-Identifier: MIT */
#include "base/journal.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nf_scratch.h"
#include "nf_unit.h"

/* A scratch folder with knobs of ours and the journal in it. */
struct fixture {
	char dir[64];
	char journal[96];
	char knob[96];
	char other[96];
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	nf_scratch_make(f->dir, sizeof(f->dir));
	snprintf(f->journal, sizeof(f->journal), "%s/journal", f->dir);
	snprintf(f->knob, sizeof(f->knob), "%s/knob", f->dir);
	snprintf(f->other, sizeof(f->other), "%s/other", f->dir);
	nf_scratch_write(f->knob, "powersave\n");
	nf_scratch_write(f->other, "always [madvise] never\n");
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

static struct nf_journal *open_journal(const struct fixture *f)
{
	struct nf_journal *j = NULL;
	struct nf_err e = { 0 };
	int r = nf_journal_open(f->journal, "/proc", &j, &e);

	if (r != 0)
		fail_msg("%d: %s", r, e.msg);
	return j;
}

/* Files in the journal's folder whose name ends so; the last one's name is left in ret. */
static int count(const struct fixture *f, const char *end, char ret[400])
{
	DIR *d = opendir(f->journal);
	struct dirent *e;
	int n = 0;

	assert_non_null(d);
	while ((e = readdir(d))) {
		size_t len = strlen(e->d_name);

		if (len >= strlen(end) && strcmp(e->d_name + len - strlen(end), end) == 0) {
			n++;
			if (ret)
				snprintf(ret, 400, "%s/%s", f->journal, e->d_name);
		}
	}
	closedir(d);
	return n;
}

#define assert_knob(path, text) \
	do { \
		char got[5000]; \
		nf_scratch_read(path, got, sizeof(got)); \
		assert_string_equal(got, text); \
	} while (0)

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

static void a_value_is_set_and_put_back_on_close(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j = open_journal(f);
	struct nf_journal_entry *e = NULL;
	struct nf_err err = { 0 };

	assert_int_equal(nf_journal_set(j, f->knob, "performance", &e, &err), 0);
	assert_non_null(e);
	assert_knob(f->knob, "performance\n");
	assert_int_equal(count(f, ".entry", NULL), 1);
	assert_int_equal(nf_journal_close(j, &err), 0);
	assert_knob(f->knob, "powersave\n");
	assert_int_equal(count(f, ".entry", NULL), 0);
	assert_int_equal(count(f, ".owner", NULL), 0);
	assert_int_equal(err.code, NF_OK);
}

static void a_value_that_is_there_already_makes_no_entry(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j = open_journal(f);
	struct nf_journal_entry *e = (void *)1;
	bool left_alone = true;

	assert_int_equal(nf_journal_set(j, f->knob, "powersave", &e, NULL), 0);
	assert_null(e);
	assert_int_equal(count(f, ".entry", NULL), 0);
	assert_int_equal(nf_journal_undo(j, NULL, &left_alone, NULL), 0);
	assert_false(left_alone);
	assert_int_equal(nf_journal_close(j, NULL), 0);
	assert_int_equal(nf_journal_close(NULL, NULL), 0);
}

static void of_a_list_the_word_in_brackets_is_the_value(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j = open_journal(f);
	struct nf_journal_entry *e = NULL;
	bool left_alone = true;

	assert_int_equal(nf_journal_set(j, f->other, "madvise", &e, NULL), 0);
	assert_null(e);
	assert_int_equal(nf_journal_set(j, f->other, "never", &e, NULL), 0);
	assert_knob(f->other, "never\n");
	/* As the kernel shows what was set. */
	nf_scratch_write(f->other, "always madvise [never]\n");
	assert_int_equal(nf_journal_undo(j, e, &left_alone, NULL), 0);
	assert_false(left_alone);
	assert_knob(f->other, "madvise\n");
	assert_int_equal(nf_journal_close(j, NULL), 0);
}

static void what_a_rounding_kernel_made_of_a_value_counts_as_set(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j = open_journal(f);
	struct nf_journal_entry *e = NULL;
	struct nf_err err = { 0 };
	bool left_alone = true;
	char name[100], path[64], entry[400], text[5000];

	/* The kernel keeps 15 bytes of a task's name. */
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)getpid());
	nf_scratch_read(path, name, sizeof(name));
	assert_int_equal(nf_journal_set(j, path, "a-name-that-is-cut", &e, &err), 0);
	assert_knob(path, "a-name-that-is-\n");
	assert_int_equal(count(f, ".entry", entry), 1);
	nf_scratch_read(entry, text, sizeof(text));
	assert_non_null(strstr(text, "\nset 15:a-name-that-is-\n"));
	assert_int_equal(nf_journal_undo(j, e, &left_alone, &err), 0);
	assert_false(left_alone);
	nf_scratch_read(path, text, sizeof(text));
	assert_memory_equal(text, name, strlen(name));
	nf_scratch_write(path, name);
	assert_int_equal(count(f, ".entry", NULL), 0);
	assert_int_equal(nf_journal_close(j, &err), 0);
}

static void a_write_without_effect_is_a_failure(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j = open_journal(f);
	struct nf_journal_entry *e = (void *)1;
	struct nf_err err = { 0 };
	char path[64], name[100], cut[17];

	/* Differs only behind the bytes that the kernel keeps. */
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)getpid());
	nf_scratch_read(path, name, sizeof(name));
	nf_scratch_write(path, "123456789012345");
	snprintf(cut, sizeof(cut), "123456789012345x");
	assert_int_equal(nf_journal_set(j, path, cut, &e, &err), -NF_EUNSUPPORTED);
	assert_ptr_equal(e, (void *)1);
	assert_non_null(strstr(err.msg, "still reads '123456789012345'"));
	assert_int_equal(count(f, ".entry", NULL), 0);
	nf_scratch_write(path, name);
	assert_int_equal(nf_journal_close(j, NULL), 0);
}

static void a_value_changed_by_others_is_left_alone(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j = open_journal(f);
	struct nf_journal_entry *e = NULL;
	bool left_alone = false;

	assert_int_equal(nf_journal_set(j, f->knob, "performance", &e, NULL), 0);
	nf_scratch_write(f->knob, "schedutil\n");
	assert_int_equal(nf_journal_undo(j, e, &left_alone, NULL), 0);
	assert_true(left_alone);
	assert_knob(f->knob, "schedutil\n");
	assert_int_equal(count(f, ".entry", NULL), 0);

	/* The file is gone with its device. */
	assert_int_equal(nf_journal_set(j, f->other, "never", &e, NULL), 0);
	assert_int_equal(unlink(f->other), 0);
	assert_int_equal(nf_journal_undo(j, e, &left_alone, NULL), 0);
	assert_true(left_alone);
	assert_int_equal(nf_journal_close(j, NULL), 0);
}

static void bad_requests_change_nothing(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j = open_journal(f);
	struct nf_journal_entry *e = (void *)1;
	struct nf_err err = { 0 };
	char *big = calloc(1, 5000), path[128];

	memset(big, 'x', 4097);
	assert_int_equal(nf_journal_set(j, "relative", "1", &e, &err), -NF_EARG);
	assert_int_equal(nf_journal_set(j, f->knob, "two\nlines", &e, &err), -NF_EARG);
	assert_int_equal(nf_journal_set(j, f->knob, big, &e, &err), -NF_EARG);
	snprintf(path, sizeof(path), "%s/absent", f->dir);
	assert_int_equal(nf_journal_set(j, path, "1", &e, &err), -NF_ENODATA);
	snprintf(path, sizeof(path), "%s/link", f->dir);
	assert_int_equal(symlink(f->knob, path), 0);
	assert_int_equal(nf_journal_set(j, path, "1", &e, &err), -NF_EOS);
	nf_scratch_write(f->other, big);
	assert_int_equal(nf_journal_set(j, f->other, "1", &e, &err), -NF_EDATA);
	assert_int_equal(nf_journal_mkdir(j, f->knob, &e, &err), -NF_EEXIST);
	snprintf(path, sizeof(path), "%s/no/such/parent", f->dir);
	assert_int_equal(nf_journal_mkdir(j, path, &e, &err), -NF_EOS);
	assert_ptr_equal(e, (void *)1);
	assert_int_equal(count(f, ".entry", NULL), 0);
	assert_knob(f->knob, "powersave\n");
	assert_int_equal(nf_journal_close(j, NULL), 0);
	free(big);
}

static void values_may_hold_any_byte_of_a_line(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j = open_journal(f);
	struct nf_journal_entry *e = NULL;

	nf_scratch_write(f->knob, "a \"q\" \\ 9:x \xff\x01\xc3(\n");
	assert_int_equal(nf_journal_set(j, f->knob, "crc 8:\t\xfe{", &e, NULL), 0);
	assert_int_equal(nf_journal_close(j, NULL), 0);
	assert_knob(f->knob, "a \"q\" \\ 9:x \xff\x01\xc3(\n");
	/* The empty value: a cleared list. */
	nf_scratch_write(f->knob, "\n");
	j = open_journal(f);
	assert_int_equal(nf_journal_set(j, f->knob, "x", &e, NULL), 0);
	assert_int_equal(nf_journal_close(j, NULL), 0);
	assert_knob(f->knob, "\n");
}

static void a_folder_that_was_made_is_removed(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j = open_journal(f);
	struct nf_journal_entry *e = NULL;
	struct nf_err err = { 0 };
	char path[128], inner[160];
	bool left_alone = false;

	snprintf(path, sizeof(path), "%s/instance", f->dir);
	snprintf(inner, sizeof(inner), "%s/x", path);
	assert_int_equal(nf_journal_mkdir(j, path, &e, &err), 0);
	assert_int_equal(access(path, F_OK), 0);
	/* Not empty: it cannot be removed, and stays listed. */
	nf_scratch_write(inner, "");
	assert_int_equal(nf_journal_undo(j, e, &left_alone, &err), -NF_EOS);
	assert_int_equal(count(f, ".entry", NULL), 1);
	assert_int_equal(unlink(inner), 0);
	assert_int_equal(nf_journal_undo(j, e, &left_alone, &err), 0);
	assert_false(left_alone);
	assert_int_equal(access(path, F_OK), -1);

	/* Somebody else's folder of the same name. */
	assert_int_equal(nf_journal_mkdir(j, path, &e, &err), 0);
	snprintf(inner, sizeof(inner), "%s/moved", f->dir);
	assert_int_equal(rename(path, inner), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(nf_journal_undo(j, e, &left_alone, &err), 0);
	assert_true(left_alone);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(nf_journal_close(j, NULL), 0);
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

static void one_lock_is_held_by_one_run(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *a = open_journal(f), *b = open_journal(f);
	struct nf_err err = { 0 };
	char pid[32];

	assert_int_equal(nf_journal_lock(a, "tracer", &err), 0);
	assert_int_equal(nf_journal_lock(a, "tracer", &err), 0);
	assert_int_equal(nf_journal_lock(b, "rt-throttle", &err), 0);
	assert_int_equal(nf_journal_lock(b, "tracer", &err), -NF_EUNSUPPORTED);
	snprintf(pid, sizeof(pid), "(pid %d)", (int)getpid());
	assert_non_null(strstr(err.msg, pid));
	assert_non_null(strstr(err.msg, "'tracer'"));
	assert_int_equal(nf_journal_lock(b, "../x", &err), -NF_EARG);
	assert_int_equal(nf_journal_lock(b, "", &err), -NF_EARG);
	assert_int_equal(nf_journal_close(a, &err), 0);
	assert_int_equal(nf_journal_lock(b, "tracer", &err), 0);
	assert_int_equal(nf_journal_close(b, &err), 0);
}

static void a_folder_that_others_may_write_to_is_refused(void **state)
{
	struct fixture *f = *state;
	struct nf_journal *j = NULL;
	struct nf_err err = { 0 };

	assert_int_equal(mkdir(f->journal, 0700), 0);
	assert_int_equal(chmod(f->journal, 0777), 0);
	assert_int_equal(nf_journal_open(f->journal, "/proc", &j, &err), -NF_EUNSUPPORTED);
	assert_int_equal(rmdir(f->journal), 0);
	assert_int_equal(symlink(f->dir, f->journal), 0);
	assert_int_equal(nf_journal_open(f->journal, "/proc", &j, &err), -NF_EOS);
	assert_null(j);
}

static const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
	T(a_value_is_set_and_put_back_on_close),
	T(a_value_that_is_there_already_makes_no_entry),
	T(of_a_list_the_word_in_brackets_is_the_value),
	T(what_a_rounding_kernel_made_of_a_value_counts_as_set),
	T(a_write_without_effect_is_a_failure),
	T(a_value_changed_by_others_is_left_alone),
	T(bad_requests_change_nothing),
	T(values_may_hold_any_byte_of_a_line),
	T(a_folder_that_was_made_is_removed),
	T(what_a_killed_process_left_is_put_back_newest_first),
	T(a_killed_process_does_not_undo_what_others_changed_since),
	T(entries_of_a_live_owner_stay),
	T(a_forked_child_undoes_nothing),
	T(a_failure_to_undo_is_said_and_the_entry_stays),
	T(a_run_that_recovers_reports_what_it_could_not_undo),
	T(two_processes_that_recover_at_once_undo_once),
	T(one_lock_is_held_by_one_run),
	T(a_folder_that_others_may_write_to_is_refused),
};

NF_UNIT_MAIN(tests)
