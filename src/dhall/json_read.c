/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "dhall/session.h"

struct json_path {
	const struct json_path *up;
	const char *key; /* NULL: index */
	size_t index;
};

struct from {
	struct nf_dhall *d;
	const char *name;
	int depth;
};

static const struct nf_dplace nowhere;

static const struct nf_dexpr *typed(struct from *f, const struct json_path *path,
                                    const struct nf_dexpr *type, json_t *j);
static const struct nf_dexpr *untyped(struct from *f, const struct json_path *path, json_t *j);

static void path_text(const struct json_path *path, char *out, size_t size)
{
	size_t n;

	if (!path) {
		*out = '\0';
		return;
	}
	path_text(path->up, out, size);
	n = strlen(out);
	if (path->key)
		snprintf(out + n, size - n, "%s%s", n ? "." : "", path->key);
	else
		snprintf(out + n, size - n, "[%zu]", path->index);
}

static void *bad(struct from *f, const struct json_path *path, const char *what, const char *arg)
{
	char where[200];

	path_text(path, where, sizeof(where));
	return nf_dhall_fail_code(f->d, NF_EDATA, "%s: %s%s%s%s", f->name, where,
	                          *where ? ": " : "", what, arg);
}

static const struct nf_dexpr *text_of(struct from *f, const struct json_path *path, const char *s,
                                      size_t n)
{
	struct nf_dchunk *c = nf_dhall_alloc(f->d, 1, sizeof(*c));

	/* What is no text elsewhere (it would be replaced there) is refused here. */
	for (size_t at = 0; at < n;) {
		uint32_t cp;
		int wrong;

		at += nf_utf8_next(s + at, n - at, &cp, &wrong);
		if (wrong || nf_utf8_is_noncharacter(cp))
			return bad(f, path, "a non-character of Unicode (U+FFFF and its like)", "");
	}
	if (!c)
		return NULL;
	c->text = nf_dstr_copy(f->d, s, n);
	return c->text.p ? nf_dx_text(f->d, nowhere, c, 1) : NULL;
}

static const struct nf_dexpr *whole(struct from *f, json_int_t v, bool integer)
{
	char digits[32];
	/* -v of the least value does not fit. */
	unsigned long long size = v < 0 ? 0ULL - (unsigned long long)v : (unsigned long long)v;
	int n = snprintf(digits, sizeof(digits), "%llu", size);

	return nf_dx_number(f->d, nowhere, nf_dstr_copy(f->d, digits, (size_t)n), integer, v < 0);
}

/* A name of a field, as the grammar allows it. */
static bool label_of(struct from *f, const struct json_path *path, const char *key,
                     struct nf_dstr *ret)
{
	for (const char *p = key; *p; p++)
		if (*p < 0x20 || *p > 0x7e || *p == '`') {
			bad(f, path, "no name that Dhall can have for a field: ", key);
			return false;
		}
	*ret = nf_dstr_copy(f->d, key, strlen(key));
	return ret->p;
}

static const struct nf_dexpr *record(struct from *f, const struct json_path *path,
                                     const struct nf_dexpr *type, json_t *j)
{
	struct nf_dfield *out;
	const char *key;
	json_t *v;

	if (!json_is_object(j))
		return bad(f, path, "an object is expected", "");
	json_object_foreach(j, key, v) if (!nf_dx_find(type, nf_dstr_of(key))) return bad(
	        f, path, "the type has no field ", key);
	out = nf_dhall_alloc(f->d, type->n, sizeof(*out));
	for (size_t i = 0; out && i < type->n; i++) {
		struct nf_dstr name = type->field[i].name;
		struct json_path inner = { .up = path,
			                   .key = nf_dstr_copy(f->d, name.p, name.n).p };

		if (!inner.key)
			return NULL;
		v = json_object_get(j, inner.key);
		if (!v && !nf_dx_arg_of(type->field[i].value, NF_DB_OPTIONAL))
			return bad(f, &inner, "it is not there", "");
		out[i].name = name;
		out[i].value = typed(f, &inner, type->field[i].value, v);
		if (!out[i].value)
			return NULL;
	}
	return out ? nf_dx_fields(f->d, nowhere, NF_D_RECORD, out, type->n) : NULL;
}

