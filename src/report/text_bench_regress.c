/* SPDX-License-Identifier: MIT */
#include "report/text_bench_regress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "report/text.h"
#include "report/text_bench.h"
#include "report/text_fit.h"

enum { LABEL = 12, NAME = 23, VALUE = 10, CHANGE = 10, BOUND = 9, IN_A_LINE = 5 };

static const char *const verdicts[] = { "INCONCLUSIVE", "WITHIN", "NOT CONFIRMED", "REGRESSED",
	                                "NEW",          "GONE",   "STORED",        "FAILED" };

/* "BENCH/4T KNOB=value" of each. */
struct labels {
	const struct nf_rec_bench_judged *judged;
	char **text; /* owned, with what it holds; NULL: no memory for it */
	size_t n;
};

static void make_labels(const struct nf_list *judged, struct labels *ret)
{
	*ret = (struct labels){ .judged = judged->items,
		                .text = calloc(judged->n + 1, sizeof(*ret->text)),
		                .n = judged->n };
	for (size_t i = 0; ret->text && i < judged->n; i++) {
		const struct nf_rec_bench_judged *j = &ret->judged[i];
		const char *const *knob = j->knobs.items;
		struct nf_buf name;

		nf_buf_init(&name, 1 << 20);
		nf_buf_adds(&name, j->bench);
		if (j->threads.some)
			nf_buf_addf(&name, "/%" PRIu64 "T", j->threads.v);
		for (size_t k = 0; k < j->knobs.n; k++)
			nf_buf_addf(&name, " %s", knob[k]);
		ret->text[i] = nf_buf_steal(&name);
	}
}

static void free_labels(struct labels *l)
{
	for (size_t i = 0; l->text && i < l->n; i++)
		free(l->text[i]);
	free(l->text);
}

static const char *label_of(const void *ctx, size_t i)
{
	const struct labels *l = ctx;

	return l->text && l->text[i] ? l->text[i] : l->judged[i].bench;
}

static void age(struct nf_buf *out, struct nf_some_real s)
{
	static const struct {
		double s;
		const char *one;
	} unit[] = { { 86400, "day" }, { 3600, "hour" }, { 60, "minute" }, { 1, "second" } };
	size_t i = 0;

	if (!s.some || s.v < 0) {
		nf_buf_adds(out, "an unknown time");
		return;
	}
	while (i + 1 < sizeof(unit) / sizeof(*unit) && s.v < 2 * unit[i].s)
		i++;
	double n = floor(s.v / unit[i].s);
	nf_buf_addf(out, "%.0f %s%s", n, unit[i].one, n == 1 ? "" : "s");
}

static double first_of(const struct nf_list *l, size_t i)
{
	return ((const double *)l->items)[i];
}

static void stored(const struct nf_rec_bench_judged *j, struct nf_buf *out)
{
	nf_buf_addf(out, "  stored    %zu session%s, ", j->stored.n, j->stored.n == 1 ? "" : "s");
	if (j->stored_median.some) {
		nf_text_bench_value(out, j->unit, true, j->stored_median.v);
		if (j->sd_ln.some)
			nf_buf_addf(out, " +- %.2g %%", 100 * j->sd_ln.v);
		nf_buf_adds(out, ", ");
	}
	nf_buf_adds(out, "the last ");
	age(out, j->newest_age_s);
	nf_buf_adds(out, " old");
	if (j->newest_commit)
		nf_buf_addf(out, "\n            of commit %.12s%s", j->newest_commit,
		            j->newest_dirty.some && j->newest_dirty.v ? " with changes" : "");
	nf_buf_adds(out, "\n");
	if (j->boots == 1 && j->stored.n > 1)
		nf_buf_adds(out,
		            "            all of one boot: how boots differ is not in the bound\n");
}

static void measured(const struct nf_rec_bench_judged *j, struct nf_buf *out)
{
	const double *x = j->sessions.items;
	double min = x[0], max = x[0];

	nf_buf_adds(out, "  now       ");
	for (size_t i = 0; i < j->sessions.n && j->sessions.n <= IN_A_LINE; i++) {
		nf_buf_adds(out, i ? ", " : "");
		nf_text_bench_value(out, j->unit, true, x[i]);
	}
	for (size_t i = 0; i < j->sessions.n; i++) {
		min = fmin(min, x[i]);
		max = fmax(max, x[i]);
	}
	if (j->sessions.n > IN_A_LINE) {
		nf_buf_addf(out, "%zu sessions, ", j->sessions.n);
		nf_text_bench_value(out, j->unit, true, min);
		nf_buf_adds(out, " to ");
		nf_text_bench_value(out, j->unit, true, max);
	}
	if (j->ratio.some)
		nf_buf_addf(out, ": %+.2f %%%s", 100 * (j->ratio.v - 1),
		            j->higher_is_better ? " of one over it (larger is better)" : "");
	nf_buf_adds(out, "\n");
}

/* How much slower than the stored median a bound is. */
static double beyond(const struct nf_rec_bench_judged *j, double bound)
{
	return (j->higher_is_better ? j->stored_median.v / bound : bound / j->stored_median.v) - 1;
}

static void bounds(const struct nf_rec_bench_judged *j, struct nf_buf *out)
{
	if (!j->first_bound.some || !j->stored_median.some)
		return;
	nf_buf_addf(out, "  bound     %+.2f %% for one session, %+.2f %% for two\n",
	            100 * beyond(j, j->first_bound.v), 100 * beyond(j, j->second_bound.v));
	nf_buf_addf(out,
	            "  resolves  a slowdown of %.2g %% would be found in about 80 %% of runs\n",
	            100 * j->detectable_ratio.v);
}

