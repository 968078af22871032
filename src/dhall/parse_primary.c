/* SPDX-License-Identifier: MIT */
/* Operands: names, brackets, records, unions, lists, and selections from them. */
#include <string.h>

#include "dhall/lex.h"

static void *refuse(struct nf_dparser *p, const char *what)
{
	return nf_dhall_fail_at(p->d, nf_dlex_place(p),
	                        "%s: outside the part of Dhall that is read here", what);
}

static const struct nf_dexpr *identifier(struct nf_dparser *p)
{
	struct nf_dplace place = nf_dlex_place(p);
	const struct nf_dbuiltin *builtin;
	struct nf_dstr name;
	bool quoted = false;
	uint64_t index = 0;
	size_t before;

	if (!nf_dlex_label(p, false, &name, &quoted))
		return NULL;
	if (!quoted) {
		if (nf_dstr_is(name, "True") || nf_dstr_is(name, "False"))
			return nf_dx_bool(p->d, place, name.p[0] == 'T');
		builtin = nf_dbuiltin_find(name);
		if (builtin)
			return nf_dx_builtin(p->d, place, builtin);
	}
	before = p->pos;
	if (!nf_dlex_space(p, NULL))
		return NULL;
	if (!nf_dlex_take(p, "@")) {
		p->pos = before;
		return nf_dx_var(p->d, place, name, 0);
	}
	if (!nf_dlex_space(p, NULL))
		return NULL;
	if (p->pos >= p->n || p->text[p->pos] < '0' || p->text[p->pos] > '9')
		return nf_dlex_expected(p, "an index");
	for (bool zero = p->text[p->pos] == '0'; p->pos < p->n; p->pos++) {
		char c = p->text[p->pos];

		if (c < '0' || c > '9')
			break;
		if (__builtin_mul_overflow(index, 10, &index) ||
		    __builtin_add_overflow(index, (uint64_t)(c - '0'), &index))
			return nf_dhall_fail_at(p->d, place, "the index is too large");
		if (zero) {
			p->pos++;
			break;
		}
	}
	return nf_dx_var(p->d, place, name, index);
}

/* "[" with at least one element. */
static const struct nf_dexpr *list(struct nf_dparser *p)
{
	struct nf_dplace place = nf_dlex_place(p);
	const struct nf_dexpr **item = NULL;
	size_t n = 0, cap = 0;

	p->pos++;
	if (!nf_dlex_space(p, NULL))
		return NULL;
	if (nf_dlex_take(p, ",") && !nf_dlex_space(p, NULL))
		return NULL;
	if (nf_dlex_at(p, "]"))
		return nf_dhall_fail_at(p->d, place, "an empty list needs its type: ([] : List T)");
	for (;;) {
		item = nf_dhall_grow(p->d, item, n, &cap, sizeof(*item));
		if (!item || !(item[n] = nf_dparse_expression(p)) || !nf_dlex_space(p, NULL))
			return NULL;
		n++;
		if (nf_dlex_take(p, ",")) {
			if (!nf_dlex_space(p, NULL))
				return NULL;
		} else if (!nf_dlex_at(p, "]")) {
			return nf_dlex_expected(p, "',' or ']'");
		}
		if (nf_dlex_take(p, "]"))
			return nf_dx_items(p->d, place, NF_D_LIST, item, n);
	}
}

/* Where entries of a record or union are collected. */
struct entries {
	struct nf_dfield *field;
	size_t n, cap;
};

static struct nf_dfield *add_entry(struct nf_dparser *p, struct entries *es)
{
	struct nf_dfield *f = nf_dhall_grow(p->d, es->field, es->n, &es->cap, sizeof(*f));

	if (!f)
		return NULL;
	es->field = f;
	f += es->n++;
	*f = (struct nf_dfield){ .at = (uint32_t)p->pos };
	return f;
}

