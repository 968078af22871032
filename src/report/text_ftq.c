/* SPDX-License-Identifier: MIT */
/* text_ftq - fixed time quanta: the work that was lost on each CPU, and at what frequencies. */
#include <inttypes.h>

#include "report/text.h"
#include "report/text_parts.h"

enum { LINES_SHOWN = 6 };

static void line(struct nf_buf *out, const struct nf_rec_ftq_line *l)
{
	nf_buf_addf(out, "         %10.3f Hz  ", l->hz);
	nf_text_percent(out, true, l->with_harmonics_ratio);
	nf_buf_adds(out, " of the variance");
	if (l->harmonics)
		nf_buf_addf(out, " with %" PRIu64 " harmonic%s", l->harmonics,
		            l->harmonics == 1 ? "" : "s");
	if (l->folded)
		nf_buf_addf(out, " (%" PRIu64 " folded)", l->folded);
	nf_buf_addf(out, ", %.3g x the noise around it", l->floor_ratio);
	if (l->teeth)
		nf_buf_addf(out, ", told by %" PRIu64 " multiples", l->teeth);
	nf_buf_adds(out, l->kernel_tick ? ": the kernel's tick\n" : "\n");
}

static void spectrum(struct nf_buf *out, const struct nf_rec_ftq_worker *w)
{
	const struct nf_rec_ftq_spectrum *s = w->spectrum;

	if (!s) {
		nf_buf_addf(out, "         no spectrum: %s\n",
		            w->no_spectrum ? w->no_spectrum : "unknown");
		return;
	}
	const struct nf_rec_ftq_line *l = s->lines.items;

	if (s->lines.n == 0)
		nf_buf_adds(out, "         no frequency stands out");
	for (size_t i = 0; i < s->lines.n && i < LINES_SHOWN; i++)
		line(out, &l[i]);
	if (s->lines_found > LINES_SHOWN)
		nf_buf_addf(out, "         and %" PRIu64 " more lines",
		            s->lines_found - LINES_SHOWN);
	nf_buf_addf(out, "%s of %.4g to %.4g Hz, to %.2g Hz; faster ones appear folded back\n",
	            s->lines.n == 0 || s->lines_found > LINES_SHOWN ? "," : "         lines",
	            s->lowest_hz, s->nyquist_hz, s->bin_hz);
}

int nf_text_ftq(const struct nf_rec_facts *f, const struct nf_rec_ftq_body *b, struct nf_buf *out)
{
	const struct nf_rec_ftq_worker *w = b->workers.items;

	nf_buf_adds(out, "work lost ");
	nf_text_percent(out, b->lost_ratio.some, b->lost_ratio.v);
	if (b->worst_cpu.some)
		nf_buf_addf(out, " on CPU %" PRIu64, b->worst_cpu.v);
	nf_text_after(out, "  quanta of ", true, b->quantum_ns);
	nf_text_after(out, ", units of ", true, b->unit_ns);
	nf_buf_addf(out, "  (%s, work %" PRIu64 ")\n", b->kernel, b->work);
	for (size_t i = 0; i < b->workers.n && i < NF_TEXT_ROWS; i++) {
		nf_buf_addf(out, "cpu %-4" PRIu64 " lost ", w[i].cpu);
		nf_text_percent(out, w[i].lost_ratio.some, w[i].lost_ratio.v);
		nf_buf_addf(out, "  %" PRIu64 " quanta, %" PRIu64 " empty", w[i].quanta,
		            w[i].empty);
		if (w[i].units)
			nf_buf_addf(out, "  units: min %.0f  median %.0f  max %.0f",
			            w[i].units->min, w[i].units->median, w[i].units->max);
		nf_buf_adds(out, "\n");
		spectrum(out, &w[i]);
	}
	nf_text_more(out, b->workers.n, "CPUs");
	nf_text_verdict(out, f, false);
	return -(int)out->failed;
}
