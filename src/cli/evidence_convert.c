/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/sysio.h"
#include "cli/evidence_dhall.h"
#include "record/write.h"

enum { TYPE_BYTES = 1 << 20 };

enum { TO_JSON = 1, TO_DHALL };

struct params {
	int to;
	struct nf_evidence_read read;
};

static const char *const forms[] = { "", [TO_JSON] = "json", [TO_DHALL] = "dhall", NULL };

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_CHOICE(0, "to", struct params, to, forms, 0, "FORM", "what to write"), .def_text = "" },
	NF_EVIDENCE_READ_OPTS(struct params, read),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int to_json(struct nf_dhall *d, const struct nf_cli *cli, const char *path,
                   struct nf_buf *out, struct nf_err *err)
{
	struct nf_dhall_loaded l;
	int rc = nf_dhall_load(d, path, &l, err);

	(void)cli;
	return rc < 0 ? rc : nf_dhall_to_json(d, l.value, true, out, err);
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

static int to_dhall(struct nf_dhall *d, const struct nf_cli *cli, const char *path,
                    struct nf_buf *out, struct nf_err *err)
{
	const struct nf_dexpr *type, *value;
	struct nf_buf json;
	int rc, fd;

	(void)cli;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return nf_fail(err, errno == ENOENT || errno == ENOTDIR ? NF_EARG : NF_EOS,
		               "%s: %s", path, strerror(errno));
	nf_buf_init(&json, NF_DHALL_SOURCE_BYTES);
	rc = nf_read_all(fd, &json, path, err);
	close(fd);
	if (rc == 0)
		rc = type_of_record(d, &json, &type, err);
	if (rc == 0)
		rc = nf_dhall_from_json(d, type, path, json.data, json.len_bytes, &value, err);
	if (rc == 0)
		rc = nf_dhall_print(d, value, out, err);
	nf_buf_fini(&json);
	return rc;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;

	(void)argc;
	if (!p->to)
		return nf_fail(err, NF_EARG, "--to is missing; allowed: json, dhall");
	return nf_evidence_session(cli, &p->read, argv[0], p->to == TO_JSON ? to_json : to_dhall,
	                           err);
}

const struct nf_cmd nf_cmd_evidence_convert = {
	.name = "evidence convert",
	.operands = "FILE",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "a record as JSON or as Dhall",
	.description = "Writes a Dhall file as JSON, or a record's JSON as Dhall. Local imports "
	               "are followed within the root; functions, remote and environment imports "
	               "are refused by name.",
	.examples = "evidence convert --to json runs/X/record.dhall # as JSON",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "evidence convert --to json {run}/record.dhall",
	.test_short = "evidence convert --to json {run}/record.dhall",
	.run = run,
};
