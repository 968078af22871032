/* SPDX-License-Identifier: MIT */
#include "report/text_bench_sweep.h"

#include <inttypes.h>
#include <string.h>

#include "report/text.h"
#include "report/text_bench.h"
#include "report/text_fit.h"

enum { NAME = 28, VALUE = 9, CHANGE = 10, INTERVAL = 17, P = 8 };

static const char *const marks[] = { "open", "same", "SLOWER", "FASTER", "base", "FAILED" };

static const char *label_of(const void *ctx, size_t i)
{
	return ((const struct nf_rec_sweep_point *)ctx)[i].label;
}

static void row(const struct nf_rec_bench_sweep *r, const struct nf_text_names *names, size_t i,
                struct nf_buf *out)
{
	const struct nf_rec_sweep_point *p = (const struct nf_rec_sweep_point *)names->ctx + i;
	const struct nf_rec_bench_variant *v = r->variants.items;
	size_t from;

	nf_text_names_put(out, names, i, NAME, true);
	nf_text_bench_cell(out, v[p->variant].unit, p->median.some, p->median.v, VALUE);
	nf_text_bench_change(out, p->ratio, CHANGE);
	nf_text_bench_interval(out, p->ratio_lo, p->ratio_hi, INTERVAL);
	from = out->len_bytes;
	if (p->p_bh.some)
		nf_buf_addf(out, p->p_bh.v < 0.001 ? "%.0e" : "%.3f", p->p_bh.v);
	else
		nf_buf_adds(out, "-");
	nf_text_right(out, from, P);
	nf_buf_addf(out, " %s\n", marks[p->mark]);
}

/* --- what it amounts to --- */

static void extreme(const struct nf_text_names *names, const char *word, struct nf_some_nat which,
                    struct nf_buf *out)
{
	const struct nf_rec_sweep_point *all = names->ctx, *p;
	bool marked;

	if (!which.some)
		return;
	p = &all[which.v];
	marked = p->mark == NF_SWEEP_SLOWER || p->mark == NF_SWEEP_FASTER;
	nf_buf_addf(out, "%-6s ", word);
	nf_text_names_put(out, names, which.v, NF_TEXT_NAME_COLUMNS, false);
	if (p->mark == NF_SWEEP_BASE)
		nf_buf_adds(out, ", the base itself\n");
	else
		nf_buf_addf(out, ", %+.1f %%%s\n", 100 * (p->ratio.v - 1),
		            marked ? "" : ", not told from the base");
}

static void sentence(const struct nf_rec_bench_sweep *r, struct nf_buf *out)
{
	static const int order[] = { NF_SWEEP_FAILED, NF_SWEEP_SLOWER, NF_SWEEP_FASTER,
		                     NF_SWEEP_SAME, NF_SWEEP_OPEN };
	static const char *const words[] = { "open", "the same", "slower", "faster", "", "failed" };
	const struct nf_rec_sweep_point *p = r->points.items;
	size_t count[sizeof(words) / sizeof(*words)] = { 0 };
	bool first = true;

	for (size_t i = 0; i < r->points.n; i++)
		count[p[i].mark]++;
	nf_buf_addf(out, "\n%zu points against the base: ", r->points.n - 1);
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		if (count[order[i]]) {
			nf_buf_addf(out, "%s%zu %s", first ? "" : ", ", count[order[i]],
			            words[order[i]]);
			first = false;
		}
	nf_buf_addf(out,
	            ".\nMarked at a false discovery rate of %.3g %% (Benjamini-Hochberg), for more "
	            "than %.3g %%.\nIntervals: %.4g %%, each by itself.\n",
	            100 * r->bh_q, 100 * r->rule.delta_ratio, 100 * (1 - 2 * r->rule.alpha));
}

static void history(const struct nf_rec_bench_sweep *r, struct nf_buf *out)
{
	const struct nf_rec_sweep_point *p = r->points.items;
	const struct nf_rec_bench_variant *v = r->variants.items;
	uint64_t left_out = 0;

	if (r->sessions.n > 1)
		nf_buf_addf(
		        out,
		        "Made in %zu sessions; sets that were interrupted and run again: %zu.\n",
		        r->sessions.n, r->interrupted.n);
	for (size_t i = 0; i < r->points.n; i++)
		if (p[i].pairs_discarded > left_out)
			left_out = p[i].pairs_discarded;
	if (left_out)
		nf_buf_addf(out,
		            "Rows left out, as the system disturbed them or an interruption "
		            "parted them: %" PRIu64 ".\n",
		            left_out);
	for (size_t i = 0; i < r->variants.n; i++)
		if (v[i].higher_is_better) {
			nf_buf_addf(
			        out,
			        "Larger is better, in %s: changes are of one over the values, so "
			        "+ is worse.\n",
			        v[i].unit);
			break;
		}
	nf_text_bench_shells(&r->variants, out);
	if (r->head.state == NF_STATE_PARTIAL)
		nf_buf_adds(out, "Stopped before the planned end.\n");
}

static void ceilings(const struct nf_rec_bench_sweep *r, struct nf_buf *out)
{
	const char *const *text = r->ceilings.items;

	for (size_t i = 0; i < r->ceilings.n; i++)
		nf_buf_addf(out, "claim  %s.\n", text[i]);
}

int nf_text_bench_sweep(const struct nf_rec_bench_sweep *r, struct nf_buf *out)
{
	struct nf_text_names names = { .name = label_of, .ctx = r->points.items, .n = r->points.n };
	size_t from = out->len_bytes;

	nf_text_names_number(&names, NAME);
	nf_buf_addf(out, "%-*s%*s%*s%*s%*s mark\n", NAME, "point", VALUE, "median", CHANGE,
	            "change", INTERVAL, "interval, %", P, "p (BH)");
	for (size_t i = 0; i < names.n; i++)
		row(r, &names, i, out);
	nf_text_names_legend(out, &names, "point");
	nf_text_sweep_map(r, out);
	sentence(r, out);
	extreme(&names, "best", r->best, out);
	extreme(&names, "worst", r->worst, out);
	history(r, out);
	ceilings(r, out);
	nf_text_fit(out, from, 0);
	return -(int)out->failed;
}
