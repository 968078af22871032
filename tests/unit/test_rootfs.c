/* SPDX-License-Identifier: MIT */
#include "base/rootfs.h"

#include <errno.h>

#include "nf_scratch.h"
#include "nf_unit.h"

static void the_live_host_has_a_kernel_release(void **state)
{
	struct nf_rootfs r;
	struct nf_arena a;
	struct nf_err e = { 0 };
	const char *s = NULL;

	(void)state;
	nf_arena_init(&a, 10000);
	assert_int_equal(nf_rootfs_open(&r, NULL, &e), 0);
	assert_int_equal(nf_rootfs_read_line(&r, "proc/sys/kernel/osrelease", &a, &s, &e), 0);
	assert_non_null(s);
	assert_true(strlen(s) > 0);
	assert_int_equal(nf_rootfs_read_line(&r, "proc/no/such/file", &a, &s, &e), -NF_ENODATA);
	nf_rootfs_close(&r);
	nf_arena_fini(&a);
}

struct tree {
	char dir[64];
	struct nf_rootfs r;
	struct nf_arena a;
};

static int set_up(void **state)
{
	struct tree *t = calloc(1, sizeof(*t));
	char path[200];

	assert_non_null(t);
	nf_scratch_make(t->dir, sizeof(t->dir));
	snprintf(path, sizeof(path), "%s/sys", t->dir);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(nf_rootfs_open(&t->r, t->dir, NULL), 0);
	nf_arena_init(&t->a, 1 << 20);
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	struct tree *t = *state;

	nf_arena_fini(&t->a);
	nf_rootfs_close(&t->r);
	nf_rootfs_close(&t->r);
	nf_scratch_remove(t->dir);
	free(t);
	return 0;
}

static void put(const struct tree *t, const char *name, const char *text)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/%s", t->dir, name);
	nf_scratch_write(path, text);
}

static void link_to(const struct tree *t, const char *name, const char *target)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/%s", t->dir, name);
	assert_int_equal(symlink(target, path), 0);
}

static void a_line_is_the_first_without_its_end(void **state)
{
	static const struct {
		const char *in, *out;
	} cases[] = { { "one\ntwo\n", "one" },
		      { "one \t\r\n", "one" },
		      { "", "" },
		      { "\nx", "" },
		      { " x", " x" } };
	struct tree *t = *state;
	const char *s;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put(t, "sys/a", cases[i].in);
		assert_int_equal(nf_rootfs_read_line(&t->r, "sys/a", &t->a, &s, NULL), 0);
		assert_string_equal(s, cases[i].out);
	}
}

static void numbers_are_whole_lines(void **state)
{
	static const struct {
		const char *in;
		int r;
		int64_t v;
	} cases[] = {
		{ "42\n", 0, 42 },
		{ " -7 \n", 0, -7 },
		{ "9223372036854775807\n", 0, INT64_MAX },
		{ "9223372036854775808\n", -NF_EDATA, 0 },
		{ "-9223372036854775808", 0, INT64_MIN },
		{ "", -NF_EDATA, 0 },
		{ "-", -NF_EDATA, 0 },
		{ "+1", -NF_EDATA, 0 },
		{ "0x10", -NF_EDATA, 0 },
		{ "1 2", -NF_EDATA, 0 },
		{ "<unsupported>", -NF_EDATA, 0 },
	};
	struct tree *t = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nf_err e = { 0 };
		int64_t v = 99;

		put(t, "sys/n", cases[i].in);
		assert_int_equal(nf_rootfs_read_i64(&t->r, "sys/n", &v, &e), cases[i].r);
		assert_int_equal(v, cases[i].r ? 99 : cases[i].v);
		if (cases[i].r)
			assert_non_null(strstr(e.msg, "/sys/n: '"));
	}
}

static void a_list_file_is_a_set(void **state)
{
	struct tree *t = *state;
	struct nf_err e = { 0 };
	struct nf_cpuset s;

	nf_cpuset_init(&s);
	put(t, "sys/online", "0-3,8\n");
	assert_int_equal(nf_rootfs_read_cpulist(&t->r, "sys/online", &s, &e), 0);
	assert_int_equal(nf_cpuset_count(&s), 5);
	put(t, "sys/online", "\n");
	assert_int_equal(nf_rootfs_read_cpulist(&t->r, "sys/online", &s, &e), 0);
	assert_int_equal(nf_cpuset_count(&s), 0);
	put(t, "sys/online", "3-1\n");
	assert_int_equal(nf_rootfs_read_cpulist(&t->r, "sys/online", &s, &e), -NF_EDATA);
	assert_non_null(strstr(e.msg, "/sys/online: '3-1' is reversed"));
	nf_cpuset_fini(&s);
}

