/* SPDX-License-Identifier: MIT */
#include "report/text_bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/columns.h"
#include "report/text.h"
#include "report/text_bench_sched.h"
#include "report/text_fit.h"

enum { NAME_COLUMNS = 28, CELL = 11 };

static const char *label_of(const void *ctx, size_t i)
{
	return ((const struct nf_rec_bench_variant *)ctx)[i].label;
}

void nf_text_bench_value(struct nf_buf *out, const char *unit, bool some, double value)
{
	static const char *const prefix[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	size_t i = 0;

	if (!some || !unit || strcmp(unit, "ns") == 0) {
		nf_text_ns(out, some, value);
	} else if (strcmp(unit, "bytes") == 0) {
		for (; value >= 1024 && i + 1 < sizeof(prefix) / sizeof(*prefix); i++)
			value /= 1024;
		nf_buf_addf(out, "%.3g %s", value, prefix[i]);
	} else {
		nf_buf_addf(out, "%.4g %s", value, unit);
	}
}

void nf_text_bench_cell(struct nf_buf *out, const char *unit, bool some, double value, size_t width)
{
	size_t from = out->len_bytes;
	bool plain = some && unit && strcmp(unit, "ns") != 0 && strcmp(unit, "bytes") != 0;

	if (!some)
		nf_buf_adds(out, "-");
	else if (!plain)
		nf_text_bench_value(out, unit, true, value);
	/* A unit that finds no room is said elsewhere. */
	for (int digits = 4; plain && digits >= 2; digits--) {
		size_t begin = out->len_bytes;

		nf_buf_addf(out, "%.*g%s%s", digits < 3 ? 3 : digits, value, digits < 3 ? "" : " ",
		            digits < 3 ? "" : unit);
		if (out->failed || digits < 3 ||
		    nf_columns(out->data + begin, out->len_bytes - begin) < width)
			break;
		out->len_bytes = begin;
		out->data[begin] = '\0';
	}
	nf_text_right(out, from, width);
}

void nf_text_bench_change(struct nf_buf *out, struct nf_some_real ratio, size_t width)
{
	size_t from = out->len_bytes;

	bool fits = ratio.some && snprintf(NULL, 0, "%+.1f %%", 100 * (ratio.v - 1)) < (int)width;

	if (!ratio.some)
		nf_buf_adds(out, "-");
	else if (fits && ratio.v < 100)
		nf_buf_addf(out, "%+.1f %%", 100 * (ratio.v - 1));
	else
		nf_buf_addf(out, ratio.v < 1000 ? "x %.3g" : "x %.0e", ratio.v);
	nf_text_right(out, from, width);
}

void nf_text_bench_interval(struct nf_buf *out, struct nf_some_real lo, struct nf_some_real hi,
                            size_t width)
{
	size_t from = out->len_bytes;

	if (!lo.some || !hi.some)
		nf_buf_adds(out, "-");
	else if (hi.v < 10)
		nf_buf_addf(out, "%+.1f..%+.1f", 100 * (lo.v - 1), 100 * (hi.v - 1));
	else
		nf_buf_addf(out, hi.v < 1000 ? "x %.3g..%.3g" : "x %.0e..%.0e", lo.v, hi.v);
	nf_text_right(out, from, width);
}

static void cell(struct nf_buf *out, const char *unit, bool some, double value)
{
	nf_text_bench_cell(out, unit, some, value, CELL);
}

static void percent_cell(struct nf_buf *out, struct nf_some_real v)
{
	size_t from = out->len_bytes;

	nf_text_percent(out, v.some, v.v);
	nf_text_right(out, from, CELL);
}

/* --- one benchmark --- */

static void process(const struct nf_rec_bench_variant *v, struct nf_buf *out)
{
	if (!v->user || !v->system)
		return;
	nf_buf_adds(out, "  cpu      user ");
	nf_text_ns(out, true, v->user->median);
	nf_buf_adds(out, ", system ");
	nf_text_ns(out, true, v->system->median);
	nf_buf_adds(out, "; peak memory ");
	if (v->peak)
		nf_text_bench_value(out, "bytes", true, v->peak->max);
	else
		nf_buf_adds(out, "no more than this program's own");
	nf_buf_adds(out, "\n");
}

void nf_text_bench_memory(const struct nf_rec_bench_variant *v, struct nf_buf *out)
{
	static const char *const by[] = { [NF_MEMORY_PSS] = "PSS", [NF_MEMORY_RSS] = "RSS" };

	if (v->backend == NF_BENCH_BUILTIN)
		return;
	nf_buf_adds(out, "  memory   all processes together ");
	if (!v->tree_peak_bytes.some) {
		nf_buf_adds(out, "unknown: ended before it was looked\n");
		return;
	}
	if (v->tree_peak_method == NF_MEMORY_CGROUP) {
		nf_text_bench_value(out, "bytes", true, v->tree_peak_bytes.v);
		nf_buf_adds(out, ", by a control group\n");
		return;
	}
	nf_buf_adds(out, "at least ");
	nf_text_bench_value(out, "bytes", true, v->tree_peak_bytes.v);
	nf_buf_addf(out, ", of %" PRIu64 " sample%s of %s\n", v->tree_peak_samples,
	            v->tree_peak_samples == 1 ? "" : "s", by[v->tree_peak_method]);
}

void nf_text_bench_shell(const struct nf_rec_bench_variant *v, struct nf_buf *out)
{
	if (!v->shell_ns.some)
		return;
	nf_buf_adds(out, "  shell    alone ");
	nf_text_ns(out, true, v->shell_ns.v);
	nf_buf_adds(out, " (median); the times above have it in them\n");
}

void nf_text_bench_shells(const struct nf_list *variants, struct nf_buf *out)
{
	const struct nf_rec_bench_variant *v = variants->items;
	double lo = (double)INFINITY, hi = 0;

	for (size_t i = 0; i < variants->n; i++)
		if (v[i].shell_ns.some) {
			lo = fmin(lo, v[i].shell_ns.v);
			hi = fmax(hi, v[i].shell_ns.v);
		}
	if (!isfinite(lo))
		return;
	nf_buf_adds(out, "A shell alone takes ");
	nf_text_ns(out, true, lo);
	if (hi > lo) {
		nf_buf_adds(out, " to ");
		nf_text_ns(out, true, hi);
	}
	nf_buf_adds(out, " (medians); the times above have it in them.\n");
}

/* Both sides of a comparison, and its null row, are one benchmark. */
static bool told(const struct nf_rec_bench_variant *v, size_t n)
{
	for (size_t i = 0; i < n && v[n].bench; i++)
		if (v[i].unsupported && v[i].bench && strcmp(v[i].bench, v[n].bench) == 0)
			return true;
	return false;
}

void nf_text_bench_left_out(const struct nf_list *variants, struct nf_buf *out)
{
	const struct nf_rec_bench_variant *v = variants->items;

	for (size_t i = 0; i < variants->n; i++)
		if (v[i].unsupported && !told(v, i))
			nf_buf_addf(out, "Left out: %s: %s.\n",
			            v[i].bench ? v[i].bench : v[i].label, v[i].unsupported);
}

static void block(const struct nf_text_names *names, size_t i, struct nf_buf *out)
{
	const struct nf_rec_bench_variant *v = (const struct nf_rec_bench_variant *)names->ctx + i;
	const struct nf_rec_summary *s = v->summary;

	nf_text_names_put(out, names, i, NF_TEXT_NAME_COLUMNS, false);
	nf_buf_adds(out, "\n");
	if (v->failure) {
		nf_buf_adds(out, "  FAILED   ");
		nf_text_clip(out, v->failure, NF_TEXT_NAME_COLUMNS, false);
		nf_buf_adds(out, "\n");
	}
	if (!s) {
		if (!v->failure)
			nf_buf_adds(out, "  not reached\n");
		return;
	}
	nf_buf_adds(out, "  median   ");
	nf_text_bench_value(out, v->unit, true, s->median);
	if (s->median_ci_lo.some && s->median_ci_hi.some && s->median_ci_level.some) {
		nf_buf_addf(out, " (%.3g %% interval ", 100 * s->median_ci_level.v);
		nf_text_bench_value(out, v->unit, true, s->median_ci_lo.v);
		nf_buf_adds(out, " to ");
		nf_text_bench_value(out, v->unit, true, s->median_ci_hi.v);
		nf_buf_adds(out, ")");
	}
	if (v->higher_is_better)
		nf_buf_adds(out, "; larger is better");
	nf_buf_addf(out, "\n  values   %" PRIu64 " in %" PRIu64 " sets: min ", s->n, v->sets);
	nf_text_bench_value(out, v->unit, true, s->min);
	nf_buf_adds(out, ", mean ");
	nf_text_bench_value(out, v->unit, true, s->mean);
	nf_buf_adds(out, ", max ");
	nf_text_bench_value(out, v->unit, true, s->max);
	nf_buf_adds(out, "\n  sets     median of set medians ");
	nf_text_bench_value(out, v->unit, v->median_of_set_medians.some,
	                    v->median_of_set_medians.v);
	nf_buf_adds(out, ", CV ");
	nf_text_percent(out, v->set_cv_ratio.some, v->set_cv_ratio.v);
	nf_buf_adds(out, "\n");
	process(v, out);
	nf_text_bench_memory(v, out);
	nf_text_bench_shell(v, out);
}

static void row(const struct nf_text_names *names, size_t i, struct nf_buf *out)
{
	const struct nf_rec_bench_variant *v = (const struct nf_rec_bench_variant *)names->ctx + i;
	const struct nf_rec_summary *s = v->summary;

	nf_text_names_put(out, names, i, NAME_COLUMNS - 1, true);
	nf_buf_addc(out, ' ');
	if (v->failure || !s) {
		nf_buf_adds(out, v->failure ? "     FAILED\n" : "          -\n");
		return;
	}
	cell(out, v->unit, true, s->median);
	cell(out, v->unit, s->median_ci_lo.some, s->median_ci_lo.v);
	cell(out, v->unit, s->median_ci_hi.some, s->median_ci_hi.v);
	percent_cell(out, v->set_cv_ratio);
	nf_buf_adds(out, "\n");
}

int nf_text_bench_run(const struct nf_rec_bench_run *r, struct nf_buf *out)
{
	const struct nf_rec_bench_variant *v = r->variants.items;
	struct nf_text_names names = { .name = label_of, .ctx = v, .n = r->variants.n };
	size_t failed = 0, n = 0, from = out->len_bytes;

	nf_text_names_number(&names, NAME_COLUMNS - 1);
	for (size_t i = 0; i < r->variants.n; i++) {
		if (v[i].unsupported)
			continue;
		block(&names, i, out);
		failed += v[i].failure != NULL;
		n++;
	}
	if (n > 1) {
		nf_buf_addf(out, "\n%-*s%*s%*s%*s%*s\n", NAME_COLUMNS, "name", CELL, "median", CELL,
		            "from", CELL, "to", CELL, "CV of sets");
		for (size_t i = 0; i < r->variants.n; i++)
			if (!v[i].unsupported)
				row(&names, i, out);
	}
	nf_buf_adds(out, "\n");
	nf_text_bench_sched(r, out);
	nf_text_bench_left_out(&r->variants, out);
	nf_buf_addf(out, "%zu benchmark%s", n, n == 1 ? "" : "s");
	if (failed)
		nf_buf_addf(out, ", %zu failed", failed);
	if (r->head.state == NF_STATE_PARTIAL)
		nf_buf_adds(out, "; stopped before the planned end");
	nf_buf_adds(out, "\n");
	nf_text_fit(out, from, 0);
	return -(int)out->failed;
}
