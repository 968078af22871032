/* SPDX-License-Identifier: MIT */
/* The score of a probe against injected bursts. */
#include <math.h>

#include "laws.h"
#include "stats/inject_score.h"

enum { MAX = 40 };

struct scene {
	struct nf_inject_burst burst[MAX];
	struct nf_inject_hit hit[MAX];
	struct nf_inject_input in;
};

static void draw_scene(struct pt_case *t, struct scene *s)
{
	struct pt_loop l = { .max = MAX };
	int64_t at = 0;

	*s = (struct scene){ .in = { .burst = s->burst, .hit = s->hit } };
	while (pt_more(t, &l)) {
		at += pt_draw_int(t, 0, 60); /* bursts may overlap */
		s->burst[s->in.n_bursts++] =
		        (struct nf_inject_burst){ at, at + pt_draw_int(t, 0, 50) };
	}
	l = (struct pt_loop){ .max = MAX };
	at = 0;
	while (pt_more(t, &l)) {
		int64_t length;

		at += pt_draw_int(t, 0, 60);
		length = pt_draw_int(t, 1, 80);
		s->hit[s->in.n_hits++] =
		        (struct nf_inject_hit){ at, length, pt_draw_int(t, 0, length) };
		at += length;
	}
	s->in.span_begin = pt_draw_int(t, 0, 300);
	s->in.span_end = s->in.span_begin + pt_draw_int(t, 0, 4000);
}

static void fini(void *s)
{
	nf_inject_score_fini(s);
}

static struct nf_inject_score *score(struct pt_case *t, const struct scene *s)
{
	struct nf_inject_score *out = pt_alloc(t, sizeof(*out));

	PT_ASSERT(t, nf_inject_score(&s->in, out, NULL) == 0);
	pt_cleanup(t, fini, out);
	return out;
}

static void shift(struct scene *s, int64_t by)
{
	for (size_t i = 0; i < s->in.n_bursts; i++) {
		s->burst[i].begin += by;
		s->burst[i].end += by;
	}
	for (size_t i = 0; i < s->in.n_hits; i++)
		s->hit[i].begin += by;
	s->in.span_begin += by;
	s->in.span_end += by;
}

static bool a_shift_changes_no_score(struct pt_case *t, void *arg)
{
	struct scene s;
	int64_t by = pt_draw_int(t, -1000000, 1000000);

	(void)arg;
	draw_scene(t, &s);
	const struct nf_inject_score *a = score(t, &s);
	struct nf_inject_grid g = { .due = (double)pt_draw_int(t, 0, 500),
		                    .period = (double)pt_draw_int(t, 20, 900),
		                    .lead = 0 };
	g.width = g.period / (double)pt_draw_int(t, 2, 10);
	struct nf_inject_phase p = { 0 }, q = { 0 };
	int r = nf_inject_phase(&s.in, &g, &p, NULL);
	shift(&s, by);
	g.due += (double)by;
	const struct nf_inject_score *b = score(t, &s);
	PT_ASSERT(t, nf_inject_phase(&s.in, &g, &q, NULL) == r);
	PT_ASSERT(t, p.n_periods == q.n_periods && p.n_windows == q.n_windows);
	PT_ASSERT(t, p.n_hits == q.n_hits);
	PT_ASSERT(t, a->n_found == b->n_found && a->n_bursts == b->n_bursts);
	PT_ASSERT(t, a->n_enclosed == b->n_enclosed && a->n_shared == b->n_shared);
	PT_ASSERT(t, a->n_excess == b->n_excess && a->n_begin_errors == b->n_begin_errors);
	for (size_t i = 0; i < a->n_begin_errors; i++)
		PT_ASSERT_INT_EQ(t, a->begin_error[i], b->begin_error[i]);
	for (size_t i = 0; i < a->n_excess; i++)
		PT_ASSERT_INT_EQ(t, a->excess[i], b->excess[i]);
	return true;
}

