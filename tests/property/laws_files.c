/* SPDX-License-Identifier: MIT */
/* Text files of the FWQ benchmarks, and the figures of what they hold. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "laws.h"
#include "noisefloor/summary.h"
#include "samples/fwq_read.h"
#include "stats/figures.h"

enum { MAX_WORKERS = 4, MAX_VALUES = 40, MAX_CPUS = 4, MAX_SAMPLES = 200 };

/* Everything that a file says, in order. */
struct content {
	size_t n_workers, n_speeds, n_values[MAX_WORKERS];
	int index[MAX_WORKERS], speed_index[MAX_WORKERS];
	double ghz[MAX_WORKERS];
	char cpus[MAX_WORKERS][64];
	enum nf_fwq_form form[MAX_WORKERS];
	int64_t value[MAX_WORKERS][MAX_VALUES];
};

static int on_speed(void *ctx, int index, double ghz, struct nf_err *err)
{
	struct content *c = ctx;

	if (c->n_speeds == MAX_WORKERS)
		return nf_fail(err, NF_EDATA, "too many speeds");
	c->speed_index[c->n_speeds] = index;
	c->ghz[c->n_speeds++] = ghz;
	return 0;
}

static int on_worker(void *ctx, enum nf_fwq_form form, int index, const char *cpus,
                     struct nf_err *err)
{
	struct content *c = ctx;

	if (c->n_workers == MAX_WORKERS)
		return nf_fail(err, NF_EDATA, "too many workers");
	c->form[c->n_workers] = form;
	c->index[c->n_workers] = index;
	snprintf(c->cpus[c->n_workers++], sizeof(c->cpus[0]), "%s", cpus);
	return 0;
}

static int on_values(void *ctx, const int64_t *v, size_t n, struct nf_err *err)
{
	struct content *c = ctx;
	size_t w = c->n_workers - 1;

	if (c->n_workers == 0 || n > MAX_VALUES - c->n_values[w])
		return nf_fail(err, NF_EDATA, "too many values");
	memcpy(c->value[w] + c->n_values[w], v, n * sizeof(*v));
	c->n_values[w] += n;
	return 0;
}

static const struct nf_fwq_reader_ops ops = { on_speed, on_worker, on_values };

static int to_buf(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	(void)err;
	return nf_buf_add(ctx, data, len_bytes);
}

static void free_buf(void *b)
{
	nf_buf_fini(b);
}

static void free_reader(void *r)
{
	nf_fwq_reader_free(r);
}

static void draw_cpus(struct pt_case *t, enum nf_fwq_form form, char ret[64])
{
	struct pt_loop l = { .min = 1, .max = form == NF_FWQ_PROCESSES ? MAX_CPUS : 1 };
	size_t at = 0;

	ret[0] = '\0';
	while (pt_more(t, &l))
		at += (size_t)snprintf(ret + at, 64 - at, "%s%d", at ? "," : "",
		                       (int)pt_draw_int(t, 0, 9999));
}

static int64_t draw_ticks(struct pt_case *t)
{
	/* Small enough to add up, of every length. */
	return pt_draw_int(t, 0, INT64_C(1) << pt_draw_int(t, 0, 56));
}

