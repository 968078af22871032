/* SPDX-License-Identifier: MIT */
/*
 * text - C source as bytes: directive lines, what a directive says, tokens.
 *
 * Pure and without memory of its own: everything points into the caller's bytes. Comments, strings, character
 * constants and continued lines are understood, LF and CRLF are line ends; no trigraphs, no raw strings. A
 * name that is itself continued on the next line ends where its line does.
 */
#ifndef NF_SOURCE_TEXT_H
#define NF_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum nf_src_kind {
	NF_SRC_OTHER, /* a directive that says nothing about macros: #error, #pragma, #line ... */
	NF_SRC_DEFINE,
	NF_SRC_UNDEF,
	NF_SRC_IF,
	NF_SRC_IFDEF,
	NF_SRC_IFNDEF,
	NF_SRC_ELIF,
	NF_SRC_ELIFDEF,
	NF_SRC_ELIFNDEF,
	NF_SRC_ELSE,
	NF_SRC_ENDIF,
	NF_SRC_INCLUDE,
	NF_SRC_ERROR,
};

/* What a #define gives. */
enum nf_src_value {
	NF_SRC_VALUE_OTHER,
	NF_SRC_VALUE_ZERO, /* 0, 00, 0x0, 0b0 with suffixes, in parentheses or not */
	NF_SRC_VALUE_EMPTY,
	NF_SRC_VALUE_FUNCTION, /* has parameters */
};

struct nf_src_word {
	const char *at;
	size_t len;
};

struct nf_src_directive {
	enum nf_src_kind kind;
	enum nf_src_value value; /* of a DEFINE */
	const char *at, *end; /* from the '#' to the end of its last line, without the line end */
	struct nf_src_word
	        name; /* of DEFINE, UNDEF and the tests of one name; of INCLUDE the file's */
	const char *rest; /* after the name, or after the directive's word: value, expression */
	bool quoted; /* INCLUDE "name" */
	uint32_t line; /* of the '#', from 1 */
};

/* Where reading stands. Begin with nf_src_begin(). */
struct nf_src_reader {
	const char *at, *end;
	uint32_t line; /* of at, from 1 */
	bool in_comment;
	/* Told of every '(' of a line that is no directive, outside of comments (but not outside of
	 * strings); may be NULL. */
	void (*call)(void *ctx, const char *line, const char *paren);
	void *ctx;
};
void nf_src_begin(struct nf_src_reader *r, const char *data, size_t len);
/* The next directive; false: there is none. In time linear in the bytes. */
bool nf_src_next(struct nf_src_reader *r, struct nf_src_directive *ret);

/* Blanks, comments and continued line ends are skipped. */
const char *nf_src_skip(const char *p, const char *end);

enum nf_src_token_kind { NF_SRC_END, NF_SRC_WORD, NF_SRC_NUMBER, NF_SRC_STRING, NF_SRC_PUNCT };
struct nf_src_token {
	enum nf_src_token_kind kind;
	const char *at;
	size_t len; /* a PUNCT has 1 */
};
/* The token at *p, comments skipped; *p is after it then. Line ends are blanks. */
void nf_src_token(const char **p, const char *end, struct nf_src_token *ret);
bool nf_src_token_is(const struct nf_src_token *t, const char *text);

/* The names that an #if expression asks for with defined, one a call; *p is where it stands, from d->rest on.
 * negated: a '!' stands before it. */
bool nf_src_next_defined(const char **p, const char *end, struct nf_src_word *ret, bool *negated);
/* Whether an expression uses the name otherwise than as defined(name). */
bool nf_src_uses_value(const char *p, const char *end, struct nf_src_word name);

bool nf_src_word_char(char c); /* a letter, a digit, _ or $ */
bool nf_src_same(struct nf_src_word a, struct nf_src_word b);
uint32_t nf_src_hash(struct nf_src_word w); /* FNV-1a, 32 bits */

#endif
