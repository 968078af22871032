/* SPDX-License-Identifier: MIT */
/* Expressions as Dhall text: on one line where that fits, else a line per field or element. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "dhall/lex.h"
#include "dhall/session.h"

enum {
	WIDTH = 80,
	INDENT_MAX = 60,
	BRIEF_BYTES = 100,
	/* What a place takes without parentheses; operators have their level (parse.c) plus OPERATOR. */
	ANY = 0,
	OPERATOR = 1,
	APPLICATION = 20,
	ARGUMENT = 21,
};

struct printer {
	struct nf_dhall *d;
	struct nf_buf *out;
	bool flat;
	int indent;
};

static void put(struct printer *p, const struct nf_dexpr *e, int level);

static void adds(struct printer *p, const char *s)
{
	(void)nf_buf_adds(p->out, s);
}

static void new_line(struct printer *p)
{
	(void)nf_buf_addc(p->out, '\n');
	for (int i = 0; i < p->indent && i < INDENT_MAX; i++)
		(void)nf_buf_addc(p->out, ' ');
}

static void put_label(struct printer *p, struct nf_dstr s, bool binder)
{
	bool plain = s.n > 0 && nf_dlex_label_first(s.p[0]) && !nf_dlex_is_keyword(s);

	for (size_t i = 1; plain && i < s.n; i++)
		plain = nf_dlex_label_next(s.p[i]);
	if (binder && plain)
		plain = !nf_dbuiltin_find(s) && !nf_dstr_is(s, "True") && !nf_dstr_is(s, "False");
	if (!plain)
		(void)nf_buf_addc(p->out, '`');
	(void)nf_buf_add(p->out, s.p, s.n);
	if (!plain)
		(void)nf_buf_addc(p->out, '`');
}

static void put_chars(struct printer *p, struct nf_dstr s)
{
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";

	for (size_t i = 0; i < s.n;) {
		unsigned char c = (unsigned char)s.p[i];
		const char *at = c ? strchr(from, c) : NULL;
		size_t end = i;

		if (at) {
			(void)nf_buf_addf(p->out, "\\%c", to[at - from]);
			i++;
		} else if (c == '$' || c < 0x20 || c == 0x7f) {
			(void)nf_buf_addf(p->out, "\\u%04X", c);
			i++;
		} else {
			while (end < s.n && (unsigned char)s.p[end] >= 0x20 && s.p[end] != '"' &&
			       s.p[end] != '\\' && s.p[end] != '$' && s.p[end] != 0x7f)
				end++;
			nf_utf8_clean(p->out, s.p + i, end - i, NULL);
			i = end;
		}
	}
}

static void put_text(struct printer *p, const struct nf_dexpr *e)
{
	bool flat = p->flat;

	p->flat = true;
	adds(p, "\"");
	for (size_t i = 0; i < e->n; i++) {
		put_chars(p, e->chunk[i].text);
		if (i + 1 < e->n) {
			adds(p, "${");
			put(p, e->chunk[i].expr, ANY);
			adds(p, "}");
		}
	}
	adds(p, "\"");
	p->flat = flat;
}

/* Columns that e takes on one line, at least; counting stops above the limit. */
static size_t width(const struct nf_dexpr *e, size_t limit)
{
	size_t w = 2;

	switch ((enum nf_dkind)e->kind) {
	case NF_D_TEXT:
		for (size_t i = 0; i < e->n && w <= limit; i++) {
			w += e->chunk[i].text.n;
			if (e->chunk[i].expr)
				w += 3 + width(e->chunk[i].expr, limit);
		}
		return w;
	case NF_D_RECORD:
	case NF_D_RECORD_TYPE:
	case NF_D_UNION:
		for (size_t i = 0; i < e->n && w <= limit; i++) {
			w += e->field[i].name.n + 5;
			if (e->field[i].value)
				w += width(e->field[i].value, limit);
		}
		return w;
	case NF_D_APP:
	case NF_D_IF:
	case NF_D_LIST:
		for (size_t i = 0; i < e->n && w <= limit; i++)
			w += 2 + width(e->item[i], limit);
		return w;
	case NF_D_OP:
	case NF_D_ANNOT:
		w = 5 + width(e->two.a, limit);
		return w > limit ? w : w + width(e->two.b, limit);
	case NF_D_EMPTY:
	case NF_D_SOME:
		return 5 + width(e->two.a, limit);
	case NF_D_LAMBDA:
	case NF_D_PI:
		w = 8 + e->fn.name.n + width(e->fn.type, limit);
		return w > limit ? w : w + width(e->fn.body, limit);
	case NF_D_FIELD:
		return 1 + e->sel.name.n + width(e->sel.of, limit);
	case NF_D_LET:
		return limit + 1;
	case NF_D_VAR:
	case NF_D_BOUND:
		return e->var.name.n;
	case NF_D_BUILTIN:
		return strlen(e->builtin->name);
	case NF_D_NATURAL:
	case NF_D_INTEGER:
		return e->digits.n;
	case NF_D_BOOL:
	case NF_D_DOUBLE:
	case NF_D_IMPORT:
		break;
	}
	return 8;
}

