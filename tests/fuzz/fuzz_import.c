/* SPDX-License-Identifier: MIT */
/* import: stamped console logs, by every form and by the one that is found. Whole and in two pieces is the same; texts hold
 * no control character; the bytes of the lines follow each other. The first byte says where it is cut, the second which form. */
#include <string.h>

#include "board/import.h"
#include "fuzz.h"

struct seen {
	uint64_t lines, stamped, mix, next_offset;
	int64_t last_ns;
};

static int take(void *ctx, const struct nf_line *l, bool stamped, struct nf_err *err)
{
	struct seen *s = ctx;

	(void)err;
	fuzz_require(l->len <= NF_LINE_LIMIT && l->text[l->len] == '\0');
	fuzz_require(l->raw_offset == s->next_offset && l->raw_bytes >= 2);
	fuzz_require(l->first_lo_ns == l->last_hi_ns);
	fuzz_require(stamped || s->lines > 0);
	fuzz_require(stamped || l->first_lo_ns == s->last_ns);
	for (size_t i = 0; i < l->len; i++)
		fuzz_require((unsigned char)l->text[i] >= 0x20 || l->text[i] == '\t');
	s->next_offset += l->raw_bytes;
	s->last_ns = l->first_lo_ns;
	s->lines++;
	s->stamped += stamped;
	for (size_t i = 0; i < l->len; i++)
		s->mix = (s->mix ^ (unsigned char)l->text[i]) * UINT64_C(0x100000001b3);
	s->mix = (s->mix ^ (uint64_t)l->first_lo_ns) * UINT64_C(0x100000001b3);
	return 0;
}

static int run(const struct nf_import_form *f, const uint8_t *data, size_t len, size_t cut,
               struct seen *s, struct nf_import_facts *ret)
{
	struct nf_err err = { 0 };
	struct nf_import *im = NULL;

	fuzz_require(nf_import_new(f, "f", take, s, &im, NULL) == 0);
	int r = nf_import_feed(im, data, cut, &err);
	if (r == 0)
		r = nf_import_feed(im, data + cut, len - cut, &err);
	if (r == 0)
		r = nf_import_finish(im, &err);
	fuzz_require(r == 0 || (r == -NF_EDATA && strncmp(err.msg, "f: ", 3) == 0));
	*ret = *nf_import_facts(im);
	nf_import_free(im);
	fuzz_require(r < 0 || s->stamped == ret->stamped);
	fuzz_require(r < 0 || s->lines == ret->stamped + ret->unstamped);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_import_facts facts[2] = { 0 };
	struct seen whole = { 0 }, parts = { 0 };
	const struct nf_import_form *f = nf_import_forms;
	size_t n_forms = 0, pick;

	if (size < 2)
		return 0;
	while (nf_import_forms[n_forms].name)
		n_forms++;
	pick = data[1] % (n_forms + 1);
	f = pick == n_forms ? NULL : &nf_import_forms[pick];
	size_t len = size - 2, cut = len * data[0] / 256;
	int a = run(f, data + 2, len, 0, &whole, &facts[0]);
	int b = run(f, data + 2, len, cut, &parts, &facts[1]);
	fuzz_require(a == b);
	fuzz_require(memcmp(&whole, &parts, sizeof(whole)) == 0);
	fuzz_require(memcmp(&facts[0], &facts[1], sizeof(facts[0])) == 0);
	return 0;
}
