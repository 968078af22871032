/* SPDX-License-Identifier: MIT */
#include "lane/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysio.h"

/* --- a captured tree of the files that are needed --- */

static int make_folders(int root, const char *path, struct nf_err *err)
{
	char part[512];

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		size_t n = (size_t)(slash - path);

		if (n >= sizeof(part))
			return nf_fail(err, NF_EDATA, "the path %.100s... is too long", path);
		memcpy(part, path, n);
		part[n] = '\0';
		if (mkdirat(root, part, 0700) < 0 && errno != EEXIST)
			return nf_fail_os(err, errno, "cannot make a folder for %s", path);
	}
	return 0;
}

static int keep(int root, const char *path, const struct nf_buf *bytes, struct nf_err *err)
{
	int r = make_folders(root, path, err);

	if (r < 0)
		return r;
	int fd = openat(root, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 && errno == EEXIST)
		return 0; /* two lines ask for it */
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot keep a copy of %s", path);
	r = nf_write_all(fd, bytes->data, bytes->len_bytes, path, err);
	close(fd);
	return r;
}

/* A file that is not there is not copied; one that may not be read becomes a folder, which cannot be read either. */
static int copy(const struct nf_lane_host *h, int root, const char *path, struct nf_err *err)
{
	struct nf_err e = { 0 };
	struct nf_buf bytes;
	char full[600];

	snprintf(full, sizeof(full), "/%s", path);
	nf_buf_init(&bytes, NF_LANE_FILE_MAX_BYTES);
	int r = h->ops->read(h->ctx, full, &bytes, &e);
	if (r == 0) {
		r = keep(root, path, &bytes, err);
	} else if (r == -NF_ENODATA) {
		r = 0;
	} else if (r == -NF_EUNSUPPORTED || r == -NF_EDATA || r == -NF_EOS) {
		r = make_folders(root, path, err);
		if (r == 0 && mkdirat(root, path, 0700) < 0 && errno != EEXIST)
			r = nf_fail_os(err, errno, "cannot make a folder for %s", path);
	} else {
		*err = e;
	}
	nf_buf_fini(&bytes);
	return r;
}

static int copy_all(const struct nf_lane_host *h, int root, const struct nf_profile *p,
                    const char *release, struct nf_err *err)
{
	char path[512];
	int r = copy(h, root, "proc/cmdline", err);

	if (r == 0)
		r = copy(h, root, "proc/config.gz", err);
	if (r == 0)
		r = make_folders(root, "proc/sys/", err);
	if (r == 0 && release && !strchr(release, '/')) {
		snprintf(path, sizeof(path), "boot/config-%s", release);
		r = copy(h, root, path, err);
	}
	if (r == 0 && release && !strchr(release, '/')) {
		snprintf(path, sizeof(path), "lib/modules/%s/config", release);
		r = copy(h, root, path, err);
	}
	for (size_t i = 0; i < p->n && r == 0; i++) {
		if (p->line[i].kind != NF_PROFILE_SYSCTL)
			continue;
		int n = snprintf(path, sizeof(path), "proc/sys/%s", p->line[i].name);
		if (n > 0 && (size_t)n < sizeof(path))
			r = copy(h, root, path, err);
	}
	return r;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

/* --- the answers --- */

static void count(const struct nf_profile *p, struct nf_lane_verdict *ret)
{
	*ret = (struct nf_lane_verdict){ 0 };
	for (size_t i = 0; i < p->n; i++) {
		const struct nf_profile_line *l = &p->line[i];
		struct nf_lane_counts *c =
		        l->kind == NF_PROFILE_CMDLINE ? &ret->cmdline : &ret->config;

		if (l->match == NF_PROFILE_MATCHED && !l->unread)
			c->matched++;
		else
			c->mismatched++;
		ret->unread += l->unread != NULL;
	}
}

int nf_lane_verify(const struct nf_lane_host *h, struct nf_profile *profile, const char *release,
                   struct nf_arena *a, struct nf_lane_verdict *ret, struct nf_err *err)
{
	char folder[] = "/tmp/noisefloor-verify-XXXXXX";
	struct nf_rootfs fs;

	if (!mkdtemp(folder))
		return nf_fail_os(err, errno, "cannot make a folder in /tmp");
	int r = nf_rootfs_open(&fs, folder, err);
	if (r == 0) {
		r = copy_all(h, fs.dirfd, profile, release, err);
		if (r == 0)
			r = nf_profile_check(profile, &fs, release, a, err);
		nf_rootfs_close(&fs);
	}
	(void)nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	if (r == 0)
		count(profile, ret);
	return r;
}
