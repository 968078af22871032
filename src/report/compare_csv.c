/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/compare_text.h"

/* RFC 4180; nothing for NULL. */
static void field(struct nf_buf *out, const char *text)
{
	if (!text)
		return;
	if (!strpbrk(text, ",\"\r\n")) {
		(void)nf_buf_adds(out, text);
		return;
	}
	(void)nf_buf_addc(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			(void)nf_buf_addc(out, '"');
		(void)nf_buf_addc(out, *text);
	}
	(void)nf_buf_addc(out, '"');
}

static void head_of_line(struct nf_buf *out, const struct nf_rec_compare_figure *f)
{
	field(out, f->metric);
	(void)nf_buf_addc(out, ',');
	field(out, f->unit);
	(void)nf_buf_addc(out, ',');
	field(out, f->group);
}

int nf_compare_csv_groups(const struct nf_rec_compare_run *r, struct nf_buf *out,
                          struct nf_err *err)
{
	const struct nf_rec_compare_figure *f = r->figures.items;

	(void)nf_buf_adds(out, "metric,unit,group,n,min,max,mean,sd,median\n");
	for (size_t i = 0; i < r->figures.n; i++) {
		const double v[] = { f[i].min, f[i].max, f[i].mean, f[i].sd.v, f[i].median };

		head_of_line(out, &f[i]);
		(void)nf_buf_addf(out, ",%llu", (unsigned long long)f[i].n);
		for (size_t k = 0; k < 5; k++) {
			(void)nf_buf_addc(out, ',');
			if (k != 3 || f[i].sd.some)
				(void)nf_buf_add_double(out, v[k]);
		}
		(void)nf_buf_addc(out, '\n');
	}
	return nf_buf_failed(out, "a comparison", err);
}

int nf_compare_csv_values(const struct nf_rec_compare_run *r, struct nf_buf *out,
                          struct nf_err *err)
{
	const struct nf_rec_compare_figure *f = r->figures.items;
	const struct nf_rec_compare_input *in = r->inputs.items;

	(void)nf_buf_adds(out, "metric,unit,group,path,value\n");
	for (size_t i = 0; i < r->figures.n; i++) {
		const double *v = f[i].values.items;
		const uint64_t *from = f[i].inputs.items;

		for (size_t k = 0; k < f[i].values.n; k++) {
			head_of_line(out, &f[i]);
			(void)nf_buf_addc(out, ',');
			field(out, in[from[k]].path);
			(void)nf_buf_addc(out, ',');
			(void)nf_buf_add_double(out, v[k]);
			(void)nf_buf_addc(out, '\n');
		}
	}
	return nf_buf_failed(out, "a comparison", err);
}

/* --- the columns that others published --- */

static const struct nf_rec_compare_figure *find(const struct nf_rec_compare_run *r,
                                                const char *metric, const char *group)
{
	const struct nf_rec_compare_figure *f = r->figures.items;

	for (size_t i = 0; i < r->figures.n; i++)
		if (strcmp(f[i].metric, metric) == 0 && strcmp(f[i].group, group) == 0)
			return &f[i];
	return NULL;
}

/* The values as whole numbers, "280;279", quoted. */
static void joined(struct nf_buf *out, const struct nf_rec_compare_figure *f, double factor)
{
	const double *v = f ? f->values.items : NULL;

	(void)nf_buf_adds(out, f ? ",\"" : ",");
	for (size_t i = 0; f && i < f->values.n; i++)
		(void)nf_buf_addf(out, "%s%.0f", i ? ";" : "", v[i] * factor);
	(void)nf_buf_adds(out, f ? "\"" : "");
}

static void rounded(struct nf_buf *out, bool known, double v, int decimals)
{
	(void)nf_buf_addc(out, ',');
	if (known)
		(void)nf_buf_addf(out, "%.*f", decimals, v);
}

