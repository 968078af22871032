/* SPDX-License-Identifier: MIT */
/* text_detour - the gap loop's lines: the whole, each CPU, and the table by length. */
#include <inttypes.h>
#include <math.h>

#include "report/text.h"
#include "report/text_parts.h"

enum { BAR = 20 };

/* Columns 0..BAR by the logarithm of the rate against the most frequent row's, a decade each 4 columns. */
static int bar(double per_s, double most)
{
	double columns = BAR + 4 * log10(per_s / most);

	return columns < 1 ? 1 : (int)(columns + 0.5);
}

/* A rate with what it is worth: "20013", "12.3", "0.02". */
static void rate(struct nf_buf *out, double per_s)
{
	nf_buf_addf(out, per_s >= 100 ? "%9.0f/s" : "%9.3g/s", per_s);
}

static void lengths(struct nf_buf *out, const struct nf_rec_detour_body *b)
{
	const struct nf_rec_detour_lengths *row = b->lengths.items;
	double most = 0;

	if (b->lengths.n == 0)
		return;
	for (size_t i = 0; i < b->lengths.n; i++)
		most = fmax(most, row[i].per_s);
	nf_buf_adds(out, "length            per CPU       share\n");
	for (size_t i = 0; i < b->lengths.n; i++) {
		struct nf_buf from;

		if (row[i].count == 0)
			continue;
		nf_buf_init(&from, 64);
		nf_text_ns(&from, true, (double)row[i].from_ns);
		nf_buf_addf(out, "from %-10s", from.failed ? "" : from.data);
		nf_buf_fini(&from);
		rate(out, row[i].per_s);
		nf_buf_addf(out, "  %8.4f %%  %.*s\n", 100 * row[i].share_ratio,
		            bar(row[i].per_s, most), "####################");
	}
}

int nf_text_detour(const struct nf_rec_facts *f, const struct nf_rec_detour_body *b,
                   struct nf_buf *out)
{
	const struct nf_rec_detour_worker *w = b->workers.items;

	nf_buf_adds(out, "noise ");
	nf_text_percent(out, b->noise_ratio.some, b->noise_ratio.v);
	if (b->per_s.some)
		nf_buf_addf(out, "  %.6g detours a second per CPU", b->per_s.v);
	if (b->longest_ns.some)
		nf_text_after(out, "  longest ", true, b->longest_ns.v);
	if (b->longest_cpu.some)
		nf_buf_addf(out, " on CPU %" PRIu64, b->longest_cpu.v);
	nf_buf_adds(out, "\n");
	for (size_t i = 0; i < b->workers.n && i < NF_TEXT_ROWS; i++) {
		nf_buf_addf(out, "cpu %-4" PRIu64 " ", w[i].cpu);
		nf_text_after(out, "loop ", w[i].loop_min_ns.some, w[i].loop_min_ns.v);
		nf_text_after(out, "  smallest detour ", w[i].smallest_ns.some, w[i].smallest_ns.v);
		nf_text_after(out, "  threshold ", true, w[i].threshold_ns);
		nf_buf_addf(out, "  %" PRIu64 " reads  noise ", w[i].reads);
		nf_text_percent(out, w[i].noise_ratio.some, w[i].noise_ratio.v);
		nf_buf_adds(out, "\n         ");
		nf_text_spread(out, w[i].lengths);
		nf_buf_adds(out, "\n");
	}
	nf_text_more(out, b->workers.n, "CPUs");
	lengths(out, b);
	if (b->causes)
		(void)nf_text_causes(b->causes, out);
	nf_text_verdict(out, f, true);
	return -(int)out->failed;
}
