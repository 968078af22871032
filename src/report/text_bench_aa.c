/* SPDX-License-Identifier: MIT */
#include "report/text_bench_aa.h"

#include <inttypes.h>

#include "report/text_fit.h"

static void row(const struct nf_rec_aa_score *s, struct nf_buf *out)
{
	nf_buf_addf(out, "%-16s%7" PRIu64 "%6" PRIu64 "%14" PRIu64 "%11" PRIu64 "%10" PRIu64,
	            s->name, s->trials, s->same, s->inconclusive, s->regressed, s->improved);
	if (s->set_cv_ratio.some)
		nf_buf_addf(out, "%10.2f %%", 100 * s->set_cv_ratio.v);
	nf_buf_adds(out, "\n");
}

static void words(const struct nf_rec_aa_score *s, struct nf_buf *out)
{
	if (s->trials == 0)
		return;
	nf_buf_addf(out, "\n%s: %s in %" PRIu64 " of %" PRIu64, s->name,
	            s->slowdown_ratio > 0 ? "REGRESSED" : "SAME", s->found, s->trials);
	if (s->expected_ratio.some)
		nf_buf_addf(out, ", expected with sets that scatter so %.0f %%",
		            100 * s->expected_ratio.v);
	nf_buf_addf(out, "\n  wrong     %" PRIu64 " of %" PRIu64, s->wrong, s->trials);
	if (s->wrong_hi_ratio.some)
		nf_buf_addf(out, ": the share is below %.2g %% (99 %% bound)",
		            100 * s->wrong_hi_ratio.v);
	nf_buf_adds(out, "\n");
	if (s->reason)
		nf_buf_addf(out, "  %s      %s\n", s->result == NF_RESULT_FAIL ? "FAIL" : "note",
		            s->reason);
}

int nf_text_bench_aa(const struct nf_rec_selftest_aa *r, struct nf_buf *out)
{
	const struct nf_rec_aa_score *s = r->scores.items;
	const struct nf_rec_bench_variant *v = r->variants.items;

	size_t from = out->len_bytes;

	nf_buf_addf(out, "%-16s%7s%6s%14s%11s%10s%12s\n", "", "trials", "SAME", "INCONCLUSIVE",
	            "REGRESSED", "IMPROVED", "CV of sets");
	for (size_t i = 0; i < r->scores.n; i++)
		row(&s[i], out);
	for (size_t i = 0; i < r->scores.n; i++)
		words(&s[i], out);
	for (size_t i = 0; i < r->variants.n; i++)
		if (v[i].failure)
			nf_buf_addf(out, "\n%s FAILED: %s\n", v[i].label, v[i].failure);
	nf_buf_addf(out,
	            "\nEach trial is a `bench compare` of %" PRIu64 " pairs of sets of %" PRIu64
	            " values;\nat most %.3g %% of them may call something changed that is not, by "
	            "%.3g %%.\n",
	            r->plan.sets, r->plan.iterations, 100 * r->rule.alpha,
	            100 * r->rule.delta_ratio);
	if (r->head.state == NF_STATE_PARTIAL)
		nf_buf_adds(out, "Stopped before the planned end.\n");
	nf_text_fit(out, from, 0);
	return -(int)out->failed;
}
