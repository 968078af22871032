/* SPDX-License-Identifier: MIT */
/* The journal in the process that changes the machine. */
#include <sys/stat.h>

#include "journal_folder.h"

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
	T(one_lock_is_held_by_one_run),
	T(a_folder_that_others_may_write_to_is_refused),
};

NF_UNIT_MAIN(tests)
