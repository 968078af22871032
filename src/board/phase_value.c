/* SPDX-License-Identifier: MIT */
#include "board/phase_value.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NUMBER_BYTES = 64, DECIMALS_MAX = 9 };
__extension__ typedef unsigned __int128 wide;

bool nf_printed_number(const char *text, size_t len, double *ret, unsigned *ret_decimals)
{
	char number[NUMBER_BYTES], *end;
	const char *point;

	if (len == 0 || len >= sizeof(number))
		return false;
	memcpy(number, text, len);
	number[len] = '\0';
	if (strspn(number, "+-0123456789.eExXabcdefABCDEF") != len ||
	    isspace((unsigned char)*number))
		return false;
	errno = 0;
	double v = strtod(number, &end);
	if (errno || end != number + len || !isfinite(v))
		return false;
	point = strchr(number, '.');
	*ret_decimals =
	        point && !strpbrk(number, "eExX") ? (unsigned)strspn(point + 1, "0123456789") : 0;
	*ret = v;
	return true;
}

static bool ends_in(const char *name, size_t len, const char *const *words)
{
	for (; *words; words++) {
		size_t n = strlen(*words);

		if (len >= n && strncasecmp(name + len - n, *words, n) == 0)
			return true;
	}
	return false;
}

/* text[0] is = or :. The whole number behind it; false: none, or beyond 64 bits. */
static bool whole_number(const char *text, size_t len, uint64_t *ret)
{
	uint64_t v = 0;
	size_t i = 1;

	while (i < len && text[i] == ' ')
		i++;
	if (i >= len || !isdigit((unsigned char)text[i]))
		return false;
	for (; i < len && isdigit((unsigned char)text[i]); i++)
		if (__builtin_mul_overflow(v, UINT64_C(10), &v) ||
		    __builtin_add_overflow(v, (uint64_t)(text[i] - '0'), &v))
			return false;
	*ret = v;
	return true;
}

bool nf_printed_counter(const char *text, size_t len, uint64_t *ret_diff, uint64_t *ret_hz)
{
	static const char *const diffs[] = { "diff", "delta", "ticks", NULL };
	static const char *const rates[] = { "frq", "freq", "hz", NULL };
	bool has_diff = false, has_hz = false;
	uint64_t diff = 0, hz = 0;

	for (size_t i = 0, name = 0; i < len; i++) {
		if (isalnum((unsigned char)text[i]) || text[i] == '_')
			continue;
		if (text[i] == '=' || text[i] == ':') {
			if (!has_diff && ends_in(text + name, i - name, diffs))
				has_diff = whole_number(text + i, len - i, &diff);
			else if (!has_hz && ends_in(text + name, i - name, rates))
				has_hz = whole_number(text + i, len - i, &hz);
		}
		name = i + 1;
	}
	if (!has_diff || !has_hz)
		return false;
	*ret_diff = diff;
	*ret_hz = hz;
	return true;
}

bool nf_counter_gives(uint64_t diff, uint64_t hz, double per_s, double value, unsigned decimals)
{
	wide units = diff;
	double scale = per_s;

	if (hz == 0 || decimals > DECIMALS_MAX || per_s < 1 || per_s > 1e9)
		return false;
	for (unsigned i = 0; i < decimals; i++) {
		scale *= 10;
		value *= 10;
	}
	if (value < 0 || value >= 0x1p63)
		return false;
	/* At most 2^64 x 10^18: no overflow. */
	units = units * (uint64_t)scale / hz;
	return units == (uint64_t)llround(value);
}
