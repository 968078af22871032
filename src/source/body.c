/* SPDX-License-Identifier: MIT */
#include "source/body.h"

#include <stdlib.h>
#include <string.h>

enum { PP_MAX = 256 };

/* Where reading a file stands. */
struct state {
	struct nf_src_bodies *b;
	nf_src_body_fn *fn;
	void *ctx;
	struct nf_src_word name; /* of the call or function that stands before */
	struct nf_src_word word; /* the token before, when it is a word */
	bool after_paren; /* a ')' that closes the outermost '(' was the last but for words */
	unsigned parens;
	unsigned depth; /* in a body: braces; 0: in none */
	size_t n; /* tokens of the body */
	bool too_long;
	const char *counted; /* line is of this place */
	uint32_t line;
	unsigned pp;
	bool taken[PP_MAX]; /* a branch of this #if was read */
	bool reads[PP_MAX]; /* this branch is */
	unsigned skipping; /* branches around that are not read */
};

bool nf_src_body_is(const struct nf_src_body_token *t, const char *text)
{
	return t->len == strlen(text) && memcmp(t->at, text, t->len) == 0;
}

static uint32_t line_of(struct state *s, const char *at)
{
	while ((s->counted = memchr(s->counted, '\n', (size_t)(at - s->counted))) != NULL) {
		s->counted++;
		s->line++;
	}
	s->counted = at;
	return s->line;
}

static int keep(struct state *s, const struct nf_src_token *t, struct nf_err *err)
{
	if (s->n >= NF_SRC_BODY_MAX) {
		s->too_long = true;
		return 0;
	}
	if (s->n == s->b->cap) {
		size_t cap = s->b->cap ? 2 * s->b->cap : 1024;
		struct nf_src_body_token *more = realloc(s->b->t, cap * sizeof(*more));

		if (!more)
			return nf_fail_nomem(err, "a function", cap * sizeof(*more));
		s->b->t = more;
		s->b->cap = cap;
	}
	s->b->t[s->n++] = (struct nf_src_body_token){
		.at = t->at,
		.len = (uint32_t)t->len,
		.line = line_of(s, t->at),
		.depth = (uint16_t)(s->depth < UINT16_MAX ? s->depth : UINT16_MAX),
		.pp = (uint16_t)s->pp,
		.kind = (uint8_t)t->kind,
	};
	return 0;
}

static int end_body(struct state *s, struct nf_err *err)
{
	struct nf_src_body body = { .name = s->name, .t = s->b->t, .n = s->n };
	int r = 0;

	if (s->too_long)
		s->b->too_long++;
	else
		r = s->fn(s->ctx, &body, err);
	s->n = 0;
	s->too_long = false;
	s->name.len = 0;
	return r;
}

/* Outside of bodies: is a '{' here the beginning of one? */
static int outside(struct state *s, const struct nf_src_token *t, struct nf_err *err)
{
	char c = t->kind == NF_SRC_PUNCT ? *t->at : '\0';
	int r = 0;

	if (c == '(') {
		if (s->parens++ == 0 && s->word.len)
			s->name = s->word;
		s->after_paren = false;
	} else if (c == ')') {
		s->parens -= s->parens > 0;
		s->after_paren = s->parens == 0;
	} else if (c == '{' && s->after_paren) {
		s->depth = 1;
		s->n = 0;
		s->parens = 0;
		r = keep(s, t, err);
	} else if (c != '\0') {
		s->after_paren = s->after_paren && c != ';' && c != '}' && c != '=' && c != '{';
		if (c == ';' || c == '}')
			s->parens = 0;
	}
	s->word = t->kind == NF_SRC_WORD ? (struct nf_src_word){ t->at, t->len }
	                                 : (struct nf_src_word){ NULL, 0 };
	return r;
}

static int inside(struct state *s, const struct nf_src_token *t, struct nf_err *err)
{
	char c = t->kind == NF_SRC_PUNCT ? *t->at : '\0';

	if (c == '}')
		s->depth--;
	int r = keep(s, t, err);
	if (c == '{')
		s->depth++;
	if (r == 0 && s->depth == 0) {
		r = end_body(s, err);
		s->after_paren = false;
		s->word.len = 0;
	}
	return r;
}

static int read_code(struct state *s, const char *p, const char *end, struct nf_err *err)
{
	struct nf_src_token t;
	int r = 0;

	if (s->skipping)
		return 0;
	for (nf_src_token(&p, end, &t); r == 0 && t.kind != NF_SRC_END; nf_src_token(&p, end, &t))
		r = s->depth ? inside(s, &t, err) : outside(s, &t, err);
	return r;
}

static bool is_never(const struct nf_src_directive *d)
{
	const char *p = d->rest;
	struct nf_src_token t;

	if (d->kind != NF_SRC_IF)
		return false;
	nf_src_token(&p, d->end, &t);
	if (!nf_src_token_is(&t, "0"))
		return false;
	nf_src_token(&p, d->end, &t);
	return t.kind == NF_SRC_END;
}

static void read_directive(struct state *s, const struct nf_src_directive *d)
{
	if (d->kind == NF_SRC_IF || d->kind == NF_SRC_IFDEF || d->kind == NF_SRC_IFNDEF) {
		bool reads = !is_never(d);

		if (s->pp < PP_MAX) {
			s->taken[s->pp] = s->reads[s->pp] = reads;
			s->skipping += !reads;
		}
		s->pp += s->pp < UINT16_MAX;
	} else if (s->pp > 0 && d->kind == NF_SRC_ENDIF) {
		s->pp--;
		if (s->pp < PP_MAX)
			s->skipping -= !s->reads[s->pp];
	} else if (s->pp > 0 && s->pp <= PP_MAX &&
	           (d->kind == NF_SRC_ELIF || d->kind == NF_SRC_ELIFDEF ||
	            d->kind == NF_SRC_ELIFNDEF || d->kind == NF_SRC_ELSE)) {
		unsigned i = s->pp - 1;
		bool reads = !s->taken[i];

		s->skipping += (unsigned)s->reads[i] - (unsigned)reads;
		s->reads[i] = reads;
		s->taken[i] = true;
	}
}

int nf_src_bodies_each(struct nf_src_bodies *b, const char *data, size_t len, nf_src_body_fn *fn,
                       void *ctx, struct nf_err *err)
{
	struct state s = { .b = b, .fn = fn, .ctx = ctx, .counted = data, .line = 1 };
	struct nf_src_reader reader;
	struct nf_src_directive d;
	const char *from = data;
	int r = 0;

	nf_src_begin(&reader, data, len);
	while (r == 0 && nf_src_next(&reader, &d)) {
		r = read_code(&s, from, d.at, err);
		read_directive(&s, &d);
		from = d.end;
	}
	return r == 0 ? read_code(&s, from, data + len, err) : r;
}

void nf_src_bodies_fini(struct nf_src_bodies *b)
{
	free(b->t);
	*b = (struct nf_src_bodies){ 0 };
}
