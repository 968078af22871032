/* SPDX-License-Identifier: MIT */
/* dhall: any text and any bytes. What parses or decodes prints and encodes to what reads back as the same;
 * what has a type has a normal form, and that has the same type and is its own normal form. */
#include <string.h>

#include "dhall/dhall.h"
#include "fuzz.h"

enum { OUT_BYTES = 1 << 20 };

static bool same(struct nf_dhall *d, const struct nf_dexpr *a, const struct nf_dexpr *b)
{
	struct nf_buf x, y;
	bool equal;

	nf_buf_init(&x, OUT_BYTES);
	nf_buf_init(&y, OUT_BYTES);
	equal = nf_dhall_encode(d, a, &x, NULL) < 0 || nf_dhall_encode(d, b, &y, NULL) < 0 ||
	        (x.len_bytes == y.len_bytes && memcmp(x.data, y.data, x.len_bytes) == 0);
	nf_buf_fini(&x);
	nf_buf_fini(&y);
	return equal;
}

static void forms(struct nf_dhall *d, const struct nf_dexpr *e)
{
	const struct nf_dexpr *again;
	struct nf_buf out;

	nf_buf_init(&out, OUT_BYTES);
	/* A limit may be hit: the printed form may need more nesting than the source had. */
	if (nf_dhall_encode(d, e, &out, NULL) == 0) {
		fuzz_require(nf_dhall_decode(d, out.data, out.len_bytes, &again, NULL) == 0);
		fuzz_require(same(d, e, again));
	}
	nf_buf_fini(&out);
}

static void meaning(struct nf_dhall *d, const struct nf_dexpr *e)
{
	const struct nf_dexpr *type, *value, *again, *own;
	char a[NF_SHA256_HEX], b[NF_SHA256_HEX];
	struct nf_buf out;

	if (nf_dhall_infer(d, e, &type, NULL) < 0 || nf_dhall_normalise(d, e, &value, NULL) < 0)
		return;
	forms(d, value);
	if (nf_dhall_normalise(d, value, &again, NULL) == 0)
		fuzz_require(same(d, value, again));
	if (nf_dhall_infer(d, value, &own, NULL) == 0 && nf_dhall_alpha(d, own, &own, NULL) == 0 &&
	    nf_dhall_alpha(d, type, &type, NULL) == 0)
		fuzz_require(same(d, type, own));
	if (nf_dhall_hash(d, e, a, NULL) == 0 && nf_dhall_hash(d, value, b, NULL) == 0)
		fuzz_require(strcmp(a, b) == 0);
	nf_buf_init(&out, OUT_BYTES);
	(void)!nf_dhall_to_json(d, value, true, &out, NULL);
	nf_buf_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct nf_dexpr *e, *again;
	struct nf_err err = { 0 };
	struct nf_dhall *d = NULL;
	struct nf_buf out;

	if (size > 20000)
		return 0;
	fuzz_require(nf_dhall_new(&d, NULL) == 0);
	nf_buf_init(&out, OUT_BYTES);
	if (nf_dhall_parse(d, "fuzz", (const char *)data, size, &e, &err) == 0) {
		forms(d, e);
		if (nf_dhall_print(d, e, &out, NULL) == 0 &&
		    nf_dhall_parse(d, "printed", out.data, out.len_bytes, &again, NULL) == 0)
			fuzz_require(same(d, e, again));
		meaning(d, e);
	} else {
		fuzz_require(err.code == NF_EDATA && strncmp(err.msg, "fuzz:", 5) == 0);
		nf_dhall_show_line(d, &out);
		fuzz_require(strchr(out.data, '^'));
	}
	if (nf_dhall_decode(d, data, size, &e, NULL) == 0) {
		forms(d, e);
		meaning(d, e);
	}
	nf_dhall_free(d);
	nf_buf_fini(&out);
	return 0;
}
