/* SPDX-License-Identifier: MIT */
#include "record/redact.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/sysio.h"
#include "record/filelist.h"
#include "record/json_record.h"
#include "record/redact_copy.h"
#include "record/redact_learn.h"
#include "record/redact_record.h"
#include "record/redact_target.h"
#include "record/runfolder.h"

enum { ARENA_BYTES = 256 << 20, MANIFEST_MAX = 16 << 20 };

static const char *digest_of(void *ctx, const char *path)
{
	const struct nf_redact_copy *c = ctx;

	for (size_t i = 0; i < c->n_files; i++)
		if (strcmp(c->file[i].from, path) == 0 ||
		    (c->file[i].to && strcmp(c->file[i].to, path) == 0))
			return c->file[i].digest[0] ? c->file[i].digest : NULL;
	return NULL;
}

static bool stopped(const struct nf_redact_copy *c)
{
	return nf_stop_signo(c->o->stop) != 0;
}

struct verdict {
	enum nf_check_state state;
	char why[240];
};

static void note(void *ctx, const char *item, enum nf_check_state state, const char *why)
{
	struct verdict *v = ctx;

	(void)item;
	v->state = state; /* the last is the folder's */
	snprintf(v->why, sizeof(v->why), "%s", why);
}

static int check(const char *path, struct verdict *ret, struct nf_err *err)
{
	enum nf_check_state state;
	int rc = nf_runfolder_check(path, note, ret, &state, err);

	if (rc == 0)
		ret->state = state;
	return rc;
}

/* What the run's record and the caller say has to be replaced. */
static int learn(struct nf_redact_copy *c, struct nf_err *err)
{
	int rc = 0;

	for (const char *const *w = c->o->words; rc == 0 && w && *w; w++)
		rc = nf_redactor_add(&c->r, "word", *w, err);
	if (rc == 0 && c->record)
		rc = nf_redact_learn_record(&c->r, c->type, c->record, err);
	return rc;
}

/* *ret (owned by the caller) stays NULL where there is no such file. */
static int read_record(const struct nf_redact_copy *c, const char *name, json_t **ret,
                       const struct nf_type **ret_type, struct nf_err *err)
{
	json_error_t where;
	struct nf_buf text;
	int fd = nf_open_below(c->from, name, O_RDONLY | O_NONBLOCK);

	if (fd < 0)
		return errno == ENOENT ? 0 : nf_fail_os(err, errno, "cannot open %s", name);
	nf_buf_init(&text, NF_RECORD_TEXT_BYTES);
	int rc = nf_read_all(fd, &text, name, err);
	close(fd);
	if (rc == 0) {
		*ret = json_loadb(text.data, text.len_bytes, JSON_ALLOW_NUL, &where);
		if (!*ret)
			rc = nf_fail(err, NF_EDATA, "%s:%d:%d: %s", name, where.line, where.column,
			             where.text);
	}
	if (rc == 0)
		rc = nf_json_record_type(*ret, ret_type, err);
	nf_buf_fini(&text);
	return rc;
}

/* The hosts of an MPI job: record.json names those of the slowest ranks, the tables all of them. */
static int learn_nodes(struct nf_redact_copy *c, struct nf_arena *a, struct nf_err *err)
{
	struct nf_filelist files;
	int rc = nf_filelist_read(c->from, NULL, a, &files, err);

	for (size_t i = 0; rc == 0 && i < files.n; i++) {
		const char *path = files.file[i].path, *end = strrchr(path, '.');
		const struct nf_type *type = NULL;
		json_t *node = NULL;

		if (!files.file[i].regular || strncmp(path, "nodes/", 6) != 0 || !end ||
		    strcmp(end, ".json") != 0)
			continue;
		rc = read_record(c, path, &node, &type, err);
		if (rc == 0 && node)
			rc = nf_redact_learn_record(&c->r, type, node, err);
		json_decref(node);
	}
	return rc;
}

/* Every file but what is written from the record at the end. */
static int copy_files(struct nf_redact_copy *c, struct nf_err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < c->n_files; i++) {
		if (stopped(c))
			return nf_fail_os(err, EINTR, "stopped; nothing is kept");
		rc = nf_redact_copy_file(c, &c->file[i], err);
	}
	return rc;
}

