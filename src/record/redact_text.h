/* SPDX-License-Identifier: MIT */
/*
 * redact_text - text with what identifies a machine or a person replaced by pseudonyms: host-3f9c02ab71,
 * user-..., ip-..., mac-..., uuid-..., id-..., serial-..., arg-... Internal to record/.
 *
 * A pseudonym is the first 40 bits of HMAC-SHA-256 over the SHA-256 of the kind, a zero and the text (letters in
 * lower case) under a key: the same text has the same pseudonym as long as the key lives, and without the key nothing but guesses
 * leads back. Pseudonyms are themselves left alone by the patterns, so that redacting twice keeps the shape.
 */
#ifndef NF_RECORD_REDACT_TEXT_H
#define NF_RECORD_REDACT_TEXT_H

#include "base/arena.h"
#include "base/buf.h"

enum { NF_REDACT_KEY = 32, NF_REDACT_WORDS = 1024, NF_PSEUDONYM = 32 };

struct nf_redact_word {
	const char *kind; /* "host", "user", "word": the pseudonym begins with it */
	const char *text;
	size_t len;
};

struct nf_redactor {
	unsigned char key[NF_REDACT_KEY];
	struct nf_redact_word word[NF_REDACT_WORDS]; /* longest first */
	size_t n_words;
	struct nf_arena a;
};

void nf_redactor_init(struct nf_redactor *r, const unsigned char key[NF_REDACT_KEY]);
void nf_redactor_fini(struct nf_redactor *r); /* the key is wiped */

/* A word that is replaced wherever it stands between characters that are no letters or digits; letters of
 * either case. Empty ones and those that are there already are ignored; kind is borrowed. -NF_EDATA:
 * more than NF_REDACT_WORDS. */
NF_NODISCARD int nf_redactor_add(struct nf_redactor *r, const char *kind, const char *text,
                                 struct nf_err *err);
/* A host name and its parts: without what follows the first dot, that domain, and as a run's folder spells it. */
NF_NODISCARD int nf_redactor_add_host(struct nf_redactor *r, const char *name, struct nf_err *err);
/* Adds the users and hosts that a text names (redact_learn.h). */
NF_NODISCARD int nf_redactor_learn(struct nf_redactor *r, const char *text, struct nf_err *err);

void nf_pseudonym(const struct nf_redactor *r, const char *kind, const char *s, size_t len,
                  char ret[NF_PSEUDONYM]);

/* Appends s: words, users and hosts (NAME@HOST), IPv4 and IPv6 addresses but for loopback and wildcards,
 * MAC addresses, UUIDs, hexadecimal names of 12 digits and more, values named serial or asset tag. */
void nf_redact_text(const struct nf_redactor *r, const char *s, size_t len, struct nf_buf *out);
/* The same for a name of our own making (a file, a stream): words that such names are made of stay, also where a
 * host is called so. A result longer than max becomes one pseudonym with the suffix of s. */
void nf_redact_name(const struct nf_redactor *r, const char *s, size_t max, struct nf_buf *out);
bool nf_redact_own_word(const char *text); /* one of those words */
/* A kernel command line: the values of parameters that are not known to be harmless, and what follows "--". */
void nf_redact_cmdline(const struct nf_redactor *r, const char *s, size_t len, struct nf_buf *out);

#endif
