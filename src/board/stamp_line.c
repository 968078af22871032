/* SPDX-License-Identifier: MIT */
#include "board/stamp_line.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide;

struct cursor {
	const char *p, *end;
};

static bool take_text(struct cursor *c, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(c->end - c->p) < len || memcmp(c->p, text, len) != 0)
		return false;
	c->p += len;
	return true;
}

static bool take_number(struct cursor *c, uint64_t *ret)
{
	const char *from = c->p;
	uint64_t v = 0;

	for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++)
		if (__builtin_mul_overflow(v, UINT64_C(10), &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*c->p - '0'), &v))
			return false;
	*ret = v;
	/* As it is printed: no sign, no zeros before it. */
	return c->p > from && (*from != '0' || c->p == from + 1);
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '_' || c == '-';
}

static bool take_name(struct cursor *c, char ret[NF_STAMP_LINE_NAME])
{
	const char *from = c->p;

	while (c->p < c->end && is_name_char(*c->p))
		c->p++;
	size_t len = (size_t)(c->p - from);
	if (len == 0 || len >= NF_STAMP_LINE_NAME)
		return false;
	memcpy(ret, from, len);
	ret[len] = '\0';
	return true;
}

/* "cntpct_diff=": the counter's name in ret, and which of the two it is. */
static bool take_counter(struct cursor *c, char ret[NF_STAMP_LINE_NAME], bool *back)
{
	size_t len;

	if (!take_name(c, ret) || !take_text(c, "="))
		return false;
	len = strlen(ret);
	if (len <= 5)
		return false;
	*back = strcmp(ret + len - 5, "_back") == 0;
	if (!*back && strcmp(ret + len - 5, "_diff") != 0)
		return false;
	ret[len - 5] = '\0';
	return true;
}

static bool take_rate(struct cursor *c, uint64_t *ret)
{
	char name[NF_STAMP_LINE_NAME];

	if (!take_name(c, name) || !take_text(c, "="))
		return false;
	*ret = 0;
	if (take_text(c, "unknown"))
		return true;
	return take_number(c, ret) && *ret > 0;
}

static bool take_end(struct cursor *c, struct nf_stamp_line *ret)
{
	return take_number(c, &ret->kept) && take_text(c, " kept, ") &&
	       take_number(c, &ret->lost) && take_text(c, " lost") && c->p == c->end;
}

static bool take_time(struct cursor *c, struct nf_stamp_line *ret)
{
	if (!take_name(c, ret->name) || !take_text(c, " "))
		return false;
	if (take_text(c, "us=")) {
		ret->has_us = true;
		if (!take_number(c, &ret->us) || !take_text(c, " "))
			return false;
	}
	if (!take_counter(c, ret->counter, &ret->back) || !take_number(c, &ret->diff) ||
	    !take_text(c, " ") || !take_rate(c, &ret->hz) || c->p != c->end)
		return false;
	/* What cannot be printed: a time without a rate, a rate without a time, a time that went back. */
	if (ret->has_us != (ret->hz > 0 && !ret->back))
		return false;
	ret->agrees = ret->has_us && (wide)ret->diff * 1000000 / ret->hz == ret->us;
	return true;
}

static const char *find_mark(const char *text, size_t len)
{
	static const char mark[] = "nf-stamp: ";
	const size_t n = sizeof(mark) - 1;

	for (size_t i = 0; len >= n && i <= len - n; i++)
		if (memcmp(text + i, mark, n) == 0)
			return text + i + n;
	return NULL;
}

void nf_stamp_line_read(const char *text, size_t len, struct nf_stamp_line *ret)
{
	struct cursor c = { find_mark(text, len), text + len };
	struct nf_stamp_line l = { .kind = NF_STAMP_LINE_NONE };

	if (c.p) {
		struct cursor again = c;

		l.kind = take_end(&c, &l) ? NF_STAMP_LINE_END : NF_STAMP_LINE_BROKEN;
		if (l.kind == NF_STAMP_LINE_BROKEN) {
			l = (struct nf_stamp_line){ .kind = NF_STAMP_LINE_BROKEN };
			if (take_time(&again, &l))
				l.kind = NF_STAMP_LINE_TIME;
			else
				l = (struct nf_stamp_line){ .kind = NF_STAMP_LINE_BROKEN };
		}
	}
	*ret = l;
}
