/* SPDX-License-Identifier: MIT */
/* project: a capture as it comes; a form feed alone on a line begins a second one that goes along. */
#include <string.h>

#include "fuzz.h"
#include "record/project.h"
#include "record/write.h"

static void check_trace(const struct nf_list *trace)
{
	const struct nf_rec_trace *t = trace->items;

	for (size_t i = 0; i < trace->n; i++) {
		fuzz_require(t[i].field && t[i].value);
		fuzz_require(t[i].line.some == (t[i].origin == NF_ORIGIN_LINE));
		fuzz_require(!t[i].line.some || (t[i].line.v >= 1 && t[i].text));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *cut = size ? memmem(text, size, "\n\f\n", 3) : NULL;
	struct nf_project_input in[2] = { { "a-2031-02-03.txt", text,
		                            cut ? (size_t)(cut - text) : size },
		                          { "b.txt", NULL, 0 } };
	struct nf_project_opts o = { .lane = size % 2 ? "rt" : NULL };
	struct nf_rec_projection r;
	struct nf_err err = { .code = NF_OK };
	struct nf_arena a;
	struct nf_buf out;
	int rc;

	if (cut) {
		in[1].data = cut + 3;
		in[1].len_bytes = size - (size_t)(cut + 3 - text);
	}
	nf_arena_init(&a, NF_PROJECT_ARENA_BYTES);
	nf_buf_init(&out, 64 << 20);
	rc = nf_project(in, cut ? 2 : 1, &o, &a, &r, &err);
	if (rc < 0) {
		fuzz_require(rc == -(int)err.code);
		fuzz_require(rc == -NF_EARG || rc == -NF_EDATA);
	} else {
		fuzz_require(!r.host_probe || !r.kernel_validation);
		fuzz_require(r.missing.n == 0 || (!r.host_probe && !r.kernel_validation));
		check_trace(&r.trace);
		fuzz_require(nf_record_to_json(&nf_rec_projection_type, &r, &out, NULL, NULL) == 0);
		nf_buf_clear(&out);
		fuzz_require(nf_record_to_dhall(&nf_rec_projection_type, &r, &out, NULL, NULL) ==
		             0);
	}
	nf_buf_fini(&out);
	nf_arena_fini(&a);
	return 0;
}
