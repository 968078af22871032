/* SPDX-License-Identifier: MIT */
/* text_steps - each step's lines. */
#include <inttypes.h>
#include <math.h>

#include "report/text.h"
#include "report/text_parts.h"

int nf_text_clock(const struct nf_rec_facts *f, const struct nf_rec_clock_body *b,
                  struct nf_buf *out)
{
	const struct nf_rec_clock_read *read = b->reads.items;
	const struct nf_rec_clock_skew *skew = b->skew.items;
	double worst = 0, unsure = 0;

	for (size_t i = 0; i < b->skew.n; i++) {
		if (fabs(skew[i].offset_ns) < worst)
			continue;
		worst = fabs(skew[i].offset_ns);
		unsure = skew[i].uncertainty_ns;
	}
	nf_buf_addf(out, "%.6f MHz +- %.2g ppm", b->clock.hz * 1e-6, b->clock.hz_error_ppm);
	if (b->drift_ppm.some)
		nf_buf_addf(out, "  drift %+.3g ppm", b->drift_ppm.v);
	if (b->skew.n > 1) {
		nf_text_after(out, "  largest skew ", true, worst);
		nf_text_after(out, " +- ", true, unsure);
	}
	nf_buf_adds(out, "\n");
	for (size_t i = 0; i < b->reads.n && i < NF_TEXT_ROWS; i++) {
		nf_buf_addf(out, "%-26s ", read[i].name);
		nf_text_spread(out, read[i].summary);
		nf_buf_adds(out, "\n");
	}
	nf_text_verdict(out, f, false);
	return -(int)out->failed;
}

int nf_text_smi(const struct nf_rec_facts *f, const struct nf_rec_smi_body *b, struct nf_buf *out)
{
	if (b->trusted)
		nf_buf_addf(out, "%" PRIu64 " in ", b->max_count);
	else
		nf_buf_adds(out, "untrusted count over ");
	nf_text_ns(out, true, (double)b->window_ns);
	if (b->per_10s.some)
		nf_buf_addf(out, " (%.3g per 10 s)", b->per_10s.v);
	nf_buf_addf(out, " on %zu CPUs, from %s\n", b->counts.n,
	            b->source == 0 ? "MSR 0x34" : "perf");
	nf_text_verdict(out, f, true);
	return -(int)out->failed;
}

int nf_text_hwlat(const struct nf_rec_facts *f, const struct nf_rec_hwlat_body *b,
                  struct nf_buf *out)
{
	if (b->max_ns.some)
		nf_text_after(out, "longest gap ", true, (double)b->max_ns.v);
	else
		nf_buf_addf(out, "no gap over %" PRIu64 " us", b->threshold_us);
	nf_buf_addf(out, "  %" PRIu64 " reports, looking %" PRIu64 " us of every %" PRIu64 " us\n",
	            b->gaps, b->width_us, b->window_us);
	nf_text_verdict(out, f, true);
	return -(int)out->failed;
}

int nf_text_noise(const struct nf_rec_facts *f, const struct nf_rec_noise_body *b,
                  struct nf_buf *out)
{
	const struct nf_rec_noise_worker *w = b->workers.items;

	nf_buf_adds(out, "noise ");
	nf_text_percent(out, b->noise_ratio.some, b->noise_ratio.v);
	nf_text_after(out, "  longest detour ", b->worst_detour_ns.some, b->worst_detour_ns.v);
	if (b->worst_cpu.some)
		nf_buf_addf(out, " on CPU %" PRIu64, b->worst_cpu.v);
	nf_buf_addf(out, "  (%s, work %" PRIu64 ")\n", b->kernel, b->work);
	for (size_t i = 0; i < b->workers.n && i < NF_TEXT_ROWS; i++) {
		nf_buf_addf(out, "cpu %-4" PRIu64 " ", w[i].cpu);
		nf_text_spread(out, w[i].summary);
		nf_buf_adds(out, "  noise ");
		nf_text_percent(out, w[i].noise_ratio.some, w[i].noise_ratio.v);
		nf_buf_adds(out, "\n");
	}
	nf_text_more(out, b->workers.n, "CPUs");
	if (b->causes)
		(void)nf_text_causes(b->causes, out);
	nf_text_verdict(out, f, true);
	return -(int)out->failed;
}

