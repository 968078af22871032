/* SPDX-License-Identifier: MIT */
#include "machine/gunzip.h"

#include <stdint.h>
#include <string.h>

enum {
	CODE_BITS_MAX = 15,
	LITERALS = 288,
	DISTANCES = 32,
	END_OF_BLOCK = 256,
	FTEXT = 1, /* RFC 1952, 2.3.1 */
	FHCRC = 2,
	FEXTRA = 4,
	FNAME = 8,
	FCOMMENT = 16,
};

struct in {
	const uint8_t *p;
	size_t left;
	uint32_t bits;
	unsigned n_bits;
	bool bad; /* ran out, or a code that means nothing */
};

static unsigned take_bits(struct in *in, unsigned n)
{
	unsigned v;

	while (in->n_bits < n) {
		if (in->left == 0) {
			in->bad = true;
			return 0;
		}
		in->bits |= (uint32_t)*in->p++ << in->n_bits;
		in->left--;
		in->n_bits += 8;
	}
	v = in->bits & ((1u << n) - 1);
	in->bits >>= n;
	in->n_bits -= n;
	return v;
}

/* A canonical prefix code: how many codes each length has, and the symbols in order of their codes. */
struct code {
	uint16_t count[CODE_BITS_MAX + 1];
	uint16_t symbol[LITERALS];
};

/* RFC 1951, 3.2.2. False: more codes than the lengths have room for. */
static bool build(struct code *c, const uint8_t *lengths, size_t n)
{
	uint16_t at[CODE_BITS_MAX + 2] = { 0 };
	int room = 1;

	memset(c, 0, sizeof(*c));
	for (size_t i = 0; i < n; i++)
		c->count[lengths[i]]++;
	c->count[0] = 0;
	for (unsigned len = 1; len <= CODE_BITS_MAX; len++) {
		room = 2 * room - c->count[len];
		if (room < 0)
			return false;
		at[len + 1] = (uint16_t)(at[len] + c->count[len]);
	}
	for (size_t i = 0; i < n; i++)
		if (lengths[i])
			c->symbol[at[lengths[i]]++] = (uint16_t)i;
	return true;
}

/* Codes come most significant bit first. Within one length they are consecutive; the first code of
 * a length is twice the one after the last of the length before. */
static unsigned decode(struct in *in, const struct code *c)
{
	unsigned code = 0, first = 0, index = 0;

	for (unsigned len = 1; len <= CODE_BITS_MAX; len++) {
		code |= take_bits(in, 1);
		if (code - first < c->count[len])
			return c->symbol[index + code - first];
		index += c->count[len];
		first = (first + c->count[len]) << 1;
		code <<= 1;
	}
	in->bad = true;
	return 0;
}

/* RFC 1951, 3.2.5: base and number of extra bits. */
static const uint16_t length_base[] = { 3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
	                                15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
	                                67, 83, 99, 115, 131, 163, 195, 227, 258 };
static const uint8_t length_extra[] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
	                                2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 };

/* Distance symbol d: bases double every second symbol. */
static unsigned distance(struct in *in, unsigned d)
{
	unsigned extra;

	if (d < 4)
		return d + 1;
	extra = d / 2 - 1;
	return ((2 + d % 2) << extra) + 1 + take_bits(in, extra);
}

static void copy_back(struct in *in, struct nf_buf *out, size_t start, unsigned dist, unsigned n)
{
	if (dist > out->len_bytes - start) {
		in->bad = true;
		return;
	}
	for (unsigned i = 0; i < n && out->failed == NF_OK; i++)
		nf_buf_addc(out, out->data[out->len_bytes - dist]);
}

static void block(struct in *in, struct nf_buf *out, size_t start, const struct code *lit,
                  const struct code *dist)
{
	while (!in->bad && out->failed == NF_OK) {
		unsigned s = decode(in, lit);

		if (in->bad || s == END_OF_BLOCK)
			return;
		if (s < END_OF_BLOCK) {
			nf_buf_addc(out, (char)s);
			continue;
		}
		s -= END_OF_BLOCK + 1;
		if (s >= sizeof(length_extra)) {
			in->bad = true;
			return;
		}
		unsigned n = length_base[s] + take_bits(in, length_extra[s]);
		unsigned d = decode(in, dist);

		if (in->bad || d >= 30) {
			in->bad = true;
			return;
		}
		d = distance(in, d);
		if (!in->bad)
			copy_back(in, out, start, d, n);
	}
}

static void stored(struct in *in, struct nf_buf *out)
{
	size_t n;

	in->bits = 0;
	in->n_bits = 0; /* the rest of a started byte is skipped; take_bits never reads ahead */
	if (in->left < 4) {
		in->bad = true;
		return;
	}
	n = (size_t)in->p[0] | (size_t)in->p[1] << 8;
	if ((n ^ 0xffff) != ((size_t)in->p[2] | (size_t)in->p[3] << 8) || n > in->left - 4) {
		in->bad = true;
		return;
	}
	nf_buf_add(out, in->p + 4, n);
	in->p += 4 + n;
	in->left -= 4 + n;
}

