/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysio.h"
#include "dhall/dhall.h"
#include "record/capture.h"
#include "record/project.h"
#include "record/run_view.h"
#include "record/write.h"

enum { RECORD_BYTES = 64 << 20, PATH_BYTES = 4096 };

static int parse(const char *path, const struct nf_buf *text, json_t **ret, struct nf_err *err)
{
	json_error_t where;
	json_t *v = json_loadb(text->data, text->len_bytes, JSON_REJECT_DUPLICATES, &where);

	if (!v && json_error_code(&where) == json_error_out_of_memory)
		return nf_fail_nomem(err, "a record", text->len_bytes);
	if (!v)
		return nf_fail(err, NF_EDATA, "%s:%d:%d: %s", path, where.line, where.column,
		               where.text);
	*ret = v;
	return 0;
}

int nf_run_of_capture(const char *name, const void *data, size_t len_bytes, json_t **ret,
                      struct nf_err *err)
{
	struct nf_project_input in = { name, data, len_bytes };
	struct nf_project_opts o = { .lane = NULL };
	struct nf_rec_projection p;
	struct nf_arena a;
	struct nf_buf text;
	json_t *v = NULL;
	int rc;

	nf_arena_init(&a, NF_PROJECT_ARENA_BYTES);
	nf_buf_init(&text, RECORD_BYTES);
	rc = nf_project(&in, 1, &o, &a, &p, err);
	if (rc < 0)
		goto out;
	const struct nf_rec_capture *c = p.captures.items;
	rc = nf_record_to_json(&nf_rec_capture_facts_type, &c->facts, &text, NULL, err);
	if (rc == 0)
		rc = parse(name, &text, &v, err);
	if (rc < 0)
		goto out;
	if (json_object_set_new(v, "schema", json_string("CaptureFacts")) < 0) {
		json_decref(v);
		rc = nf_fail_nomem(err, "a capture's facts", text.len_bytes);
		goto out;
	}
	*ret = v;
out:
	nf_buf_fini(&text);
	nf_arena_fini(&a);
	return rc;
}

static int read_file(const char *path, struct nf_buf *out, struct nf_err *err)
{
	int fd = nf_open_input(path, "run folders, records (*.json, *.dhall), captures", err), rc;

	if (fd < 0)
		return fd;
	rc = nf_read_all(fd, out, path, err);
	close(fd);
	return rc;
}

static int read_dhall(const char *path, struct nf_buf *out, struct nf_err *err)
{
	struct nf_dhall_loaded l;
	struct nf_dhall *d = NULL;
	int rc = nf_dhall_new(&d, err);

	if (rc < 0)
		return rc;
	rc = nf_dhall_load(d, path, &l, err);
	if (rc == 0)
		rc = nf_dhall_to_json(d, l.value, false, out, err);
	nf_dhall_free(d);
	return rc;
}

static bool ends(const char *path, const char *with)
{
	size_t n = strlen(path), k = strlen(with);

	return n > k && strcmp(path + n - k, with) == 0;
}

int nf_run_read(const char *path, json_t **ret, struct nf_err *err)
{
	char inside[PATH_BYTES];
	struct nf_buf text;
	struct stat st;
	int rc;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
		int n = snprintf(inside, sizeof(inside), "%s/record.json", path);

		if (n < 0 || (size_t)n >= sizeof(inside))
			return nf_fail(err, NF_EARG, "%.100s...: the path is too long", path);
		path = inside;
	}
	nf_buf_init(&text, RECORD_BYTES);
	if (ends(path, ".dhall"))
		rc = read_dhall(path, &text, err);
	else
		rc = read_file(path, &text, err);
	if (rc == 0 && (ends(path, ".dhall") || ends(path, ".json")))
		rc = parse(path, &text, ret, err);
	else if (rc == 0)
		rc = nf_run_of_capture(path, text.data, text.len_bytes, ret, err);
	nf_buf_fini(&text);
	return rc;
}
