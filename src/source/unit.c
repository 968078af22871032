/* SPDX-License-Identifier: MIT */
#include "source/unit.h"

#include <stdlib.h>
#include <string.h>

static int grow_directives(struct nf_src_unit *u, struct nf_err *err)
{
	uint32_t cap = u->cap ? 2 * u->cap : 256;
	struct nf_src_directive *d;
	int32_t *branch, *begins;

	if (u->n >= NF_SRC_UNIT_MAX)
		return nf_fail(err, NF_EDATA, "more than %d directives in one file",
		               NF_SRC_UNIT_MAX);
	d = realloc(u->d, cap * sizeof(*d));
	if (d)
		u->d = d;
	branch = realloc(u->branch, cap * sizeof(*branch));
	if (branch)
		u->branch = branch;
	begins = realloc(u->begins, cap * sizeof(*begins));
	if (begins)
		u->begins = begins;
	if (!d || !branch || !begins)
		return nf_fail_nomem(err, "directives", cap * sizeof(*d));
	u->cap = cap;
	return 0;
}

static int add_branch(struct nf_src_unit *u, int32_t group, int32_t parent, struct nf_err *err)
{
	if (u->n_branches == u->cap_branches) {
		uint32_t cap = u->cap_branches ? 2 * u->cap_branches : 64;
		struct nf_src_branch *b = realloc(u->b, cap * sizeof(*b));

		if (!b)
			return nf_fail_nomem(err, "conditions", cap * sizeof(*b));
		u->b = b;
		u->cap_branches = cap;
	}
	u->b[u->n_branches++] = (struct nf_src_branch){
		.group = group, .parent = parent, .next = -1, .prev = -1, .first = u->n
	};
	return 0;
}

static bool word_is(struct nf_src_word w, const char *text)
{
	return w.len == strlen(text) && memcmp(w.at, text, w.len) == 0;
}

static bool holds_for_c(const struct nf_src_directive *d)
{
	if (d->kind == NF_SRC_IFNDEF)
		return word_is(d->name, "__ASSEMBLY__") || word_is(d->name, "__ASSEMBLER__");
	return d->kind == NF_SRC_IFDEF && word_is(d->name, "__KERNEL__");
}

static bool begins_group(enum nf_src_kind k)
{
	return k == NF_SRC_IF || k == NF_SRC_IFDEF || k == NF_SRC_IFNDEF;
}

static bool goes_on(enum nf_src_kind k)
{
	return k == NF_SRC_ELIF || k == NF_SRC_ELIFDEF || k == NF_SRC_ELIFNDEF || k == NF_SRC_ELSE;
}

/* d is the next directive; *now: the innermost open branch. */
static int add(struct nf_src_unit *u, const struct nf_src_directive *d, int32_t *now,
               struct nf_err *err)
{
	int r = u->n == u->cap ? grow_directives(u, err) : 0;

	if (r < 0)
		return r;
	u->begins[u->n] = -1;
	u->branch[u->n] = *now;
	u->d[u->n] = *d;
	if (begins_group(d->kind)) {
		r = add_branch(u, u->groups++, *now, err);
		if (r < 0)
			return r;
		u->b[u->n_branches - 1].open = holds_for_c(d);
		*now = u->begins[u->n] = (int32_t)u->n_branches - 1;
	} else if (*now != NF_SRC_TOP && (goes_on(d->kind) || d->kind == NF_SRC_ENDIF)) {
		int32_t before = *now;

		u->b[before].end = u->n;
		u->branch[u->n] = *now = u->b[before].parent;
		if (d->kind != NF_SRC_ENDIF) {
			r = add_branch(u, u->b[before].group, u->b[before].parent, err);
			if (r < 0)
				return r;
			*now = u->begins[u->n] = (int32_t)u->n_branches - 1;
			u->b[before].next = *now;
			u->b[*now].prev = before;
		}
	}
	u->n++;
	return 0;
}

static struct nf_src_word guard_of(const struct nf_src_directive *d)
{
	const char *p = d->rest;
	struct nf_src_word w;
	bool negated = false;

	if (d->kind == NF_SRC_IFNDEF)
		return d->name;
	if (d->kind == NF_SRC_IF && nf_src_next_defined(&p, d->end, &w, &negated) && negated)
		return w;
	return (struct nf_src_word){ NULL, 0 };
}

static bool has_guard(const struct nf_src_unit *u)
{
	struct nf_src_word g;

	if (u->n < 3)
		return false;
	g = guard_of(&u->d[0]);
	return g.len && u->d[1].kind == NF_SRC_DEFINE && nf_src_same(g, u->d[1].name);
}

