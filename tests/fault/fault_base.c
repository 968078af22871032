/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/cpuset.h"
#include "base/hash.h"
#include "base/rootfs.h"
#include "base/sysio.h"
#include "fault.h"
#include "nf_unit.h"

static char folder[] = "/tmp/nf-fault-base-XXXXXX";

static int run_buf(void *ctx, struct nf_err *err)
{
	struct nf_buf *b = ctx;

	for (int i = 0; i < 100; i++)
		nf_buf_addf(b, "%d some text", i);
	return nf_buf_failed(b, "a text", err);
}

static void finish_buf(void *ctx, int r)
{
	struct nf_buf *b = ctx;

	if (r == 0)
		assert_memory_equal(b->data + b->len_bytes - 12, "99 some text", 13);
	else
		assert_int_equal(b->data[b->len_bytes], '\0');
	nf_buf_fini(b);
}

static void a_buffer_remembers_that_memory_ran_out(void **state)
{
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 10000);
	fault_every(&(struct fault_subject){ .run = run_buf, .finish = finish_buf }, &b);
}

static int run_arena(void *ctx, struct nf_err *err)
{
	struct nf_arena *a = ctx;

	for (int i = 0; i < 100; i++) {
		nf_arena_printf(a, "%d", i);
		nf_arena_alloc(a, (size_t)i, 100);
	}
	return nf_arena_failed(a, "a list", err);
}

static void finish_arena(void *ctx, int r)
{
	struct nf_arena *a = ctx;

	if (r < 0)
		assert_null(nf_arena_strdup(a, "x"));
	nf_arena_fini(a);
}

static void an_arena_remembers_that_memory_ran_out(void **state)
{
	struct nf_arena a;

	(void)state;
	nf_arena_init(&a, 10000000);
	fault_every(&(struct fault_subject){ .run = run_arena, .finish = finish_arena }, &a);
}

static void prepare_set(void *ctx)
{
	struct nf_cpuset *s = ctx;

	nf_cpuset_init(s);
	assert_int_equal(nf_cpuset_parse("7", false, s, NULL), 0);
}

static int run_parse(void *ctx, struct nf_err *err)
{
	return nf_cpuset_parse("0-3,70,1000", false, ctx, err);
}

static void finish_set(void *ctx, int r)
{
	struct nf_cpuset *s = ctx;

	assert_true(nf_cpuset_has(s, 7) == (r < 0));
	assert_int_equal(nf_cpuset_count(s), r < 0 ? 1 : 6);
	nf_cpuset_fini(s);
}

static void parsing_a_list_without_memory_leaves_the_set(void **state)
{
	struct nf_cpuset s;

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = prepare_set,
	                                     .run = run_parse,
	                                     .finish = finish_set },
	            &s);
}

struct file {
	int dirfd;
	int fd;
};

static int run_atomic(void *ctx, struct nf_err *err)
{
	struct file *f = ctx;

	return nf_write_file_atomic(f->dirfd, "a", "hello", 5, 0600, err);
}

/* Only the file, and only after a success. */
static void finish_atomic(void *ctx, int r)
{
	struct file *f = ctx;
	char got[10] = "";
	int fd = openat(f->dirfd, "a", O_RDONLY | O_CLOEXEC);

	if (r == 0) {
		assert_true(fd >= 0);
		assert_int_equal(read(fd, got, sizeof(got)), 5);
		assert_string_equal(got, "hello");
		close(fd);
		assert_int_equal(unlinkat(f->dirfd, "a", 0), 0);
	} else {
		assert_int_equal(fd, -1);
	}
	/* Empty: rmdir works. */
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(mkdir(folder, 0700), 0);
	close(f->dirfd);
	f->dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(f->dirfd >= 0);
}

static void an_atomic_file_is_there_whole_or_not_at_all(void **state)
{
	struct fault_subject s = { .run = run_atomic, .finish = finish_atomic };
	struct file f = { .dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };

	(void)state;
	assert_true(f.dirfd >= 0);
	fault_every(&s, &f);
	fault_survives(&s, &f);
	close(f.dirfd);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_buffer_remembers_that_memory_ran_out),
	cmocka_unit_test(an_arena_remembers_that_memory_ran_out),
	cmocka_unit_test(parsing_a_list_without_memory_leaves_the_set),
	cmocka_unit_test(an_atomic_file_is_there_whole_or_not_at_all),
};

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

static int all(void)
{
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

int main(int argc, char **argv)
{
	return nf_unit_run(tests, sizeof(tests) / sizeof(tests[0]), argc, argv, all);
}
