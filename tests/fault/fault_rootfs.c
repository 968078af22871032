/* SPDX-License-Identifier: MIT */
/* Links in a captured tree stay inside it, with openat2 and without: the kernel's answers are the
 * expected values for the walk that replaces it. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "fault.h"
#include "nf_unit.h"

static const char *const paths[] = {
	"a/b/file",         "a/./b//file", "a/b/../b/file", "../../a/b/file",
	"a/down/file",      "absolute",    "upwards",       "chain",
	"a/down/../b/file", "loop",        "a/b/file/x",    "a/nothing",
	"outside",          "a/b",         "dangling",      "a/deep/../../absolute",
	"up-and-down",      "slash",       "slash/file",
};
enum { N_PATHS = sizeof(paths) / sizeof(paths[0]) };

static char folder[] = "/tmp/nf-rootfs-XXXXXX";
static struct nf_rootfs root;
static char expected[N_PATHS][32];

static void put_link(const char *path, const char *target)
{
	assert_int_equal(symlinkat(target, root.dirfd, path), 0);
}

static int make(void **state)
{
	int fd;

	(void)state;
	if (!mkdtemp(folder) || nf_rootfs_open(&root, folder, NULL) != 0)
		return -1;
	assert_int_equal(mkdirat(root.dirfd, "a", 0700), 0);
	assert_int_equal(mkdirat(root.dirfd, "a/b", 0700), 0);
	fd = openat(root.dirfd, "a/b/file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "here\n", 5), 5);
	close(fd);
	put_link("a/down", "b");
	put_link("a/deep", "./down/../down");
	put_link("absolute", "/a/b/file");
	put_link("upwards", "../../../../a/b/file");
	put_link("chain", "a/../absolute");
	put_link("loop", "loop");
	put_link("outside", "/etc/hostname");
	put_link("dangling", "a/none");
	put_link("up-and-down", "a/deep/../../chain");
	put_link("slash", "/a/down/");
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int clean(void **state)
{
	(void)state;
	nf_rootfs_close(&root);
	return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* "0 here", or the code and errno of the failure. */
static void answer(const char *path, char ret[32])
{
	struct nf_err e = { 0 };
	struct nf_buf text;
	int r;

	nf_buf_init(&text, 100);
	r = nf_rootfs_read(&root, path, &text, &e);
	if (r == 0)
		snprintf(ret, 32, "0 %.4s", text.data);
	else
		snprintf(ret, 32, "%d errno %d", r, e.os_errno);
	nf_buf_fini(&text);
}

static int read_all(void *ctx, struct nf_err *err)
{
	(void)ctx;
	for (size_t i = 0; i < N_PATHS; i++) {
		char got[32];

		answer(paths[i], got);
		if (strcmp(got, expected[i]) != 0)
			return nf_fail(err, NF_EDATA, "%s: %s instead of %s", paths[i], got,
			               expected[i]);
	}
	return 0;
}

static void must_succeed(void *ctx, int r)
{
	(void)ctx;
	assert_int_equal(r, 0);
}

static void links_stay_inside_the_tree_also_without_openat2(void **state)
{
	static const int errnos[] = { ENOSYS, EPERM };

	(void)state;
	for (size_t i = 0; i < N_PATHS; i++)
		answer(paths[i], expected[i]);
	assert_string_equal(expected[0], "0 here");
	assert_string_equal(expected[3], "0 here");
	assert_string_equal(expected[6], "0 here");
	assert_true(expected[12][0] == '-');
	for (size_t i = 0; i < 2; i++)
		fault_every(&(struct fault_subject){ .run = read_all,
		                                     .finish = must_succeed,
		                                     .only = "syscall",
		                                     .tolerates = "syscall",
		                                     .os_errno = errnos[i] },
		            NULL);
}

static int read_link(void *ctx, struct nf_err *err)
{
	struct nf_arena a;
	const char *base = NULL;
	int r;

	(void)ctx;
	nf_arena_init(&a, 4096);
	r = nf_rootfs_readlink_base(&root, "chain", &a, &base, err);
	if (r == 0 && strcmp(base, "absolute") != 0)
		r = nf_fail(err, NF_EDATA, "the link leads to %s", base);
	nf_arena_fini(&a);
	return r;
}

static void a_link_itself_is_read_also_without_openat2(void **state)
{
	(void)state;
	fault_every(&(struct fault_subject){ .run = read_link,
	                                     .finish = must_succeed,
	                                     .only = "syscall",
	                                     .tolerates = "syscall",
	                                     .os_errno = ENOSYS },
	            NULL);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(links_stay_inside_the_tree_also_without_openat2),
	cmocka_unit_test(a_link_itself_is_read_also_without_openat2),
};

static int all(void)
{
	return cmocka_run_group_tests(tests, make, clean);
}

int main(int argc, char **argv)
{
	return nf_unit_run(tests, sizeof(tests) / sizeof(tests[0]), argc, argv, all);
}
