/* SPDX-License-Identifier: MIT */
#include "report/text_parts.h"

#include <inttypes.h>
#include <math.h>

#include "report/text.h"

void nf_text_after(struct nf_buf *out, const char *before, bool some, double value_ns)
{
	nf_buf_adds(out, before);
	nf_text_ns(out, some, value_ns);
}

static double percentile(const struct nf_rec_summary *s, double p)
{
	const struct nf_rec_percentile *v = s->percentiles.items;

	for (size_t i = 0; i < s->percentiles.n; i++)
		if (fabs(v[i].p - p) < 1e-9)
			return v[i].value;
	return (double)NAN;
}

void nf_text_spread(struct nf_buf *out, const struct nf_rec_summary *s)
{
	if (!s) {
		nf_buf_adds(out, "no samples");
		return;
	}
	nf_text_after(out, "min ", true, s->min);
	nf_text_after(out, "  median ", true, s->median);
	double p99 = percentile(s, 99);
	nf_text_after(out, "  p99 ", isfinite(p99), p99);
	nf_text_after(out, "  max ", true, s->max);
	nf_buf_addf(out, "  n %" PRIu64 "  ", s->n);
	nf_text_sparkline(out, s->histogram.items, s->histogram.n);
}

uint64_t nf_text_lost(const struct nf_rec_facts *f)
{
	return f->dropped + f->saturated + f->truncated;
}

/* What is dropped found no room any more: the figures are of what came before. */
static void add_share(struct nf_buf *out, const struct nf_rec_facts *f)
{
	const struct nf_rec_stream_ref *s = f->streams.items;
	double kept = 0, made;

	if (f->dropped == 0)
		return;
	for (size_t i = 0; i < f->streams.n; i++)
		kept += (double)s[i].count;
	made = kept + (double)f->dropped;
	nf_buf_addf(out,
	            "note: memory for samples was full (--max-sample-bytes): the figures are of "
	            "the first %.3g %% of the samples, and say nothing of the rest\n",
	            100 * kept / made);
}

void nf_text_verdict(struct nf_buf *out, const struct nf_rec_facts *f, bool has_limits)
{
	const char *const *note = f->notes.items;

	if (f->reason)
		nf_buf_addf(out, "%s: %s\n", nf_text_result(f->result), f->reason);
	if (f->limit)
		nf_buf_addf(out, "limit: %s\n", f->limit);
	else if (has_limits)
		nf_buf_adds(out, "no limit set\n");
	if (nf_text_lost(f) > 0)
		nf_buf_addf(out,
		            "lost: %" PRIu64 " dropped, %" PRIu64 " saturated, %" PRIu64
		            " truncated\n",
		            f->dropped, f->saturated, f->truncated);
	add_share(out, f);
	for (size_t i = 0; i < f->notes.n; i++)
		nf_buf_addf(out, "note: %s\n", note[i]);
}

void nf_text_more(struct nf_buf *out, size_t n, const char *what)
{
	if (n > NF_TEXT_ROWS)
		nf_buf_addf(out, "... %zu more %s in the record\n", n - NF_TEXT_ROWS, what);
}