static bool has(const struct nf_redact_copy *c, const char *path)
{
	for (size_t i = 0; i < c->n_files; i++)
		if (strcmp(c->file[i].from, path) == 0)
			return true;
	return false;
}

static int write_record(struct nf_redact_copy *c, struct nf_err *err)
{
	const struct nf_redact_files files = { .digest = digest_of, .ctx = c, .keep = c->o->keep };
	struct nf_buf json, other;

	if (!c->record)
		return 0;
	nf_buf_init(&json, NF_RECORD_TEXT_BYTES);
	nf_buf_init(&other, NF_RECORD_TEXT_BYTES);
	int rc = nf_redact_record(&c->r, &files, c->type, c->record, err);
	if (rc == 0)
		rc = nf_json_record_to_json(c->type, c->record, &json, err);
	if (rc == 0)
		rc = nf_redact_put(c, "record.json", &json, err);
	if (rc == 0 && has(c, "record.dhall"))
		rc = nf_json_record_to_dhall(c->type, &json, &other, err);
	if (rc == 0 && has(c, "record.dhall"))
		rc = nf_redact_put(c, "record.dhall", &other, err);
	nf_buf_clear(&other);
	if (rc == 0 && has(c, "derived/record.csv"))
		rc = nf_json_record_to_csv(c->type, c->record, &other, err);
	if (rc == 0 && has(c, "derived/record.csv"))
		rc = nf_redact_put(c, "derived/record.csv", &other, err);
	nf_buf_fini(&json);
	nf_buf_fini(&other);
	return rc;
}

static int write_manifest(struct nf_redact_copy *c, struct nf_err *err)
{
	struct nf_filelist files;
	struct nf_buf text;
	struct nf_arena a;

	nf_arena_init(&a, ARENA_BYTES);
	nf_buf_init(&text, MANIFEST_MAX);
	int rc = nf_filelist_read(c->to, "derived", &a, &files, err);
	for (size_t i = 0; rc == 0 && i < files.n; i++) {
		char hex[NF_SHA256_HEX];
		int fd = nf_open_below(c->to, files.file[i].path, O_RDONLY);

		if (fd < 0) {
			rc = nf_fail_os(err, errno, "cannot open %s", files.file[i].path);
			break;
		}
		rc = nf_sha256_fd(fd, files.file[i].path, hex, err);
		close(fd);
		if (rc == 0)
			(void)nf_buf_addf(&text, "%s  %s\n", hex, files.file[i].path);
	}
	if (rc == 0)
		rc = nf_buf_failed(&text, "MANIFEST", err);
	if (rc == 0)
		rc = nf_write_file_atomic(c->to, "MANIFEST", text.data, text.len_bytes, 0600, err);
	nf_buf_fini(&text);
	nf_arena_fini(&a);
	return rc;
}

static int list(struct nf_redact_copy *c, struct nf_arena *a, struct nf_err *err)
{
	struct nf_filelist files;
	int rc = nf_filelist_read(c->from, NULL, a, &files, err);

	if (rc < 0)
		return rc;
	c->file = nf_arena_alloc(a, files.n + 1, sizeof(*c->file));
	if (!c->file)
		return nf_arena_failed(a, "list of files", err);
	c->n_files = files.n;
	for (size_t i = 0; i < files.n; i++)
		c->file[i] = (struct nf_redact_file){ .from = files.file[i].path,
			                              .regular = files.file[i].regular };
	return 0;
}

/* What any file names is replaced in all of them. */
static int learn_files(struct nf_redact_copy *c, struct nf_err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < c->n_files; i++) {
		struct nf_redact_file *f = &c->file[i];

		if (stopped(c))
			return nf_fail_os(err, EINTR, "stopped; nothing is kept");
		rc = nf_redact_learn_file(&c->r, c->from, f->from, nf_redact_is_text(f),
		                          &f->no_text, err);
	}
	return rc;
}

