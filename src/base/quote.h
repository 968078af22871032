/* SPDX-License-Identifier: MIT */
/* quote - a text of somebody else's, as it may stand in a one-line message. */
#ifndef NF_BASE_QUOTE_H
#define NF_BASE_QUOTE_H

enum { NF_QUOTED = 96 };
/* text as 'text', control characters as \xHH, cut with "..." when long. */
void nf_quote(const char *text, char ret[NF_QUOTED]);

#endif
