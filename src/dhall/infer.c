/* SPDX-License-Identifier: MIT */
/* Types, by the rules of the standard's type-inference.md. Every type is a value in normal form. */
#include <string.h>

#include "dhall/env.h"
#include "dhall/session.h"

static const struct nf_dexpr *infer(struct nf_dhall *d, const struct nf_denv *env,
                                    const struct nf_dexpr *e);

static const struct nf_dexpr *constant(struct nf_dhall *d, const struct nf_dexpr *at,
                                       enum nf_dbuiltin_id id)
{
	return nf_dx_builtin_id(d, NF_DPLACE(at), id);
}

/* Type 0, Kind 1, Sort 2; -1: e is no constant of the type system. */
static int universe(const struct nf_dexpr *e)
{
	if (e->kind != NF_D_BUILTIN)
		return -1;
	switch (e->builtin->id) {
	case NF_DB_TYPE:
		return 0;
	case NF_DB_KIND:
		return 1;
	case NF_DB_SORT:
		return 2;
	case NF_DB_OTHER:
	case NF_DB_LIST:
	case NF_DB_OPTIONAL:
	case NF_DB_NONE:
	case NF_DB_TEXT:
	case NF_DB_NATURAL:
	case NF_DB_INTEGER:
	case NF_DB_DOUBLE:
	case NF_DB_BOOL:
		break;
	}
	return -1;
}

static const struct nf_dexpr *of_universe(struct nf_dhall *d, const struct nf_dexpr *at, int u)
{
	return constant(d, at, u == 0 ? NF_DB_TYPE : u == 1 ? NF_DB_KIND : NF_DB_SORT);
}

static const struct nf_dexpr *mismatch(struct nf_dhall *d, const struct nf_dexpr *at,
                                       const char *what, const struct nf_dexpr *wanted,
                                       const struct nf_dexpr *got)
{
	return nf_dhall_fail_at(d, NF_DPLACE(at), "%s: the type is %s where %s is expected", what,
	                        nf_dhall_brief(d, got), nf_dhall_brief(d, wanted));
}

/* type(t) is Type, for t the type of e: e is a term. */
static bool is_term_type(struct nf_dhall *d, const struct nf_dexpr *t)
{
	const struct nf_dexpr *kind = infer(d, NULL, t);

	return kind && nf_dx_is(kind, NF_DB_TYPE);
}

/* The field of e that comes up twice in sorted fields. */
static bool distinct(struct nf_dhall *d, const struct nf_dexpr *e, const char *what)
{
	for (size_t i = 1; i < e->n; i++)
		if (nf_dstr_eq(e->field[i - 1].name, e->field[i].name)) {
			nf_dhall_fail_at(d, (struct nf_dplace){ e->file, e->field[i].at },
			                 "%s '%.*s' stands here twice", what,
			                 (int)e->field[i].name.n, e->field[i].name.p);
			return false;
		}
	return true;
}

static const struct nf_dexpr *infer_record(struct nf_dhall *d, const struct nf_denv *env,
                                           const struct nf_dexpr *e)
{
	struct nf_dfield *f = nf_dhall_alloc(d, e->n, sizeof(*f));

	if (!f || !distinct(d, e, "field"))
		return NULL;
	for (size_t i = 0; i < e->n; i++) {
		f[i] = e->field[i];
		f[i].value = infer(d, env, e->field[i].value);
		if (!f[i].value)
			return NULL;
		if (universe(f[i].value) == 2)
			return nf_dhall_fail_at(d, NF_DPLACE(e->field[i].value),
			                        "field '%.*s': Kind cannot be a field",
			                        (int)f[i].name.n, f[i].name.p);
	}
	return nf_dx_fields(d, NF_DPLACE(e), NF_D_RECORD_TYPE, f, e->n);
}

/* Record types and unions. */
static const struct nf_dexpr *infer_field_types(struct nf_dhall *d, const struct nf_denv *env,
                                                const struct nf_dexpr *e)
{
	const char *what = e->kind == NF_D_UNION ? "alternative" : "field";
	int highest = 0;

	if (!distinct(d, e, what))
		return NULL;
	for (size_t i = 0; i < e->n; i++) {
		const struct nf_dexpr *kind;
		int u;

		if (!e->field[i].value)
			continue;
		kind = infer(d, env, e->field[i].value);
		if (!kind)
			return NULL;
		u = universe(kind);
		if (u < 0)
			return nf_dhall_fail_at(d, NF_DPLACE(e->field[i].value),
			                        "%s '%.*s': a type is expected, not a value of %s",
			                        what, (int)e->field[i].name.n, e->field[i].name.p,
			                        nf_dhall_brief(d, kind));
		if (u > highest)
			highest = u;
	}
	return of_universe(d, e, highest);
}

