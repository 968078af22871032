/* SPDX-License-Identifier: MIT */
#include "bench/audit_tasks.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "nf_unit.h"

struct program {
	struct nf_audit_tasks tasks;
	struct nf_audit_trace trace;
	struct nf_err err;
};

static struct nf_audit_task *add(struct program *p, pid_t tid, pid_t tgid, pid_t parent)
{
	assert_int_equal(nf_audit_task_add(&p->tasks, tid, tgid, parent, &p->err), 0);
	return nf_audit_task_find(&p->tasks, tid);
}

static void begin(struct program *p, pid_t tid, const char *name)
{
	assert_int_equal(
	        nf_audit_task_begin(nf_audit_task_find(&p->tasks, tid), &p->trace, name, &p->err),
	        0);
}

static void end(struct program *p, pid_t tid, const char *name)
{
	nf_audit_task_end(nf_audit_task_find(&p->tasks, tid), &p->trace, name);
}

static void call(struct program *p, pid_t tid, uint64_t nr, int64_t result)
{
	struct nf_audit_task *t = nf_audit_task_find(&p->tasks, tid);

	t->nr = nr;
	t->kind = nf_audit_call_kind(nr);
	assert_int_equal(nf_audit_task_called(&p->tasks, t, &p->trace, result, result < 0, &p->err),
	                 0);
}

/* One without calls: there is no such row. */
static struct nf_audit_row row(const struct program *p, int region, bool others, uint64_t nr)
{
	for (size_t i = 0; i < p->trace.n_rows; i++)
		if (p->trace.row[i].region == region && p->trace.row[i].others == others &&
		    p->trace.row[i].nr == nr)
			return p->trace.row[i];
	return (struct nf_audit_row){ .calls = 0 };
}

static void fini(struct program *p)
{
	free(p->tasks.task);
	nf_audit_trace_fini(&p->trace);
}

static void a_call_counts_for_every_region_its_thread_has_open(void **state)
{
	struct program p = { 0 };

	(void)state;
	add(&p, 1, 1, 0);
	begin(&p, 1, "outer");
	begin(&p, 1, "inner");
	call(&p, 1, SYS_write, 10);
	call(&p, 1, SYS_write, -9);
	end(&p, 1, "inner");
	call(&p, 1, SYS_write, 5);
	call(&p, 1, SYS_getpid, 1);
	end(&p, 1, "outer");
	call(&p, 1, SYS_write, 7);
	call(&p, 1, SYS_getpid, 1);
	assert_int_equal(row(&p, 0, false, SYS_write).bytes, 15);
	assert_int_equal(row(&p, 0, false, SYS_write).calls, 3);
	assert_int_equal(row(&p, 0, false, SYS_write).failed, 1);
	assert_int_equal(row(&p, 1, false, SYS_write).bytes, 10);
	assert_int_equal(row(&p, 0, false, SYS_getpid).calls, 1);
	assert_int_equal(row(&p, NF_AUDIT_NO_REGION, false, SYS_write).bytes, 7);
	assert_int_equal(row(&p, NF_AUDIT_NO_REGION, false, SYS_getpid).calls, 0);
	assert_int_equal(row(&p, 0, true, SYS_write).calls, 0);
	fini(&p);
}

static void others_are_threads_and_processes_started_by_it(void **state)
{
	struct program p = { 0 };

	(void)state;
	add(&p, 1, 1, 0);
	add(&p, 2, 1, 0); /* a thread of it */
	add(&p, 3, 3, 1); /* a child */
	add(&p, 4, 4, 3); /* a child's child */
	add(&p, 5, 5, 0); /* a stranger */
	begin(&p, 1, "r");
	for (pid_t tid = 2; tid <= 5; tid++)
		call(&p, tid, SYS_write, 1 << tid);
	assert_int_equal(row(&p, 0, true, SYS_write).bytes, 4 + 8 + 16);
	assert_int_equal(row(&p, NF_AUDIT_NO_REGION, false, SYS_write).bytes, 32);
	assert_int_equal(row(&p, 0, false, SYS_write).calls, 0);
	assert_true(nf_audit_task_in_region(&p.tasks, nf_audit_task_find(&p.tasks, 4)));
	assert_false(nf_audit_task_in_region(&p.tasks, nf_audit_task_find(&p.tasks, 5)));
	/* A child's region is not its parent's. */
	end(&p, 1, "r");
	begin(&p, 3, "r");
	call(&p, 1, SYS_write, 64);
	assert_int_equal(row(&p, NF_AUDIT_NO_REGION, false, SYS_write).bytes, 32 + 64);
	fini(&p);
}

static void a_region_begun_again_takes_the_inner_ones_with_it(void **state)
{
	struct program p = { 0 };
	struct nf_audit_task *t = add(&p, 1, 1, 0);

	(void)state;
	begin(&p, 1, "a");
	begin(&p, 1, "b");
	begin(&p, 1, "a");
	assert_int_equal(t->depth, 1);
	begin(&p, 1, "b");
	end(&p, 1, "a");
	assert_int_equal(t->depth, 0);
	end(&p, 1, "b"); /* nothing is open */
	end(&p, 1, "never begun");
	assert_int_equal(t->depth, 0);
	fini(&p);
}