static bool fits(const struct printer *p, const struct nf_dexpr *e)
{
	size_t room = p->indent < INDENT_MAX ? (size_t)(WIDTH - p->indent) : WIDTH - INDENT_MAX;

	return p->flat || width(e, room) <= room;
}

/* "{ a, b }" with any brackets; a line each when it does not fit. */
static void put_entry(struct printer *p, const struct nf_dexpr *e, size_t i)
{
	const struct nf_dfield *f;
	const struct nf_dexpr *inner;

	if (e->kind == NF_D_LIST) {
		p->indent += 2;
		put(p, e->item[i], ANY);
		p->indent -= 2;
		return;
	}
	f = &e->field[i];
	put_label(p, f->name, false);
	if (!f->value)
		return;
	adds(p, e->kind == NF_D_RECORD ? " =" : " :");
	p->indent += 4;
	/* Some of something wide: the line is broken after it. */
	inner = f->value;
	if (!fits(p, inner) && inner->kind == NF_D_SOME && inner->two.a->kind == NF_D_RECORD) {
		adds(p, " Some");
		inner = inner->two.a;
	}
	if (!fits(p, inner) && inner->kind != NF_D_TEXT)
		new_line(p);
	else
		adds(p, " ");
	put(p, inner, inner == f->value ? ANY : ARGUMENT);
	p->indent -= 4;
}

static void put_entries(struct printer *p, const struct nf_dexpr *e, const char *open,
                        const char *separator, const char *close)
{
	bool flat = fits(p, e), before = p->flat;

	p->flat = flat;
	for (size_t i = 0; i < e->n && !p->d->failed; i++) {
		if (i > 0 && !flat)
			new_line(p);
		if (i > 0 && flat)
			adds(p, *separator == ',' ? "" : " ");
		adds(p, i == 0 ? open : separator);
		put_entry(p, e, i);
	}
	if (flat)
		adds(p, " ");
	else
		new_line(p);
	adds(p, close);
	p->flat = before;
}

static void put_double(struct printer *p, double v)
{
	if (isnan(v))
		adds(p, "NaN");
	else if (isinf(v))
		adds(p, v > 0 ? "Infinity" : "-Infinity");
	else
		(void)nf_buf_add_double(p->out, v);
}

static void put_function(struct printer *p, const struct nf_dexpr *e)
{
	if (e->kind == NF_D_PI && nf_dstr_is(e->fn.name, "_")) {
		put(p, e->fn.type, OPERATOR);
	} else {
		adds(p, e->kind == NF_D_PI ? "forall (" : "\\(");
		put_label(p, e->fn.name, true);
		adds(p, " : ");
		put(p, e->fn.type, ANY);
		adds(p, ")");
	}
	adds(p, " -> ");
	put(p, e->fn.body, ANY);
}

static void put_let(struct printer *p, const struct nf_dexpr *e)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct nf_dbind *b = &e->let.bind[i];

		adds(p, "let ");
		put_label(p, b->name, true);
		if (b->type) {
			adds(p, " : ");
			put(p, b->type, ANY);
		}
		adds(p, " =");
		p->indent += 4;
		if (fits(p, b->value))
			adds(p, " ");
		else
			new_line(p);
		put(p, b->value, ANY);
		p->indent -= 4;
		if (p->flat)
			adds(p, " ");
		else
			new_line(p);
	}
	adds(p, "in  ");
	p->indent += 4;
	put(p, e->let.body, ANY);
	p->indent -= 4;
}

static void put_component(struct printer *p, struct nf_dstr s)
{
	bool plain = s.n > 0;

	for (size_t i = 0; plain && i < s.n; i++)
		plain = nf_dlex_label_next(s.p[i]) ? s.p[i] != '/' : s.p[i] == '.';
	adds(p, plain ? "/" : "/\"");
	(void)nf_buf_add(p->out, s.p, s.n);
	adds(p, plain ? "" : "\"");
}

