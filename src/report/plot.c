/* SPDX-License-Identifier: MIT */
#include "report/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_COLUMNS = 11 };

struct grid {
	double *column; /* heap: the value of each column */
	double *scratch; /* heap: points of one column */
	char *row; /* heap: one line */
	size_t columns;
	double lo, hi;
	bool log;
};

static int by_value(const void *a, const void *b)
{
	double x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : v[n / 2 - 1] + (v[n / 2] - v[n / 2 - 1]) / 2;
}

static size_t column_of(const struct nf_plot *p, const struct grid *g, size_t point)
{
	return g->columns == p->n ? point
	                          : (size_t)((double)point * (double)g->columns / (double)p->n);
}

static void fill(const struct nf_plot *p, struct grid *g)
{
	size_t i = 0;

	for (size_t c = 0; c < g->columns; c++) {
		size_t n = 0;

		while (i < p->n && column_of(p, g, i) == c)
			g->scratch[n++] = p->y[i++];
		g->column[c] = median(g->scratch, n);
	}
	g->lo = g->hi = g->column[0];
	for (size_t c = 1; c < g->columns; c++) {
		g->lo = g->column[c] < g->lo ? g->column[c] : g->lo;
		g->hi = g->column[c] > g->hi ? g->column[c] : g->hi;
	}
	g->log = p->log && g->lo > 0;
}

static double place(const struct grid *g, double v)
{
	if (!(g->hi > g->lo))
		return 0.5; /* flat: the middle */
	return g->log ? log(v / g->lo) / log(g->hi / g->lo) : (v - g->lo) / (g->hi - g->lo);
}

/* The value at a row's height, 0 the lowest. */
static double value_at(const struct nf_plot *p, const struct grid *g, size_t row)
{
	double at = (double)row / (double)(p->height - 1);

	return g->log ? g->lo * pow(g->hi / g->lo, at) : g->lo + at * (g->hi - g->lo);
}

static void axis_label(const struct nf_plot *p, double v, struct nf_buf *out)
{
	struct nf_buf label;

	nf_buf_init(&label, 64);
	(void)p->label(&label, v);
	nf_buf_addf(out, "%*s ", LABEL_COLUMNS, label.failed ? "" : label.data);
	nf_buf_fini(&label);
}

static void add_row(struct nf_buf *out, struct grid *g, char edge)
{
	size_t len = g->columns;

	while (len > 0 && g->row[len - 1] == ' ')
		len--;
	nf_buf_addc(out, edge);
	nf_buf_add(out, g->row, len);
	nf_buf_addc(out, '\n');
}

static void draw_rows(const struct nf_plot *p, struct grid *g, struct nf_buf *out)
{
	for (size_t row = p->height; row-- > 0;) {
		bool flat = !(g->hi > g->lo);
		bool labelled =
		        row == p->height / 2 || (!flat && (row == 0 || row == p->height - 1));

		if (labelled)
			axis_label(p, value_at(p, g, row), out);
		else
			nf_buf_addf(out, "%*s ", LABEL_COLUMNS, "");
		for (size_t c = 0; c < g->columns; c++)
			g->row[c] = (size_t)lround(place(g, g->column[c]) *
			                           (double)(p->height - 1)) == row
			                    ? '*'
			                    : ' ';
		add_row(out, g, '|');
	}
	if (p->n_marks == 0)
		return;
	memset(g->row, ' ', g->columns);
	for (size_t i = 0; i < p->n_marks; i++)
		if (p->mark[i] < p->n)
			g->row[column_of(p, g, p->mark[i])] = '^';
	nf_buf_addf(out, "%*s ", LABEL_COLUMNS, "");
	add_row(out, g, ' ');
}

int nf_plot_draw(const struct nf_plot *p, struct nf_buf *out)
{
	struct grid g = { .columns = p->n < p->width ? p->n : p->width };
	int r = -NF_ENOMEM;

	g.column = calloc(g.columns, sizeof(*g.column));
	g.scratch = calloc(p->n, sizeof(*g.scratch));
	g.row = calloc(g.columns + 1, 1);
	if (g.column && g.scratch && g.row) {
		fill(p, &g);
		draw_rows(p, &g, out);
		r = -(int)out->failed;
	} else if (!out->failed) {
		out->failed = NF_ENOMEM;
	}
	free(g.column);
	free(g.scratch);
	free(g.row);
	return r;
}
