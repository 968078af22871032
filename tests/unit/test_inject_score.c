/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "nf_unit.h"
#include "stats/inject_score.h"

enum { MANY = 1000 };

static struct nf_inject_input input(const struct nf_inject_burst *b, size_t n_bursts,
                                    const struct nf_inject_hit *h, size_t n_hits)
{
	return (struct nf_inject_input){ b, n_bursts, h, n_hits, 0, 1000000 };
}

static struct nf_inject_score score(const struct nf_inject_input *in)
{
	struct nf_inject_score s;
	struct nf_err err = { 0 };

	assert_int_equal(nf_inject_score(in, &s, &err), 0);
	assert_int_equal(err.code, NF_OK);
	return s;
}

static void a_perfect_detector_finds_everything(void **state)
{
	struct nf_inject_burst b[MANY];
	struct nf_inject_hit h[MANY];

	(void)state;
	for (int64_t i = 0; i < MANY; i++) {
		b[i] = (struct nf_inject_burst){ 1000 * i + 100, 1000 * i + 120 };
		h[i] = (struct nf_inject_hit){ 1000 * i + 97, 26 + i % 5, 26 + i % 5 };
	}
	const struct nf_inject_input in = input(b, MANY, h, MANY);
	struct nf_inject_score s = score(&in);
	assert_true(s.recall == 1);
	assert_int_equal(s.n_bursts, MANY);
	assert_int_equal(s.n_found, MANY);
	assert_int_equal(s.n_enclosed, MANY);
	assert_int_equal(s.n_begin_late + s.n_end_early + s.n_shared + s.n_outside, 0);
	assert_int_equal(s.n_hits_on_bursts, MANY);
	assert_int_equal(s.n_begin_errors, MANY);
	assert_int_equal(s.n_excess, MANY);
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(s.begin_error[i], -3);
		assert_int_equal(s.excess[i], 6 + (int64_t)i % 5);
	}
	nf_inject_score_fini(&s);
}

static void hits_between_bursts_find_none(void **state)
{
	const struct nf_inject_burst b[] = { { 100, 120 }, { 200, 220 } };
	/* They touch both ends of the first burst. */
	const struct nf_inject_hit h[] = { { 90, 10, 10 }, { 120, 10, 10 }, { 300, 500, 500 } };
	const struct nf_inject_input in = input(b, 2, h, 3);
	struct nf_inject_score s = score(&in);

	(void)state;
	assert_true(s.recall == 0);
	assert_int_equal(s.n_found + s.n_hits_on_bursts + s.n_begin_errors + s.n_excess, 0);
	nf_inject_score_fini(&s);
}

static void hits_that_begin_late_or_end_early_are_counted_and_have_no_excess(void **state)
{
	const struct nf_inject_burst b[] = {
		{ 100, 120 }, { 200, 220 }, { 300, 320 }, { 400, 420 }
	};
	const struct nf_inject_hit h[] = {
		{ 101, 30, 30 }, { 190, 29, 29 }, { 305, 10, 10 }, { 400, 20, 20 }
	};
	const struct nf_inject_input in = input(b, 4, h, 4);
	struct nf_inject_score s = score(&in);

	(void)state;
	assert_int_equal(s.n_found, 4);
	assert_int_equal(s.n_begin_late, 2);
	assert_int_equal(s.n_end_early, 2);
	assert_int_equal(s.n_enclosed, 1);
	assert_int_equal(s.n_excess, 1);
	assert_int_equal(s.excess[0], 0);
	assert_int_equal(s.begin_error[0], 1);
	assert_int_equal(s.begin_error[1], -10);
	nf_inject_score_fini(&s);
}

static void a_hit_over_two_bursts_finds_both_and_has_no_excess(void **state)
{
	const struct nf_inject_burst b[] = { { 100, 120 }, { 125, 145 }, { 300, 320 } };
	const struct nf_inject_hit h[] = { { 95, 60, 60 }, { 295, 30, 28 } };
	const struct nf_inject_input in = input(b, 3, h, 2);
	struct nf_inject_score s = score(&in);

	(void)state;
	assert_true(s.recall == 1);
	assert_int_equal(s.n_shared, 1);
	assert_int_equal(s.n_hits_on_bursts, 2);
	assert_int_equal(s.n_excess, 1);
	assert_int_equal(s.excess[0], 8); /* of what was lost, not of the hit's length */
	nf_inject_score_fini(&s);
}

static void a_burst_in_two_pieces_belongs_to_the_longer(void **state)
{
	const struct nf_inject_burst b[] = { { 100, 200 } };
	const struct nf_inject_hit h[] = { { 95, 25, 25 }, { 130, 60, 60 }, { 195, 10, 10 } };
	const struct nf_inject_input in = input(b, 1, h, 3);
	struct nf_inject_score s = score(&in);

	(void)state;
	assert_int_equal(s.n_found, 1);
	assert_int_equal(s.begin_error[0], 30);
	assert_int_equal(s.n_hits_on_bursts, 3);
	assert_int_equal(s.n_begin_late, 1);
	assert_int_equal(s.n_end_early, 1);
	nf_inject_score_fini(&s);
}

