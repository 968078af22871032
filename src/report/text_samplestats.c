/* SPDX-License-Identifier: MIT */
/* text_samplestats - a row a worker, and how fwq-stats reads the same file. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/text.h"

enum { NAME_WIDTH = 16 };

/* Four digits that matter, without an exponent where it can be avoided. */
static void add_number(struct nf_buf *out, bool some, double v)
{
	char text[32];

	if (!some)
		snprintf(text, sizeof(text), "-");
	else if (fabs(v) >= 1e7)
		snprintf(text, sizeof(text), "%.2g", v);
	else if (fabs(v) >= 1000)
		snprintf(text, sizeof(text), "%.0f", v);
	else
		snprintf(text, sizeof(text), "%.4g", v);
	(void)nf_buf_addf(out, " %6s", text);
}

static void add_name(struct nf_buf *out, const char *name, const char *cpus)
{
	struct nf_buf text;

	nf_buf_init(&text, (size_t)1 << 17);
	(void)nf_buf_adds(&text, name);
	/* A stream's name says it already. */
	if (cpus && !strchr(name, '.'))
		(void)nf_buf_addf(&text, " on %s", cpus);
	(void)nf_buf_addf(out, "%-*s", NAME_WIDTH, text.data);
	if (text.failed && !out->failed)
		out->failed = text.failed;
	nf_buf_fini(&text);
}

static void add_heading(struct nf_buf *out, const char *unit)
{
	(void)nf_buf_addf(out, "%-*s%8s %6s %6s %6s %6s %6s %6s %6s %6s %6s  noise\n", NAME_WIDTH,
	                  unit, "n", "mean", "sd", "min", "25%", "50%", "75%", "99%", "99.9%",
	                  "max");
}

static void add_figures(struct nf_buf *out, const struct nf_rec_sample_figures *f)
{
	const double v[] = { f->min, f->p25, f->p50, f->p75, f->p99, f->p999, f->max };

	(void)nf_buf_addf(out, "%8" PRIu64, f->n);
	add_number(out, true, f->mean);
	add_number(out, f->sd.some, f->sd.v);
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		add_number(out, true, v[i]);
}

static void add_worker(struct nf_buf *out, const struct nf_rec_sample_worker *w)
{
	add_name(out, w->name, w->cpus);
	if (w->figures) {
		add_figures(out, w->figures);
		if (w->noise_ratio.some)
			(void)nf_buf_addf(out, " %5.3g%%", 100 * w->noise_ratio.v);
	} else {
		(void)nf_buf_addf(out, " no figures: %s", w->none_why ? w->none_why : "unknown");
	}
	if (w->lost)
		(void)nf_buf_addf(out, "  %" PRIu64 " lost", w->lost);
	(void)nf_buf_adds(out, "\n");
}

/* What a figure of the script is beyond the same figure of all values, as a share of that. */
static void add_change(struct nf_buf *out, bool some, double theirs, double ours)
{
	char text[32] = "-";
	double percent = some && fabs(ours) > 0 ? 100 * (theirs / ours - 1) : 0;

	if (some && fabs(percent) < 0.005)
		snprintf(text, sizeof(text), "0%%");
	else if (some)
		snprintf(text, sizeof(text), fabs(percent) < 10 ? "%+.2f%%" : "%+.3g%%", percent);
	(void)nf_buf_addf(out, " %6s", text);
}

static void add_changes(struct nf_buf *out, const struct nf_rec_sample_figures *t,
                        const struct nf_rec_sample_figures *o)
{
	const double theirs[] = { t->min, t->p25, t->p50, t->p75, t->p99, t->p999, t->max };
	const double ours[] = { o->min, o->p25, o->p50, o->p75, o->p99, o->p999, o->max };

	(void)nf_buf_addf(out, "%-*s%8s", NAME_WIDTH, "  against above", "");
	add_change(out, true, t->mean, o->mean);
	add_change(out, t->sd.some && o->sd.some, t->sd.v, o->sd.v);
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		add_change(out, true, theirs[i], ours[i]);
	(void)nf_buf_adds(out, "\n");
}

static const struct nf_rec_sample_worker *find_worker(const struct nf_rec_sample_file *f,
                                                      const char *name)
{
	const struct nf_rec_sample_worker *w = f->workers.items;

	const struct nf_rec_sample_worker *found = NULL;

	for (size_t i = 0; i < f->workers.n; i++) {
		if (strcmp(w[i].name, name) != 0)
			continue;
		if (found)
			return NULL; /* of two there is no telling which is meant */
		found = &w[i];
	}
	return found;
}

static void add_fwq_stats(struct nf_buf *out, const struct nf_rec_sample_file *f)
{
	const struct nf_rec_fwq_stats *s = f->fwq_stats;
	const struct nf_rec_fwq_stats_column *c = s->columns.items;

	if (s->stops_why)
		(void)nf_buf_addf(out,
		                  "fwq-stats shows no figures of this file:\n%s.\nWithout the "
		                  "first value, which it drops:\n",
		                  s->stops_why);
	else
		(void)nf_buf_addf(out,
		                  "fwq-stats drops the first value of each worker, uses %f GHz for "
		                  "all\nand shows %s:\n",
		                  s->ghz.v,
		                  s->columns.n == 1 ? "the one worker" : "two workers of these");
	for (size_t i = 0; i < s->columns.n; i++) {
		const struct nf_rec_sample_worker *w = find_worker(f, c[i].name);

		add_name(out, c[i].name, *c[i].cpus ? c[i].cpus : NULL);
		add_figures(out, &c[i].figures);
		(void)nf_buf_adds(out, "\n");
		if (w && w->figures && strcmp(w->unit, s->unit) == 0)
			add_changes(out, &c[i].figures, w->figures);
	}
	if (s->columns.n == 0)
		(void)nf_buf_adds(out, "nothing that spreads is left\n");
}

static void add_notes(struct nf_buf *out, const struct nf_rec_sample_file *f)
{
	for (size_t i = 0; i < f->notes.n; i++)
		(void)nf_buf_addf(out, "note: %s\n", ((const char *const *)f->notes.items)[i]);
}

static void add_file(struct nf_buf *out, const struct nf_rec_sample_file *f)
{
	const struct nf_rec_sample_worker *w = f->workers.items;
	const char *unit = NULL;

	(void)nf_buf_addf(out, "%s: %s, %zu %s\n", f->path, f->form, f->workers.n,
	                  f->workers.n == 1 ? "worker" : "workers");
	if (f->problem)
		(void)nf_buf_addf(out, "%s: %s\n", f->damaged ? "damaged" : "partial", f->problem);
	for (size_t i = 0; i < f->workers.n; i++) {
		if (!unit || strcmp(unit, w[i].unit) != 0) {
			unit = w[i].unit;
			add_heading(out, unit);
		}
		add_worker(out, &w[i]);
	}
	if (f->workers.n > 0 && strcmp(w[0].unit, "tick") == 0)
		(void)nf_buf_adds(out, "The file says no rate: its values stay in ticks.\n");
	add_notes(out, f);
	if (f->fwq_stats)
		add_fwq_stats(out, f);
}

int nf_text_sample_stats(const struct nf_rec_sample_stats *s, struct nf_buf *out)
{
	const struct nf_rec_sample_file *f = s->files.items;

	for (size_t i = 0; i < s->files.n; i++) {
		if (i > 0)
			(void)nf_buf_adds(out, "\n");
		add_file(out, &f[i]);
	}
	return -(int)out->failed;
}
