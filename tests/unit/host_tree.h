/* SPDX-License-Identifier: MIT */
/* host_tree - captured hosts for tests, and trees that a test may change. */
#ifndef HOST_TREE_H
#define HOST_TREE_H

#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "nf_unit.h"

static inline void host_path(const char *name, char *ret, size_t len)
{
	const char *build = getenv("NF_BUILD");

	snprintf(ret, len, "%s/tests/fixtures/hosts/%s", build ? build : ".", name);
}

static inline void open_host(const char *name, struct nf_rootfs *ret)
{
	struct nf_err e = { 0 };
	char path[512];

	host_path(name, path, sizeof(path));
	if (nf_rootfs_open(ret, path, &e) != 0)
		fail_msg("%s: %s", name, e.msg);
}

static inline int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void remove_tree(const char *path)
{
	assert_int_equal(nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* A new folder in $TMPDIR or /tmp. */
static inline void make_tree(char *ret, size_t len)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(ret, len, "%s/nf-tree-XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(ret));
}

/* Writes tree/path, making its folders. */
static inline void put_bytes(const char *tree, const char *path, const void *data, size_t len_bytes)
{
	char full[1024];
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", tree, path);
	for (char *p = full + strlen(tree) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		if (mkdir(full, 0700) != 0)
			assert_int_equal(errno, EEXIST);
		*p = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, len_bytes, f), len_bytes);
	assert_int_equal(fclose(f), 0);
}

static inline void put(const char *tree, const char *path, const char *text)
{
	put_bytes(tree, path, text, strlen(text));
}

#endif
