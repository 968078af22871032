/* SPDX-License-Identifier: MIT */
#include "dhall/import_open.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sysio.h"

static bool failed_os(struct nf_dhall *d, int os_errno, const char *what)
{
	struct nf_err e = { 0 };

	/* A path that is not there, or no file to read, is the caller's mistake. */
	if (nf_errno_is_of_path(os_errno))
		(void)nf_fail(&e, NF_EARG, "%s: %s", what, strerror(os_errno));
	else
		(void)nf_fail_os(&e, os_errno, "%s", what);
	return nf_dhall_fail_err(d, &e);
}

const char *nf_dimport_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *copy_of(struct nf_dhall *d, const char *s)
{
	return nf_dstr_copy(d, s, strlen(s)).p;
}

const char *nf_dimport_folder(struct nf_dhall *d, const char *path)
{
	const char *base = nf_dimport_base(path);
	char folder[PATH_MAX], real[PATH_MAX];
	size_t n = (size_t)(base - path);

	if (n >= sizeof(folder)) {
		failed_os(d, ENAMETOOLONG, path);
		return NULL;
	}
	memcpy(folder, n ? path : ".", n ? n : 1);
	folder[n ? n : 1] = '\0';
	if (!realpath(folder, real)) {
		failed_os(d, errno, path);
		return NULL;
	}
	return copy_of(d, real);
}

static bool open_root(struct nf_dhall *d, const char *absolute)
{
	const char *copy = copy_of(d, absolute);
	int fd;

	if (!copy)
		return false;
	fd = open(absolute, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return failed_os(d, errno, absolute);
	if (d->root_fd >= 0)
		close(d->root_fd);
	d->root_fd = fd;
	d->root_path = copy;
	return true;
}

int nf_dhall_set_root(struct nf_dhall *d, const char *path, struct nf_err *err)
{
	char real[PATH_MAX];

	nf_dhall_begin(d);
	if (!realpath(path, real))
		failed_os(d, errno, path);
	else
		(void)open_root(d, real);
	return nf_dhall_end(d, err);
}

static bool holds(const char *folder, const char *name)
{
	char path[PATH_MAX];
	struct stat st;
	int n = snprintf(path, sizeof(path), "%s/%s", folder, name);

	return n > 0 && (size_t)n < sizeof(path) && lstat(path, &st) == 0;
}

/* Cuts the last component; "/" stays. */
static void to_parent(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		*(slash == path ? slash + 1 : slash) = '\0';
}

bool nf_dimport_choose_root(struct nf_dhall *d, const char *folder)
{
	char path[PATH_MAX];
	size_t len = strlen(folder);

	if (d->root_fd >= 0)
		return true;
	if (len >= sizeof(path))
		return failed_os(d, ENAMETOOLONG, folder);
	memcpy(path, folder, len + 1);
	while (!holds(path, ".git") && !holds(path, "MANIFEST")) {
		if (strcmp(path, "/") == 0) {
			memcpy(path, folder, len + 1);
			to_parent(path);
			break;
		}
		to_parent(path);
	}
	return open_root(d, path);
}

/* What follows the root in an absolute path; NULL: it is not below. */
static const char *below(const struct nf_dhall *d, const char *path)
{
	size_t n = strlen(d->root_path);

	if (strcmp(d->root_path, "/") == 0)
		return path + 1;
	if (strncmp(path, d->root_path, n) != 0 || path[n] != '/')
		return NULL;
	return path + n + 1;
}

const char *nf_dimport_join(struct nf_dhall *d, struct nf_dplace at, const char *folder,
                            const struct nf_dimport *m)
{
	char path[PATH_MAX] = "/";
	size_t n;

	if (m->scheme != NF_DS_ABSOLUTE) {
		n = strlen(folder);
		if (n >= sizeof(path))
			return nf_dhall_fail_at(d, at, "the path of the import is too long");
		memcpy(path, folder, n + 1);
		if (m->scheme == NF_DS_PARENT)
			to_parent(path);
	}
	for (size_t i = 0; i < m->n_parts; i++) {
		struct nf_dstr part = m->part[i];

		if (part.n == 0 || memchr(part.p, '/', part.n) || memchr(part.p, '\0', part.n))
			return nf_dhall_fail_at(d, at, "a component of the path is no file name");
		if (nf_dstr_is(part, "."))
			continue;
		if (nf_dstr_is(part, "..")) {
			to_parent(path);
			continue;
		}
		n = strlen(path);
		if (n + part.n + 2 > sizeof(path))
			return nf_dhall_fail_at(d, at, "the path of the import is too long");
		if (path[n - 1] != '/')
			path[n++] = '/';
		memcpy(path + n, part.p, part.n);
		path[n + part.n] = '\0';
	}
	if (!below(d, path))
		return nf_dhall_fail_at(d, at, "the import leaves the root %s (%s)", d->root_path,
		                        path);
	return copy_of(d, path);
}

/* openat2() where the kernel has it; else component by component, and links are refused. */
static int open_below(int root, const char *path)
{
	const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	struct open_how how = { .flags = (uint64_t)flags,
		                .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS };
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how)), next;
	char part[NAME_MAX + 1];

	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return fd;
	fd = dup(root);
	while (fd >= 0) {
		const char *slash = strchr(path, '/');
		size_t n = slash ? (size_t)(slash - path) : strlen(path);
		int saved;

		if (n >= sizeof(part)) {
			close(fd);
			errno = ENAMETOOLONG;
			return -1;
		}
		memcpy(part, path, n);
		part[n] = '\0';
		next = openat(fd, part,
		              slash ? O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
		                    : flags | O_NOFOLLOW);
		saved = errno;
		close(fd);
		errno = saved;
		fd = next;
		if (!slash)
			break;
		path = slash + 1;
	}
	return fd;
}