static void overlapping_bursts_are_scored_one_by_one(void **state)
{
	const struct nf_inject_burst b[] = { { 100, 400 }, { 150, 170 }, { 390, 410 } };
	const struct nf_inject_hit h[] = { { 140, 50, 50 }, { 395, 20, 20 } };
	const struct nf_inject_input in = input(b, 3, h, 2);
	struct nf_inject_score s = score(&in);

	(void)state;
	assert_int_equal(s.n_found, 3);
	assert_int_equal(s.n_shared, 2);
	assert_int_equal(s.n_enclosed, 1);
	assert_int_equal(s.begin_error[0], 40);
	assert_int_equal(s.begin_error[1], -10);
	assert_int_equal(s.begin_error[2], 5);
	nf_inject_score_fini(&s);
}

static void a_burst_without_length_is_a_point(void **state)
{
	const struct nf_inject_burst b[] = { { 100, 100 }, { 200, 200 } };
	const struct nf_inject_hit h[] = { { 100, 1, 1 }, { 190, 10, 10 } };
	const struct nf_inject_input in = input(b, 2, h, 2);
	struct nf_inject_score s = score(&in);

	(void)state;
	assert_int_equal(s.n_found, 1);
	assert_int_equal(s.excess[0], 1);
	nf_inject_score_fini(&s);
}

static void bursts_beyond_the_span_do_not_count(void **state)
{
	const struct nf_inject_burst b[] = { { -10, 10 }, { 100, 120 }, { 190, 210 } };
	const struct nf_inject_hit h[] = { { 95, 30, 30 } };
	struct nf_inject_input in = input(b, 3, h, 1);

	(void)state;
	in.span_end = 200;
	struct nf_inject_score s = score(&in);
	assert_int_equal(s.n_outside, 2);
	assert_int_equal(s.n_bursts, 1);
	assert_true(s.recall == 1);
	nf_inject_score_fini(&s);
}

static void nothing_to_find_has_no_recall(void **state)
{
	const struct nf_inject_hit h[] = { { 95, 30, 30 } };
	const struct nf_inject_burst b[] = { { 95, 130 } };
	struct nf_inject_input in = input(NULL, 0, h, 1);
	struct nf_inject_score s = score(&in);

	(void)state;
	assert_true(isnan(s.recall));
	assert_int_equal(s.n_hits_on_bursts, 0);
	nf_inject_score_fini(&s);
	in = input(b, 1, NULL, 0);
	s = score(&in);
	assert_true(s.recall == 0);
	nf_inject_score_fini(&s);
}

static void what_is_out_of_order_is_refused_and_leaves_the_output(void **state)
{
	const struct nf_inject_burst good[] = { { 1, 2 }, { 1, 3 } },
	                             back[] = { { 5, 6 }, { 1, 2 } }, inverse[] = { { 5, 4 } };
	const struct nf_inject_hit fine[] = { { 1, 1, 1 } }, over[] = { { 1, 5, 5 }, { 5, 1, 1 } },
	                           none[] = { { 1, 0, 0 } }, far[] = { { INT64_MAX, 1, 1 } };
	const struct nf_inject_input bad[] = {
		input(back, 2, fine, 1), input(inverse, 1, fine, 1), input(good, 2, over, 2),
		input(good, 2, none, 1), input(good, 2, far, 1),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct nf_inject_score s = { .n_bursts = 42 };
		struct nf_inject_phase p = { .n_hits = 42 };
		const struct nf_inject_grid g = { 0, 100, 0, 10 };
		struct nf_err err = { 0 };

		assert_int_equal(nf_inject_score(&bad[i], &s, &err), -NF_EARG);
		assert_int_equal(s.n_bursts, 42);
		assert_int_equal(err.code, NF_EARG);
		assert_int_equal(nf_inject_phase(&bad[i], &g, &p, &err), -NF_EARG);
		assert_int_equal(p.n_hits, 42);
	}
}

/* --- phases --- */

static struct nf_inject_phase fold(const struct nf_inject_input *in, const struct nf_inject_grid *g)
{
	struct nf_inject_phase p;
	struct nf_err err = { 0 };

	assert_int_equal(nf_inject_phase(in, g, &p, &err), 0);
	return p;
}

static void hits_at_the_injected_phase_alone_are_the_rarest_rank(void **state)
{
	struct nf_inject_burst b[100];
	struct nf_inject_hit h[100];

	(void)state;
	for (int64_t i = 0; i < 100; i++) {
		b[i] = (struct nf_inject_burst){ 10000 * i + 500, 10000 * i + 520 };
		h[i] = (struct nf_inject_hit){ 10000 * i + 498, 30, 30 };
	}
	const struct nf_inject_input in = input(b, 100, h, 100);
	const struct nf_inject_grid g = { 500, 10000, 10, 50 };
	struct nf_inject_phase p = fold(&in, &g);
	assert_int_equal(p.n_windows, 200);
	assert_int_equal(p.n_periods, 99); /* from 490: the last one is not whole */
	assert_int_equal(p.n_injected, 99);
	assert_int_equal(p.n_hits, 99);
	assert_int_equal(p.n_most, 0);
	assert_true(isnan(p.rate_ratio));
	assert_true(p.p_rank == 1.0 / 200);
	assert_true(p.p_binomial < 1e-200);
	assert_true(p.precision == 1);
}

