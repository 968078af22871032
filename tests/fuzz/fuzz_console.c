/* SPDX-License-Identifier: MIT */
/* console: bytes of a console, whole and one at a time: the same lines, no control characters, every byte accounted
 * for; and what of them reaches a terminal. */
#include <string.h>

#include "board/line.h"
#include "board/screen.h"
#include "fuzz.h"

enum { LIMIT = 64, SCREEN_BYTES = 1 << 24 };

struct seen {
	uint64_t hash, text_bytes;
};

static void mix(struct seen *s, uint64_t v)
{
	s->hash = (s->hash ^ v) * UINT64_C(0x9E3779B97F4A7C15);
}

static int look(void *ctx, const struct nf_line *l, struct nf_err *err)
{
	struct seen *s = ctx;

	(void)err;
	fuzz_require(l->len <= LIMIT && l->text[l->len] == '\0');
	for (size_t i = 0; i < l->len; i++) {
		uint8_t c = (uint8_t)l->text[i];

		fuzz_require((c >= 0x20 || c == '\t') && c != 0x7f);
		fuzz_require(!(c == 0xc2 && i + 1 < l->len && (uint8_t)l->text[i + 1] >= 0x80 &&
		               (uint8_t)l->text[i + 1] < 0xa0));
		mix(s, c);
	}
	mix(s, l->raw_offset);
	mix(s, l->raw_bytes);
	mix(s, l->cut_bytes);
	mix(s, (uint64_t)l->ending << 32 | l->n_controls);
	mix(s, (uint64_t)l->n_bad_utf8 << 32 | l->n_nul);
	s->text_bytes += l->len;
	return 0;
}

static struct nf_line_counts assemble(const uint8_t *data, size_t size, size_t step, struct seen *s)
{
	struct nf_line_time t = { 0, 1, 2, false };
	struct nf_lines lines;
	struct nf_line tail;

	*s = (struct seen){ 0 };
	fuzz_require(nf_line_init(&lines, LIMIT, NULL) == 0);
	for (size_t at = 0; at < size; at += step) {
		size_t n = size - at < step ? size - at : step;

		fuzz_require(nf_line_feed(&lines, data + at, n, &t, look, s, NULL) == 0);
		fuzz_require(nf_line_tail(&lines, &tail) <= tail.len && tail.len <= LIMIT);
	}
	fuzz_require(nf_line_finish(&lines, look, s, NULL) == 0);
	struct nf_line_counts c = lines.counts;
	nf_line_fini(&lines);
	return c;
}

static void filter(const uint8_t *data, size_t size, size_t step, struct nf_buf *out)
{
	struct nf_screen s = { 0 };

	for (size_t at = 0; at < size; at += step)
		fuzz_require(nf_screen_filter(&s, data + at, size - at < step ? size - at : step,
		                              out) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_line_counts a, b;
	struct seen whole, single;
	struct nf_buf all, parts;
	uint64_t n_ends = 0;

	a = assemble(data, size, size ? size : 1, &whole);
	b = assemble(data, size, 1, &single);
	fuzz_require(memcmp(&a, &b, sizeof(a)) == 0 && whole.hash == single.hash);
	for (size_t i = 0; i < size; i++)
		n_ends += data[i] == '\n' || data[i] == '\r';
	fuzz_require(a.raw_bytes == size && size == whole.text_bytes + n_ends + a.n_nul +
	                                                    a.control_bytes + a.replaced_bytes +
	                                                    a.cut_bytes);
	nf_buf_init(&all, SCREEN_BYTES);
	nf_buf_init(&parts, SCREEN_BYTES);
	filter(data, size, size ? size : 1, &all);
	filter(data, size, 1, &parts);
	fuzz_require(all.len_bytes == parts.len_bytes &&
	             memcmp(all.data, parts.data, all.len_bytes) == 0);
	fuzz_require(!memmem(all.data, all.len_bytes, "\033]", 2) &&
	             !memmem(all.data, all.len_bytes, "\033P", 2));
	nf_buf_fini(&all);
	nf_buf_fini(&parts);
	return 0;
}
