/* SPDX-License-Identifier: MIT */
/* Imports: what they name, their hash, their mode. Nothing is read here. */
#include <string.h>

#include "dhall/lex.h"

struct parts {
	struct nf_dstr *part;
	size_t n, cap;
};

static bool path_char(char c)
{
	unsigned char u = (unsigned char)c;

	return u == 0x21 || (u >= 0x24 && u <= 0x27) || u == 0x2a || u == 0x2b || u == 0x2d ||
	       u == 0x2e || (u >= 0x30 && u <= 0x3b) || u == 0x3d || (u >= 0x40 && u <= 0x5a) ||
	       (u >= 0x5e && u <= 0x7a) || u == 0x7c || u == 0x7e;
}

static bool component_follows(const struct nf_dparser *p, size_t slash)
{
	return slash + 1 < p->n && p->text[slash] == '/' &&
	       (path_char(p->text[slash + 1]) || p->text[slash + 1] == '"');
}

static bool add_part(struct nf_dparser *p, struct parts *ps, size_t from, size_t to)
{
	ps->part = nf_dhall_grow(p->d, ps->part, ps->n, &ps->cap, sizeof(*ps->part));
	if (!ps->part)
		return false;
	ps->part[ps->n++] = (struct nf_dstr){ p->text + from, to - from };
	return true;
}

/* "/" characters, or "/" and characters in double quotes. */
static bool component(struct nf_dparser *p, struct parts *ps)
{
	struct nf_dplace start;
	size_t from;

	p->pos++;
	start = nf_dlex_place(p);
	if (!nf_dlex_take(p, "\"")) {
		for (from = p->pos; p->pos < p->n && path_char(p->text[p->pos]); p->pos++)
			;
		return add_part(p, ps, from, p->pos);
	}
	for (from = p->pos; !nf_dlex_at(p, "\"");) {
		size_t n = nf_dlex_char(p);

		if (p->pos >= p->n) {
			nf_dhall_fail_at(p->d, start, "this path is not closed");
			return false;
		}
		if (n == 0 || (unsigned char)p->text[p->pos] < 0x20 || p->text[p->pos] == '/') {
			nf_dlex_expected(p, "a character allowed in a path");
			return false;
		}
		p->pos += n;
	}
	if (p->pos == from) {
		nf_dhall_fail_at(p->d, start, "a path component is empty");
		return false;
	}
	p->pos++;
	return add_part(p, ps, from, p->pos - 1);
}

static bool components(struct nf_dparser *p, struct parts *ps)
{
	if (!component_follows(p, p->pos)) {
		nf_dlex_expected(p, "a path");
		return false;
	}
	while (component_follows(p, p->pos))
		if (!component(p, ps))
			return false;
	return true;
}

static bool url_char(char c)
{
	return nf_dlex_label_next(c) || (c != '\0' && strchr(".~!$&'*+;=:@%", c));
}

/* authority *("/" segment) [ "?" query ] */
static bool url(struct nf_dparser *p, struct nf_dimport *m, struct parts *ps)
{
	bool first = true;
	size_t from;

	do {
		for (from = p->pos;
		     p->pos < p->n && p->text[p->pos] != '/' &&
		     (url_char(p->text[p->pos]) || (first && strchr("[]", p->text[p->pos])));
		     p->pos++)
			;
		if (first && p->pos == from) {
			nf_dlex_expected(p, "a host");
			return false;
		}
		if (!add_part(p, ps, from, p->pos))
			return false;
		first = false;
	} while (nf_dlex_take(p, "/"));
	if (nf_dlex_take(p, "?")) {
		for (from = p->pos;
		     p->pos < p->n && (url_char(p->text[p->pos]) || p->text[p->pos] == '?');
		     p->pos++)
			;
		m->has_query = true;
		m->query = (struct nf_dstr){ p->text + from, p->pos - from };
	}
	return true;
}

