/* SPDX-License-Identifier: MIT */
/*
 * match - one PCRE2 pattern, sought in lines as they grow.
 *
 * A pattern is sought in one line at a time, whose text has no line break: ^ and $ are its ends. The line that
 * has not ended yet (a prompt) is sought in too, by partial matching: nothing is decided that a later byte
 * could change, and a start that was tried is not tried again. `# $` and the like can only be decided
 * when the line ends or the console is silent.
 *
 * Bytes, not characters: `.` takes one byte. A character beyond ASCII may stand in a pattern as it is, not
 * in a class or before a quantifier (-NF_EARG); nor may \G stand there. Threads: one at a time per struct nf_match.
 */
#ifndef NF_BOARD_MATCH_H
#define NF_BOARD_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum {
	NF_MATCH_PATTERN_MAX = 4096, /* bytes */
	NF_MATCH_STEPS_MAX = 1000000, /* PCRE2's match limit for one call */
	NF_MATCH_GROUPS_MAX = 32, /* the whole match included */
};

enum nf_match_found {
	NF_MATCH_NO,
	NF_MATCH_PARTIAL, /* more text, the line's end or silence decides */
	NF_MATCH_YES,
};

struct nf_match; /* opaque */

/* -NF_EARG: no pattern; the message has PCRE2's words and the place. */
NF_NODISCARD int nf_match_new(const char *pattern, struct nf_match **ret, struct nf_err *err);
void nf_match_free(struct nf_match *m); /* NULL is fine */

/* A whole line, whatever was given of it before. Returns enum nf_match_found but PARTIAL, or
 * -NF_EARG: the pattern takes more than NF_MATCH_STEPS_MAX steps (it says so), -NF_ENOMEM. */
NF_NODISCARD int nf_match_line(struct nf_match *m, const char *text, size_t len,
                               struct nf_err *err);
/* The line so far. stable: bytes at its beginning that are as they were in the previous call for the same
 * line (nf_line_tail); 0 for a new line. Once YES it stays that, until the line is a new one. */
NF_NODISCARD int nf_match_tail(struct nf_match *m, const char *text, size_t len, size_t stable,
                               struct nf_err *err);
/* The console is silent: the line so far is taken for the whole. More text may follow all the same. */
NF_NODISCARD int nf_match_silence(struct nf_match *m, const char *text, size_t len,
                                  struct nf_err *err);

/* After YES: where group i (0: all of it) was found; false: it took no part, or there is none. */
bool nf_match_group(const struct nf_match *m, uint32_t i, size_t *ret_start, size_t *ret_len);
uint32_t nf_match_n_groups(const struct nf_match *m); /* in the pattern, the whole included */
/* No text shorter than so many bytes matches; a lower bound, at most 65535. */
uint32_t nf_match_needs(const struct nf_match *m);
const char *nf_match_pattern(const struct nf_match *m); /* borrowed */
/* Its items in order, as PCRE2 itself tells them apart: a character, an escape, a class, each with what repeats it and with
 * what is ignored after it; a parenthesis, a bar. at: bytes of the pattern before it. Not 0 ends it and is returned. */
typedef int nf_match_item_fn(void *ctx, size_t at, size_t len);
NF_NODISCARD int nf_match_items(const char *pattern, nf_match_item_fn *fn, void *ctx,
                                struct nf_err *err);
/* Where the next nf_match_tail() begins to seek, if all before is stable: nothing before it is tried again. */
size_t nf_match_resume(const struct nf_match *m);

#endif
