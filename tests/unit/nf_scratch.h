/* SPDX-License-Identifier: MIT */
/* nf_scratch - a folder of a test's own below $TMPDIR (or /tmp), and small files in it. Everything
 * that fails here fails the test. */
#ifndef NF_SCRATCH_H
#define NF_SCRATCH_H

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nf_unit.h"

static inline void nf_scratch_make(char *ret, size_t cap)
{
	const char *tmp = getenv("TMPDIR");
	int n = snprintf(ret, cap, "%s/nf-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");

	assert_true(n > 0 && (size_t)n < cap);
	assert_non_null(mkdtemp(ret));
}

static inline void nf_scratch_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0)
		fail_msg("cannot write %s", path);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* The whole file as a string; it has to fit. */
static inline void nf_scratch_read(const char *path, char *ret, size_t cap)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n;

	if (fd < 0)
		fail_msg("cannot read %s", path);
	while ((n = read(fd, ret + len, cap - len)) > 0)
		len += (size_t)n;
	assert_int_equal(n, 0);
	assert_true(len < cap);
	ret[len] = '\0';
	close(fd);
}

/* The folder with everything in it; symbolic links are not followed. */
static inline void nf_scratch_remove_at(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct dirent *e;
	DIR *d;

	if (fd >= 0) {
		d = fdopendir(fd);
		assert_non_null(d);
		while ((e = readdir(d)))
			if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
				nf_scratch_remove_at(dirfd(d), e->d_name);
		closedir(d);
	}
	assert_int_equal(unlinkat(dir, name, fd >= 0 ? AT_REMOVEDIR : 0), 0);
}

static inline void nf_scratch_remove(const char *path)
{
	nf_scratch_remove_at(AT_FDCWD, path);
}

#endif