/* Where each file goes. */
static int plan(struct nf_redact_copy *c, struct nf_arena *a, struct nf_err *err)
{
	struct nf_buf name;
	int rc = 0;

	nf_buf_init(&name, NF_FILELIST_PATH * 8);
	for (size_t i = 0; rc == 0 && i < c->n_files; i++) {
		nf_buf_clear(&name);
		nf_redact_path(&c->r, c->file[i].from, &name);
		rc = nf_buf_failed(&name, "a name", err);
		c->file[i].to = nf_arena_strdup(a, name.data);
	}
	nf_buf_fini(&name);
	return rc < 0 ? rc : nf_arena_failed(a, "list of files", err);
}

static int fill(struct nf_redact_copy *c, const char *path, const struct verdict *source,
                struct nf_err *err)
{
	struct verdict copy = { .state = NF_CHECK_DAMAGED };
	struct nf_arena a;

	nf_arena_init(&a, ARENA_BYTES);
	int rc = read_record(c, "record.json", &c->record, &c->type, err);
	if (rc == 0)
		rc = learn(c, err);
	if (rc == 0)
		rc = learn_nodes(c, &a, err);
	if (rc == 0)
		rc = list(c, &a, err);
	if (rc == 0)
		rc = learn_files(c, err);
	if (rc == 0)
		rc = plan(c, &a, err);
	if (rc == 0)
		rc = copy_files(c, err);
	if (rc == 0)
		rc = write_record(c, err);
	if (rc == 0 && has(c, "MANIFEST"))
		rc = write_manifest(c, err);
	if (rc == 0)
		rc = check(path, &copy, err);
	if (rc == 0 && copy.state != source->state)
		rc = nf_fail(err, NF_EDATA, "the copy would be %s: %.200s",
		             nf_check_name(copy.state), copy.why);
	c->file = NULL;
	c->n_files = 0;
	nf_arena_fini(&a);
	return rc;
}

int nf_redact_run(const char *from, const char *to, const struct nf_redact_opts *o,
                  struct nf_err *err)
{
	struct nf_redact_copy c = { .from = -1, .to = -1, .o = o };
	struct verdict source = { .state = NF_CHECK_DAMAGED };
	struct nf_redact_target target = { .path = "" };
	const char *path = target.path;
	struct stat st;
	bool made = false;

	nf_redactor_init(&c.r, o->key);
	int rc = nf_redact_target(to, &target, err);
	if (rc == 0 && lstat(to, &st) == 0)
		rc = nf_fail(err, NF_EEXIST, "%s exists; nothing was written", to);
	if (rc < 0)
		goto out;
	c.from = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c.from < 0) {
		bool absent = errno == ENOENT || errno == ENOTDIR;

		rc = absent ? nf_fail(err, NF_EARG, "%s: %s; allowed: a run's folder", from,
		                      strerror(errno))
		            : nf_fail_os(err, errno, "cannot open %s", from);
		goto out;
	}
	rc = nf_redact_target_outside(&target, c.from, from, err);
	if (rc == 0)
		rc = check(from, &source, err);
	if (rc == 0 && source.state != NF_CHECK_COMPLETE && source.state != NF_CHECK_PARTIAL)
		rc = nf_fail(err, NF_EDATA, "%s is %s, which a copy would not show: %.200s", from,
		             nf_check_name(source.state), source.why);
	if (rc < 0)
		goto out;
	nf_redact_target_sweep(&target);
	made = mkdir(path, 0700) == 0;
	if (!made || (c.to = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		rc = nf_fail_os(err, errno, "cannot make a folder beside %s", to);
	/* Another redaction to the same place sees that this one is at work; without locks, by its process. */
	if (rc == 0)
		(void)flock(c.to, LOCK_EX | LOCK_NB);
	if (rc == 0)
		rc = fill(&c, path, &source, err);
	if (rc == 0 && fsync(c.to) < 0)
		rc = nf_fail_os(err, errno, "cannot store %s", to);
	if (rc == 0 && renameat2(AT_FDCWD, path, AT_FDCWD, to, RENAME_NOREPLACE) < 0)
		rc = errno == EEXIST ? nf_fail(err, NF_EEXIST, "%s exists; nothing was written", to)
		                     : nf_fail_os(err, errno, "cannot name the copy %s", to);
	if (rc < 0 && made)
		nf_redact_remove(path);
out:
	if (c.from >= 0)
		close(c.from);
	if (c.to >= 0)
		close(c.to);
	json_decref(c.record);
	nf_redactor_fini(&c.r);
	return rc;
}