static void absent_is_no_data_and_anything_else_a_failure(void **state)
{
	struct tree *t = *state;
	struct nf_rootfs r;
	struct nf_err e = { 0 };
	const char *s = NULL;

	put(t, "sys/a", "x");
	assert_int_equal(nf_rootfs_read_line(&t->r, "sys/none", &t->a, &s, &e), -NF_ENODATA);
	assert_int_equal(nf_rootfs_read_line(&t->r, "sys/a/below", &t->a, &s, &e), -NF_ENODATA);
	assert_int_equal(nf_rootfs_read_line(&t->r, "sys", &t->a, &s, &e), -NF_EOS);
	assert_int_equal(e.os_errno, EISDIR);
	assert_int_equal(nf_rootfs_read_line(&t->r, "/sys/a", &t->a, &s, &e), -NF_EOS);
	assert_null(s);
	assert_true(nf_rootfs_exists(&t->r, "sys/a") && nf_rootfs_exists(&t->r, "sys"));
	assert_false(nf_rootfs_exists(&t->r, "sys/none"));
	assert_int_equal(nf_rootfs_open(&r, "/no/such/folder", &e), -NF_ENODATA);
}

static void links_of_a_captured_tree_stay_inside_it(void **state)
{
	struct tree *t = *state;
	const char *s = NULL;

	put(t, "sys/a", "inside");
	link_to(t, "sys/absolute", "/sys/a");
	link_to(t, "sys/up", "../../../../../../sys/a");
	link_to(t, "sys/host", "/proc/version");
	assert_int_equal(nf_rootfs_read_line(&t->r, "sys/absolute", &t->a, &s, NULL), 0);
	assert_string_equal(s, "inside");
	assert_int_equal(nf_rootfs_read_line(&t->r, "sys/up", &t->a, &s, NULL), 0);
	assert_string_equal(s, "inside");
	assert_int_equal(nf_rootfs_read_line(&t->r, "sys/host", &t->a, &s, NULL), -NF_ENODATA);
	assert_false(nf_rootfs_exists(&t->r, "sys/host"));
}

static void a_links_last_component_is_its_name(void **state)
{
	struct tree *t = *state;
	struct nf_err e = { 0 };
	const char *s = NULL;

	put(t, "sys/a", "");
	link_to(t, "sys/driver", "../../bus/pci/drivers/e1000e");
	link_to(t, "sys/short", "name");
	link_to(t, "sys/slash", "a/b//");
	assert_int_equal(nf_rootfs_readlink_base(&t->r, "sys/driver", &t->a, &s, &e), 0);
	assert_string_equal(s, "e1000e");
	assert_int_equal(nf_rootfs_readlink_base(&t->r, "sys/short", &t->a, &s, &e), 0);
	assert_string_equal(s, "name");
	assert_int_equal(nf_rootfs_readlink_base(&t->r, "sys/slash", &t->a, &s, &e), 0);
	assert_string_equal(s, "b");
	assert_int_equal(nf_rootfs_readlink_base(&t->r, "sys/a", &t->a, &s, &e), -NF_EDATA);
	assert_int_equal(nf_rootfs_readlink_base(&t->r, "sys/none", &t->a, &s, &e), -NF_ENODATA);
}

static int collect(void *ctx, const char *name)
{
	char *all = ctx;

	strcat(strcat(all, name), " ");
	return strcmp(name, "cpu2") == 0 ? 7 : 0;
}

static void entries_come_in_byte_order_until_told_to_stop(void **state)
{
	struct tree *t = *state;
	struct nf_err e = { 0 };
	char all[200] = "";

	put(t, "sys/cpu1", "");
	put(t, "sys/.hidden", "");
	put(t, "sys/cpu10", "");
	assert_int_equal(nf_rootfs_list(&t->r, "sys", collect, all, &e), 0);
	assert_string_equal(all, ".hidden cpu1 cpu10 ");
	put(t, "sys/cpu2", "");
	put(t, "sys/z", "");
	all[0] = '\0';
	assert_int_equal(nf_rootfs_list(&t->r, "sys", collect, all, &e), 7);
	assert_string_equal(all, ".hidden cpu1 cpu10 cpu2 ");
	all[0] = '\0';
	assert_int_equal(nf_rootfs_list(&t->r, "", collect, all, &e), 0);
	assert_string_equal(all, "sys ");
	assert_int_equal(nf_rootfs_list(&t->r, "none", collect, all, &e), -NF_ENODATA);
	assert_int_equal(nf_rootfs_list(&t->r, "sys/z", collect, all, &e), -NF_ENODATA);
}

static void a_pipe_in_a_captured_tree_does_not_block(void **state)
{
	struct tree *t = *state;
	const char *s = NULL;
	char path[200];

	snprintf(path, sizeof(path), "%s/sys/fifo", t->dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(nf_rootfs_read_line(&t->r, "sys/fifo", &t->a, &s, NULL), 0);
	assert_string_equal(s, "");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_live_host_has_a_kernel_release),
#define T(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
	T(a_line_is_the_first_without_its_end),
	T(numbers_are_whole_lines),
	T(a_list_file_is_a_set),
	T(absent_is_no_data_and_anything_else_a_failure),
	T(links_of_a_captured_tree_stay_inside_it),
	T(a_links_last_component_is_its_name),
	T(entries_come_in_byte_order_until_told_to_stop),
	T(a_pipe_in_a_captured_tree_does_not_block),
};

NF_UNIT_MAIN(tests)
