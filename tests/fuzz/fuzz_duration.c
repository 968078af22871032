/* SPDX-License-Identifier: MIT */
/* duration: what parses prints in a form that parses to the same value, once and for all. */
#include <string.h>

#include "base/duration.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_err err = { 0 };
	struct nf_buf printed, again;
	char *text = malloc(size + 1);
	int64_t ns = -1, ns2 = -1;
	int r;

	fuzz_require(text);
	memcpy(text, data, size);
	text[size] = '\0';
	nf_buf_init(&printed, 64);
	nf_buf_init(&again, 64);
	r = nf_duration_parse(text, &ns, &err);
	if (r < 0) {
		fuzz_require(r == -NF_EARG && err.code == NF_EARG && err.msg[0] && ns == -1);
	} else {
		fuzz_require(ns >= 0 && err.code == NF_OK);
		fuzz_require(nf_duration_print(ns, &printed) == 0);
		fuzz_require(nf_duration_parse(printed.data, &ns2, &err) == 0 && ns2 == ns);
		fuzz_require(nf_duration_print(ns2, &again) == 0);
		fuzz_require(strcmp(printed.data, again.data) == 0);
		nf_buf_clear(&again);
		fuzz_require(nf_duration_print_short(-(double)ns, &again) == 0);
		fuzz_require(again.len_bytes >= 4 && strchr(again.data, ' '));
	}
	nf_buf_fini(&again);
	nf_buf_fini(&printed);
	free(text);
	return 0;
}
