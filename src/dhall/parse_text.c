/* SPDX-License-Identifier: MIT */
/* Text literals: in double quotes, and over several lines in two single quotes. */
#include <string.h>

#include "base/utf8.h"
#include "dhall/lex.h"

struct text {
	struct nf_dparser *p;
	struct nf_buf run; /* text since the last interpolation */
	struct nf_dchunk *chunk;
	size_t n, cap;
};

/* Ends the run of text; expr NULL: this was the last. */
static bool add_chunk(struct text *t, const struct nf_dexpr *expr)
{
	struct nf_dhall *d = t->p->d;
	struct nf_err e = { 0 };

	if (nf_buf_failed(&t->run, "a text", &e) < 0) {
		nf_dhall_fail_err(d, &e);
		return false;
	}
	t->chunk = nf_dhall_grow(d, t->chunk, t->n, &t->cap, sizeof(*t->chunk));
	if (!t->chunk)
		return false;
	t->chunk[t->n].text = nf_dstr_copy(d, t->run.data, t->run.len_bytes);
	t->chunk[t->n].expr = expr;
	nf_buf_clear(&t->run);
	return t->chunk[t->n++].text.p;
}

/* After "${". */
static bool interpolation(struct text *t)
{
	struct nf_dparser *p = t->p;
	const struct nf_dexpr *e;

	if (!nf_dlex_space(p, NULL) || !(e = nf_dparse_expression(p)) || !nf_dlex_space(p, NULL) ||
	    !nf_dlex_expect(p, "}", "'}' of '${'"))
		return false;
	return add_chunk(t, e);
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* After "\u": four digits, or any number in braces. */
static bool unicode_escape(struct text *t, struct nf_dplace start)
{
	struct nf_dparser *p = t->p;
	bool braced = nf_dlex_take(p, "{");
	uint32_t cp = 0;
	size_t n = 0;

	while (p->pos < p->n && hex(p->text[p->pos]) >= 0 && (braced || n < 4)) {
		cp = cp * 16 + (uint32_t)hex(p->text[p->pos]);
		if (cp > 0x10ffff)
			break;
		p->pos++;
		n++;
	}
	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff) || (cp & 0xfffe) == 0xfffe) {
		nf_dhall_fail_at(p->d, start, "the escape stands for no character");
		return false;
	}
	if (n == 0 || (!braced && n < 4)) {
		nf_dlex_expected(p, "a hexadecimal digit");
		return false;
	}
	if (braced && !nf_dlex_expect(p, "}", "'}'"))
		return false;
	(void)nf_utf8_put(&t->run, cp);
	return true;
}

static bool escape(struct text *t)
{
	static const char from[] = "\"$\\/bfnrt", to[] = "\"$\\/\b\f\n\r\t";
	struct nf_dparser *p = t->p;
	struct nf_dplace start = nf_dlex_place(p);
	const char *at;
	char c;

	p->pos++;
	if (nf_dlex_take(p, "u"))
		return unicode_escape(t, start);
	c = p->pos < p->n ? p->text[p->pos] : '\0';
	at = c ? strchr(from, c) : NULL;
	if (!at) {
		nf_dhall_fail_at(p->d, start,
		                 "no escape that the language has; allowed: \\\" \\$ "
		                 "\\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX \\u{X}");
		return false;
	}
	p->pos++;
	(void)nf_buf_addc(&t->run, to[at - from]);
	return true;
}

/* Up to and with the closing quote. */
static bool quoted(struct text *t)
{
	struct nf_dparser *p = t->p;
	struct nf_dplace start = nf_dlex_place(p);

	for (p->pos++; !nf_dlex_take(p, "\"");) {
		size_t n = nf_dlex_char(p);

		if (p->pos >= p->n) {
			nf_dhall_fail_at(p->d, start, "this text is not closed");
			return false;
		}
		if (nf_dlex_at(p, "\\")) {
			if (!escape(t))
				return false;
		} else if (nf_dlex_take(p, "${")) {
			if (!interpolation(t))
				return false;
		} else if (n == 0 || p->text[p->pos] == '\n' || p->text[p->pos] == '\t') {
			nf_dlex_expected(p, "a character allowed in a text");
			return false;
		} else {
			(void)nf_buf_add(&t->run, p->text + p->pos, n);
			p->pos += n;
		}
	}
	return add_chunk(t, NULL);
}

/* Without escapes and interpolation the text is used where it stands. */
static const struct nf_dexpr *plain(struct nf_dparser *p)
{
	struct nf_dplace place = nf_dlex_place(p);
	struct nf_dchunk *chunk;
	size_t from = p->pos + 1, end;

	for (end = from; end < p->n; end++) {
		unsigned char c = (unsigned char)p->text[end];

		if (c == '"')
			break;
		if (c < 0x20 || c >= 0x80 || c == '\\' || c == '$')
			return NULL;
	}
	if (end >= p->n || !(chunk = nf_dhall_alloc(p->d, 1, sizeof(*chunk))))
		return NULL;
	chunk->text = (struct nf_dstr){ p->text + from, end - from };
	p->pos = end + 1;
	return nf_dx_text(p->d, place, chunk, 1);
}