static void put_import(struct printer *p, const struct nf_dimport *m)
{
	static const char *const starts[] = {
		[NF_DS_HTTP] = "http:/", [NF_DS_HTTPS] = "https:/",  [NF_DS_ABSOLUTE] = "",
		[NF_DS_HERE] = ".",      [NF_DS_PARENT] = "..",      [NF_DS_HOME] = "~",
		[NF_DS_ENV] = "env:",    [NF_DS_MISSING] = "missing"
	};
	static const char *const modes[] = { [NF_DM_CODE] = "",
		                             [NF_DM_TEXT] = " as Text",
		                             [NF_DM_LOCATION] = " as Location",
		                             [NF_DM_BYTES] = " as Bytes" };
	char hex[NF_SHA256_HEX];

	adds(p, starts[m->scheme]);
	for (size_t i = 0; i < m->n_parts; i++) {
		if (m->scheme == NF_DS_HTTP || m->scheme == NF_DS_HTTPS) {
			adds(p, "/");
			(void)nf_buf_add(p->out, m->part[i].p, m->part[i].n);
		} else if (m->scheme == NF_DS_ENV) {
			(void)nf_buf_add(p->out, m->part[i].p, m->part[i].n);
		} else {
			put_component(p, m->part[i]);
		}
	}
	if (m->has_query) {
		adds(p, "?");
		(void)nf_buf_add(p->out, m->query.p, m->query.n);
	}
	if (m->has_hash) {
		nf_sha256_hex(m->hash, hex);
		adds(p, " sha256:");
		adds(p, hex);
	}
	adds(p, modes[m->mode]);
}

static int op_level(enum nf_dop op)
{
	static const uint8_t levels[NF_DOP_COUNT] = {
		[NF_DOP_EQUIVALENT] = 0,    [NF_DOP_ALTERNATIVE] = 1, [NF_DOP_OR] = 2,
		[NF_DOP_PLUS] = 3,          [NF_DOP_TEXT_APPEND] = 4, [NF_DOP_LIST_APPEND] = 5,
		[NF_DOP_AND] = 6,           [NF_DOP_COMBINE] = 7,     [NF_DOP_PREFER] = 8,
		[NF_DOP_COMBINE_TYPES] = 9, [NF_DOP_TIMES] = 10,      [NF_DOP_EQUAL] = 11,
		[NF_DOP_NOT_EQUAL] = 12,
	};

	return levels[op] + OPERATOR;
}

/* The tightest place where e needs no parentheses. */
static int level_of(const struct nf_dexpr *e)
{
	switch ((enum nf_dkind)e->kind) {
	case NF_D_LAMBDA:
	case NF_D_PI:
	case NF_D_IF:
	case NF_D_EMPTY:
	case NF_D_ANNOT:
	case NF_D_LET:
		return ANY;
	case NF_D_OP:
		return op_level((enum nf_dop)e->op);
	case NF_D_APP:
	case NF_D_SOME:
		return APPLICATION;
	case NF_D_VAR:
	case NF_D_BOUND:
	case NF_D_BUILTIN:
	case NF_D_BOOL:
	case NF_D_NATURAL:
	case NF_D_INTEGER:
	case NF_D_DOUBLE:
	case NF_D_TEXT:
	case NF_D_LIST:
	case NF_D_RECORD:
	case NF_D_RECORD_TYPE:
	case NF_D_UNION:
	case NF_D_FIELD:
	case NF_D_IMPORT:
		break;
	}
	return ARGUMENT;
}

