/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include <string.h>

enum { REPLACEMENT = 0xfffd };

size_t nf_utf8_next(const char *p, size_t n, uint32_t *ret_cp, int *ret_bad)
{
	const unsigned char *s = (const unsigned char *)p;
	unsigned lo = 0x80, hi = 0xbf; /* range of the second byte: Unicode 15, table 3-7 */
	size_t need;
	uint32_t cp;

	if (s[0] < 0x80) {
		*ret_cp = s[0];
		*ret_bad = 0;
		return 1;
	}
	if (s[0] >= 0xc2 && s[0] <= 0xdf) {
		need = 2;
		cp = s[0] & 0x1fu;
	} else if (s[0] >= 0xe0 && s[0] <= 0xef) {
		need = 3;
		cp = s[0] & 0x0fu;
		if (s[0] == 0xe0)
			lo = 0xa0;
		if (s[0] == 0xed)
			hi = 0x9f;
	} else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
		need = 4;
		cp = s[0] & 0x07u;
		if (s[0] == 0xf0)
			lo = 0x90;
		if (s[0] == 0xf4)
			hi = 0x8f;
	} else {
		*ret_cp = REPLACEMENT;
		*ret_bad = 1;
		return 1;
	}
	for (size_t i = 1; i < need; i++) {
		if (i >= n || s[i] < lo || s[i] > hi) {
			*ret_cp = REPLACEMENT;
			*ret_bad = 1;
			return i;
		}
		cp = cp << 6 | (s[i] & 0x3fu);
		lo = 0x80;
		hi = 0xbf;
	}
	*ret_cp = cp;
	*ret_bad = 0;
	return need;
}

size_t nf_utf8_cut_bytes(const char *text, size_t len_bytes, size_t max_bytes)
{
	if (len_bytes <= max_bytes)
		return len_bytes;
	/* Back to the beginning of what the border lies in, if that is a character as a whole. */
	for (size_t back = 1; back < 4 && back <= max_bytes; back++) {
		size_t at = max_bytes - back;
		uint32_t cp;
		int bad;

		if (((unsigned char)text[at] & 0xc0) == 0x80)
			continue;
		size_t n = nf_utf8_next(text + at, len_bytes - at, &cp, &bad);
		return !bad && n > back ? at : max_bytes;
	}
	return max_bytes;
}

size_t nf_utf8_cut(const char *text, size_t max_bytes)
{
	/* Three bytes on, a character that lies across the border is there as a whole. */
	return text ? nf_utf8_cut_bytes(text, strnlen(text, max_bytes + 4), max_bytes) : max_bytes;
}

int nf_utf8_put(struct nf_buf *out, uint32_t cp)
{
	char b[4];

	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = REPLACEMENT;
	if (cp < 0x80)
		return nf_buf_addc(out, (char)cp);
	if (cp < 0x800) {
		b[0] = (char)(0xc0 | cp >> 6);
		b[1] = (char)(0x80 | (cp & 0x3f));
		return nf_buf_add(out, b, 2);
	}
	if (cp < 0x10000) {
		b[0] = (char)(0xe0 | cp >> 12);
		b[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		b[2] = (char)(0x80 | (cp & 0x3f));
		return nf_buf_add(out, b, 3);
	}
	b[0] = (char)(0xf0 | cp >> 18);
	b[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	b[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	b[3] = (char)(0x80 | (cp & 0x3f));
	return nf_buf_add(out, b, 4);
}

int nf_utf8_is_noncharacter(uint32_t cp)
{
	return (cp >= 0xfdd0 && cp <= 0xfdef) || (cp & 0xfffe) == 0xfffe;
}

int nf_utf8_clean(struct nf_buf *out, const char *data, size_t len_bytes, uint64_t *n_replaced)
{
	size_t start = 0, pos = 0; /* start: of the run that is good as it stands */

	while (pos < len_bytes) {
		uint32_t cp;
		int bad;
		size_t n = nf_utf8_next(data + pos, len_bytes - pos, &cp, &bad);

		if (bad || nf_utf8_is_noncharacter(cp)) {
			int r = nf_buf_add(out, data + start, pos - start);

			if (r == 0)
				r = nf_utf8_put(out, REPLACEMENT);
			if (r < 0)
				return r;
			if (n_replaced)
				++*n_replaced;
			start = pos + n;
		}
		pos += n;
	}
	return len_bytes ? nf_buf_add(out, data + start, pos - start) : 0;
}
