/* SPDX-License-Identifier: MIT */
#include "remote/receive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/sysio.h"

enum { DEPTH = 4, REMOVE_DEPTH = 16, NAMES = 99 };
static const struct nf_tar_limits LIMITS = { .bytes = UINT64_C(1) << 30,
	                                     .entries = 4096,
	                                     .depth = DEPTH };

static int cannot(const char *path, int os_errno, struct nf_err *err)
{
	char quoted[NF_QUOTED];

	nf_quote(path, quoted);
	if (os_errno == EEXIST)
		return nf_fail(err, NF_EDATA, "what came back is not taken: %s comes twice",
		               quoted);
	return nf_fail_os(err, os_errno, "cannot keep what came back: %s", quoted);
}

static int on_folder(void *ctx, const char *path, struct nf_err *err)
{
	struct nf_receive *r = ctx;

	if (mkdirat(r->dir_fd, path, 0700) < 0)
		return cannot(path, errno, err);
	if (r->uid >= 0 &&
	    fchownat(r->dir_fd, path, (uid_t)r->uid, (gid_t)r->gid, AT_SYMLINK_NOFOLLOW) < 0)
		return cannot(path, errno, err);
	return 0;
}

static int on_file(void *ctx, const char *path, uint64_t size_bytes, struct nf_err *err)
{
	struct nf_receive *r = ctx;

	(void)size_bytes;
	r->fd = openat(r->dir_fd, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (r->fd < 0)
		return cannot(path, errno, err);
	if (r->uid >= 0 && fchown(r->fd, (uid_t)r->uid, (gid_t)r->gid) < 0)
		return cannot(path, errno, err);
	return 0;
}

static int on_data(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	struct nf_receive *r = ctx;

	return nf_write_all(r->fd, data, len_bytes, "what came back", err);
}

static int on_file_end(void *ctx, struct nf_err *err)
{
	struct nf_receive *r = ctx;
	int e = fsync(r->fd) < 0 && errno != EINVAL ? errno : 0;

	if (close(r->fd) < 0 && e == 0)
		e = errno;
	r->fd = -1;
	return e ? nf_fail_os(err, e, "cannot keep what came back") : 0;
}

void nf_receive_init(struct nf_receive *r, int dir_fd, int uid, int gid)
{
	const struct nf_tar_events on = { r, on_folder, on_file, on_data, on_file_end };

	*r = (struct nf_receive){ .dir_fd = dir_fd, .fd = -1, .uid = uid, .gid = gid };
	nf_tar_init(&r->tar, &on, &LIMITS);
}

int nf_receive_feed(struct nf_receive *r, const void *data, size_t len_bytes, struct nf_err *err)
{
	return nf_tar_feed(&r->tar, data, len_bytes, err);
}

int nf_receive_finish(struct nf_receive *r, struct nf_err *err)
{
	return nf_tar_finish(&r->tar, err);
}

void nf_receive_fini(struct nf_receive *r)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}

static void remove_in(int parent_fd, const char *name, int depth)
{
	int fd = depth > 0
	                 ? openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
	                 : -1;
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;

	if (!d) {
		if (fd >= 0)
			close(fd);
		(void)unlinkat(parent_fd, name, 0);
		return;
	}
	while ((e = readdir(d)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			remove_in(dirfd(d), e->d_name, depth - 1);
	closedir(d);
	(void)unlinkat(parent_fd, name, AT_REMOVEDIR);
}

void nf_receive_remove(int parent_fd, const char *name)
{
	remove_in(parent_fd, name, REMOVE_DEPTH);
}

static int rename_new(int dir_fd, const char *from, const char *to)
{
	struct stat st;

	if (renameat2(dir_fd, from, dir_fd, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return errno;
	/* A file system without that: a folder with something in it is never replaced by rename(2). */
	if (fstatat(dir_fd, to, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return EEXIST;
	return renameat(dir_fd, from, dir_fd, to) == 0 ? 0 : errno;
}

int nf_receive_name(int parent_fd, const char *from, const char *name, char ret_name[NF_TAR_NAME],
                    struct nf_err *err)
{
	char to[NF_TAR_NAME];
	int e = EEXIST;

	for (int i = 1; i <= NAMES && (e == EEXIST || e == ENOTEMPTY); i++) {
		int n = i == 1 ? snprintf(to, sizeof(to), "%s", name)
		               : snprintf(to, sizeof(to), "%s-%d", name, i);

		if (n < 0 || (size_t)n >= sizeof(to))
			return nf_fail(err, NF_EDATA, "the name of what came back is too long");
		e = rename_new(parent_fd, from, to);
	}
	if (e != 0)
		return nf_fail_os(err, e, "cannot name what came back '%s'", name);
	memcpy(ret_name, to, strlen(to) + 1);
	return 0;
}
