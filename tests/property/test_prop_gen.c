/* SPDX-License-Identifier: MIT */
/* Generators and combinators, the orders of choices, how values shrink. */
#include "nf_unit.h"

#include <math.h>

#include "prop/choice.h"
#include "prop/rand.h"
#include "subjects.h"

/* ---- orders ---- */
static void integers_are_ordered_from_the_origin_outwards(void **state)
{
	static const struct {
		int64_t lo, hi, value[6];
	} rows[] = {
		{ -100, 100, { 0, 1, -1, 2, -2, 3 } },
		{ -1, 100, { 0, 1, -1, 2, 3, 4 } },
		{ -100, 1, { 0, 1, -1, -2, -3, -4 } },
		{ 10, 100, { 10, 11, 12, 13, 14, 15 } },
		{ -100, -10, { -10, -11, -12, -13, -14, -15 } },
		{ INT64_MIN, INT64_MAX, { 0, 1, -1, 2, -2, 3 } },
	};

	(void)state;
	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct pt_choice c = { 0 };
		int64_t origin;

		pt_choice_range(rows[k].lo, rows[k].hi, &c, &origin);
		for (c.index = 0; c.index < 6; c.index++) {
			assert_int_equal(pt_choice_value(&c, origin), rows[k].value[c.index]);
			assert_int_equal(pt_choice_index(&c, origin, rows[k].value[c.index]),
			                 c.index);
		}
		c.index = c.max;
		assert_int_equal(pt_choice_index(&c, origin, pt_choice_value(&c, origin)), c.max);
	}
}

static bool index_round_trip(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value p = pt_draw(t, "range", PT_TUPLE_OF(m, pt_any_int(m), pt_any_int(m)));
	int64_t lo = p.at[0].i < p.at[1].i ? p.at[0].i : p.at[1].i;
	int64_t hi = p.at[0].i < p.at[1].i ? p.at[1].i : p.at[0].i, v = pt_draw_int(t, lo, hi),
	        origin;
	struct pt_choice c = { 0 };
	bool below;
	uint64_t d;

	(void)arg;
	pt_choice_range(lo, hi, &c, &origin);
	c.index = pt_choice_index(&c, origin, v);
	PT_ASSERT(t, c.index <= c.max);
	PT_ASSERT(t, pt_choice_value(&c, origin) == v);
	d = pt_choice_distance(&c, &below);
	PT_ASSERT(t, pt_choice_of_distance(&c, d, below) == c.index);
	return v >= lo && v <= hi;
}

static void hold(const char *name, pt_property_fn fn, void *arg, unsigned cases)
{
	struct pt_config c = { .seed = 5, .cases = cases };
	struct pt_result r = check_with(name, fn, arg, &c);

	if (r.outcome != PT_PASSED)
		fail_msg("%s: %s: %s\n%s", name, pt_outcome_name(r.outcome), r.message, r.notes);
	pt_result_fini(&r);
}

/* The report of the shrunk case contains this. */
static void shrink_to(const char *want, pt_property_fn fn, void *arg)
{
	struct pt_config c = { .seed = 5, .cases = 5000 };
	struct pt_result r = check_with(want, fn, arg, &c);

	if (r.outcome != PT_FAILED || !strstr(r.notes, want))
		fail_msg("%s, wanted %s, got: %s%s", pt_outcome_name(r.outcome), want, r.message,
		         r.notes);
	pt_result_fini(&r);
}

static void index_and_value_are_inverse_in_every_range(void **state)
{
	(void)state;
	hold("index", index_round_trip, NULL, 2000);
}

static void reals_are_ordered_whole_first_then_by_binary_digits(void **state)
{
	static const double order[] = { 0.0,  1.0, -1.0, 2.0,      0x1.8p+0, -0x1.8p+0,
		                        1.25, 2.5, 0.5,  HUGE_VAL, -HUGE_VAL };
	(void)state;
	for (size_t i = 0; i + 1 < sizeof(order) / sizeof(order[0]); i++)
		assert_true(pt_index_of_real(order[i]) < pt_index_of_real(order[i + 1]));
	assert_true(isnan(pt_real_of_index(pt_real_max_index())));
	assert_int_equal(pt_index_of_real((double)NAN), pt_real_max_index());
	assert_true(signbit(pt_real_of_index(pt_index_of_real(-0.0))));
}

