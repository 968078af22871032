/* SPDX-License-Identifier: MIT */
#include "record/json_value.h"

#include <string.h>

#include "record/check_form.h"

static void get(const struct nf_type *t, const json_t *v, struct nf_arena *a, char *out);

static int name_index(const struct nf_type *t, const char *name)
{
	for (int i = 0; t->names[i]; i++)
		if (strcmp(t->names[i], name) == 0)
			return i;
	return 0; /* not reached: the form was checked */
}

/* The value of an optional field that is there; `at` is its struct nf_some_... or its pointer. */
static void get_some(const struct nf_type *t, const json_t *v, struct nf_arena *a, char *at)
{
	void *p;

	switch (t->kind) {
	case NF_T_BOOL:
		*(struct nf_some_bool *)(void *)at = nf_some_bool(json_is_true(v));
		break;
	case NF_T_NAT:
		*(struct nf_some_nat *)(void *)at = nf_some_nat((uint64_t)json_integer_value(v));
		break;
	case NF_T_INT:
		*(struct nf_some_int *)(void *)at = nf_some_int(json_integer_value(v));
		break;
	case NF_T_REAL:
		*(struct nf_some_real *)(void *)at = nf_some_real(json_number_value(v));
		break;
	case NF_T_ENUM:
		*(struct nf_some_enum *)(void *)at =
		        nf_some_enum(name_index(t, json_string_value(v)));
		break;
	case NF_T_RECORD:
		p = nf_arena_alloc(a, 1, t->size);
		if (p)
			get(t, v, a, p);
		*(const void **)(void *)at = p;
		break;
	case NF_T_TEXT:
	case NF_T_LIST:
		get(t, v, a, at);
		break;
	}
}

static void get_list(const struct nf_type *t, const json_t *v, struct nf_arena *a,
                     struct nf_list *out)
{
	size_t n = json_array_size(v);
	char *items = nf_arena_alloc(a, n ? n : 1, t->elem->size);

	for (size_t i = 0; items && i < n; i++)
		get(t->elem, json_array_get(v, i), a, items + i * t->elem->size);
	*out = (struct nf_list){ items, items ? n : 0 };
}

/* The form was checked; a lack of memory is remembered by the arena. */
static void get(const struct nf_type *t, const json_t *v, struct nf_arena *a, char *out)
{
	switch (t->kind) {
	case NF_T_BOOL:
		*(bool *)(void *)out = json_is_true(v);
		break;
	case NF_T_NAT:
		*(uint64_t *)(void *)out = (uint64_t)json_integer_value(v);
		break;
	case NF_T_INT:
		*(int64_t *)(void *)out = json_integer_value(v);
		break;
	case NF_T_REAL:
		*(double *)(void *)out = json_number_value(v);
		break;
	case NF_T_TEXT:
		*(const char **)(void *)out = nf_arena_strdup(a, json_string_value(v));
		break;
	case NF_T_ENUM:
		*(int *)(void *)out = name_index(t, json_string_value(v));
		break;
	case NF_T_RECORD:
		for (const struct nf_field *f = t->fields; f->key; f++) {
			const json_t *inner = json_object_get(v, f->key);

			if (!f->optional)
				get(f->type, inner, a, out + f->off);
			else if (!json_is_null(inner))
				get_some(f->type, inner, a, out + f->off);
		}
		break;
	case NF_T_LIST:
		get_list(t, v, a, (struct nf_list *)(void *)out);
		break;
	}
}

int nf_json_value_read(const struct nf_type *t, const json_t *value, struct nf_arena *a,
                       void *ret_value, struct nf_err *err)
{
	int r = nf_check_form(t, value, err);

	if (r < 0)
		return r;
	char *whole = nf_arena_alloc(a, 1, t->size);
	if (whole)
		get(t, value, a, whole);
	r = nf_arena_failed(a, "a record", err);
	if (r == 0)
		memcpy(ret_value, whole, t->size);
	return r;
}
