/* SPDX-License-Identifier: MIT */
#include "job/bench_plan.h"
#include "nf_unit.h"

#define S INT64_C(1000000000)

static const struct nf_bench_want compare = {
	.shape = NF_BENCH_COMPARE_BUILTIN,
	.min_sets = 5,
	.max_time_ns = 60 * S,
};

static struct nf_bench_plan planned(const struct nf_bench_want *w, double fixed_ns, double value_ns)
{
	const struct nf_bench_cost c = { fixed_ns, value_ns, 0 };
	struct nf_err err = { 0 };
	struct nf_bench_plan p;

	assert_int_equal(nf_bench_plan_make(w, &c, &p, &err), 0);
	assert_true(p.estimate_ns <= (double)w->max_time_ns);
	return p;
}

static void defaults_are_those_of_the_shape(void **state)
{
	struct nf_bench_want w = compare;
	struct nf_bench_plan p = planned(&w, 1e6, 1e6);

	(void)state;
	assert_int_equal(p.sets, 20);
	assert_int_equal(p.iters, 10);
	w.shape = NF_BENCH_RUN_BUILTIN;
	p = planned(&w, 1e6, 1e6);
	assert_int_equal(p.sets, 5);
	assert_int_equal(p.iters, 15);
	w.shape = NF_BENCH_COMMANDS;
	w.iters = 7;
	p = planned(&w, 1e6, 1e6);
	assert_int_equal(p.sets, 20);
	assert_int_equal(p.iters, 1);
}

static void iterations_are_given_up_before_sets(void **state)
{
	/* 20 sets of 10 values of 1 s, both sides in one: 200 s. 60 s hold 2 of each. */
	struct nf_bench_plan p = planned(&compare, 1e9, 1e9);

	(void)state;
	assert_int_equal(p.sets, 20);
	assert_int_equal(p.iters, 2);
	assert_int_equal(p.iters_asked, 10);
}

static void sets_follow_down_to_the_fewest_that_decide(void **state)
{
	struct nf_bench_plan p = planned(&compare, 0, 10e9);

	(void)state;
	assert_int_equal(p.iters, 1);
	assert_int_equal(p.sets, 6);
	assert_int_equal(p.sets_asked, 20);
}

static void what_cannot_decide_is_refused_with_what_would(void **state)
{
	const struct nf_bench_cost c = { 0, 2e9, 2e9 };
	struct nf_bench_want w = compare;
	struct nf_bench_plan p = { .sets = 77 };
	struct nf_err err = { 0 };

	(void)state;
	w.max_time_ns = 5 * S;
	assert_int_equal(nf_bench_plan_make(&w, &c, &p, &err), -NF_EUNSUPPORTED);
	assert_non_null(strstr(err.msg, "--max-time 5s"));
	assert_non_null(strstr(err.msg, "--max-time 12s or more would do"));
	assert_int_equal(p.sets, 77);
	w.max_time_ns = 12 * S;
	assert_int_equal(nf_bench_plan_make(&w, &c, &p, &err), 0);
	assert_int_equal(p.sets, 5);
	w.sets = 4;
	assert_int_equal(nf_bench_plan_make(&w, &c, &p, &err), -NF_EUNSUPPORTED);
	assert_non_null(strstr(err.msg, "5 or more would do"));
}

static void an_extension_is_planned_only_where_it_fits(void **state)
{
	struct nf_bench_want w = compare;

	(void)state;
	assert_false(planned(&w, 0, 1e6).extends);
	w.may_extend = true;
	assert_true(planned(&w, 0, 99e6).extends); /* 60 sets of 10: 59.4 s */
	assert_false(planned(&w, 0, 101e6).extends);
	w.sets = NF_BENCH_SETS_MAX;
	assert_false(planned(&w, 0, 1).extends);
}

static double same(double cv, size_t n)
{
	struct nf_err err = { 0 };
	double v;

	assert_int_equal(nf_bench_same_ratio(cv, n, 0.01, 0.01, &v, &err), 0);
	return v;
}

/* 20 sets, delta 1 %: about 100 % at a CV of 0.5 %, 40 % at 1 %, almost never from 1.5 %. */
static void what_to_expect_is_as_documented(void **state)
{
	struct nf_err err = { 0 };
	double v;

	(void)state;
	assert_true(same(0.005, 20) > 0.99);
	assert_true(same(0.01, 20) > 0.3 && same(0.01, 20) < 0.5);
	assert_true(same(0.015, 20) < 0.01);
	assert_true(same(0, 20) == 1);
	assert_true(same(0.01, 60) > same(0.01, 20));
	assert_int_equal(nf_bench_same_ratio(0.01, 1, 0.01, 0.01, &v, &err), -NF_ENODATA);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(defaults_are_those_of_the_shape),
	cmocka_unit_test(iterations_are_given_up_before_sets),
	cmocka_unit_test(sets_follow_down_to_the_fewest_that_decide),
	cmocka_unit_test(what_cannot_decide_is_refused_with_what_would),
	cmocka_unit_test(an_extension_is_planned_only_where_it_fits),
	cmocka_unit_test(what_to_expect_is_as_documented),
};
NF_UNIT_MAIN(tests)