static bool real_round_trip(struct pt_case *t, void *arg)
{
	double x = pt_draw(t, "x", arg).r, y = pt_real_of_index(pt_index_of_real(x));

	return memcmp(&x, &y, sizeof(x)) == 0 || (isnan(x) && isnan(y));
}

static void every_real_has_an_index(void **state)
{
	struct pt_mem *m = pt_mem_new();

	(void)state;
	assert_non_null(m);
	hold("real index", real_round_trip, (void *)(uintptr_t)pt_any_real(m, true), 5000);
	pt_mem_free(m);
}

/* ---- what generators draw ---- */
struct in_range {
	const struct pt_gen *g;
	bool (*ok)(struct pt_value v);
};

static bool is_ok(struct pt_case *t, void *arg)
{
	const struct in_range *r = arg;

	return r->ok(pt_draw(t, "v", r->g));
}

static bool small_int(struct pt_value v)
{
	return v.kind == PT_INT && v.i >= -3 && v.i <= 12;
}

static bool nat5(struct pt_value v)
{
	return v.kind == PT_INT && v.i >= 0 && v.i <= 5;
}

static bool positive5(struct pt_value v)
{
	return v.kind == PT_INT && v.i >= 1 && v.i <= 5;
}

static bool real_in(struct pt_value v)
{
	return v.kind == PT_REAL && v.r >= -0.25 && v.r <= 3.5;
}

static bool finite_real(struct pt_value v)
{
	return v.kind == PT_REAL && isfinite(v.r);
}

static bool not_negative(struct pt_value v)
{
	return v.kind == PT_REAL && v.r >= 0.0 && isfinite(v.r);
}

static bool only(struct pt_value v, const char *set, size_t min, size_t max)
{
	return v.kind == PT_TEXT && v.n >= min && v.n <= max && strlen(v.text) == v.n &&
	       strspn(v.text, set) == v.n;
}

static bool abc_text(struct pt_value v)
{
	return only(v, "abc", 2, 7);
}

static bool digit_text(struct pt_value v)
{
	return only(v, "0123456789", 0, 9);
}

static bool alpha_text(struct pt_value v)
{
	return only(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 1, 9);
}

static bool alnum_text(struct pt_value v)
{
	return only(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 1, 9);
}

static bool printable_text(struct pt_value v)
{
	for (size_t i = 0; i < v.n; i++)
		if (v.text[i] < ' ' || v.text[i] > '~')
			return false;
	return true;
}

static bool bytes_of(struct pt_value v)
{
	return v.kind == PT_TEXT && v.n == 4;
}

static bool utf8_text(struct pt_value v)
{
	size_t points = 0;

	for (size_t i = 0; i < v.n; i++) {
		unsigned char c = (unsigned char)v.text[i];

		points += (c & 0xc0) != 0x80;
		if (c == 0xed && (unsigned char)v.text[i + 1] >= 0xa0)
			return false; /* a surrogate */
		if (c >= 0xf5 || c == 0xc0 || c == 0xc1)
			return false;
	}
	return points >= 1 && points <= 5;
}

static bool unique_values(struct pt_value v)
{
	for (size_t i = 0; i < v.n; i++)
		for (size_t j = 0; j < i; j++)
			if (pt_equal(v.at[i], v.at[j]))
				return false;
	return v.n >= 2 && v.n <= 6;
}

static bool permutation7(struct pt_value v)
{
	unsigned seen = 0;

	for (size_t i = 0; i < v.n; i++)
		seen |= 1U << v.at[i].i;
	return v.n == 7 && seen == 127;
}

static bool even_int(struct pt_value v)
{
	return v.kind == PT_INT && v.i % 2 == 0;
}

static bool pair_of(struct pt_value v)
{
	return v.kind == PT_TUPLE && v.n == 2 && v.at[0].kind == PT_INT && v.at[1].kind == PT_BOOL;
}

static bool list_2_4(struct pt_value v)
{
	return v.kind == PT_LIST && v.n >= 2 && v.n <= 4;
}

static bool one_or_text(struct pt_value v)
{
	return (v.kind == PT_INT && v.i == 1) || v.kind == PT_TEXT;
}

static bool dependent(struct pt_value v)
{
	return v.kind == PT_LIST && v.n <= 6;
}

