/* SPDX-License-Identifier: MIT */
/* What an audited program may leave: a first byte 'i' says that the rest is a text of /proc/PID/io, any other that
 * it is laid over a page, from its begin or ('e') up to its end. */
#include <string.h>

#include "bench/region_page.h"
#include "fuzz.h"

static void on_io(const uint8_t *data, size_t size)
{
	const struct nf_region_io untouched = { .rchar = 1 };
	struct nf_region_io io = untouched;
	struct nf_err err = { 0 };
	char *copy = malloc(size ? size : 1);

	fuzz_require(copy);
	memcpy(copy, data, size); /* without a NUL behind it */
	if (nf_region_io_parse(copy, size, &io, &err) < 0) {
		fuzz_require(err.code == NF_EDATA && err.msg[0]);
		fuzz_require(memcmp(&io, &untouched, sizeof(io)) == 0);
	}
	free(copy);
}

static void on_page(const uint8_t *data, size_t size, bool at_end)
{
	struct nf_region_page *page = malloc(sizeof(*page)), *got = malloc(sizeof(*got));
	struct nf_err err = { 0 };

	fuzz_require(page && got);
	nf_region_page_init(page, false);
	size = size < sizeof(*page) ? size : sizeof(*page);
	memcpy((char *)page + (at_end ? sizeof(*page) - size : 0), data, size);
	if (nf_region_page_read(page, got, &err) < 0) {
		fuzz_require(err.code == NF_EDATA && err.msg[0]);
	} else {
		bool ended = false;

		for (size_t i = 0; i < NF_REGION_SLOTS; i++) {
			ended = ended || got->slot[i].state != NF_REGION_NAMED;
			fuzz_require(ended == (got->slot[i].state == NF_REGION_FREE));
			fuzz_require(memchr(got->slot[i].name, '\0', NF_REGION_NAME_BYTES));
			fuzz_require(got->slot[i].sums.wall_ns < UINT64_C(1) << 53);
			fuzz_require(got->slot[i].sums.flushed_bytes < UINT64_C(1) << 53);
		}
	}
	free(page);
	free(got);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] == 'i')
		on_io(data + 1, size - 1);
	else
		on_page(data + 1, size - 1, data[0] == 'e');
	return 0;
}