static const struct nf_dexpr *infer_list(struct nf_dhall *d, const struct nf_denv *env,
                                         const struct nf_dexpr *e)
{
	const struct nf_dexpr *first = infer(d, env, e->item[0]);

	if (!first)
		return NULL;
	if (!is_term_type(d, first))
		return nf_dhall_fail_at(d, NF_DPLACE(e->item[0]), "a list holds values, not types");
	for (size_t i = 1; i < e->n; i++) {
		const struct nf_dexpr *t = infer(d, env, e->item[i]);

		if (!t)
			return NULL;
		if (!nf_dhall_equal(d, first, t))
			return mismatch(d, e->item[i], "elements of a list have one type", first,
			                t);
	}
	return nf_dx_app(d, NF_DPLACE(e), constant(d, e, NF_DB_LIST), first);
}

static const struct nf_dexpr *infer_empty(struct nf_dhall *d, const struct nf_denv *env,
                                          const struct nf_dexpr *e)
{
	const struct nf_dexpr *type;

	if (!infer(d, env, e->two.a))
		return NULL;
	type = nf_dhall_eval(d, env, e->two.a);
	if (!type)
		return NULL;
	if (!nf_dx_arg_of(type, NF_DB_LIST))
		return nf_dhall_fail_at(d, NF_DPLACE(e->two.a),
		                        "the type of an empty list is List T, not %s",
		                        nf_dhall_brief(d, type));
	return type;
}

static const struct nf_dexpr *infer_some(struct nf_dhall *d, const struct nf_denv *env,
                                         const struct nf_dexpr *e)
{
	const struct nf_dexpr *type = infer(d, env, e->two.a);

	if (!type)
		return NULL;
	if (!is_term_type(d, type))
		return nf_dhall_fail_at(d, NF_DPLACE(e->two.a), "Some takes a value, not a type");
	return nf_dx_app(d, NF_DPLACE(e), constant(d, e, NF_DB_OPTIONAL), type);
}

static const struct nf_dexpr *infer_text(struct nf_dhall *d, const struct nf_denv *env,
                                         const struct nf_dexpr *e)
{
	const struct nf_dexpr *text = constant(d, e, NF_DB_TEXT);

	for (size_t i = 0; text && i + 1 < e->n; i++) {
		const struct nf_dexpr *t = infer(d, env, e->chunk[i].expr);

		if (!t)
			return NULL;
		if (!nf_dx_is(t, NF_DB_TEXT))
			return mismatch(d, e->chunk[i].expr, "interpolation", text, t);
	}
	return text;
}

/* An alternative of the union type u. */
static const struct nf_dexpr *infer_constructor(struct nf_dhall *d, const struct nf_dexpr *e,
                                                const struct nf_dexpr *u)
{
	const struct nf_dfield *f = nf_dx_find(u, e->sel.name);

	if (!f)
		return nf_dhall_fail_at(d, NF_DPLACE(e), "%s has no alternative '%.*s'",
		                        nf_dhall_brief(d, u), (int)e->sel.name.n, e->sel.name.p);
	if (!f->value)
		return u;
	return nf_dx_fn(d, NF_DPLACE(e), NF_D_PI, f->name, f->value, u, ++d->next_id);
}

static const struct nf_dexpr *infer_selection(struct nf_dhall *d, const struct nf_denv *env,
                                              const struct nf_dexpr *e)
{
	const struct nf_dexpr *t = infer(d, env, e->sel.of), *u;

	if (!t)
		return NULL;
	if (t->kind == NF_D_RECORD_TYPE) {
		const struct nf_dfield *f = nf_dx_find(t, e->sel.name);

		if (f)
			return f->value;
		return nf_dhall_fail_at(d, NF_DPLACE(e), "%s has no field '%.*s'",
		                        nf_dhall_brief(d, t), (int)e->sel.name.n, e->sel.name.p);
	}
	if (universe(t) >= 0) {
		u = nf_dhall_eval(d, env, e->sel.of);
		if (!u)
			return NULL;
		if (u->kind == NF_D_UNION)
			return infer_constructor(d, e, u);
	}
	return nf_dhall_fail_at(d, NF_DPLACE(e),
	                        "'.%.*s' selects from a record or a union type, not from %s",
	                        (int)e->sel.name.n, e->sel.name.p, nf_dhall_brief(d, t));
}

