/* SPDX-License-Identifier: MIT */
#include "record/run_standing.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/sysio.h"
#include "record/check.h"
#include "record/filelist.h"

enum { MANIFEST_MAX = 16 << 20 };

static const char *const names[] = { "record.json", "record.dhall" };

/* The folder and the file's name in it. false: the path is too long. */
static bool place_of(const char *path, char folder[PATH_MAX], const char **ret_name)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char json[PATH_MAX + 16];
	struct stat st;
	int n;

	*ret_name = NULL;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
		n = snprintf(folder, PATH_MAX, "%s", path);
		snprintf(json, sizeof(json), "%s/record.json", path);
		/* As the other readers choose: JSON before Dhall. */
		*ret_name = names[lstat(json, &st) < 0 && errno == ENOENT];
		return n >= 0 && n < PATH_MAX;
	}
	for (size_t i = 0; i < 2; i++)
		if (strcmp(name, names[i]) == 0)
			*ret_name = names[i];
	n = slash ? snprintf(folder, PATH_MAX, "%.*s", (int)(slash + 1 - path), path)
	          : snprintf(folder, PATH_MAX, ".");
	return n >= 0 && n < PATH_MAX;
}

/* The descriptor of a plain file below a folder; -1 with errno. */
static int open_plain(int folder, const char *name)
{
	int fd = nf_open_below(folder, name, O_RDONLY | O_NONBLOCK);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

/* The digest that MANIFEST has for a file; "" where it has none. */
static int listed(int manifest, const char *name, struct nf_checked *c, struct nf_err *err)
{
	struct nf_checked own = { .path = "MANIFEST" };
	struct nf_checklist l = { .n = 0 };
	const struct nf_checked *found;
	struct nf_arena a;
	struct nf_buf text;

	nf_arena_init(&a, 256 << 20);
	nf_buf_init(&text, MANIFEST_MAX);
	int rc = nf_read_all(manifest, &text, "MANIFEST", err);
	if (rc == 0)
		rc = nf_manifest_read(text.data, text.len_bytes, &a, &own, &l, err);
	if (rc == 0 && own.state != NF_CHECK_COMPLETE)
		nf_checked_note(c, own.state, "MANIFEST: %.200s", own.why);
	found = rc == 0 ? nf_checklist_find(&l, name) : NULL;
	if (found)
		memcpy(c->listed, found->listed, sizeof(c->listed));
	nf_buf_fini(&text);
	nf_arena_fini(&a);
	return rc;
}

static int check_listed(int folder, const char *name, struct nf_checked *c, struct nf_err *err)
{
	int manifest = open_plain(folder, "MANIFEST");

	if (manifest < 0 && errno == ENOENT) {
		nf_checked_note(c, NF_CHECK_PARTIAL, "no MANIFEST: the run did not finish");
		return 0;
	}
	if (manifest < 0 && (errno == EINVAL || errno == ELOOP || errno == ENXIO)) {
		nf_checked_note(c, NF_CHECK_DAMAGED, "MANIFEST: it is no plain file");
		return 0;
	}
	if (manifest < 0)
		return nf_fail_os(err, errno, "cannot open MANIFEST");
	int rc = listed(manifest, name, c, err);
	close(manifest);
	if (rc == 0 && c->state == NF_CHECK_COMPLETE && !c->listed[0])
		nf_checked_note(c, NF_CHECK_DAMAGED, "%s: it is not listed in MANIFEST", name);
	if (rc == 0 && c->listed[0] && strcmp(c->listed, c->digest) != 0)
		nf_checked_note(c, NF_CHECK_DAMAGED, "%s: its digest is not the one in MANIFEST",
		                name);
	return rc;
}

/* What the record says of itself; record.dhall says the same by check's own rule. */
static int check_said(int folder, struct nf_checked *c, struct nf_err *err)
{
	int fd = open_plain(folder, "record.json");
	struct nf_buf text;

	if (fd < 0)
		return 0;
	nf_buf_init(&text, NF_RECORD_TEXT_BYTES);
	int rc = nf_read_all(fd, &text, "record.json", err);
	close(fd);
	if (rc == 0)
		rc = nf_check_record(text.data, text.len_bytes, c, NULL, err);
	nf_buf_fini(&text);
	return rc;
}

static bool is_run(int folder)
{
	struct stat st;

	return fstatat(folder, "MANIFEST", &st, AT_SYMLINK_NOFOLLOW) == 0 ||
	       (fstatat(folder, "samples", &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode));
}

static int stand(int folder, const char *name, struct nf_run_standing *s, struct nf_err *err)
{
	struct nf_checked c = { .path = name };
	int rc = 0;

	memcpy(c.digest, s->digest, sizeof(c.digest));
	s->in_run = is_run(folder);
	if (s->in_run)
		rc = check_listed(folder, name, &c, err);
	if (rc == 0 && s->in_run && c.state < NF_CHECK_DAMAGED)
		rc = check_said(folder, &c, err);
	s->state = c.state;
	snprintf(s->why, sizeof(s->why), "%s", c.why);
	return rc;
}

int nf_run_standing(const char *path, struct nf_run_standing *ret, struct nf_err *err)
{
	struct nf_run_standing s = { .in_run = false };
	char folder[PATH_MAX], whole[PATH_MAX + 16];
	const char *name;

	if (!place_of(path, folder, &name))
		return nf_fail(err, NF_EARG, "%.100s...: the path is too long", path);
	struct stat st;
	bool is_folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
	if (is_folder)
		snprintf(whole, sizeof(whole), "%s/%s", folder, name);
	int fd = nf_open_input(is_folder ? whole : path,
	                       "run folders, records (*.json, *.dhall), captures", err);
	if (fd < 0)
		return fd;
	int rc = nf_sha256_fd(fd, path, s.digest, err);
	close(fd);
	if (rc == 0 && name) {
		fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		rc = fd < 0 ? nf_fail_os(err, errno, "cannot open %s", folder)
		            : stand(fd, name, &s, err);
		if (fd >= 0)
			close(fd);
	}
	if (rc == 0)
		*ret = s;
	return rc;
}
