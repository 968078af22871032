/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "cli/evidence_record.h"
#include "record/json_record.h"
#include "record/runfolder.h"
#include "record/write.h"
#include "report/junit.h"
#include "report/text.h"

enum { TYPE_BYTES = 1 << 20 };

enum { TO_JSON = 1, TO_DHALL, TO_CSV, TO_JUNIT };

struct params {
	int to;
	struct nf_evidence_read read;
};

static const char *const forms[] = {
	"", [TO_JSON] = "json", [TO_DHALL] = "dhall", [TO_CSV] = "csv", [TO_JUNIT] = "junit", NULL
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_CHOICE(0, "to", struct params, to, forms, 0, "FORM", "what to write"), .def_text = "" },
	NF_EVIDENCE_READ_OPTS(struct params, read),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int to_json(struct nf_dhall *d, const struct nf_cli *cli, const char *operand,
                   struct nf_buf *out, struct nf_err *err)
{
	char path[PATH_MAX];
	json_error_t where;
	int rc = nf_evidence_path(operand, path, err);

	(void)cli;
	if (rc == 0)
		rc = nf_evidence_json_text(d, path, out, err);
	if (rc < 0 || nf_evidence_is_dhall(path))
		return rc;
	/* JSON as it is: written again, its numbers would come out with other digits. */
	json_t *root =
	        json_loadb(out->data, out->len_bytes, JSON_DECODE_ANY | JSON_ALLOW_NUL, &where);
	if (!root)
		return nf_fail(err, NF_EDATA, "%s:%d:%d: %s", path, where.line, where.column,
		               where.text);
	json_decref(root);
	return 0;
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

static int to_dhall(struct nf_dhall *d, const struct nf_cli *cli, const char *operand,
                    struct nf_buf *out, struct nf_err *err)
{
	const struct nf_dexpr *type, *value;
	struct nf_dhall_loaded l;
	struct nf_buf json;
	char path[PATH_MAX];
	int rc = nf_evidence_path(operand, path, err);

	(void)cli;
	if (rc == 0 && nf_evidence_is_dhall(path)) {
		rc = nf_dhall_load(d, path, &l, err);
		return rc < 0 ? rc : nf_dhall_print(d, l.value, out, err);
	}
	nf_buf_init(&json, NF_DHALL_SOURCE_BYTES);
	if (rc == 0)
		rc = nf_evidence_json_text(d, path, &json, err);
	if (rc == 0)
		rc = type_of_record(d, &json, &type, err);
	if (rc == 0)
		rc = nf_dhall_from_json(d, type, path, json.data, json.len_bytes, &value, err);
	if (rc == 0)
		rc = nf_dhall_print(d, value, out, err);
	nf_buf_fini(&json);
	return rc;
}

static int add_record(const struct params *p, const char *operand, struct nf_buf *out,
                      struct nf_err *err)
{
	struct nf_evidence_record r = { 0 };
	int rc = nf_evidence_load(operand, p->read.root, &r, err);

	if (rc == 0 && p->to == TO_CSV)
		rc = nf_json_record_to_csv(r.type, r.root, out, err);
	else if (rc == 0)
		nf_junit_suite(r.type, r.root, operand, out);
	nf_evidence_record_fini(&r);
	return rc;
}

/* CSV of one record, JUnit of any number. */
static int to_text(struct nf_cli *cli, const struct params *p, int argc, const char *const argv[],
                   struct nf_err *err)
{
	struct nf_buf out;
	int rc = 0;

	nf_buf_init(&out, NF_RECORD_TEXT_BYTES);
	if (p->to == TO_JUNIT)
		nf_junit_begin(&out);
	for (int i = 0; rc == 0 && i < argc; i++)
		rc = add_record(p, argv[i], &out, err);
	if (p->to == TO_JUNIT)
		nf_junit_end(&out);
	if (rc == 0)
		rc = nf_buf_failed(&out, "the records", err);
	if (rc == 0 && isatty(STDOUT_FILENO)) {
		(void)nf_text_printable(&out);
		rc = nf_buf_failed(&out, "the records", err);
	}
	if (rc == 0 && !cli->global->quiet)
		rc = nf_cli_write(cli, out.data, out.len_bytes, err);
	nf_buf_fini(&out);
	return rc;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;

	if (!p->to)
		return nf_fail(err, NF_EARG, "--to is missing; allowed: json, dhall, csv, junit");
	if (argc > 1 && p->to != TO_JUNIT)
		return nf_fail(err, NF_EARG, "--to %s takes one PATH; only junit takes several",
		               forms[p->to]);
	if (cli->global->json && p->to != TO_JSON)
		return nf_fail(err, NF_EARG, "--json and --to %s exclude each other", forms[p->to]);
	for (int i = 0; i < argc; i++)
		nf_evidence_warn(cli, argv[i]);
	if (p->to == TO_CSV || p->to == TO_JUNIT)
		return to_text(cli, p, argc, argv, err);
	return nf_evidence_session(cli, &p->read, argv[0], p->to == TO_JSON ? to_json : to_dhall,
	                           err);
}

const struct nf_cmd nf_cmd_evidence_convert = {
	.name = "evidence convert",
	.operands = "PATH...",
	.min_operands = 1,
	.max_operands = NF_OPERANDS_ANY,
	.summary = "a record as JSON, Dhall, CSV or JUnit",
	.description =
	        "Writes a record in another form: a run's folder, a *.dhall file, or a record's "
	        "*.json. json and dhall take any Dhall value too. csv has a line a field under the "
	        "header field,value; units stand in the fields' names. junit, for gates in CI, "
	        "takes any number of records: a test suite each, with a case for every step and "
	        "for every limit that a step was judged against, every line of a profile, every "
	        "property. fail is a failure; what was blocked, partial or skipped is skipped, "
	        "with the reason.\n\n"
	        "A run's record that is not the one its MANIFEST names, or not complete, is "
	        "written "
	        "all the same, with a warning on standard error. Local imports are followed within "
	        "the root; functions, remote and environment "
	        "imports are refused by name.",
	.examples = "evidence convert --to json runs/X/record.dhall # as JSON\n"
	            "evidence convert --to junit runs/X runs/Y # verdicts for a CI server",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "evidence convert --to csv {run}",
	.test_short = "evidence convert --to json {run}",
	.run = run,
};
