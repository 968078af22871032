/* SPDX-License-Identifier: MIT */
/* Who counts as alive, with a captured /proc: other boots, reused pids, odd names, broken entries. */
#include <errno.h>
#include <sys/file.h>

#include "base/hash.h"
#include "base/journal.h"
#include "base/journal_entry.h"
#include "nf_scratch.h"
#include "nf_unit.h"

#define BOOT "11111111-2222-3333-4444-555555555555"
#define OTHER_BOOT "99999999-2222-3333-4444-555555555555"

struct fixture {
	char dir[64];
	char journal[96];
	char proc[96];
	char knob[96];
};

/* A stat line as the kernel writes it; only state and start time are as asked for. */
static void fake_process(const struct fixture *f, int pid, const char *comm, char state,
                         unsigned long long start)
{
	char path[160], text[600];

	snprintf(path, sizeof(path), "%s/%d", f->proc, pid);
	assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
	snprintf(path, sizeof(path), "%s/%d/stat", f->proc, pid);
	snprintf(
	        text, sizeof(text),
	        "%d (%s) %c 1 100 100 34816 100 4194304 90 0 0 0 5 6 0 0 20 0 1 0 %llu 2600960 200 "
	        "18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
	        pid, comm, state, start);
	nf_scratch_write(path, text);
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	char path[200];

	assert_non_null(f);
	nf_scratch_make(f->dir, sizeof(f->dir));
	snprintf(f->journal, sizeof(f->journal), "%s/journal", f->dir);
	snprintf(f->proc, sizeof(f->proc), "%s/proc", f->dir);
	snprintf(f->knob, sizeof(f->knob), "%s/knob", f->dir);
	nf_scratch_write(f->knob, "new\n");
	assert_int_equal(mkdir(f->journal, 0700), 0);
	assert_int_equal(mkdir(f->proc, 0700), 0);
	snprintf(path, sizeof(path), "%s/sys", f->proc);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/sys/kernel", f->proc);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/sys/kernel/random", f->proc);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/sys/kernel/random/boot_id", f->proc);
	nf_scratch_write(path, BOOT "\n");
	fake_process(f, (int)getpid(), "noisefloor", 'R', 5000);
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

/* An entry that set the knob from "old" to "new". */
static void leave_entry(const struct fixture *f, const char *boot, int pid, uint64_t start)
{
	struct nf_journal_record rec = { .boot_id = boot,
		                         .pid = pid,
		                         .start_ticks = start,
		                         .time_ns = 1,
		                         .path = f->knob,
		                         .old = "old",
		                         .set = "new" };
	struct nf_buf b;
	char path[200];

	nf_buf_init(&b, 10000);
	assert_int_equal(nf_journal_entry_print(&rec, &b), 0);
	snprintf(path, sizeof(path), "%s/%.8s-%d-%llu.0-00000000.entry", f->journal, boot, pid,
	         (unsigned long long)start);
	nf_scratch_write(path, b.data);
	nf_buf_fini(&b);
}

struct seen {
	int n[NF_RECOVERED_FAILED + 1];
	int total;
	int pid;
};

static void note(void *ctx, enum nf_recovered what, const char *path, const char *old,
                 const char *set, int pid)
{
	struct seen *s = ctx;

	(void)path;
	(void)old;
	(void)set;
	s->n[what]++;
	s->total++;
	s->pid = pid;
}

static struct seen recover(const struct fixture *f)
{
	struct nf_journal *j = NULL;
	struct nf_err e = { 0 };
	struct seen s = { 0 };
	int r = nf_journal_open(f->journal, f->proc, &j, &e);

	if (r == 0)
		r = nf_journal_recover(j, note, &s, &e);
	if (r != 0)
		fail_msg("%d: %s", r, e.msg);
	assert_int_equal(nf_journal_close(j, NULL), 0);
	return s;
}

#define assert_knob(f, text) \
	do { \
		char got[100]; \
		nf_scratch_read((f)->knob, got, sizeof(got)); \
		assert_string_equal(got, text); \
	} while (0)

static void an_owner_without_a_process_is_dead(void **state)
{
	struct fixture *f = *state;
	struct seen s;

	leave_entry(f, BOOT, 77, 1234);
	s = recover(f);
	assert_int_equal(s.n[NF_RECOVERED_UNDONE], 1);
	assert_int_equal(s.pid, 77);
	assert_knob(f, "old\n");
}

static void a_live_owner_is_known_by_pid_and_start_time(void **state)
{
	struct fixture *f = *state;

	leave_entry(f, BOOT, 77, 1234);
	fake_process(f, 77, "noisefloor", 'S', 1234);
	assert_int_equal(recover(f).total, 0);
	assert_knob(f, "new\n");
}