/* An object as a list of { mapKey, mapValue }. */
static const struct nf_dexpr *map(struct from *f, const struct json_path *path,
                                  const struct nf_dexpr *entry, json_t *j)
{
	const struct nf_dexpr **item;
	const char *key;
	size_t n = 0;
	json_t *v;

	if (entry->kind != NF_D_RECORD_TYPE || entry->n != 2 ||
	    !nf_dstr_is(entry->field[0].name, "mapKey") ||
	    !nf_dstr_is(entry->field[1].name, "mapValue") ||
	    !nf_dx_is(entry->field[0].value, NF_DB_TEXT))
		return bad(f, path, "a list is expected", "");
	item = nf_dhall_alloc(f->d, json_object_size(j), sizeof(const struct nf_dexpr *));
	if (!item)
		return NULL;
	json_object_foreach(j, key, v)
	{
		struct json_path inner = { .up = path, .key = key };
		struct nf_dfield *pair = nf_dhall_alloc(f->d, 2, sizeof(*pair));

		if (!pair)
			return NULL;
		pair[0] = (struct nf_dfield){ entry->field[0].name,
			                      text_of(f, &inner, key, strlen(key)), 0 };
		pair[1] = (struct nf_dfield){ entry->field[1].name,
			                      typed(f, &inner, entry->field[1].value, v), 1 };
		item[n] = nf_dx_fields(f->d, nowhere, NF_D_RECORD, pair, 2);
		if (!item[n++])
			return NULL;
	}
	return nf_dx_items(f->d, nowhere, NF_D_LIST, item, n);
}

static const struct nf_dexpr *list(struct from *f, const struct json_path *path,
                                   const struct nf_dexpr *type, const struct nf_dexpr *of,
                                   json_t *j)
{
	size_t n = json_is_object(j) ? json_object_size(j) : json_array_size(j);
	const struct nf_dexpr **item;

	if (!json_is_array(j) && !json_is_object(j))
		return bad(f, path, "a list is expected", "");
	if (n == 0)
		return nf_dx_one(f->d, nowhere, NF_D_EMPTY, type);
	if (json_is_object(j))
		return map(f, path, of, j);
	item = nf_dhall_alloc(f->d, n, sizeof(const struct nf_dexpr *));
	for (size_t i = 0; item && i < n; i++) {
		struct json_path inner = { .up = path, .index = i };

		item[i] = typed(f, &inner, of, json_array_get(j, i));
		if (!item[i])
			return NULL;
	}
	return nf_dx_items(f->d, nowhere, NF_D_LIST, item, n);
}

static const struct nf_dexpr *alternative(struct from *f, const struct json_path *path,
                                          const struct nf_dexpr *type, json_t *j)
{
	const struct nf_dfield *found;

	if (!json_is_string(j))
		return bad(f, path, "the name of an alternative is expected", "");
	found = nf_dx_find(type, (struct nf_dstr){ json_string_value(j), json_string_length(j) });
	if (!found)
		return bad(f, path, "the type has no alternative ", json_string_value(j));
	if (found->value)
		return bad(f, path, "JSON does not tell alternatives with a payload apart", "");
	return nf_dx_sel(f->d, nowhere, type, found->name);
}

static const struct nf_dexpr *scalar(struct from *f, const struct json_path *path,
                                     const struct nf_dexpr *type, json_t *j)
{
	if (nf_dx_is(type, NF_DB_BOOL))
		return json_is_boolean(j) ? nf_dx_bool(f->d, nowhere, json_is_true(j))
		                          : bad(f, path, "true or false is expected", "");
	if (nf_dx_is(type, NF_DB_TEXT))
		return json_is_string(j)
		               ? text_of(f, path, json_string_value(j), json_string_length(j))
		               : bad(f, path, "a text is expected", "");
	if (nf_dx_is(type, NF_DB_DOUBLE))
		return json_is_number(j) ? nf_dx_double(f->d, nowhere, json_number_value(j))
		                         : bad(f, path, "a number is expected", "");
	if (nf_dx_is(type, NF_DB_INTEGER))
		return json_is_integer(j) ? whole(f, json_integer_value(j), true)
		                          : bad(f, path, "a whole number is expected", "");
	if (nf_dx_is(type, NF_DB_NATURAL))
		return json_is_integer(j) && json_integer_value(j) >= 0
		               ? whole(f, json_integer_value(j), false)
		               : bad(f, path, "a whole number from 0 on is expected", "");
	return bad(f, path, "JSON has no values of the type ", nf_dhall_brief(f->d, type));
}

