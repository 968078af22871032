/* SPDX-License-Identifier: MIT */
/* stamp_line: a line of a console. What is read as a time has the form that noisefloor/stamp.h prints: put
 * together again it is the same text. */
#include <inttypes.h>
#include <string.h>

#include "board/stamp_line.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_stamp_line l;
	char *text = malloc(size + 1); /* exactly, so that a read beyond it is found */
	char again[512], us[64] = "", hz[32] = "unknown";

	fuzz_require(text);
	memcpy(text, data, size);
	nf_stamp_line_read(text, size, &l);
	if (l.kind == NF_STAMP_LINE_TIME) {
		fuzz_require(*l.name && *l.counter && !(l.agrees && !l.has_us) &&
		             !(l.back && l.has_us));
		if (l.has_us)
			snprintf(us, sizeof(us), "us=%" PRIu64 " ", l.us);
		if (l.hz)
			snprintf(hz, sizeof(hz), "%" PRIu64, l.hz);
		int n = snprintf(again, sizeof(again), "nf-stamp: %s %s%s_%s=%" PRIu64 " ", l.name,
		                 us, l.counter, l.back ? "back" : "diff", l.diff);
		fuzz_require(n > 0 && (size_t)n < sizeof(again));
		fuzz_require(memmem(text, size, again, (size_t)n));
		fuzz_require(size > strlen(hz) &&
		             memcmp(text + size - strlen(hz), hz, strlen(hz)) == 0);
	} else {
		fuzz_require(!*l.name && !l.agrees);
	}
	free(text);
	return 0;
}
