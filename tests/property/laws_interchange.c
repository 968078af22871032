/* SPDX-License-Identifier: MIT */
/* Results in the forms of other programs, written and read back; and texts that are clipped. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/columns.h"
#include "base/utf8.h"
#include "bench/interchange.h"
#include "laws.h"
#include "report/interchange_write.h"
#include "report/text_fit.h"

enum { BENCHES = 5, VALUES = 12, NAME_BYTES = 64, TEXT_BYTES = 1 << 20 };

static const char *const pieces[] = { "a", "Z", "7", "/",      "=",      "-", "\"", "\\", "{",
	                              "}", ":", ",", "\u00e4", "\u65e5", " ", "'",  "[1]" };

static void fini_results(void *r)
{
	nf_results_fini(r);
}

static void fini_buf(void *b)
{
	nf_buf_fini(b);
}

/* Distinct: the number is in it. Of go one word that begins as it must. */
static void draw_name(struct pt_case *t, bool go, int number, char ret[NAME_BYTES])
{
	struct pt_loop l = { .max = 8 };
	int n = snprintf(ret, NAME_BYTES, "%s%d", go ? "Benchmark" : "", number);

	while (pt_more(t, &l)) {
		const char *piece = pieces[pt_draw_int(t, 0, sizeof(pieces) / sizeof(*pieces) - 1)];

		if (!(go && *piece == ' '))
			n += snprintf(ret + n, (size_t)(NAME_BYTES - n), "%s", piece);
	}
}

static struct nf_results *draw_results(struct pt_case *t, int form)
{
	bool go = form == NF_INTERCHANGE_GO,
	     times = form == NF_INTERCHANGE_HYPERFINE || form == NF_INTERCHANGE_GOOGLE;
	static const char *const units[] = { "ns", "frames", "MB/s", "B/op" };
	struct nf_results *r = pt_alloc(t, sizeof(*r));
	struct pt_loop benches = { .min = 1, .max = BENCHES };
	enum nf_better better[4];

	nf_results_init(r);
	pt_cleanup(t, fini_results, r);
	for (int i = 0; i < 4; i++)
		better[i] = pt_draw_int(t, 0, 1) ? NF_BETTER_LARGER : NF_BETTER_SMALLER;
	for (int i = 0; pt_more(t, &benches); i++) {
		struct pt_loop values = { .min = 1, .max = VALUES };
		int unit = times ? 0 : (int)pt_draw_int(t, 0, 3);
		struct nf_result *to;
		char name[NAME_BYTES];

		draw_name(t, go, i, name);
		PT_ASSERT(t, nf_results_get(r, name, units[unit], &to, NULL) == 0);
		if (!times)
			to->better = better[unit];
		for (uint32_t k = 0; pt_more(t, &values); k++) {
			/* Whole ns keep their digits in seconds. */
			double v = form == NF_INTERCHANGE_HYPERFINE
			                   ? (double)pt_draw_int(t, 1, INT64_C(1) << 50)
			                   : pt_draw_real(t, 1e-9, 1e18);

			PT_ASSERT(t, nf_results_add(r, to, v, NULL) == 0);
			to->item[to->n - 1].set = k;
			to->item[to->n - 1].operations = (uint64_t)pt_draw_int(t, 1, 1000000);
			to->item[to->n - 1].exit_code = (int)pt_draw_int(t, 0, 255);
		}
	}
	return r;
}

