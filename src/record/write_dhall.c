/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "record/text.h"
#include "record/walk.h"
#include "record/write.h"

/* Deeper levels of a value are indented no further. */
enum { INDENT_MAX = 40 };

static const char *const basis_names[] = {
	[NF_MEASURED] = "measured",
	[NF_DERIVED] = "derived",
	[NF_DECLARED] = "declared",
	[NF_SYNTHETIC] = "synthetic",
};

static void new_line(struct nf_buf *out, int indent)
{
	nf_buf_addc(out, '\n');
	for (int i = 0; i < indent && i < INDENT_MAX; i++)
		nf_buf_addc(out, ' ');
}

static void put_type(struct nf_buf *out, const struct nf_type *t)
{
	switch (t->kind) {
	case NF_T_BOOL:
		nf_buf_adds(out, "Bool");
		break;
	case NF_T_NAT:
		nf_buf_adds(out, "Natural");
		break;
	case NF_T_INT:
		nf_buf_adds(out, "Integer");
		break;
	case NF_T_REAL:
		nf_buf_adds(out, "Double");
		break;
	case NF_T_TEXT:
		nf_buf_adds(out, "Text");
		break;
	case NF_T_ENUM:
	case NF_T_RECORD:
		nf_dhall_label(out, t->name);
		break;
	case NF_T_LIST:
		nf_buf_adds(out, "List ");
		if (t->elem->kind == NF_T_LIST)
			nf_buf_addc(out, '(');
		put_type(out, t->elem);
		if (t->elem->kind == NF_T_LIST)
			nf_buf_addc(out, ')');
		break;
	}
}

/* let Name = <the type's body>; with comments: each field's basis and meaning. */
static void put_let(struct nf_buf *out, const struct nf_type *t, bool comments)
{
	nf_buf_adds(out, "let ");
	nf_dhall_label(out, t->name);
	nf_buf_adds(out, " =");
	new_line(out, 6);
	if (t->kind == NF_T_ENUM) {
		for (size_t i = 0; t->names[i]; i++) {
			nf_buf_adds(out, i == 0 ? "< " : " | ");
			nf_dhall_label(out, t->names[i]);
		}
		nf_buf_adds(out, t->names[0] ? " >" : "<>");
	} else if (!t->fields[0].key) {
		nf_buf_adds(out, "{}");
	} else {
		for (const struct nf_field *f = t->fields; f->key; f++) {
			nf_buf_adds(out, f == t->fields ? "{ " : ", ");
			nf_dhall_label(out, f->key);
			nf_buf_adds(out, " : ");
			if (f->optional)
				nf_buf_adds(out, "Optional ");
			put_type(out, f->type);
			if (comments) {
				nf_buf_adds(out, " -- ");
				if (f->basis < NF_BY_FIELD)
					nf_buf_addf(out, "%s: ", basis_names[f->basis]);
				nf_buf_adds(out, f->doc);
			}
			new_line(out, 6);
		}
		nf_buf_addc(out, '}');
	}
	nf_buf_adds(out, "\n\n");
}

struct value_out {
	struct nf_buf *out;
	uint64_t n_replaced;
};

static void put_value(struct value_out *w, const struct nf_type *t, const void *v, int indent);

/* Some needs parentheses around nothing that put_value writes: literals, records, selections. */
static void put_field(struct value_out *w, const struct nf_field *f, const void *p, int indent)
{
	nf_dhall_label(w->out, f->key);
	nf_buf_adds(w->out, " =");
	if (!p) {
		nf_buf_adds(w->out, " None ");
		put_type(w->out, f->type);
		return;
	}
	if (f->optional)
		nf_buf_adds(w->out, " Some");
	if (f->type->kind == NF_T_RECORD || f->type->kind == NF_T_LIST)
		new_line(w->out, indent + 4);
	else
		nf_buf_addc(w->out, ' ');
	put_value(w, f->type, p, indent + 4);
}

static void put_record(struct value_out *w, const struct nf_type *t, const void *v, int indent)
{
	if (!t->fields[0].key) {
		nf_buf_adds(w->out, "{=}");
		return;
	}
	for (const struct nf_field *f = t->fields; f->key; f++) {
		nf_buf_adds(w->out, f == t->fields ? "{ " : ", ");
		put_field(w, f, nf_field_value(f, v), indent);
		new_line(w->out, indent);
	}
	nf_buf_addc(w->out, '}');
}

