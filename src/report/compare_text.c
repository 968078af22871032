/* SPDX-License-Identifier: MIT */
#include "report/compare_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_VALUES = 20 };

/* How numbers of a unit are shown: nanoseconds in the unit that fits the largest. */
struct scale {
	const char *unit;
	double factor;
	int decimals; /* -1: six significant digits */
};

static struct scale scale_for(const char *unit, double largest)
{
	if (strcmp(unit, "ratio") == 0)
		return (struct scale){ "ratio", 1, 4 };
	if (strcmp(unit, "ns") != 0 || largest < 1e3)
		return (struct scale){ unit, 1, -1 };
	if (largest < 1e6)
		return (struct scale){ "us", 1e-3, 3 };
	return (struct scale){ "s", 1e-9, 6 };
}

static void number(const struct scale *s, double v, char *ret, size_t size)
{
	v *= s->factor;
	if (s->decimals < 0 && (v < 1e15 && v > -1e15) && v <= floor(v) && v >= ceil(v))
		snprintf(ret, size, "%.0f", v);
	else if (s->decimals < 0)
		snprintf(ret, size, "%.6g", v);
	else
		snprintf(ret, size, "%.*f", s->decimals, v);
}

static double largest_of(const struct nf_list *figures, const char *metric)
{
	const struct nf_rec_compare_figure *f = figures->items;
	double largest = 0;

	for (size_t i = 0; i < figures->n; i++)
		if (strcmp(f[i].metric, metric) == 0)
			largest = fmax(largest, fmax(fabs(f[i].min), fabs(f[i].max)));
	return largest;
}

const char *nf_compare_sentence(const struct nf_rec_compare_difference *d, size_t n_base,
                                size_t n_other, struct nf_arena *a)
{
	static const char *const said[] = { [NF_DIFF_UNDECIDED] = "cannot be told apart",
		                            [NF_DIFF_HURT] = "hurt",
		                            [NF_DIFF_HELPED] = "helped" };
	double largest = fabs(d->estimate);
	char estimate[64], lo[64], hi[64];
	struct scale s;

	if (d->lo.some)
		largest = fmax(largest, fmax(fabs(d->lo.v), fabs(d->hi.v)));
	s = scale_for(d->unit, largest);
	number(&s, d->estimate, estimate, sizeof(estimate));
	if (!d->lo.some)
		return nf_arena_printf(a,
		                       "%s against %s: %s: %s %s, and %zu and %zu values give no "
		                       "95 %% interval",
		                       d->other, d->base, said[d->verdict], estimate, s.unit,
		                       n_other, n_base);
	number(&s, d->lo.v, lo, sizeof(lo));
	number(&s, d->hi.v, hi, sizeof(hi));
	return nf_arena_printf(
	        a, "%s against %s: %s: %s %s, %.1f %% interval %s to %s (Hodges-Lehmann)", d->other,
	        d->base, said[d->verdict], estimate, s.unit, 100.0 * d->level.v, lo, hi);
}

/* " helped: a, b;" of one group, or nothing. */
static void add_verdict(const struct nf_rec_compare_run *r, const char *other, int verdict,
                        const char *words, struct nf_buf *out)
{
	const struct nf_rec_compare_difference *d = r->differences.items;
	bool any = false;

	for (size_t i = 0; i < r->differences.n; i++) {
		if (d[i].verdict != verdict || strcmp(d[i].other, other) != 0)
			continue;
		(void)nf_buf_addf(out, "%s%s", any ? ", " : words, d[i].metric);
		any = true;
	}
	if (any)
		(void)nf_buf_adds(out, ";");
}

const char *nf_compare_conclusion(const struct nf_rec_compare_run *r, struct nf_arena *a)
{
	const char *const *group = r->groups.items, *text;
	struct nf_buf out;

	nf_buf_init(&out, 1 << 20);
	for (size_t g = 1; g < r->groups.n; g++) {
		(void)nf_buf_addf(&out, "%s%s against %s:", g > 1 ? " " : "", group[g], group[0]);
		add_verdict(r, group[g], NF_DIFF_HELPED, " helped ", &out);
		add_verdict(r, group[g], NF_DIFF_HURT, " hurt ", &out);
		add_verdict(r, group[g], NF_DIFF_UNDECIDED, " cannot be told apart by ", &out);
		if (out.len_bytes && out.data[out.len_bytes - 1] == ':')
			(void)nf_buf_adds(&out, " no figure in common;");
	}
	if (r->groups.n < 2)
		(void)nf_buf_adds(&out, "one group, nothing to compare it with;");
	if (r->warnings.n)
		(void)nf_buf_addf(&out, " %zu warning%s", r->warnings.n,
		                  r->warnings.n > 1 ? "s" : "");
	else
		(void)nf_buf_adds(&out, " no warning");
	text = nf_arena_strndup(a, out.data, out.len_bytes);
	if (out.failed)
		a->failed = out.failed;
	nf_buf_fini(&out);
	return text ? text : "";
}