int nf_text_wake(const struct nf_rec_facts *f, const struct nf_rec_wake_body *b, struct nf_buf *out)
{
	const struct nf_rec_wake_worker *w = b->workers.items;
	static const char *const policies[] = { "other", "fifo", "rr", "deadline" };
	uint64_t missed = 0, due = 0;
	double worst = -(double)INFINITY;

	for (size_t i = 0; i < b->workers.n; i++) {
		missed += w[i].missed;
		due += w[i].due;
		if (w[i].worst_lateness_ns.some)
			worst = fmax(worst, w[i].worst_lateness_ns.v);
	}
	nf_buf_addf(out, "%s",
	            !b->conforms.some ? "not decidable"
	            : b->conforms.v   ? "conforms"
	                              : "does not conform");
	nf_text_after(out, "  period ", true, (double)b->period_ns);
	nf_text_after(out, "  worst lateness ", isfinite(worst), worst);
	nf_buf_addf(out, "  missed %" PRIu64 " of %" PRIu64 "  (%s", missed, due,
	            policies[f->policy & 3]);
	if (f->priority)
		nf_buf_addf(out, " %" PRIu64, f->priority);
	nf_buf_adds(out, ")\n");
	for (size_t i = 0; i < b->workers.n && i < NF_TEXT_ROWS; i++) {
		nf_buf_addf(out, "cpu %-4" PRIu64 " lateness ", w[i].cpu);
		nf_text_spread(out, w[i].lateness);
		if (w[i].missed)
			nf_buf_addf(out, "  missed %" PRIu64, w[i].missed);
		nf_buf_adds(out, "\n");
	}
	nf_text_more(out, b->workers.n, "CPUs");
	nf_text_verdict(out, f, true);
	return -(int)out->failed;
}

int nf_text_numa(const struct nf_rec_facts *f, const struct nf_rec_numa_body *b, struct nf_buf *out)
{
	static const char *const placements[] = { "flat", "local", "interleave", "remote" };
	const struct nf_rec_numa_bandwidth *w = b->bandwidth.items;

	nf_text_after(out, "serial ", b->serial != NULL, b->serial ? b->serial->median : 0);
	nf_text_after(out, "  parallel ", b->parallel != NULL,
	              b->parallel ? b->parallel->median : 0);
	if (b->speedup.some)
		nf_buf_addf(out, "  ratio of medians %.2f", b->speedup.v);
	nf_buf_addf(out,
	            "  (%" PRIu64 " threads, %" PRIu64 " nodes, %s, %" PRIu64 " x %" PRIu64 ")\n",
	            b->threads, b->nodes, placements[b->placement & 3], b->channels, b->samples);
	if (b->serial_ns_per_element.some)
		nf_buf_addf(out, "serial base %.3g ns per element", b->serial_ns_per_element.v);
	if (b->serial_to_limit_ratio.some)
		nf_buf_addf(out, ", %.2f x the fastest plain sum", b->serial_to_limit_ratio.v);
	if (b->thread_start)
		nf_text_after(out, "; threads start in ", true, b->thread_start->median);
	if (b->difference.some)
		nf_buf_addf(out, "; sums differ by %.3g", b->difference.v);
	nf_buf_adds(out, "\n");
	for (size_t i = 0; i < b->bandwidth.n && i < NF_TEXT_ROWS; i++)
		if (w[i].bytes_per_s.some)
			nf_buf_addf(out,
			            "CPUs of node %" PRIu64 " read memory of node %" PRIu64
			            " at %.2f GB/s\n",
			            w[i].cpu_node, w[i].mem_node, w[i].bytes_per_s.v * 1e-9);
	nf_text_more(out, b->bandwidth.n, "node pairs");
	if (b->causes)
		(void)nf_text_causes(b->causes, out);
	nf_text_verdict(out, f, false);
	return -(int)out->failed;
}
