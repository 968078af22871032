/* SPDX-License-Identifier: MIT */
#include "dhall/expr.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "dhall/session.h"

bool nf_dstr_eq(struct nf_dstr a, struct nf_dstr b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool nf_dstr_is(struct nf_dstr a, const char *s)
{
	return nf_dstr_eq(a, nf_dstr_of(s));
}

int nf_dstr_cmp(struct nf_dstr a, struct nf_dstr b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : (a.n > b.n) - (a.n < b.n);
}

struct nf_dstr nf_dstr_of(const char *s)
{
	return (struct nf_dstr){ s, strlen(s) };
}

struct nf_dstr nf_dstr_copy(struct nf_dhall *d, const char *p, size_t n)
{
	char *copy = nf_dhall_alloc(d, n + 1, 1);

	if (copy && n)
		memcpy(copy, p, n);
	return (struct nf_dstr){ copy, n };
}

/* What a node of this kind takes: most end after the first two words of what they hold. Nodes are shared, never
 * copied as a whole. */
static size_t node_bytes(enum nf_dkind kind)
{
	size_t small = offsetof(struct nf_dexpr, var) + 2 * sizeof(void *);
	bool large = kind == NF_D_VAR || kind == NF_D_BOUND || kind == NF_D_LAMBDA ||
	             kind == NF_D_PI || kind == NF_D_FIELD;

	_Static_assert(sizeof(struct nf_dstr) <= 2 * sizeof(void *), "digits fit");
	return large ? sizeof(struct nf_dexpr) : small;
}

/* A node of which the caller fills the rest. depth: of the deepest child. */
static struct nf_dexpr *node(struct nf_dhall *d, struct nf_dplace p, enum nf_dkind kind,
                             uint16_t depth, size_t n)
{
	struct nf_dexpr *e;

	if (depth >= NF_DHALL_DEPTH)
		return nf_dhall_fail_at(d, p, "nested more than %d deep", (int)NF_DHALL_DEPTH);
	if (n > UINT32_MAX)
		return nf_dhall_fail_at(d, p, "too many elements");
	e = nf_dhall_alloc(d, 1, node_bytes(kind));
	if (!e)
		return NULL;
	e->kind = (uint8_t)kind;
	e->depth = (uint16_t)(depth + 1);
	e->file = p.file;
	e->at = p.at;
	e->n = (uint32_t)n;
	return e;
}

/* What a node takes over from its children. */
struct inherited {
	uint16_t depth;
	bool binds;
	bool failed;
};

static void child(struct inherited *h, const struct nf_dexpr *e)
{
	if (!e) {
		h->failed = true;
		return;
	}
	if (e->depth > h->depth)
		h->depth = e->depth;
	h->binds |= e->binds;
}

const struct nf_dexpr *nf_dx_var(struct nf_dhall *d, struct nf_dplace p, struct nf_dstr name,
                                 uint64_t index)
{
	struct nf_dexpr *e = name.p ? node(d, p, NF_D_VAR, 0, 0) : NULL;

	if (!e)
		return NULL;
	e->var.name = name;
	e->var.index = index;
	/* A free variable is counted from outside: it changes where it stands below a binder. */
	e->binds = true;
	return e;
}

const struct nf_dexpr *nf_dx_bound(struct nf_dhall *d, struct nf_dplace p, struct nf_dstr name,
                                   uint64_t id, const struct nf_dexpr *type)
{
	struct nf_dexpr *e = type ? node(d, p, NF_D_BOUND, 0, 0) : NULL;

	if (!e)
		return NULL;
	e->var.name = name;
	e->var.index = id;
	e->var.type = type;
	e->binds = true;
	return e;
}

const struct nf_dexpr *nf_dx_builtin(struct nf_dhall *d, struct nf_dplace p,
                                     const struct nf_dbuiltin *b)
{
	struct nf_dexpr *e = node(d, p, NF_D_BUILTIN, 0, 0);

	if (e)
		e->builtin = b;
	return e;
}

const struct nf_dexpr *nf_dx_builtin_id(struct nf_dhall *d, struct nf_dplace p,
                                        enum nf_dbuiltin_id id)
{
	const struct nf_dbuiltin *b = nf_dbuiltins;

	while (b->id != id)
		b++;
	return nf_dx_builtin(d, p, b);
}

const struct nf_dexpr *nf_dx_bool(struct nf_dhall *d, struct nf_dplace p, bool v)
{
	struct nf_dexpr *e = node(d, p, NF_D_BOOL, 0, 0);

	if (e)
		e->truth = v;
	return e;
}

const struct nf_dexpr *nf_dx_number(struct nf_dhall *d, struct nf_dplace p, struct nf_dstr digits,
                                    bool integer, bool negative)
{
	struct nf_dexpr *e =
	        digits.p ? node(d, p, integer ? NF_D_INTEGER : NF_D_NATURAL, 0, 0) : NULL;

	if (!e)
		return NULL;
	e->digits = digits;
	/* -0 is +0. */
	e->op = negative && !nf_dstr_is(digits, "0");
	return e;
}

const struct nf_dexpr *nf_dx_double(struct nf_dhall *d, struct nf_dplace p, double v)
{
	struct nf_dexpr *e = node(d, p, NF_D_DOUBLE, 0, 0);

	if (e)
		e->number = v;
	return e;
}

const struct nf_dexpr *nf_dx_text(struct nf_dhall *d, struct nf_dplace p,
                                  const struct nf_dchunk *chunk, size_t n)
{
	struct inherited h = { 0 };
	struct nf_dexpr *e;

	if (!chunk || n == 0)
		return NULL;
	for (size_t i = 0; i + 1 < n; i++)
		child(&h, chunk[i].expr);
	e = h.failed ? NULL : node(d, p, NF_D_TEXT, h.depth, n);
	if (!e)
		return NULL;
	e->chunk = chunk;
	e->binds = h.binds;
	return e;
}

const struct nf_dexpr *nf_dx_fn(struct nf_dhall *d, struct nf_dplace p, enum nf_dkind kind,
                                struct nf_dstr name, const struct nf_dexpr *type,
                                const struct nf_dexpr *body, uint64_t id)
{
	struct inherited h = { 0 };
	struct nf_dexpr *e;

	child(&h, type);
	child(&h, body);
	e = h.failed ? NULL : node(d, p, kind, h.depth, 0);
	if (!e)
		return NULL;
	e->fn.name = name;
	e->fn.type = type;
	e->fn.body = body;
	e->fn.id = id;
	e->binds = true;
	return e;
}

const struct nf_dexpr *nf_dx_items(struct nf_dhall *d, struct nf_dplace p, enum nf_dkind kind,
                                   const struct nf_dexpr *const *item, size_t n)
{
	size_t head = 0;
	struct inherited h = { 0 };
	const struct nf_dexpr **copy;
	struct nf_dexpr *e;

	if (d->failed || !item || n == 0)
		return NULL;
	for (size_t i = 0; i < n; i++)
		child(&h, item[i]);
	if (h.failed)
		return NULL;
	if (kind == NF_D_APP && item[0]->kind == NF_D_APP)
		head = item[0]->n - 1;
	copy = nf_dhall_alloc(d, n + head, sizeof(const struct nf_dexpr *));
	if (!copy)
		return NULL;
	memcpy(copy + head, item, n * sizeof(const struct nf_dexpr *));
	if (head)
		memcpy(copy, item[0]->item, (head + 1) * sizeof(const struct nf_dexpr *));
	e = node(d, p, kind, h.depth, n + head);
	if (!e)
		return NULL;
	e->item = copy;
	e->binds = h.binds;
	return e;
}

const struct nf_dexpr *nf_dx_app(struct nf_dhall *d, struct nf_dplace p, const struct nf_dexpr *fn,
                                 const struct nf_dexpr *arg)
{
	return nf_dx_items(d, p, NF_D_APP, (const struct nf_dexpr *const[]){ fn, arg }, 2);
}

static struct nf_dexpr *two(struct nf_dhall *d, struct nf_dplace p, enum nf_dkind kind,
                            const struct nf_dexpr *a, const struct nf_dexpr *b, bool both)
{
	struct inherited h = { 0 };
	struct nf_dexpr *e;

	child(&h, a);
	if (both)
		child(&h, b);
	e = h.failed ? NULL : node(d, p, kind, h.depth, 0);
	if (!e)
		return NULL;
	e->two.a = a;
	e->two.b = b;
	e->binds = h.binds;
	return e;
}

const struct nf_dexpr *nf_dx_two(struct nf_dhall *d, struct nf_dplace p, enum nf_dkind kind,
                                 enum nf_dop op, const struct nf_dexpr *a, const struct nf_dexpr *b)
{
	struct nf_dexpr *e = two(d, p, kind, a, b, true);

	if (e)
		e->op = (uint8_t)op;
	return e;
}

const struct nf_dexpr *nf_dx_one(struct nf_dhall *d, struct nf_dplace p, enum nf_dkind kind,
                                 const struct nf_dexpr *a)
{
	return two(d, p, kind, a, NULL, false);
}

static int by_name(const void *pa, const void *pb)
{
	const struct nf_dfield *a = pa, *b = pb;
	int c = nf_dstr_cmp(a->name, b->name);

	return c ? c : (a->at > b->at) - (a->at < b->at);
}

const struct nf_dexpr *nf_dx_fields(struct nf_dhall *d, struct nf_dplace p, enum nf_dkind kind,
                                    struct nf_dfield *field, size_t n)
{
	struct inherited h = { 0 };
	struct nf_dexpr *e;
	bool sorted = true;

	if (d->failed || (n && !field))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (field[i].value || kind != NF_D_UNION)
			child(&h, field[i].value);
		if (i && nf_dstr_cmp(field[i - 1].name, field[i].name) > 0)
			sorted = false;
	}
	if (!sorted)
		qsort(field, n, sizeof(*field), by_name);
	e = h.failed ? NULL : node(d, p, kind, h.depth, n);
	if (!e)
		return NULL;
	e->field = field;
	e->binds = h.binds;
	return e;
}

