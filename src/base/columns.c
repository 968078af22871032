/* SPDX-License-Identifier: MIT */
#include "base/columns.h"

#include <stdint.h>

#include "base/utf8.h"

struct range {
	uint32_t lo, hi;
};

/* clang-format off */
/* Marks over or under the character before (general category Mn and Me), joiners and variation selectors. */
static const struct range none[] = {
	{ 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd }, { 0x0610, 0x061a }, { 0x064b, 0x065f },
	{ 0x0e34, 0x0e3a }, { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff }, { 0x200b, 0x200d }, { 0x20d0, 0x20ff },
	{ 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f }, { 0xe0100, 0xe01ef },
};
static const struct range two[] = {
	{ 0x1100, 0x115f }, { 0x231a, 0x231b }, { 0x23e9, 0x23f3 }, { 0x25fd, 0x25fe }, { 0x2614, 0x2615 },
	{ 0x2648, 0x2653 }, { 0x267f, 0x267f }, { 0x2693, 0x2693 }, { 0x26a1, 0x26a1 }, { 0x26aa, 0x26ab },
	{ 0x26bd, 0x26be }, { 0x26c4, 0x26c5 }, { 0x26ce, 0x26ce }, { 0x26d4, 0x26d4 }, { 0x26ea, 0x26ea },
	{ 0x26f2, 0x26f5 }, { 0x26fa, 0x26fd }, { 0x2705, 0x2705 }, { 0x270a, 0x270b }, { 0x2728, 0x2728 },
	{ 0x274c, 0x274e }, { 0x2753, 0x2757 }, { 0x2795, 0x2797 }, { 0x27b0, 0x27bf }, { 0x2b1b, 0x2b1c },
	{ 0x2b50, 0x2b55 }, { 0x2e80, 0x303e }, { 0x3041, 0xa4cf }, { 0xa960, 0xa97f }, { 0xac00, 0xd7a3 },
	{ 0xf900, 0xfaff }, { 0xfe10, 0xfe19 }, { 0xfe30, 0xfe6f }, { 0xff01, 0xff60 }, { 0xffe0, 0xffe6 },
	{ 0x16fe0, 0x18cff }, { 0x1aff0, 0x1b2ff }, { 0x1f004, 0x1f004 }, { 0x1f0cf, 0x1f0cf },
	{ 0x1f18e, 0x1f19a }, { 0x1f200, 0x1f64f }, { 0x1f680, 0x1f6ff }, { 0x1f7e0, 0x1f7f0 },
	{ 0x1f90c, 0x1f9ff }, { 0x1fa70, 0x1faff }, { 0x20000, 0x3fffd },
};
/* clang-format on */

static bool within(const struct range *r, size_t n, uint32_t cp)
{
	for (size_t i = 0; i < n; i++)
		if (cp >= r[i].lo && cp <= r[i].hi)
			return true;
	return false;
}

/* Control characters, those that turn the direction of a text, and what ends a line elsewhere. */
static bool is_hidden(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x061c || cp == 0x200e ||
	       cp == 0x200f || (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069);
}

size_t nf_columns_next(const char *p, size_t n, size_t *ret_columns, bool *ret_hidden)
{
	uint32_t cp;
	int bad;
	size_t len = nf_utf8_next(p, n, &cp, &bad);

	*ret_hidden = bad || is_hidden(cp);
	if (*ret_hidden)
		*ret_columns = 4 * len;
	else if (cp < 0x300)
		*ret_columns = 1;
	else if (within(none, sizeof(none) / sizeof(*none), cp))
		*ret_columns = 0;
	else
		*ret_columns = within(two, sizeof(two) / sizeof(*two), cp) ? 2 : 1;
	return len;
}

size_t nf_columns(const char *text, size_t len_bytes)
{
	size_t all = 0;

	for (size_t at = 0; at < len_bytes;) {
		size_t columns;
		bool hidden;

		at += nf_columns_next(text + at, len_bytes - at, &columns, &hidden);
		all += columns;
	}
	return all;
}

size_t nf_columns_head(const char *text, size_t len_bytes, size_t max)
{
	size_t at = 0;

	while (at < len_bytes) {
		size_t columns;
		bool hidden;
		size_t n = nf_columns_next(text + at, len_bytes - at, &columns, &hidden);

		if (columns > max)
			break;
		max -= columns;
		at += n;
	}
	return at;
}

size_t nf_columns_tail(const char *text, size_t len_bytes, size_t max)
{
	size_t left = nf_columns(text, len_bytes), at = 0, columns = 0;
	bool hidden;

	while (at < len_bytes) {
		size_t n = nf_columns_next(text + at, len_bytes - at, &columns, &hidden);

		/* A mark does not stand without what it belongs to. */
		if (left <= max && (at == 0 || columns > 0))
			break;
		left -= columns;
		at += n;
	}
	return len_bytes - at;
}
