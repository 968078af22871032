/* SPDX-License-Identifier: MIT */
#include "record/type.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "record/walk.h"

const struct nf_type nf_t_bool = { .kind = NF_T_BOOL, .size = sizeof(bool) };
const struct nf_type nf_t_nat = { .kind = NF_T_NAT, .size = sizeof(uint64_t) };
const struct nf_type nf_t_int = { .kind = NF_T_INT, .size = sizeof(int64_t) };
const struct nf_type nf_t_real = { .kind = NF_T_REAL, .size = sizeof(double) };
const struct nf_type nf_t_text = { .kind = NF_T_TEXT, .size = sizeof(const char *) };
const struct nf_type nf_t_text_list = { .kind = NF_T_LIST,
	                                .size = sizeof(struct nf_list),
	                                .elem = &nf_t_text };
const struct nf_type nf_t_real_list = { .kind = NF_T_LIST,
	                                .size = sizeof(struct nf_list),
	                                .elem = &nf_t_real };
const struct nf_type nf_t_nat_list = { .kind = NF_T_LIST,
	                               .size = sizeof(struct nf_list),
	                               .elem = &nf_t_nat };

static int names_count(const struct nf_type *t)
{
	int n = 0;

	while (t->names[n])
		n++;
	return n;
}

static int validate(const struct nf_type *t, const void *v, struct nf_path *at, int depth,
                    struct nf_err *err)
{
	const char *where = at->len > 0 ? at->text : "the value";

	if (depth > NF_TYPE_DEPTH)
		return nf_fail(err, NF_EARG, "%s: nested deeper than %d", where, NF_TYPE_DEPTH);
	switch (t->kind) {
	case NF_T_BOOL:
		return 0;
	case NF_T_NAT: {
		uint64_t n = *(const uint64_t *)v;
		if (n > (uint64_t)NF_RECORD_INT_MAX)
			return nf_fail(err, NF_EDATA,
			               "%s: %" PRIu64 " is beyond 2^53 - 1: it belongs into a text",
			               where, n);
		return 0;
	}
	case NF_T_INT: {
		int64_t n = *(const int64_t *)v;
		if (n > NF_RECORD_INT_MAX || n < -NF_RECORD_INT_MAX)
			return nf_fail(err, NF_EDATA,
			               "%s: %" PRId64
			               " is beyond +-(2^53 - 1): it belongs into a text",
			               where, n);
		return 0;
	}
	case NF_T_REAL:
		if (!isfinite(*(const double *)v))
			return nf_fail(err, NF_EDATA, "%s: not a finite number", where);
		return 0;
	case NF_T_TEXT:
		if (!*(const char *const *)v)
			return nf_fail(err, NF_EDATA, "%s: a text is missing", where);
		return 0;
	case NF_T_ENUM: {
		int i = *(const int *)v;
		if (i < 0 || i >= names_count(t))
			return nf_fail(err, NF_EDATA, "%s: %d is no alternative of %s", where, i,
			               t->name);
		return 0;
	}
	case NF_T_RECORD:
		for (const struct nf_field *f = t->fields; f->key; f++) {
			const void *p = nf_field_value(f, v);
			size_t before = nf_path_key(at, f->key);
			int rc = p ? validate(f->type, p, at, depth + 1, err) : 0;

			if (rc == 0 && p && nf_field_is_schema(f) &&
			    strcmp(*(const char *const *)p, f->doc) != 0)
				rc = nf_fail(err, NF_EDATA, "%s: is not %s", at->text, f->doc);
			nf_path_cut(at, before);
			if (rc != 0)
				return rc;
		}
		return 0;
	case NF_T_LIST: {
		const struct nf_list *l = v;
		if (l->n > 0 && !l->items)
			return nf_fail(err, NF_EDATA, "%s: a list of %zu without items", where,
			               l->n);
		for (size_t i = 0; i < l->n; i++) {
			size_t before = nf_path_index(at, i);
			int rc = validate(t->elem, nf_list_item(t->elem, l, i), at, depth + 1, err);

			nf_path_cut(at, before);
			if (rc != 0)
				return rc;
		}
		return 0;
	}
	}
	return nf_fail(err, NF_EARG, "%s: unknown kind of type", where);
}

const char *nf_record_schema(const struct nf_type *t)
{
	for (const struct nf_field *f = t->fields; t->kind == NF_T_RECORD && f->key; f++)
		if (nf_field_is_schema(f))
			return f->doc;
	return NULL;
}

int nf_record_validate(const struct nf_type *t, const void *value, struct nf_err *err)
{
	struct nf_path at = { .len = 0 };

	return validate(t, value, &at, 0, err);
}

static uint64_t replaced_in_text(const char *s)
{
	size_t left = strlen(s);
	uint64_t n = 0;

	while (left > 0) {
		uint32_t cp;
		int bad;
		size_t took = nf_utf8_next(s, left, &cp, &bad);

		n += bad || (cp >= 0xfdd0 && cp <= 0xfdef) || (cp & 0xfffe) == 0xfffe;
		s += took;
		left -= took;
	}
	return n;
}

uint64_t nf_record_replaced(const struct nf_type *t, const void *value)
{
	uint64_t n = 0;

	if (t->kind == NF_T_TEXT) {
		n = replaced_in_text(*(const char *const *)value);
	} else if (t->kind == NF_T_RECORD) {
		for (const struct nf_field *f = t->fields; f->key; f++) {
			const void *p = nf_field_value(f, value);
			/* A missing text is validate's finding, not this function's. */
			if (p && (f->type->kind != NF_T_TEXT || *(const char *const *)p))
				n += nf_record_replaced(f->type, p);
		}
	} else if (t->kind == NF_T_LIST) {
		const struct nf_list *l = value;
		for (size_t i = 0; i < l->n; i++)
			n += nf_record_replaced(t->elem, nf_list_item(t->elem, l, i));
	}
	return n;
}
