/* SPDX-License-Identifier: MIT */
#include "prop/blob.h"

#include <stdlib.h>
#include <string.h>

#include "noisefloor/prop.h"

static const char magic[] = "pt1.";
static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
enum { MAGIC = 4, CHOICE_BYTES = 10, MAX_BYTES = PT_MAX_CHOICES * CHOICE_BYTES + 16 };

static uint32_t crc32(const unsigned char *p, size_t n)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
	}
	return ~crc;
}

/* v * 2 + low: 65 bits */
static size_t put(unsigned char *to, uint64_t v, unsigned low)
{
	size_t n = 0;
	unsigned byte = (unsigned)(v << 1 & 0x7f) | low;

	v >>= 6;
	while (v) {
		to[n++] = (unsigned char)(byte | 0x80);
		byte = v & 0x7f;
		v >>= 7;
	}
	to[n++] = (unsigned char)byte;
	return n;
}

/* One canonical number; false: past the end, over 65 bits, or with leading zeros. */
static bool get(const unsigned char **p, const unsigned char *end, uint64_t *ret, unsigned *ret_low)
{
	uint64_t v = 0;
	unsigned shift = 0;

	for (size_t i = 0; *p < end; i++) {
		unsigned byte = *(*p)++;

		if (i == 0) {
			*ret_low = byte & 1;
			v = (byte & 0x7f) >> 1;
			shift = 6;
		} else {
			uint64_t part = byte & 0x7f;

			if (shift >= 64 || part << shift >> shift != part)
				return false;
			v |= part << shift;
			shift += 7;
		}
		if (!(byte & 0x80)) {
			*ret = v;
			return i == 0 || byte != 0;
		}
	}
	return false;
}

static size_t encode64(const unsigned char *from, size_t n, char *to)
{
	size_t len = 0;

	for (size_t i = 0; i < n; i += 3) {
		uint32_t v = (uint32_t)from[i] << 16 |
		             (i + 1 < n ? (uint32_t)from[i + 1] << 8 : 0) |
		             (i + 2 < n ? from[i + 2] : 0);

		to[len++] = digit[v >> 18];
		to[len++] = digit[v >> 12 & 63];
		if (i + 1 < n)
			to[len++] = digit[v >> 6 & 63];
		if (i + 2 < n)
			to[len++] = digit[v & 63];
	}
	return len;
}

static bool decode64(const char *from, size_t n, unsigned char *to, size_t *ret_n)
{
	uint32_t v = 0;
	size_t len = 0;

	if (n % 4 == 1)
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *d = from[i] ? strchr(digit, from[i]) : NULL;

		if (!d)
			return false;
		v = v << 6 | (uint32_t)(d - digit);
		if (i % 4 > 0)
			to[len++] = (unsigned char)(v >> (6 - 2 * (i % 4)));
	}
	/* the bits left over are zero, so that one case has one blob */
	if ((n % 4 == 2 && v & 15) || (n % 4 == 3 && v & 3))
		return false;
	*ret_n = len;
	return true;
}

char *pt_blob_write(const struct pt_choice *c, uint32_t n)
{
	unsigned char *raw = malloc(MAX_BYTES);
	char *text = NULL;
	size_t len = 0;
	uint32_t crc;

	if (!raw)
		return NULL;
	len += put(raw, n / 2, n % 2);
	for (uint32_t i = 0; i < n; i++)
		len += put(raw + len, c[i].index, c[i].kind);
	crc = crc32(raw, len);
	for (int k = 0; k < 4; k++)
		raw[len++] = (unsigned char)(crc >> 8 * k);
	text = malloc(MAGIC + len * 4 / 3 + 4);
	if (text) {
		memcpy(text, magic, MAGIC);
		text[MAGIC + encode64(raw, len, text + MAGIC)] = '\0';
	}
	free(raw);
	return text;
}

static int decode(const unsigned char *raw, size_t len, struct pt_choice *ret, uint32_t *ret_n)
{
	const unsigned char *p = raw, *end;
	uint64_t n, index;
	unsigned low;
	uint32_t crc = 0;

	if (len < 5)
		return -PT_EARG;
	end = raw + len - 4;
	for (int k = 0; k < 4; k++)
		crc |= (uint32_t)end[k] << 8 * k;
	if (crc32(raw, len - 4) != crc || !get(&p, end, &n, &low) || n > PT_MAX_CHOICES / 2 ||
	    n * 2 + low > PT_MAX_CHOICES)
		return -PT_EARG;
	n = n * 2 + low;
	for (uint64_t i = 0; i < n; i++) {
		if (!get(&p, end, &index, &low))
			return -PT_EARG;
		ret[i] = (struct pt_choice){ .index = index, .kind = (uint8_t)low };
	}
	if (p != end)
		return -PT_EARG;
	*ret_n = (uint32_t)n;
	return 0;
}

int pt_blob_read(const char *text, struct pt_choice *ret, uint32_t *ret_n)
{
	static const char space[] = " \t\r\n";
	unsigned char *raw;
	size_t n, len;
	int err;

	text += strspn(text, space);
	n = strlen(text);
	while (n > 0 && strchr(space, text[n - 1]))
		n--;
	if (n < MAGIC || memcmp(text, magic, MAGIC) != 0 || n - MAGIC > (size_t)MAX_BYTES * 4 / 3)
		return -PT_EARG;
	raw = malloc(n);
	if (!raw)
		return -PT_ENOMEM;
	err = decode64(text + MAGIC, n - MAGIC, raw, &len) ? decode(raw, len, ret, ret_n)
	                                                   : -PT_EARG;
	free(raw);
	return err;
}

int pt_blob_check(const char *text, size_t *ret_n)
{
	struct pt_choice *c;
	uint32_t n;
	int err;

	if (!text)
		return -PT_EARG;
	c = calloc(PT_MAX_CHOICES, sizeof(*c));
	if (!c)
		return -PT_ENOMEM;
	err = pt_blob_read(text, c, &n);
	free(c);
	if (!err && ret_n)
		*ret_n = n;
	return err;
}
