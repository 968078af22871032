/* SPDX-License-Identifier: MIT */
/* text_bench_compare - old against new. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "report/text.h"
#include "report/text_bench.h"
#include "report/text_fit.h"

enum { NAME = 13, VALUE = 9, CHANGE = 9, INTERVAL = 16, P = 8 };

static const char *const verdicts[] = { "INCONCLUSIVE", "SAME", "REGRESSED", "IMPROVED",
	                                "NEW",          "GONE", "FAILED" };

/* NEW or GONE: nothing was measured. */
static bool one_sided(const struct nf_rec_bench_comparison *c)
{
	return !c->old_variant.some || !c->new_variant.some;
}

static void change(struct nf_buf *out, struct nf_some_real ratio)
{
	if (ratio.some)
		nf_buf_addf(out, "%+.2f %%", 100 * (ratio.v - 1));
	else
		nf_buf_adds(out, "unknown");
}

static const char *name_of(const void *ctx, size_t i)
{
	return ((const struct nf_rec_bench_comparison *)ctx)[i].name;
}

static void p_value(struct nf_buf *out, struct nf_some_real p)
{
	if (p.some)
		nf_buf_addf(out, p.v < 0.0001 ? "%.0e" : "%.4f", p.v);
	else
		nf_buf_adds(out, "-");
}

/* --- one benchmark --- */

static void expectation(const struct nf_rec_bench_comparison *c,
                        const struct nf_rec_bench_rule *rule, struct nf_buf *out)
{
	if (!c->set_cv_ratio.some || !c->same_ratio.some)
		return;
	nf_buf_addf(out,
	            "  expect    sets scatter by %.2g %%: with %" PRIu64 " pairs, two that do not "
	            "differ\n            are found SAME within %.3g %% ",
	            100 * c->set_cv_ratio.v, c->pairs, 100 * rule->delta_ratio);
	if (c->same_ratio.v > 0.99)
		nf_buf_adds(out, "nearly always\n");
	else if (c->same_ratio.v < 0.01)
		nf_buf_adds(out, "hardly ever\n");
	else
		nf_buf_addf(out, "in about %.0f %% of runs\n", 100 * c->same_ratio.v);
}

/* of: whose values they are. */
static void numbers(const struct nf_rec_bench_comparison *c, const struct nf_rec_bench_rule *rule,
                    const struct nf_rec_bench_variant *of, struct nf_buf *out)
{
	const char *unit = of->unit;

	nf_buf_adds(out, "  medians   ");
	nf_text_bench_value(out, unit, c->old_median.some, c->old_median.v);
	nf_buf_adds(out, " -> ");
	nf_text_bench_value(out, unit, c->new_median.some, c->new_median.v);
	nf_buf_addf(out, ", of %" PRIu64 " pairs of sets\n  change    ", c->pairs);
	change(out, c->ratio);
	if (c->ratio_lo.some && c->ratio_hi.some) {
		nf_buf_addf(out, " (%.4g %% interval ",
		            100 * (1 - 2 * rule->alpha / (double)rule->looks));
		change(out, c->ratio_lo);
		nf_buf_adds(out, " to ");
		change(out, c->ratio_hi);
		nf_buf_adds(out, ")");
	}
	if (of->higher_is_better)
		nf_buf_adds(
		        out,
		        "\n            larger is better: of one over the values, so + is worse");
	if (c->p_holm.some) {
		nf_buf_adds(out, "\n  p         ");
		p_value(out, c->p_holm);
		nf_buf_addf(out, " for more than %.3g %% %s", 100 * rule->delta_ratio,
		            of->higher_is_better
		                    ? c->p_slower.v <= c->p_faster.v ? "worse" : "better"
		            : c->p_slower.v <= c->p_faster.v ? "slower"
		                                             : "faster");
	}
	nf_buf_adds(out, "\n");
	if (c->pairs_discarded)
		nf_buf_addf(out,
		            "  left out  %" PRIu64 " pairs in blocks that the system disturbed "
		            "(see the record)\n",
		            c->pairs_discarded);
}

static void block(const struct nf_rec_bench_compare *r, const struct nf_text_names *names, size_t i,
                  struct nf_buf *out)
{
	const struct nf_rec_bench_comparison *c =
	        (const struct nf_rec_bench_comparison *)names->ctx + i;
	const struct nf_rec_bench_variant *v = r->variants.items;

