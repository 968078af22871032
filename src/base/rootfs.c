/* SPDX-License-Identifier: MIT */
#include "base/rootfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sysio.h"

enum {
	LINE_MAX_BYTES = 1 << 20, /* a kernel's CPU list or command line is far below */
	NAMES_MAX_BYTES = 64 << 20,
	NAMES_MAX = 1 << 20,
	LINKS_MAX = 40, /* as in the kernel */
};

int nf_rootfs_open(struct nf_rootfs *r, const char *path, struct nf_err *err)
{
	bool live = !path || strcmp(path, "/") == 0;
	const char *p = live ? "/" : path;
	int fd = open(p, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			return nf_fail(err, NF_ENODATA, "no folder %s", p);
		return nf_fail_os(err, errno, "cannot open the folder %s", p);
	}
	r->dirfd = fd;
	r->live = live;
	snprintf(r->path, sizeof(r->path), "%s", live ? "" : path);
	return 0;
}

void nf_rootfs_close(struct nf_rootfs *r)
{
	if (r->dirfd >= 0)
		close(r->dirfd);
	r->dirfd = -1;
}

/* Appends "/" and n bytes to a path of PATH_MAX bytes; -1 with ENAMETOOLONG. */
static int path_push(char *path, const char *part, size_t n)
{
	size_t len = strlen(path);

	if (len + 1 + n >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (len > 0)
		path[len++] = '/';
	memcpy(path + len, part, n);
	path[len + n] = '\0';
	return 0;
}

static void path_pop(char *path)
{
	char *slash = strrchr(path, '/');

	*(slash ? slash : path) = '\0';
}

/* What RESOLVE_IN_ROOT does, for kernels before Linux 5.6 and for valgrind, which have no openat2:
 * links are followed here, so that none leads out of a captured tree. Nobody changes such a tree
 * meanwhile. */
static int open_below_by_hand(const struct nf_rootfs *r, const char *path, int flags)
{
	char done[PATH_MAX] = "", todo[PATH_MAX], target[PATH_MAX];
	int links = 0;

	if (strlen(path) >= sizeof(todo)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(todo, path, strlen(path) + 1);
	for (char *p = todo; *(p += strspn(p, "/"));) {
		size_t n = strcspn(p, "/");
		bool last = p[n + strspn(p + n, "/")] == '\0';
		ssize_t len;

		if (n == 2 && memcmp(p, "..", 2) == 0) {
			path_pop(done);
			p += n;
			continue;
		}
		if (n == 1 && *p == '.') {
			p += n;
			continue;
		}
		if (path_push(done, p, n) < 0)
			return -1;
		p += n;
		if (last && (flags & O_NOFOLLOW))
			break;
		len = readlinkat(r->dirfd, done, target, sizeof(target) - 1);
		if (len < 0 && errno != EINVAL) /* EINVAL: not a link */
			return -1;
		if (len < 0)
			continue;
		target[len] = '\0';
		if (++links > LINKS_MAX) {
			errno = ELOOP;
			return -1;
		}
		path_pop(done);
		if (target[0] == '/')
			done[0] = '\0';
		if (path_push(target, p, strlen(p)) < 0)
			return -1;
		memcpy(todo, target, strlen(target) + 1);
		p = todo;
	}
	return openat(r->dirfd, *done ? done : ".", flags | O_NOFOLLOW | O_CLOEXEC);
}

/* openat() below the root; -1 with errno. */
static int open_below(const struct nf_rootfs *r, const char *path, int flags)
{
	struct open_how how = { .flags = (unsigned)flags | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	int fd;

	if (path[0] == '/') {
		errno = EINVAL;
		return -1;
	}
	if (r->live)
		return openat(r->dirfd, path, flags | O_CLOEXEC);
	fd = (int)syscall(SYS_openat2, r->dirfd, path, &how, sizeof(how));
	/* Old seccomp profiles answer EPERM to calls that they do not know. */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return open_below_by_hand(r, path, flags);
	return fd;
}

static int fail_open(const struct nf_rootfs *r, const char *path, struct nf_err *err)
{
	if (errno == ENOENT || errno == ENOTDIR)
		return nf_fail(err, NF_ENODATA, "%s/%s is absent", r->path, path);
	return nf_fail_os(err, errno, "cannot read %s/%s", r->path, path);
}

int nf_rootfs_read(const struct nf_rootfs *r, const char *path, struct nf_buf *out,
                   struct nf_err *err)
{
	char what[PATH_MAX];
	int fd, ret;

	/* O_NONBLOCK: a FIFO in a captured tree must not block. */
	fd = open_below(r, path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return fail_open(r, path, err);
	snprintf(what, sizeof(what), "%s/%s", r->path, path);
	ret = nf_read_all(fd, out, what, err);
	close(fd);
	return ret;
}

/* The first line in b, shortened in place. */
static const char *first_line(struct nf_buf *b)
{
	size_t n = strcspn(b->data, "\n");

	while (n > 0 && strchr(" \t\r\v\f", b->data[n - 1]))
		n--;
	if (b->len_bytes)
		b->data[n] = '\0';
	return b->data;
}

int nf_rootfs_read_line(const struct nf_rootfs *r, const char *path, struct nf_arena *a,
                        const char **ret, struct nf_err *err)
{
	struct nf_buf b;
	char *s;
	int res;

	nf_buf_init(&b, LINE_MAX_BYTES);
	res = nf_rootfs_read(r, path, &b, err);
	if (res < 0)
		goto out;
	s = nf_arena_strdup(a, first_line(&b));
	if (!s)
		res = nf_arena_failed(a, path, err);
	else
		*ret = s;

out:
	nf_buf_fini(&b);
	return res;
}

int nf_rootfs_read_i64(const struct nf_rootfs *r, const char *path, int64_t *ret,
                       struct nf_err *err)
{
	struct nf_buf b;
	const char *s, *d;
	char *end;
	long long v;
	int res;

	nf_buf_init(&b, LINE_MAX_BYTES);
	res = nf_rootfs_read(r, path, &b, err);
	if (res < 0)
		goto out;
	s = first_line(&b);
	s += strspn(s, " \t");
	d = s + (*s == '-');
	errno = 0;
	v = strtoll(s, &end, 10);
	if (*d < '0' || *d > '9' || *end || errno)
		res = nf_fail(err, NF_EDATA, "%s/%s: '%.100s' is not a number%s", r->path, path, s,
		              errno == ERANGE ? " of 64 bits" : "");
	else
		*ret = v;

out:
	nf_buf_fini(&b);
	return res;
}

int nf_rootfs_read_cpulist(const struct nf_rootfs *r, const char *path, struct nf_cpuset *ret,
                           struct nf_err *err)
{
	struct nf_err why = { 0 };
	struct nf_buf b;
	int res;

	nf_buf_init(&b, LINE_MAX_BYTES);
	res = nf_rootfs_read(r, path, &b, err);
	if (res < 0)
		goto out;
	res = nf_cpuset_parse(first_line(&b), true, ret, &why);
	if (res == -NF_EARG)
		res = nf_fail(err, NF_EDATA, "%s/%s: %.300s", r->path, path, why.msg);
	else if (res < 0 && err)
		*err = why;

out:
	nf_buf_fini(&b);
	return res;
}

bool nf_rootfs_exists(const struct nf_rootfs *r, const char *path)
{
	int fd = open_below(r, path, O_PATH);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* All names in d but . and .., unsorted; *ret is a heap array of strings of the arena. */
static int collect(DIR *d, const char *what, struct nf_arena *a, const char ***ret, size_t *ret_n,
                   struct nf_err *err)
{
	const char **names = NULL, **p;
	size_t n = 0, cap = 0;
	struct dirent *e;
	int r;

	while (errno = 0, (e = readdir(d))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (n == cap) {
			cap = cap ? 2 * cap : 64;
			if (cap > NAMES_MAX) {
				r = nf_fail(err, NF_EDATA, "%s holds more than %d entries", what,
				            NAMES_MAX);
				goto out;
			}
			p = realloc(names, cap * sizeof(*names));
			if (!p) {
				r = nf_fail_nomem(err, what, cap * sizeof(*names));
				goto out;
			}
			names = p;
		}
		names[n] = nf_arena_strdup(a, e->d_name);
		if (!names[n++]) {
			r = nf_arena_failed(a, what, err);
			goto out;
		}
	}
	if (errno) {
		r = nf_fail_os(err, errno, "cannot list %s", what);
		goto out;
	}
	*ret = names;
	*ret_n = n;
	return 0;

out:
	free(names);
	return r;
}

int nf_rootfs_list(const struct nf_rootfs *r, const char *path, nf_rootfs_entry_fn *fn, void *ctx,
                   struct nf_err *err)
{
	char what[PATH_MAX];
	const char **names = NULL;
	struct nf_arena a;
	size_t n = 0;
	DIR *d;
	int fd, res;

	fd = open_below(r, *path ? path : ".", O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fail_open(r, path, err);
	snprintf(what, sizeof(what), "%s/%s", r->path, path);
	nf_arena_init(&a, NAMES_MAX_BYTES);
	d = fdopendir(fd);
	if (!d) {
		res = nf_fail_os(err, errno, "cannot list %s", what);
		close(fd);
		goto out;
	}
	res = collect(d, what, &a, &names, &n, err);
	closedir(d);
	if (res < 0)
		goto out;
	if (n)
		qsort(names, n, sizeof(*names), by_bytes);
	for (size_t i = 0; i < n && res == 0; i++)
		res = fn(ctx, names[i]);

out:
	free(names);
	nf_arena_fini(&a);
	return res;
}

int nf_rootfs_readlink_base(const struct nf_rootfs *r, const char *path, struct nf_arena *a,
                            const char **ret, struct nf_err *err)
{
	char target[PATH_MAX];
	const char *slash;
	char *s;
	ssize_t n;
	int fd, res = 0;

	fd = open_below(r, path, O_PATH | O_NOFOLLOW);
	if (fd < 0)
		return fail_open(r, path, err);
	n = readlinkat(fd, "", target, sizeof(target) - 1);
	if (n < 0 && (errno == EINVAL || errno == ENOENT)) {
		res = nf_fail(err, NF_EDATA, "%s/%s is not a symbolic link", r->path, path);
		goto out;
	}
	if (n < 0) {
		res = nf_fail_os(err, errno, "cannot read the link %s/%s", r->path, path);
		goto out;
	}
	while (n > 1 && target[n - 1] == '/')
		n--;
	target[n] = '\0';
	slash = strrchr(target, '/');
	s = nf_arena_strdup(a, slash ? slash + 1 : target);
	if (!s)
		res = nf_arena_failed(a, path, err);
	else
		*ret = s;

out:
	close(fd);
	return res;
}
