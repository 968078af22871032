/* SPDX-License-Identifier: MIT */
#include "record/check.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/sysio.h"
#include "record/filelist.h"
#include "samples/samplefile.h"

enum { MANIFEST_MAX = 16 << 20 };

const char *nf_check_name(enum nf_check_state s)
{
	static const char *const names[] = { "complete", "partial", "damaged", "unknown" };

	return names[s];
}

void nf_checked_note(struct nf_checked *c, enum nf_check_state state, const char *fmt, ...)
{
	va_list ap;

	if (state <= c->state && c->why[0])
		return;
	c->state = state;
	va_start(ap, fmt);
	vsnprintf(c->why, sizeof(c->why), fmt, ap);
	va_end(ap);
}

static bool ends_in(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && strcmp(s + n - m, suffix) == 0;
}

/* Why a sample file's header cannot be read: cut off while it was written (partial), of another version
 * (unknown, with `why`), or wrong. */
static int check_header(int dirfd, const char *name, const struct nf_err *why, struct nf_checked *c,
                        struct nf_err *err)
{
	enum { MAGIC = 8, PREFIX = 16 };
	unsigned char p[PREFIX];
	struct stat st;
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) < 0) {
		int rc = nf_fail_os(err, errno, "cannot open %s", name);
		if (fd >= 0)
			close(fd);
		return rc;
	}
	ssize_t n = pread(fd, p, sizeof(p), 0);
	int saved = errno;
	close(fd);
	if (n < 0)
		return nf_fail_os(err, saved, "cannot read %s", name);
	size_t got = (size_t)n;
	bool magic = memcmp(p, "nfsmpl\r\n", got < MAGIC ? got : MAGIC) == 0;
	uint32_t version = 0, len = 0;
	for (int i = 3; got == PREFIX && i >= 0; i--) {
		version = version << 8 | p[8 + i];
		len = len << 8 | p[12 + i];
	}
	if (magic && got < PREFIX)
		nf_checked_note(c, NF_CHECK_PARTIAL, "it ends before its header");
	else if (magic && version == 1 &&
	         (uint64_t)st.st_size < PREFIX + ((uint64_t)len + 7) / 8 * 8)
		nf_checked_note(c, NF_CHECK_PARTIAL, "it ends within its header");
	else if (magic && version != 1 && c->state != NF_CHECK_DAMAGED)
		nf_checked_note(c, NF_CHECK_UNKNOWN, "%.200s", why->msg);
	else
		nf_checked_note(c, NF_CHECK_DAMAGED, "%.200s", why->msg);
	return 0;
}

int nf_check_samples(int dirfd, const char *name, struct nf_checked *c, struct nf_err *err)
{
	struct nf_samplefile_reader *f = NULL;
	struct nf_err why = { .code = NF_OK };
	int rc = nf_samplefile_open(dirfd, name, &f, &why);

	if (rc == -NF_EDATA)
		return check_header(dirfd, name, &why, c, err);
	if (rc != 0) {
		if (err)
			*err = why;
		return rc;
	}
	const struct nf_samplefile *about = nf_samplefile_about(f);
	if (about->state == NF_SAMPLEFILE_PARTIAL)
		nf_checked_note(c, NF_CHECK_PARTIAL, "%s", about->what);
	else if (about->state == NF_SAMPLEFILE_DAMAGED)
		nf_checked_note(c, NF_CHECK_DAMAGED, "%s", about->what);
	nf_samplefile_close(f);
	return 0;
}

static int compare_paths(const void *a, const void *b)
{
	const struct nf_checked *x = a, *y = b;

	return strcmp(x->path, y->path);
}

struct nf_checked *nf_checklist_find(const struct nf_checklist *l, const char *path)
{
	struct nf_checked key = { .path = path };

	return l->n ? bsearch(&key, l->item, l->n, sizeof(key), compare_paths) : NULL;
}