static const struct nf_dexpr *typed(struct from *f, const struct json_path *path,
                                    const struct nf_dexpr *type, json_t *j)
{
	const struct nf_dexpr *of;

	if (!nf_dhall_step(f->d, type))
		return NULL;
	of = nf_dx_arg_of(type, NF_DB_OPTIONAL);
	if (of) {
		if (!j || json_is_null(j))
			return nf_dx_app(f->d, nowhere, nf_dx_builtin_id(f->d, nowhere, NF_DB_NONE),
			                 of);
		return nf_dx_one(f->d, nowhere, NF_D_SOME, typed(f, path, of, j));
	}
	if (type->kind == NF_D_RECORD_TYPE)
		return record(f, path, type, j);
	if (type->kind == NF_D_UNION)
		return alternative(f, path, type, j);
	of = nf_dx_arg_of(type, NF_DB_LIST);
	return of ? list(f, path, type, of, j) : scalar(f, path, type, j);
}

static const struct nf_dexpr *untyped_object(struct from *f, const struct json_path *path,
                                             json_t *j)
{
	struct nf_dfield *out = nf_dhall_alloc(f->d, json_object_size(j), sizeof(*out));
	const char *key;
	size_t n = 0;
	json_t *v;

	if (!out)
		return NULL;
	json_object_foreach(j, key, v)
	{
		struct json_path inner = { .up = path, .key = key };

		out[n].at = (uint32_t)n;
		if (!label_of(f, path, key, &out[n].name) ||
		    !(out[n].value = untyped(f, &inner, v)))
			return NULL;
		n++;
	}
	return nf_dx_fields(f->d, nowhere, NF_D_RECORD, out, n);
}

static const struct nf_dexpr *untyped_array(struct from *f, const struct json_path *path, json_t *j)
{
	size_t n = json_array_size(j);
	const struct nf_dexpr **item;

	if (n == 0)
		return bad(f, path, "a list without items has a type only by a schema", "");
	item = nf_dhall_alloc(f->d, n, sizeof(const struct nf_dexpr *));
	for (size_t i = 0; item && i < n; i++) {
		struct json_path inner = { .up = path, .index = i };

		item[i] = untyped(f, &inner, json_array_get(j, i));
		if (!item[i])
			return NULL;
	}
	return nf_dx_items(f->d, nowhere, NF_D_LIST, item, n);
}

static const struct nf_dexpr *untyped_one(struct from *f, const struct json_path *path, json_t *j)
{
	switch (json_typeof(j)) {
	case JSON_OBJECT:
		return untyped_object(f, path, j);
	case JSON_ARRAY:
		return untyped_array(f, path, j);
	case JSON_STRING:
		return text_of(f, path, json_string_value(j), json_string_length(j));
	case JSON_INTEGER:
		return whole(f, json_integer_value(j), json_integer_value(j) < 0);
	case JSON_REAL:
		return nf_dx_double(f->d, nowhere, json_real_value(j));
	case JSON_TRUE:
	case JSON_FALSE:
		return nf_dx_bool(f->d, nowhere, json_is_true(j));
	case JSON_NULL:
		break;
	}
	return bad(f, path, "null has a type only by a schema", "");
}

static const struct nf_dexpr *untyped(struct from *f, const struct json_path *path, json_t *j)
{
	const struct nf_dexpr *e;

	if (f->depth >= NF_DHALL_DEPTH)
		return bad(f, NULL, "nested too deep", "");
	f->depth++;
	e = untyped_one(f, path, j);
	f->depth--;
	return e;
}

int nf_dhall_from_json(struct nf_dhall *d, const struct nf_dexpr *type, const char *name,
                       const char *text, size_t len_bytes, const struct nf_dexpr **ret,
                       struct nf_err *err)
{
	struct from f = { .d = d, .name = name };
	const struct nf_dexpr *e = NULL;
	json_error_t problem;
	json_t *j = NULL;

	nf_dhall_begin(d);
	if (len_bytes > NF_DHALL_SOURCE_BYTES) {
		bad(&f, NULL, "it is too long", "");
	} else {
		j = json_loadb(text, len_bytes,
		               JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, &problem);
		if (!j)
			nf_dhall_fail_code(d, NF_EDATA, "%s:%d:%d: %s", name, problem.line,
			                   problem.column, problem.text);
	}
	if (j)
		e = type ? typed(&f, NULL, type, j) : untyped(&f, NULL, j);
	/* Without a type, elements of a list may differ. */
	if (e && !type && !nf_dhall_type_of(d, NULL, e))
		e = NULL;
	json_decref(j);
	if (e)
		*ret = e;
	return nf_dhall_end(d, err);
}