static void block(const struct nf_text_names *names, size_t i, bool saving, struct nf_buf *out)
{
	const struct nf_rec_bench_judged *j = ((const struct labels *)names->ctx)->judged + i;

	nf_text_names_put(out, names, i, NF_TEXT_NAME_COLUMNS, false);
	nf_buf_adds(out, "\n");
	if (j->stored.n && !saving)
		stored(j, out);
	if (j->sessions.n)
		measured(j, out);
	bounds(j, out);
	nf_buf_addf(out, "  verdict   %s\n", verdicts[j->verdict]);
	if (j->reason) {
		nf_buf_addf(out, "%*s%s\n", LABEL, "", j->reason);
	}
}

static void row(const struct nf_text_names *names, size_t i, struct nf_buf *out)
{
	const struct nf_rec_bench_judged *j = ((const struct labels *)names->ctx)->judged + i;
	bool bound = j->first_bound.some && j->stored_median.some;
	struct nf_some_real now = { 0 }, limit = { 0 };

	if (j->sessions.n)
		now = nf_some_real(first_of(&j->sessions, j->sessions.n - 1));
	nf_text_names_put(out, names, i, NAME, true);
	nf_text_bench_cell(out, j->unit, j->stored_median.some, j->stored_median.v, VALUE);
	nf_buf_adds(out, " ->");
	nf_text_bench_cell(out, j->unit, now.some, now.v, VALUE);
	nf_text_bench_change(out, j->ratio, CHANGE);
	if (bound)
		limit = nf_some_real(1 + beyond(j, j->first_bound.v));
	nf_text_bench_change(out, limit, BOUND);
	nf_buf_addf(out, " %s\n", verdicts[j->verdict]);
}

static void rule(const struct nf_rec_bench_regress *r, struct nf_buf *out)
{
	const struct nf_rec_bench_against *b = &r->baseline;
	const struct nf_rec_bench_judged *j = r->judged.items;
	bool larger = false;

	if (b->saves) {
		nf_buf_addf(out, "%" PRIu64 " session%s stored; the baseline holds %" PRIu64 ".\n",
		            b->stored_now, b->stored_now == 1 ? "" : "s",
		            b->sessions + b->stored_now);
	} else if (b->threshold_ratio.some) {
		nf_buf_addf(out,
		            "Plain threshold: REGRESSED is a median more than %.3g %% above the "
		            "stored one.\n",
		            100 * b->threshold_ratio.v);
		for (size_t i = 0; i < r->judged.n; i++)
			larger = larger || j[i].higher_is_better;
		if (larger)
			nf_buf_addf(out,
			            "Where larger is better: one below it by a factor of more than "
			            "%.4g.\n",
			            1 + b->threshold_ratio.v);
		nf_buf_adds(out, "Noise alone may do that; nothing is said of how often.\n");
	} else {
		nf_buf_addf(out,
		            "At most %.3g %% of such runs call something slower that is not, by "
		            "%.3g %%.\n",
		            100 * b->alpha, 100 * b->delta_ratio);
	}
}

static void sentence(const struct nf_rec_bench_regress *r, bool saving, struct nf_buf *out)
{
	static const char *const words[] = { "not decided",   "within the bound",
		                             "not confirmed", "regressed",
		                             "new",           "gone",
		                             "stored",        "failed" };
	static const int order[] = { NF_JUDGED_FAILED,        NF_JUDGED_REGRESSED,
		                     NF_JUDGED_NOT_CONFIRMED, NF_JUDGED_WITHIN,
		                     NF_JUDGED_STORED,        NF_JUDGED_NEW,
		                     NF_JUDGED_GONE,          NF_JUDGED_INCONCLUSIVE };
	const struct nf_rec_bench_judged *j = r->judged.items;
	size_t count[sizeof(words) / sizeof(*words)] = { 0 };
	const char *gap = "";

	for (size_t i = 0; i < r->judged.n; i++)
		count[j[i].verdict]++;
	nf_buf_addf(out, "\n%zu %s: ", r->judged.n, saving ? "measured" : "compared");
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		if (count[order[i]]) {
			nf_buf_addf(out, "%s%zu %s", gap, count[order[i]], words[order[i]]);
			gap = ", ";
		}
	nf_buf_adds(out, ".\n");
	rule(r, out);
	nf_text_bench_left_out(&r->variants, out);
	nf_text_bench_shells(&r->variants, out);
	if (r->head.state == NF_STATE_PARTIAL)
		nf_buf_adds(out, "Stopped before the planned end.\n");
}

int nf_text_bench_regress(const struct nf_rec_bench_regress *r, struct nf_buf *out)
{
	struct labels labels;
	struct nf_text_names names = { .name = label_of, .ctx = &labels, .n = r->judged.n };
	size_t from = out->len_bytes;
	bool saving = r->baseline.saves;

	make_labels(&r->judged, &labels);
	nf_text_names_number(&names, NAME);
	for (size_t i = 0; i < names.n; i++)
		block(&names, i, saving, out);
	if (!saving) {
		nf_buf_addf(out, "\n%-*s%*s ->%*s%*s%*s %s\n", NAME, "name", VALUE, "stored", VALUE,
		            "now", CHANGE, "change", BOUND, "bound", "verdict");
		for (size_t i = 0; i < names.n; i++)
			row(&names, i, out);
	}
	sentence(r, saving, out);
	nf_text_fit(out, from, 0);
	free_labels(&labels);
	return -(int)out->failed;
}
