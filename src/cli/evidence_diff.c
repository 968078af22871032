/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/evidence_record.h"
#include "record/json_diff.h"
#include "record/runfolder.h"

enum { SHOWN_BYTES = 200 };

struct params {
	struct nf_evidence_read read;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_PATH(0, "root", struct params, read.root, NULL, "DIR",
		"folder that imports may not leave"),
	  .def_text = "the nearest with .git or MANIFEST, else the parent of the file's folder" },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

struct diff {
	struct nf_cli *cli;
	struct nf_buf out;
	struct nf_json json;
};

static const char *const kind_names[] = { [NF_DIFF_CHANGED] = "changed",
	                                  [NF_DIFF_ONLY_A] = "only in a",
	                                  [NF_DIFF_ONLY_B] = "only in b",
	                                  [NF_DIFF_TYPE] = "type" };

/* A value in a line of text: a list or a record only says how much it holds. */
static int put_value(struct nf_buf *out, const json_t *v, struct nf_err *err)
{
	if (!v) {
		(void)nf_buf_adds(out, "none");
	} else if (json_is_object(v)) {
		(void)nf_buf_addf(out, "a record of %zu fields", json_object_size(v));
	} else if (json_is_array(v)) {
		(void)nf_buf_addf(out, "a list of %zu", json_array_size(v));
	} else if (json_is_real(v)) {
		(void)nf_buf_add_double(out, json_real_value(v));
	} else {
		char *text = json_dumps(v, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);

		if (!text)
			return nf_fail_nomem(err, "a value", SHOWN_BYTES);
		(void)nf_buf_addf(out, "%.*s%s", SHOWN_BYTES, text,
		                  strlen(text) > SHOWN_BYTES ? "..." : "");
		free(text);
	}
	return 0;
}

static bool are_numbers(const struct nf_difference *d)
{
	return d->kind == NF_DIFF_CHANGED && json_is_number(d->a) && json_is_number(d->b);
}

/* b over a; NaN where that says nothing. */
static double ratio_of(const struct nf_difference *d)
{
	double a = json_number_value(d->a), b = json_number_value(d->b);

	return a != 0 && (a > 0) == (b > 0) && isfinite(b / a) ? b / a : (double)NAN;
}

static int text_line(struct diff *s, const struct nf_difference *d, struct nf_err *err)
{
	int rc;

	(void)nf_buf_addf(&s->out, "%s: ", d->path);
	rc = put_value(&s->out, d->a, err);
	if (rc == 0)
		(void)nf_buf_adds(&s->out, " -> ");
	if (rc == 0)
		rc = put_value(&s->out, d->b, err);
	bool numbers = are_numbers(d);
	if (*d->unit && (numbers || json_is_number(d->a) || json_is_number(d->b)))
		(void)nf_buf_addf(&s->out, " %s", d->unit);
	if (rc == 0 && numbers) {
		double by = json_number_value(d->b) - json_number_value(d->a);

		(void)nf_buf_addf(&s->out, "  (%+.6g", by);
		if (!isnan(ratio_of(d)))
			(void)nf_buf_addf(&s->out, ", x %.6g", ratio_of(d));
		(void)nf_buf_addc(&s->out, ')');
	}
	(void)nf_buf_addc(&s->out, '\n');
	return rc;
}

static void json_value(struct nf_json *j, const char *key, const json_t *v)
{
	const char *name;
	json_t *inner;
	size_t i;

	if (key)
		nf_json_key(j, key);
	if (json_is_object(v)) {
		/* jansson's iterators take no const object; they do not change it. */
		json_t *object = json_incref((json_t *)(uintptr_t)v);

		nf_json_object(j);
		json_object_foreach(object, name, inner)
		{
			json_value(j, name, inner);
		}
		nf_json_end(j);
		json_decref(object);
	} else if (json_is_array(v)) {
		nf_json_array(j);
		json_array_foreach(v, i, inner)
		{
			json_value(j, NULL, inner);
		}
		nf_json_end(j);
	} else if (json_is_string(v)) {
		nf_json_textn(j, json_string_value(v), json_string_length(v));
	} else if (json_is_integer(v)) {
		nf_json_i64(j, json_integer_value(v));
	} else if (json_is_real(v)) {
		nf_json_double(j, json_real_value(v));
	} else if (json_is_boolean(v)) {
		nf_json_bool(j, json_is_true(v));
	} else {
		nf_json_null(j);
	}
}

