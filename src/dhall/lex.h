/* SPDX-License-Identifier: MIT */
/* lex - the lowest rules of the grammar: white space, words, characters. */
#ifndef NF_DHALL_LEX_H
#define NF_DHALL_LEX_H

#include "dhall/session.h"

struct nf_dparser {
	struct nf_dhall *d;
	const char *text;
	size_t n;
	size_t pos;
	uint16_t file;
	int depth;
	/* White space is skipped, and taken back, at several levels: where the last one ended. */
	size_t space_from, space_to;
};

struct nf_dplace nf_dlex_place(const struct nf_dparser *p);
/* Message with what was found; always NULL. */
void *nf_dlex_expected(struct nf_dparser *p, const char *what);
/* Skips blanks and comments. *ret_any: something was skipped. false: a comment is broken. */
bool nf_dlex_space(struct nf_dparser *p, bool *ret_any);
/* The same, but white space must stand here. */
bool nf_dlex_space1(struct nf_dparser *p, const char *after);
bool nf_dlex_at(const struct nf_dparser *p, const char *s);
/* s stands here: moves over it. */
bool nf_dlex_take(struct nf_dparser *p, const char *s);
/* A word that ends here, and not within a longer label. */
bool nf_dlex_at_word(const struct nf_dparser *p, const char *word);
bool nf_dlex_take_word(struct nf_dparser *p, const char *word);
bool nf_dlex_expect(struct nf_dparser *p, const char *s, const char *what);
/* Length in bytes of the character here if the standard allows it in texts and comments; 0: not. */
size_t nf_dlex_char(const struct nf_dparser *p);

bool nf_dlex_label_first(char c);
bool nf_dlex_label_next(char c);
/* A label stands here (not a keyword). */
bool nf_dlex_at_label(const struct nf_dparser *p);
/* *ret_quoted (may be NULL): in backticks, so never a builtin. some: the keyword Some is one too. */
bool nf_dlex_label(struct nf_dparser *p, bool some, struct nf_dstr *ret, bool *ret_quoted);
bool nf_dlex_is_keyword(struct nf_dstr word);

/* parse.c and parse_*.c. All return NULL after failure. */
const struct nf_dexpr *nf_dparse_expression(struct nf_dparser *p);
/* Nothing that starts an operand stands here: NULL without a failure, for the caller to judge. */
const struct nf_dexpr *nf_dparse_import_expression(struct nf_dparser *p);
const struct nf_dexpr *nf_dparse_record(struct nf_dparser *p);
const struct nf_dexpr *nf_dparse_union(struct nf_dparser *p);
const struct nf_dexpr *nf_dparse_number(struct nf_dparser *p); /* NULL: none here */
const struct nf_dexpr *nf_dparse_text(struct nf_dparser *p);
const struct nf_dexpr *nf_dparse_multiline(struct nf_dparser *p);
const struct nf_dexpr *nf_dparse_import(struct nf_dparser *p); /* NULL: none here */

#endif