static bool fwq_round_trip(struct pt_case *t, void *arg)
{
	enum nf_fwq_form form = (enum nf_fwq_form)pt_draw_pick(t, 3);
	size_t n = form == NF_FWQ_SERIAL ? 1 : pt_draw_size(t, 1, MAX_WORKERS);
	struct content *want = pt_alloc(t, sizeof(*want)), *got = pt_alloc(t, sizeof(*got));
	struct nf_fwq_worker_text w[MAX_WORKERS];
	struct nf_buf *text = pt_alloc(t, sizeof(*text));
	struct nf_fwq_reader *r = NULL;
	bool torn = true;

	(void)arg;
	for (size_t i = 0; i < n; i++) {
		struct pt_loop l = { .min = form == NF_FWQ_SERIAL, .max = MAX_VALUES };

		want->form[i] = form;
		want->index[i] = want->speed_index[i] =
		        form == NF_FWQ_SERIAL ? 0 : (int)pt_draw_int(t, 0, 999999999);
		/* As %f keeps it. */
		want->ghz[i] = (double)pt_draw_int(t, 1, 99999999) / 1e6;
		if (form != NF_FWQ_SERIAL)
			draw_cpus(t, form, want->cpus[i]);
		while (pt_more(t, &l))
			want->value[i][want->n_values[i]++] = draw_ticks(t);
		w[i] = (struct nf_fwq_worker_text){ .index = want->index[i],
			                            .cpus = want->cpus[i],
			                            .seconds = 1.5,
			                            .ghz = want->ghz[i],
			                            .value = want->value[i],
			                            .n = want->n_values[i] };
	}
	want->n_workers = n;
	want->n_speeds = form == NF_FWQ_SERIAL ? 0 : n;
	if (form == NF_FWQ_SERIAL)
		want->ghz[0] = 0;

	nf_buf_init(text, 1 << 20);
	pt_cleanup(t, free_buf, text);
	struct nf_sink sink = { to_buf, text };
	PT_ASSERT(t, nf_fwq_write(form, w, n, &sink, NULL) == 0);
	PT_ASSERT(t, nf_fwq_reader_new("f", &ops, got, &r, NULL) == 0);
	pt_cleanup(t, free_reader, r);
	for (size_t at = 0; at < text->len_bytes;) {
		size_t len = pt_draw_size(t, 1, 300);

		len = len < text->len_bytes - at ? len : text->len_bytes - at;
		PT_ASSERT(t, nf_fwq_reader_feed(r, text->data + at, len, NULL) == 0);
		at += len;
	}
	PT_ASSERT(t, nf_fwq_reader_finish(r, &torn, NULL) == 0);
	return !torn && memcmp(want, got, sizeof(*want)) == 0;
}

static bool same(double a, double b, double scale)
{
	return fabs(a - b) <= 1e-11 * scale;
}

static bool figures_agree(const struct nf_figures *f, const int64_t *x, size_t n)
{
	struct nf_summary s;

	if (f->n != n || nf_summarize_i64(x, n, 1, &s, NULL) != 0)
		return false;
	double scale = 1 + fabs(s.min) + fabs(s.max);
	return same(f->min, s.min, scale) && same(f->max, s.max, scale) &&
	       same(f->mean, s.mean, scale) && f->has_sd == s.has_sd &&
	       (!s.has_sd || same(f->sd, s.sd, scale)) &&
	       same(f->p[NF_FIGURE_P25], s.percentile[0].value, scale) &&
	       same(f->p[NF_FIGURE_P50], s.percentile[1].value, scale) &&
	       same(f->p[NF_FIGURE_P75], s.percentile[2].value, scale) &&
	       same(f->p[NF_FIGURE_P99], s.percentile[4].value, scale) &&
	       same(f->p[NF_FIGURE_P999], s.percentile[5].value, scale);
}

static bool figures_are_the_summary(struct pt_case *t, void *arg)
{
	int64_t x[MAX_SAMPLES], base = pt_draw_int(t, -1000000, 1000000);
	double far = pt_draw_real(t, 0.0, 0.3);
	struct pt_loop l = { .min = 1, .max = MAX_SAMPLES };
	struct nf_figures all, rest;
	size_t n = 0;

	(void)arg;
	while (pt_more(t, &l)) {
		bool is_far = pt_draw_bool(t, far);

		x[n++] = base + pt_draw_int(t, 0, is_far ? INT64_C(1) << 40 : 100);
	}
	PT_ASSERT(t, nf_figures_of(x, n, &all, &rest, NULL) == 0);
	return figures_agree(&all, x, n) &&
	       (n == 1 ? rest.n == 0 : figures_agree(&rest, x + 1, n - 1));
}

/* clang-format off */
const struct law laws_files[] = {
	{ "FWQ file", "An FWQ file of any form gives back workers, rates and values, however it is cut into pieces.", fwq_round_trip, NULL },
	{ "figures", "The figures of samples, with and without the first, are those of their summary.", figures_are_the_summary, NULL },
	{ .name = NULL },
};
/* clang-format on */