/* 64 hex digits, two blanks (or a blank and a star), a safe path. The digest and path, or false. */
static bool manifest_line(const char *line, size_t len, struct nf_checked *ret, struct nf_arena *a)
{
	size_t hex = strspn(line, "0123456789abcdef");
	char path[NF_FILELIST_PATH];

	if (hex != 64 || len < 67 || len - 66 >= sizeof(path) || line[64] != ' ' ||
	    (line[65] != ' ' && line[65] != '*') || memchr(line, '\0', len))
		return false;
	memcpy(path, line + 66, len - 66);
	path[len - 66] = '\0';
	if (!nf_path_is_safe(path) || strcmp(path, "MANIFEST") == 0)
		return false;
	memcpy(ret->listed, line, 64);
	ret->listed[64] = '\0';
	ret->path = nf_arena_strdup(a, path);
	return true;
}

int nf_manifest_read(const char *text, size_t len_bytes, struct nf_arena *a, struct nf_checked *own,
                     struct nf_checklist *ret, struct nf_err *err)
{
	struct nf_checklist l = { .n = 0 };
	size_t lines = 0, number = 0;

	for (size_t i = 0; i < len_bytes; i++)
		lines += text[i] == '\n';
	if (lines == 0 || text[len_bytes - 1] != '\n')
		nf_checked_note(own, NF_CHECK_DAMAGED,
		                len_bytes ? "its last line is cut" : "it is empty");
	l.item = nf_arena_alloc(a, lines + 1, sizeof(*l.item));
	if (!l.item)
		return nf_arena_failed(a, "MANIFEST", err);
	for (const char *p = text; number < lines;) {
		const char *end = memchr(p, '\n', len_bytes - (size_t)(p - text));

		number++;
		if (manifest_line(p, (size_t)(end - p), &l.item[l.n], a))
			l.n++;
		else
			nf_checked_note(own, NF_CHECK_DAMAGED,
			                "line %zu is no digest and path below the folder", number);
		p = end + 1;
	}
	int rc = nf_arena_failed(a, "MANIFEST", err);
	if (rc != 0)
		return rc;
	qsort(l.item, l.n, sizeof(*l.item), compare_paths);
	size_t kept = 0;
	for (size_t i = 0; i < l.n; i++) {
		if (kept > 0 && strcmp(l.item[kept - 1].path, l.item[i].path) == 0)
			nf_checked_note(own, NF_CHECK_DAMAGED, "%.160s is listed twice",
			                l.item[i].path);
		else
			l.item[kept++] = l.item[i];
	}
	l.n = kept;
	*ret = l;
	return 0;
}

/* Both lists in byte order; *ret holds every path once. */
static int merge(const struct nf_checklist *listed, const struct nf_filelist *files,
                 struct nf_arena *a, struct nf_checklist *ret, struct nf_err *err)
{
	struct nf_checklist all = { .n = 0 };
	size_t i = 0, k = 0;

	all.item = nf_arena_alloc(a, listed->n + files->n + 1, sizeof(*all.item));
	if (!all.item)
		return nf_arena_failed(a, "list of files", err);
	while (i < listed->n || k < files->n) {
		int order = i == listed->n  ? 1
		            : k == files->n ? -1
		                            : strcmp(listed->item[i].path, files->file[k].path);
		struct nf_checked *c = &all.item[all.n++];

		if (order <= 0)
			*c = listed->item[i++];
		else
			c->path = files->file[k].path;
		if (order >= 0) {
			c->on_disk = true;
			if (!files->file[k].regular)
				nf_checked_note(c, NF_CHECK_DAMAGED, "it is no plain file");
			k++;
		}
	}
	*ret = all;
	return 0;
}

static bool is_unfinished(const char *path)
{
	const char *base = strrchr(path, '/');

	base = base ? base + 1 : path;
	return base[0] == '.' && ends_in(base, ".tmp");
}