int nf_src_unit_read(struct nf_src_unit *u, const char *data, size_t len, struct nf_err *err)
{
	struct nf_src_reader reader;
	struct nf_src_directive d;
	int32_t now = NF_SRC_TOP;
	int r = 0;

	u->n = u->n_branches = 0;
	u->groups = 0;
	u->data = data;
	u->len = len;
	nf_src_begin(&reader, data, len);
	while (r == 0 && nf_src_next(&reader, &d))
		r = add(u, &d, &now, err);
	/* What was never closed goes to the end. */
	for (; now != NF_SRC_TOP; now = u->b[now].parent)
		u->b[now].end = u->n;
	if (r == 0 && has_guard(u))
		u->b[0].open = true;
	return r;
}

void nf_src_unit_fini(struct nf_src_unit *u)
{
	free(u->d);
	free(u->branch);
	free(u->begins);
	free(u->b);
	*u = (struct nf_src_unit){ 0 };
}

/* A condition that is about one name's definedness and nothing else. */
struct fact {
	struct nf_src_word name;
	bool defined;
};

static bool fact_of(const struct nf_src_directive *d, struct fact *ret)
{
	const char *p = d->rest, *q = d->rest;
	struct nf_src_token t;
	bool negated = false;
	size_t words = 0;

	if (d->kind == NF_SRC_IFDEF || d->kind == NF_SRC_IFNDEF || d->kind == NF_SRC_ELIFDEF ||
	    d->kind == NF_SRC_ELIFNDEF) {
		ret->name = d->name;
		ret->defined = d->kind == NF_SRC_IFDEF || d->kind == NF_SRC_ELIFDEF;
		return true;
	}
	if ((d->kind != NF_SRC_IF && d->kind != NF_SRC_ELIF) ||
	    !nf_src_next_defined(&p, d->end, &ret->name, &negated))
		return false;
	/* Of words there are "defined" and the name only, of marks ! and parentheses. */
	for (nf_src_token(&q, d->end, &t); t.kind != NF_SRC_END; nf_src_token(&q, d->end, &t)) {
		words += t.kind != NF_SRC_PUNCT;
		if (t.kind == NF_SRC_PUNCT && !strchr("!()", *t.at))
			return false;
		/* !!defined(X), and a ! before a parenthesis of its own */
		if (t.kind == NF_SRC_PUNCT && *t.at == '!' &&
		    (t.at != nf_src_skip(d->rest, d->end) || !negated))
			return false;
	}
	ret->defined = !negated;
	return words == 2;
}

/* Whether a fact is denied by the conditions that hold in branch b: its own, and that none before it does. */
static bool is_denied(const struct nf_src_unit *u, const struct fact *f, int32_t b)
{
	for (; b != NF_SRC_TOP; b = u->b[b].parent)
		for (int32_t k = b; k >= 0; k = u->b[k].prev) {
			struct fact g;

			if (fact_of(&u->d[u->b[k].first], &g) && nf_src_same(f->name, g.name) &&
			    f->defined != (k == b ? g.defined : !g.defined))
				return true;
		}
	return false;
}

static bool contradict(const struct nf_src_unit *u, int32_t a, int32_t b)
{
	for (; a != NF_SRC_TOP; a = u->b[a].parent)
		for (int32_t k = a; k >= 0; k = u->b[k].prev) {
			struct fact f;

			if (!fact_of(&u->d[u->b[k].first], &f))
				continue;
			f.defined = k == a ? f.defined : !f.defined;
			if (is_denied(u, &f, b))
				return true;
		}
	return false;
}

bool nf_src_exclusive(const struct nf_src_unit *u, int32_t a, int32_t b)
{
	for (int32_t i = a; i != NF_SRC_TOP; i = u->b[i].parent)
		for (int32_t j = b; j != NF_SRC_TOP; j = u->b[j].parent)
			if (i != j && u->b[i].group == u->b[j].group)
				return true;
	return a != NF_SRC_TOP && b != NF_SRC_TOP && a != b && contradict(u, a, b);
}

/* The expression is this number and nothing else. */
static bool is_literally(const struct nf_src_directive *d, const char *number)
{
	const char *p = d->rest;
	struct nf_src_token t;

	if (d->kind != NF_SRC_IF && d->kind != NF_SRC_ELIF)
		return false;
	nf_src_token(&p, d->end, &t);
	if (!nf_src_token_is(&t, number))
		return false;
	nf_src_token(&p, d->end, &t);
	return t.kind == NF_SRC_END;
}