	nf_text_names_put(out, names, i, NF_TEXT_NAME_COLUMNS, false);
	nf_buf_adds(out, "\n");
	if (!one_sided(c) && !c->is_null) {
		nf_buf_adds(out, "  old       ");
		nf_text_clip(out, v[c->old_variant.v].label, NF_TEXT_NAME_COLUMNS, false);
		nf_buf_adds(out, "\n  new       ");
		nf_text_clip(out, v[c->new_variant.v].label, NF_TEXT_NAME_COLUMNS, false);
		nf_buf_adds(out, "\n");
	}
	if (c->failure) {
		nf_buf_adds(out, "  FAILED    ");
		nf_text_clip(out, c->failure, NF_TEXT_NAME_COLUMNS, false);
		nf_buf_adds(out, "\n");
		return;
	}
	if (c->pairs > 0)
		numbers(c, &r->rule, &v[c->old_variant.v], out);
	if (c->is_null) {
		nf_buf_addf(out, "  null row  %s\n",
		            !r->rule.null_fired.some ? "not reached"
		            : r->rule.null_fired.v   ? "FIRED: nothing is decided here"
		                                     : "quiet");
		return;
	}
	nf_buf_addf(out, "  verdict   %s\n", verdicts[c->verdict]);
	if (c->verdict == NF_BENCH_INCONCLUSIVE) {
		nf_buf_adds(out, "  resolves  ");
		if (c->mde_ratio.some)
			nf_buf_addf(out,
			            "a slowdown of %.2g %% would have been found in 80 %% of "
			            "runs\n",
			            100 * c->mde_ratio.v);
		else
			nf_buf_adds(out, "unknown: too few pairs\n");
	}
	expectation(c, &r->rule, out);
}

/* --- the table --- */

static void row(const struct nf_rec_bench_compare *r, const struct nf_text_names *names, size_t i,
                struct nf_buf *out)
{
	const struct nf_rec_bench_comparison *c =
	        (const struct nf_rec_bench_comparison *)names->ctx + i;
	const struct nf_rec_bench_variant *v = r->variants.items;
	const char *unit = one_sided(c) ? NULL : v[c->old_variant.v].unit;
	size_t from;

	nf_text_names_put(out, names, i, NAME, true);
	nf_text_bench_cell(out, unit, c->old_median.some, c->old_median.v, VALUE);
	nf_buf_adds(out, " ->");
	nf_text_bench_cell(out, unit, c->new_median.some, c->new_median.v, VALUE);
	nf_text_bench_change(out, c->ratio, CHANGE);
	nf_text_bench_interval(out, c->ratio_lo, c->ratio_hi, INTERVAL);
	from = out->len_bytes;
	p_value(out, c->p_holm);
	nf_text_right(out, from, P);
	nf_buf_addf(out, " %s\n", c->is_null ? "(null)" : verdicts[c->verdict]);
}

static void sentence(const struct nf_rec_bench_compare *r, struct nf_buf *out)
{
	static const char *const words[] = { "not decided", "the same", "regressed", "improved",
		                             "new",         "gone",     "failed" };
	static const int order[] = { NF_BENCH_FAILED,      NF_BENCH_REGRESSED, NF_BENCH_IMPROVED,
		                     NF_BENCH_SAME,        NF_BENCH_NEW,       NF_BENCH_GONE,
		                     NF_BENCH_INCONCLUSIVE };
	const struct nf_rec_bench_comparison *c = r->comparisons.items;
	size_t count[sizeof(words) / sizeof(*words)] = { 0 }, n = 0;
	bool first = true;

	for (size_t i = 0; i < r->comparisons.n; i++)
		if (!c[i].is_null) {
			count[c[i].verdict]++;
			n++;
		}
	nf_buf_addf(out, "\n%zu compared: ", n);
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		if (count[order[i]]) {
			nf_buf_addf(out, "%s%zu %s", first ? "" : ", ", count[order[i]],
			            words[order[i]]);
			first = false;
		}
	nf_buf_addf(
	        out,
	        ".\nAt most %.3g %% of such runs call something changed that is not, by %.3g %%.\n",
	        100 * r->rule.alpha, 100 * r->rule.delta_ratio);
	nf_text_bench_left_out(&r->variants, out);
	nf_text_bench_shells(&r->variants, out);
	if (r->head.state == NF_STATE_PARTIAL)
		nf_buf_adds(out, "Stopped before the planned end.\n");
}

int nf_text_bench_compare(const struct nf_rec_bench_compare *r, struct nf_buf *out)
{
	struct nf_text_names names = { .name = name_of,
		                       .ctx = r->comparisons.items,
		                       .n = r->comparisons.n };
	size_t from = out->len_bytes;

	nf_text_names_number(&names, NAME);
	for (size_t i = 0; i < names.n; i++)
		block(r, &names, i, out);
	nf_buf_addf(out, "\n%-*s%*s ->%*s%*s%*s%*s %s\n", NAME, "name", VALUE, "old", VALUE, "new",
	            CHANGE, "change", INTERVAL, "interval, %", P, "p", "verdict");
	for (size_t i = 0; i < names.n; i++)
		row(r, &names, i, out);
	sentence(r, out);
	nf_text_fit(out, from, 0);
	return -(int)out->failed;
}
