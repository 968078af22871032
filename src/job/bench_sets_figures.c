/* SPDX-License-Identifier: MIT */
/* bench_sets_figures - what is said of all values of a variant, computed when its sets have run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "job/bench_decide.h"
#include "job/bench_sets.h"
#include "noisefloor/location.h"

static int summarize(struct nf_session *s, const double *x, size_t n, const char *unit,
                     const struct nf_rec_summary **ret, struct nf_err *err)
{
	struct nf_rec_summary *rec;
	struct nf_summary summary;
	int r;

	if (n == 0)
		return 0;
	rec = nf_arena_alloc(&s->arena, 1, sizeof(*rec));
	if (!rec)
		return nf_arena_failed(&s->arena, "record", err);
	r = nf_summarize(x, n, &summary, err);
	if (r == 0)
		r = nf_rec_summary_fill(&summary, unit, &s->arena, rec, err);
	if (r == 0)
		*ret = rec;
	return r;
}

/* What of a set a summary is made of. */
enum figure { VALUES, USER, SYSTEM, PEAK };

static const struct nf_list *list_of(const struct nf_rec_bench_set *set, enum figure f)
{
	switch (f) {
	case USER:
		return &set->user_ns;
	case SYSTEM:
		return &set->system_ns;
	case PEAK:
		return &set->peak_bytes;
	case VALUES:
		break;
	}
	return &set->values;
}

static size_t gather(const struct nf_bench_sets *b, size_t variant, enum figure f, double *x)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n_sets; i++) {
		const struct nf_list *l = list_of(&b->set[i], f);

		if (b->set[i].variant != variant || b->set[i].failure)
			continue;
		if (l->n != b->set[i].values.n)
			return 0; /* unknown for one is unknown for all */
		if (l->n)
			memcpy(x + n, l->items, l->n * sizeof(*x));
		n += l->n;
	}
	return n;
}

static int over_sets(struct nf_bench_sets *b, size_t variant, double *x, struct nf_err *err)
{
	struct nf_rec_bench_variant *v = &b->rec_variant[variant];
	struct nf_moments m = { 0 };
	double median;
	size_t n = 0;

	v->sets = 0;
	for (size_t i = 0; i < b->n_sets; i++) {
		const struct nf_rec_bench_set *s = &b->set[i];

		if (s->variant != variant || s->failure || !s->median.some)
			continue;
		v->sets += nf_bench_set_complete(v, s, b->plan.iters);
		x[n++] = s->median.v;
	}
	if (n == 0)
		return 0;
	int r = nf_median(x, n, &median, err);
	if (r == 0)
		r = nf_moments(x, n, &m, err);
	if (r < 0)
		return r;
	v->median_of_set_medians = nf_some_real(median);
	if (m.has_cv)
		v->set_cv_ratio = nf_some_real(m.cv);
	return 0;
}

static int over_shells(struct nf_bench_sets *b, size_t variant, double *x, struct nf_err *err)
{
	double median;
	size_t n = 0;

	for (size_t i = 0; i < b->n_sets; i++)
		if (b->set[i].variant == variant && b->set[i].shell_ns.some)
			x[n++] = b->set[i].shell_ns.v;
	if (n == 0)
		return 0;
	int r = nf_median(x, n, &median, err);
	if (r == 0)
		b->rec_variant[variant].shell_ns = nf_some_real(median);
	return r;
}

int nf_bench_sets_summarize(struct nf_bench_sets *b, struct nf_err *err)
{
	size_t total = 1;
	int r = 0;

	for (size_t i = 0; i < b->n_sets; i++)
		total += b->set[i].values.n + 1;
	double *x = calloc(total, sizeof(*x));
	if (!x)
		return nf_fail_nomem(err, "the values of a run", total * sizeof(*x));
	for (size_t i = 0; r == 0 && i < b->n_variants; i++) {
		struct nf_rec_bench_variant *v = &b->rec_variant[i];
		const struct {
			enum figure figure;
			const char *unit;
			const struct nf_rec_summary **ret;
		} wanted[] = {
			{ VALUES, v->unit, &v->summary },
			{ USER, "ns", &v->user },
			{ SYSTEM, "ns", &v->system },
			{ PEAK, "bytes", &v->peak },
		};

		for (size_t j = 0; r == 0 && j < sizeof(wanted) / sizeof(*wanted); j++)
			r = summarize(&b->session, x, gather(b, i, wanted[j].figure, x),
			              wanted[j].unit, wanted[j].ret, err);
		if (r == 0)
			r = over_sets(b, i, x, err);
		if (r == 0)
			r = over_shells(b, i, x, err);
	}
	free(x);
	return r;
}
