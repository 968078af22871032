/* SPDX-License-Identifier: MIT */
/* Which processes belong to a command, and what they use, from made-up /proc and /sys. */
#include "bench/tree_memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/tree_cgroup.h"
#include "nf_unit.h"

static char root[] = "/tmp/nf-tree-XXXXXX";

static void put(const char *path, const char *text)
{
	char whole[512], dir[512];

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	for (char *p = whole + strlen(root) + 1; (p = strchr(p, '/')) != NULL; p++) {
		snprintf(dir, sizeof(dir), "%.*s", (int)(p - whole), whole);
		(void)mkdir(dir, 0755);
	}
	FILE *f = fopen(whole, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void process(int pid, const char *name, int parent, int group, int pss_kib)
{
	char path[64], text[200];

	snprintf(path, sizeof(path), "proc/%d/stat", pid);
	snprintf(text, sizeof(text), "%d (%s) S %d %d 1 0 -1\n", pid, name, parent, group);
	put(path, text);
	if (pss_kib < 0)
		return;
	snprintf(path, sizeof(path), "proc/%d/smaps_rollup", pid);
	snprintf(text, sizeof(text), "0-1 ---p 00000000 00:00 0 [rollup]\nRss: 9 kB\nPss: %d kB\n",
	         pss_kib);
	put(path, text);
}

static struct nf_tree_memory sampled(int leader)
{
	struct nf_tree_memory m;
	struct nf_err err = { 0 };
	char path[128];

	snprintf(path, sizeof(path), "%s/proc", root);
	int fd = open(path, O_RDONLY | O_DIRECTORY);
	assert_true(fd >= 0);
	nf_tree_memory_init(&m);
	assert_int_equal(nf_tree_memory_sample(&m, fd, leader, &err), 0);
	close(fd);
	return m;
}

static void group_and_descendants_belong(void **state)
{
	(void)state;
	process(100, "a", 1, 100, 1000);
	process(101, "b) S 1 100 (", 100, 100, 200); /* a name may look like fields */
	process(102, "own group", 101, 102, 30);
	process(103, "grandchild", 102, 103, 4);
	process(104, "left alone", 1, 100, 5);
	process(105, "stranger", 1, 105, 70000);
	process(99, "our own", 1, 99, 70000);
	struct nf_tree_memory m = sampled(100);
	assert_int_equal(m.method, NF_TREE_PSS);
	assert_int_equal((int)m.peak_bytes, 1239 * 1024);
	assert_true(m.step_ns >= 1000000 && m.step_ns <= 20000000);
	nf_tree_memory_fini(&m);
}

static void what_cannot_be_shared_out_counts_in_full(void **state)
{
	(void)state;
	process(200, "a", 1, 200, 100);
	process(201, "b", 200, 200, -1);
	put("proc/201/statm", "900 10 3 1 0 5 0\n");
	struct nf_tree_memory m = sampled(200);
	assert_int_equal(m.method, NF_TREE_RSS);
	assert_int_equal((long)m.peak_bytes, 100 * 1024 + 10 * sysconf(_SC_PAGESIZE));
	nf_tree_memory_fini(&m);
}

static void nothing_is_known_of_what_has_ended(void **state)
{
	(void)state;
	process(300, "zombie", 1, 300, -1);
	put("proc/300/smaps_rollup", "");
	put("proc/300/statm", "0 0 0 0 0 0 0\n");
	struct nf_tree_memory m = sampled(300);
	assert_int_equal(m.method, NF_TREE_UNKNOWN);
	assert_int_equal(m.samples, 0);
	nf_tree_memory_fini(&m);
	m = sampled(301);
	assert_int_equal(m.method, NF_TREE_UNKNOWN);
	nf_tree_memory_fini(&m);
}

static bool is_there(const char *path)
{
	char whole[512];

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	return access(whole, F_OK) == 0;
}

static void group_without_a_count_is_none_and_is_not_left(void **state)
{
	struct nf_tree_cgroup g;
	char name[128];
	double bytes;

	(void)state;
	assert_false(nf_tree_cgroup_make(root, &g)); /* no /proc/self/cgroup */
	put("proc/self/cgroup", "4:memory:/x\n");
	assert_false(nf_tree_cgroup_make(root, &g)); /* version 1 alone */
	put("proc/self/cgroup", "4:memory:/x\n0::/a/b\n");
	assert_false(nf_tree_cgroup_make(root, &g)); /* not mounted */
	put("sys/fs/cgroup/a/b/cgroup.subtree_control", "\n");
	put("sys/fs/cgroup/a/cgroup.subtree_control", "cpu memory pids\n");
	assert_false(nf_tree_cgroup_make(root, &g)); /* no memory.peak in the one that was made */
	assert_string_equal(g.path, "");
	snprintf(name, sizeof(name), "sys/fs/cgroup/a/noisefloor-%d", (int)getpid());
	assert_false(is_there(name));
	assert_false(nf_tree_cgroup_peak(&g, &bytes));
}

static void group_is_read_and_removed(void **state)
{
	struct nf_tree_cgroup g = { 0 };
	struct nf_err err = { 0 };
	double bytes = -1;

	(void)state;
	put("g/memory.peak", "0\n");
	snprintf(g.path, sizeof(g.path), "%s/g", root);
	assert_false(nf_tree_cgroup_peak(&g, &bytes)); /* nothing was in it */
	put("g/memory.peak", "123456\n");
	assert_true(nf_tree_cgroup_peak(&g, &bytes));
	assert_int_equal((int)bytes, 123456);
	/* A folder that holds files, which those of a kernel do not count as. */
	assert_int_equal(nf_tree_cgroup_remove(&g, &err), -NF_EOS);
	assert_non_null(strstr(err.msg, "/g'"));
	put("empty/x/y", "");
	snprintf(g.path, sizeof(g.path), "%s/empty/x/y", root);
	assert_int_equal(unlink(g.path), 0);
	*strrchr(g.path, '/') = '\0';
	assert_int_equal(nf_tree_cgroup_remove(&g, &err), 0);
	assert_false(is_there("empty/x"));
	assert_int_equal(nf_tree_cgroup_remove(&g, &err), 0);
}

static int make_root(void **state)
{
	(void)state;
	return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
	char text[100];

	(void)state;
	snprintf(text, sizeof(text), "rm -rf %s", root);
	return system(text);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(group_and_descendants_belong),
	cmocka_unit_test(what_cannot_be_shared_out_counts_in_full),
	cmocka_unit_test(nothing_is_known_of_what_has_ended),
	cmocka_unit_test(group_without_a_count_is_none_and_is_not_left),
	cmocka_unit_test(group_is_read_and_removed),
};
NF_UNIT_MAIN_WITH(tests, make_root, remove_root)