static bool is_even(struct pt_value v, void *arg)
{
	(void)arg;
	return v.i % 2 == 0;
}

static struct pt_value twice(struct pt_mem *m, struct pt_value v, void *arg)
{
	(void)m;
	(void)arg;
	return pt_value_int(v.i * 2);
}

static const struct pt_gen *list_of_n(struct pt_mem *m, struct pt_value v, void *arg)
{
	(void)arg;
	return pt_list(m, pt_nat(m, 9), (size_t)v.i, (size_t)v.i);
}

static const struct pt_gen *by_size(struct pt_mem *m, unsigned size, void *arg)
{
	(void)arg;
	return pt_list(m, pt_nat(m, 9), 0, size / 20 + 1);
}

static const struct pt_gen *branch(struct pt_mem *m, const struct pt_gen *self, void *arg)
{
	(void)arg;
	return PT_TUPLE_OF(m, self, self);
}

static unsigned depth_of(struct pt_value v)
{
	unsigned a, b;

	if (v.kind != PT_TUPLE)
		return 0;
	a = depth_of(v.at[0]);
	b = depth_of(v.at[1]);
	return 1 + (a > b ? a : b);
}

static bool at_most_5_deep(struct pt_value v)
{
	return depth_of(v) <= 5;
}

static struct pt_value custom(struct pt_case *t, void *arg)
{
	(void)arg;
	return pt_value_int(2 * pt_draw_int(t, 0, 100));
}

static void every_generator_draws_what_it_says(void **state)
{
	struct pt_mem *m = pt_mem_new();
	const struct pt_gen *i = pt_int(m, 0, 100);
	struct in_range row[] = {
		{ pt_int(m, -3, 12), small_int },
		{ pt_nat(m, 5), nat5 },
		{ pt_positive(m, 5), positive5 },
		{ pt_real(m, -0.25, 3.5), real_in },
		{ pt_normal(m, 10.0, 2.0), finite_real },
		{ pt_exponential(m, 3.0), not_negative },
		{ pt_any_real(m, false), finite_real },
		{ pt_text(m, 2, 7, "abc"), abc_text },
		{ pt_text(m, 0, 20, NULL), printable_text },
		{ pt_digits(m, 0, 9), digit_text },
		{ pt_alpha(m, 1, 9), alpha_text },
		{ pt_alnum(m, 1, 9), alnum_text },
		{ pt_bytes(m, 4, 4), bytes_of },
		{ pt_unicode(m, 1, 5, 1, 0x10ffff), utf8_text },
		{ pt_unique_list(m, pt_int(m, 0, 20), 2, 6), unique_values },
		{ pt_permutation(m, 7), permutation7 },
		{ pt_filter(m, i, is_even, NULL), even_int },
		{ pt_map(m, i, twice, NULL), even_int },
		{ pt_custom(m, custom, NULL), even_int },
		{ PT_TUPLE_OF(m, i, pt_bool(m, 0.5)), pair_of },
		{ pt_list(m, i, 2, 4), list_2_4 },
		{ PT_ONE_OF(m, pt_constant(m, pt_value_int(1)), pt_alpha(m, 0, 3)), one_or_text },
		{ PT_FREQUENCY(m, { 3, pt_constant(m, pt_value_int(1)) }, { 0, i }), one_or_text },
		{ PT_ELEMENTS(m, pt_value_int(1), pt_value_text("x")), one_or_text },
		{ pt_flat_map(m, pt_nat(m, 6), list_of_n, NULL), dependent },
		{ pt_sized(m, by_size, NULL), dependent },
		{ pt_recursive(m, i, branch, NULL, 5), at_most_5_deep },
	};

	(void)state;
	for (size_t k = 0; k < sizeof(row) / sizeof(row[0]); k++) {
		char name[32];

		snprintf(name, sizeof(name), "row %zu", k);
		hold(name, is_ok, &row[k], 500);
	}
	pt_mem_free(m);
}

