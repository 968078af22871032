/* SPDX-License-Identifier: MIT */
#include "source/text.h"

#include <string.h>

bool nf_src_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool nf_src_same(struct nf_src_word a, struct nf_src_word b)
{
	return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

uint32_t nf_src_hash(struct nf_src_word w)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < w.len; i++)
		h = (h ^ (unsigned char)w.at[i]) * 16777619u;
	return h;
}

void nf_src_begin(struct nf_src_reader *r, const char *data, size_t len)
{
	*r = (struct nf_src_reader){ .at = data, .end = data + len, .line = 1 };
}

/* After a backslash at p: behind the line end that it continues; NULL: it continues none. */
static const char *after_continued(const char *p, const char *end)
{
	if (end - p >= 2 && p[1] == '\n')
		return p + 2;
	return end - p >= 3 && p[1] == '\r' && p[2] == '\n' ? p + 3 : NULL;
}

/* Behind the comment's end; NULL: it is not in [p, end). p is behind its beginning. */
static const char *comment_end(const char *p, const char *end)
{
	const char *from = p;

	while ((p = memchr(p, '/', (size_t)(end - p))) != NULL) {
		if (p > from && p[-1] == '*')
			return p + 1;
		p++;
	}
	return NULL;
}

/* Behind a string or a character constant that begins at p; an open one ends with its line. */
static const char *after_quoted(const char *p, const char *end)
{
	const char quote = *p++;

	while (p < end && *p != quote && *p != '\n') {
		const char *next = *p == '\\' ? after_continued(p, end) : NULL;

		if (next)
			p = next;
		else
			p += *p == '\\' && end - p > 1 ? 2 : 1;
	}
	return p < end && *p == quote ? p + 1 : p;
}

/* Behind a // comment: at its line end. */
static const char *line_comment_end(const char *p, const char *end)
{
	while ((p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		const char *last = p[-1] == '\r' ? p - 2 : p - 1;

		if (*last != '\\')
			return p;
		p++;
	}
	return end;
}

/* Skips blanks, comments, continued line ends and, with lines, line ends. */
static const char *skip(const char *p, const char *end, bool lines)
{
	const char *next;

	while (p < end) {
		if (is_blank(*p) || (lines && *p == '\n')) {
			p++;
		} else if (*p == '\\' && (next = after_continued(p, end)) != NULL) {
			p = next;
		} else if (end - p >= 2 && p[0] == '/' && p[1] == '*') {
			next = comment_end(p + 2, end);
			p = next ? next : end;
		} else if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
			p = line_comment_end(p, end);
		} else {
			break;
		}
	}
	return p;
}

const char *nf_src_skip(const char *p, const char *end)
{
	return skip(p, end, false);
}

void nf_src_token(const char **p, const char *end, struct nf_src_token *ret)
{
	const char *at = skip(*p, end, true);
	const char *q = at;

	ret->at = at;
	if (at >= end) {
		ret->kind = NF_SRC_END;
	} else if (is_digit(*at)) {
		ret->kind = NF_SRC_NUMBER;
		while (q < end && (nf_src_word_char(*q) || *q == '.'))
			q++;
	} else if (nf_src_word_char(*at)) {
		ret->kind = NF_SRC_WORD;
		while (q < end && nf_src_word_char(*q))
			q++;
	} else if (*at == '"' || *at == '\'') {
		ret->kind = NF_SRC_STRING;
		q = after_quoted(at, end);
	} else {
		ret->kind = NF_SRC_PUNCT;
		q++;
	}
	ret->len = (size_t)(q - at);
	*p = q;
}

bool nf_src_token_is(const struct nf_src_token *t, const char *text)
{
	return t->len == strlen(text) && memcmp(t->at, text, t->len) == 0;
}

