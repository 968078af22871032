/* SPDX-License-Identifier: MIT */
#include "record/runfolder.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/sysio.h"
#include "record/filelist.h"

enum {
	CLASHES_MAX = 999, /* runs of one host and tag within a second */
	PART_MAX = 64, /* bytes of host or tag that go into the name */
	MANIFEST_MAX = 16 << 20,
};
static const char scratch[] = ".reserve.tmp";

struct nf_runfolder {
	char *path;
	char *name; /* points into path */
	int fd;
	int samples_fd;
	int uid, gid; /* -1: leave the owner */
	bool committed;
};

/* "a b/c" -> "a_b_c"; cut at PART_MAX. */
static void add_part(struct nf_buf *b, const char *s)
{
	for (size_t i = 0; i < PART_MAX && s[i]; i++) {
		bool ok =
		        strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-",
		               s[i]) != NULL;

		nf_buf_addc(b, ok ? s[i] : '_');
	}
}

static int give_away(const struct nf_runfolder *r, int fd, const char *what, struct nf_err *err)
{
	if (r->uid == -1)
		return 0;
	if (fchown(fd, (uid_t)r->uid, (gid_t)r->gid) < 0)
		return nf_fail_os(err, errno, "cannot give %s to user %d", what, r->uid);
	return 0;
}

/* Proves that reserve_bytes can be written here, now. */
static int prove_room(int fd, const char *path, uint64_t reserve_bytes, struct nf_err *err)
{
	static const char block[4096] = { 0 };
	int64_t want = reserve_bytes > INT64_MAX ? INT64_MAX : (int64_t)reserve_bytes;
	int f = openat(fd, scratch, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	int rc = 0;

	if (f < 0)
		return nf_fail_os(err, errno, "cannot write to %s", path);
	/* A block that is really written: some file systems grant room that they do not have. */
	rc = nf_write_all(f, block, sizeof(block), path, err);
	if (rc == 0 && want > 0 && fallocate(f, 0, 0, want) < 0) {
		int e = errno;
		struct statvfs vfs;

		if (e != EOPNOTSUPP && e != ENOSYS && e != EINTR)
			rc = nf_fail_os(err, e, "cannot reserve %lld bytes in %s", (long long)want,
			                path);
		else if (fstatvfs(f, &vfs) < 0)
			rc = nf_fail_os(err, errno, "cannot ask for the free space of %s", path);
		else if ((uint64_t)want / vfs.f_frsize >= vfs.f_bavail)
			rc = nf_fail_os(err, ENOSPC, "cannot reserve %lld bytes in %s",
			                (long long)want, path);
	}
	if (close(f) < 0 && rc == 0)
		rc = nf_fail_os(err, errno, "cannot write to %s", path);
	if (unlinkat(fd, scratch, 0) < 0 && rc == 0)
		rc = nf_fail_os(err, errno, "cannot remove %s/%s", path, scratch);
	return rc;
}

static int make_folder(int runs_fd, struct nf_buf *path, size_t base_len, size_t name_at,
                       struct nf_err *err)
{
	for (int i = 1; i <= CLASHES_MAX; i++) {
		if (i > 1) {
			path->len_bytes = base_len;
			path->data[base_len] = '\0';
			nf_buf_addf(path, "-%d", i);
		}
		int rc = nf_buf_failed(path, "the run folder's name", err);
		if (rc != 0)
			return rc;
		if (mkdirat(runs_fd, path->data + name_at, 0700) == 0)
			return 0;
		if (errno != EEXIST)
			return nf_fail_os(err, errno, "cannot make %s", path->data);
	}
	return nf_fail(err, NF_EEXIST, "%s and %d more exist", path->data, CLASHES_MAX - 1);
}

/* Stores the entry of a folder that was made in its own parent. */
static int store_entry(const char *dir, struct nf_err *err)
{
	char *copy = strdup(dir);
	int rc = 0;

	if (!copy)
		return nf_fail_nomem(err, dir, strlen(dir) + 1);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fsync(fd) < 0)
		rc = nf_fail_os(err, errno, "cannot store %s", dir);
	if (fd >= 0)
		close(fd);
	free(copy);
	return rc;
}

/* Opens runs_dir, making it if it is absent. */
static int open_runs(const char *runs_dir, const struct nf_runfolder *r, bool *ret_made,
                     int *ret_fd, struct nf_err *err)
{
	bool made = mkdir(runs_dir, 0755) == 0;
	int rc = 0;

	if (!made && errno != EEXIST)
		return nf_fail_os(err, errno, "cannot make %s", runs_dir);
	int fd = open(runs_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && (errno == ENOENT || errno == ELOOP))
		rc = nf_fail(err, NF_EARG,
		             "%s is a link that leads to no folder; allowed: a folder, or a "
		             "new name in one",
		             runs_dir);
	else if (fd < 0)
		rc = nf_fail_os(err, errno, "cannot open %s", runs_dir);
	else if (made)
		rc = give_away(r, fd, runs_dir, err);
	if (rc == 0 && made)
		rc = store_entry(runs_dir, err);
	if (rc != 0) {
		if (fd >= 0)
			close(fd);
		if (made)
			rmdir(runs_dir);
		return rc;
	}
	*ret_made = made;
	*ret_fd = fd;
	return 0;
}

