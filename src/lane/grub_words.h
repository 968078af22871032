/* SPDX-License-Identifier: MIT */
/* grub_words - GRUB's script language as commands of words: quotes, escapes and comments undone, variables left
 * as they are written. Pure. */
#ifndef NF_LANE_GRUB_WORDS_H
#define NF_LANE_GRUB_WORDS_H

#include "base/arena.h"
#include "base/buf.h"

enum { NF_GRUB_WORDS_MAX = 512, NF_GRUB_WORD_MAX_BYTES = 64 << 10 };

enum nf_grub_end { NF_GRUB_ENDS, NF_GRUB_OPENS, NF_GRUB_CLOSES }; /* newline or ';', '{', '}' */

struct nf_grub_words {
	const char *word[NF_GRUB_WORDS_MAX]; /* in the arena */
	int n; /* 0 with NF_GRUB_OPENS and NF_GRUB_CLOSES only */
	enum nf_grub_end end;
	size_t line; /* where it begins, from 1 */
};

struct nf_grub_lexer {
	const char *text; /* borrowed */
	size_t len_bytes;
	size_t at;
	size_t line;
	const char *path; /* for messages; borrowed */
	struct nf_buf word;
};

void nf_grub_lexer_init(struct nf_grub_lexer *l, const char *text, size_t len_bytes,
                        const char *path);
void nf_grub_lexer_fini(struct nf_grub_lexer *l);
/* 1: a command; 0: the end. -NF_EDATA: a quote that is not closed, too many or too long words, a NUL. */
NF_NODISCARD int nf_grub_lexer_next(struct nf_grub_lexer *l, struct nf_arena *a,
                                    struct nf_grub_words *ret, struct nf_err *err);

#endif
