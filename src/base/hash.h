/* SPDX-License-Identifier: MIT */
/* hash - SHA-256 (FIPS 180-4) and CRC-32C (Castagnoli, RFC 3720 appendix B.4). */
#ifndef NF_BASE_HASH_H
#define NF_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum { NF_SHA256_BYTES = 32, NF_SHA256_HEX = 65 /* with the NUL */ };

struct nf_sha256 {
	uint32_t h[8];
	uint64_t len_bytes;
	uint8_t block[64];
};

void nf_sha256_init(struct nf_sha256 *s);
void nf_sha256_add(struct nf_sha256 *s, const void *data, size_t len_bytes);
void nf_sha256_done(struct nf_sha256 *s, uint8_t ret[NF_SHA256_BYTES]);
void nf_sha256_hex(const uint8_t digest[NF_SHA256_BYTES], char ret[NF_SHA256_HEX]);
/* Digest of the rest of an open file, from its current offset, in bounded memory. */
NF_NODISCARD int nf_sha256_fd(int fd, const char *what, char ret_hex[NF_SHA256_HEX],
                              struct nf_err *err);
/* HMAC-SHA-256 (RFC 2104). */
void nf_hmac_sha256(const void *key, size_t key_bytes, const void *data, size_t len_bytes,
                    uint8_t ret[NF_SHA256_BYTES]);

/* Start with crc 0; chain by passing the previous result. */
uint32_t nf_crc32c(uint32_t crc, const void *data, size_t len_bytes);
/* The checksum of a text A followed by a text B, from those of the two (each started with 0) and the
 * length of B. Associative, so that parts that nobody holds together can be reduced in any grouping. */
uint32_t nf_crc32c_combine(uint32_t crc_a, uint32_t crc_b, uint64_t len_b_bytes);

#endif