static bool read_all(struct nf_dhall *d, int fd, const char *path, struct nf_dstr *ret)
{
	struct nf_err e = { 0 };
	struct stat st;
	char *text;
	size_t n = 0, size;

	if (fstat(fd, &st) < 0)
		return failed_os(d, errno, path);
	if (!S_ISREG(st.st_mode)) {
		(void)nf_fail(&e, NF_EARG, "%s: not a regular file", path);
		return nf_dhall_fail_err(d, &e);
	}
	if (st.st_size > NF_DHALL_SOURCE_BYTES) {
		(void)nf_fail(&e, NF_EDATA, "%s: larger than %d bytes", path,
		              (int)NF_DHALL_SOURCE_BYTES);
		return nf_dhall_fail_err(d, &e);
	}
	size = (size_t)st.st_size;
	text = nf_dhall_alloc(d, size + 1, 1);
	if (!text)
		return false;
	/* What is added while it is read is left out. */
	while (n < size) {
		ssize_t got = read(fd, text + n, size - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return failed_os(d, errno, path);
		if (got == 0)
			break;
		n += (size_t)got;
	}
	*ret = (struct nf_dstr){ text, n };
	return true;
}

bool nf_dimport_read(struct nf_dhall *d, struct nf_dplace at, const char *path, bool below_root,
                     struct nf_dstr *ret)
{
	int fd = below_root ? open_below(d->root_fd, below(d, path))
	                    : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool fine;

	if (fd < 0 && below_root && errno == EXDEV)
		return nf_dhall_fail_at(d, at, "the import leaves the root %s by a link (%s)",
		                        d->root_path, path);
	if (fd < 0 && below_root &&
	    (errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP))
		return nf_dhall_fail_at(d, at, "cannot import %s: %s", path, strerror(errno));
	if (fd < 0)
		return failed_os(d, errno, path);
	fine = read_all(d, fd, path, ret);
	close(fd);
	return fine;
}