static void evenly_spread_hits_prefer_no_phase(void **state)
{
	static struct nf_inject_hit h[99 * 200];

	(void)state;
	for (int64_t i = 0; i < 99 * 200; i++)
		h[i] = (struct nf_inject_hit){ 490 + 50 * i + 7, 1, 1 };
	const struct nf_inject_input in = input(NULL, 0, h, 99 * 200);
	const struct nf_inject_grid g = { 500, 10000, 10, 50 };
	struct nf_inject_phase p = fold(&in, &g);
	assert_int_equal(p.n_hits, 99 * 200);
	assert_int_equal(p.n_injected, 99);
	assert_true(p.rate_ratio == 1);
	assert_true(p.p_rank == 1);
	assert_true(p.p_binomial > 0.4 && p.p_binomial < 0.6);
	assert_true(p.precision == 0);
}

/* A tick of its own every 2000 meets five of 200 windows: no reason to suspect one of the other 195. */
static void a_periodic_noise_elsewhere_is_no_evidence(void **state)
{
	static struct nf_inject_hit h[490];

	(void)state;
	for (int64_t i = 0; i < 490; i++)
		h[i] = (struct nf_inject_hit){ 1000 + 2000 * i, 5, 5 };
	const struct nf_inject_input in = input(NULL, 0, h, 490);
	struct nf_inject_phase p = fold(&in, &(struct nf_inject_grid){ 500, 10000, 10, 50 });
	assert_int_equal(p.n_injected, 0);
	assert_true(p.p_rank == 1);
	assert_true(p.p_binomial == 1);
	/* At the tick's own phase the rank says one of five; independence would say never. */
	p = fold(&in, &(struct nf_inject_grid){ 1000, 10000, 10, 50 });
	assert_int_equal(p.n_injected, 98);
	assert_true(p.p_rank == 5.0 / 200);
	assert_true(p.p_binomial < 1e-80);
}

static void no_hits_are_no_evidence(void **state)
{
	const struct nf_inject_input in = input(NULL, 0, NULL, 0);
	struct nf_inject_phase p = fold(&in, &(struct nf_inject_grid){ 0, 1000, 0, 100 });

	(void)state;
	assert_int_equal(p.n_windows, 10);
	assert_int_equal(p.n_periods, 1000);
	assert_true(p.p_rank == 1);
	assert_true(p.p_binomial == 1);
	assert_true(isnan(p.precision) && isnan(p.rate_ratio));
}

static void a_grid_out_of_range_or_a_short_span_is_refused(void **state)
{
	static const struct nf_inject_grid bad[] = {
		{ 0, 0, 0, 1 },     { 0, (double)NAN, 0, 1 },   { (double)INFINITY, 100, 0, 1 },
		{ 0, 100, -1, 10 }, { 0, 100, 10, 10 },         { 0, 100, 0, 0 },
		{ 0, 100, 0, 51 },  { 0, 100, 0, (double)NAN }, { 0, 1e9, 0, 1e-3 },
	};
	struct nf_inject_input in = input(NULL, 0, NULL, 0);
	struct nf_inject_phase p = { .n_hits = 42 };
	struct nf_err err = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(nf_inject_phase(&in, &bad[i], &p, &err), -NF_EARG);
	in.span_end = 150;
	assert_int_equal(nf_inject_phase(&in, &(struct nf_inject_grid){ 60, 100, 0, 10 }, &p, &err),
	                 -NF_ENODATA);
	assert_int_equal(p.n_hits, 42);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_perfect_detector_finds_everything),
	cmocka_unit_test(hits_between_bursts_find_none),
	cmocka_unit_test(hits_that_begin_late_or_end_early_are_counted_and_have_no_excess),
	cmocka_unit_test(a_hit_over_two_bursts_finds_both_and_has_no_excess),
	cmocka_unit_test(a_burst_in_two_pieces_belongs_to_the_longer),
	cmocka_unit_test(overlapping_bursts_are_scored_one_by_one),
	cmocka_unit_test(a_burst_without_length_is_a_point),
	cmocka_unit_test(bursts_beyond_the_span_do_not_count),
	cmocka_unit_test(nothing_to_find_has_no_recall),
	cmocka_unit_test(what_is_out_of_order_is_refused_and_leaves_the_output),
	cmocka_unit_test(hits_at_the_injected_phase_alone_are_the_rarest_rank),
	cmocka_unit_test(evenly_spread_hits_prefer_no_phase),
	cmocka_unit_test(a_periodic_noise_elsewhere_is_no_evidence),
	cmocka_unit_test(no_hits_are_no_evidence),
	cmocka_unit_test(a_grid_out_of_range_or_a_short_span_is_refused),
};
NF_UNIT_MAIN(tests)