/* Digest, listing, and what the file's own form says. */
static int check_item(int fd, struct nf_checked *c, bool committed, struct nf_err *err)
{
	if (!c->on_disk) {
		nf_checked_note(c, NF_CHECK_DAMAGED, "it is missing");
		return 0;
	}
	if (c->state == NF_CHECK_DAMAGED)
		return 0;
	if (committed && !c->listed[0])
		nf_checked_note(c, NF_CHECK_DAMAGED, "it is not listed in MANIFEST");
	else if (!committed && is_unfinished(c->path))
		nf_checked_note(c, NF_CHECK_PARTIAL, "it was being written");
	int f = nf_open_below(fd, c->path, O_RDONLY | O_NONBLOCK);
	if (f < 0)
		return nf_fail_os(err, errno, "cannot open %s", c->path);
	struct stat st;
	int rc = fstat(f, &st) < 0 ? nf_fail_os(err, errno, "cannot read %s", c->path) : 0;
	if (rc == 0 && !ends_in(c->path, ".nfsamples") &&
	    st.st_size > (off_t)NF_RECORD_TEXT_BYTES) {
		nf_checked_note(c, NF_CHECK_DAMAGED, "it is larger than any text of a run may be");
		close(f);
		return 0;
	}
	if (rc == 0)
		rc = nf_sha256_fd(f, c->path, c->digest, err);
	close(f);
	if (rc != 0)
		return rc;
	if (c->listed[0] && strcmp(c->listed, c->digest) != 0)
		nf_checked_note(c, NF_CHECK_DAMAGED, "its digest is not the one in MANIFEST");
	if (ends_in(c->path, ".nfsamples"))
		rc = nf_check_samples(fd, c->path, c, err);
	return rc;
}

static int read_below(int fd, const char *path, struct nf_buf *out, struct nf_err *err)
{
	int f = nf_open_below(fd, path, O_RDONLY | O_NONBLOCK);

	if (f < 0)
		return nf_fail_os(err, errno, "cannot open %s", path);
	int rc = nf_read_all(f, out, path, err);
	close(f);
	return rc;
}

/* After all digests are known. */
static int check_record_item(int fd, const char *folder, const struct nf_checklist *all,
                             bool committed, struct nf_checked *own, struct nf_err *err)
{
	struct nf_checked *twin = nf_checklist_find(all, "record.dhall");
	char path[PATH_MAX];
	struct nf_checked *c = nf_checklist_find(all, "record.json");
	struct nf_buf text;

	if (!c || !c->on_disk) {
		if (committed && !c)
			nf_checked_note(own, NF_CHECK_DAMAGED, "it lists no record.json");
		return 0;
	}
	if (c->state == NF_CHECK_DAMAGED)
		return 0;
	nf_buf_init(&text, NF_RECORD_TEXT_BYTES);
	int rc = read_below(fd, c->path, &text, err);
	if (rc == 0)
		rc = nf_check_record(text.data, text.len_bytes, c, all, err);
	if (rc == 0 && twin && twin->on_disk && twin->state != NF_CHECK_DAMAGED &&
	    (size_t)snprintf(path, sizeof(path), "%s/record.dhall", folder) < sizeof(path))
		rc = nf_check_dhall_twin(path, folder, &text, twin, err);
	nf_buf_fini(&text);
	return rc;
}

