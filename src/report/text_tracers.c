/* SPDX-License-Identifier: MIT */
/* text_tracers - the lines of the kernel's osnoise and timerlat tracers. */
#include <inttypes.h>

#include "report/text.h"
#include "report/text_parts.h"

static void causes(struct nf_buf *out, const struct nf_rec_osnoise_body *b)
{
	static const char *const sources[] = { "hardware", "nmi", "irq", "softirq", "thread" };
	const struct nf_rec_osnoise_cause *c = b->causes.items;

	for (size_t i = 0; i < b->causes.n && i < NF_TEXT_ROWS; i++) {
		nf_buf_addf(out, "%-8s %-24s %8" PRIu64 " x", sources[c[i].source], c[i].name,
		            c[i].count);
		nf_text_after(out, "  total ", true, (double)c[i].total_ns);
		nf_text_after(out, "  longest ", true, (double)c[i].longest_ns);
		nf_buf_adds(out, "\n");
	}
	nf_text_more(out, b->causes.n, "causes");
}

int nf_text_osnoise(const struct nf_rec_facts *f, const struct nf_rec_osnoise_body *b,
                    struct nf_buf *out)
{
	const struct nf_rec_osnoise_cpu *c = b->cpus.items;

	nf_buf_adds(out, "noise ");
	nf_text_percent(out, b->noise_ratio.some, b->noise_ratio.v);
	nf_text_after(out, "  longest ", b->longest_ns.some, (double)b->longest_ns.v);
	if (b->longest_cpu.some)
		nf_buf_addf(out, " on CPU %" PRIu64, b->longest_cpu.v);
	nf_buf_addf(out, "  looking %" PRIu64 " us of every %" PRIu64 " us%s\n", b->runtime_us,
	            b->period_us, b->at_limit ? "  ended at its limit" : "");
	for (size_t i = 0; i < b->cpus.n && i < NF_TEXT_ROWS; i++) {
		nf_buf_addf(out, "cpu %-4" PRIu64, c[i].cpu);
		nf_text_after(out, " runtime ", true, (double)c[i].runtime_ns);
		nf_text_after(out, "  noise ", true, (double)c[i].noise_ns);
		nf_buf_adds(out, "  available ");
		nf_text_percent(out, c[i].available_ratio.some, c[i].available_ratio.v);
		nf_text_after(out, "  longest ", true, (double)c[i].longest_ns);
		nf_buf_addf(out,
		            "\n         hw %" PRIu64 "  nmi %" PRIu64 "  irq %" PRIu64
		            "  softirq %" PRIu64 "  thread %" PRIu64 "\n",
		            c[i].hw, c[i].nmi, c[i].irq, c[i].softirq, c[i].thread);
	}
	nf_text_more(out, b->cpus.n, "CPUs");
	causes(out, b);
	nf_text_verdict(out, f, true);
	return -(int)out->failed;
}

int nf_text_timerlat(const struct nf_rec_facts *f, const struct nf_rec_timerlat_body *b,
                     struct nf_buf *out)
{
	const struct nf_rec_timerlat_cpu *c = b->cpus.items;

	nf_text_after(out, "latest thread ", b->worst_thread_ns.some, b->worst_thread_ns.v);
	if (b->worst_cpu.some)
		nf_buf_addf(out, " on CPU %" PRIu64, b->worst_cpu.v);
	nf_text_after(out, "  latest interrupt ", b->worst_irq_ns.some, b->worst_irq_ns.v);
	nf_buf_addf(out, "  period %" PRIu64 " us%s\n", b->period_us,
	            b->at_limit ? "  ended at its limit" : "");
	for (size_t i = 0; i < b->cpus.n && i < NF_TEXT_ROWS; i++) {
		nf_buf_addf(out, "cpu %-4" PRIu64 " irq    ", c[i].cpu);
		nf_text_spread(out, c[i].irq);
		nf_buf_adds(out, "\n         thread ");
		nf_text_spread(out, c[i].thread);
		if (c[i].missed)
			nf_buf_addf(out, "  missed %" PRIu64, c[i].missed);
		nf_buf_adds(out, "\n");
	}
	nf_text_more(out, b->cpus.n, "CPUs");
	nf_text_verdict(out, f, false);
	return -(int)out->failed;
}