static void put_open(struct printer *p, const struct nf_dexpr *e)
{
	switch ((enum nf_dkind)e->kind) {
	case NF_D_VAR:
	case NF_D_BOUND:
		put_label(p, e->var.name, true);
		if (e->kind == NF_D_VAR && e->var.index)
			(void)nf_buf_addf(p->out, "@%" PRIu64, e->var.index);
		break;
	case NF_D_BUILTIN:
		adds(p, e->builtin->name);
		break;
	case NF_D_BOOL:
		adds(p, e->truth ? "True" : "False");
		break;
	case NF_D_INTEGER:
		adds(p, e->op ? "-" : "+");
		(void)nf_buf_add(p->out, e->digits.p, e->digits.n);
		break;
	case NF_D_NATURAL:
		(void)nf_buf_add(p->out, e->digits.p, e->digits.n);
		break;
	case NF_D_DOUBLE:
		put_double(p, e->number);
		break;
	case NF_D_TEXT:
		put_text(p, e);
		break;
	case NF_D_LAMBDA:
	case NF_D_PI:
		put_function(p, e);
		break;
	case NF_D_APP:
		for (size_t i = 0; i < e->n; i++) {
			adds(p, i ? " " : "");
			put(p, e->item[i],
			    i == 0 && e->item[0]->kind == NF_D_SOME ? APPLICATION : ARGUMENT);
		}
		break;
	case NF_D_IF:
		for (size_t i = 0; i < e->n; i++) {
			adds(p, i == 0 ? "if " : i == 1 ? " then " : " else ");
			put(p, e->item[i], ANY);
		}
		break;
	case NF_D_OP:
		put(p, e->two.a, op_level((enum nf_dop)e->op));
		(void)nf_buf_addf(p->out, " %s ", nf_dop_name((enum nf_dop)e->op));
		put(p, e->two.b, op_level((enum nf_dop)e->op) + 1);
		break;
	case NF_D_LIST:
		put_entries(p, e, "[ ", ", ", "]");
		break;
	case NF_D_EMPTY:
		adds(p, "[] : ");
		put(p, e->two.a, ANY);
		break;
	case NF_D_SOME:
		adds(p, "Some ");
		put(p, e->two.a, ARGUMENT);
		break;
	case NF_D_RECORD:
	case NF_D_RECORD_TYPE:
		if (e->n == 0)
			adds(p, e->kind == NF_D_RECORD ? "{=}" : "{}");
		else
			put_entries(p, e, "{ ", ", ", "}");
		break;
	case NF_D_UNION:
		if (e->n == 0)
			adds(p, "<>");
		else
			put_entries(p, e, "< ", "| ", ">");
		break;
	case NF_D_FIELD:
		put(p, e->sel.of, e->sel.of->kind == NF_D_IMPORT ? ARGUMENT + 1 : ARGUMENT);
		adds(p, ".");
		put_label(p, e->sel.name, false);
		break;
	case NF_D_ANNOT:
		put(p, e->two.a, OPERATOR);
		adds(p, " : ");
		put(p, e->two.b, ANY);
		break;
	case NF_D_LET:
		put_let(p, e);
		break;
	case NF_D_IMPORT:
		put_import(p, e->import);
		break;
	}
}

static void put(struct printer *p, const struct nf_dexpr *e, int level)
{
	bool closed = level_of(e) < level;

	if (!nf_dhall_step(p->d, e) || p->out->failed != NF_OK)
		return;
	adds(p, closed ? "(" : "");
	put_open(p, e);
	adds(p, closed ? ")" : "");
}

int nf_dhall_print(struct nf_dhall *d, const struct nf_dexpr *e, struct nf_buf *out,
                   struct nf_err *err)
{
	struct nf_err failure = { 0 };
	struct nf_buf text;

	nf_dhall_begin(d);
	nf_buf_init(&text, NF_DHALL_TEXT_BYTES);
	struct printer p = { .d = d, .out = &text };
	put(&p, e, ANY);
	(void)nf_buf_addc(&text, '\n');
	if (nf_buf_failed(&text, "the Dhall text", &failure) < 0)
		nf_dhall_fail_err(d, &failure);
	if (!d->failed) {
		(void)nf_buf_add(out, text.data, text.len_bytes);
		if (nf_buf_failed(out, "the Dhall text", &failure) < 0)
			nf_dhall_fail_err(d, &failure);
	}
	nf_buf_fini(&text);
	return nf_dhall_end(d, err);
}

const char *nf_dhall_brief(struct nf_dhall *d, const struct nf_dexpr *e)
{
	const struct nf_dexpr *named = nf_dhall_quote(d, e, false);
	struct nf_buf text;
	struct nf_dstr copy = { NULL, 0 };

	/* The text of a large type is cut, not a failure. */
	nf_buf_init(&text, 16 * BRIEF_BYTES);
	struct printer p = { .d = d, .out = &text, .flat = true };
	if (named)
		put(&p, named, ANY);
	if (text.len_bytes > BRIEF_BYTES) {
		size_t cut = BRIEF_BYTES;

		while (cut > 0 && ((unsigned char)text.data[cut] & 0xc0) == 0x80)
			cut--;
		text.len_bytes = cut;
		text.failed = NF_OK;
		(void)nf_buf_adds(&text, "...");
	}
	copy = nf_dstr_copy(d, text.data, text.len_bytes);
	nf_buf_fini(&text);
	return copy.p ? copy.p : "a type";
}
