/* SPDX-License-Identifier: MIT */
#include "record/json_diff.h"

#include <stdio.h>
#include <string.h>

#include "record/walk.h"

struct diff {
	nf_diff_fn *fn;
	void *ctx;
	size_t n;
	struct nf_path at;
	const char *unit; /* that the summary at hand names; NULL: none */
	struct nf_err *err;
};

const char *nf_unit_of_key(const char *key)
{
	static const char *const units[] = { "ns",    "us",      "ms",  "s",   "hz",
		                             "khz",   "bytes",   "kib", "ppm", "ratio",
		                             "ticks", "per_10s", NULL };
	size_t len = strlen(key);

	for (size_t i = 0; units[i]; i++) {
		size_t n = strlen(units[i]);

		if (len > n && key[len - n - 1] == '_' && strcmp(key + len - n, units[i]) == 0)
			return units[i];
	}
	return "";
}

/* A summary's unit is that of its real values, but for the level of its interval; what it counts has
 * none. */
static bool in_unit_of_summary(const struct nf_type *t, const char *key)
{
	return t && t->kind == NF_T_REAL && strcmp(key, "median_ci_level") != 0 &&
	       strcmp(key, "p") != 0;
}

/* t: the field's type; NULL: it has none. */
static int say(struct diff *d, enum nf_diff_kind kind, const struct nf_type *t, const char *key,
               const json_t *a, const json_t *b)
{
	const char *own = nf_unit_of_key(key);
	const char *unit = *own ? own : d->unit && in_unit_of_summary(t, key) ? d->unit : "";
	const struct nf_difference one = {
		.kind = kind, .path = d->at.text, .a = a, .b = b, .unit = unit
	};

	d->n++;
	return d->fn(d->ctx, &one, d->err);
}

static int both(struct diff *d, const struct nf_type *t, const char *key, const json_t *a,
                const json_t *b);

/* The fields that name an element of a list of such records; NULL: its place does. */
static const char *const *names_of(const struct nf_type *t)
{
	static const char *const candidates[][3] = {
		{ "cpu_node", "mem_node", NULL },
		{ "stream", NULL },
		{ "name", NULL },
		{ "cpu", NULL },
		{ "p", NULL },
		{ "line", NULL },
		{ "id", NULL },
		{ "path", NULL },
	};

	for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++) {
		size_t found = 0, wanted = 0;

		for (; candidates[i][wanted]; wanted++)
			for (const struct nf_field *f = t->fields; f->key; f++)
				found += strcmp(f->key, candidates[i][wanted]) == 0;
		if (found == wanted)
			return candidates[i];
	}
	return NULL;
}

static bool same_name(const json_t *a, const json_t *b, const char *const *names)
{
	for (; *names; names++)
		if (!json_equal(json_object_get(a, *names), json_object_get(b, *names)))
			return false;
	return true;
}

/* The element of list named as `one` is, the nth of that name; NULL: none. */
static const json_t *find(const json_t *list, const json_t *one, size_t nth,
                          const char *const *names)
{
	const json_t *other;
	size_t i;

	json_array_foreach(list, i, other)
	{
		if (same_name(one, other, names) && nth-- == 0)
			return other;
	}
	return NULL;
}

/* How many elements before place i have the name of element i. */
static size_t place(const json_t *list, size_t i, const char *const *names)
{
	size_t n = 0;

	for (size_t k = 0; k < i; k++)
		n += same_name(json_array_get(list, k), json_array_get(list, i), names);
	return n;
}

/* "[stream=fwq.cpu0]", "[name=numa 2]", or "[3]" without names. Returns the length before. */
static size_t path_of(struct diff *d, size_t i, const json_t *one, size_t nth,
                      const char *const *names)
{
	char text[160];
	size_t len = 0;

	if (!names)
		return nf_path_index(&d->at, i);
	for (const char *const *k = names; *k; k++) {
		const json_t *v = json_object_get(one, *k);
		const char *comma = k == names ? "" : ",";
		char *to = text + len;
		size_t room = sizeof(text) - len;
		int n;

		if (json_is_string(v))
			n = snprintf(to, room, "%s%s=%.60s", comma, *k, json_string_value(v));
		else if (json_is_integer(v))
			n = snprintf(to, room, "%s%s=%" JSON_INTEGER_FORMAT, comma, *k,
			             json_integer_value(v));
		else
			/* -0 and 0 are one name. */
			n = snprintf(to, room, "%s%s=%.6g", comma, *k, json_number_value(v) + 0.0);
		if (n > 0 && (size_t)n < room)
			len += (size_t)n;
	}
	if (nth > 0)
		snprintf(text + len, sizeof(text) - len, " %zu", nth + 1);
	return nf_path_name(&d->at, text);
}