/* After a name: *("." name) "=" expression, or nothing: a pun. */
static bool literal_entry(struct nf_dparser *p, struct nf_dfield *f)
{
	struct nf_dplace place = { p->file, f->at };
	struct nf_dstr *path = NULL;
	size_t n = 0, cap = 0, before = p->pos;
	const struct nf_dexpr *e;

	if (!nf_dlex_space(p, NULL))
		return false;
	while (nf_dlex_take(p, ".")) {
		path = nf_dhall_grow(p->d, path, n, &cap, sizeof(*path));
		if (!path || !nf_dlex_space(p, NULL) || !nf_dlex_label(p, true, &path[n], NULL) ||
		    !nf_dlex_space(p, NULL))
			return false;
		n++;
	}
	if (!nf_dlex_take(p, "=")) {
		if (n > 0)
			return nf_dlex_expected(p, "'='");
		p->pos = before;
		f->value = nf_dx_var(p->d, place, f->name, 0);
		return f->value;
	}
	if (!nf_dlex_space(p, NULL))
		return false;
	e = nf_dparse_expression(p);
	while (e && n > 0) {
		struct nf_dfield *inner = nf_dhall_alloc(p->d, 1, sizeof(*inner));

		if (!inner)
			return false;
		*inner = (struct nf_dfield){ path[--n], e, f->at };
		e = nf_dx_fields(p->d, place, NF_D_RECORD, inner, 1);
	}
	f->value = e;
	return e;
}

/* Fields of the same name are combined: { x = a, x = b } means { x = a /\ b }. */
static const struct nf_dexpr *record_literal(struct nf_dparser *p, struct nf_dplace place,
                                             struct entries *es)
{
	const struct nf_dexpr *all = nf_dx_fields(p->d, place, NF_D_RECORD, es->field, es->n);
	size_t n = 0;
	bool joined = false;

	if (!all)
		return NULL;
	for (size_t i = 0; i < es->n; i++) {
		struct nf_dfield *f = &es->field[i];

		if (n > 0 && nf_dstr_eq(es->field[n - 1].name, f->name)) {
			struct nf_dfield *into = &es->field[n - 1];
			struct nf_dplace at = { p->file, f->at };

			into->value =
			        nf_dx_two(p->d, at, NF_D_OP, NF_DOP_COMBINE, into->value, f->value);
			if (!into->value)
				return NULL;
			joined = true;
		} else {
			es->field[n++] = *f;
		}
	}
	return joined ? nf_dx_fields(p->d, place, NF_D_RECORD, es->field, n) : all;
}

const struct nf_dexpr *nf_dparse_record(struct nf_dparser *p)
{
	struct nf_dplace place = nf_dlex_place(p);
	struct entries es = { 0 };
	bool is_type = false;

	p->pos++;
	if (!nf_dlex_space(p, NULL))
		return NULL;
	if (nf_dlex_take(p, ",") && !nf_dlex_space(p, NULL))
		return NULL;
	if (nf_dlex_take(p, "}"))
		return nf_dx_fields(p->d, place, NF_D_RECORD_TYPE, NULL, 0);
	if (nf_dlex_take(p, "=")) {
		if (!nf_dlex_space(p, NULL))
			return NULL;
		if (nf_dlex_take(p, ",") && !nf_dlex_space(p, NULL))
			return NULL;
		if (!nf_dlex_expect(p, "}", "'}'"))
			return NULL;
		return nf_dx_fields(p->d, place, NF_D_RECORD, NULL, 0);
	}
	for (;;) {
		struct nf_dfield *f = add_entry(p, &es);
		size_t before;

		if (!f || !nf_dlex_label(p, true, &f->name, NULL))
			return NULL;
		before = p->pos;
		if (!nf_dlex_space(p, NULL))
			return NULL;
		if (es.n == 1)
			is_type = nf_dlex_at(p, ":");
		if (is_type) {
			if (!nf_dlex_expect(p, ":", "':'") || !nf_dlex_space1(p, "':'"))
				return NULL;
			f->value = nf_dparse_expression(p);
			if (!f->value)
				return NULL;
		} else {
			p->pos = before;
			if (!literal_entry(p, f))
				return NULL;
		}
		if (!nf_dlex_space(p, NULL))
			return NULL;
		if (nf_dlex_take(p, ",")) {
			if (!nf_dlex_space(p, NULL))
				return NULL;
		} else if (!nf_dlex_at(p, "}")) {
			return nf_dlex_expected(p, "',' or '}'");
		}
		if (nf_dlex_take(p, "}"))
			break;
	}
	return is_type ? nf_dx_fields(p->d, place, NF_D_RECORD_TYPE, es.field, es.n)
	               : record_literal(p, place, &es);
}