static void a_reused_pid_is_not_the_owner(void **state)
{
	struct fixture *f = *state;

	leave_entry(f, BOOT, 77, 1234);
	fake_process(f, 77, "bash", 'S', 99999);
	assert_int_equal(recover(f).n[NF_RECOVERED_UNDONE], 1);
	assert_knob(f, "old\n");
}

static void a_name_with_blanks_and_parentheses_does_not_shift_the_fields(void **state)
{
	struct fixture *f = *state;

	leave_entry(f, BOOT, 77, 1234);
	fake_process(f, 77, "a) S 1 (b )", 'S', 1234);
	assert_int_equal(recover(f).total, 0);
	fake_process(f, 77, ") R 1 2 3 4", 'S', 4321);
	assert_int_equal(recover(f).n[NF_RECOVERED_UNDONE], 1);
}

static void a_zombie_is_dead(void **state)
{
	struct fixture *f = *state;

	leave_entry(f, BOOT, 77, 1234);
	fake_process(f, 77, "noisefloor", 'Z', 1234);
	assert_int_equal(recover(f).n[NF_RECOVERED_UNDONE], 1);
}

static void an_owner_that_cannot_be_judged_counts_as_alive(void **state)
{
	struct fixture *f = *state;
	char path[200];

	leave_entry(f, BOOT, 77, 1234);
	fake_process(f, 77, "x", 'S', 1);
	snprintf(path, sizeof(path), "%s/77/stat", f->proc);
	nf_scratch_write(path, "unknown form\n");
	assert_int_equal(recover(f).total, 0);
	assert_knob(f, "new\n");
}

static void a_held_owner_lock_is_life_without_a_process(void **state)
{
	struct fixture *f = *state;
	char path[200];
	int fd;

	/* As of an owner in another pid namespace. */
	leave_entry(f, BOOT, 77, 1234);
	snprintf(path, sizeof(path), "%s/%.8s-77-1234.0.owner", f->journal, BOOT);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(recover(f).total, 0);
	assert_int_equal(access(path, F_OK), 0);
	close(fd);
	assert_int_equal(recover(f).n[NF_RECOVERED_UNDONE], 1);
	assert_int_equal(access(path, F_OK), -1);
}

static void another_boot_leaves_nothing_in_force(void **state)
{
	struct fixture *f = *state;

	leave_entry(f, OTHER_BOOT, 77, 1234);
	/* The same pid and start time by chance. */
	fake_process(f, 77, "noisefloor", 'S', 1234);
	assert_int_equal(recover(f).n[NF_RECOVERED_STALE], 1);
	assert_knob(f, "new\n");
	assert_int_equal(recover(f).total, 0);
}

static void broken_entries_are_set_aside(void **state)
{
	static const char *const names[] = {
		"11111111-77-1234.0-00000000.entry", /* cut */
		"11111111-78-1234.0-00000000.entry", /* another owner's entry */
		"nonsense.entry", "11111111-79-1234.0-00000000.entry", /* empty */
	};
	struct fixture *f = *state;
	char path[300], to[300], text[5000];
	struct seen s;

	leave_entry(f, BOOT, 77, 1234);
	snprintf(path, sizeof(path), "%s/%s", f->journal, names[0]);
	nf_scratch_read(path, text, sizeof(text));
	snprintf(to, sizeof(to), "%s/%s", f->journal, names[1]);
	nf_scratch_write(to, text);
	text[strlen(text) - 20] = '\0';
	nf_scratch_write(path, text);
	for (int i = 2; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s", f->journal, names[i]);
		nf_scratch_write(path, "");
	}
	s = recover(f);
	assert_int_equal(s.n[NF_RECOVERED_BROKEN], 4);
	assert_int_equal(s.total, 4);
	assert_knob(f, "new\n");
	for (int i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s", f->journal, names[i]);
		assert_int_equal(access(path, F_OK), -1);
		snprintf(path, sizeof(path), "%s/%s.broken", f->journal, names[i]);
		assert_int_equal(access(path, F_OK), 0);
	}
	assert_int_equal(recover(f).total, 0);
}

static void half_written_files_of_dead_owners_are_removed(void **state)
{
	static const char *const names[] = {
		".11111111-77-1234.0-00000000.entry.77.0.tmp",
		"11111111-77-1234.0-00000000.entry.amended",
		".11111111-77-1234.0-00000000.entry.amended.77.0.tmp",
		"11111111-77-1234.0.owner",
	};
	struct fixture *f = *state;
	char path[300];

	for (int alive = 1; alive >= 0; alive--) {
		fake_process(f, 77, "x", alive ? 'S' : 'Z', 1234);
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			snprintf(path, sizeof(path), "%s/%s", f->journal, names[i]);
			nf_scratch_write(path, "");
		}
		assert_int_equal(recover(f).total, 0);
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			snprintf(path, sizeof(path), "%s/%s", f->journal, names[i]);
			assert_int_equal(access(path, F_OK), alive ? 0 : -1);
		}
	}
}

