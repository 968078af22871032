/* SPDX-License-Identifier: MIT */
/* Expressions down to operands; the grammar is the standard's dhall.abnf, rule by rule. */
#include <string.h>

#include "dhall/lex.h"

struct operator
{
	const char *text;
	enum nf_dop op;
	int level; /* 0 binds loosest */
	bool space; /* has to be followed by white space */
};

/* Longer ones before those that they start with. */
static const struct operator operators[] = {
	/* clang-format off */
	{ "===", NF_DOP_EQUIVALENT, 0, false }, { "\u2261", NF_DOP_EQUIVALENT, 0, false },
	{ "?", NF_DOP_ALTERNATIVE, 1, true },
	{ "||", NF_DOP_OR, 2, false },
	{ "++", NF_DOP_TEXT_APPEND, 4, false },
	{ "+", NF_DOP_PLUS, 3, true },
	{ "#", NF_DOP_LIST_APPEND, 5, false },
	{ "&&", NF_DOP_AND, 6, false },
	{ "/\\", NF_DOP_COMBINE, 7, false }, { "\u2227", NF_DOP_COMBINE, 7, false },
	{ "//\\\\", NF_DOP_COMBINE_TYPES, 9, false }, { "\u2a53", NF_DOP_COMBINE_TYPES, 9, false },
	{ "//", NF_DOP_PREFER, 8, false }, { "\u2afd", NF_DOP_PREFER, 8, false },
	{ "*", NF_DOP_TIMES, 10, false },
	{ "==", NF_DOP_EQUAL, 11, false },
	{ "!=", NF_DOP_NOT_EQUAL, 12, false },
	/* clang-format on */
};

static const char *const refused[] = { "merge", "toMap", "assert", "showConstructor" };

static void *refuse(struct nf_dparser *p, const char *what)
{
	return nf_dhall_fail_at(p->d, nf_dlex_place(p),
	                        "%s: outside the part of Dhall that is read here", what);
}

/* The next operator, moved over; NULL with the position as it was: none here. */
static const struct operator* operator_here(struct nf_dparser *p, int min_level)
{
	size_t start = p->pos;

	if (!nf_dlex_space(p, NULL))
		return NULL;
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		const struct operator* o = & operators[i];

		if (!nf_dlex_at(p, o->text))
			continue;
		if (o->level < min_level)
			break;
		p->pos += strlen(o->text);
		return o;
	}
	p->pos = start;
	return NULL;
}

/* import-expression *(whsp1 import-expression), with Some in front or not. */
static const struct nf_dexpr *application(struct nf_dparser *p)
{
	struct nf_dplace place = nf_dlex_place(p);
	const struct nf_dexpr **item = NULL, *e;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (nf_dlex_at_word(p, refused[i]))
			return refuse(p, refused[i]);
	if (nf_dlex_take_word(p, "Some")) {
		if (!nf_dlex_space1(p, "Some"))
			return NULL;
		e = nf_dparse_import_expression(p);
		if (!e && !p->d->failed)
			return nf_dlex_expected(p, "the value of Some");
		e = nf_dx_one(p->d, place, NF_D_SOME, e);
	} else {
		e = nf_dparse_import_expression(p);
		if (!e && !p->d->failed)
			return nf_dlex_expected(p, "an expression");
	}
	while (e) {
		size_t before = p->pos;
		bool any = false;
		const struct nf_dexpr *arg;

		if (!nf_dlex_space(p, &any))
			return NULL;
		arg = any ? nf_dparse_import_expression(p) : NULL;
		if (p->d->failed)
			return NULL;
		if (!arg) {
			p->pos = before;
			break;
		}
		if (n == 0) {
			item = nf_dhall_grow(p->d, NULL, 0, &cap, sizeof(*item));
			if (!item)
				return NULL;
			item[n++] = e;
		}
		item = nf_dhall_grow(p->d, item, n, &cap, sizeof(*item));
		if (!item)
			return NULL;
		item[n++] = arg;
	}
	return n && e ? nf_dx_items(p->d, place, NF_D_APP, item, n) : e;
}

static const struct nf_dexpr *operation(struct nf_dparser *p, int min_level)
{
	struct nf_dplace place = nf_dlex_place(p);
	const struct nf_dexpr *left = application(p), *right;
	const struct operator* o;

	while (left && (o = operator_here(p, min_level))) {
		if (o->space ? !nf_dlex_space1(p, o->text) : !nf_dlex_space(p, NULL))
			return NULL;
		right = operation(p, o->level + 1);
		left = nf_dx_two(p->d, place, NF_D_OP, o->op, left, right);
	}
	return p->d->failed ? NULL : left;
}