static int lists(struct diff *d, const struct nf_type *elem, const char *key, const json_t *a,
                 const json_t *b)
{
	const char *const *names = elem->kind == NF_T_RECORD ? names_of(elem) : NULL;
	bool paired = names && json_array_size(a) == json_array_size(b);
	const json_t *one;
	int rc = 0;
	size_t i;

	/* The usual case, in a time that grows with the list: the same names in the same order. */
	for (i = 0; paired && i < json_array_size(a); i++)
		paired = same_name(json_array_get(a, i), json_array_get(b, i), names);
	json_array_foreach(a, i, one)
	{
		size_t nth = names && !paired ? place(a, i, names) : 0;
		const json_t *other =
		        names && !paired ? find(b, one, nth, names) : json_array_get(b, i);
		size_t before = path_of(d, i, one, nth, names);

		rc = other ? both(d, elem, key, one, other)
		           : say(d, NF_DIFF_ONLY_A, elem, key, one, NULL);
		nf_path_cut(&d->at, before);
		if (rc < 0)
			return rc;
	}
	if (paired)
		return 0;
	json_array_foreach(b, i, one)
	{
		size_t nth = names ? place(b, i, names) : 0;

		if (names ? find(a, one, nth, names) != NULL : i < json_array_size(a))
			continue;
		size_t before = path_of(d, i, one, nth, names);

		rc = say(d, NF_DIFF_ONLY_B, elem, key, NULL, one);
		nf_path_cut(&d->at, before);
		if (rc < 0)
			return rc;
	}
	return rc;
}

static const struct nf_field *field_of(const struct nf_type *t, const char *key)
{
	for (const struct nf_field *f = t->fields; f->key; f++)
		if (strcmp(f->key, key) == 0)
			return f;
	return NULL;
}

/* Records of two types: what both have under one key and of one kind. */
static int records(struct diff *d, const struct nf_type *ta, const struct nf_type *tb,
                   const json_t *a, const json_t *b)
{
	const char *unit = d->unit;
	int rc = 0;

	/* Values in two units have none in common; "unit" itself shows them. */
	if (json_is_string(json_object_get(a, "unit")))
		d->unit = json_equal(json_object_get(a, "unit"), json_object_get(b, "unit"))
		                  ? json_string_value(json_object_get(a, "unit"))
		                  : NULL;
	for (const struct nf_field *f = ta->fields; rc == 0 && f->key; f++) {
		const struct nf_field *g = ta == tb ? f : field_of(tb, f->key);
		size_t before = nf_path_key(&d->at, f->key);

		if (g && g->type->kind == f->type->kind && f->type->kind == NF_T_RECORD &&
		    f->type != g->type && json_is_object(json_object_get(a, f->key)) &&
		    json_is_object(json_object_get(b, f->key)))
			rc = records(d, f->type, g->type, json_object_get(a, f->key),
			             json_object_get(b, f->key));
		else if (g && g->type->kind == f->type->kind && !nf_field_is_schema(f))
			rc = both(d, f->type, f->key, json_object_get(a, f->key),
			          json_object_get(b, f->key));
		nf_path_cut(&d->at, before);
	}
	d->unit = unit;
	return rc;
}

/* Types are trees: the depth is theirs. */
static int both(struct diff *d, const struct nf_type *t, const char *key, const json_t *a,
                const json_t *b)
{
	if (json_is_null(a) && json_is_null(b))
		return 0;
	if (json_is_null(a))
		return say(d, NF_DIFF_ONLY_B, t, key, NULL, b);
	if (json_is_null(b))
		return say(d, NF_DIFF_ONLY_A, t, key, a, NULL);
	if (t->kind == NF_T_RECORD)
		return records(d, t, t, a, b);
	if (t->kind == NF_T_LIST)
		return lists(d, t->elem, key, a, b);
	/* 3 and 3.0 are one number. */
	if (t->kind == NF_T_REAL ? json_number_value(a) == json_number_value(b) : json_equal(a, b))
		return 0;
	return say(d, NF_DIFF_CHANGED, t, key, a, b);
}

int nf_json_diff(const struct nf_type *type_a, const json_t *a, const struct nf_type *type_b,
                 const json_t *b, nf_diff_fn *fn, void *ctx, size_t *ret_n, struct nf_err *err)
{
	struct diff d = { .fn = fn, .ctx = ctx, .err = err };
	int rc = 0;

	if (type_a != type_b) {
		json_t *names[2] = { json_string(type_a->name), json_string(type_b->name) };

		if (!names[0] || !names[1])
			rc = nf_fail_nomem(err, "a type's name", strlen(type_a->name));
		(void)nf_path_key(&d.at, "type");
		if (rc == 0)
			rc = say(&d, NF_DIFF_TYPE, NULL, "", names[0], names[1]);
		nf_path_cut(&d.at, 0);
		json_decref(names[0]);
		json_decref(names[1]);
	}
	if (rc == 0)
		rc = records(&d, type_a, type_b, a, b);
	if (rc == 0)
		*ret_n = d.n;
	return rc;
}