static const struct nf_dexpr *infer_application(struct nf_dhall *d, const struct nf_denv *env,
                                                const struct nf_dexpr *e)
{
	const struct nf_dexpr *t = infer(d, env, e->item[0]);

	for (size_t i = 1; t && i < e->n; i++) {
		const struct nf_dexpr *arg = infer(d, env, e->item[i]), *value;

		if (!arg)
			return NULL;
		if (t->kind != NF_D_PI)
			return nf_dhall_fail_at(d, NF_DPLACE(e->item[i]),
			                        "an argument for what is no function but %s",
			                        nf_dhall_brief(d, t));
		if (!nf_dhall_equal(d, t->fn.type, arg))
			return mismatch(d, e->item[i], "argument", t->fn.type, arg);
		if (!t->fn.body->binds) {
			t = t->fn.body;
			continue;
		}
		value = nf_dhall_eval(d, env, e->item[i]);
		t = value ? nf_dhall_substitute(d, t->fn.body, t->fn.id, value) : NULL;
	}
	return t;
}

/* The type of l /\ r, and l //\\ r itself: no field of both unless both are records again. */
static const struct nf_dexpr *combine_types(struct nf_dhall *d, const struct nf_dexpr *at,
                                            const struct nf_dexpr *l, const struct nf_dexpr *r)
{
	struct nf_dfield *f;
	size_t i = 0, k = 0, n = 0;

	if (!nf_dhall_step(d, at))
		return NULL;
	if (l->kind != NF_D_RECORD_TYPE || r->kind != NF_D_RECORD_TYPE)
		return nf_dhall_fail_at(d, NF_DPLACE(at), "only records can be combined, not %s",
		                        nf_dhall_brief(d, l->kind == NF_D_RECORD_TYPE ? r : l));
	f = nf_dhall_alloc(d, (size_t)l->n + r->n, sizeof(*f));
	while (f && (i < l->n || k < r->n)) {
		int c = i == l->n   ? 1
		        : k == r->n ? -1
		                    : nf_dstr_cmp(l->field[i].name, r->field[k].name);

		if (c < 0) {
			f[n++] = l->field[i++];
			continue;
		}
		f[n] = r->field[k++];
		if (c == 0) {
			const struct nf_dexpr *a = l->field[i++].value, *b = f[n].value;

			if (a->kind != NF_D_RECORD_TYPE || b->kind != NF_D_RECORD_TYPE)
				return nf_dhall_fail_at(d, NF_DPLACE(at),
				                        "field '%.*s' stands on both sides",
				                        (int)f[n].name.n, f[n].name.p);
			f[n].value = combine_types(d, at, a, b);
			if (!f[n].value)
				return NULL;
		}
		n++;
	}
	return nf_dx_fields(d, NF_DPLACE(at), NF_D_RECORD_TYPE, f, n);
}

static const struct nf_dexpr *prefer_types(struct nf_dhall *d, const struct nf_dexpr *at,
                                           const struct nf_dexpr *l, const struct nf_dexpr *r)
{
	struct nf_dfield *f;
	size_t i = 0, k = 0, n = 0;

	if (l->kind != NF_D_RECORD_TYPE || r->kind != NF_D_RECORD_TYPE)
		return nf_dhall_fail_at(d, NF_DPLACE(at), "// takes records, not %s",
		                        nf_dhall_brief(d, l->kind == NF_D_RECORD_TYPE ? r : l));
	f = nf_dhall_alloc(d, (size_t)l->n + r->n, sizeof(*f));
	while (f && (i < l->n || k < r->n)) {
		int c = i == l->n   ? 1
		        : k == r->n ? -1
		                    : nf_dstr_cmp(l->field[i].name, r->field[k].name);

		f[n++] = c < 0 ? l->field[i] : r->field[k];
		i += c <= 0;
		k += c >= 0;
	}
	return nf_dx_fields(d, NF_DPLACE(at), NF_D_RECORD_TYPE, f, n);
}