static void an_entry_has_one_text_and_anything_else_is_refused(void **state)
{
	static const char good[] = "noisefloor-undo 1\nboot 36:" BOOT "\npid 2:77\nstart 4:1234\n"
	                           "time 1:1\nkind 5:value\npath 2:/x\nold 3:a\nb\nset 0:\n";
	static const struct {
		const char *from, *to, *says;
	} cases[] = {
		{ "", "", NULL },
		{ "pid 2:77", "pid 2:0x", "'pid'" },
		{ "pid 2:77", "pid 1:0", "'pid'" },
		{ "pid 2:77", "pid 3:077", "'pid'" },
		{ "pid 2:77", "pid 10:2147483648", "'pid'" },
		{ "start 4:1234", "start 20:18446744073709551616", "'start'" },
		{ "time 1:1", "time 19:9223372036854775808", "'time'" },
		{ "kind 5:value", "kind 5:valux", "'kind'" },
		{ "path 2:/x", "path 2:xx", "'path'" },
		{ "path 2:/x", "path 3:/x", "'path'" },
		{ "path 2:/x", "path 02:/x", "'path'" },
		{ "old 3:a\nb", "old 4097:a\nb", "'old'" },
		{ "set 0:\n", "set 0:\nset 0:\n", "'crc'" },
		{ "set 0:\n", "", "'set'" },
		{ "undo 1", "undo 2", "version" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *at = strstr(good, cases[i].from);
		struct nf_journal_record rec = { 0 };
		struct nf_err e = { 0 };
		struct nf_buf b;

		nf_buf_init(&b, 20000);
		nf_buf_add(&b, good, (size_t)(at - good));
		nf_buf_adds(&b, cases[i].to);
		nf_buf_adds(&b, at + strlen(cases[i].from));
		nf_buf_addf(&b, "crc 8:%08x\n", nf_crc32c(0, b.data, b.len_bytes));
		if (!cases[i].says) {
			assert_int_equal(nf_journal_entry_parse(b.data, b.len_bytes, &rec, &e), 0);
			assert_string_equal(rec.boot_id, BOOT);
			assert_int_equal(rec.pid, 77);
			assert_int_equal(rec.start_ticks, 1234);
			assert_string_equal(rec.path, "/x");
			assert_string_equal(rec.old, "a\nb");
			assert_string_equal(rec.set, "");
			assert_false(rec.folder);
		} else {
			assert_int_equal(nf_journal_entry_parse(b.data, b.len_bytes, &rec, &e),
			                 -NF_EDATA);
			if (!strstr(e.msg, cases[i].says))
				fail_msg("'%s' does not say %s", e.msg, cases[i].says);
			assert_null(rec.path);
		}
		nf_buf_fini(&b);
	}
}

static void every_changed_or_missing_byte_of_an_entry_is_found(void **state)
{
	struct nf_journal_record rec = {
		.boot_id = BOOT, .pid = 1, .path = "/p", .old = "1", .set = "2"
	};
	struct nf_journal_record got;
	struct nf_buf b, copy;

	(void)state;
	nf_buf_init(&b, 10000);
	nf_buf_init(&copy, 10000);
	assert_int_equal(nf_journal_entry_print(&rec, &b), 0);
	for (size_t i = 0; i < b.len_bytes; i++) {
		nf_buf_clear(&copy);
		nf_buf_add(&copy, b.data, b.len_bytes);
		copy.data[i] ^= 1;
		assert_int_equal(nf_journal_entry_parse(copy.data, copy.len_bytes, &got, NULL),
		                 -NF_EDATA);
		nf_buf_clear(&copy);
		nf_buf_add(&copy, b.data, i);
		assert_int_equal(nf_journal_entry_parse(copy.data, copy.len_bytes, &got, NULL),
		                 -NF_EDATA);
	}
	nf_buf_fini(&copy);
	nf_buf_fini(&b);
}

static const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
	T(an_owner_without_a_process_is_dead),
	T(a_live_owner_is_known_by_pid_and_start_time),
	T(a_reused_pid_is_not_the_owner),
	T(a_name_with_blanks_and_parentheses_does_not_shift_the_fields),
	T(a_zombie_is_dead),
	T(an_owner_that_cannot_be_judged_counts_as_alive),
	T(a_held_owner_lock_is_life_without_a_process),
	T(another_boot_leaves_nothing_in_force),
	T(broken_entries_are_set_aside),
	T(half_written_files_of_dead_owners_are_removed),
	cmocka_unit_test(an_entry_has_one_text_and_anything_else_is_refused),
	cmocka_unit_test(every_changed_or_missing_byte_of_an_entry_is_found),
};

NF_UNIT_MAIN(tests)