static bool looks_like_a_run(const struct nf_filelist *files, int fd)
{
	struct stat st;

	for (size_t i = 0; i < files->n; i++)
		if (strcmp(files->file[i].path, "record.json") == 0 ||
		    strcmp(files->file[i].path, "MANIFEST") == 0)
			return true;
	return fstatat(fd, "samples", &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/* Takes MANIFEST out of the files and reads it. */
static int take_manifest(int fd, struct nf_filelist *files, struct nf_arena *a,
                         struct nf_checked *own, bool *ret_committed, struct nf_checklist *ret,
                         struct nf_err *err)
{
	struct nf_buf text;
	size_t i = 0;

	while (i < files->n && strcmp(files->file[i].path, "MANIFEST") != 0)
		i++;
	*ret_committed = i < files->n;
	if (i == files->n) {
		struct stat st; /* a folder is no file of the list */

		if (fstatat(fd, "MANIFEST", &st, AT_SYMLINK_NOFOLLOW) < 0)
			return errno == ENOENT ? 0 : nf_fail_os(err, errno, "cannot read MANIFEST");
		*ret_committed = true;
		nf_checked_note(own, NF_CHECK_DAMAGED, "it is no plain file");
		return 0;
	}
	bool regular = files->file[i].regular;
	memmove(&files->file[i], &files->file[i + 1], (files->n - i - 1) * sizeof(files->file[0]));
	files->n--;
	if (!regular) {
		nf_checked_note(own, NF_CHECK_DAMAGED, "it is no plain file");
		return 0;
	}
	nf_buf_init(&text, MANIFEST_MAX);
	int rc = read_below(fd, "MANIFEST", &text, err);
	if (rc == 0)
		rc = nf_manifest_read(text.data, text.len_bytes, a, own, ret, err);
	nf_buf_fini(&text);
	return rc;
}

static int check_folder(int fd, const char *path, nf_check_fn *fn, void *ctx,
                        enum nf_check_state *ret, struct nf_err *err)
{
	struct nf_checked own = { .path = "MANIFEST" }, whole = { .path = path };
	struct nf_checklist listed = { .n = 0 }, all = { .n = 0 };
	struct nf_filelist files;
	struct nf_arena a;
	bool committed = false;

	nf_arena_init(&a, 256 << 20);
	int rc = nf_filelist_read(fd, "derived", &a, &files, err);
	if (rc == 0 && !looks_like_a_run(&files, fd))
		rc = nf_fail(err, NF_EDATA, "%s holds no run: no MANIFEST, record.json or samples/",
		             path);
	if (rc == 0)
		rc = take_manifest(fd, &files, &a, &own, &committed, &listed, err);
	if (rc == 0)
		rc = merge(&listed, &files, &a, &all, err);
	all.dirfd = fd;
	for (size_t i = 0; rc == 0 && i < all.n; i++)
		rc = check_item(fd, &all.item[i], committed, err);
	if (rc == 0)
		rc = check_record_item(fd, path, &all, committed, &own, err);
	if (rc != 0)
		goto out;
	if (committed) {
		fn(ctx, own.path, own.state, own.why);
		if (own.state != NF_CHECK_COMPLETE)
			nf_checked_note(&whole, own.state, "%s: %.180s", own.path, own.why);
	} else {
		nf_checked_note(&whole, NF_CHECK_PARTIAL, "no MANIFEST: the run did not finish");
	}
	for (size_t i = 0; i < all.n; i++) {
		const struct nf_checked *c = &all.item[i];

		fn(ctx, c->path, c->state, c->why);
		if (c->state != NF_CHECK_COMPLETE)
			nf_checked_note(&whole, c->state, "%.100s: %.120s", c->path, c->why);
	}
	fn(ctx, path, whole.state, whole.why);
	*ret = whole.state;
out:
	nf_arena_fini(&a);
	return rc;
}

int nf_runfolder_check(const char *path, nf_check_fn *fn, void *ctx, enum nf_check_state *ret,
                       struct nf_err *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && errno == ENOTDIR)
		return nf_check_file(path, fn, ctx, ret, err);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot open %s", path);
	int rc = check_folder(fd, path, fn, ctx, ret, err);
	close(fd);
	return rc;
}

int nf_check_file(const char *path, nf_check_fn *fn, void *ctx, enum nf_check_state *ret,
                  struct nf_err *err)
{
	struct nf_checked c = { .path = path, .on_disk = true };
	struct nf_buf text;
	int rc;

	if (ends_in(path, ".nfsamples")) {
		rc = nf_check_samples(AT_FDCWD, path, &c, err);
	} else if (ends_in(path, ".dhall")) {
		rc = nf_check_dhall_file(path, &c, err);
	} else if (ends_in(path, ".json")) {
		int fd = nf_open_input(path, "run folders, *.nfsamples, *.json, *.dhall", err);

		if (fd < 0)
			return fd;
		nf_buf_init(&text, NF_RECORD_TEXT_BYTES);
		rc = nf_read_all(fd, &text, path, err);
		close(fd);
		if (rc == 0)
			rc = nf_check_record(text.data, text.len_bytes, &c, NULL, err);
		nf_buf_fini(&text);
	} else {
		rc = nf_fail(err, NF_EDATA,
		             "%s is neither a run folder, nor *.nfsamples, nor a record (*.json, "
		             "*.dhall)",
		             path);
	}
	if (rc != 0)
		return rc;
	fn(ctx, path, c.state, c.why);
	*ret = c.state;
	return 0;
}
