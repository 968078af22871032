/* SPDX-License-Identifier: MIT */
#include "dhall/lex.h"

#include <string.h>

#include "base/utf8.h"

static const char *const keywords[] = {
	"if",       "then", "else",  "let",  "in",    "using",  "missing", "assert",          "as",
	"Infinity", "NaN",  "merge", "Some", "toMap", "forall", "with",    "showConstructor", NULL,
};

struct nf_dplace nf_dlex_place(const struct nf_dparser *p)
{
	return (struct nf_dplace){ p->file, (uint32_t)p->pos };
}

void *nf_dlex_expected(struct nf_dparser *p, const char *what)
{
	uint32_t cp = 0;
	int bad = 0;

	if (p->pos >= p->n)
		return nf_dhall_fail_at(p->d, nf_dlex_place(p),
		                        "the text ends where %s is expected", what);
	(void)nf_utf8_next(p->text + p->pos, p->n - p->pos, &cp, &bad);
	if (bad)
		return nf_dhall_fail_at(p->d, nf_dlex_place(p), "the text is not UTF-8 here");
	if (cp == '\n' || cp == '\r')
		return nf_dhall_fail_at(p->d, nf_dlex_place(p),
		                        "the line ends where %s is expected", what);
	if (cp > 0x20 && cp < 0x7f)
		return nf_dhall_fail_at(p->d, nf_dlex_place(p), "'%c' where %s is expected",
		                        (int)cp, what);
	return nf_dhall_fail_at(p->d, nf_dlex_place(p), "U+%04X where %s is expected", cp, what);
}

size_t nf_dlex_char(const struct nf_dparser *p)
{
	unsigned char c;
	uint32_t cp = 0;
	int bad = 0;
	size_t n;

	if (p->pos >= p->n)
		return 0;
	c = (unsigned char)p->text[p->pos];
	if (c < 0x80)
		return c >= 0x20 || c == '\t' || c == '\n';
	n = nf_utf8_next(p->text + p->pos, p->n - p->pos, &cp, &bad);
	return bad || (cp & 0xfffe) == 0xfffe ? 0 : n;
}

/* From "{-" to the "-}" that belongs to it; comments nest. */
static bool block_comment(struct nf_dparser *p)
{
	struct nf_dplace start = nf_dlex_place(p);
	size_t level = 0;

	do {
		if (p->pos >= p->n) {
			nf_dhall_fail_at(p->d, start, "this comment is not closed");
			return false;
		}
		if (nf_dlex_take(p, "{-")) {
			level++;
		} else if (nf_dlex_take(p, "-}")) {
			level--;
		} else if (!nf_dlex_take(p, "\r\n")) {
			size_t n = nf_dlex_char(p);

			if (n == 0) {
				nf_dlex_expected(p, "a character allowed in comments");
				return false;
			}
			p->pos += n;
		}
	} while (level > 0);
	return true;
}

static bool line_comment(struct nf_dparser *p)
{
	while (p->pos < p->n && p->text[p->pos] != '\n' && !nf_dlex_at(p, "\r\n")) {
		size_t n = nf_dlex_char(p);

		if (n == 0) {
			nf_dlex_expected(p, "a character allowed in comments");
			return false;
		}
		p->pos += n;
	}
	return true;
}

bool nf_dlex_space(struct nf_dparser *p, bool *ret_any)
{
	size_t start = p->pos;

	if (p->space_from == start && p->space_to > start) {
		p->pos = p->space_to;
		if (ret_any)
			*ret_any = true;
		return true;
	}
	for (;;) {
		char c = p->pos < p->n ? p->text[p->pos] : '\0';

		if (c == ' ' || c == '\t' || c == '\n') {
			p->pos++;
		} else if (nf_dlex_at(p, "\r\n")) {
			p->pos += 2;
		} else if (nf_dlex_at(p, "{-")) {
			if (!block_comment(p))
				return false;
		} else if (nf_dlex_at(p, "--")) {
			if (!line_comment(p))
				return false;
		} else {
			break;
		}
	}
	p->space_from = start;
	p->space_to = p->pos;
	if (ret_any)
		*ret_any = p->pos > start;
	return true;
}