static void put_list(struct value_out *w, const struct nf_type *t, const struct nf_list *l,
                     int indent)
{
	if (l->n == 0) {
		nf_buf_adds(w->out, "[] : ");
		put_type(w->out, t);
		return;
	}
	for (size_t i = 0; i < l->n; i++) {
		/* An empty list as an element would need its annotation in parentheses. */
		bool paren = t->elem->kind == NF_T_LIST;

		nf_buf_adds(w->out, i == 0 ? "[ " : ", ");
		if (paren)
			nf_buf_addc(w->out, '(');
		put_value(w, t->elem, nf_list_item(t->elem, l, i), indent + 2);
		if (paren)
			nf_buf_addc(w->out, ')');
		new_line(w->out, indent);
	}
	nf_buf_addc(w->out, ']');
}

static void put_value(struct value_out *w, const struct nf_type *t, const void *v, int indent)
{
	switch (t->kind) {
	case NF_T_BOOL:
		nf_buf_adds(w->out, *(const bool *)v ? "True" : "False");
		break;
	case NF_T_NAT:
		nf_buf_addf(w->out, "%" PRIu64, *(const uint64_t *)v);
		break;
	case NF_T_INT:
		nf_buf_addf(w->out, "%+" PRId64, *(const int64_t *)v);
		break;
	case NF_T_REAL:
		nf_buf_add_double(w->out, *(const double *)v);
		break;
	case NF_T_TEXT: {
		const char *s = *(const char *const *)v;
		nf_dhall_text(w->out, s, strlen(s), &w->n_replaced);
		break;
	}
	case NF_T_ENUM:
		nf_dhall_label(w->out, t->name);
		nf_buf_addc(w->out, '.');
		nf_dhall_label(w->out, t->names[*(const int *)v]);
		break;
	case NF_T_RECORD:
		put_record(w, t, v, indent);
		break;
	case NF_T_LIST:
		put_list(w, t, v, indent);
		break;
	}
}

int nf_record_to_dhall(const struct nf_type *t, const void *value, struct nf_buf *out,
                       uint64_t *n_replaced, struct nf_err *err)
{
	size_t start = out->len_bytes;
	struct value_out w = { .out = out };
	struct nf_type_set set;
	int rc = nf_record_validate(t, value, err);

	if (rc == 0)
		rc = nf_type_collect(t, &set, err);
	if (rc != 0)
		return rc;
	for (size_t i = 0; i < set.n; i++)
		put_let(out, set.type[i], false);
	nf_buf_adds(out, set.n > 0 ? "in  " : "");
	put_value(&w, t, value, 4);
	/* A list without items carries its annotation already, and takes no second one. */
	if (t->kind != NF_T_LIST) {
		new_line(out, 4);
		nf_buf_adds(out, ": ");
		put_type(out, t);
	}
	nf_buf_addc(out, '\n');
	rc = nf_buf_failed(out, "a record as Dhall", err);
	if (rc != 0)
		nf_text_take_back(out, start);
	else if (n_replaced)
		*n_replaced += w.n_replaced;
	return rc;
}

int nf_type_to_dhall(const struct nf_type *t, struct nf_buf *out, struct nf_err *err)
{
	size_t start = out->len_bytes;
	struct nf_type_set set;
	int rc = nf_type_collect(t, &set, err);

	if (rc != 0)
		return rc;
	for (size_t i = 0; i < set.n; i++)
		put_let(out, set.type[i], true);
	if (set.n > 0)
		nf_buf_adds(out, "in  ");
	put_type(out, t);
	nf_buf_addc(out, '\n');
	rc = nf_buf_failed(out, "a type as Dhall", err);
	if (rc != 0)
		nf_text_take_back(out, start);
	return rc;
}

int nf_types_to_dhall(const struct nf_type *const *types, struct nf_buf *out, struct nf_err *err)
{
	size_t start = out->len_bytes;
	struct nf_type_set all = { .n = 0 };
	int rc = 0;

	for (size_t r = 0; rc == 0 && types[r]; r++)
		rc = nf_type_collect_more(types[r], &all, err);
	if (rc != 0)
		return rc;
	for (size_t i = 0; i < all.n; i++)
		put_let(out, all.type[i], true);
	nf_buf_adds(out, "in  ");
	for (size_t i = 0; i < all.n; i++) {
		nf_buf_adds(out, i == 0 ? "{ " : ", ");
		nf_dhall_label(out, all.type[i]->name);
		nf_buf_adds(out, " = ");
		nf_dhall_label(out, all.type[i]->name);
		new_line(out, 4);
	}
	nf_buf_adds(out, "}\n");
	rc = nf_buf_failed(out, "types as Dhall", err);
	if (rc != 0)
		nf_text_take_back(out, start);
	return rc;
}
