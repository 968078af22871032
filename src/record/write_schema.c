/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "base/json.h"
#include "record/text.h"
#include "record/walk.h"
#include "record/write.h"

static void key_text(struct nf_json *j, const char *key, const char *text)
{
	nf_json_key(j, key);
	nf_json_text(j, text);
}

/* The members of a schema for t, inside an object that is already open. */
static void put_type(struct nf_json *j, const struct nf_type *t)
{
	char ref[96];

	switch (t->kind) {
	case NF_T_BOOL:
		key_text(j, "type", "boolean");
		break;
	case NF_T_NAT:
		key_text(j, "type", "integer");
		nf_json_key(j, "minimum");
		nf_json_i64(j, 0);
		nf_json_key(j, "maximum");
		nf_json_i64(j, NF_RECORD_INT_MAX);
		break;
	case NF_T_INT:
		key_text(j, "type", "integer");
		nf_json_key(j, "minimum");
		nf_json_i64(j, -NF_RECORD_INT_MAX);
		nf_json_key(j, "maximum");
		nf_json_i64(j, NF_RECORD_INT_MAX);
		break;
	case NF_T_REAL:
		key_text(j, "type", "number");
		break;
	case NF_T_TEXT:
		key_text(j, "type", "string");
		break;
	case NF_T_ENUM:
	case NF_T_RECORD:
		snprintf(ref, sizeof(ref), "#/$defs/%s", t->name);
		key_text(j, "$ref", ref);
		break;
	case NF_T_LIST:
		key_text(j, "type", "array");
		nf_json_key(j, "items");
		nf_json_object(j);
		put_type(j, t->elem);
		nf_json_end(j);
		break;
	}
}

static void put_field(struct nf_json *j, const struct nf_field *f)
{
	nf_json_key(j, f->key);
	nf_json_object(j);
	key_text(j, "description", f->doc);
	if (nf_field_is_schema(f)) {
		nf_json_key(j, "const");
		nf_json_text(j, f->doc);
	} else if (f->optional) {
		nf_json_key(j, "anyOf");
		nf_json_array(j);
		nf_json_object(j);
		put_type(j, f->type);
		nf_json_end(j);
		nf_json_object(j);
		key_text(j, "type", "null");
		nf_json_end(j);
		nf_json_end(j);
	} else {
		put_type(j, f->type);
	}
	nf_json_end(j);
}

static void put_definition(struct nf_json *j, const struct nf_type *t)
{
	nf_json_key(j, t->name);
	nf_json_object(j);
	if (t->kind == NF_T_ENUM) {
		nf_json_key(j, "enum");
		nf_json_array(j);
		for (size_t i = 0; t->names[i]; i++)
			nf_json_text(j, t->names[i]);
		nf_json_end(j);
	} else {
		key_text(j, "type", "object");
		nf_json_key(j, "properties");
		nf_json_object(j);
		for (const struct nf_field *f = t->fields; f->key; f++)
			put_field(j, f);
		nf_json_end(j);
		nf_json_key(j, "required");
		nf_json_array(j);
		for (const struct nf_field *f = t->fields; f->key; f++)
			nf_json_text(j, f->key);
		nf_json_end(j);
		nf_json_key(j, "additionalProperties");
		nf_json_bool(j, false);
	}
	nf_json_end(j);
}

int nf_type_to_json_schema(const struct nf_type *t, struct nf_buf *out, struct nf_err *err)
{
	size_t start = out->len_bytes;
	struct nf_type_set set;
	struct nf_json j;
	int rc = nf_type_collect(t, &set, err);

	if (rc != 0)
		return rc;
	nf_json_init(&j, out, true);
	nf_json_object(&j);
	key_text(&j, "$schema", "https://json-schema.org/draft/2020-12/schema");
	if (t->name)
		key_text(&j, "title", t->name);
	put_type(&j, t);
	nf_json_key(&j, "$defs");
	nf_json_object(&j);
	for (size_t i = 0; i < set.n; i++)
		put_definition(&j, set.type[i]);
	nf_json_end(&j);
	nf_json_end(&j);
	rc = nf_json_done(&j, err);
	if (rc != 0)
		nf_text_take_back(out, start);
	return rc;
}
