/* SPDX-License-Identifier: MIT */
#include "record/filelist.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool nf_path_is_safe(const char *path)
{
	size_t parts = 1, start = 0, i;

	for (i = 0;; i++) {
		unsigned char c = (unsigned char)path[i];

		if (c != '\0' && (c < 0x20 || c == 0x7f || c == '\\'))
			return false;
		if (c != '/' && c != '\0')
			continue;
		size_t len = i - start;
		if (len == 0 || (len == 1 && path[start] == '.') ||
		    (len == 2 && path[start] == '.' && path[start + 1] == '.'))
			return false;
		if (c == '\0')
			break;
		start = i + 1;
		parts++;
	}
	return i < NF_FILELIST_PATH && parts <= NF_FILELIST_DEPTH;
}

int nf_open_below(int dirfd, const char *path, int flags)
{
	char part[NF_FILELIST_PATH];
	int at = dirfd;

	for (;;) {
		size_t len = strcspn(path, "/");
		bool last = path[len] == '\0';

		if (len >= sizeof(part)) {
			errno = ENAMETOOLONG;
			break;
		}
		memcpy(part, path, len);
		part[len] = '\0';
		int fd = openat(at, part,
		                O_NOFOLLOW | O_CLOEXEC | (last ? flags : O_RDONLY | O_DIRECTORY));
		int saved = errno;
		if (at != dirfd)
			close(at);
		errno = saved;
		if (fd < 0 || last)
			return fd;
		at = fd;
		path += len + 1;
	}
	int saved = errno;
	if (at != dirfd)
		close(at);
	errno = saved;
	return -1;
}

struct reader {
	struct nf_arena *a;
	struct nf_filelist list;
	size_t cap;
	struct nf_err *err;
};

static int add(struct reader *r, const char *path, bool regular)
{
	if (r->list.n == r->cap) {
		size_t cap = r->cap ? 2 * r->cap : 64;

		if (r->cap >= NF_FILELIST_MAX)
			return nf_fail(r->err, NF_EDATA, "more than %d files in one run folder",
			               NF_FILELIST_MAX);
		struct nf_file *more = nf_arena_alloc(r->a, cap, sizeof(*more));
		if (!more)
			return nf_arena_failed(r->a, "list of files", r->err);
		if (r->list.n > 0)
			memcpy(more, r->list.file, r->list.n * sizeof(*more));
		r->list.file = more;
		r->cap = cap;
	}
	r->list.file[r->list.n++] = (struct nf_file){ path, regular };
	return 0;
}

static int read_folder(struct reader *r, int fd, const char *prefix, const char *skip, int depth);

static int read_entry(struct reader *r, int fd, const char *prefix, const char *name,
                      const char *skip, int depth)
{
	struct stat st;
	const char *path = nf_arena_printf(r->a, "%s%s", prefix, name);

	if (!path)
		return nf_arena_failed(r->a, "list of files", r->err);
	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return nf_fail_os(r->err, errno, "cannot look at %s", path);
	if (!S_ISDIR(st.st_mode))
		return add(r, path, S_ISREG(st.st_mode));
	if (skip && strcmp(path, skip) == 0)
		return 0;
	if (depth >= NF_FILELIST_DEPTH)
		return nf_fail(r->err, NF_EDATA, "%s: folders nested deeper than %d", path,
		               NF_FILELIST_DEPTH);
	int sub = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (sub < 0)
		return nf_fail_os(r->err, errno, "cannot open %s", path);
	const char *below = nf_arena_printf(r->a, "%s/", path);
	if (!below) {
		close(sub);
		return nf_arena_failed(r->a, "list of files", r->err);
	}
	return read_folder(r, sub, below, skip, depth + 1);
}

/* Takes fd. */
static int read_folder(struct reader *r, int fd, const char *prefix, const char *skip, int depth)
{
	DIR *d = fdopendir(fd);
	int rc = 0;

	if (!d) {
		rc = nf_fail_os(r->err, errno, "cannot list %s",
		                *prefix ? prefix : "the run folder");
		close(fd);
		return rc;
	}
	while (rc == 0) {
		errno = 0;
		const struct dirent *e = readdir(d);
		if (!e) {
			if (errno != 0)
				rc = nf_fail_os(r->err, errno, "cannot list %s",
				                *prefix ? prefix : "the run folder");
			break;
		}
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			rc = read_entry(r, fd, prefix, e->d_name, skip, depth);
	}
	closedir(d);
	return rc;
}

static int by_path(const void *a, const void *b)
{
	const struct nf_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

int nf_filelist_read(int dirfd, const char *skip, struct nf_arena *a, struct nf_filelist *ret,
                     struct nf_err *err)
{
	struct reader r = { .a = a, .err = err };
	/* A descriptor of its own: one that is shared would share the position. */
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return nf_fail_os(err, errno, "cannot open the run folder");
	int rc = read_folder(&r, fd, "", skip, 1);
	if (rc != 0)
		return rc;
	if (r.list.n > 1)
		qsort(r.list.file, r.list.n, sizeof(*r.list.file), by_path);
	*ret = r.list;
	return 0;
}