/* Opens a sub-folder, making it if it is absent. The descriptor or a negated code. */
static int sub_folder(const struct nf_runfolder *r, int at, const char *name, struct nf_err *err)
{
	bool made = mkdirat(at, name, 0700) == 0;

	if (!made && errno != EEXIST)
		return nf_fail_os(err, errno, "cannot make %s in %s", name, r->path);
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot open %s in %s", name, r->path);
	int rc = made ? give_away(r, fd, name, err) : 0;
	if (rc != 0) {
		close(fd);
		return rc;
	}
	return fd;
}

int nf_runfolder_create(const char *runs_dir, struct nf_instant utc, const char *host,
                        const char *tag, int uid, int gid, uint64_t reserve_bytes,
                        struct nf_runfolder **ret, struct nf_err *err)
{
	struct nf_runfolder *r = NULL;
	struct nf_buf path;
	bool made_runs = false, made = false;
	int runs_fd = -1, rc;
	size_t name_at;

	nf_buf_init(&path, NF_FILELIST_PATH * 4);
	nf_buf_addf(&path, "%s/", runs_dir);
	name_at = path.len_bytes;
	nf_utc_print_compact(utc, &path);
	nf_buf_addc(&path, '-');
	add_part(&path, host && *host ? host : "host");
	if (tag && *tag) {
		nf_buf_addc(&path, '-');
		add_part(&path, tag);
	}
	rc = nf_buf_failed(&path, "the run folder's name", err);
	if (rc != 0)
		goto out;
	r = calloc(1, sizeof(*r));
	if (!r) {
		rc = nf_fail_nomem(err, "run folder", sizeof(*r));
		goto out;
	}
	*r = (struct nf_runfolder){ .fd = -1, .samples_fd = -1, .uid = uid, .gid = gid };
	rc = open_runs(runs_dir, r, &made_runs, &runs_fd, err);
	if (rc == 0)
		rc = make_folder(runs_fd, &path, path.len_bytes, name_at, err);
	if (rc != 0)
		goto out;
	made = true;
	r->path = strdup(path.data);
	if (!r->path) {
		rc = nf_fail_nomem(err, "run folder", path.len_bytes + 1);
		goto out;
	}
	r->name = r->path + name_at;
	r->fd = openat(runs_fd, r->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (r->fd < 0) {
		rc = nf_fail_os(err, errno, "cannot open %s", r->path);
		goto out;
	}
	rc = give_away(r, r->fd, r->path, err);
	if (rc == 0)
		rc = prove_room(r->fd, r->path, reserve_bytes, err);
	if (rc == 0) {
		r->samples_fd = sub_folder(r, r->fd, "samples", err);
		rc = r->samples_fd < 0 ? r->samples_fd : 0;
	}
	if (rc == 0 && (fsync(r->fd) < 0 || fsync(runs_fd) < 0))
		rc = nf_fail_os(err, errno, "cannot store %s", r->path);
out:
	if (rc != 0) {
		if (made && r && r->fd >= 0) {
			unlinkat(r->fd, scratch, 0);
			unlinkat(r->fd, "samples", AT_REMOVEDIR);
		}
		if (made)
			unlinkat(runs_fd, path.data + name_at, AT_REMOVEDIR);
		if (made_runs)
			rmdir(runs_dir);
		nf_runfolder_free(r);
	}
	if (runs_fd >= 0)
		close(runs_fd);
	nf_buf_fini(&path);
	if (rc == 0)
		*ret = r;
	return rc;
}

const char *nf_runfolder_path(const struct nf_runfolder *r)
{
	return r->path;
}

const char *nf_runfolder_name(const struct nf_runfolder *r)
{
	return r->name;
}

int nf_runfolder_samples_fd(const struct nf_runfolder *r)
{
	return r->samples_fd;
}

/* Opens the folder that a safe path lies in, making those on the way. *ret_base: its last part. */
static int open_parent(const struct nf_runfolder *r, const char *path, const char **ret_base,
                       struct nf_err *err)
{
	char part[NF_FILELIST_PATH];
	int at = fcntl(r->fd, F_DUPFD_CLOEXEC, 0);

	if (at < 0)
		return nf_fail_os(err, errno, "cannot open %s", r->path);
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(path, '/')) {
		size_t len = (size_t)(slash - path);

		memcpy(part, path, len);
		part[len] = '\0';
		int fd = sub_folder(r, at, part, err);
		close(at);
		if (fd < 0)
			return fd;
		at = fd;
		path = slash + 1;
	}
	*ret_base = path;
	return at;
}

int nf_runfolder_put(struct nf_runfolder *r, const char *name, const void *data, size_t len_bytes,
                     struct nf_err *err)
{
	const char *base;

