/* SPDX-License-Identifier: MIT */
#include "record/json_record.h"

#include <string.h>

#include "base/json.h"
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

static void put_json(struct nf_json *j, const struct nf_type *t, const json_t *v)
{
	const json_t *item;
	size_t i;

	if (t->kind == NF_T_RECORD && json_is_object(v)) {
		nf_json_object(j);
		for (const struct nf_field *f = t->fields; f->key; f++) {
			nf_json_key(j, f->key);
			put_json(j, f->type, json_object_get(v, f->key));
		}
		nf_json_end(j);
	} else if (t->kind == NF_T_LIST && json_is_array(v)) {
		nf_json_array(j);
		json_array_foreach(v, i, item)
		{
			put_json(j, t->elem, item);
		}
		nf_json_end(j);
	} else if (json_is_string(v)) {
		nf_json_textn(j, json_string_value(v), json_string_length(v));
	} else if (json_is_boolean(v)) {
		nf_json_bool(j, json_is_true(v));
	} else if (t->kind == NF_T_REAL && json_is_number(v)) {
		nf_json_double(j, json_number_value(v));
	} else if (json_is_integer(v)) {
		nf_json_i64(j, json_integer_value(v));
	} else {
		nf_json_null(j);
	}
}

int nf_json_record_to_json(const struct nf_type *t, const json_t *value, struct nf_buf *out,
                           struct nf_err *err)
{
	size_t start = out->len_bytes;
	struct nf_json j;

	nf_json_init(&j, out, true);
	put_json(&j, t, value);
	int rc = nf_json_done(&j, err);
	if (rc != 0)
		nf_text_take_back(out, start);
	return rc;
}

struct texts {
	nf_text_fn *fn;
	void *ctx;
	struct nf_err *err;
};

static int texts_of(const struct texts *s, const struct nf_type *t, json_t *object);

/* One value: a text may come back as another one, in *ret_new. */
static int texts_at(const struct texts *s, const struct nf_type *record, const json_t *object,
                    const char *key, const struct nf_type *t, json_t *v, json_t **ret_new)
{
	const struct nf_text_at at = { record, object, key, v };
	json_t *item;
	size_t i;
	int rc = 0;

	if (t->kind == NF_T_TEXT && json_is_string(v))
		return s->fn(s->ctx, &at, ret_new, s->err);
	if (t->kind == NF_T_RECORD && json_is_object(v))
		return texts_of(s, t, v);
	if (t->kind != NF_T_LIST)
		return 0;
	json_array_foreach(v, i, item)
	{
		json_t *other = NULL;

		rc = texts_at(s, record, object, key, t->elem, item, &other);
		if (rc == 0 && other && json_array_set_new(v, i, other) < 0)
			rc = nf_fail_nomem(s->err, "a record", 0);
		if (rc < 0)
			break;
	}
	return rc;
}

static int texts_of(const struct texts *s, const struct nf_type *t, json_t *object)
{
	int rc = 0;

	for (const struct nf_field *f = t->fields; rc == 0 && f->key; f++) {
		json_t *other = NULL;

		rc = texts_at(s, t, object, f->key, f->type, json_object_get(object, f->key),
		              &other);
		if (rc == 0 && other && json_object_set_new(object, f->key, other) < 0)
			rc = nf_fail_nomem(s->err, "a record", 0);
	}
	return rc;
}

int nf_json_record_texts(const struct nf_type *t, json_t *value, nf_text_fn *fn, void *ctx,
                         struct nf_err *err)
{
	const struct texts s = { fn, ctx, err };

	return texts_of(&s, t, value);
}