static bool counts_are_consistent(struct pt_case *t, void *arg)
{
	struct scene s;

	(void)arg;
	draw_scene(t, &s);
	const struct nf_inject_score *a = score(t, &s);
	pt_cover(t, a->n_found > 0, 10, "found some");
	pt_cover(t, a->n_shared > 0, 5, "shared hits");
	PT_ASSERT(t, a->n_bursts + a->n_outside == s.in.n_bursts);
	PT_ASSERT(t, a->n_found <= a->n_bursts && a->n_begin_errors == a->n_found);
	PT_ASSERT(t, a->n_enclosed <= a->n_found && a->n_excess <= a->n_enclosed);
	PT_ASSERT(t, a->n_enclosed + a->n_begin_late + a->n_end_early >= a->n_found);
	PT_ASSERT(t, a->n_shared <= a->n_hits_on_bursts && a->n_hits_on_bursts <= s.in.n_hits);
	PT_ASSERT(t, (a->n_found == 0) == (a->n_hits_on_bursts == 0));
	PT_ASSERT(t, a->n_bursts == 0 ? isnan(a->recall) : a->recall >= 0 && a->recall <= 1);
	return true;
}

/* Against the definition, burst by burst and hit by hit. */
static bool recall_is_by_definition(struct pt_case *t, void *arg)
{
	struct scene s;
	size_t found = 0;

	(void)arg;
	draw_scene(t, &s);
	const struct nf_inject_score *a = score(t, &s);
	for (size_t i = 0; i < s.in.n_bursts; i++) {
		const struct nf_inject_burst *b = &s.burst[i];
		bool hit = false;

		for (size_t k = 0; k < s.in.n_hits; k++) {
			int64_t begin = s.hit[k].begin, end = begin + s.hit[k].length;

			hit = hit || (b->begin == b->end ? begin <= b->begin && b->begin < end
			                                 : begin < b->end && b->begin < end);
		}
		found += hit && b->begin >= s.in.span_begin && b->end <= s.in.span_end;
	}
	return found == a->n_found;
}

/* Of bursts that do not touch each other, whatever else it reports between them. */
static bool a_perfect_detector_scores_one(struct pt_case *t, void *arg)
{
	struct pt_loop l = { .min = 1, .max = MAX / 2 };
	int64_t switches = pt_draw_int(t, 0, 10), at = 20;
	struct scene s = { .in = { .burst = s.burst, .hit = s.hit, .span_end = INT64_MAX } };

	(void)arg;
	while (pt_more(t, &l)) {
		int64_t length = pt_draw_int(t, 1, 50), lead = pt_draw_int(t, 0, switches);

		if (pt_draw_bool(t, 0.3))
			s.hit[s.in.n_hits++] = (struct nf_inject_hit){ at - 15, 3, 3 };
		s.burst[s.in.n_bursts++] = (struct nf_inject_burst){ at, at + length };
		s.hit[s.in.n_hits++] =
		        (struct nf_inject_hit){ at - lead, length + switches, length + switches };
		at += length + switches + 20 + pt_draw_int(t, 0, 100);
	}
	const struct nf_inject_score *a = score(t, &s);
	PT_ASSERT(t, a->n_found == s.in.n_bursts && a->n_enclosed == s.in.n_bursts);
	PT_ASSERT(t, a->n_excess == s.in.n_bursts && a->n_hits_on_bursts == s.in.n_bursts);
	for (size_t i = 0; i < a->n_excess; i++)
		PT_ASSERT_INT_EQ(t, a->excess[i], switches);
	return a->recall <= 1 && a->recall >= 1;
}

const struct law laws_inject[] = {
	{ "injected shift",
	  "Moving bursts, hits, grid and span together changes no score of injected bursts.",
	  a_shift_changes_no_score, NULL },
	{ "injected counts",
	  "The counts of a score of injected bursts are consistent, and its recall lies between 0 "
	  "and 1.",
	  counts_are_consistent, NULL },
	{ "injected recall", "The bursts found are those that some hit overlaps.",
	  recall_is_by_definition, NULL },
	{ "injected perfect",
	  "A detector that encloses every burst scores 1, whatever it reports between them.",
	  a_perfect_detector_scores_one, NULL },
	{ NULL, NULL, NULL, NULL },
};