const struct nf_dexpr *nf_dparse_text(struct nf_dparser *p)
{
	struct nf_dplace place = nf_dlex_place(p);
	struct text t = { .p = p };
	const struct nf_dexpr *e = plain(p);

	if (e || p->d->failed)
		return e;
	nf_buf_init(&t.run, NF_DHALL_SOURCE_BYTES);
	if (quoted(&t))
		e = nf_dx_text(p->d, place, t.chunk, t.n);
	nf_buf_fini(&t.run);
	return e;
}

/* Up to and with the closing quotes; indentation is left in. */
static bool lines(struct text *t)
{
	struct nf_dparser *p = t->p;
	struct nf_dplace start = nf_dlex_place(p);

	p->pos += 2;
	if (!nf_dlex_take(p, "\r\n") && !nf_dlex_take(p, "\n")) {
		nf_dlex_expected(p, "the end of the line");
		return false;
	}
	for (;;) {
		size_t n;

		if (p->pos >= p->n) {
			nf_dhall_fail_at(p->d, start, "this text is not closed");
			return false;
		}
		if (nf_dlex_take(p, "'''")) {
			(void)nf_buf_adds(&t->run, "''");
		} else if (nf_dlex_take(p, "''${")) {
			(void)nf_buf_adds(&t->run, "${");
		} else if (nf_dlex_take(p, "''")) {
			break;
		} else if (nf_dlex_take(p, "${")) {
			if (!interpolation(t))
				return false;
		} else if (nf_dlex_take(p, "\r\n")) {
			(void)nf_buf_addc(&t->run, '\n');
		} else if ((n = nf_dlex_char(p)) > 0) {
			(void)nf_buf_add(&t->run, p->text + p->pos, n);
			p->pos += n;
		} else {
			nf_dlex_expected(p, "a character allowed in a text");
			return false;
		}
	}
	return add_chunk(t, NULL);
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The indentation that all lines have in common. Empty lines have none to compare, but the last line
 * counts even when it is empty. */
static struct nf_dstr common_indent(const struct text *t)
{
	struct nf_dstr common = { NULL, 0 };

	for (size_t i = 0; i < t->n; i++) {
		struct nf_dstr s = t->chunk[i].text;

		for (size_t from = 0; from <= s.n;) {
			const char *newline =
			        from < s.n ? memchr(s.p + from, '\n', s.n - from) : NULL;
			size_t end = newline ? (size_t)(newline - s.p) : s.n, k = from;

			/* The start of a chunk after an interpolation is no start of a line. */
			if ((i == 0 || from > 0) && !(newline && end == from)) {
				while (k < end && blank(s.p[k]))
					k++;
				if (!common.p) {
					common = (struct nf_dstr){ s.p + from, k - from };
				} else {
					size_t same = 0;

					while (same < common.n && same < k - from &&
					       common.p[same] == s.p[from + same])
						same++;
					common.n = same;
				}
			}
			from = end + 1;
		}
	}
	return common;
}

static bool strip(struct text *t, size_t indent)
{
	for (size_t i = 0; i < t->n; i++) {
		struct nf_dstr s = t->chunk[i].text;

		nf_buf_clear(&t->run);
		for (size_t from = 0; from <= s.n;) {
			const char *newline =
			        from < s.n ? memchr(s.p + from, '\n', s.n - from) : NULL;
			size_t end = newline ? (size_t)(newline - s.p) : s.n;
			size_t skip =
			        (i == 0 || from > 0) && !(newline && end == from) ? indent : 0;

			(void)nf_buf_add(&t->run, s.p + from + skip, end - from - skip);
			if (newline)
				(void)nf_buf_addc(&t->run, '\n');
			from = end + 1;
		}
		struct nf_err e = { 0 };
		if (nf_buf_failed(&t->run, "a text", &e) < 0) {
			nf_dhall_fail_err(t->p->d, &e);
			return false;
		}
		t->chunk[i].text = nf_dstr_copy(t->p->d, t->run.data, t->run.len_bytes);
		if (!t->chunk[i].text.p)
			return false;
	}
	return true;
}

const struct nf_dexpr *nf_dparse_multiline(struct nf_dparser *p)
{
	struct nf_dplace place = nf_dlex_place(p);
	const struct nf_dexpr *e = NULL;
	struct text t = { .p = p };

	nf_buf_init(&t.run, NF_DHALL_SOURCE_BYTES);
	if (lines(&t) && strip(&t, common_indent(&t).n))
		e = nf_dx_text(p->d, place, t.chunk, t.n);
	nf_buf_fini(&t.run);
	return e;
}
