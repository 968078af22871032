/* SPDX-License-Identifier: MIT */
/* prop_blob: any text is refused, or is a sequence of choices that writes the same text again. */
#include <string.h>

#include "fuzz.h"
#include "noisefloor/prop.h"
#include "prop/blob.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pt_choice *c = calloc(PT_MAX_CHOICES, sizeof(*c));
	char *text = malloc(size + 1), *again, *end;
	uint32_t n = UINT32_MAX;
	size_t counted = 7;
	int r;

	fuzz_require(c && text);
	memcpy(text, data, size);
	text[size] = '\0';
	r = pt_blob_read(text, c, &n);
	fuzz_require(pt_blob_check(text, &counted) == r);
	if (r != 0) {
		fuzz_require(r == -PT_EARG && n == UINT32_MAX && counted == 7);
	} else {
		fuzz_require(n <= PT_MAX_CHOICES && counted == n);
		again = pt_blob_write(c, n);
		fuzz_require(again);
		/* but for white space around it */
		end = strstr(text, again);
		fuzz_require(end && strspn(text, " \t\r\n") == (size_t)(end - text));
		end += strlen(again);
		fuzz_require(end[strspn(end, " \t\r\n")] == '\0');
		free(again);
	}
	free(text);
	free(c);
	return 0;
}
