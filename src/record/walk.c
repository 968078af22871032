/* SPDX-License-Identifier: MIT */
#include "record/walk.h"

#include <stdio.h>
#include <string.h>

const void *nf_field_value(const struct nf_field *f, const void *record)
{
	const char *at = (const char *)record + f->off;

	if (!f->optional)
		return at;
	switch (f->type->kind) {
	case NF_T_BOOL: {
		const struct nf_some_bool *o = (const void *)at;
		return o->some ? &o->v : NULL;
	}
	case NF_T_NAT: {
		const struct nf_some_nat *o = (const void *)at;
		return o->some ? &o->v : NULL;
	}
	case NF_T_INT: {
		const struct nf_some_int *o = (const void *)at;
		return o->some ? &o->v : NULL;
	}
	case NF_T_REAL: {
		const struct nf_some_real *o = (const void *)at;
		return o->some ? &o->v : NULL;
	}
	case NF_T_ENUM: {
		const struct nf_some_enum *o = (const void *)at;
		return o->some ? &o->v : NULL;
	}
	case NF_T_TEXT: {
		const char *const *s = (const void *)at;
		return *s ? s : NULL;
	}
	case NF_T_RECORD: {
		const void *const *p = (const void *)at;
		return *p;
	}
	case NF_T_LIST:
		break;
	}
	return at;
}

bool nf_field_is_schema(const struct nf_field *f)
{
	return f->type == &nf_t_text && !f->optional && strcmp(f->key, "schema") == 0;
}

const void *nf_list_item(const struct nf_type *elem, const struct nf_list *l, size_t i)
{
	return (const char *)l->items + i * elem->size;
}

static int collect(const struct nf_type *t, int depth, struct nf_type_set *set, struct nf_err *err)
{
	if (depth > NF_TYPE_DEPTH)
		return nf_fail(err, NF_EARG, "record type nested deeper than %d", NF_TYPE_DEPTH);
	if (t->kind == NF_T_LIST)
		return collect(t->elem, depth + 1, set, err);
	if (t->kind != NF_T_RECORD && t->kind != NF_T_ENUM)
		return 0;
	for (size_t i = 0; i < set->n; i++) {
		if (set->type[i] == t)
			return 0;
		if (strcmp(set->type[i]->name, t->name) == 0)
			return nf_fail(err, NF_EARG, "two record types are named %s", t->name);
	}
	for (const struct nf_field *f = t->fields; t->kind == NF_T_RECORD && f->key; f++) {
		int rc = collect(f->type, depth + 1, set, err);
		if (rc != 0)
			return rc;
	}
	if (set->n == NF_TYPES_MAX)
		return nf_fail(err, NF_EARG, "more than %d record types below one", NF_TYPES_MAX);
	set->type[set->n++] = t;
	return 0;
}

int nf_type_collect(const struct nf_type *t, struct nf_type_set *ret, struct nf_err *err)
{
	struct nf_type_set set = { .n = 0 };
	int rc = collect(t, 0, &set, err);

	if (rc == 0)
		*ret = set;
	return rc;
}

int nf_type_collect_more(const struct nf_type *t, struct nf_type_set *set, struct nf_err *err)
{
	return collect(t, 0, set, err);
}

static size_t path_add(struct nf_path *p, const char *a, const char *b)
{
	size_t before = p->len;
	int n = snprintf(p->text + p->len, sizeof(p->text) - p->len, "%s%s", a, b);

	p->len += n < 0 ? 0 : (size_t)n;
	if (p->len >= sizeof(p->text))
		p->len = sizeof(p->text) - 1;
	return before;
}

size_t nf_path_key(struct nf_path *p, const char *key)
{
	return path_add(p, p->len > 0 ? "." : "", key);
}

size_t nf_path_index(struct nf_path *p, size_t i)
{
	char text[32];

	snprintf(text, sizeof(text), "[%zu]", i);
	return path_add(p, text, "");
}

size_t nf_path_any(struct nf_path *p)
{
	return path_add(p, "[]", "");
}

size_t nf_path_name(struct nf_path *p, const char *name)
{
	size_t before = path_add(p, "[", name);

	(void)path_add(p, "]", "");
	return before;
}

void nf_path_cut(struct nf_path *p, size_t len)
{
	p->len = len;
	p->text[len] = '\0';
}