	if (!nf_path_is_safe(name) || strcmp(name, "MANIFEST") == 0)
		return nf_fail(err, NF_EARG, "'%s' is no name for a file in a run folder", name);
	if (r->committed && strncmp(name, "derived/", strlen("derived/")) != 0)
		return nf_fail(err, NF_EARG, "%s is committed: only derived/ may grow", r->path);
	int at = open_parent(r, name, &base, err);
	if (at < 0)
		return at;
	int rc = nf_write_file_atomic_as(at, base, data, len_bytes, 0600, r->uid, r->gid, err);
	close(at);
	return rc;
}

int nf_runfolder_make(const struct nf_runfolder *r, const char *name, int *ret_fd,
                      struct nf_err *err)
{
	const char *base;

	if (!nf_path_is_safe(name))
		return nf_fail(err, NF_EARG, "'%s' is no name for a folder in a run folder", name);
	int at = open_parent(r, name, &base, err);
	if (at < 0)
		return at;
	int rc = 0, fd = -1;
	if (mkdirat(at, base, 0700) < 0)
		rc = errno == EEXIST
		             ? nf_fail(err, NF_EEXIST, "%s/%s is there", r->path, name)
		             : nf_fail_os(err, errno, "cannot make %s in %s", name, r->path);
	if (rc == 0) {
		fd = openat(at, base, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		rc = fd < 0 ? nf_fail_os(err, errno, "cannot open %s in %s", name, r->path)
		            : give_away(r, fd, name, err);
	}
	if (rc == 0 && fsync(at) < 0)
		rc = nf_fail_os(err, errno, "cannot store %s in %s", name, r->path);
	close(at);
	if (rc < 0 && fd >= 0)
		close(fd);
	if (rc == 0)
		*ret_fd = fd;
	return rc;
}

int nf_runfolder_give(const struct nf_runfolder *r, const char *name, struct nf_err *err)
{
	if (!nf_path_is_safe(name))
		return nf_fail(err, NF_EARG, "'%s' is no name for a file in a run folder", name);
	if (r->uid == -1)
		return 0;
	int fd = nf_open_below(r->fd, name, O_RDONLY);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot open %s in %s", name, r->path);
	int rc = give_away(r, fd, name, err);
	close(fd);
	return rc;
}

int nf_runfolder_digest(const struct nf_runfolder *r, const char *name, char ret_hex[65],
                        struct nf_err *err)
{
	if (!nf_path_is_safe(name))
		return nf_fail(err, NF_EARG, "'%s' is no name for a file in a run folder", name);
	int fd = nf_open_below(r->fd, name, O_RDONLY);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot open %s in %s", name, r->path);
	int rc = nf_sha256_fd(fd, name, ret_hex, err);
	close(fd);
	return rc;
}

/* One line of MANIFEST. What others wrote here (sample writers) has its owner and reaches the disk. */
static int list_file(const struct nf_runfolder *r, const struct nf_file *f, struct nf_buf *manifest,
                     struct nf_err *err)
{
	char hex[NF_SHA256_HEX];

	if (!f->regular || !nf_path_is_safe(f->path))
		return nf_fail(err, NF_EDATA, "%s: '%s' is no plain file with a plain name",
		               r->path, f->path);
	int fd = nf_open_below(r->fd, f->path, O_RDONLY);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot open %s in %s", f->path, r->path);
	int rc = nf_sha256_fd(fd, f->path, hex, err);
	if (rc == 0)
		rc = give_away(r, fd, f->path, err);
	if (rc == 0 && fsync(fd) < 0)
		rc = nf_fail_os(err, errno, "cannot store %s in %s", f->path, r->path);
	close(fd);
	if (rc == 0)
		nf_buf_addf(manifest, "%s  %s\n", hex, f->path);
	return rc;
}

int nf_runfolder_commit(struct nf_runfolder *r, struct nf_err *err)
{
	struct nf_filelist files;
	struct nf_arena a;
	struct nf_buf manifest;
	int rc;

	if (r->committed)
		return nf_fail(err, NF_EARG, "%s is committed already", r->path);
	nf_arena_init(&a, 64 << 20);
	nf_buf_init(&manifest, MANIFEST_MAX);
	rc = nf_filelist_read(r->fd, "derived", &a, &files, err);
	for (size_t i = 0; rc == 0 && i < files.n; i++)
		rc = list_file(r, &files.file[i], &manifest, err);
	if (rc == 0)
		rc = nf_buf_failed(&manifest, "MANIFEST", err);
	if (rc == 0 && (fsync(r->samples_fd) < 0 || fsync(r->fd) < 0))
		rc = nf_fail_os(err, errno, "cannot store %s", r->path);
	if (rc == 0)
		rc = nf_write_file_atomic_as(r->fd, "MANIFEST", manifest.data, manifest.len_bytes,
		                             0600, r->uid, r->gid, err);
	if (rc == 0)
		r->committed = true;
	nf_buf_fini(&manifest);
	nf_arena_fini(&a);
	return rc;
}

void nf_runfolder_free(struct nf_runfolder *r)
{
	if (!r)
		return;
	if (r->samples_fd >= 0)
		close(r->samples_fd);
	if (r->fd >= 0)
		close(r->fd);
	free(r->path);
	free(r);
}
