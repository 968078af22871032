/* SPDX-License-Identifier: MIT */
/* Values, commands against a model, cases that draw too much. */
#include "nf_unit.h"

#include <math.h>

#include "subjects.h"

/* ---- values ---- */
static void values_print_and_compare(void **state)
{
	struct pt_value in[] = { pt_value_int(-5), pt_value_text("a\"\n\x01") };
	struct pt_value l = pt_value_list(PT_LIST, in, 2), tuple = pt_value_list(PT_TUPLE, in, 1);
	char text[64], small[4];

	(void)state;
	assert_int_equal(pt_format(text, sizeof(text), l), 17);
	assert_string_equal(text, "[-5, \"a\\\"\\n\\x01\"]");
	pt_format(text, sizeof(text), tuple);
	assert_string_equal(text, "(-5)");
	pt_format(text, sizeof(text), pt_value_real(3.0));
	assert_string_equal(text, "3.0");
	pt_format(text, sizeof(text), pt_value_real(0.1));
	assert_string_equal(text, "0.1");
	assert_int_equal(pt_format(small, sizeof(small), pt_value_int(12345)), 5);
	assert_string_equal(small, "123");
	assert_true(pt_equal(l, l));
	assert_false(pt_equal(l, tuple));
	assert_true(pt_equal(pt_value_real((double)NAN), pt_value_real((double)NAN)));
	assert_true(pt_equal(pt_value_real(0.0), pt_value_real(-0.0)));
	assert_true(pt_near(pt_value_real(100.0), pt_value_real(100.5), 0.0, 0.01));
	assert_false(pt_near(pt_value_real(100.0), pt_value_real(102.0), 0.0, 0.01));
	assert_true(pt_near(pt_value_real(0.0), pt_value_real(0.05), 0.1, 0.0));
	assert_false(pt_near(pt_value_real(HUGE_VAL), pt_value_real(1.0), 1e300, 0.5));
	assert_true(pt_compare(pt_value_text("a"), pt_value_text("ab")) < 0);
}

static bool compare_is_total(struct pt_case *t, void *arg)
{
	struct pt_value a = pt_draw(t, "a", arg), b = pt_draw(t, "b", arg),
	                c = pt_draw(t, "c", arg);

	PT_ASSERT(t, pt_compare(a, a) == 0);
	PT_ASSERT(t, pt_compare(a, b) == -pt_compare(b, a));
	if (pt_compare(a, b) <= 0 && pt_compare(b, c) <= 0)
		PT_ASSERT(t, pt_compare(a, c) <= 0);
	return true;
}

static void compare_is_a_total_order(void **state)
{
	struct pt_config c = { .seed = 5, .cases = 1000 };
	struct pt_result r;
	struct pt_mem *m = pt_mem_new();
	const struct pt_gen *leaf =
	        PT_ONE_OF(m, pt_int(m, -2, 2), pt_any_real(m, true), pt_alpha(m, 0, 2));

	(void)state;
	r = check_with("compare", compare_is_total, (void *)(uintptr_t)pt_list(m, leaf, 0, 3), &c);
	if (r.outcome != PT_PASSED)
		fail_msg("%s\n%s", r.message, r.notes);
	pt_result_fini(&r);
	pt_mem_free(m);
}

/* ---- commands against a model ---- */
struct counter {
	int64_t system, model;
	int *stopped;
};

static void *counter_start(struct pt_case *t, void *arg)
{
	struct counter *c = pt_alloc(t, sizeof(*c));

	c->stopped = arg;
	return c;
}

static void counter_stop(void *state)
{
	struct counter *c = state;

	++*c->stopped;
}

static bool counter_add(struct pt_case *t, void *state, void *arg)
{
	struct counter *c = state;
	int64_t v = pt_draw_int(t, 0, 100);

	(void)arg;
	c->model += v;
	c->system += v == 42 ? 41 : v;
	return true;
}

static bool counter_positive(const void *state, void *arg)
{
	(void)arg;
	return ((const struct counter *)state)->model > 0;
}

static bool counter_reset(struct pt_case *t, void *state, void *arg)
{
	struct counter *c = state;

	(void)arg;
	PT_ASSERT(t, c->model > 0); /* never run when it is not allowed */
	c->model = c->system = 0;
	return true;
}

static bool counter_same(struct pt_case *t, void *state, void *arg)
{
	const struct counter *c = state;

	(void)t;
	(void)arg;
	return c->model == c->system;
}

static bool counters(struct pt_case *t, void *arg)
{
	static const struct pt_command command[] = {
		{ "reset", 1, counter_positive, counter_reset },
		{ "add", 3, NULL, counter_add },
	};
	static const struct pt_machine machine = {
		counter_start, counter_stop, counter_same, command, 2, 0
	};

	return pt_run_machine(t, &machine, arg);
}

static void a_machine_shrinks_to_the_one_command_and_is_stopped(void **state)
{
	struct pt_config c = { .seed = 2, .cases = 2000, .isolation = PT_INLINE };
	int stopped = 0;
	struct pt_result r = check_with("counters", counters, &stopped, &c);

	(void)state;
	assert_int_equal(r.outcome, PT_FAILED);
	assert_string_equal(r.notes, "add\ndraw 1 = 42\n");
	/* once a case, the failing ones included */
	assert_int_equal(stopped, r.cases + r.shrink_calls + 1);
	pt_result_fini(&r);
}

static bool leaves_spans_open(struct pt_case *t, void *arg)
{
	(void)arg;
	for (int i = 0; i < 300; i++) {
		pt_span_begin(t, 5);
		pt_draw_int(t, 0, 3);
	}
	return true;
}

static void too_many_choices_or_open_spans_discard_the_case(void **state)
{
	struct pt_result r = check_with("open spans", leaves_spans_open, NULL, NULL);

	(void)state;
	assert_int_equal(r.outcome, PT_VACUOUS);
	pt_result_fini(&r);
}

/* Every kind of draw; false at the seventh case. */
static bool draws_everything(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	const struct pt_gen *g =
	        PT_TUPLE_OF(m, pt_any_int(m), pt_real(m, -1.0, 1.0), pt_normal(m, 0.0, 1.0),
	                    pt_exponential(m, 1.0), pt_any_real(m, true), pt_text(m, 0, 5, NULL),
	                    pt_permutation(m, 4), pt_list(m, pt_bool(m, 0.3), 0, 5));
	struct pt_value v = pt_draw(t, "v", g);
	unsigned *n = arg;

	return v.n != 8 || ++*n != 7;
}

/* What other compilers and machines must draw too. */
static void a_seed_draws_the_same_with_every_compiler(void **state)
{
	struct pt_config c = { .seed = 20, .isolation = PT_INLINE, .shrink_calls = UINT32_MAX };
	unsigned n = 0;
	struct pt_result r = check_with("everything", draws_everything, &n, &c);

	(void)state;
	assert_int_equal(r.cases, 7);
	assert_string_equal(r.blob, "pt1.GAbTk5_TxOLPmoACj4bm8bbAiq6AArGj3sbs0-"
	                            "mfgAKDgICAgICA4P8DAhgCSAIwAAIAAgICAgACAAICAD4n4QM");
	pt_result_fini(&r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(values_print_and_compare),
	cmocka_unit_test(compare_is_a_total_order),
	cmocka_unit_test(a_machine_shrinks_to_the_one_command_and_is_stopped),
	cmocka_unit_test(a_seed_draws_the_same_with_every_compiler),
	cmocka_unit_test(too_many_choices_or_open_spans_discard_the_case),
};

NF_UNIT_MAIN(tests)