static bool results_come_back(struct pt_case *t, void *arg)
{
	const int form = *(const int *)arg;
	const bool codes = form == NF_INTERCHANGE_HYPERFINE;
	const bool operations = form == NF_INTERCHANGE_GOOGLE || form == NF_INTERCHANGE_GO;
	struct nf_results *r = draw_results(t, form), *back = pt_alloc(t, sizeof(*back));
	struct nf_buf *out = pt_alloc(t, sizeof(*out));
	int told = -1;

	nf_buf_init(out, TEXT_BYTES);
	pt_cleanup(t, fini_buf, out);
	PT_ASSERT(t, nf_interchange_write((enum nf_interchange_id)form, r, NULL, out, NULL) == 0);
	PT_ASSERT(t, nf_interchange_read(NF_INTERCHANGE_AUTO, out->data, out->len_bytes, "x", back,
	                                 &told, NULL) == 0);
	pt_cleanup(t, fini_results, back);
	PT_ASSERT(t, told == form);
	PT_ASSERT(t, back->n == r->n);
	for (size_t i = 0; i < r->n; i++) {
		const struct nf_result *a = &r->result[i], *b = &back->result[i];

		PT_ASSERT(t, strcmp(a->bench, b->bench) == 0 && strcmp(a->unit, b->unit) == 0);
		PT_ASSERT(t, a->better == b->better && a->n == b->n);
		for (size_t k = 0; k < a->n; k++) {
			PT_ASSERT(t, a->item[k].value == b->item[k].value);
			PT_ASSERT(t, !codes || a->item[k].exit_code == b->item[k].exit_code);
			PT_ASSERT(t, !operations || a->item[k].operations == b->item[k].operations);
		}
	}
	return true;
}

static bool clipped_texts_fit(struct pt_case *t, void *arg)
{
	struct nf_buf *text = pt_alloc(t, sizeof(*text)), *out = pt_alloc(t, sizeof(*out));
	struct pt_loop l = { .max = 60 };
	size_t width = (size_t)pt_draw_int(t, 4, 50);
	uint64_t was = 0, is = 0;

	(void)arg;
	nf_buf_init(text, TEXT_BYTES);
	pt_cleanup(t, fini_buf, text);
	nf_buf_init(out, TEXT_BYTES);
	pt_cleanup(t, fini_buf, out);
	while (pt_more(t, &l)) {
		if (pt_draw_int(t, 0, 9) == 0)
			nf_buf_addc(text, (char)pt_draw_int(t, 1, 255));
		else
			nf_buf_adds(
			        text,
			        pieces[pt_draw_int(t, 0, sizeof(pieces) / sizeof(*pieces) - 1)]);
	}
	nf_text_clip(out, text->data, width, true);
	PT_ASSERT(t, nf_columns(out->data, out->len_bytes) == width);
	/* A beginning that is cut breaks no character that was whole. */
	size_t n = nf_utf8_cut(text->data, width);
	PT_ASSERT(t, n <= width);
	nf_buf_clear(out);
	PT_ASSERT(t, nf_utf8_clean(out, text->data, text->len_bytes, &was) == 0);
	PT_ASSERT(t, nf_utf8_clean(out, text->data, n, &is) == 0);
	PT_ASSERT(t, nf_utf8_clean(out, text->data + n, text->len_bytes - n, &is) == 0);
	PT_ASSERT(t, was == is);
	nf_buf_clear(out);
	nf_buf_add(out, text->data, text->len_bytes);
	nf_text_fit(out, 0, (size_t)pt_draw_int(t, 0, 4));
	for (size_t at = 0; at < out->len_bytes;) {
		const char *end = memchr(out->data + at, '\n', out->len_bytes - at);
		size_t len = end ? (size_t)(end - out->data) - at : out->len_bytes - at;

		PT_ASSERT(t, nf_columns(out->data + at, len) <= NF_TEXT_COLUMNS);
		at += len + 1;
	}
	return true;
}

static int of_lines = NF_INTERCHANGE_LINES, of_hyperfine = NF_INTERCHANGE_HYPERFINE,
           of_google = NF_INTERCHANGE_GOOGLE, of_go = NF_INTERCHANGE_GO;

const struct law laws_interchange[] = {
	{ "JSON lines", "Results as JSON lines come back with every value, unit and direction.",
	  results_come_back, &of_lines },
	{ "hyperfine",
	  "Times in whole ns come back from hyperfine's form to the digit, with exit statuses.",
	  results_come_back, &of_hyperfine },
	{ "Google Benchmark",
	  "Sets of one time come back from Google Benchmark's form, with their iterations.",
	  results_come_back, &of_google },
	{ "Go text", "Results as Go's text come back with every value, unit, direction and count.",
	  results_come_back, &of_go },
	{ "clipped",
	  "A clipped text has its width, a cut one whole characters, and no line that is broken is "
	  "wider than a terminal.",
	  clipped_texts_fit, NULL },
	{ .name = NULL },
};
