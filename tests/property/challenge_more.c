/* SPDX-License-Identifier: MIT */
/* Problems of other kinds than the public ones: what a pass was once missing for. */
#include <string.h>

#include "challenge.h"

static const struct pt_gen *ints(struct pt_mem *m, int64_t lo, int64_t hi)
{
	return pt_list(m, pt_int(m, lo, hi), 0, 30);
}

/* Two entries of one key that differ. */
static bool map_keys(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	const struct pt_gen *entry = PT_TUPLE_OF(m, pt_alpha(m, 0, 8), pt_any_int(m));
	struct pt_value v = pt_draw(t, "v", pt_list(m, entry, 0, 20));

	(void)arg;
	for (size_t i = 0; i < v.n; i++)
		for (size_t j = 0; j < i; j++)
			if (pt_equal(v.at[i].at[0], v.at[j].at[0]) &&
			    v.at[i].at[1].i != v.at[j].at[1].i)
				return false;
	return true;
}

static bool remainder_of(struct pt_case *t, void *arg)
{
	int64_t x = pt_draw_int(t, 0, 1000000);

	(void)arg;
	return !(x % 1000 == 77 && x > 5000);
}

static bool rising_run(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value v = pt_draw(t, "v", pt_list(m, pt_any_int(m), 0, 30));
	unsigned run = 1;

	(void)arg;
	for (size_t i = 1; i < v.n && run < 4; i++)
		run = v.at[i].i > v.at[i - 1].i ? run + 1 : 1;
	return run < 4;
}

static bool even_with_57(struct pt_case *t, void *arg)
{
	struct pt_value v = pt_draw(t, "v", ints(pt_case_mem(t), 0, 100));
	bool found = false;

	(void)arg;
	for (size_t i = 0; i < v.n; i++)
		found = found || v.at[i].i == 57;
	return !(found && v.n % 2 == 0);
}

static bool texts_of_length(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value v = pt_draw(t, "v", pt_list(m, pt_alpha(m, 0, 20), 0, 20));
	size_t n = 0;

	(void)arg;
	for (size_t i = 0; i < v.n; i++)
		n += v.at[i].n;
	return !(v.n >= 3 && n >= 10);
}

/* Lists and maps in each other. */
static const struct pt_gen *branch(struct pt_mem *m, const struct pt_gen *self, void *arg)
{
	const struct pt_gen *entry = PT_TUPLE_OF(m, pt_alpha(m, 0, 5), self);

	(void)arg;
	return PT_ONE_OF(m, pt_list(m, self, 0, 5), pt_list(m, entry, 0, 5));
}

static bool holds_large(struct pt_value v, int depth)
{
	if (v.kind == PT_INT)
		return depth >= 3 && v.i > 10;
	if (v.kind != PT_LIST && v.kind != PT_TUPLE)
		return false;
	for (size_t i = 0; i < v.n; i++)
		if (holds_large(v.at[i], depth + (v.kind == PT_LIST)))
			return true;
	return false;
}

static bool document(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	const struct pt_gen *leaf =
	        PT_ONE_OF(m, pt_bool(m, 0.5), pt_int(m, -1000, 1000), pt_alpha(m, 0, 8));

	(void)arg;
	return !holds_large(pt_draw(t, "v", pt_recursive(m, leaf, branch, NULL, 6)), 0);
}

static bool scalar_product(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	size_t n = pt_draw_size(t, 0, 20);
	const struct pt_gen *g = pt_list(m, pt_int(m, 0, 100), n, n);
	struct pt_value a = pt_draw(t, "a", g), b = pt_draw(t, "b", g);
	int64_t sum = 0;

	(void)arg;
	for (size_t i = 0; i < n; i++)
		sum += a.at[i].i * b.at[i].i;
	return sum < 500;
}

static bool common_divisor(struct pt_case *t, void *arg)
{
	int64_t a = pt_draw_int(t, 1, 10000), b = pt_draw_int(t, 1, 10000);

	(void)arg;
	while (b) {
		int64_t r = a % b;

		a = b;
		b = r;
	}
	return a < 12;
}

static bool inside_a_range(struct pt_case *t, void *arg)
{
	int64_t lo = pt_draw_int(t, 0, 1000), hi = pt_draw_int(t, lo, 2000),
	        v = pt_draw_int(t, lo, hi);

	(void)arg;
	return v - lo < 10 || hi - v < 10;
}

static bool symmetric_matrix(struct pt_case *t, void *arg)
{
	enum { MOST = 8 };
	size_t n = pt_draw_size(t, 1, MOST);
	int64_t at[MOST * MOST];

	(void)arg;
	for (size_t i = 0; i < n * n; i++)
		at[i] = pt_draw_int(t, -100, 100);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (at[i * n + j] != at[j * n + i])
				return false;
	return true;
}

static bool product_of_list(struct pt_case *t, void *arg)
{
	struct pt_value v = pt_draw(t, "v", ints(pt_case_mem(t), 0, 10000));
	int64_t product = 1;

	(void)arg;
	for (size_t i = 0; i < v.n && product <= 100000; i++)
		product *= v.at[i].i > 1 ? v.at[i].i : 1;
	return product <= 100000;
}

static bool letters_out_of_order(struct pt_case *t, void *arg)
{
	struct pt_value v = pt_draw(t, "v", pt_text(pt_case_mem(t), 0, 50, NULL));

	(void)arg;
	for (size_t i = 1; i < v.n; i++)
		if (v.text[i - 1] > v.text[i])
			return false;
	return true;
}

const struct challenge challenges_more[] = {
	{ .name = "map_keys", .fn = map_keys, .minimal = { "v = [(\"\", 0), (\"\", 1)]" } },
	{ .name = "remainder_of", .fn = remainder_of, .minimal = { "= 5077" } },
	{ .name = "rising_run", .fn = rising_run, .minimal = { "v = [0, 1, 2, 3]" } },
	{ .name = "even_with_57", .fn = even_with_57, .minimal = { "v = [0, 57]" } },
	{ .name = "texts_of_length",
	  .fn = texts_of_length,
	  .minimal = { "v = [\"\", \"\", \"aaaaaaaaaa\"]" } },
	{ .name = "document", .fn = document, .minimal = { "v = [[[11]]]" } },
	{ .name = "scalar_product", .fn = scalar_product, .minimal = { "a = [5]\nb = [100]" } },
	{ .name = "common_divisor",
	  .fn = common_divisor,
	  .minimal = { "draw 1 = 12\ndraw 2 = 12" } },
	{ .name = "inside_a_range",
	  .fn = inside_a_range,
	  .minimal = { "draw 1 = 0\ndraw 2 = 20\ndraw 3 = 10" } },
	{ .name = "symmetric_matrix",
	  .fn = symmetric_matrix,
	  .minimal = { "draw 1 = 2\ndraw 2 = 0\ndraw 3 = 0\ndraw 4 = 1\ndraw 5 = 0" } },
	{ .name = "product_of_list", .fn = product_of_list, .minimal = { "v = [11, 9091]" } },
	{ .name = "letters_out_of_order", .fn = letters_out_of_order, .minimal = { "v = \"aA\"" } },
	{ .name = NULL },
};