static void impossible_generators_are_null_and_fail_the_case(void **state)
{
	struct pt_mem *m = pt_mem_new();
	struct in_range none = { .ok = small_int };
	struct pt_result r;

	(void)state;
	assert_null(pt_int(m, 3, 2));
	assert_null(pt_real(m, 0.0, HUGE_VAL));
	assert_null(pt_real(m, (double)NAN, 1.0));
	assert_null(pt_text(m, 5, 4, "abc"));
	assert_null(pt_text(m, 0, 4, ""));
	assert_null(pt_text(m, 0, 4, "\xff"));
	assert_null(pt_unicode(m, 0, 4, 0xd800, 0xdfff));
	assert_null(pt_unicode(m, 0, 4, 0, 0x110000));
	assert_null(pt_one_of(m, NULL, 0));
	assert_null(PT_FREQUENCY(m, { 0, pt_nat(m, 1) }));
	assert_null(pt_list(m, NULL, 0, 3));
	assert_null(pt_list(m, pt_nat(m, 1), 4, 3));
	assert_null(pt_recursive(m, pt_nat(m, 1), branch, NULL, 0));
	assert_null(pt_int(NULL, 0, 1));
	r = check_with("null", is_ok, &none, NULL);
	assert_int_equal(r.outcome, PT_FAILED);
	assert_non_null(strstr(r.message, "generator is NULL"));
	pt_result_fini(&r);
	pt_mem_free(m);
}

static void distributions_have_their_moments(void **state)
{
	enum { N = 20000 };
	uint64_t rng = 7;
	double n1 = 0, n2 = 0, e1 = 0, e2 = 0;

	(void)state;
	for (int i = 0; i < N; i++) {
		double n = pt_rand_normal(&rng), e = pt_rand_exponential(&rng);

		n1 += n;
		n2 += n * n;
		e1 += e;
		e2 += e * e;
	}
	/* five standard errors of each */
	assert_true(fabs(n1 / N) < 5.0 / sqrt(N));
	assert_true(fabs(n2 / N - 1.0) < 5.0 * sqrt(2.0 / N));
	assert_true(fabs(e1 / N - 1.0) < 5.0 / sqrt(N));
	assert_true(fabs(e2 / N - 2.0) < 5.0 * sqrt(20.0 / N));
}

/* ---- how they shrink ---- */
static bool no_true(struct pt_case *t, void *arg)
{
	(void)arg;
	return !pt_draw_bool(t, 0.01);
}

static bool below_size(struct pt_case *t, void *arg)
{
	return pt_draw(t, "v", arg).n < 3;
}

static bool no_exclamation(struct pt_case *t, void *arg)
{
	return !strchr(pt_draw(t, "v", arg).text, '!');
}

static bool no_nan(struct pt_case *t, void *arg)
{
	return !isnan(pt_draw(t, "v", arg).r);
}

static bool small_product(struct pt_case *t, void *arg)
{
	return pt_draw(t, "v", arg).i <= 50;
}

static void values_shrink_to_the_simplest(void **state)
{
	struct pt_mem *m = pt_mem_new();

	(void)state;
	shrink_to("draw 1 = true", no_true, NULL);
	shrink_to("v = [0, 0, 0]", below_size, (void *)(uintptr_t)pt_list(m, pt_any_int(m), 0, 9));
	shrink_to("v = [0, 1, -1]", below_size,
	          (void *)(uintptr_t)pt_unique_list(m, pt_any_int(m), 0, 9));
	shrink_to("v = \"aaa\"", below_size, (void *)(uintptr_t)pt_text(m, 0, 9, NULL));
	shrink_to("v = \"!\"", no_exclamation, (void *)(uintptr_t)pt_text(m, 0, 30, NULL));
	shrink_to("v = nan", no_nan, (void *)(uintptr_t)pt_any_real(m, true));
	shrink_to("v = 52", small_product,
	          (void *)(uintptr_t)pt_map(m, pt_int(m, 0, 1000), twice, NULL));
	shrink_to("v = 52", small_product,
	          (void *)(uintptr_t)pt_filter(m, pt_int(m, 0, 1000), is_even, NULL));
	pt_mem_free(m);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(integers_are_ordered_from_the_origin_outwards),
	cmocka_unit_test(index_and_value_are_inverse_in_every_range),
	cmocka_unit_test(reals_are_ordered_whole_first_then_by_binary_digits),
	cmocka_unit_test(every_real_has_an_index),
	cmocka_unit_test(every_generator_draws_what_it_says),
	cmocka_unit_test(impossible_generators_are_null_and_fail_the_case),
	cmocka_unit_test(distributions_have_their_moments),
	cmocka_unit_test(values_shrink_to_the_simplest),
};

NF_UNIT_MAIN(tests)
