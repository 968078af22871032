/* SPDX-License-Identifier: MIT */
/* Properties of a sort: a stand-alone program. Try --help, --reporter tap, --seed 1. */
#include <stdlib.h>
#include <string.h>

#include <noisefloor/prop.h>

static int by_value(const void *a, const void *b)
{
	return pt_compare(*(const struct pt_value *)a, *(const struct pt_value *)b);
}

/* A sorted copy of a list. */
static struct pt_value sorted(struct pt_mem *m, struct pt_value v, void *arg)
{
	struct pt_value *at = pt_mem_alloc(m, (v.n + 1) * sizeof(*at));

	(void)arg;
	if (!at)
		return v;
	if (v.n > 0)
		memcpy(at, v.at, v.n * sizeof(*at));
	qsort(at, v.n, sizeof(*at), by_value);
	return pt_value_list(PT_LIST, at, v.n);
}

static const struct pt_gen *some_list(struct pt_mem *m)
{
	return pt_list(m, pt_int(m, -1000, 1000), 0, 40);
}

static bool is_in_order(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value v = sorted(m, pt_draw(t, "list", some_list(m)), arg);

	pt_classify(t, v.n < 2, "nothing to sort");
	pt_cover(t, v.n > 5, 20.0, "more than five");
	for (size_t i = 1; i < v.n; i++)
		PT_ASSERT(t, v.at[i - 1].i <= v.at[i].i);
	return true;
}

static bool twice_is_once(struct pt_case *t, void *arg)
{
	return pt_idempotent(t, some_list(pt_case_mem(t)), sorted, arg);
}

static bool keeps_the_length(struct pt_case *t, void *arg)
{
	return pt_length_preserving(t, some_list(pt_case_mem(t)), sorted, arg);
}

static const struct pt_property properties[] = {
	{ .name = "is in order", .fn = is_in_order },
	{ .name = "twice is once", .fn = twice_is_once },
	{ .name = "keeps the length", .fn = keeps_the_length },
};

int main(int argc, char **argv)
{
	const struct pt_suite suite = {
		.name = "sorting",
		.property = properties,
		.n = sizeof(properties) / sizeof(properties[0]),
	};

	return pt_main(&suite, argc, argv);
}