const struct nf_dexpr *nf_dparse_union(struct nf_dparser *p)
{
	struct nf_dplace place = nf_dlex_place(p);
	struct entries es = { 0 };

	p->pos++;
	if (!nf_dlex_space(p, NULL))
		return NULL;
	if (nf_dlex_take(p, "|") && !nf_dlex_space(p, NULL))
		return NULL;
	while (!nf_dlex_take(p, ">")) {
		struct nf_dfield *f = add_entry(p, &es);

		if (!f || !nf_dlex_label(p, true, &f->name, NULL) || !nf_dlex_space(p, NULL))
			return NULL;
		if (nf_dlex_take(p, ":")) {
			if (!nf_dlex_space1(p, "':'"))
				return NULL;
			f->value = nf_dparse_expression(p);
			if (!f->value || !nf_dlex_space(p, NULL))
				return NULL;
		}
		if (nf_dlex_take(p, "|")) {
			if (!nf_dlex_space(p, NULL))
				return NULL;
		} else if (!nf_dlex_at(p, ">")) {
			return nf_dlex_expected(p, "'|' or '>'");
		}
	}
	return nf_dx_fields(p->d, place, NF_D_UNION, es.field, es.n);
}

/* NULL without a failure: nothing that starts an operand. */
static const struct nf_dexpr *primitive(struct nf_dparser *p)
{
	const struct nf_dexpr *e;
	char c = p->pos < p->n ? p->text[p->pos] : '\0';

	switch (c) {
	case '(':
		p->pos++;
		if (!nf_dlex_space(p, NULL) || !(e = nf_dparse_expression(p)) ||
		    !nf_dlex_space(p, NULL) || !nf_dlex_expect(p, ")", "')'"))
			return NULL;
		return e;
	case '{':
		return nf_dparse_record(p);
	case '<':
		return nf_dparse_union(p);
	case '[':
		return list(p);
	case '"':
		return nf_dparse_text(p);
	case '\'':
		return nf_dlex_at(p, "''") ? nf_dparse_multiline(p) : NULL;
	default:
		break;
	}
	e = nf_dparse_number(p);
	if (e || p->d->failed)
		return e;
	return nf_dlex_at_label(p) ? identifier(p) : NULL;
}

const struct nf_dexpr *nf_dparse_import_expression(struct nf_dparser *p)
{
	struct nf_dplace place = nf_dlex_place(p);
	const struct nf_dexpr *e = nf_dparse_import(p);

	if (e || p->d->failed)
		return e;
	e = primitive(p);
	while (e) {
		size_t before = p->pos;
		struct nf_dstr name;

		if (!nf_dlex_space(p, NULL))
			return NULL;
		if (nf_dlex_at(p, "::"))
			return refuse(p, "completion (::)");
		if (!nf_dlex_take(p, ".") || !nf_dlex_space(p, NULL)) {
			p->pos = before;
			break;
		}
		if (nf_dlex_at(p, "{") || nf_dlex_at(p, "("))
			return refuse(p, "projection");
		if (!nf_dlex_at_label(p) && !nf_dlex_at_word(p, "Some")) {
			p->pos = before;
			break;
		}
		if (!nf_dlex_label(p, true, &name, NULL))
			return NULL;
		e = nf_dx_sel(p->d, place, e, name);
	}
	return p->d->failed ? NULL : e;
}