/* The kernels of a group, each once, and how many of its inputs conform. */
static uint64_t kernels(const struct nf_rec_compare_run *r, const char *group, struct nf_buf *out)
{
	const struct nf_rec_compare_input *in = r->inputs.items;
	const char *last = NULL;
	uint64_t conforming = 0;

	for (size_t i = 0; i < r->inputs.n; i++) {
		if (strcmp(in[i].group, group) != 0)
			continue;
		conforming += in[i].conforms.some && in[i].conforms.v;
		if (!in[i].kernel || (last && strcmp(last, in[i].kernel) == 0))
			continue;
		if (last)
			(void)nf_buf_addc(out, ';');
		field(out, in[i].kernel);
		last = in[i].kernel;
	}
	return conforming;
}

static void notes(const struct nf_rec_compare_run *r, const char *group, struct nf_buf *out)
{
	const struct nf_rec_compare_warning *w = r->warnings.items;
	bool any = false;

	(void)nf_buf_adds(out, ",\"");
	for (size_t i = 0; i < r->warnings.n; i++) {
		if (!w[i].group || strcmp(w[i].group, group) != 0)
			continue;
		(void)nf_buf_addf(out, "%s%s: ", any ? "; " : "", w[i].id);
		for (const char *p = w[i].text; *p; p++) {
			if (*p == '"')
				(void)nf_buf_addc(out, '"');
			(void)nf_buf_addc(out, *p);
		}
		any = true;
	}
	(void)nf_buf_adds(out, "\"\n");
}

/* Seconds that SMIs were counted for; 120, as published, where nobody counted; negative: not all alike. */
static double smi_window(const struct nf_rec_compare_run *r)
{
	const struct nf_rec_compare_input *in = r->inputs.items;
	double window = 0;

	for (size_t i = 0; i < r->inputs.n; i++) {
		if (!in[i].smi_window_s.some)
			continue;
		if (window > 0 && (window < in[i].smi_window_s.v || window > in[i].smi_window_s.v))
			return -1;
		window = in[i].smi_window_s.v;
	}
	return window > 0 ? window : 120;
}

int nf_compare_csv_published(const struct nf_rec_compare_run *r, struct nf_buf *out,
                             struct nf_err *err)
{
	const char *const *group = r->groups.items;
	double window = smi_window(r);

	if (window < 0)
		return nf_fail(
		        err, NF_EDATA,
		        "SMIs were counted for different times: their counts are no one column");
	(void)nf_buf_addf(out,
	                  "lane,kernel,realtime,smi_counts_%.0fs,hwlat_max_us,chapel_samples,"
	                  "chapel_conforms,chapel_serial_mean_seconds,chapel_parallel_mean_seconds,"
	                  "chapel_ratio_mean,chapel_ratio_sample_stdev,chapel_ratio_min,"
	                  "chapel_ratio_max,notes\n",
	                  window);
	for (size_t g = 0; g < r->groups.n; g++) {
		const struct nf_rec_compare_figure *s = find(r, "numa.serial", group[g]);
		const struct nf_rec_compare_figure *p = find(r, "numa.parallel", group[g]);
		const struct nf_rec_compare_figure *x = find(r, "numa.speedup", group[g]);
		uint64_t conforming;

		field(out, group[g]);
		(void)nf_buf_addc(out, ',');
		conforming = kernels(r, group[g], out);
		(void)nf_buf_addf(out, ",%s",
		                  strcmp(group[g], "rt") == 0        ? "true"
		                  : strcmp(group[g], "generic") == 0 ? "false"
		                                                     : "");
		joined(out, find(r, "smi.count", group[g]), 1);
		joined(out, find(r, "hwlat.max", group[g]), 1e-3);
		(void)nf_buf_addf(out, ",%llu,%llu", (unsigned long long)(x ? x->n : 0),
		                  (unsigned long long)conforming);
		rounded(out, s, s ? s->mean * 1e-9 : 0, 6);
		rounded(out, p, p ? p->mean * 1e-9 : 0, 6);
		rounded(out, x, x ? x->mean : 0, 4);
		rounded(out, x && x->sd.some, x ? x->sd.v : 0, 4);
		rounded(out, x, x ? x->min : 0, 4);
		rounded(out, x, x ? x->max : 0, 4);
		notes(r, group[g], out);
	}
	return nf_buf_failed(out, "a comparison", err);
}