bool nf_src_never(const struct nf_src_unit *u, int32_t branch)
{
	for (; branch != NF_SRC_TOP; branch = u->b[branch].parent) {
		if (is_literally(&u->d[u->b[branch].first], "0"))
			return true;
		for (int32_t k = u->b[branch].prev; k >= 0; k = u->b[k].prev)
			if (is_literally(&u->d[u->b[k].first], "1"))
				return true;
	}
	return false;
}

bool nf_src_encloses(const struct nf_src_unit *u, int32_t outer, int32_t inner)
{
	while (outer != NF_SRC_TOP && u->b[outer].open)
		outer = u->b[outer].parent;
	if (outer == NF_SRC_TOP)
		return true;
	for (; inner != NF_SRC_TOP; inner = u->b[inner].parent)
		if (inner == outer)
			return true;
	return false;
}

bool nf_src_unconditional(const struct nf_src_unit *u, int32_t branch)
{
	return nf_src_encloses(u, branch, NF_SRC_TOP);
}

/* Where a branch is text: behind the directive that begins it, up to the one that ends it. */
static const char *text_of(const struct nf_src_unit *u, const struct nf_src_branch *b,
                           const char **end)
{
	*end = b->end < u->n ? u->d[b->end].at : u->data + u->len;
	return u->d[b->first].end;
}

/* Whether the code of a branch, or a value or an expression in it, uses the name. */
static bool branch_uses(const struct nf_src_unit *u, const struct nf_src_branch *b,
                        struct nf_src_word name)
{
	const char *end, *p = text_of(u, b, &end);

	/* Directive after directive: between them is code, and each is looked at for what it is. */
	for (uint32_t i = b->first + 1; i <= b->end; i++) {
		const char *stop = i < b->end ? u->d[i].at : end;

		if (stop > p && memmem(p, (size_t)(stop - p), name.at, name.len) &&
		    nf_src_uses_value(p, stop, name))
			return true;
		if (i == b->end || i >= u->n)
			break;
		const struct nf_src_directive *d = &u->d[i];
		bool looks = d->kind == NF_SRC_IF || d->kind == NF_SRC_ELIF ||
		             (d->kind == NF_SRC_DEFINE && !nf_src_same(d->name, name));
		if (looks && nf_src_uses_value(d->rest, d->end, name))
			return true;
		p = d->end;
	}
	return false;
}

/* What a branch does to the name. */
struct deeds {
	bool defines, undefines, errors;
	uint32_t directives;
};

static void look_at_branch(const struct nf_src_unit *u, const struct nf_src_branch *b,
                           struct nf_src_word name, struct deeds *ret)
{
	for (uint32_t i = b->first + 1; i < b->end; i++) {
		const struct nf_src_directive *d = &u->d[i];

		ret->directives++;
		ret->errors = ret->errors || d->kind == NF_SRC_ERROR;
		if (d->kind == NF_SRC_DEFINE && nf_src_same(d->name, name))
			ret->defines = true;
		if (d->kind == NF_SRC_UNDEF && nf_src_same(d->name, name))
			ret->undefines = true;
	}
}

enum nf_src_purpose nf_src_purpose_of(const struct nf_src_unit *u, uint32_t i,
                                      struct nf_src_word name, bool negated)
{
	const struct nf_src_directive *d = &u->d[i];
	int32_t own = u->begins[i];
	struct deeds on = { 0 }, off = { 0 };

	if (own < 0)
		return NF_SRC_GUARD; /* an #elif of nothing */
	if (u->b[own].open)
		return NF_SRC_GUARD;
	if ((d->kind == NF_SRC_IF || d->kind == NF_SRC_ELIF) &&
	    nf_src_uses_value(d->rest, d->end, name))
		return NF_SRC_VALUE;
	for (int32_t b = own; b >= 0; b = u->b[b].next) {
		bool defined = (b == own) != negated;

		if (defined && branch_uses(u, &u->b[b], name))
			return NF_SRC_VALUE;
		look_at_branch(u, &u->b[b], name, defined ? &on : &off);
		/* An #elif that asks for the value. */
		if (b != own && u->d[u->b[b].first].kind == NF_SRC_ELIF &&
		    nf_src_uses_value(u->d[u->b[b].first].rest, u->d[u->b[b].first].end, name))
			return NF_SRC_VALUE;
	}
	if (off.defines)
		return NF_SRC_DEFAULT;
	if (on.undefines || on.defines)
		return NF_SRC_REDEFINE;
	if ((on.errors && on.directives == 1) || (off.errors && off.directives == 1))
		return NF_SRC_REQUIRED;
	return NF_SRC_MISTAKE;
}
