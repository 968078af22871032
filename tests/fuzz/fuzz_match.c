/* SPDX-License-Identifier: MIT */
/* match: a pattern, a newline, a text that grows. What is found while it grows is what one search of it all finds. */
#include <string.h>

#include "board/match.h"
#include "fuzz.h"

enum { PATTERN_MAX = 100, TEXT_MAX = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
	char pattern[PATTERN_MAX + 1], text[TEXT_MAX];
	struct nf_match *m, *once;
	size_t len, at = 0, resume = 0, s1, n1, s2, n2;
	int found = NF_MATCH_NO, expected;

	if (!end || end - data > PATTERN_MAX || memchr(data, '\0', (size_t)(end - data)))
		return 0;
	memcpy(pattern, data, (size_t)(end - data));
	pattern[end - data] = '\0';
	len = size - (size_t)(end - data) - 1;
	if (len > TEXT_MAX)
		len = TEXT_MAX;
	memcpy(text, end + 1, len);
	if (nf_match_new(pattern, &m, NULL) < 0)
		return 0;
	fuzz_require(nf_match_new(pattern, &once, NULL) == 0);
	expected = nf_match_line(once, text, len, NULL);
	while (at < len && found >= 0 && found != NF_MATCH_YES) {
		at += 1 + at % 3;
		if (at > len)
			at = len;
		found = nf_match_tail(m, text, at, resume ? at : 0, NULL);
		fuzz_require(found < 0 || found == NF_MATCH_YES || nf_match_resume(m) >= resume);
		resume = nf_match_resume(m);
	}
	if (found >= 0 && found != NF_MATCH_YES)
		found = nf_match_silence(m, text, len, NULL);
	/* A pattern that takes too many steps may do so in one of the two only. */
	fuzz_require(found < 0 || expected < 0 || found == expected);
	if (found == NF_MATCH_YES && expected == NF_MATCH_YES) {
		fuzz_require(nf_match_group(m, 0, &s1, &n1) && nf_match_group(once, 0, &s2, &n2));
		fuzz_require(s1 == s2 && n1 == n2 && s1 + n1 <= len);
	}
	nf_match_free(m);
	nf_match_free(once);
	return 0;
}
