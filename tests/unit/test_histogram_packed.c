/* SPDX-License-Identifier: MIT */
#include "samples/histogram_packed.h"

#include "base/rng.h"
#include "nf_unit.h"

static struct nf_hist *drawn(uint64_t seed, size_t n)
{
	struct nf_hist *h = NULL;
	struct nf_rng rng;

	nf_rng_seed(&rng, seed);
	assert_int_equal(nf_hist_new(0x1p-9, &h, NULL), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(nf_hist_add(h, nf_rng_next(&rng) >> nf_rng_below(&rng, 60),
		                             1 + nf_rng_below(&rng, 3), NULL),
		                 0);
	return h;
}

static uint64_t *packed(const struct nf_hist *h)
{
	uint64_t *w = calloc(nf_hist_packed_words(h), sizeof(*w));

	assert_non_null(w);
	nf_hist_pack(h, w);
	return w;
}

static void assert_same(const struct nf_hist *a, const struct nf_hist *b)
{
	uint64_t *x = packed(a), *y = packed(b);

	assert_int_equal(nf_hist_packed_words(a), nf_hist_packed_words(b));
	assert_memory_equal(x, y, nf_hist_packed_words(a) * sizeof(*x));
	free(x);
	free(y);
}

static void packing_and_unpacking_changes_nothing(void **state)
{
	(void)state;
	for (size_t n = 0; n < 400; n += 57) {
		struct nf_hist *h = drawn(n, n), *back = NULL;
		uint64_t *w = packed(h);

		assert_int_equal(nf_hist_unpack(w, &back, NULL), 0);
		assert_same(h, back);
		assert_int_equal(nf_hist_count(back), nf_hist_count(h));
		assert_true(nf_hist_relative_error(back) == nf_hist_relative_error(h));
		free(w);
		nf_hist_free(h);
		nf_hist_free(back);
	}
}

static void merging_packed_is_merging_unpacked(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 8; seed++) {
		/* Also with an empty one on either side. */
		struct nf_hist *a = drawn(seed, seed == 3 ? 0 : 200), *back = NULL;
		struct nf_hist *b = drawn(seed + 100, seed == 4 ? 0 : 150);
		uint64_t *x = packed(a), *y = packed(b);

		nf_hist_packed_merge(x, y);
		assert_int_equal(nf_hist_merge(a, b, NULL), 0);
		assert_int_equal(nf_hist_unpack(x, &back, NULL), 0);
		assert_int_equal(nf_hist_count(a), nf_hist_count(back));
		assert_same(a, back);
		free(x);
		free(y);
		nf_hist_free(a);
		nf_hist_free(b);
		nf_hist_free(back);
	}
}

static void the_order_and_grouping_of_merges_do_not_matter(void **state)
{
	struct nf_hist *h[3] = { drawn(1, 50), drawn(2, 70), drawn(3, 20) };
	size_t bytes = nf_hist_packed_words(h[0]) * sizeof(uint64_t);
	uint64_t *left = packed(h[0]), *right = packed(h[2]), *b = packed(h[1]), *c = packed(h[2]),
	         *a = packed(h[0]);

	(void)state;
	nf_hist_packed_merge(left, b); /* (a + b) + c */
	nf_hist_packed_merge(left, c);
	nf_hist_packed_merge(right, b); /* (c + b) + a */
	nf_hist_packed_merge(right, a);
	assert_memory_equal(left, right, bytes);
	free(left);
	free(right);
	free(a);
	free(b);
	free(c);
	for (size_t i = 0; i < 3; i++)
		nf_hist_free(h[i]);
}

static void a_full_total_stays_full_and_counts_what_is_beyond(void **state)
{
	struct nf_hist *a = NULL, *b = NULL, *back = NULL;

	(void)state;
	assert_int_equal(nf_hist_new(0x1p-5, &a, NULL), 0);
	assert_int_equal(nf_hist_new(0x1p-5, &b, NULL), 0);
	assert_int_equal(nf_hist_add(a, 7, UINT64_MAX - 1, NULL), 0);
	assert_int_equal(nf_hist_add(b, 9, 5, NULL), 0);
	uint64_t *x = packed(a), *y = packed(b);

	nf_hist_packed_merge(x, y);
	assert_int_equal(nf_hist_unpack(x, &back, NULL), 0);
	assert_true(nf_hist_count(back) == UINT64_MAX);
	assert_int_equal(nf_hist_saturated(back), 4);
	free(x);
	free(y);
	nf_hist_free(a);
	nf_hist_free(b);
	nf_hist_free(back);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(packing_and_unpacking_changes_nothing),
	cmocka_unit_test(merging_packed_is_merging_unpacked),
	cmocka_unit_test(the_order_and_grouping_of_merges_do_not_matter),
	cmocka_unit_test(a_full_total_stays_full_and_counts_what_is_beyond),
};

NF_UNIT_MAIN(tests)
