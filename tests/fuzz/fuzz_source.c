/* SPDX-License-Identifier: MIT */
/* source: bytes as a C source. Directives are in order and inside, their lines are what newlines say; conditions are a
 * tree; function bodies balance; whatever is found stands in the file. */
#include <string.h>

#include "fuzz.h"
#include "source/body.h"
#include "source/timed.h"
#include "source/unit.h"

static uint32_t lines_before(const char *text, const char *at)
{
	uint32_t n = 1;

	for (; text < at; text++)
		n += *text == '\n';
	return n;
}

static void look_at_unit(const char *text, size_t size)
{
	struct nf_src_unit u = { 0 };
	const char *before = text;

	fuzz_require(nf_src_unit_read(&u, text, size, NULL) == 0);
	for (uint32_t i = 0; i < u.n; i++) {
		const struct nf_src_directive *d = &u.d[i];
		const char *p = d->rest;
		struct nf_src_word w;
		bool negated;

		fuzz_require(d->at >= before && d->end > d->at && d->end <= text + size &&
		             *d->at == '#');
		fuzz_require(d->rest >= d->at && d->rest <= d->end);
		if (size < 4096)
			fuzz_require(d->line <= lines_before(text, d->at));
		before = d->end;
		fuzz_require(u.branch[i] >= NF_SRC_TOP && u.branch[i] < (int32_t)u.n_branches);
		fuzz_require(!nf_src_exclusive(&u, u.branch[i], u.branch[i]));
		fuzz_require(nf_src_encloses(&u, u.branch[i], u.branch[i]));
		if (d->kind == NF_SRC_IFDEF)
			(void)nf_src_purpose_of(&u, i, d->name, false);
		while ((d->kind == NF_SRC_IF || d->kind == NF_SRC_ELIF) &&
		       nf_src_next_defined(&p, d->end, &w, &negated))
			(void)nf_src_purpose_of(&u, i, w, negated);
	}
	for (uint32_t b = 0; b < u.n_branches; b++)
		fuzz_require(u.b[b].parent < (int32_t)b && u.b[b].end > u.b[b].first &&
		             u.b[b].end <= u.n);
	nf_src_unit_fini(&u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct nf_src_timed_opts o = { 0 };
	struct nf_src_timed t = { 0 };
	struct nf_arena a;
	char *text;

	if (size > 1 << 14)
		return 0;
	text = malloc(size + (size == 0)); /* exactly, so that a read beyond it is found */
	fuzz_require(text);
	memcpy(text, data, size);
	look_at_unit(text, size);
	nf_arena_init(&a, (size_t)1 << 24);
	fuzz_require(nf_src_timed_look("f.c", text, size, &o, &a, &t, NULL) == 0);
	for (size_t i = 0; i < t.n; i++) {
		const struct nf_src_timed_print *p = &t.item[i];

		fuzz_require(p->begin <= p->print && p->print <= p->end);
		fuzz_require(p->end <= lines_before(text, text + size));
	}
	nf_src_timed_fini(&t);
	nf_arena_fini(&a);
	free(text);
	return 0;
}
