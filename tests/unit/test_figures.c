/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/rng.h"
#include "nf_unit.h"
#include "noisefloor/summary.h"
#include "stats/figures.h"

static void near_to(double got, double want, double scale)
{
	if (!(fabs(got - want) <= 1e-12 * scale))
		fail_msg("%.17g, not %.17g", got, want);
}

/* The general summary of the same samples is the measure. */
static void same_as_summary(const struct nf_figures *f, const int64_t *x, size_t n)
{
	struct nf_summary s;

	assert_int_equal(f->n, n);
	assert_int_equal(nf_summarize_i64(x, n, 1, &s, NULL), 0);
	double scale = fmax(fabs(s.min), fabs(s.max)) + 1;
	assert_true(f->min == s.min && f->max == s.max);
	near_to(f->mean, s.mean, scale);
	assert_int_equal(f->has_sd, s.has_sd);
	if (s.has_sd)
		near_to(f->sd, s.sd, scale);
	near_to(f->p[NF_FIGURE_P25], s.percentile[0].value, scale);
	near_to(f->p[NF_FIGURE_P50], s.percentile[1].value, scale);
	near_to(f->p[NF_FIGURE_P75], s.percentile[2].value, scale);
	near_to(f->p[NF_FIGURE_P99], s.percentile[4].value, scale);
	near_to(f->p[NF_FIGURE_P999], s.percentile[5].value, scale);
}

static void agree(const int64_t *x, size_t n)
{
	struct nf_figures all, rest;

	assert_int_equal(nf_figures_of(x, n, &all, &rest, NULL), 0);
	same_as_summary(&all, x, n);
	if (n > 1)
		same_as_summary(&rest, x + 1, n - 1);
	else
		assert_int_equal(rest.n, 0);
}

static void figures_are_those_of_the_summary(void **state)
{
	static const int64_t few[] = { 5, 3, 9, 3, 70000, -2, 1000000 };
	enum { N = 20000 };
	int64_t *x = malloc(N * sizeof(*x));
	struct nf_rng rng;

	(void)state;
	assert_non_null(x);
	for (size_t n = 1; n <= 7; n++)
		agree(few, n);
	nf_rng_seed(&rng, 7);
	/* Share of values that are far away: none, a few, half (the general way). */
	for (uint64_t far = 0; far <= 50; far = far ? far * 5 : 2) {
		for (size_t i = 0; i < N; i++) {
			x[i] = 34600 + (int64_t)nf_rng_below(&rng, 300);
			if (nf_rng_below(&rng, 100) < far)
				x[i] += (int64_t)nf_rng_below(&rng, 100000000);
		}
		for (size_t n = 1; n <= N; n = n * 3 + 1)
			agree(x, n);
		agree(x, N);
	}
	free(x);
}

static void extremes_of_64_bits_do_not_wrap(void **state)
{
	static const int64_t wide[] = { INT64_MIN, INT64_MAX, 0, 1, 2, 3, 4, 5, 6, 7 };
	int64_t x[40];

	(void)state;
	agree(wide, 10);
	for (size_t i = 0; i < 40; i++)
		x[i] = INT64_MAX - (int64_t)(i % 5);
	x[0] = INT64_MIN;
	agree(x, 40);
}

static void the_first_sample_may_be_the_only_extreme(void **state)
{
	static const int64_t most[] = { 1000000000, 10, 11, 12, 11, 10, 11, 12, 13, 14, 15, 16 };
	static const int64_t least[] = { 1, 10, 11, 12, 11, 10, 11, 12, 13, 14, 15, 16 };
	static const int64_t same[] = { 4, 4, 4, 4 };

	(void)state;
	agree(most, 12);
	agree(least, 12);
	agree(same, 4);
}

static void no_samples_have_no_figures(void **state)
{
	struct nf_figures f = { .n = 99 };
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(nf_figures_of(NULL, 0, &f, NULL, &err), -NF_ENODATA);
	assert_int_equal(f.n, 99);
}

static void a_scale_reaches_everything_but_the_count(void **state)
{
	static const int64_t x[] = { 2, 4, 6 };
	struct nf_figures f;

	(void)state;
	assert_int_equal(nf_figures_of(x, 3, &f, NULL, NULL), 0);
	nf_figures_scale(&f, 2);
	assert_int_equal(f.n, 3);
	assert_true(f.min == 1 && f.mean == 2 && f.max == 3 && f.sd == 1);
	assert_true(f.p[NF_FIGURE_P25] == 1.5 && f.p[NF_FIGURE_P999] < 3);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(figures_are_those_of_the_summary),
	cmocka_unit_test(extremes_of_64_bits_do_not_wrap),
	cmocka_unit_test(the_first_sample_may_be_the_only_extreme),
	cmocka_unit_test(no_samples_have_no_figures),
	cmocka_unit_test(a_scale_reaches_everything_but_the_count),
};

NF_UNIT_MAIN(tests)
