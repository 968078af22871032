/* SPDX-License-Identifier: MIT */
/*
 * pattern - patterns that compile and are not fit for a console's lines all the same: what can never be found, and what is
 * found in everything. Judged by what PCRE2 makes of a pattern, not by how it is spelled.
 *
 * Refused (-NF_EARG):
 * - a part that takes nothing but a line break, or nothing but control characters: the text of a line has none but TAB. It
 *   is refused wherever it stands, in an alternative or a look-behind, too. A part that takes other characters besides
 *   ([^x], \s, [ \n]) is fine;
 * - a pattern that matches without a character: an empty text, or the edge of any word;
 * - one that no text of line_limit bytes can match.
 */
#ifndef NF_BOARD_PATTERN_H
#define NF_BOARD_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum { NF_PATTERN_LIMIT_MAX = UINT16_MAX - 1 }; /* PCRE2 tells no greater length apart */

/* pattern: one that nf_match_new() takes. line_limit: 1..NF_PATTERN_LIMIT_MAX bytes. The message says what and where, without the pattern. */
NF_NODISCARD int nf_pattern_check(const char *pattern, size_t line_limit, struct nf_err *err);

#endif