bool nf_src_next_defined(const char **p, const char *end, struct nf_src_word *ret, bool *negated)
{
	struct nf_src_token t;
	bool bang = false;

	for (nf_src_token(p, end, &t); t.kind != NF_SRC_END; nf_src_token(p, end, &t)) {
		if (t.kind != NF_SRC_WORD || !nf_src_token_is(&t, "defined")) {
			bang = t.kind == NF_SRC_PUNCT && *t.at == '!';
			continue;
		}
		nf_src_token(p, end, &t);
		if (t.kind == NF_SRC_PUNCT && *t.at == '(')
			nf_src_token(p, end, &t);
		if (t.kind != NF_SRC_WORD)
			continue;
		*ret = (struct nf_src_word){ t.at, t.len };
		*negated = bang;
		return true;
	}
	return false;
}

bool nf_src_uses_value(const char *p, const char *end, struct nf_src_word name)
{
	struct nf_src_token t;
	bool asked = false; /* after defined, or defined ( */

	for (nf_src_token(&p, end, &t); t.kind != NF_SRC_END; nf_src_token(&p, end, &t)) {
		if (t.kind == NF_SRC_WORD && nf_src_token_is(&t, "defined")) {
			asked = true;
			continue;
		}
		if (t.kind == NF_SRC_WORD && !asked &&
		    nf_src_same(name, (struct nf_src_word){ t.at, t.len }))
			return true;
		asked = asked && t.kind == NF_SRC_PUNCT && *t.at == '(';
	}
	return false;
}

static bool is_zero(const struct nf_src_token *t)
{
	size_t i = 0;

	if (t->kind != NF_SRC_NUMBER || t->at[0] != '0')
		return false;
	if (t->len > 2 && strchr("xXbB", t->at[1]))
		i = 2;
	size_t digits = i;
	while (i < t->len && t->at[i] == '0')
		i++;
	if (i == digits)
		return false;
	while (i < t->len && strchr("uUlL", t->at[i]))
		i++;
	return i == t->len;
}

static enum nf_src_value value_of(const char *p, const char *end)
{
	struct nf_src_token t;
	unsigned open = 0, closed = 0;

	nf_src_token(&p, end, &t);
	if (t.kind == NF_SRC_END)
		return NF_SRC_VALUE_EMPTY;
	for (; t.kind == NF_SRC_PUNCT && *t.at == '('; nf_src_token(&p, end, &t))
		open++;
	if (!is_zero(&t))
		return NF_SRC_VALUE_OTHER;
	for (nf_src_token(&p, end, &t); t.kind == NF_SRC_PUNCT && *t.at == ')';
	     nf_src_token(&p, end, &t))
		closed++;
	return t.kind == NF_SRC_END && open == closed ? NF_SRC_VALUE_ZERO : NF_SRC_VALUE_OTHER;
}

static struct nf_src_word word_at(const char *p, const char *end)
{
	const char *q = p;

	if (q < end && !is_digit(*q))
		while (q < end && nf_src_word_char(*q))
			q++;
	return (struct nf_src_word){ p, (size_t)(q - p) };
}

static const struct {
	const char *word;
	enum nf_src_kind kind;
} directives[] = {
	{ "define", NF_SRC_DEFINE },   { "undef", NF_SRC_UNDEF },
	{ "if", NF_SRC_IF },           { "ifdef", NF_SRC_IFDEF },
	{ "ifndef", NF_SRC_IFNDEF },   { "elif", NF_SRC_ELIF },
	{ "elifdef", NF_SRC_ELIFDEF }, { "elifndef", NF_SRC_ELIFNDEF },
	{ "else", NF_SRC_ELSE },       { "endif", NF_SRC_ENDIF },
	{ "include", NF_SRC_INCLUDE }, { "include_next", NF_SRC_OTHER },
	{ "error", NF_SRC_ERROR },
};

static enum nf_src_kind kind_of(struct nf_src_word w)
{
	for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]); i++)
		if (w.len == strlen(directives[i].word) &&
		    memcmp(w.at, directives[i].word, w.len) == 0)
			return directives[i].kind;
	return NF_SRC_OTHER;
}

static bool included_name(const char *p, const char *end, struct nf_src_directive *d)
{
	const char *close;

	if (p >= end || (*p != '"' && *p != '<'))
		return false;
	close = memchr(p + 1, *p == '"' ? '"' : '>', (size_t)(end - p - 1));
	if (!close || close == p + 1)
		return false;
	d->quoted = *p == '"';
	d->name = (struct nf_src_word){ p + 1, (size_t)(close - p - 1) };
	return true;
}

