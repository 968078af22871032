/* SPDX-License-Identifier: MIT */
#include "cli/evidence_dhall.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/sysio.h"
#include "dhall/dhall.h"
#include "record/write.h"

enum { TYPE_BYTES = 1 << 20 };

/* One session's work on f: text for standard output. */
typedef int work_fn(struct nf_dhall *d, const struct nf_evidence_file *f, struct nf_buf *out,
                    struct nf_err *err);

/* The message, and the line of the source that it speaks of. */
static int explain(const struct nf_evidence_file *f, const struct nf_dhall *d, int rc,
                   const struct nf_err *err)
{
	struct nf_buf lines;

	nf_buf_init(&lines, 4096);
	nf_dhall_show_line(d, &lines);
	nf_cli_note(f->cli, "%s", err->msg);
	for (char *line = lines.data, *end; (end = strchr(line, '\n')); line = end + 1)
		nf_cli_note(f->cli, "%.*s", (int)(end - line), line);
	nf_buf_fini(&lines);
	return nf_exit_code(rc);
}

static int run(const struct nf_evidence_file *f, work_fn *work, struct nf_err *err)
{
	struct nf_dhall *d = NULL;
	struct nf_buf out;
	int rc;

	if (!f->path)
		return nf_fail(err, NF_EARG, "one operand is needed; allowed: evidence %s FILE",
		               f->subcommand);
	rc = nf_dhall_new(&d, err);
	if (rc < 0)
		return rc;
	nf_buf_init(&out, NF_DHALL_TEXT_BYTES + 1);
	if (f->root)
		rc = nf_dhall_set_root(d, f->root, err);
	if (rc == 0)
		rc = work(d, f, &out, err);
	if (rc == 0 && !f->cli->global->quiet)
		rc = nf_cli_write(f->cli, out.data, out.len_bytes, err);
	else if (rc == -NF_EDATA && f->show_line)
		rc = explain(f, d, rc, err);
	nf_buf_fini(&out);
	nf_dhall_free(d);
	return rc;
}

static int hash(struct nf_dhall *d, const struct nf_evidence_file *f, struct nf_buf *out,
                struct nf_err *err)
{
	struct nf_dhall_loaded l;
	char hex[NF_SHA256_HEX];
	int rc = nf_dhall_load(d, f->path, &l, err);

	if (rc == 0)
		rc = nf_dhall_hash(d, l.value, hex, err);
	if (rc < 0)
		return rc;
	if (f->cli->global->json)
		(void)nf_buf_addf(out, "{\"hash\": \"sha256:%s\"}\n", hex);
	else
		(void)nf_buf_addf(out, "sha256:%s\n", hex);
	return nf_buf_failed(out, "the hash", err);
}

static int to_json(struct nf_dhall *d, const struct nf_evidence_file *f, struct nf_buf *out,
                   struct nf_err *err)
{
	struct nf_dhall_loaded l;
	int rc = nf_dhall_load(d, f->path, &l, err);

	return rc < 0 ? rc : nf_dhall_to_json(d, l.value, true, out, err);
}

static int show(struct nf_dhall *d, const struct nf_evidence_file *f, struct nf_buf *out,
                struct nf_err *err)
{
	struct nf_dhall_loaded l;
	int rc = nf_dhall_load(d, f->path, &l, err);

	return rc < 0 ? rc : nf_dhall_print(d, l.value, out, err);
}

/* The type that the record's schema names, in normal form; NULL: it names none of ours. */
static int type_of_record(struct nf_dhall *d, const struct nf_buf *json,
                          const struct nf_dexpr **ret, struct nf_err *err)
{
	json_t *root = json_loadb(json->data, json->len_bytes, 0, NULL);
	const char *schema = json_string_value(json_object_get(root, "schema"));
	const struct nf_dexpr *source;
	struct nf_buf text;
	int rc = 0;

	*ret = NULL;
	nf_buf_init(&text, TYPE_BYTES);
	for (size_t i = 0; schema && nf_record_types[i]; i++) {
		const char *own = nf_record_schema(nf_record_types[i]);

		if (!own || strcmp(own, schema) != 0)
			continue;
		rc = nf_type_to_dhall(nf_record_types[i], &text, err);
		if (rc == 0)
			rc = nf_dhall_parse(d, schema, text.data, text.len_bytes, &source, err);
		if (rc == 0)
			rc = nf_dhall_normalise(d, source, ret, err);
		break;
	}
	nf_buf_fini(&text);
	json_decref(root);
	return rc;
}

static int to_dhall(struct nf_dhall *d, const struct nf_evidence_file *f, struct nf_buf *out,
                    struct nf_err *err)
{
	const struct nf_dexpr *type, *value;
	struct nf_buf json;
	int rc, fd;

	fd = open(f->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return nf_fail(err, errno == ENOENT || errno == ENOTDIR ? NF_EARG : NF_EOS,
		               "%s: %s", f->path, strerror(errno));
	nf_buf_init(&json, NF_DHALL_SOURCE_BYTES);
	rc = nf_read_all(fd, &json, f->path, err);
	close(fd);
	if (rc == 0)
		rc = type_of_record(d, &json, &type, err);
	if (rc == 0)
		rc = nf_dhall_from_json(d, type, f->path, json.data, json.len_bytes, &value, err);
	if (rc == 0)
		rc = nf_dhall_print(d, value, out, err);
	nf_buf_fini(&json);
	return rc;
}

int nf_evidence_hash(const struct nf_evidence_file *f, struct nf_err *err)
{
	return run(f, hash, err);
}

int nf_evidence_show(const struct nf_evidence_file *f, struct nf_err *err)
{
	return run(f, show, err);
}

int nf_evidence_to_json(const struct nf_evidence_file *f, struct nf_err *err)
{
	return run(f, to_json, err);
}

int nf_evidence_to_dhall(const struct nf_evidence_file *f, struct nf_err *err)
{
	return run(f, to_dhall, err);
}
