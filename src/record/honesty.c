/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "record/walk.h"

enum { PATHS_MAX = 4096 };

struct paths {
	struct nf_arena *a;
	const char **path[NF_BY_FIELD];
	size_t n[NF_BY_FIELD];
	size_t cap[NF_BY_FIELD];
};

static const struct nf_type *record_below(const struct nf_type *t)
{
	while (t->kind == NF_T_LIST)
		t = t->elem;
	return t->kind == NF_T_RECORD ? t : NULL;
}

/* The one basis of everything in a record type, or NF_BY_FIELD when there are several. */
static enum nf_basis uniform(const struct nf_type *t)
{
	enum nf_basis all = NF_BY_FIELD;

	for (const struct nf_field *f = t->fields; f->key; f++) {
		const struct nf_type *inner = record_below(f->type);
		enum nf_basis b = inner ? uniform(inner) : f->basis;

		if (b == NF_BY_FIELD || (f != t->fields && b != all))
			return NF_BY_FIELD;
		all = b;
	}
	return all;
}

static int add(struct paths *p, enum nf_basis b, const char *path, struct nf_err *err)
{
	if (b >= NF_BY_FIELD)
		return nf_fail(err, NF_EARG, "%s: its row names no basis", path);
	if (p->n[b] == p->cap[b]) {
		size_t cap = p->cap[b] ? 2 * p->cap[b] : 32;
		if (cap > PATHS_MAX)
			return nf_fail(err, NF_EARG, "more than %d paths of one basis", PATHS_MAX);
		const char **more = nf_arena_alloc(p->a, cap, sizeof(*more));
		if (!more)
			return nf_arena_failed(p->a, "honesty of a record", err);
		if (p->n[b] > 0)
			memcpy(more, p->path[b], p->n[b] * sizeof(*more));
		p->path[b] = more;
		p->cap[b] = cap;
	}
	const char *copy = nf_arena_strdup(p->a, path);
	if (!copy)
		return nf_arena_failed(p->a, "honesty of a record", err);
	p->path[b][p->n[b]++] = copy;
	return 0;
}

/* value NULL: below a list, where elements may differ; every field is listed then. */
static int walk(struct paths *p, const struct nf_type *t, const void *value, struct nf_path *at,
                int depth, struct nf_err *err)
{
	if (depth > NF_TYPE_DEPTH)
		return nf_fail(err, NF_EARG, "%s: nested deeper than %d", at->text, NF_TYPE_DEPTH);
	for (const struct nf_field *f = t->fields; f->key; f++) {
		const void *v = value ? nf_field_value(f, value) : NULL;
		const struct nf_type *inner = record_below(f->type);
		int rc = 0;

		if (inner && value && !v)
			continue;
		if (f->type->kind == NF_T_LIST && v && ((const struct nf_list *)v)->n == 0)
			continue;
		size_t before = nf_path_key(at, f->key);
		if (f->type->kind == NF_T_LIST) {
			nf_path_any(at);
			v = NULL;
		}
		enum nf_basis b = inner ? uniform(inner) : f->basis;
		if (inner && b == NF_BY_FIELD)
			rc = walk(p, inner, v, at, depth + 1, err);
		else
			rc = add(p, b, at->text, err);
		nf_path_cut(at, before);
		if (rc != 0)
			return rc;
	}
	return 0;
}

int nf_record_honesty(const struct nf_type *t, const void *value, struct nf_arena *a,
                      struct nf_honesty *ret, struct nf_err *err)
{
	struct paths p = { .a = a };
	struct nf_path at = { .len = 0 };

	if (t->kind != NF_T_RECORD)
		return nf_fail(err, NF_EARG, "only a record has fields with a basis");
	int rc = walk(&p, t, value, &at, 0, err);
	if (rc != 0)
		return rc;
	for (int b = 0; b < NF_BY_FIELD; b++)
		ret->path[b] = (struct nf_list){ p.path[b], p.n[b] };
	return 0;
}
