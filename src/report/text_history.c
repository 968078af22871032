/* SPDX-License-Identifier: MIT */
/* text_history - one figure over many runs, for people. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot.h"
#include "report/text.h"

enum { PLOT_COLUMNS = 72, PLOT_ROWS = 10, LAST_POINTS = 5 };

static int label_ns(struct nf_buf *out, double v)
{
	return nf_text_ns(out, true, v);
}

static int label_plain(struct nf_buf *out, double v)
{
	return nf_buf_addf(out, "%.4g", v);
}

static int (*label_for(const char *unit))(struct nf_buf *, double)
{
	return unit && strcmp(unit, "ns") == 0 ? label_ns : label_plain;
}

static void draw(const struct nf_rec_history *h, const struct nf_rec_history_series *s,
                 struct nf_buf *out)
{
	const struct nf_rec_history_point *point = s->points.items;
	const struct nf_rec_history_step *step = s->steps.items;
	double *y = calloc(s->points.n, sizeof(*y));
	size_t *mark = calloc(s->steps.n + 1, sizeof(*mark));

	if (!y || !mark) {
		out->failed = NF_ENOMEM;
		goto out;
	}
	for (size_t i = 0; i < s->points.n; i++)
		y[i] = point[i].value;
	for (size_t i = 0; i < s->steps.n; i++)
		mark[i] = step[i].at;
	(void)nf_plot_draw(&(struct nf_plot){ .y = y,
	                                      .n = s->points.n,
	                                      .mark = mark,
	                                      .n_marks = s->steps.n,
	                                      .width = PLOT_COLUMNS,
	                                      .height = PLOT_ROWS,
	                                      .log = true,
	                                      .label = label_for(h->unit) },
	                   out);
out:
	free(y);
	free(mark);
}

static void steps(const struct nf_rec_history *h, const struct nf_rec_history_series *s,
                  struct nf_buf *out)
{
	const struct nf_rec_history_step *step = s->steps.items;

	for (size_t i = 0; i < s->steps.n; i++) {
		nf_buf_adds(out, "step     ");
		if (step[i].ratio.some)
			nf_buf_addf(out, "%+.1f %%", 100 * (step[i].ratio.v - 1));
		else
			(void)label_for(h->unit)(out, step[i].difference);
		bool worse = (step[i].difference > 0) ==
		             (h->lower_is_better.some && h->lower_is_better.v);
		nf_buf_addf(out, " (%s) from %s on, p %.3g\n", worse ? "worse" : "better",
		            step[i].folder, step[i].p);
	}
	if (s->unjudged)
		nf_buf_addf(out, "step     not looked for: %s\n", s->unjudged);
	else if (s->steps.n == 0)
		nf_buf_adds(out, "step     none\n");
}

static void last_points(const struct nf_rec_history *h, const struct nf_rec_history_series *s,
                        struct nf_buf *out)
{
	const struct nf_rec_history_point *point = s->points.items;
	size_t from = s->points.n > LAST_POINTS ? s->points.n - LAST_POINTS : 0;

	for (size_t i = from; i < s->points.n; i++) {
		nf_buf_addf(out, "%s     ", i == from ? "last" : "    ");
		struct nf_buf value;

		nf_buf_init(&value, 64);
		(void)label_for(h->unit)(&value, point[i].value);
		nf_buf_addf(out, "%-11s %s%s\n", value.data, point[i].folder,
		            point[i].complete ? "" : " (ended early)");
		nf_buf_fini(&value);
	}
}

static void one_series(const struct nf_rec_history *h, const struct nf_rec_history_series *s,
                       struct nf_buf *out)
{
	nf_buf_addf(out, "\nseries   host %s, lane %s, tag %s: %zu run%s\n",
	            s->host ? s->host : "unknown", s->lane ? s->lane : "unknown",
	            s->tag ? s->tag : "none", s->points.n, s->points.n == 1 ? "" : "s");
	if (s->points.n > 1)
		draw(h, s, out);
	steps(h, s, out);
	last_points(h, s, out);
}

int nf_text_history(const struct nf_rec_history *h, struct nf_buf *out)
{
	const struct nf_rec_history_metric *metric = h->metrics.items;
	const struct nf_rec_history_series *series = h->series.items;
	const char *const *notes = h->notes.items;

	if (h->metric)
		nf_buf_addf(out, "metric   %s: %s (%s)\n", h->metric, h->text, h->unit);
	for (size_t i = 0; i < h->metrics.n; i++)
		nf_buf_addf(out, "%-20s %5" PRIu64 " run%s  %s (%s)\n", metric[i].id,
		            metric[i].runs, metric[i].runs == 1 ? " " : "s", metric[i].text,
		            metric[i].unit);
	for (size_t i = 0; i < h->series.n; i++)
		one_series(h, &series[i], out);
	if (h->series.n)
		nf_buf_addc(out, '\n');
	if (h->uncommitted)
		nf_buf_addf(out, "note     %" PRIu64 " run folder%s without a MANIFEST left out\n",
		            h->uncommitted, h->uncommitted == 1 ? "" : "s");
	for (size_t i = 0; i < h->notes.n; i++)
		nf_buf_addf(out, "note     %s\n", notes[i]);
	return -(int)out->failed;
}