static void json_item(struct diff *s, const struct nf_difference *d)
{
	struct nf_json *j = &s->json;
	bool numbers = are_numbers(d);
	double by = json_number_value(d->b) - json_number_value(d->a);

	nf_json_object(j);
	nf_json_key(j, "path");
	nf_json_text(j, d->path);
	nf_json_key(j, "kind");
	nf_json_text(j, kind_names[d->kind]);
	json_value(j, "a", d->a);
	json_value(j, "b", d->b);
	nf_json_key(j, "unit");
	nf_json_text(j, *d->unit ? d->unit : NULL);
	nf_json_key(j, "difference");
	if (numbers && isfinite(by))
		nf_json_double(j, by);
	else
		nf_json_null(j);
	nf_json_key(j, "ratio");
	if (numbers && !isnan(ratio_of(d)))
		nf_json_double(j, ratio_of(d));
	else
		nf_json_null(j);
	nf_json_end(j);
}

static int found(void *ctx, const struct nf_difference *d, struct nf_err *err)
{
	struct diff *s = ctx;

	if (s->cli->global->json) {
		json_item(s, d);
		return nf_buf_failed(&s->out, "the differences", err);
	}
	int rc = text_line(s, d, err);
	return rc < 0 ? rc : nf_buf_failed(&s->out, "the differences", err);
}

static int print(struct diff *s, const struct nf_evidence_record r[2], size_t *ret_n,
                 struct nf_err *err)
{
	bool json = s->cli->global->json;

	if (json) {
		nf_json_object(&s->json);
		nf_json_key(&s->json, "a");
		nf_json_text(&s->json, r[0].path);
		nf_json_key(&s->json, "b");
		nf_json_text(&s->json, r[1].path);
		nf_json_key(&s->json, "differences");
		nf_json_array(&s->json);
	}
	int rc = nf_json_diff(r[0].type, r[0].root, r[1].type, r[1].root, found, s, ret_n, err);
	if (rc == 0 && json) {
		nf_json_end(&s->json);
		nf_json_end(&s->json);
		rc = nf_json_done(&s->json, err);
	}
	if (rc == 0)
		rc = nf_buf_failed(&s->out, "the differences", err);
	if (rc == 0 && !s->cli->global->quiet)
		rc = nf_cli_write(s->cli, s->out.data, s->out.len_bytes, err);
	return rc;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_evidence_record r[2] = { { 0 }, { 0 } };
	struct diff s = { .cli = cli };
	size_t n = 0;
	int rc = 0;

	(void)argc;
	nf_buf_init(&s.out, NF_RECORD_TEXT_BYTES);
	nf_json_init(&s.json, &s.out, true);
	for (int i = 0; rc == 0 && i < 2; i++)
		rc = nf_evidence_load(argv[i], p->read.root, &r[i], err);
	for (int i = 0; rc == 0 && i < 2; i++)
		nf_evidence_warn(cli, argv[i]);
	if (rc == 0)
		rc = print(&s, r, &n, err);
	nf_evidence_record_fini(&r[0]);
	nf_evidence_record_fini(&r[1]);
	nf_buf_fini(&s.out);
	return rc < 0 ? rc : n ? NF_EXIT_FAIL : NF_EXIT_PASS;
}

const struct nf_cmd nf_cmd_evidence_diff = {
	.name = "evidence diff",
	.operands = "A B",
	.min_operands = 2,
	.max_operands = 2,
	.summary = "where two records differ, field by field",
	.description =
	        "Compares two records, each a run's folder, a *.json or a *.dhall file, and prints "
	        "a line for every field that differs: both values, the unit, and for numbers the "
	        "difference and the ratio. Elements of lists are matched by what names them (CPU, "
	        "stream, name), not by their place. Two records of other types are compared in "
	        "the fields that both have, and the first line says so. Exits 0 when nothing "
	        "differs, 1 otherwise.\n\n"
	        "A run's record that is not the one its MANIFEST names, or not complete, is "
	        "compared "
	        "all the same, with a warning on standard error. It says what differs, not whether "
	        "the difference means anything: two runs of one "
	        "machine differ in every measured figure.",
	.examples = "evidence diff runs/X runs/Y # every field\n"
	            "--json evidence diff runs/X runs/X/record.dhall # the two forms of one record",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "evidence diff {run} {run}",
	.test_short = "evidence diff --json {run} {run}",
	.run = run,
};
