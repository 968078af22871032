/* SPDX-License-Identifier: MIT */
/* baseline: what is taken has medians above 0, and its text is taken again to the same text; what is refused
 * says why. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "record/baseline_file.h"
#include "record/write.h"

static void check(const struct nf_rec_bench_baseline *b, struct nf_arena *a)
{
	const struct nf_rec_bench_session *s = b->sessions.items;
	struct nf_rec_bench_baseline back;
	struct nf_buf text, again;
	struct nf_err err = { 0 };

	for (size_t i = 0; i < b->sessions.n; i++) {
		const struct nf_rec_bench_stored *m = s[i].medians.items;

		for (size_t k = 0; k < s[i].medians.n; k++)
			fuzz_require(m[k].median > 0 && isfinite(m[k].median) && m[k].bench &&
			             m[k].unit);
	}
	nf_buf_init(&text, NF_BASELINE_BYTES);
	nf_buf_init(&again, NF_BASELINE_BYTES);
	fuzz_require(nf_record_to_json(&nf_rec_bench_baseline_type, b, &text, NULL, &err) == 0);
	fuzz_require(nf_baseline_parse("again", text.data, text.len_bytes, a, &back, &err) == 0);
	fuzz_require(nf_record_to_json(&nf_rec_bench_baseline_type, &back, &again, NULL, &err) ==
	             0);
	fuzz_require(text.len_bytes == again.len_bytes &&
	             memcmp(text.data, again.data, text.len_bytes) == 0);
	nf_buf_fini(&text);
	nf_buf_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_rec_bench_baseline b = { 0 };
	struct nf_err err = { 0 };
	struct nf_arena a;

	nf_arena_init(&a, (size_t)64 << 20);
	if (nf_baseline_parse("fuzz", data, size, &a, &b, &err) == 0)
		check(&b, &a);
	else
		fuzz_require(err.code == NF_EDATA && err.msg[0] && b.sessions.n == 0);
	nf_arena_fini(&a);
	return 0;
}