static void fixed_codes(struct code *lit, struct code *dist)
{
	uint8_t lengths[LITERALS];

	for (unsigned i = 0; i < LITERALS; i++)
		lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
	build(lit, lengths, LITERALS);
	memset(lengths, 5, DISTANCES);
	build(dist, lengths, DISTANCES);
}

/* RFC 1951, 3.2.7 */
static bool dynamic_codes(struct in *in, struct code *lit, struct code *dist)
{
	static const uint8_t order[] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
		                         11, 4,  12, 3, 13, 2, 14, 1, 15 };
	uint8_t lengths[LITERALS + DISTANCES] = { 0 };
	unsigned n_lit = take_bits(in, 5) + 257, n_dist = take_bits(in, 5) + 1;
	unsigned n_len = take_bits(in, 4) + 4, at = 0;

	if (in->bad || n_lit > 286 || n_dist > 30)
		return false;
	for (unsigned i = 0; i < n_len; i++)
		lengths[order[i]] = (uint8_t)take_bits(in, 3);
	if (in->bad || !build(lit, lengths, 19))
		return false;
	memset(lengths, 0, sizeof(lengths));
	while (at < n_lit + n_dist) {
		unsigned s = decode(in, lit), n = 1;
		uint8_t value = (uint8_t)s;

		if (s == 16) {
			if (at == 0)
				return false;
			value = lengths[at - 1];
			n = 3 + take_bits(in, 2);
		} else if (s == 17) {
			value = 0;
			n = 3 + take_bits(in, 3);
		} else if (s == 18) {
			value = 0;
			n = 11 + take_bits(in, 7);
		}
		if (in->bad || n > n_lit + n_dist - at)
			return false;
		memset(lengths + at, value, n);
		at += n;
	}
	return lengths[END_OF_BLOCK] && build(lit, lengths, n_lit) &&
	       build(dist, lengths + n_lit, n_dist);
}

static void inflate(struct in *in, struct nf_buf *out, size_t start)
{
	struct code lit, dist;
	bool last = false;

	while (!last && !in->bad && out->failed == NF_OK) {
		last = take_bits(in, 1);
		switch (take_bits(in, 2)) {
		case 0:
			if (!in->bad)
				stored(in, out);
			break;
		case 1:
			fixed_codes(&lit, &dist);
			block(in, out, start, &lit, &dist);
			break;
		case 2:
			if (dynamic_codes(in, &lit, &dist))
				block(in, out, start, &lit, &dist);
			else
				in->bad = true;
			break;
		default:
			in->bad = true;
		}
	}
}

/* CRC-32 of RFC 1952, section 8 (reflected polynomial 0xedb88320). */
static uint32_t crc32_of(const char *p, size_t n)
{
	uint32_t crc = 0xffffffffu;

	for (size_t i = 0; i < n; i++) {
		crc ^= (uint8_t)p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static bool skip(struct in *in, size_t n)
{
	if (n > in->left)
		return false;
	in->p += n;
	in->left -= n;
	return true;
}

static bool skip_text(struct in *in)
{
	const uint8_t *nul = in->left ? memchr(in->p, 0, in->left) : NULL;

	return nul && skip(in, (size_t)(nul - in->p) + 1);
}

static bool header(struct in *in)
{
	unsigned flags;

	if (in->left < 10 || in->p[0] != 0x1f || in->p[1] != 0x8b || in->p[2] != 8)
		return false;
	flags = in->p[3];
	if (flags & ~(unsigned)(FTEXT | FHCRC | FEXTRA | FNAME | FCOMMENT))
		return false;
	skip(in, 10);
	if ((flags & FEXTRA) &&
	    (in->left < 2 || !skip(in, 2 + ((size_t)in->p[0] | (size_t)in->p[1] << 8))))
		return false;
	if ((flags & FNAME) && !skip_text(in))
		return false;
	if ((flags & FCOMMENT) && !skip_text(in))
		return false;
	return !(flags & FHCRC) || skip(in, 2);
}

static uint32_t le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

int nf_gunzip(const void *data, size_t len_bytes, struct nf_buf *out, struct nf_err *err)
{
	struct in in = { .p = data, .left = len_bytes };
	size_t start = out->len_bytes, n;
	int r;

	if (!header(&in))
		return nf_fail(err, NF_EDATA, "not in gzip format");
	inflate(&in, out, start);
	r = nf_buf_failed(out, "decompressed data", err);
	if (r < 0)
		return r;
	n = out->len_bytes - start;
	if (in.bad || in.left < 8)
		return nf_fail(err, NF_EDATA, "damaged gzip data after %zu bytes", n);
	if (le32(in.p) != crc32_of(out->data + start, n) || le32(in.p + 4) != (uint32_t)n)
		return nf_fail(err, NF_EDATA, "gzip checksum or length does not match");
	return 0;
}