const struct nf_dexpr *nf_dx_sel(struct nf_dhall *d, struct nf_dplace p, const struct nf_dexpr *of,
                                 struct nf_dstr name)
{
	struct nf_dexpr *e = of && name.p ? node(d, p, NF_D_FIELD, of->depth, 0) : NULL;

	if (!e)
		return NULL;
	e->sel.of = of;
	e->sel.name = name;
	e->binds = of->binds;
	return e;
}

const struct nf_dexpr *nf_dx_let(struct nf_dhall *d, struct nf_dplace p,
                                 const struct nf_dbind *bind, size_t n, const struct nf_dexpr *body)
{
	size_t tail = body && body->kind == NF_D_LET ? body->n : 0;
	struct inherited h = { 0 };
	struct nf_dbind *copy;
	struct nf_dexpr *e;

	if (!body || !bind)
		return NULL;
	copy = nf_dhall_alloc(d, n + tail, sizeof(*copy));
	if (!copy)
		return NULL;
	memcpy(copy, bind, n * sizeof(*copy));
	if (tail) {
		memcpy(copy + n, body->let.bind, tail * sizeof(*copy));
		body = body->let.body;
	}
	for (size_t i = 0; i < n + tail; i++) {
		if (copy[i].type)
			child(&h, copy[i].type);
		child(&h, copy[i].value);
	}
	child(&h, body);
	e = h.failed ? NULL : node(d, p, NF_D_LET, h.depth, n + tail);
	if (!e)
		return NULL;
	e->let.bind = copy;
	e->let.body = body;
	e->binds = true;
	return e;
}

