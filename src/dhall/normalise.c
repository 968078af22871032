/* SPDX-License-Identifier: MIT */
/*
 * Evaluation to beta-normal form (the standard's beta-normalization.md, for the part that is read
 * here). Variables of function types become NF_D_BOUND with an id of their own, so that nothing has to
 * be renamed or shifted; quote.c gives names back.
 */
#include <string.h>

#include "dhall/env.h"
#include "dhall/session.h"

const struct nf_denv *nf_denv_find(const struct nf_denv *env, struct nf_dstr name, uint64_t *index)
{
	for (; env; env = env->up) {
		if (!nf_dstr_eq(env->name, name))
			continue;
		if (*index == 0)
			return env;
		(*index)--;
	}
	return NULL;
}

static const struct nf_dexpr *operate(struct nf_dhall *d, struct nf_dplace p, enum nf_dop op,
                                      const struct nf_dexpr *l, const struct nf_dexpr *r);

/* The fields of both; where both have one: // takes the right, the others combine. */
static const struct nf_dexpr *merged(struct nf_dhall *d, struct nf_dplace p, enum nf_dop op,
                                     const struct nf_dexpr *l, const struct nf_dexpr *r)
{
	struct nf_dfield *f = nf_dhall_alloc(d, (size_t)l->n + r->n, sizeof(*f));
	size_t i = 0, k = 0, n = 0;

	if (!f)
		return NULL;
	while (i < l->n || k < r->n) {
		int c = i == l->n   ? 1
		        : k == r->n ? -1
		                    : nf_dstr_cmp(l->field[i].name, r->field[k].name);

		if (c < 0) {
			f[n++] = l->field[i++];
		} else if (c > 0) {
			f[n++] = r->field[k++];
		} else {
			f[n] = r->field[k];
			if (op != NF_DOP_PREFER)
				f[n].value =
				        operate(d, p, op, l->field[i].value, r->field[k].value);
			if (!f[n].value)
				return NULL;
			n++;
			i++;
			k++;
		}
	}
	return nf_dx_fields(d, p, (enum nf_dkind)l->kind, f, n);
}

static const struct nf_dexpr *operate(struct nf_dhall *d, struct nf_dplace p, enum nf_dop op,
                                      const struct nf_dexpr *l, const struct nf_dexpr *r)
{
	enum nf_dkind kind = op == NF_DOP_COMBINE_TYPES ? NF_D_RECORD_TYPE : NF_D_RECORD;

	if (!nf_dhall_step(d, l))
		return NULL;
	if (l->kind == kind && l->n == 0)
		return r;
	if (r->kind == kind && r->n == 0)
		return l;
	if (l->kind == kind && r->kind == kind)
		return merged(d, p, op, l, r);
	if (op == NF_DOP_PREFER && nf_dhall_equal(d, l, r))
		return l;
	return d->failed ? NULL : nf_dx_two(d, p, NF_D_OP, op, l, r);
}

/* A record of the one field. */
static const struct nf_dexpr *single(struct nf_dhall *d, const struct nf_dexpr *record,
                                     const struct nf_dfield *field)
{
	struct nf_dfield *f = nf_dhall_alloc(d, 1, sizeof(*f));

	if (!f)
		return NULL;
	*f = *field;
	return nf_dx_fields(d, NF_DPLACE(record), NF_D_RECORD, f, 1);
}

static const struct nf_dexpr *select_field(struct nf_dhall *d, struct nf_dplace p,
                                           const struct nf_dexpr *of, struct nf_dstr name)
{
	const struct nf_dfield *f;

	/* Operands that cannot have the field, or must have it, fall away. */
	while (of && of->kind == NF_D_OP && (of->op == NF_DOP_PREFER || of->op == NF_DOP_COMBINE)) {
		const struct nf_dexpr *l = of->two.a, *r = of->two.b;

		if (!nf_dhall_step(d, of))
			return NULL;
		if (r->kind == NF_D_RECORD) {
			f = nf_dx_find(r, name);
			if (!f) {
				of = l;
				continue;
			}
			if (of->op == NF_DOP_PREFER)
				return f->value;
			of = nf_dx_two(d, NF_DPLACE(of), NF_D_OP, NF_DOP_COMBINE, l,
			               single(d, r, f));
			break;
		}
		if (l->kind != NF_D_RECORD)
			break;
		f = nf_dx_find(l, name);
		if (!f) {
			of = r;
			continue;
		}
		of = nf_dx_two(d, NF_DPLACE(of), NF_D_OP, (enum nf_dop)of->op, single(d, l, f), r);
		break;
	}
	if (of && of->kind == NF_D_RECORD) {
		f = nf_dx_find(of, name);
		if (f)
			return f->value;
	}
	return nf_dx_sel(d, p, of, name);
}

