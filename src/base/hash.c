/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const uint32_t round_constants[64] = {
	/* clang-format off */
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
	/* clang-format on */
};

static uint32_t rotr(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* FIPS 180-4, 6.2.2. */
static void compress(uint32_t h[8], const uint8_t block[64])
{
	uint32_t w[64], v[8];

	for (int t = 0; t < 16; t++)
		w[t] = be32(block + 4 * t);
	for (int t = 16; t < 64; t++) {
		uint32_t s0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
		uint32_t s1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10;

		w[t] = w[t - 16] + s0 + w[t - 7] + s1;
	}
	memcpy(v, h, sizeof(v));
	for (int t = 0; t < 64; t++) {
		uint32_t s1 = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25);
		uint32_t ch = (v[4] & v[5]) ^ (~v[4] & v[6]);
		uint32_t t1 = v[7] + s1 + ch + round_constants[t] + w[t];
		uint32_t s0 = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22);
		uint32_t maj = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);

		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += t1;
		v[0] = t1 + s0 + maj;
	}
	for (int i = 0; i < 8; i++)
		h[i] += v[i];
}

void nf_sha256_init(struct nf_sha256 *s)
{
	static const uint32_t start[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

	memset(s, 0, sizeof(*s));
	memcpy(s->h, start, sizeof(start));
}

void nf_sha256_add(struct nf_sha256 *s, const void *data, size_t len_bytes)
{
	const uint8_t *p = data;
	size_t have = s->len_bytes % sizeof(s->block);

	s->len_bytes += len_bytes;
	if (have) {
		size_t n = sizeof(s->block) - have;

		if (n > len_bytes)
			n = len_bytes;
		if (n)
			memcpy(s->block + have, p, n);
		if (have + n < sizeof(s->block))
			return;
		compress(s->h, s->block);
		p += n;
		len_bytes -= n;
	}
	for (; len_bytes >= sizeof(s->block); len_bytes -= sizeof(s->block)) {
		compress(s->h, p);
		p += sizeof(s->block);
	}
	if (len_bytes)
		memcpy(s->block, p, len_bytes);
}

void nf_sha256_done(struct nf_sha256 *s, uint8_t ret[NF_SHA256_BYTES])
{
	static const uint8_t padding[64] = { 0x80 };
	uint64_t bits = s->len_bytes * 8;
	size_t have = s->len_bytes % sizeof(s->block);
	uint8_t length[8];

	for (int i = 0; i < 8; i++)
		length[i] = (uint8_t)(bits >> (56 - 8 * i));
	nf_sha256_add(s, padding, have < 56 ? 56 - have : 120 - have);
	nf_sha256_add(s, length, sizeof(length));
	for (int i = 0; i < NF_SHA256_BYTES; i++)
		ret[i] = (uint8_t)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

void nf_sha256_hex(const uint8_t digest[NF_SHA256_BYTES], char ret[NF_SHA256_HEX])
{
	static const char hex[] = "0123456789abcdef";

	for (int i = 0; i < NF_SHA256_BYTES; i++) {
		ret[2 * i] = hex[digest[i] >> 4];
		ret[2 * i + 1] = hex[digest[i] & 15];
	}
	ret[2 * NF_SHA256_BYTES] = '\0';
}

int nf_sha256_fd(int fd, const char *what, char ret_hex[NF_SHA256_HEX], struct nf_err *err)
{
	struct nf_sha256 s;
	uint8_t digest[NF_SHA256_BYTES], chunk[16384];

	nf_sha256_init(&s);
	for (;;) {
		ssize_t n = read(fd, chunk, sizeof(chunk));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return nf_fail_os(err, errno, "cannot read %s", what);
		if (n == 0)
			break;
		nf_sha256_add(&s, chunk, (size_t)n);
	}
	nf_sha256_done(&s, digest);
	nf_sha256_hex(digest, ret_hex);
	return 0;
}

void nf_hmac_sha256(const void *key, size_t key_bytes, const void *data, size_t len_bytes,
                    uint8_t ret[NF_SHA256_BYTES])
{
	struct nf_sha256 s;
	uint8_t k[64] = { 0 }, pad[64];

	if (key_bytes > sizeof(k)) {
		nf_sha256_init(&s);
		nf_sha256_add(&s, key, key_bytes);
		nf_sha256_done(&s, k);
	} else if (key_bytes) {
		memcpy(k, key, key_bytes);
	}
	for (size_t i = 0; i < sizeof(pad); i++)
		pad[i] = k[i] ^ 0x36;
	nf_sha256_init(&s);
	nf_sha256_add(&s, pad, sizeof(pad));
	nf_sha256_add(&s, data, len_bytes);
	nf_sha256_done(&s, ret);
	for (size_t i = 0; i < sizeof(pad); i++)
		pad[i] = k[i] ^ 0x5c;
	nf_sha256_init(&s);
	nf_sha256_add(&s, pad, sizeof(pad));
	nf_sha256_add(&s, ret, NF_SHA256_BYTES);
	nf_sha256_done(&s, ret);
}
