/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/cpuset.h"
#include "base/hash.h"
#include "base/rootfs.h"
#include "base/sysio.h"
#include "fault.h"
#include "nf_scratch.h"
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

	return nf_write_file_atomic_as(f->dirfd, "a", "hello", 5, 0600, (int)getuid(),
	                               (int)getgid(), err);
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

static int run_subset(void *ctx, struct nf_err *err)
{
	struct nf_cpuset allowed;
	struct nf_err why = { 0 };
	int r;

	nf_cpuset_init(&allowed);
	r = nf_cpuset_check_subset(ctx, &allowed, "CPU", &why);
	/* The expected refusal; its text may be cut when there was no memory for it. */
	if (r == -NF_EARG && strstr(why.msg, "CPU 7"))
		return 0;
	*err = why;
	return r;
}

static void finish_subset(void *ctx, int r)
{
	(void)r;
	nf_cpuset_fini(ctx);
}

static void a_refused_subset_is_refused_without_memory_too(void **state)
{
	struct nf_cpuset s;

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = prepare_set,
	                                     .run = run_subset,
	                                     .finish = finish_subset,
	                                     .any_code = true },
	            &s);
}

/* A captured tree: sys/list, sys/number, sys/link. */
struct reading {
	struct nf_rootfs r;
	struct nf_arena a;
	struct nf_cpuset set;
	const char *line, *link;
	int64_t number;
	int n_entries;
};

static int count_entry(void *ctx, const char *name)
{
	(void)name;
	++*(int *)ctx;
	return 0;
}

static void prepare_reading(void *ctx)
{
	struct reading *t = ctx;

	*t = (struct reading){ .r.dirfd = -1, .number = -1 };
	nf_arena_init(&t->a, 100000);
	nf_cpuset_init(&t->set);
}

static int run_reading(void *ctx, struct nf_err *err)
{
	struct reading *t = ctx;
	int r = nf_rootfs_open(&t->r, folder, err);

	if (r == 0)
		r = nf_rootfs_read_cpulist(&t->r, "list", &t->set, err);
	if (r == 0)
		r = nf_rootfs_read_line(&t->r, "list", &t->a, &t->line, err);
	if (r == 0)
		r = nf_rootfs_read_i64(&t->r, "number", &t->number, err);
	if (r == 0)
		r = nf_rootfs_readlink_base(&t->r, "link", &t->a, &t->link, err);
	if (r == 0)
		r = nf_rootfs_list(&t->r, "", count_entry, &t->n_entries, err);
	return r;
}

static void finish_reading(void *ctx, int r)
{
	struct reading *t = ctx;

	if (r == 0) {
		assert_int_equal(nf_cpuset_count(&t->set), 4);
		assert_string_equal(t->line, "0-3");
		assert_int_equal(t->number, 42);
		assert_string_equal(t->link, "name");
		assert_int_equal(t->n_entries, 3);
	} else {
		/* Each is as it was, or whole. */
		assert_true(nf_cpuset_count(&t->set) == 0 || nf_cpuset_count(&t->set) == 4);
		assert_true(!t->line || strcmp(t->line, "0-3") == 0);
		assert_true(t->number == -1 || t->number == 42);
		assert_true(!t->link || strcmp(t->link, "name") == 0);
		assert_int_equal(t->n_entries, 0);
	}
	nf_cpuset_fini(&t->set);
	nf_arena_fini(&t->a);
	nf_rootfs_close(&t->r);
}

static void a_captured_tree_is_read_or_not_at_all(void **state)
{
	struct fault_subject s = { .prepare = prepare_reading,
		                   .run = run_reading,
		                   .finish = finish_reading,
		                   .tolerates = "close" };
	static const char *const names[] = { "list", "number", "link" };
	char path[100];
	struct reading t;

	(void)state;
	snprintf(path, sizeof(path), "%s/list", folder);
	nf_scratch_write(path, "0-3\n");
	snprintf(path, sizeof(path), "%s/number", folder);
	nf_scratch_write(path, "42\n");
	snprintf(path, sizeof(path), "%s/link", folder);
	assert_int_equal(symlink("../a/name", path), 0);
	fault_every(&s, &t);
	fault_survives(&s, &t);
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		assert_int_equal(unlink(path), 0);
	}
}

static int run_hash(void *ctx, struct nf_err *err)
{
	char hex[NF_SHA256_HEX] = "untouched";
	int fd = *(int *)ctx;
	int r = nf_sha256_fd(fd, "the memory", hex, err);

	assert_string_equal(hex, r == 0 ? "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61"
	                                  "f20015ad"
	                                : "untouched");
	return r;
}

static void rewind_fd(void *ctx)
{
	assert_int_equal(lseek(*(int *)ctx, 0, SEEK_SET), 0);
}

static void hashing_survives_interruptions_and_short_reads(void **state)
{
	struct fault_subject s = { .prepare = rewind_fd, .run = run_hash };
	int fd = memfd_create("nf-fault", MFD_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "abc", 3), 3);
	fault_every(&s, &fd);
	fault_survives(&s, &fd);
	close(fd);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_buffer_remembers_that_memory_ran_out),
	cmocka_unit_test(an_arena_remembers_that_memory_ran_out),
	cmocka_unit_test(parsing_a_list_without_memory_leaves_the_set),
	cmocka_unit_test(an_atomic_file_is_there_whole_or_not_at_all),
	cmocka_unit_test(a_refused_subset_is_refused_without_memory_too),
	cmocka_unit_test(a_captured_tree_is_read_or_not_at_all),
	cmocka_unit_test(hashing_survives_interruptions_and_short_reads),
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