/* d->at and d->end are set. */
static void understand(struct nf_src_directive *d)
{
	const char *p = nf_src_skip(d->at + 1, d->end);
	struct nf_src_word w = word_at(p, d->end);

	d->kind = kind_of(w);
	p = nf_src_skip(p + w.len, d->end);
	d->rest = p;
	d->name = (struct nf_src_word){ p, 0 };
	d->value = NF_SRC_VALUE_OTHER;
	d->quoted = false;
	if (d->kind == NF_SRC_INCLUDE && !included_name(p, d->end, d))
		d->kind = NF_SRC_OTHER;
	if (d->kind != NF_SRC_DEFINE && d->kind != NF_SRC_UNDEF && d->kind != NF_SRC_IFDEF &&
	    d->kind != NF_SRC_IFNDEF && d->kind != NF_SRC_ELIFDEF && d->kind != NF_SRC_ELIFNDEF)
		return;
	d->name = word_at(p, d->end);
	d->rest = p + d->name.len;
	if (d->name.len == 0)
		d->kind = NF_SRC_OTHER;
	else if (d->kind == NF_SRC_DEFINE)
		d->value = d->rest < d->end && *d->rest == '(' ? NF_SRC_VALUE_FUNCTION
		                                               : value_of(d->rest, d->end);
}

/* The line end of the logical line from p on, which may be continued; end: it has none. */
static const char *line_end(const char *p, const char *end, uint32_t *lines)
{
	const char *from = p;

	for (;;) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));

		if (!nl)
			return end;
		++*lines;
		const char *last = nl > from && nl[-1] == '\r' ? nl - 1 : nl;
		if (last == from || last[-1] != '\\')
			return nl;
		p = nl + 1;
	}
}

/* Whether a comment is open at e, for code that begins at p outside of any. */
static bool leaves_comment_open(const char *p, const char *e)
{
	if (!memchr(p, '/', (size_t)(e - p)))
		return false;
	while (p < e) {
		if (*p == '"' || *p == '\'') {
			p = after_quoted(p, e);
		} else if (e - p >= 2 && p[0] == '/' && p[1] == '/') {
			return false;
		} else if (e - p >= 2 && p[0] == '/' && p[1] == '*') {
			p = comment_end(p + 2, e);
			if (!p)
				return true;
		} else {
			p++;
		}
	}
	return false;
}

static void tell_calls(const struct nf_src_reader *r, const char *line, const char *e)
{
	for (const char *p = line; (p = memchr(p, '(', (size_t)(e - p))) != NULL; p++)
		r->call(r->ctx, line, p);
}

/* A directive goes on to the end of the line in which a comment that it opens is closed. */
static const char *directive_end(struct nf_src_reader *r, const char *p, const char *e)
{
	while (leaves_comment_open(p, e)) {
		if (e >= r->end)
			return e;
		e = line_end(e + 1, r->end, &r->line);
	}
	return e;
}

bool nf_src_next(struct nf_src_reader *r, struct nf_src_directive *ret)
{
	while (r->at < r->end) {
		const char *p = r->at;
		uint32_t line = r->line;
		const char *e = line_end(p, r->end, &r->line);

		if (r->in_comment) {
			p = comment_end(p, e);
			if (!p) {
				r->at = e < r->end ? e + 1 : e;
				continue;
			}
			r->in_comment = false;
		}
		const char *from = p;
		while (p < e && is_blank(*p))
			p++;
		if (p < e && *p == '/')
			p = nf_src_skip(p, e);
		if (p < e && *p == '#') {
			e = directive_end(r, p, e);
			r->at = e < r->end ? e + 1 : e;
			r->in_comment = e == r->end && leaves_comment_open(p, e);
			ret->at = p;
			ret->end = e;
			ret->line = line;
			understand(ret);
			return true;
		}
		if (r->call)
			tell_calls(r, from, e);
		r->in_comment = leaves_comment_open(from, e);
		r->at = e < r->end ? e + 1 : e;
	}
	return false;
}
