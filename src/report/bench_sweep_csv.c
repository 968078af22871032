/* SPDX-License-Identifier: MIT */
#include "report/bench_sweep_csv.h"

#include <inttypes.h>
#include <string.h>

static const char *const marks[] = { "open", "same", "slower", "faster", "base", "failed" };

static void text(struct nf_buf *out, const char *s)
{
	if (!s[strcspn(s, ",\"\r\n")] && *s) {
		(void)nf_buf_adds(out, s);
		return;
	}
	(void)nf_buf_addc(out, '"');
	for (; *s; s++) {
		if (*s == '"')
			(void)nf_buf_addc(out, '"');
		(void)nf_buf_addc(out, *s);
	}
	(void)nf_buf_addc(out, '"');
}

static void real(struct nf_buf *out, struct nf_some_real v)
{
	(void)nf_buf_addc(out, ',');
	if (v.some)
		(void)nf_buf_add_double(out, v.v);
}

static void line(const struct nf_rec_bench_sweep *r, const struct nf_rec_sweep_point *p,
                 struct nf_buf *out)
{
	const struct nf_rec_bench_variant *all = r->variants.items, *v = &all[p->variant];
	const char *const *value = p->values.items;
	struct nf_some_real median = { 0 };

	for (size_t k = 0; k < p->values.n; k++) {
		text(out, value[k]);
		(void)nf_buf_addc(out, ',');
	}
	(void)nf_buf_addf(out, "%s,%" PRIu64 ",", marks[p->mark], v->sets);
	if (v->unit)
		text(out, v->unit);
	if (v->summary)
		median = nf_some_real(v->summary->median);
	real(out, median);
	real(out, v->median_of_set_medians);
	real(out, v->set_cv_ratio);
	(void)nf_buf_addf(out, ",%" PRIu64, p->pairs);
	real(out, p->ratio);
	real(out, p->ratio_lo);
	real(out, p->ratio_hi);
	real(out, p->p);
	real(out, p->p_bh);
	real(out, p->p_holm);
	real(out, p->mde_ratio);
	(void)nf_buf_addc(out, ',');
	if (p->failure)
		text(out, p->failure);
	(void)nf_buf_addc(out, '\n');
}

int nf_bench_sweep_csv(const struct nf_rec_bench_sweep *r, struct nf_buf *out)
{
	const struct nf_rec_sweep_knob *knob = r->knobs.items;
	const struct nf_rec_sweep_point *p = r->points.items;

	for (size_t k = 0; k < r->knobs.n; k++) {
		text(out, knob[k].name);
		(void)nf_buf_addc(out, ',');
	}
	(void)nf_buf_adds(out,
	                  "mark,sets,unit,median,median_of_set_medians,set_cv,pairs,ratio,ratio_lo,"
	                  "ratio_hi,p,p_bh,p_holm,mde,failure\n");
	for (size_t i = 0; i < r->points.n; i++)
		line(r, &p[i], out);
	return -(int)out->failed;
}
