/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "record/check_form.h"
#include "record/walk.h"

static int wrong(const struct nf_path *at, const char *what, struct nf_err *err)
{
	return nf_fail(err, NF_EDATA, "%s: %s", at->len > 0 ? at->text : "the record", what);
}

static int check_integer(const json_t *v, int64_t least, struct nf_path *at, struct nf_err *err)
{
	if (!json_is_integer(v))
		return wrong(at, "is no integer", err);
	json_int_t i = json_integer_value(v);
	if (i < least || i > NF_RECORD_INT_MAX)
		return wrong(at, "is out of range", err);
	return 0;
}

static int check_enum(const struct nf_type *t, const json_t *v, struct nf_path *at,
                      struct nf_err *err)
{
	const char *s = json_string_value(v);

	for (size_t i = 0; s && t->names[i]; i++)
		if (strcmp(t->names[i], s) == 0)
			return 0;
	return wrong(at, "is none of its alternatives", err);
}

static int check(const struct nf_type *t, const json_t *v, struct nf_path *at, struct nf_err *err);

static int check_record(const struct nf_type *t, const json_t *v, struct nf_path *at,
                        struct nf_err *err)
{
	size_t n = 0;

	if (!json_is_object(v))
		return wrong(at, "is no object", err);
	for (const struct nf_field *f = t->fields; f->key; f++, n++) {
		const json_t *inner = json_object_get(v, f->key);
		size_t before = nf_path_key(at, f->key);
		int rc = 0;

		if (!inner)
			rc = wrong(at, "is missing", err);
		else if (!f->optional || !json_is_null(inner))
			rc = check(f->type, inner, at, err);
		nf_path_cut(at, before);
		if (rc != 0)
			return rc;
	}
	if (json_object_size(v) != n)
		return wrong(at, "has a field that is not of its type", err);
	return 0;
}

/* Types are trees without cycles: the depth of the walk is theirs. */
static int check(const struct nf_type *t, const json_t *v, struct nf_path *at, struct nf_err *err)
{
	const json_t *inner;
	size_t i;

	switch (t->kind) {
	case NF_T_BOOL:
		return json_is_boolean(v) ? 0 : wrong(at, "is neither true nor false", err);
	case NF_T_NAT:
		return check_integer(v, 0, at, err);
	case NF_T_INT:
		return check_integer(v, -NF_RECORD_INT_MAX, at, err);
	case NF_T_REAL:
		return json_is_number(v) ? 0 : wrong(at, "is no number", err);
	case NF_T_TEXT:
		return json_is_string(v) ? 0 : wrong(at, "is no text", err);
	case NF_T_ENUM:
		return check_enum(t, v, at, err);
	case NF_T_RECORD:
		return check_record(t, v, at, err);
	case NF_T_LIST:
		if (!json_is_array(v))
			return wrong(at, "is no list", err);
		json_array_foreach(v, i, inner)
		{
			size_t before = nf_path_index(at, i);
			int rc = check(t->elem, inner, at, err);

			nf_path_cut(at, before);
			if (rc != 0)
				return rc;
		}
		return 0;
	}
	return wrong(at, "is of no known kind", err);
}

int nf_check_form(const struct nf_type *t, const json_t *value, struct nf_err *err)
{
	struct nf_path at = { .len = 0 };

	return check(t, value, &at, err);
}
