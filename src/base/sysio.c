/* SPDX-License-Identifier: MIT */
#include "base/sysio.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int nf_write_all(int fd, const void *data, size_t len_bytes, const char *what, struct nf_err *err)
{
	const char *p = data;

	while (len_bytes) {
		ssize_t n = write(fd, p, len_bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return nf_fail_os(err, errno, "cannot write %s", what);
		if (n == 0)
			return nf_fail_os(err, EIO, "cannot write %s: nothing was taken", what);
		p += n;
		len_bytes -= (size_t)n;
	}
	return 0;
}

bool nf_errno_is_of_path(int e)
{
	return e == ENOENT || e == ENOTDIR || e == ELOOP || e == ENAMETOOLONG || e == EACCES ||
	       e == ENXIO;
}

static const char *kind_of(mode_t mode)
{
	return S_ISFIFO(mode)   ? "a FIFO or pipe"
	       : S_ISDIR(mode)  ? "a folder"
	       : S_ISSOCK(mode) ? "a socket"
	                        : "a device";
}

/* A pipe that this process was given has its other end already: opening it waits for nobody. */
static bool is_own_pipe(const char *path, const struct stat *st)
{
	return S_ISFIFO(st->st_mode) &&
	       (strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
	        strncmp(path, "/proc/self/fd/", 14) == 0);
}

int nf_open_input(const char *path, const char *allowed, struct nf_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), rc;
	struct stat st;

	if (fd < 0)
		return nf_fail(err, nf_errno_is_of_path(errno) ? NF_EARG : NF_EOS,
		               "%s: %s; allowed: %s", path, strerror(errno), allowed);
	if (fstat(fd, &st) < 0)
		rc = nf_fail_os(err, errno, "%s", path);
	else if (S_ISREG(st.st_mode))
		return fd;
	else if (is_own_pipe(path, &st) && fcntl(fd, F_SETFL, 0) == 0)
		return fd;
	else
		rc = nf_fail(err, NF_EARG, "%s: %s, no regular file; allowed: %s", path,
		             kind_of(st.st_mode), allowed);
	close(fd);
	return rc;
}

int nf_read_all(int fd, struct nf_buf *out, const char *what, struct nf_err *err)
{
	char chunk[16384];

	for (;;) {
		ssize_t n = read(fd, chunk, sizeof(chunk));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return nf_fail_os(err, errno, "cannot read %s", what);
		if (n == 0)
			return nf_buf_failed(out, what, err);
		if (nf_buf_add(out, chunk, (size_t)n) < 0)
			return nf_buf_failed(out, what, err);
	}
}

/* Creates a file of a new name beside name. The name is left in ret_tmp. */
static int create_tmp(int dirfd, const char *name, mode_t mode, char ret_tmp[NAME_MAX + 1],
                      struct nf_err *err)
{
	int fd, n;

	for (unsigned i = 0; i < 1000; i++) {
		n = snprintf(ret_tmp, NAME_MAX + 1, ".%s.%d.%u.tmp", name, (int)getpid(), i);
		if (n < 0 || n > NAME_MAX)
			return nf_fail_os(err, ENAMETOOLONG, "cannot create %s", name);
		fd = openat(dirfd, ret_tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		            mode);
		if (fd >= 0)
			return fd;
		if (errno != EEXIST && errno != EINTR)
			return nf_fail_os(err, errno, "cannot create %s", name);
	}
	return nf_fail_os(err, EEXIST, "cannot create a temporary file for %s", name);
}

/* Without replacing anything. */
static int put_in_place(int dirfd, const char *tmp, const char *name, struct nf_err *err)
{
	if (renameat2(dirfd, tmp, dirfd, name, RENAME_NOREPLACE) == 0)
		return 0;
	int e = errno;

	/* Some network file systems have no RENAME_NOREPLACE; a hard link does not replace either. */
	if (e == EINVAL && linkat(dirfd, tmp, dirfd, name, 0) == 0) {
		unlinkat(dirfd, tmp, 0);
		return 0;
	}
	if (e == EINVAL)
		e = errno;
	return e == EEXIST ? nf_fail(err, NF_EEXIST, "%s exists already", name)
	                   : nf_fail_os(err, e, "cannot rename %s into place", name);
}

static int put_over(int dirfd, const char *tmp, const char *name, struct nf_err *err)
{
	return renameat(dirfd, tmp, dirfd, name) == 0
	               ? 0
	               : nf_fail_os(err, errno, "cannot rename %s into place", name);
}

typedef int put_fn(int dirfd, const char *tmp, const char *name, struct nf_err *err);

static int write_file(int dirfd, const char *name, const void *data, size_t len_bytes, mode_t mode,
                      int uid, int gid, put_fn *put, struct nf_err *err)
{
	char tmp[NAME_MAX + 1];
	bool renamed = false;
	int fd, r;

	fd = create_tmp(dirfd, name, mode, tmp, err);
	if (fd < 0)
		return fd;
	r = uid != -1 && fchown(fd, (uid_t)uid, (gid_t)gid) < 0
	            ? nf_fail_os(err, errno, "cannot give %s to user %d", name, uid)
	            : nf_write_all(fd, data, len_bytes, name, err);
	if (r < 0)
		goto out;
	if (fsync(fd) < 0) {
		r = nf_fail_os(err, errno, "cannot store %s", name);
		goto out;
	}
	r = close(fd) < 0 ? nf_fail_os(err, errno, "cannot store %s", name) : 0;
	fd = -1; /* closed, whatever close() said */
	if (r == 0)
		r = put(dirfd, tmp, name, err);
	if (r < 0)
		goto out;
	renamed = true;
	if (fsync(dirfd) < 0)
		r = nf_fail_os(err, errno, "cannot store the folder of %s", name);

out:
	if (fd >= 0)
		close(fd);
	if (r < 0 && !renamed)
		unlinkat(dirfd, tmp, 0);
	else if (r < 0 && put == put_in_place)
		unlinkat(dirfd, name, 0);
	return r;
}

int nf_write_file_atomic(int dirfd, const char *name, const void *data, size_t len_bytes,
                         mode_t mode, struct nf_err *err)
{
	return write_file(dirfd, name, data, len_bytes, mode, -1, -1, put_in_place, err);
}

int nf_write_file_atomic_as(int dirfd, const char *name, const void *data, size_t len_bytes,
                            mode_t mode, int uid, int gid, struct nf_err *err)
{
	return write_file(dirfd, name, data, len_bytes, mode, uid, gid, put_in_place, err);
}

int nf_replace_file_atomic_as(int dirfd, const char *name, const void *data, size_t len_bytes,
                              mode_t mode, int uid, int gid, struct nf_err *err)
{
	return write_file(dirfd, name, data, len_bytes, mode, uid, gid, put_over, err);
}
