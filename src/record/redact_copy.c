/* SPDX-License-Identifier: MIT */
#include "record/redact_copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/sysio.h"
#include "dhall/dhall.h"
#include "record/filelist.h"
#include "record/json_record.h"
#include "record/redact_lines.h"
#include "record/redact_record.h"
#include "record/runfolder.h"
#include "record/write.h"
#include "samples/samplefile.h"

enum { TYPE_BYTES = 1 << 20, REMOVE_DEPTH = 12 };

static bool ends_in(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && strcmp(s + n - m, suffix) == 0;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int make_folders(const struct nf_redact_copy *c, const char *path, struct nf_err *err)
{
	char folder[NF_FILELIST_PATH * 2];

	for (const char *p = strchr(path, '/'); p; p = strchr(p + 1, '/')) {
		size_t len = (size_t)(p - path);

		if (len >= sizeof(folder))
			return nf_fail(err, NF_EDATA, "%.200s: the path is too long", path);
		memcpy(folder, path, len);
		folder[len] = '\0';
		if (mkdirat(c->to, folder, 0700) < 0 && errno != EEXIST)
			return nf_fail_os(err, errno, "cannot make %s", folder);
	}
	return 0;
}

int nf_redact_put(const struct nf_redact_copy *c, const char *path, const struct nf_buf *text,
                  struct nf_err *err)
{
	size_t len = (size_t)(base_of(path) - path);
	char folder[NF_FILELIST_PATH * 2] = ".";
	int rc = make_folders(c, path, err);

	if (rc < 0)
		return rc;
	if (len > 0) {
		memcpy(folder, path, len - 1);
		folder[len - 1] = '\0';
	}
	int fd = openat(c->to, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot open %s", folder);
	rc = nf_write_file_atomic(fd, base_of(path), text->data, text->len_bytes, 0600, err);
	close(fd);
	return rc;
}

static void put_text(const struct nf_redact_copy *c, const char *from, const char *text, size_t n,
                     struct nf_buf *out)
{
	const char *base = base_of(from);
	char name[NF_PSEUDONYM];

	/* Files that hold nothing but the name of something. */
	static const char *const whole[][2] = { { "hostname", "host" },
		                                { "machine-id", "id" },
		                                { "serial", "serial" },
		                                { "asset_tag", "serial" } };
	if (strstr(base, "proc_cmdline")) {
		nf_redact_cmdline(&c->r, text, n, out);
		return;
	}
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		const char *at = strstr(base, whole[i][0]);

		if (!at || (at[strlen(whole[i][0])] != '.' && at[strlen(whole[i][0])] != '\0'))
			continue;
		size_t len = n;
		while (len > 0 && text[len - 1] == '\n')
			len--;
		if (len > 0) {
			nf_pseudonym(&c->r, whole[i][1], text, len, name);
			(void)nf_buf_adds(out, name);
		}
		(void)nf_buf_add(out, text + len, n - len);
		return;
	}
	nf_redact_text(&c->r, text, n, out);
}

struct copying {
	const struct nf_redact_copy *c;
	const char *from;
	int out;
	struct nf_buf done;
};

/* Nothing that is looked for spans two lines. */
static int put_lines(void *ctx, const char *text, size_t n, struct nf_err *err)
{
	struct copying *p = ctx;

	nf_buf_clear(&p->done);
	put_text(p->c, p->from, text, n, &p->done);
	int rc = nf_buf_failed(&p->done, p->from, err);
	return rc < 0 ? rc : nf_write_all(p->out, p->done.data, p->done.len_bytes, p->from, err);
}

static int copy_lines(const struct nf_redact_copy *c, int in, int out, const char *from,
                      struct nf_err *err)
{
	struct copying p = { .c = c, .from = from, .out = out };

	nf_buf_init(&p.done, (size_t)NF_LINE_BYTES * 4);
	int rc = nf_redact_lines(in, from, put_lines, &p, err);
	nf_buf_fini(&p.done);
	return rc;
}

static int copy_text(const struct nf_redact_copy *c, const struct nf_redact_file *f,
                     struct nf_err *err)
{
	int in = nf_open_below(c->from, f->from, O_RDONLY | O_NONBLOCK), out = -1, rc = 0;

	if (in < 0)
		return nf_fail_os(err, errno, "cannot open %s", f->from);
	out = openat(c->to, f->to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (out < 0)
		rc = nf_fail_os(err, errno, "cannot write %s", f->to);
	if (rc == 0)
		rc = copy_lines(c, in, out, f->from, err);
	if (rc == 0 && fsync(out) < 0)
		rc = nf_fail_os(err, errno, "cannot store %s", f->to);
	if (out >= 0 && close(out) < 0 && rc == 0)
		rc = nf_fail_os(err, errno, "cannot store %s", f->to);
	close(in);
	return rc;
}

static int redact_field(const struct nf_redact_copy *c, char *field, size_t size,
                        struct nf_err *err)
{
	struct nf_buf name;

	nf_buf_init(&name, 4096);
	nf_redact_name(&c->r, field, size - 1, &name);
	int rc = nf_buf_failed(&name, "a name", err);
	if (rc == 0)
		snprintf(field, size, "%s", name.data);
	nf_buf_fini(&name);
	return rc;
}

/* Written again, not copied: what a header holds beyond what is known here stays behind. */
static int copy_samples(const struct nf_redact_copy *c, const struct nf_redact_file *f,
                        struct nf_err *err)
{
	struct nf_samplefile_reader *r = NULL;
	struct nf_samplefile_writer *w = NULL;
	struct nf_stream *streams = NULL;
	int rc = nf_samplefile_open(c->from, f->from, &r, err);

	if (rc < 0)
		return rc;
	const struct nf_samplefile *about = nf_samplefile_about(r);
	size_t n = about->n_streams;
	streams = calloc(n, sizeof(*streams));
	if (!streams)
		rc = nf_fail_nomem(err, "streams", n * sizeof(*streams));
	for (size_t i = 0; rc == 0 && i < n; i++) {
		streams[i] = about->streams[i];
		rc = redact_field(c, streams[i].name, sizeof(streams[i].name), err);
		if (rc == 0)
			rc = redact_field(c, streams[i].origin, sizeof(streams[i].origin), err);
	}
	if (rc == 0)
		rc = nf_samplefile_create(c->to, f->to, streams, n, &w, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		size_t count = streams[i].n;
		int64_t *values = count ? malloc(count * sizeof(*values)) : NULL;

		if (count && !values)
			rc = nf_fail_nomem(err, "samples", count * sizeof(*values));
		if (rc == 0 && count)
			rc = nf_samplefile_values(r, i, values, err);
		if (rc == 0 && count)
			rc = nf_samplefile_append(w, i, values, count, err);
		free(values);
	}
	if (rc == 0 && about->state == NF_SAMPLEFILE_COMPLETE)
		rc = nf_samplefile_finish(w, streams, err);
	else
		nf_samplefile_abandon(w); /* a file without its end stays one */
	free(streams);
	nf_samplefile_close(r);
	return rc;
}

int nf_json_record_to_dhall(const struct nf_type *t, const struct nf_buf *json, struct nf_buf *out,
                            struct nf_err *err)
{
	const struct nf_dexpr *source, *type, *value;
	struct nf_dhall *d = NULL;
	struct nf_buf text;
	int rc = nf_dhall_new(&d, err);

	nf_buf_init(&text, TYPE_BYTES);
	if (rc == 0)
		rc = nf_type_to_dhall(t, &text, err);
	if (rc == 0)
		rc = nf_dhall_parse(d, t->name, text.data, text.len_bytes, &source, err);
	if (rc == 0)
		rc = nf_dhall_normalise(d, source, &type, err);
	if (rc == 0)
		rc = nf_dhall_from_json(d, type, t->name, json->data, json->len_bytes, &value, err);
	if (rc == 0) {
		(void)nf_buf_addf(out, "let %s = (\n", t->name);
		(void)nf_buf_add(out, text.data, text.len_bytes);
		(void)nf_buf_adds(out, ")\n\nin  (\n");
		rc = nf_dhall_print(d, value, out, err);
		(void)nf_buf_addf(out, ") : %s\n", t->name);
	}
	if (rc == 0)
		rc = nf_buf_failed(out, "a record as Dhall", err);
	nf_buf_fini(&text);
	nf_dhall_free(d);
	return rc;
}

/* A value that stands by itself, as Dhall or as JSON: a record of a known type as such, other Dhall in normal
 * form, in which nothing is hidden by the way it is written; other JSON as the text that it is. */
static int redact_value(const struct nf_redact_copy *c, struct nf_dhall *d, const char *path,
                        bool dhall, struct nf_buf *json, struct nf_buf *out, struct nf_err *err)
{
	const struct nf_redact_files files = { .keep = c->o->keep };
	const struct nf_type *type = NULL;
	struct nf_dhall_loaded l;
	json_error_t where;
	json_t *root = NULL;
	int rc = 0;

	if (dhall)
		rc = nf_dhall_load(d, path, &l, err);
	if (rc < 0)
		return rc;
	if (!dhall || nf_dhall_to_json(d, l.value, false, json, NULL) == 0)
		root = json_loadb(json->data, json->len_bytes, JSON_ALLOW_NUL, &where);
	if (root && nf_json_record_type(root, &type, NULL) == 0) {
		rc = nf_redact_record(&c->r, &files, type, root, err);
		nf_buf_clear(json);
		if (rc == 0)
			rc = nf_json_record_to_json(type, root, json, err);
		if (rc == 0 && dhall)
			rc = nf_json_record_to_dhall(type, json, out, err);
		else if (rc == 0)
			(void)nf_buf_add(out, json->data, json->len_bytes);
	} else {
		if (dhall) {
			nf_buf_clear(json);
			rc = nf_dhall_print(d, l.value, json, err);
		}
		if (rc == 0)
			nf_redact_text(&c->r, json->data, json->len_bytes, out);
	}
	json_decref(root);
	return rc;
}

static int copy_value(const struct nf_redact_copy *c, const struct nf_redact_file *f, bool dhall,
                      struct nf_err *err)
{
	struct nf_dhall *d = NULL;
	struct nf_buf json, out;
	char path[64];
	int rc, in = nf_open_below(c->from, f->from, O_RDONLY | O_NONBLOCK);

	if (in < 0)
		return nf_fail_os(err, errno, "cannot open %s", f->from);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", in);
	nf_buf_init(&json, NF_RECORD_TEXT_BYTES);
	nf_buf_init(&out, NF_RECORD_TEXT_BYTES);
	rc = nf_dhall_new(&d, err);
	if (rc == 0 && !dhall)
		rc = nf_read_all(in, &json, f->from, err);
	if (rc == 0)
		rc = redact_value(c, d, path, dhall, &json, &out, err);
	if (rc == 0)
		rc = nf_buf_failed(&out, f->from, err);
	if (rc == 0)
		rc = nf_redact_put(c, f->to, &out, err);
	nf_buf_fini(&json);
	nf_buf_fini(&out);
	nf_dhall_free(d);
	close(in);
	return rc;
}

static void leave_out(const struct nf_redact_copy *c, const struct nf_redact_file *f,
                      const char *why)
{
	if (c->o->left_out)
		c->o->left_out(c->o->ctx, f->from, why);
}

static bool is_packed(const char *path)
{
	static const char *const packed[] = { ".gz", ".xz", ".zst", ".bz2", ".lz4", ".dat" };

	for (size_t i = 0; i < sizeof(packed) / sizeof(packed[0]); i++)
		if (ends_in(path, packed[i]))
			return true;
	return false;
}

/* Written from the record or from the copy. */
static bool is_own(const char *path)
{
	static const char *const own[] = { "record.json", "record.dhall", "MANIFEST",
		                           "derived/record.csv" };

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(path, own[i]) == 0)
			return true;
	return false;
}

bool nf_redact_is_text(const struct nf_redact_file *f)
{
	return f->regular && !is_own(f->from) && !is_packed(f->from) && !ends_in(f->from, ".sig") &&
	       !ends_in(f->from, ".nfsamples");
}

int nf_redact_copy_file(struct nf_redact_copy *c, struct nf_redact_file *f, struct nf_err *err)
{
	if (is_own(f->from))
		return 0;
	if (is_packed(f->from) || f->no_text) {
		leave_out(c, f,
		          f->no_text ? f->no_text : "it is no text that can be looked through");
		return 0;
	}
	if (!f->regular) {
		leave_out(c, f, "it is no plain file");
		return 0;
	}
	if (ends_in(f->from, ".sig")) {
		leave_out(c, f, "it signs another MANIFEST than the copy's");
		return 0;
	}
	int rc = make_folders(c, f->to, err);
	if (rc < 0)
		return rc;
	if (ends_in(f->from, ".nfsamples")) {
		rc = copy_samples(c, f, err);
	} else if (ends_in(f->from, ".dhall") || ends_in(f->from, ".json")) {
		rc = copy_value(c, f, ends_in(f->from, ".dhall"), err);
	} else {
		rc = copy_text(c, f, err);
	}
	int fd = rc == 0 ? nf_open_below(c->to, f->to, O_RDONLY) : -1;
	if (rc == 0 && fd < 0)
		rc = nf_fail_os(err, errno, "cannot read %s", f->to);
	if (rc == 0)
		rc = nf_sha256_fd(fd, f->to, f->digest, err);
	if (fd >= 0)
		close(fd);
	return rc;
}

static void remove_below(int dir, const char *name, int depth)
{
	struct dirent *e;
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;

	if (!d && fd >= 0)
		close(fd);
	while (d && depth > 0 && (e = readdir(d)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			remove_below(dirfd(d), e->d_name, depth - 1);
	if (d)
		closedir(d);
	(void)unlinkat(dir, name, fd >= 0 ? AT_REMOVEDIR : 0);
}

void nf_redact_remove(const char *path)
{
	remove_below(AT_FDCWD, path, REMOVE_DEPTH);
}