bool nf_dlex_space1(struct nf_dparser *p, const char *after)
{
	bool any = false;

	if (!nf_dlex_space(p, &any))
		return false;
	if (!any)
		nf_dhall_fail_at(p->d, nf_dlex_place(p), "a space is needed after %s", after);
	return any;
}

bool nf_dlex_at(const struct nf_dparser *p, const char *s)
{
	size_t n = strlen(s);

	return p->n - p->pos >= n && memcmp(p->text + p->pos, s, n) == 0;
}

bool nf_dlex_take(struct nf_dparser *p, const char *s)
{
	if (!nf_dlex_at(p, s))
		return false;
	p->pos += strlen(s);
	return true;
}

bool nf_dlex_label_first(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool nf_dlex_label_next(char c)
{
	return nf_dlex_label_first(c) || (c >= '0' && c <= '9') || c == '-' || c == '/';
}

bool nf_dlex_at_word(const struct nf_dparser *p, const char *word)
{
	size_t n = strlen(word);

	return nf_dlex_at(p, word) &&
	       (p->pos + n >= p->n || !nf_dlex_label_next(p->text[p->pos + n]));
}

bool nf_dlex_take_word(struct nf_dparser *p, const char *word)
{
	if (!nf_dlex_at_word(p, word))
		return false;
	p->pos += strlen(word);
	return true;
}

bool nf_dlex_expect(struct nf_dparser *p, const char *s, const char *what)
{
	if (nf_dlex_take(p, s))
		return true;
	nf_dlex_expected(p, what);
	return false;
}

bool nf_dlex_is_keyword(struct nf_dstr word)
{
	for (size_t i = 0; keywords[i]; i++)
		if (nf_dstr_is(word, keywords[i]))
			return true;
	return false;
}

static struct nf_dstr word_here(const struct nf_dparser *p)
{
	size_t end = p->pos;

	if (end < p->n && nf_dlex_label_first(p->text[end]))
		while (end < p->n && nf_dlex_label_next(p->text[end]))
			end++;
	return (struct nf_dstr){ p->text + p->pos, end - p->pos };
}

bool nf_dlex_at_label(const struct nf_dparser *p)
{
	struct nf_dstr word = word_here(p);

	if (p->pos < p->n && p->text[p->pos] == '`')
		return true;
	return word.n > 0 && !nf_dlex_is_keyword(word);
}

bool nf_dlex_label(struct nf_dparser *p, bool some, struct nf_dstr *ret, bool *ret_quoted)
{
	struct nf_dstr word = word_here(p);
	struct nf_dplace start = nf_dlex_place(p);
	size_t from;

	if (ret_quoted)
		*ret_quoted = false;
	if (word.n > 0) {
		if (nf_dlex_is_keyword(word) && !(some && nf_dstr_is(word, "Some"))) {
			nf_dhall_fail_at(p->d, start,
			                 "'%.*s' is a keyword: as a name it needs backticks",
			                 (int)word.n, word.p);
			return false;
		}
		p->pos += word.n;
		*ret = word;
		return true;
	}
	if (!nf_dlex_take(p, "`")) {
		nf_dlex_expected(p, "a name");
		return false;
	}
	for (from = p->pos; p->pos < p->n && p->text[p->pos] != '`'; p->pos++)
		if (p->text[p->pos] < 0x20 || p->text[p->pos] > 0x7e) {
			nf_dlex_expected(p, "a printable ASCII character of a quoted name");
			return false;
		}
	if (p->pos >= p->n) {
		nf_dhall_fail_at(p->d, start, "this name has no closing backtick");
		return false;
	}
	*ret = (struct nf_dstr){ p->text + from, p->pos - from };
	p->pos++;
	if (ret_quoted)
		*ret_quoted = true;
	return true;
}