static bool take_arrow(struct nf_dparser *p)
{
	return nf_dlex_take(p, "->") || nf_dlex_take(p, "\u2192");
}

/* "(" label ":" expression ")" "->" expression */
static const struct nf_dexpr *function(struct nf_dparser *p, struct nf_dplace place,
                                       enum nf_dkind kind)
{
	struct nf_dplace name_at;
	const struct nf_dexpr *type, *body;
	struct nf_dstr name;
	bool quoted = false;

	if (!nf_dlex_space(p, NULL) || !nf_dlex_expect(p, "(", "'('") || !nf_dlex_space(p, NULL))
		return NULL;
	name_at = nf_dlex_place(p);
	if (!nf_dlex_label(p, false, &name, &quoted))
		return NULL;
	if (!quoted &&
	    (nf_dbuiltin_find(name) || nf_dstr_is(name, "True") || nf_dstr_is(name, "False")))
		return nf_dhall_fail_at(p->d, name_at, "'%.*s' is reserved", (int)name.n, name.p);
	if (!nf_dlex_space(p, NULL) || !nf_dlex_expect(p, ":", "':'") || !nf_dlex_space1(p, "':'"))
		return NULL;
	type = nf_dparse_expression(p);
	if (!type || !nf_dlex_space(p, NULL) || !nf_dlex_expect(p, ")", "')'") ||
	    !nf_dlex_space(p, NULL))
		return NULL;
	if (!take_arrow(p))
		return nf_dlex_expected(p, "'->'");
	if (!nf_dlex_space(p, NULL))
		return NULL;
	body = nf_dparse_expression(p);
	return nf_dx_fn(p->d, place, kind, name, type, body, 0);
}

static const struct nf_dexpr *conditional(struct nf_dparser *p, struct nf_dplace place)
{
	static const char *const words[] = { "if", "then", "else" };
	const struct nf_dexpr *item[3];

	for (size_t i = 0; i < 3; i++) {
		if (!nf_dlex_take_word(p, words[i]))
			return nf_dlex_expected(p, words[i]);
		if (!nf_dlex_space1(p, words[i]))
			return NULL;
		item[i] = nf_dparse_expression(p);
		if (!item[i] || (i < 2 && !nf_dlex_space1(p, "an expression")))
			return NULL;
	}
	return nf_dx_items(p->d, place, NF_D_IF, item, 3);
}

/* let label [ ":" expression ] "=" expression, after the word let. */
static bool binding(struct nf_dparser *p, struct nf_dbind *b)
{
	struct nf_dplace at;
	bool quoted = false;

	if (!nf_dlex_space1(p, "let"))
		return false;
	at = nf_dlex_place(p);
	if (!nf_dlex_label(p, false, &b->name, &quoted))
		return false;
	if (!quoted && (nf_dbuiltin_find(b->name) || nf_dstr_is(b->name, "True") ||
	                nf_dstr_is(b->name, "False"))) {
		nf_dhall_fail_at(p->d, at, "'%.*s' is reserved", (int)b->name.n, b->name.p);
		return false;
	}
	if (!nf_dlex_space(p, NULL))
		return false;
	if (nf_dlex_take(p, ":")) {
		if (!nf_dlex_space1(p, "':'"))
			return false;
		b->type = nf_dparse_expression(p);
		if (!b->type || !nf_dlex_space(p, NULL))
			return false;
	}
	if (!nf_dlex_expect(p, "=", "'='") || !nf_dlex_space(p, NULL))
		return false;
	b->value = nf_dparse_expression(p);
	return b->value && nf_dlex_space1(p, "the value of let");
}

static const struct nf_dexpr *let(struct nf_dparser *p, struct nf_dplace place)
{
	struct nf_dbind *bind = NULL;
	size_t n = 0, cap = 0;
	const struct nf_dexpr *body;

	while (nf_dlex_take_word(p, "let")) {
		bind = nf_dhall_grow(p->d, bind, n, &cap, sizeof(*bind));
		if (!bind || !binding(p, &bind[n]))
			return NULL;
		n++;
	}
	if (!nf_dlex_take_word(p, "in"))
		return nf_dlex_expected(p, "'let' or 'in'");
	if (!nf_dlex_space1(p, "in"))
		return NULL;
	body = nf_dparse_expression(p);
	return nf_dx_let(p->d, place, bind, n, body);
}

