/* SPDX-License-Identifier: MIT */
/* text_sweep_map - a grid of two knobs as a map of shades, without colour. */
#include <math.h>
#include <string.h>

#include "report/text.h"
#include "report/text_bench.h"
#include "report/text_bench_sweep.h"
#include "report/text_fit.h"

enum { NAME = 12, CELL = 11 };

/* From the fastest to the slowest; what a terminal shows darker holds more ink. */
static const char shades[] = " .:-=+*#%@";

struct map {
	const struct nf_rec_bench_sweep *r;
	const struct nf_rec_sweep_knob *rows, *columns;
	double lo, hi; /* ln ratio */
};

/* Time ratio to the base; the base is 1. False: not compared. */
static bool ratio_of(const struct nf_rec_sweep_point *p, double *ret)
{
	*ret = p->mark == NF_SWEEP_BASE ? 1 : p->ratio.v;
	return p->mark == NF_SWEEP_BASE || (p->ratio.some && p->ratio.v > 0);
}

static bool find_range(struct map *m)
{
	const struct nf_rec_sweep_point *p = m->r->points.items;
	size_t n = 0;

	for (size_t i = 0; i < m->r->points.n; i++) {
		double v;

		if (!ratio_of(&p[i], &v))
			continue;
		v = log(v);
		m->lo = n == 0 || v < m->lo ? v : m->lo;
		m->hi = n == 0 || v > m->hi ? v : m->hi;
		n++;
	}
	return n > 1;
}

static char shade(const struct map *m, double ratio)
{
	const size_t n = sizeof(shades) - 2;

	if (!(m->hi > m->lo))
		return shades[0];
	double at = (log(ratio) - m->lo) / (m->hi - m->lo);
	return shades[(size_t)lrint(at * (double)n)];
}

/* Three of the shade, then the change; '!' behind what is marked. */
static void cell(const struct map *m, const struct nf_rec_sweep_point *p, struct nf_buf *out)
{
	size_t from = out->len_bytes;
	double v;

	if (!ratio_of(p, &v)) {
		nf_buf_addf(out, " %s", p->mark == NF_SWEEP_FAILED ? "FAILED" : "?");
	} else {
		char c = shade(m, v);

		nf_buf_addf(out, " %c%c", c, c);
		if (p->mark == NF_SWEEP_BASE)
			nf_buf_adds(out, "   base ");
		else if (v < 10)
			nf_buf_addf(out, "%+6.1f%%%s", 100 * (v - 1),
			            p->mark == NF_SWEEP_SLOWER || p->mark == NF_SWEEP_FASTER ? "!"
			                                                                     : " ");
		else
			nf_buf_addf(out, " x%5.3g%s", v, p->mark == NF_SWEEP_SLOWER ? "!" : " ");
	}
	nf_text_right(out, from, CELL);
}

static const char *value_of(const void *ctx, size_t i)
{
	return ((const char *const *)ctx)[i];
}

void nf_text_sweep_map(const struct nf_rec_bench_sweep *r, struct nf_buf *out)
{
	const struct nf_rec_sweep_knob *knob = r->knobs.items;
	const struct nf_rec_sweep_point *p = r->points.items;
	struct map m = { .r = r };

	if (r->form != NF_SWEEP_GRID || r->knobs.n != 2)
		return;
	m.rows = &knob[0];
	m.columns = &knob[1];
	struct nf_text_names row = { value_of, m.rows->values.items, m.rows->values.n, 0 };
	struct nf_text_names column = { value_of, m.columns->values.items, m.columns->values.n, 0 };
	if (m.columns->values.n > (NF_TEXT_COLUMNS - NAME) / CELL || !find_range(&m))
		return;
	nf_text_names_number(&row, NAME);
	nf_text_names_number(&column, CELL - 2);
	nf_buf_addf(out, "\n%s down, %s across; from fast to slow \"%s\", ! marked\n", m.rows->name,
	            m.columns->name, shades);
	nf_buf_addf(out, "%*s", NAME, "");
	for (size_t c = 0; c < m.columns->values.n; c++) {
		size_t from = out->len_bytes;

		nf_buf_addc(out, ' ');
		nf_text_names_put(out, &column, c, CELL - 2, false);
		nf_text_right(out, from, CELL);
	}
	nf_buf_addc(out, '\n');
	for (size_t i = 0; i < m.rows->values.n; i++) {
		nf_text_names_put(out, &row, i, NAME, true);
		for (size_t c = 0; c < m.columns->values.n; c++)
			cell(&m, &p[i * m.columns->values.n + c], out);
		nf_buf_addc(out, '\n');
	}
	nf_text_names_legend(out, &row, m.rows->name);
	nf_text_names_legend(out, &column, m.columns->name);
}
