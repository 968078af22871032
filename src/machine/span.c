/* SPDX-License-Identifier: MIT */
#include "machine/span.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct nf_span nf_span_of(const struct nf_buf *b)
{
	return (struct nf_span){ b->data, b->len_bytes };
}

bool nf_span_cut(struct nf_span *rest, char sep, struct nf_span *ret)
{
	const char *end;

	if (rest->n == 0)
		return false;
	end = memchr(rest->p, sep, rest->n);
	if (!end) {
		*ret = *rest;
		rest->p += rest->n;
		rest->n = 0;
		return true;
	}
	*ret = (struct nf_span){ rest->p, (size_t)(end - rest->p) };
	rest->n -= ret->n + 1;
	rest->p = end + 1;
	return true;
}

bool nf_span_line(struct nf_span *rest, struct nf_span *ret)
{
	return nf_span_cut(rest, '\n', ret);
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

bool nf_span_word(struct nf_span *rest, struct nf_span *ret)
{
	struct nf_span s = *rest;
	size_t n = 0;

	while (s.n && blank(*s.p)) {
		s.p++;
		s.n--;
	}
	while (n < s.n && !blank(s.p[n]))
		n++;
	*rest = (struct nf_span){ s.p + n, s.n - n };
	if (n == 0)
		return false;
	*ret = (struct nf_span){ s.p, n };
	return true;
}

struct nf_span nf_span_trim(struct nf_span s)
{
	const char *nul = s.n ? memchr(s.p, '\0', s.n) : NULL;

	if (nul)
		s.n = (size_t)(nul - s.p);
	while (s.n && strchr(" \t\r\v\f\n", *s.p)) {
		s.p++;
		s.n--;
	}
	while (s.n && strchr(" \t\r\v\f\n", s.p[s.n - 1]))
		s.n--;
	return s;
}

bool nf_span_is(struct nf_span s, const char *text)
{
	return strlen(text) == s.n && (s.n == 0 || memcmp(s.p, text, s.n) == 0);
}

bool nf_span_starts(struct nf_span s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.n >= n && (n == 0 || memcmp(s.p, prefix, n) == 0);
}

bool nf_span_has_word(struct nf_span s, const char *word)
{
	struct nf_span w;

	while (nf_span_word(&s, &w))
		if (nf_span_is(w, word))
			return true;
	return false;
}

bool nf_span_has_member(struct nf_span s, char sep, const char *member)
{
	struct nf_span m;

	while (nf_span_cut(&s, sep, &m))
		if (nf_span_is(m, member))
			return true;
	return false;
}

bool nf_span_u64(struct nf_span s, uint64_t *ret)
{
	uint64_t v = 0;

	if (s.n == 0)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
		if (__builtin_mul_overflow(v, (uint64_t)10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(s.p[i] - '0'), &v))
			return false;
	}
	*ret = v;
	return true;
}

bool nf_span_real(struct nf_span s, double *ret)
{
	char text[64];
	size_t dots = 0;
	double v;

	if (s.n == 0 || s.n >= sizeof(text) || s.p[0] == '.')
		return false;
	for (size_t i = 0; i < s.n; i++) {
		dots += s.p[i] == '.';
		if (s.p[i] != '.' && (s.p[i] < '0' || s.p[i] > '9'))
			return false;
	}
	if (dots > 1)
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	v = strtod(text, NULL);
	if (!isfinite(v))
		return false;
	*ret = v;
	return true;
}
