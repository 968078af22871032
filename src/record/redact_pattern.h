/* SPDX-License-Identifier: MIT */
/* redact_pattern - what identifies by its form or by the name before it: addresses, ids, serials, home folders. Internal
 * to record/. */
#ifndef NF_RECORD_REDACT_PATTERN_H
#define NF_RECORD_REDACT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

struct nf_redact_spot {
	const char *s;
	size_t n; /* bytes from s on */
	size_t before; /* bytes in front of s that may be looked at */
	bool edge; /* a token begins here */
	bool fresh; /* what stands before belongs to an escape sequence or to another match */
	bool name; /* in a name of our own making */
};

enum { NF_REDACT_PLAIN = 160 };

struct nf_redact_found {
	const char *kind; /* NULL: stays, and is not looked into */
	size_t skip; /* bytes that stay in front */
	size_t len;
	/* What the pseudonym is made of where an address has several spellings: digits without what
	 * separates them. "": the text itself. */
	char plain[NF_REDACT_PLAIN];
};

/* The longest that begins at a spot. */
bool nf_redact_find(const struct nf_redact_spot *at, struct nf_redact_found *ret);

/* Letters and digits of ASCII. Bytes of other characters part words: a quotation mark is one of them. */
bool nf_redact_is_word(char c);
/* Bytes of a name of a user or host: letters, digits, "._-+", and letters that are not ASCII. */
size_t nf_redact_name_run(const char *s, size_t n);
/* Length of "/home/" and its like at s, 0: there is none. */
size_t nf_redact_home(const char *s, size_t n);
/* Length of a pseudonym that stands at s, or 0. */
size_t nf_redact_pseudonym_at(const char *s, size_t n);
/* Length of an escape that stands at s, or 0: of a terminal, a string in source, a URL, a mount table. */
size_t nf_redact_escape(const char *s, size_t n);

#endif
