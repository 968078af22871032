/* SPDX-License-Identifier: MIT */
#include "board/pattern.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "board/line.h"
#include "board/match.h"

/* NEL: a line break to \v and \R; in text only as a part of a character of several bytes. */
#define NEL 0x85

_Static_assert((size_t)NF_LINE_LIMIT <= (size_t)NF_PATTERN_LIMIT_MAX,
               "what is longer than a line is told apart");

/* --- parts that take nothing of a line's text --- */

struct part {
	const char *pattern;
	unsigned groups; /* that began before it */
	struct nf_err *err;
};

static bool is_break(unsigned c)
{
	return (c >= '\n' && c <= '\r') || c == NEL;
}

static bool in_a_line(unsigned c)
{
	return c == '\t' || (c >= ' ' && c != 0x7f && c != NEL);
}

static bool begins_group(const char *item, size_t len)
{
	if (item[0] != '(' || len < 2 || (item[1] != '?' && item[1] != '*'))
		return item[0] == '(';
	return item[1] == '?' && len > 2 &&
	       (item[2] == '\'' || item[2] == 'P' ||
	        (item[2] == '<' && (len == 3 || (item[3] != '=' && item[3] != '!'))));
}

/* \10 is a group's text where there are as many groups, else a character in octal. */
static bool is_reference(const char *item, size_t len, unsigned groups)
{
	unsigned n = 0;

	if (item[0] != '\\' || len < 2 || item[1] < '1' || item[1] > '9')
		return false;
	for (size_t i = 1; i < len && isdigit((unsigned char)item[i]) && n < 1000; i++)
		n = 10 * n + (unsigned)(item[i] - '0');
	return n < 10 || n <= groups || item[1] >= '8';
}

/* The first byte that it can begin with; ret_fits: one of them can be in a line. -1: it takes none. */
static int first_taken(struct nf_match *m, bool *ret_fits, struct nf_err *err)
{
	size_t at, n;
	int first = -1;

	*ret_fits = false;
	for (unsigned c = 0; c < 256 && !*ret_fits; c++) {
		char byte = (char)c;
		int r = nf_match_tail(m, &byte, 1, 0, err);

		if (r < 0)
			return r;
		if (r == NF_MATCH_NO ||
		    (r == NF_MATCH_YES && nf_match_group(m, 0, &at, &n) && n == 0))
			continue;
		*ret_fits = in_a_line(c);
		if (first < 0 || (is_break(c) && !is_break((unsigned)first)))
			first = (int)c;
	}
	return first;
}

static int refuse_part(const struct part *p, size_t at, unsigned c)
{
	if (is_break(c))
		return nf_fail(p->err, NF_EARG,
		               "a line break, \\x%02x, at byte %zu: patterns are sought in one "
		               "line at a time, whose ends are ^ and $",
		               c, at + 1);
	return nf_fail(p->err, NF_EARG,
	               "a control character, \\x%02x, at byte %zu: the text of a line has none "
	               "but TAB",
	               c, at + 1);
}

static int check_part(void *ctx, size_t at, size_t len)
{
	struct part *p = ctx;
	const char *item = p->pattern + at;
	char alone[NF_MATCH_PATTERN_MAX + 1];
	struct nf_match *m = NULL;
	bool plain = in_a_line((unsigned char)item[0]) && item[0] != '\\' && item[0] != '[';
	struct nf_err why = { 0 };
	bool fits = true;
	int n, r;

	p->groups += begins_group(item, len);
	if (plain || is_reference(item, len, p->groups))
		return 0;
	n = snprintf(alone, sizeof(alone), "\\A%.*s", (int)len, item);
	if (n < 0 || (size_t)n >= sizeof(alone))
		return 0; /* too long for a character */
	r = nf_match_new(alone, &m, &why);
	if (r == -NF_EARG)
		return 0; /* not a character: one half of something */
	if (r < 0) {
		if (p->err)
			*p->err = why;
		return r;
	}
	r = first_taken(m, &fits, p->err);
	nf_match_free(m);
	if (r == -1 || fits)
		return 0;
	return r < 0 ? r : refuse_part(p, at, (unsigned)r);
}

/* --- the whole --- */

/* 1: it matches text with no character of it. */
static int takes_nothing(struct nf_match *m, const char *text, struct nf_err *err)
{
	size_t at, n = 1;
	int r = nf_match_line(m, text, strlen(text), err);

	if (r == NF_MATCH_YES)
		(void)nf_match_group(m, 0, &at, &n);
	return r < 0 ? r : n == 0;
}

static int check_empty(struct nf_match *m, struct nf_err *err)
{
	int r = takes_nothing(m, "", err);

	if (r == 0) { /* \b, (?=.) */
		r = takes_nothing(m, "a", err);
		r = r > 0 ? takes_nothing(m, "0", err) : r;
	}
	return r > 0 ? nf_fail(err, NF_EARG,
	                       "it matches an empty text, so it is found in every line")
	             : r;
}

int nf_pattern_check(const char *pattern, size_t line_limit, struct nf_err *err)
{
	const char *raw = strpbrk(pattern, "\r\n");
	struct part p = { .pattern = pattern, .err = err };
	struct nf_match *m = NULL;
	int r;

	if (line_limit == 0 || line_limit > NF_PATTERN_LIMIT_MAX)
		return nf_fail(err, NF_EARG, "a line limit of %zu bytes; allowed: 1..%d",
		               line_limit, NF_PATTERN_LIMIT_MAX);
	/* Where blanks are ignored, too: one rule for all. */
	if (raw)
		return refuse_part(&p, (size_t)(raw - pattern), (unsigned char)*raw);
	r = nf_match_new(pattern, &m, err);
	if (r < 0)
		return r;
	if (nf_match_needs(m) > line_limit)
		r = nf_fail(err, NF_EARG, "longer than the longest line, %zu bytes", line_limit);
	if (r == 0)
		r = nf_match_items(pattern, check_part, &p, err);
	if (r == 0)
		r = check_empty(m, err);
	nf_match_free(m);
	return r;
}