static const struct nf_dexpr *eval_text(struct nf_dhall *d, const struct nf_denv *env,
                                        const struct nf_dexpr *e)
{
	const struct nf_dexpr **part;
	struct nf_dchunk *out;
	size_t n = 1, k = 0;
	const struct nf_dexpr *result = NULL;
	struct nf_buf run;
	struct nf_err failure = { 0 };

	if (e->n == 1)
		return e;
	part = nf_dhall_alloc(d, e->n, sizeof(const struct nf_dexpr *));
	if (!part)
		return NULL;
	for (size_t i = 0; i + 1 < e->n; i++) {
		part[i] = nf_dhall_eval(d, env, e->chunk[i].expr);
		if (!part[i])
			return NULL;
		n += part[i]->kind == NF_D_TEXT ? part[i]->n - 1 : 1;
	}
	out = nf_dhall_alloc(d, n, sizeof(*out));
	if (!out)
		return NULL;
	nf_buf_init(&run, NF_DHALL_TEXT_BYTES);
	for (size_t i = 0; i < e->n; i++) {
		const struct nf_dexpr *x = part[i];

		(void)nf_buf_add(&run, e->chunk[i].text.p, e->chunk[i].text.n);
		if (!x)
			break;
		for (size_t c = 0; c < (x->kind == NF_D_TEXT ? x->n : 1); c++) {
			const struct nf_dexpr *inner = x->kind == NF_D_TEXT ? x->chunk[c].expr : x;

			if (x->kind == NF_D_TEXT)
				(void)nf_buf_add(&run, x->chunk[c].text.p, x->chunk[c].text.n);
			if (!inner)
				continue;
			out[k].text = nf_dstr_copy(d, run.data, run.len_bytes);
			out[k++].expr = inner;
			nf_buf_clear(&run);
		}
	}
	out[k].text = nf_dstr_copy(d, run.data, run.len_bytes);
	if (nf_buf_failed(&run, "a text", &failure) < 0)
		nf_dhall_fail_err(d, &failure);
	else if (k == 1 && out[0].text.n == 0 && out[1].text.n == 0)
		result = out[0].expr; /* "${x}" is x */
	else if (!d->failed)
		result = nf_dx_text(d, NF_DPLACE(e), out, k + 1);
	nf_buf_fini(&run);
	return result;
}

static const struct nf_dexpr *eval_let(struct nf_dhall *d, const struct nf_denv *env,
                                       const struct nf_dexpr *e)
{
	struct nf_denv *frame = nf_dhall_alloc(d, e->n, sizeof(*frame));

	if (!frame)
		return NULL;
	for (size_t i = 0; i < e->n; i++) {
		frame[i].up = env;
		frame[i].name = e->let.bind[i].name;
		frame[i].value = nf_dhall_eval(d, env, e->let.bind[i].value);
		if (!frame[i].value)
			return NULL;
		env = &frame[i];
	}
	return nf_dhall_eval(d, env, e->let.body);
}

static const struct nf_dexpr *eval_function_type(struct nf_dhall *d, const struct nf_denv *env,
                                                 const struct nf_dexpr *e)
{
	const struct nf_dexpr *type = nf_dhall_eval(d, env, e->fn.type);
	uint64_t id = ++d->next_id;
	struct nf_denv frame = { .up = env, .name = e->fn.name, .type = type };

	/* In a value the variable has its id already, and the body holds it. */
	if (e->fn.id) {
		const struct nf_dexpr *body = type ? nf_dhall_eval(d, env, e->fn.body) : NULL;

		return nf_dx_fn(d, NF_DPLACE(e), NF_D_PI, e->fn.name, type, body, e->fn.id);
	}
	frame.value = nf_dx_bound(d, NF_DPLACE(e), e->fn.name, id, type);
	if (!frame.value)
		return NULL;
	return nf_dx_fn(d, NF_DPLACE(e), NF_D_PI, e->fn.name, type,
	                nf_dhall_eval(d, &frame, e->fn.body), id);
}

