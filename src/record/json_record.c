/* SPDX-License-Identifier: MIT */
#include "record/json_record.h"

#include <string.h>

#include "record/check_form.h"
#include "record/text.h"
#include "record/walk.h"
#include "record/write.h"

int nf_json_record_type(const json_t *root, const struct nf_type **ret, struct nf_err *err)
{
	const char *schema = json_string_value(json_object_get(root, "schema"));

	for (size_t i = 0; nf_record_types[i]; i++) {
		const struct nf_type *t = nf_record_types[i];
		const char *own = nf_record_schema(t);
		struct nf_err why;

		if (schema ? !own || strcmp(own, schema) != 0 : own != NULL)
			continue;
		int rc = nf_check_form(t, root, schema ? err : &why);
		if (rc == 0)
			*ret = t;
		if (rc == 0 || schema)
			return rc;
	}
	if (schema)
		return nf_fail(err, NF_EDATA, "schema %.80s is not known to this version", schema);
	return nf_fail(err, NF_EDATA, "no record: it has no text named schema");
}

static void put_scalar(struct nf_buf *out, const struct nf_type *t, const json_t *v)
{
	if (json_is_boolean(v))
		nf_buf_adds(out, json_is_true(v) ? "true" : "false");
	else if (json_is_string(v))
		nf_csv_text(out, json_string_value(v), json_string_length(v));
	else if (t->kind == NF_T_REAL && json_is_number(v))
		nf_buf_add_double(out, json_number_value(v));
	else if (json_is_integer(v))
		nf_buf_addf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
}

/* Types are trees: the depth is theirs. */
static void put(struct nf_buf *out, const struct nf_type *t, const json_t *v, struct nf_path *at)
{
	const json_t *item;
	size_t i;

	if (t->kind == NF_T_RECORD && json_is_object(v)) {
		for (const struct nf_field *f = t->fields; f->key; f++) {
			size_t before = nf_path_key(at, f->key);

			put(out, f->type, json_object_get(v, f->key), at);
			nf_path_cut(at, before);
		}
		return;
	}
	if (t->kind == NF_T_LIST && json_array_size(v) > 0) {
		json_array_foreach(v, i, item)
		{
			size_t before = nf_path_index(at, i);

			put(out, t->elem, item, at);
			nf_path_cut(at, before);
		}
		return;
	}
	nf_csv_text(out, at->text, at->len);
	nf_buf_addc(out, ',');
	put_scalar(out, t, v);
	nf_buf_addc(out, '\n');
}

int nf_json_record_to_csv(const struct nf_type *t, const json_t *value, struct nf_buf *out,
                          struct nf_err *err)
{
	size_t start = out->len_bytes;
	struct nf_path at = { .len = 0 };

	nf_buf_adds(out, "field,value\n");
	put(out, t, value, &at);
	int rc = nf_buf_failed(out, "a record as CSV", err);
	if (rc != 0)
		nf_text_take_back(out, start);
	return rc;
}