static void figure_line(const struct nf_rec_compare_figure *f, const struct scale *s, int width,
                        struct nf_buf *out)
{
	char min[64], max[64], mean[64], sd[64] = "-", median[64];
	const double *v = f->values.items;

	number(s, f->min, min, sizeof(min));
	number(s, f->max, max, sizeof(max));
	number(s, f->mean, mean, sizeof(mean));
	number(s, f->median, median, sizeof(median));
	if (f->sd.some)
		number(s, f->sd.v, sd, sizeof(sd));
	(void)nf_buf_addf(out, "  %-*s %5llu %12s %12s %12s %12s %12s\n", width, f->group,
	                  (unsigned long long)f->n, min, max, mean, sd, median);
	(void)nf_buf_addf(out, "  %-*s       values:", width, "");
	for (size_t i = 0; i < f->values.n && i < SHOWN_VALUES; i++) {
		number(s, v[i], min, sizeof(min));
		(void)nf_buf_addf(out, " %s", min);
	}
	(void)nf_buf_addf(out, "%s\n", f->values.n > SHOWN_VALUES ? " ..." : "");
}

static int group_width(const struct nf_rec_compare_run *r)
{
	const char *const *group = r->groups.items;
	size_t width = 8;

	for (size_t i = 0; i < r->groups.n; i++)
		width = strlen(group[i]) > width ? strlen(group[i]) : width;
	return width < 60 ? (int)width : 60;
}

static void warnings_text(const struct nf_rec_compare_run *r, struct nf_buf *out)
{
	const struct nf_rec_compare_warning *w = r->warnings.items;

	for (size_t i = 0; i < r->warnings.n; i++)
		(void)nf_buf_addf(out, "warning  %s: %s%s%s\n", w[i].id,
		                  w[i].group ? w[i].group : "", w[i].group ? ": " : "", w[i].text);
}

int nf_compare_text(const struct nf_rec_compare_run *r, struct nf_buf *out, struct nf_err *err)
{
	const struct nf_rec_compare_figure *f = r->figures.items;
	const struct nf_rec_compare_difference *d = r->differences.items;
	const struct nf_rec_compare_ratio *x = r->ratios.items;
	int width = group_width(r);

	(void)nf_buf_addf(out, "%s\n", r->conclusion);
	warnings_text(r, out);
	for (size_t i = 0; i < r->figures.n; i++) {
		bool first = i == 0 || strcmp(f[i - 1].metric, f[i].metric) != 0;
		bool last = i + 1 == r->figures.n || strcmp(f[i + 1].metric, f[i].metric) != 0;
		struct scale s = scale_for(f[i].unit, largest_of(&r->figures, f[i].metric));

		if (first)
			(void)nf_buf_addf(out, "\n%s, %s\n  %-*s %5s %12s %12s %12s %12s %12s\n",
			                  f[i].metric, s.unit, width, r->by, "n", "min", "max",
			                  "mean", "sd", "median");
		figure_line(&f[i], &s, width, out);
		for (size_t k = 0; last && k < r->differences.n; k++)
			if (strcmp(d[k].metric, f[i].metric) == 0)
				(void)nf_buf_addf(out, "  %s\n", d[k].sentence);
	}
	if (r->ratios.n)
		(void)nf_buf_addf(out, "\nserial over parallel\n  %-*s %15s %15s %17s\n", width,
		                  r->by, "mean of ratios", "ratio of means", "ratio of medians");
	for (size_t i = 0; i < r->ratios.n; i++)
		(void)nf_buf_addf(out, "  %-*s %15.4f %15.4f %17.4f\n", width, x[i].group,
		                  x[i].mean_of_ratios, x[i].ratio_of_means, x[i].ratio_of_medians);
	return nf_buf_failed(out, "a comparison", err);
}
