/* SPDX-License-Identifier: MIT */
/* utf8 and json: cleaned bytes are valid UTF-8 and stay as they are when cleaned again; any bytes as a
 * key and a text, and any finite double, give JSON that jansson reads back to the same. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"
#include "fuzz.h"

static void decode_all(const char *p, size_t n, const struct nf_buf *clean)
{
	struct nf_buf put;

	nf_buf_init(&put, 1 << 20);
	while (n) {
		uint32_t cp = 0;
		int bad = -1;
		size_t took = nf_utf8_next(p, n, &cp, &bad);

		fuzz_require(took >= 1 && took <= 4 && took <= n);
		fuzz_require(cp <= 0x10ffff && (cp < 0xd800 || cp > 0xdfff));
		fuzz_require(bad == 0 || (bad == 1 && cp == 0xfffd && took <= 3));
		fuzz_require(nf_utf8_put(&put, cp) == 0);
		p += took;
		n -= took;
	}
	/* The same but for the non-characters, which are as long as U+FFFD or one byte longer. */
	fuzz_require(put.len_bytes >= clean->len_bytes);
	nf_buf_fini(&put);
}

static void through_json(const char *bytes, size_t n, const struct nf_buf *clean, double v,
                         bool indent)
{
	json_t *root, *array;
	struct nf_json j;
	struct nf_buf out;

	nf_buf_init(&out, 1 << 20);
	nf_json_init(&j, &out, indent);
	nf_json_object(&j);
	nf_json_key(&j, "k");
	nf_json_array(&j);
	nf_json_textn(&j, bytes, n);
	nf_json_double(&j, v);
	nf_json_end(&j);
	nf_json_end(&j);
	fuzz_require(nf_json_done(&j, NULL) == 0);
	root = json_loadb(out.data, out.len_bytes, JSON_ALLOW_NUL, NULL);
	fuzz_require(root);
	array = json_object_get(root, "k");
	fuzz_require(json_array_size(array) == 2);
	fuzz_require(json_string_length(json_array_get(array, 0)) == clean->len_bytes);
	fuzz_require(memcmp(json_string_value(json_array_get(array, 0)), clean->data,
	                    clean->len_bytes) == 0);
	fuzz_require(json_is_real(json_array_get(array, 1)));
	fuzz_require(json_real_value(json_array_get(array, 1)) == v);
	json_decref(root);
	nf_buf_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data;
	struct nf_buf clean, again;
	uint64_t n_replaced = 0, n_again = 0;
	double v = 0.5;

	if (size > 50000)
		return 0;
	nf_buf_init(&clean, 1 << 20);
	nf_buf_init(&again, 1 << 20);
	fuzz_require(nf_utf8_clean(&clean, bytes, size, &n_replaced) == 0);
	fuzz_require(nf_utf8_clean(&again, clean.data, clean.len_bytes, &n_again) == 0);
	fuzz_require(n_again == 0 && again.len_bytes == clean.len_bytes);
	fuzz_require(memcmp(again.data, clean.data, clean.len_bytes) == 0);
	fuzz_require(n_replaced > 0 ||
	             (clean.len_bytes == size && (!size || memcmp(clean.data, data, size) == 0)));
	decode_all(bytes, size, &clean);
	if (size >= sizeof(v)) {
		double any;

		memcpy(&any, data, sizeof(any));
		/* jansson refuses numbers that strtod() reports as out of range. */
		if (isnormal(any))
			v = any;
	}
	through_json(bytes, size, &clean, v, size % 2);
	nf_buf_fini(&again);
	nf_buf_fini(&clean);
	return 0;
}
