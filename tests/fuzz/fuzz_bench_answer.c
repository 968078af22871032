/* SPDX-License-Identifier: MIT */
/* What a benchmark program answers: a first byte 'l' says that the rest is the answer to a list, any other
 * that it is the answer to a set of three values. The frames' checksums are made to match where the second
 * byte is 'c', so that what is behind them is reached. */
#include <math.h>
#include <string.h>

#include "bench/backend_builtin.h"
#include "bench/program.h"
#include "fuzz.h"

/* Rewrites the head of every frame that is whole. */
static void mend(uint8_t *data, size_t size)
{
	for (size_t at = 0; size - at >= NF_FRAME_HEAD_BYTES;) {
		struct nf_err err;
		uint32_t type;
		size_t len;

		if (nf_frame_length(data + at, &len, &err) < 0 ||
		    len > size - at - NF_FRAME_HEAD_BYTES)
			return;
		memcpy(&type, data + at + 4, sizeof(type));
		nf_frame_head((enum nf_frame_type)type, data + at + NF_FRAME_HEAD_BYTES, len,
		              data + at);
		at += NF_FRAME_HEAD_BYTES + len;
	}
}

static void on_list(const uint8_t *data, size_t size)
{
	struct nf_bench_list list = { 0 };
	struct nf_err err = { 0 };

	if (nf_bench_list_read(data, size, &list, &err) < 0) {
		fuzz_require(err.code == NF_EDATA && err.msg[0]);
		fuzz_require(!list.row);
		return;
	}
	for (size_t i = 0; i < list.n; i++) {
		fuzz_require(nf_bench_name_ok(list.row[i].name));
		fuzz_require(nf_bench_list_find(&list, list.row[i].name) == &list.row[i]);
		fuzz_require(list.row[i].min_threads >= 1);
	}
	nf_bench_list_fini(&list);
}

static void on_set(const uint8_t *data, size_t size)
{
	struct nf_process_end end = { 0 };
	struct nf_err err = { 0 };
	struct nf_set s;

	nf_set_init(&s, "ns");
	fuzz_require(nf_builtin_judge(data, size, &end, 3, &s, &err) == 0);
	fuzz_require(s.failed ? s.n == 0 && s.why[0] : s.n == 3);
	for (size_t i = 0; i < s.n; i++)
		fuzz_require(isfinite(s.value[i]) && s.value[i] > 0);
	for (const char *p = s.why; *p; p++)
		fuzz_require((unsigned char)*p >= 0x20);
	nf_set_fini(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	uint8_t *copy = malloc(size);
	fuzz_require(copy);
	memcpy(copy, data + 2, size - 2);
	if (data[1] == 'c')
		mend(copy, size - 2);
	if (data[0] == 'l')
		on_list(copy, size - 2);
	else
		on_set(copy, size - 2);
	free(copy);
	return 0;
}
