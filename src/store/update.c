/* SPDX-License-Identifier: MIT */
#include "store/update.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/sysio.h"
#include "record/metrics.h"

enum { MANIFEST_BYTES = 32 << 20, RECORD_BYTES = 64 << 20, VALUES_MAX = 256 };

bool nf_store_is_run_name(const char *name)
{
	static const char form[] = "ddddddddTddddddZ-";

	for (size_t i = 0; form[i]; i++) {
		bool digit = name[i] >= '0' && name[i] <= '9';

		if (form[i] == 'd' ? !digit : name[i] != form[i])
			return false;
	}
	return true;
}

/* --- one folder --- */

struct folder {
	int fd;
	const char *name;
	struct nf_buf manifest; /* owned */
	struct nf_buf record; /* owned */
	char digest[NF_SHA256_HEX];
	char why[120]; /* why its record is not taken; "" */
};

static int read_file(int dirfd, const char *name, struct nf_buf *out, struct nf_err *err)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return nf_fail_os(err, errno, "%s", name);
	int r = nf_read_all(fd, out, name, err);
	close(fd);
	return r;
}

static void digest_of(const struct nf_buf *b, char ret[NF_SHA256_HEX])
{
	uint8_t raw[NF_SHA256_BYTES];
	struct nf_sha256 s;

	nf_sha256_init(&s);
	nf_sha256_add(&s, b->data, b->len_bytes);
	nf_sha256_done(&s, raw);
	nf_sha256_hex(raw, ret);
}

/* A line "DIGEST  record.json" of sha256sum's form with the record's digest. */
static bool manifest_holds_record(const struct folder *f)
{
	char line[NF_SHA256_HEX + 16], digest[NF_SHA256_HEX];
	const char *at = f->manifest.data;
	size_t len;

	digest_of(&f->record, digest);
	len = (size_t)snprintf(line, sizeof(line), "%s  record.json\n", digest);
	for (; (at = strstr(at, line)); at += len)
		if (at == f->manifest.data || at[-1] == '\n')
			return true;
	return false;
}

struct values {
	struct nf_store_value item[VALUES_MAX];
	size_t n;
};

static int keep(void *ctx, const struct nf_metric *m, const double *value, size_t n, double whole)
{
	struct values *v = ctx;

	(void)value;
	(void)n;
	if (v->n < VALUES_MAX)
		v->item[v->n++] = (struct nf_store_value){ m->id, whole };
	return 0;
}

static const char *text_at(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static int add_record(struct nf_store *s, const struct folder *f, const json_t *root,
                      const char *schema, struct nf_err *err)
{
	const json_t *head = json_object_get(root, "head");
	const json_t *host = json_object_get(head, "host");
	const json_t *setup = json_object_get(head, "setup_after");
	struct values values = { .n = 0 };

	(void)nf_metrics_read(root, keep, &values);
	return nf_store_add(s,
	                    &(struct nf_store_run){
	                            .folder = f->name,
	                            .digest = f->digest,
	                            .schema = schema,
	                            .started_utc = text_at(head, "started_utc"),
	                            .tag = text_at(head, "tag"),
	                            .host = text_at(host, "label"),
	                            .machine = text_at(host, "machine_hash"),
	                            .lane = text_at(head, "lane"),
	                            .kernel = text_at(setup, "kernel_release"),
	                            .boot_id = text_at(setup, "boot_id"),
	                            .state = text_at(head, "state"),
	                            .result = text_at(head, "result"),
	                            .value = values.item,
	                            .n_values = values.n,
	                    },
	                    err);
}

/* Sets why when the folder's record cannot be taken. */
static int add_folder(struct nf_store *s, struct folder *f, struct nf_err *err)
{
	struct nf_err e = { 0 };
	json_error_t where;
	int r = read_file(f->fd, "record.json", &f->record, &e);

	if (r == -NF_ENOMEM) {
		*err = e;
		return r;
	}
	if (r < 0 || !manifest_holds_record(f)) {
		snprintf(f->why, sizeof(f->why), "%s",
		         r < 0 ? "record.json cannot be read"
		               : "record.json is not what MANIFEST says");
		return 0;
	}
	json_t *root =
	        json_loadb(f->record.data, f->record.len_bytes, JSON_REJECT_DUPLICATES, &where);
	const char *schema = root ? nf_metrics_schema(root) : NULL;
	if (schema)
		r = add_record(s, f, root, schema, err);
	else
		snprintf(f->why, sizeof(f->why), "record.json is no record");
	json_decref(root);
	return r;
}

static int update_folder(struct nf_store *s, struct folder *f, struct nf_store_update *u,
                         struct nf_err *err)
{
	struct nf_err e = { 0 };
	bool has = false;
	int r = read_file(f->fd, "MANIFEST", &f->manifest, &e);

	if (r == -NF_ENOMEM) {
		*err = e;
		return r;
	}
	if (r < 0) {
		u->n_uncommitted++;
		return 0;
	}
	digest_of(&f->manifest, f->digest);
	r = nf_store_has(s, f->name, f->digest, &has, err);
	if (r < 0 || has)
		return r;
	r = add_folder(s, f, err);
	if (r < 0)
		return r;
	if (!f->why[0])
		u->n_added++;
	else if (u->n_unreadable++ == 0)
		snprintf(u->unreadable, sizeof(u->unreadable), "%.60s: %.80s", f->name, f->why);
	return 0;
}

/* --- all of them --- */

struct runs {
	int dirfd;
};

static bool is_gone(void *ctx, const char *name)
{
	const struct runs *runs = ctx;
	struct stat st;

	return !nf_store_is_run_name(name) ||
	       fstatat(runs->dirfd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISDIR(st.st_mode);
}

static int is_run(const struct dirent *e)
{
	return nf_store_is_run_name(e->d_name);
}

int nf_store_update(struct nf_store *s, const char *runs_dir, struct nf_store_update *ret,
                    struct nf_err *err)
{
	struct nf_store_update u = { 0 };
	struct dirent **entry = NULL;
	struct runs runs = { .dirfd = open(runs_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	int r = 0;

	if (runs.dirfd < 0)
		return nf_fail_os(err, errno, "%s", runs_dir);
	int n = scandirat(runs.dirfd, ".", &entry, is_run, alphasort);
	if (n < 0) {
		r = nf_fail_os(err, errno, "%s", runs_dir);
		n = 0;
	}
	for (int i = 0; i < n; i++) {
		struct folder f = { .name = entry[i]->d_name };

		nf_buf_init(&f.manifest, MANIFEST_BYTES);
		nf_buf_init(&f.record, RECORD_BYTES);
		f.fd = r == 0 ? openat(runs.dirfd, f.name,
		                       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
		              : -1;
		if (f.fd >= 0) {
			r = update_folder(s, &f, &u, err);
			close(f.fd);
		}
		nf_buf_fini(&f.manifest);
		nf_buf_fini(&f.record);
		free(entry[i]);
	}
	free(entry);
	if (r == 0)
		r = nf_store_prune(s, is_gone, &runs, &u.n_removed, err);
	close(runs.dirfd);
	if (r == 0)
		*ret = u;
	return r;
}
