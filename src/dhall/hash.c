/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include "dhall/session.h"

bool nf_dhall_digest(struct nf_dhall *d, const struct nf_dexpr *value, uint8_t ret[NF_SHA256_BYTES])
{
	const struct nf_dexpr *named = nf_dhall_quote(d, value, true);
	struct nf_sha256 sha;
	struct nf_buf bytes;
	bool fine;

	if (!named)
		return false;
	nf_buf_init(&bytes, NF_DHALL_TEXT_BYTES);
	fine = nf_dhall_write_cbor(d, named, &bytes);
	if (fine) {
		nf_sha256_init(&sha);
		nf_sha256_add(&sha, bytes.data, bytes.len_bytes);
		nf_sha256_done(&sha, ret);
	}
	nf_buf_fini(&bytes);
	return fine;
}

int nf_dhall_hash(struct nf_dhall *d, const struct nf_dexpr *e, char ret_hex[NF_SHA256_HEX],
                  struct nf_err *err)
{
	uint8_t digest[NF_SHA256_BYTES];

	nf_dhall_begin(d);
	const struct nf_dexpr *value = nf_dhall_eval(d, NULL, e);
	if (value && nf_dhall_digest(d, value, digest))
		nf_sha256_hex(digest, ret_hex);
	return nf_dhall_end(d, err);
}