static void what_is_too_deep_or_too_much_is_counted(void **state)
{
	struct program p = { 0 };
	struct nf_audit_task *t = add(&p, 1, 1, 0);
	char name[32];

	(void)state;
	for (int i = 0; i < NF_REGION_DEPTH + 3; i++) {
		snprintf(name, sizeof(name), "%d", i);
		begin(&p, 1, name);
	}
	assert_int_equal(p.trace.regions_lost, 3);
	for (int i = NF_REGION_DEPTH + 3; i-- > 0;) {
		snprintf(name, sizeof(name), "%d", i);
		end(&p, 1, name);
	}
	assert_int_equal(t->depth, 0);
	assert_int_equal(t->skipped, 0);
	for (int i = 0; i < NF_REGION_SLOTS + 10; i++) {
		snprintf(name, sizeof(name), "%d", i);
		begin(&p, 1, name);
		end(&p, 1, name);
	}
	assert_int_equal(p.trace.n_regions, NF_REGION_SLOTS);
	assert_int_equal(p.trace.regions_lost, 3 + 10);
	begin(&p, 1, "0");
	for (uint64_t nr = 0; nr < NF_AUDIT_ROWS_MAX + 5; nr++)
		call(&p, 1, 100000 + nr, 0);
	assert_int_equal(p.trace.n_rows, NF_AUDIT_ROWS_MAX);
	assert_int_equal(p.trace.rows_lost, 5);
	fini(&p);
}

static void execution_ends_regions_and_other_threads(void **state)
{
	struct program p = { 0 };

	(void)state;
	add(&p, 1, 1, 0);
	add(&p, 2, 1, 0);
	add(&p, 3, 3, 1);
	begin(&p, 1, "a");
	begin(&p, 2, "b");
	begin(&p, 3, "c");
	nf_audit_task_executes(&p.tasks, 1);
	assert_int_equal(p.tasks.n, 2);
	assert_null(nf_audit_task_find(&p.tasks, 2));
	assert_false(nf_audit_task_in_region(&p.tasks, nf_audit_task_find(&p.tasks, 1)));
	assert_true(nf_audit_task_in_region(&p.tasks, nf_audit_task_find(&p.tasks, 3)));
	nf_audit_task_gone(&p.tasks, 1);
	nf_audit_task_gone(&p.tasks, 99);
	assert_int_equal(p.tasks.n, 1);
	fini(&p);
}

static void calls_have_their_names_and_files(void **state)
{
	(void)state;
	assert_string_equal(nf_audit_call_name(SYS_write), "write");
	assert_string_equal(nf_audit_call_name(SYS_io_uring_enter), "io_uring_enter");
	assert_null(nf_audit_call_name(100000));
	assert_null(nf_audit_call_name(UINT64_MAX));
	assert_int_equal(nf_audit_call_kind(SYS_write).way, NF_AUDIT_OUT);
	assert_int_equal(nf_audit_call_kind(SYS_copy_file_range).fd, 2);
	assert_int_equal(nf_audit_call_kind(SYS_getpid).way, NF_AUDIT_NO_IO);
}

static void targets_are_told_apart(void **state)
{
	static const struct {
		const char *name;
		unsigned mode;
		unsigned major, minor;
		enum nf_audit_target_kind kind;
		bool console;
	} rows[] = {
		{ "/dev/pts/3", S_IFCHR, 136, 3, NF_AUDIT_TTY, true },
		{ "/dev/tty1", S_IFCHR, 4, 1, NF_AUDIT_TTY, true },
		{ "/dev/console", S_IFCHR, 5, 1, NF_AUDIT_TTY, true },
		{ "/dev/ttyS0", S_IFCHR, 4, 64, NF_AUDIT_SERIAL, true },
		{ "/dev/ttyUSB1", S_IFCHR, 188, 1, NF_AUDIT_SERIAL, true },
		{ "/dev/ttyAMA0", S_IFCHR, 204, 64, NF_AUDIT_SERIAL, true },
		{ "/dev/hvc0", S_IFCHR, 229, 0, NF_AUDIT_TTY, true },
		{ "/dev/null", S_IFCHR, 1, 3, NF_AUDIT_NULL, false },
		{ "/dev/urandom", S_IFCHR, 1, 9, NF_AUDIT_DEVICE, false },
		{ "/dev/sda", S_IFBLK, 8, 0, NF_AUDIT_DEVICE, false },
		{ "pipe:[1]", S_IFIFO, 0, 0, NF_AUDIT_PIPE, false },
		{ "socket:[1]", S_IFSOCK, 0, 0, NF_AUDIT_SOCKET, false },
		{ "/dev/ttyS0.log", S_IFREG, 0, 0, NF_AUDIT_FILE, false },
		{ "/tmp", S_IFDIR, 0, 0, NF_AUDIT_OTHER, false },
		{ "anon_inode:[eventfd]", 0, 0, 0, NF_AUDIT_OTHER, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum nf_audit_target_kind kind = nf_audit_kind_of(
		        rows[i].name, rows[i].mode, makedev(rows[i].major, rows[i].minor));

		if (kind != rows[i].kind || nf_audit_is_console(kind) != rows[i].console)
			fail_msg("%s: %d", rows[i].name, (int)kind);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_call_counts_for_every_region_its_thread_has_open),
	cmocka_unit_test(others_are_threads_and_processes_started_by_it),
	cmocka_unit_test(a_region_begun_again_takes_the_inner_ones_with_it),
	cmocka_unit_test(what_is_too_deep_or_too_much_is_counted),
	cmocka_unit_test(execution_ends_regions_and_other_threads),
	cmocka_unit_test(calls_have_their_names_and_files),
	cmocka_unit_test(targets_are_told_apart),
};

NF_UNIT_MAIN(tests)