const struct nf_dexpr *nf_dx_import(struct nf_dhall *d, struct nf_dplace p,
                                    struct nf_dimport *import)
{
	struct nf_dexpr *e = import ? node(d, p, NF_D_IMPORT, 0, 0) : NULL;

	if (e)
		e->import = import;
	return e;
}

const char *nf_dop_name(enum nf_dop op)
{
	static const char *const names[NF_DOP_COUNT] = { "||",     "&&", "==", "!=",  "+",
		                                         "*",      "++", "#",  "/\\", "//",
		                                         "//\\\\", "?",  "===" };

	return names[op];
}

const struct nf_dfield *nf_dx_find(const struct nf_dexpr *fields, struct nf_dstr name)
{
	size_t lo = 0, hi = fields->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = nf_dstr_cmp(fields->field[mid].name, name);

		if (c == 0)
			return &fields->field[mid];
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

bool nf_dx_is(const struct nf_dexpr *e, enum nf_dbuiltin_id id)
{
	return e->kind == NF_D_BUILTIN && e->builtin->id == id;
}

const struct nf_dexpr *nf_dx_arg_of(const struct nf_dexpr *e, enum nf_dbuiltin_id id)
{
	return e->kind == NF_D_APP && e->n == 2 && nf_dx_is(e->item[0], id) ? e->item[1] : NULL;
}

static const struct nf_dexpr *map_items(struct nf_dhall *d, const struct nf_dexpr *e,
                                        nf_dx_map_fn *fn, void *ctx)
{
	const struct nf_dexpr **item = nf_dhall_alloc(d, e->n, sizeof(const struct nf_dexpr *));

	for (size_t i = 0; item && i < e->n; i++)
		item[i] = fn(ctx, e->item[i]);
	return item ? nf_dx_items(d, NF_DPLACE(e), (enum nf_dkind)e->kind, item, e->n) : NULL;
}

static const struct nf_dexpr *map_fields(struct nf_dhall *d, const struct nf_dexpr *e,
                                         nf_dx_map_fn *fn, void *ctx)
{
	struct nf_dfield *f = nf_dhall_alloc(d, e->n, sizeof(*f));

	for (size_t i = 0; f && i < e->n; i++) {
		f[i] = e->field[i];
		if (f[i].value && !(f[i].value = fn(ctx, f[i].value)))
			return NULL;
	}
	return f ? nf_dx_fields(d, NF_DPLACE(e), (enum nf_dkind)e->kind, f, e->n) : NULL;
}

static const struct nf_dexpr *map_text(struct nf_dhall *d, const struct nf_dexpr *e,
                                       nf_dx_map_fn *fn, void *ctx)
{
	struct nf_dchunk *c = nf_dhall_alloc(d, e->n, sizeof(*c));

	for (size_t i = 0; c && i < e->n; i++) {
		c[i] = e->chunk[i];
		if (c[i].expr)
			c[i].expr = fn(ctx, c[i].expr);
	}
	return nf_dx_text(d, NF_DPLACE(e), c, e->n);
}

const struct nf_dexpr *nf_dx_map(struct nf_dhall *d, const struct nf_dexpr *e, nf_dx_map_fn *fn,
                                 void *ctx)
{
	struct nf_dplace p = NF_DPLACE(e);
	const struct nf_dexpr *a, *b;

	switch ((enum nf_dkind)e->kind) {
	case NF_D_TEXT:
		return map_text(d, e, fn, ctx);
	case NF_D_LAMBDA:
	case NF_D_PI:
		a = fn(ctx, e->fn.type);
		b = a ? fn(ctx, e->fn.body) : NULL;
		return nf_dx_fn(d, p, (enum nf_dkind)e->kind, e->fn.name, a, b, e->fn.id);
	case NF_D_APP:
	case NF_D_IF:
	case NF_D_LIST:
		return map_items(d, e, fn, ctx);
	case NF_D_OP:
	case NF_D_ANNOT:
		a = fn(ctx, e->two.a);
		b = a ? fn(ctx, e->two.b) : NULL;
		return nf_dx_two(d, p, (enum nf_dkind)e->kind, (enum nf_dop)e->op, a, b);
	case NF_D_EMPTY:
	case NF_D_SOME:
		return nf_dx_one(d, p, (enum nf_dkind)e->kind, fn(ctx, e->two.a));
	case NF_D_RECORD:
	case NF_D_RECORD_TYPE:
	case NF_D_UNION:
		return map_fields(d, e, fn, ctx);
	case NF_D_FIELD:
		return nf_dx_sel(d, p, fn(ctx, e->sel.of), e->sel.name);
	case NF_D_LET: /* not in values */
	case NF_D_VAR:
	case NF_D_BOUND:
	case NF_D_BUILTIN:
	case NF_D_BOOL:
	case NF_D_NATURAL:
	case NF_D_INTEGER:
	case NF_D_DOUBLE:
	case NF_D_IMPORT:
		break;
	}
	return e;
}
