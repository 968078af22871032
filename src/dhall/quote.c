/* SPDX-License-Identifier: MIT */
/* Values back to expressions with names, their comparison, and substitution in types. */
#include <string.h>

#include "dhall/session.h"

/* The binders around the place at hand, the innermost first. */
struct binder {
	const struct binder *up;
	struct nf_dstr name;
	uint64_t id;
	uint64_t other_id; /* of the right side when two are compared */
};

struct quoting {
	struct nf_dhall *d;
	const struct binder *binder;
	bool alpha;
};

static const struct nf_dexpr *quote(void *ctx, const struct nf_dexpr *e);

static const struct nf_dexpr *quote_binder(struct quoting *q, const struct nf_dexpr *e)
{
	const struct nf_dexpr *type = quote(q, e->fn.type), *body;
	struct binder b = { .up = q->binder,
		            .name = q->alpha ? nf_dstr_of("_") : e->fn.name,
		            .id = e->fn.id };

	if (!type)
		return NULL;
	q->binder = &b;
	body = quote(q, e->fn.body);
	q->binder = b.up;
	return nf_dx_fn(q->d, NF_DPLACE(e), (enum nf_dkind)e->kind, b.name, type, body, 0);
}

static const struct nf_dexpr *quote_variable(struct quoting *q, const struct nf_dexpr *e)
{
	struct nf_dstr name = e->var.name;
	uint64_t index = e->kind == NF_D_VAR ? e->var.index : 0;
	const struct binder *b;

	if (e->kind == NF_D_BOUND) {
		for (b = q->binder; b && b->id != e->var.index; b = b->up)
			;
		name = b ? b->name : name;
	}
	/* Binders of the same name between the variable and what it means. */
	for (b = q->binder; b && !(e->kind == NF_D_BOUND && b->id == e->var.index); b = b->up)
		if (nf_dstr_eq(b->name, name))
			index++;
	return nf_dx_var(q->d, NF_DPLACE(e), name, index);
}

static const struct nf_dexpr *quote(void *ctx, const struct nf_dexpr *e)
{
	struct quoting *q = ctx;

	/* Without binders and variables nothing changes: shared parts stay shared. */
	if (!e->binds)
		return e;
	if (!nf_dhall_step(q->d, e))
		return NULL;
	if (e->kind == NF_D_PI || e->kind == NF_D_LAMBDA)
		return quote_binder(q, e);
	if (e->kind == NF_D_VAR || e->kind == NF_D_BOUND)
		return quote_variable(q, e);
	return nf_dx_map(q->d, e, quote, q);
}

const struct nf_dexpr *nf_dhall_quote(struct nf_dhall *d, const struct nf_dexpr *e, bool alpha)
{
	struct quoting q = { .d = d, .alpha = alpha };

	return quote(&q, e);
}

static bool equal(struct nf_dhall *d, const struct binder *binder, const struct nf_dexpr *a,
                  const struct nf_dexpr *b);

static bool equal_items(struct nf_dhall *d, const struct binder *binder, const struct nf_dexpr *a,
                        const struct nf_dexpr *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (!equal(d, binder, a->item[i], b->item[i]))
			return false;
	return true;
}

static bool equal_fields(struct nf_dhall *d, const struct binder *binder, const struct nf_dexpr *a,
                         const struct nf_dexpr *b)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct nf_dfield *x = &a->field[i], *y = &b->field[i];

		if (!nf_dstr_eq(x->name, y->name) || !x->value != !y->value)
			return false;
		if (x->value && !equal(d, binder, x->value, y->value))
			return false;
	}
	return true;
}

static bool equal_text(struct nf_dhall *d, const struct binder *binder, const struct nf_dexpr *a,
                       const struct nf_dexpr *b)
{
	for (size_t i = 0; i < a->n; i++) {
		if (!nf_dstr_eq(a->chunk[i].text, b->chunk[i].text))
			return false;
		if (i + 1 < a->n && !equal(d, binder, a->chunk[i].expr, b->chunk[i].expr))
			return false;
	}
	return true;
}

static bool equal_bound(const struct binder *binder, uint64_t a, uint64_t b)
{
	for (; binder; binder = binder->up)
		if (binder->id == a || binder->other_id == b)
			return binder->id == a && binder->other_id == b;
	return a == b;
}

static bool equal(struct nf_dhall *d, const struct binder *binder, const struct nf_dexpr *a,
                  const struct nf_dexpr *b)
{
	struct binder inner;

	if (a == b && (!a->binds || !binder))
		return true;
	if (!nf_dhall_step(d, a) || a->kind != b->kind || a->n != b->n)
		return false;
	switch ((enum nf_dkind)a->kind) {
	case NF_D_VAR:
		return a->var.index == b->var.index && nf_dstr_eq(a->var.name, b->var.name);
	case NF_D_BOUND:
		return equal_bound(binder, a->var.index, b->var.index);
	case NF_D_BUILTIN:
		return a->builtin == b->builtin;
	case NF_D_BOOL:
		return a->truth == b->truth;
	case NF_D_NATURAL:
	case NF_D_INTEGER:
		return a->op == b->op && nf_dstr_eq(a->digits, b->digits);
	case NF_D_DOUBLE:
		/* The bits decide. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
		return memcmp(&a->number, &b->number, sizeof(a->number)) == 0;
	case NF_D_TEXT:
		return equal_text(d, binder, a, b);
	case NF_D_LAMBDA:
	case NF_D_PI:
		inner = (struct binder){ .up = binder, .id = a->fn.id, .other_id = b->fn.id };
		return equal(d, binder, a->fn.type, b->fn.type) &&
		       equal(d, &inner, a->fn.body, b->fn.body);
	case NF_D_APP:
	case NF_D_IF:
	case NF_D_LIST:
		return equal_items(d, binder, a, b);
	case NF_D_OP:
		return a->op == b->op && equal(d, binder, a->two.a, b->two.a) &&
		       equal(d, binder, a->two.b, b->two.b);
	case NF_D_EMPTY:
	case NF_D_SOME:
		return equal(d, binder, a->two.a, b->two.a);
	case NF_D_RECORD:
	case NF_D_RECORD_TYPE:
	case NF_D_UNION:
		return equal_fields(d, binder, a, b);
	case NF_D_FIELD:
		return nf_dstr_eq(a->sel.name, b->sel.name) &&
		       equal(d, binder, a->sel.of, b->sel.of);
	case NF_D_ANNOT: /* none of these are in values */
	case NF_D_LET:
	case NF_D_IMPORT:
		break;
	}
	return false;
}

bool nf_dhall_equal(struct nf_dhall *d, const struct nf_dexpr *a, const struct nf_dexpr *b)
{
	return equal(d, NULL, a, b) && !d->failed;
}

struct substitution {
	struct nf_dhall *d;
	uint64_t id;
	const struct nf_dexpr *by;
};

static const struct nf_dexpr *substitute(void *ctx, const struct nf_dexpr *e)
{
	struct substitution *s = ctx;

	if (!e->binds)
		return e;
	if (!nf_dhall_step(s->d, e))
		return NULL;
	if (e->kind == NF_D_BOUND)
		return e->var.index == s->id ? s->by : e;
	return nf_dx_map(s->d, e, substitute, s);
}

const struct nf_dexpr *nf_dhall_substitute(struct nf_dhall *d, const struct nf_dexpr *e,
                                           uint64_t id, const struct nf_dexpr *by)
{
	struct substitution s = { d, id, by };

	return substitute(&s, e);
}