static const struct nf_dexpr *infer_operation(struct nf_dhall *d, const struct nf_denv *env,
                                              const struct nf_dexpr *e)
{
	const struct nf_dexpr *l, *r, *a, *b;
	enum nf_dop op = (enum nf_dop)e->op;

	if (op != NF_DOP_PREFER && op != NF_DOP_COMBINE && op != NF_DOP_COMBINE_TYPES)
		return nf_dhall_fail_at(d, NF_DPLACE(e),
		                        "%s: outside the part of Dhall that is evaluated here",
		                        nf_dop_name(op));
	l = infer(d, env, e->two.a);
	r = l ? infer(d, env, e->two.b) : NULL;
	if (!r)
		return NULL;
	if (op == NF_DOP_PREFER)
		return prefer_types(d, e, l, r);
	if (op == NF_DOP_COMBINE)
		return combine_types(d, e, l, r);
	if (universe(l) < 0 || universe(r) < 0)
		return nf_dhall_fail_at(d, NF_DPLACE(e), "//\\\\ takes record types, not %s",
		                        nf_dhall_brief(d, universe(l) < 0 ? l : r));
	a = nf_dhall_eval(d, env, e->two.a);
	b = a ? nf_dhall_eval(d, env, e->two.b) : NULL;
	if (!b || !combine_types(d, e, a, b))
		return NULL;
	return universe(l) > universe(r) ? l : r;
}

static const struct nf_dexpr *infer_annotation(struct nf_dhall *d, const struct nf_denv *env,
                                               const struct nf_dexpr *value,
                                               const struct nf_dexpr *annotation, const char *what)
{
	const struct nf_dexpr *wanted, *got;

	/* Sort has no type, but may be one. */
	if (!nf_dx_is(annotation, NF_DB_SORT) && !infer(d, env, annotation))
		return NULL;
	wanted = nf_dhall_eval(d, env, annotation);
	got = wanted ? infer(d, env, value) : NULL;
	if (!got)
		return NULL;
	if (!nf_dhall_equal(d, wanted, got))
		return mismatch(d, value, what, wanted, got);
	return wanted;
}

static const struct nf_dexpr *infer_let(struct nf_dhall *d, const struct nf_denv *env,
                                        const struct nf_dexpr *e)
{
	struct nf_denv *frame = nf_dhall_alloc(d, e->n, sizeof(*frame));

	if (!frame)
		return NULL;
	for (size_t i = 0; i < e->n; i++) {
		const struct nf_dbind *b = &e->let.bind[i];

		frame[i].up = env;
		frame[i].name = b->name;
		frame[i].type = b->type ? infer_annotation(d, env, b->value, b->type, "let")
		                        : infer(d, env, b->value);
		frame[i].value = frame[i].type ? nf_dhall_eval(d, env, b->value) : NULL;
		if (!frame[i].value)
			return NULL;
		env = &frame[i];
	}
	return infer(d, env, e->let.body);
}

static const struct nf_dexpr *infer_function_type(struct nf_dhall *d, const struct nf_denv *env,
                                                  const struct nf_dexpr *e)
{
	const struct nf_dexpr *in = infer(d, env, e->fn.type), *type, *out;
	struct nf_denv frame = { .up = env, .name = e->fn.name };

	if (!in)
		return NULL;
	if (universe(in) < 0)
		return nf_dhall_fail_at(d, NF_DPLACE(e->fn.type), "a function takes a type, not %s",
		                        nf_dhall_brief(d, in));
	if (e->fn.id) {
		out = infer(d, env, e->fn.body);
	} else {
		type = nf_dhall_eval(d, env, e->fn.type);
		frame.type = type;
		frame.value = nf_dx_bound(d, NF_DPLACE(e), e->fn.name, ++d->next_id, type);
		out = frame.value ? infer(d, &frame, e->fn.body) : NULL;
	}
	if (!out)
		return NULL;
	if (universe(out) < 0)
		return nf_dhall_fail_at(d, NF_DPLACE(e->fn.body), "a function gives a type, not %s",
		                        nf_dhall_brief(d, out));
	/* The standard's function-check: what gives a term is a Type itself. */
	if (universe(out) == 0)
		return out;
	return universe(in) > universe(out) ? in : out;
}