/* "[]" here, with a comma or not: moved over. */
static bool take_empty_list(struct nf_dparser *p)
{
	size_t start = p->pos;

	if (nf_dlex_take(p, "[") && nf_dlex_space(p, NULL)) {
		if (nf_dlex_take(p, ",") && !nf_dlex_space(p, NULL))
			return false;
		if (nf_dlex_take(p, "]"))
			return true;
	}
	p->pos = start;
	return false;
}

static const struct nf_dexpr *expression(struct nf_dparser *p)
{
	struct nf_dplace place = nf_dlex_place(p);
	const struct nf_dexpr *e, *type;
	size_t before;

	if (nf_dlex_take(p, "\\") || nf_dlex_take(p, "\u03bb"))
		return function(p, place, NF_D_LAMBDA);
	if (nf_dlex_take_word(p, "forall") || nf_dlex_take(p, "\u2200"))
		return function(p, place, NF_D_PI);
	if (nf_dlex_at_word(p, "if"))
		return conditional(p, place);
	if (nf_dlex_at_word(p, "let"))
		return let(p, place);
	if (take_empty_list(p)) {
		if (!nf_dlex_space(p, NULL))
			return NULL;
		if (!nf_dlex_take(p, ":"))
			return nf_dlex_expected(p, "the type of an empty list (': List T')");
		if (!nf_dlex_space1(p, "':'"))
			return NULL;
		return nf_dx_one(p->d, place, NF_D_EMPTY, nf_dparse_expression(p));
	}
	e = p->d->failed ? NULL : operation(p, 0);
	if (!e)
		return NULL;
	before = p->pos;
	if (!nf_dlex_space(p, NULL))
		return NULL;
	if (take_arrow(p)) {
		if (!nf_dlex_space(p, NULL))
			return NULL;
		type = nf_dparse_expression(p);
		return nf_dx_fn(p->d, place, NF_D_PI, nf_dstr_of("_"), e, type, 0);
	}
	if (p->pos > before && nf_dlex_at_word(p, "with"))
		return refuse(p, "with");
	if (nf_dlex_take(p, ":")) {
		if (nf_dlex_take(p, ":"))
			return refuse(p, "completion (::)");
		if (!nf_dlex_space1(p, "':'"))
			return NULL;
		type = nf_dparse_expression(p);
		return nf_dx_two(p->d, place, NF_D_ANNOT, NF_DOP_OR, e, type);
	}
	p->pos = before;
	return e;
}

const struct nf_dexpr *nf_dparse_expression(struct nf_dparser *p)
{
	const struct nf_dexpr *e;

	if (p->depth >= NF_DHALL_DEPTH)
		return nf_dhall_fail_at(p->d, nf_dlex_place(p), "nested more than %d deep",
		                        (int)NF_DHALL_DEPTH);
	p->depth++;
	e = expression(p);
	p->depth--;
	return e;
}

const struct nf_dexpr *nf_dhall_parse_source(struct nf_dhall *d, uint16_t file)
{
	struct nf_dparser p = {
		.d = d, .file = file, .text = d->file[file].text, .n = d->file[file].n
	};
	const struct nf_dexpr *e;

	if (p.n > NF_DHALL_SOURCE_BYTES)
		return nf_dhall_fail_at(d, nf_dlex_place(&p), "larger than %d bytes",
		                        (int)NF_DHALL_SOURCE_BYTES);
	while (nf_dlex_at(&p, "#!")) {
		const char *end = memchr(p.text + p.pos, '\n', p.n - p.pos);

		p.pos = end ? (size_t)(end - p.text) + 1 : p.n;
	}
	if (!nf_dlex_space(&p, NULL))
		return NULL;
	e = nf_dparse_expression(&p);
	if (!e || !nf_dlex_space(&p, NULL))
		return NULL;
	if (p.pos < p.n)
		return nf_dlex_expected(&p, "the end of the text");
	return e;
}

int nf_dhall_parse(struct nf_dhall *d, const char *name, const char *text, size_t len_bytes,
                   const struct nf_dexpr **ret, struct nf_err *err)
{
	const struct nf_dexpr *e = NULL;
	struct nf_dstr copy;

	nf_dhall_begin(d);
	if (len_bytes > NF_DHALL_SOURCE_BYTES) {
		nf_dhall_fail_code(d, NF_EDATA, "%s: larger than %d bytes", name,
		                   (int)NF_DHALL_SOURCE_BYTES);
		return nf_dhall_end(d, err);
	}
	copy = nf_dstr_copy(d, text, len_bytes);
	uint16_t file = copy.p ? nf_dhall_add_file(d, name, copy.p, copy.n) : 0;
	if (file)
		e = nf_dhall_parse_source(d, file);
	if (e)
		*ret = e;
	return nf_dhall_end(d, err);
}
