/* SPDX-License-Identifier: MIT */
/* text_steps - each step's lines. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/text.h"

/* Rows of a table beyond this are left to the record. */
enum { MAX_ROWS = 16, SPARK = 24 };

static void ns(struct nf_buf *out, const char *before, bool some, double value)
{
	nf_buf_adds(out, before);
	nf_text_ns(out, some, value);
}

static double percentile(const struct nf_rec_summary *s, double p)
{
	const struct nf_rec_percentile *v = s->percentiles.items;

	for (size_t i = 0; i < s->percentiles.n; i++)
		if (fabs(v[i].p - p) < 1e-9)
			return v[i].value;
	return (double)NAN;
}

/* min median p99 max, or that there is nothing. */
static void spread(struct nf_buf *out, const struct nf_rec_summary *s)
{
	if (!s) {
		nf_buf_adds(out, "no samples");
		return;
	}
	ns(out, "min ", true, s->min);
	ns(out, "  median ", true, s->median);
	double p99 = percentile(s, 99);
	ns(out, "  p99 ", isfinite(p99), p99);
	ns(out, "  max ", true, s->max);
	nf_buf_addf(out, "  n %" PRIu64 "  ", s->n);
	nf_text_sparkline(out, s->histogram.items, s->histogram.n);
}

/* has_limits: a budget may set one for this step. */
static void verdict(struct nf_buf *out, const struct nf_rec_facts *f, bool has_limits)
{
	const char *const *note = f->notes.items;

	if (f->reason)
		nf_buf_addf(out, "%s: %s\n", nf_text_result(f->result), f->reason);
	if (f->limit)
		nf_buf_addf(out, "limit: %s\n", f->limit);
	else if (has_limits)
		nf_buf_adds(out, "no limit set\n");
	uint64_t lost = f->dropped + f->saturated + f->truncated;
	if (lost > 0)
		nf_buf_addf(out,
		            "lost: %" PRIu64 " dropped, %" PRIu64 " saturated, %" PRIu64
		            " truncated\n",
		            f->dropped, f->saturated, f->truncated);
	for (size_t i = 0; i < f->notes.n; i++)
		nf_buf_addf(out, "note: %s\n", note[i]);
}

static void more(struct nf_buf *out, size_t n, const char *what)
{
	if (n > MAX_ROWS)
		nf_buf_addf(out, "... %zu more %s in the record\n", n - MAX_ROWS, what);
}

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
		ns(out, "  largest skew ", true, worst);
		ns(out, " +- ", true, unsure);
	}
	nf_buf_adds(out, "\n");
	for (size_t i = 0; i < b->reads.n && i < MAX_ROWS; i++) {
		nf_buf_addf(out, "%-26s ", read[i].name);
		spread(out, read[i].summary);
		nf_buf_adds(out, "\n");
	}
	verdict(out, f, false);
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
	verdict(out, f, true);
	return -(int)out->failed;
}

int nf_text_hwlat(const struct nf_rec_facts *f, const struct nf_rec_hwlat_body *b,
                  struct nf_buf *out)
{
	if (b->max_ns.some)
		ns(out, "longest gap ", true, (double)b->max_ns.v);
	else
		nf_buf_addf(out, "no gap over %" PRIu64 " us", b->threshold_us);
	nf_buf_addf(out, "  %" PRIu64 " reports, looking %" PRIu64 " us of every %" PRIu64 " us\n",
	            b->gaps, b->width_us, b->window_us);
	verdict(out, f, true);
	return -(int)out->failed;
}

int nf_text_noise(const struct nf_rec_facts *f, const struct nf_rec_noise_body *b,
                  struct nf_buf *out)
{
	const struct nf_rec_noise_worker *w = b->workers.items;

	nf_buf_adds(out, "noise ");
	nf_text_percent(out, b->noise_ratio.some, b->noise_ratio.v);
	ns(out, "  longest detour ", b->worst_detour_ns.some, b->worst_detour_ns.v);
	if (b->worst_cpu.some)
		nf_buf_addf(out, " on CPU %" PRIu64, b->worst_cpu.v);
	nf_buf_addf(out, "  (%s, work %" PRIu64 ")\n", b->kernel, b->work);
	for (size_t i = 0; i < b->workers.n && i < MAX_ROWS; i++) {
		nf_buf_addf(out, "cpu %-4" PRIu64 " ", w[i].cpu);
		spread(out, w[i].summary);
		nf_buf_adds(out, "  noise ");
		nf_text_percent(out, w[i].noise_ratio.some, w[i].noise_ratio.v);
		nf_buf_adds(out, "\n");
	}
	more(out, b->workers.n, "CPUs");
	verdict(out, f, true);
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
	ns(out, "  period ", true, (double)b->period_ns);
	ns(out, "  worst lateness ", isfinite(worst), worst);
	nf_buf_addf(out, "  missed %" PRIu64 " of %" PRIu64 "  (%s", missed, due,
	            policies[f->policy & 3]);
	if (f->priority)
		nf_buf_addf(out, " %" PRIu64, f->priority);
	nf_buf_adds(out, ")\n");
	for (size_t i = 0; i < b->workers.n && i < MAX_ROWS; i++) {
		nf_buf_addf(out, "cpu %-4" PRIu64 " lateness ", w[i].cpu);
		spread(out, w[i].lateness);
		if (w[i].missed)
			nf_buf_addf(out, "  missed %" PRIu64, w[i].missed);
		nf_buf_adds(out, "\n");
	}
	more(out, b->workers.n, "CPUs");
	verdict(out, f, true);
	return -(int)out->failed;
}

int nf_text_numa(const struct nf_rec_facts *f, const struct nf_rec_numa_body *b, struct nf_buf *out)
{
	static const char *const placements[] = { "flat", "local", "interleave", "remote" };
	const struct nf_rec_numa_bandwidth *w = b->bandwidth.items;

	ns(out, "serial ", b->serial != NULL, b->serial ? b->serial->median : 0);
	ns(out, "  parallel ", b->parallel != NULL, b->parallel ? b->parallel->median : 0);
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
		ns(out, "; threads start in ", true, b->thread_start->median);
	if (b->difference.some)
		nf_buf_addf(out, "; sums differ by %.3g", b->difference.v);
	nf_buf_adds(out, "\n");
	for (size_t i = 0; i < b->bandwidth.n && i < MAX_ROWS; i++)
		if (w[i].bytes_per_s.some)
			nf_buf_addf(out,
			            "CPUs of node %" PRIu64 " read memory of node %" PRIu64
			            " at %.2f GB/s\n",
			            w[i].cpu_node, w[i].mem_node, w[i].bytes_per_s.v * 1e-9);
	more(out, b->bandwidth.n, "node pairs");
	verdict(out, f, false);
	return -(int)out->failed;
}
