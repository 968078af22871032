/* SPDX-License-Identifier: MIT */
/* journal: an entry that parses prints as the same bytes. Two passes: the input as it is, and the
 * input with the checksum line it ought to have, so that what lies behind the checksum is reached. */
#include <string.h>

#include "base/hash.h"
#include "base/journal_entry.h"
#include "fuzz.h"

static void try(const char *data, size_t size)
{
	struct nf_journal_record rec = { 0 };
	struct nf_err err = { 0 };
	struct nf_buf out;
	char *text = malloc(size + 1);
	int r;

	fuzz_require(text);
	if (size)
		memcpy(text, data, size);
	nf_buf_init(&out, 1 << 20);
	r = nf_journal_entry_parse(text, size, &rec, &err);
	if (r < 0) {
		fuzz_require(r == -NF_EDATA && err.msg[0] && !rec.path && !rec.boot_id);
	} else {
		fuzz_require(rec.path[0] == '/' && rec.pid > 0 && rec.time_ns >= 0);
		fuzz_require(strlen(rec.old) <= NF_JOURNAL_VALUE_MAX);
		fuzz_require(nf_journal_entry_print(&rec, &out) == 0);
		fuzz_require(out.len_bytes == size && memcmp(out.data, data, size) == 0);
	}
	nf_buf_fini(&out);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_buf b;

	try((const char *)data, size);
	nf_buf_init(&b, 1 << 20);
	if (nf_buf_add(&b, data, size) == 0 &&
	    nf_buf_addf(&b, "crc 8:%08x\n", nf_crc32c(0, data, size)) == 0)
		try(b.data, b.len_bytes);
	nf_buf_fini(&b);
	return 0;
}