static const struct nf_dexpr *infer_builtin(struct nf_dhall *d, const struct nf_dexpr *e)
{
	static const char name[] = "(types of builtins)";
	const char *text = e->builtin->type;
	const struct nf_dexpr *type;
	const struct nf_dbuiltin *same;

	if (!text)
		return nf_dhall_fail_at(d, NF_DPLACE(e), "Sort has no type");
	same = nf_dbuiltin_find(nf_dstr_of(text));
	if (same)
		return nf_dx_builtin(d, NF_DPLACE(e), same);
	if (e->builtin->id == NF_DB_LIST || e->builtin->id == NF_DB_OPTIONAL) {
		type = constant(d, e, NF_DB_TYPE);
		return nf_dx_fn(d, NF_DPLACE(e), NF_D_PI, nf_dstr_of("_"), type, type,
		                ++d->next_id);
	}
	if (e->builtin->id == NF_DB_NONE) {
		const struct nf_dexpr *a;

		type = constant(d, e, NF_DB_TYPE);
		a = nf_dx_bound(d, NF_DPLACE(e), nf_dstr_of("A"), ++d->next_id, type);
		return nf_dx_fn(d, NF_DPLACE(e), NF_D_PI, nf_dstr_of("A"), type,
		                nf_dx_app(d, NF_DPLACE(e), constant(d, e, NF_DB_OPTIONAL), a),
		                d->next_id);
	}
	uint16_t file = nf_dhall_add_file(d, name, text, strlen(text));
	type = file ? nf_dhall_parse_source(d, file) : NULL;
	return type ? nf_dhall_eval(d, NULL, type) : NULL;
}

static const struct nf_dexpr *infer_variable(struct nf_dhall *d, const struct nf_denv *env,
                                             const struct nf_dexpr *e)
{
	uint64_t index = e->var.index;
	const struct nf_denv *found = nf_denv_find(env, e->var.name, &index);

	if (found)
		return found->type;
	return nf_dhall_fail_at(d, NF_DPLACE(e), "nothing is called '%.*s' here",
	                        (int)e->var.name.n, e->var.name.p);
}

static const struct nf_dexpr *infer(struct nf_dhall *d, const struct nf_denv *env,
                                    const struct nf_dexpr *e)
{
	if (!nf_dhall_step(d, e))
		return NULL;
	switch ((enum nf_dkind)e->kind) {
	case NF_D_VAR:
		return infer_variable(d, env, e);
	case NF_D_BOUND:
		return e->var.type;
	case NF_D_BUILTIN:
		return infer_builtin(d, e);
	case NF_D_BOOL:
		return constant(d, e, NF_DB_BOOL);
	case NF_D_NATURAL:
		return constant(d, e, NF_DB_NATURAL);
	case NF_D_INTEGER:
		return constant(d, e, NF_DB_INTEGER);
	case NF_D_DOUBLE:
		return constant(d, e, NF_DB_DOUBLE);
	case NF_D_TEXT:
		return infer_text(d, env, e);
	case NF_D_LAMBDA:
		return nf_dhall_fail_at(d, NF_DPLACE(e),
		                        "functions: outside the part of Dhall that is evaluated "
		                        "here");
	case NF_D_IF:
		return nf_dhall_fail_at(d, NF_DPLACE(e),
		                        "if: outside the part of Dhall that is evaluated here");
	case NF_D_PI:
		return infer_function_type(d, env, e);
	case NF_D_APP:
		return infer_application(d, env, e);
	case NF_D_OP:
		return infer_operation(d, env, e);
	case NF_D_LIST:
		return infer_list(d, env, e);
	case NF_D_EMPTY:
		return infer_empty(d, env, e);
	case NF_D_SOME:
		return infer_some(d, env, e);
	case NF_D_RECORD:
		return infer_record(d, env, e);
	case NF_D_RECORD_TYPE:
	case NF_D_UNION:
		return infer_field_types(d, env, e);
	case NF_D_FIELD:
		return infer_selection(d, env, e);
	case NF_D_ANNOT:
		return infer_annotation(d, env, e->two.a, e->two.b, "annotation");
	case NF_D_LET:
		return infer_let(d, env, e);
	case NF_D_IMPORT:
		if (e->import->type)
			return e->import->type;
		return nf_dhall_fail_at(d, NF_DPLACE(e), "an import that was not resolved");
	}
	return NULL;
}

const struct nf_dexpr *nf_dhall_type_of(struct nf_dhall *d, const struct nf_denv *env,
                                        const struct nf_dexpr *e)
{
	return infer(d, env, e);
}

int nf_dhall_infer(struct nf_dhall *d, const struct nf_dexpr *e, const struct nf_dexpr **ret,
                   struct nf_err *err)
{
	nf_dhall_begin(d);
	const struct nf_dexpr *t = infer(d, NULL, e);
	if (t)
		t = nf_dhall_quote(d, t, false);
	if (t)
		*ret = t;
	return nf_dhall_end(d, err);
}