struct context {
	struct nf_dhall *d;
	const struct nf_denv *env;
};

static const struct nf_dexpr *eval_child(void *ctx, const struct nf_dexpr *child)
{
	struct context *c = ctx;

	return nf_dhall_eval(c->d, c->env, child);
}

static const struct nf_dexpr *refuse(struct nf_dhall *d, const struct nf_dexpr *e, const char *what)
{
	return nf_dhall_fail_at(d, NF_DPLACE(e),
	                        "%s: outside the part of Dhall that is evaluated here", what);
}

static const struct nf_dexpr *eval_variable(struct nf_dhall *d, const struct nf_denv *env,
                                            const struct nf_dexpr *e)
{
	uint64_t index = e->var.index;
	const struct nf_denv *found = nf_denv_find(env, e->var.name, &index);

	if (found)
		return found->value;
	return index == e->var.index ? e : nf_dx_var(d, NF_DPLACE(e), e->var.name, index);
}

const struct nf_dexpr *nf_dhall_eval(struct nf_dhall *d, const struct nf_denv *env,
                                     const struct nf_dexpr *e)
{
	struct context c = { d, env };
	const struct nf_dexpr *a, *b;

	if (!nf_dhall_step(d, e))
		return NULL;
	switch ((enum nf_dkind)e->kind) {
	case NF_D_VAR:
		return eval_variable(d, env, e);
	case NF_D_BOUND:
	case NF_D_BUILTIN:
	case NF_D_BOOL:
	case NF_D_NATURAL:
	case NF_D_INTEGER:
	case NF_D_DOUBLE:
		return e;
	case NF_D_TEXT:
		return eval_text(d, env, e);
	case NF_D_LAMBDA:
		return refuse(d, e, "functions");
	case NF_D_IF:
		return refuse(d, e, "if");
	case NF_D_PI:
		return eval_function_type(d, env, e);
	case NF_D_APP:
		a = nf_dx_map(d, e, eval_child, &c);
		if (a && a->item[0]->kind == NF_D_BUILTIN && a->item[0]->builtin->function)
			return refuse(d, e, a->item[0]->builtin->name);
		return a;
	case NF_D_LIST:
	case NF_D_EMPTY:
	case NF_D_SOME:
	case NF_D_RECORD:
	case NF_D_RECORD_TYPE:
	case NF_D_UNION:
		return nf_dx_map(d, e, eval_child, &c);
	case NF_D_OP:
		if (e->op != NF_DOP_PREFER && e->op != NF_DOP_COMBINE &&
		    e->op != NF_DOP_COMBINE_TYPES)
			return refuse(d, e, nf_dop_name((enum nf_dop)e->op));
		a = nf_dhall_eval(d, env, e->two.a);
		b = a ? nf_dhall_eval(d, env, e->two.b) : NULL;
		return b ? operate(d, NF_DPLACE(e), (enum nf_dop)e->op, a, b) : NULL;
	case NF_D_FIELD:
		a = nf_dhall_eval(d, env, e->sel.of);
		return a ? select_field(d, NF_DPLACE(e), a, e->sel.name) : NULL;
	case NF_D_ANNOT:
		return nf_dhall_eval(d, env, e->two.a);
	case NF_D_LET:
		return eval_let(d, env, e);
	case NF_D_IMPORT:
		if (e->import->value)
			return e->import->value;
		return refuse(d, e, "an import that was not resolved");
	}
	return NULL;
}

int nf_dhall_normalise(struct nf_dhall *d, const struct nf_dexpr *e, const struct nf_dexpr **ret,
                       struct nf_err *err)
{
	nf_dhall_begin(d);
	const struct nf_dexpr *v = nf_dhall_eval(d, NULL, e);
	if (v)
		v = nf_dhall_quote(d, v, false);
	if (v)
		*ret = v;
	return nf_dhall_end(d, err);
}

int nf_dhall_alpha(struct nf_dhall *d, const struct nf_dexpr *e, const struct nf_dexpr **ret,
                   struct nf_err *err)
{
	nf_dhall_begin(d);
	const struct nf_dexpr *v = nf_dhall_eval(d, NULL, e);
	if (v)
		v = nf_dhall_quote(d, v, true);
	if (v)
		*ret = v;
	return nf_dhall_end(d, err);
}