static bool variable(struct nf_dparser *p, struct parts *ps)
{
	size_t from = p->pos;

	if (nf_dlex_at(p, "\""))
		return nf_dhall_fail_at(p->d, nf_dlex_place(p),
		                        "quoted environment variables: outside the part of Dhall "
		                        "that is read here");
	while (p->pos < p->n &&
	       (nf_dlex_label_first(p->text[p->pos]) ||
	        (p->pos > from && p->text[p->pos] >= '0' && p->text[p->pos] <= '9')))
		p->pos++;
	if (p->pos == from) {
		nf_dlex_expected(p, "the name of an environment variable");
		return false;
	}
	return add_part(p, ps, from, p->pos);
}

/* What is imported. *ret_found false: no import starts here. */
static bool source(struct nf_dparser *p, struct nf_dimport *m, bool *ret_found)
{
	static const struct {
		const char *start;
		enum nf_dscheme scheme;
	} starts[] = {
		{ "./", NF_DS_HERE },        { "../", NF_DS_PARENT },   { "~/", NF_DS_HOME },
		{ "https://", NF_DS_HTTPS }, { "http://", NF_DS_HTTP }, { "env:", NF_DS_ENV },
	};
	struct parts ps = { 0 };
	bool fine = true;

	*ret_found = true;
	if (component_follows(p, p->pos)) {
		m->scheme = NF_DS_ABSOLUTE;
		fine = components(p, &ps);
	} else if (nf_dlex_take_word(p, "missing")) {
		m->scheme = NF_DS_MISSING;
	} else {
		size_t i = 0, n = sizeof(starts) / sizeof(starts[0]);

		while (i < n && !nf_dlex_at(p, starts[i].start))
			i++;
		if (i == n) {
			*ret_found = false;
			return true;
		}
		m->scheme = starts[i].scheme;
		p->pos += strlen(starts[i].start);
		if (m->scheme == NF_DS_HTTP || m->scheme == NF_DS_HTTPS) {
			fine = url(p, m, &ps);
		} else if (m->scheme == NF_DS_ENV) {
			fine = variable(p, &ps);
		} else {
			p->pos--; /* the slash belongs to the first component */
			fine = components(p, &ps);
		}
	}
	m->part = ps.part;
	m->n_parts = ps.n;
	return fine;
}

static int nibble(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool hash(struct nf_dparser *p, struct nf_dimport *m)
{
	for (size_t i = 0; i < NF_SHA256_BYTES * 2; i++, p->pos++) {
		int v = p->pos < p->n ? nibble(p->text[p->pos]) : -1;

		if (v < 0) {
			nf_dlex_expected(p, "one of the 64 hexadecimal digits of a SHA-256");
			return false;
		}
		m->hash[i / 2] = (uint8_t)(m->hash[i / 2] << 4 | v);
	}
	m->has_hash = true;
	return true;
}

const struct nf_dexpr *nf_dparse_import(struct nf_dparser *p)
{
	static const char *const modes[] = {
		[NF_DM_TEXT] = "Text", [NF_DM_LOCATION] = "Location", [NF_DM_BYTES] = "Bytes"
	};
	struct nf_dplace place = nf_dlex_place(p);
	struct nf_dimport m = { 0 }, *copy;
	bool found = false, any = false;
	size_t before;

	if (!source(p, &m, &found) || !found)
		return NULL;
	before = p->pos;
	if (!nf_dlex_space(p, &any))
		return NULL;
	if (any && nf_dlex_at_word(p, "using"))
		return nf_dhall_fail_at(p->d, nf_dlex_place(p),
		                        "using: outside the part of Dhall that is read here");
	if (any && nf_dlex_take(p, "sha256:")) {
		if (!hash(p, &m))
			return NULL;
		before = p->pos;
		if (!nf_dlex_space(p, NULL))
			return NULL;
	}
	if (nf_dlex_take_word(p, "as")) {
		if (!nf_dlex_space1(p, "as"))
			return NULL;
		for (size_t i = NF_DM_TEXT; i <= NF_DM_BYTES; i++)
			if (nf_dlex_take_word(p, modes[i]))
				m.mode = (enum nf_dmode)i;
		if (m.mode == NF_DM_CODE)
			return nf_dlex_expected(p, "Text, Location or Bytes");
		before = p->pos;
	}
	p->pos = before;
	copy = nf_dhall_alloc(p->d, 1, sizeof(*copy));
	if (!copy)
		return NULL;
	*copy = m;
	return nf_dx_import(p->d, place, copy);
}
