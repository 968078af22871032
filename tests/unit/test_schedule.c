/* SPDX-License-Identifier: MIT */
#include "noisefloor/schedule.h"

#include "nf_unit.h"
#include "noisefloor/multiple.h"
#include "stat_random.h"

static void pairs_come_in_blocks_that_cancel_a_line(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++)
		for (size_t n = 1; n <= 21; n++) {
			uint8_t v[42];

			assert_int_equal(nf_schedule_pairs(seed, n, v, NULL), 0);
			for (size_t i = 0; i < n; i++)
				assert_int_equal(v[2 * i] + v[2 * i + 1], 1);
			for (size_t i = 0; i + 1 < n; i += 2) { /* a line adds alike to both */
				assert_int_equal(v[2 * i], v[2 * i + 3]);
				assert_int_equal(v[2 * i + 1], v[2 * i + 2]);
			}
		}
}

static void both_kinds_of_block_are_drawn(void **state)
{
	size_t first[2] = { 0 };
	uint8_t v[2000], again[2000];

	(void)state;
	assert_int_equal(nf_schedule_pairs(3, 1000, v, NULL), 0);
	for (size_t i = 0; i < 500; i++)
		first[v[4 * i]]++;
	assert_in_range(first[0], 200, 300);
	assert_int_equal(nf_schedule_pairs(3, 1000, again, NULL), 0);
	assert_memory_equal(v, again, sizeof(v));
	assert_int_equal(nf_schedule_pairs(3, 0, v, NULL), -NF_EARG);
}

static void each_variant_follows_each_other_equally_often(void **state)
{
	(void)state;
	for (size_t k = 2; k <= 9; k++)
		for (uint64_t seed = 0; seed < 20; seed++) {
			size_t rows = nf_schedule_williams_rows(k), follows[9][9] = { 0 };
			size_t at[9][9] = { 0 }; /* variant, slot */
			uint8_t v[2 * 9 * 9];

			assert_int_equal(rows, k % 2 ? 2 * k : k);
			assert_int_equal(nf_schedule_williams(seed, k, rows, v, NULL), 0);
			for (size_t r = 0; r < rows; r++)
				for (size_t s = 0; s < k; s++) {
					at[v[r * k + s]][s]++;
					if (s > 0)
						follows[v[r * k + s - 1]][v[r * k + s]]++;
				}
			for (size_t a = 0; a < k; a++)
				for (size_t b = 0; b < k; b++) {
					assert_int_equal(at[a][b], rows / k);
					assert_int_equal(follows[a][b], a == b ? 0 : rows / k);
				}
		}
}

static void rows_are_whole_even_when_a_design_is_not(void **state)
{
	uint8_t v[7 * 17], other[7 * 17];

	(void)state;
	assert_int_equal(nf_schedule_williams(1, 7, 17, v, NULL), 0);
	for (size_t r = 0; r < 17; r++) {
		unsigned seen = 0;

		for (size_t s = 0; s < 7; s++)
			seen |= 1u << v[7 * r + s];
		assert_int_equal(seen, 127);
	}
	assert_int_equal(nf_schedule_williams(2, 7, 17, other, NULL), 0);
	assert_memory_not_equal(v, other, sizeof(v));
	assert_int_equal(nf_schedule_williams(1, 1, 1, v, NULL), -NF_EARG);
	assert_int_equal(nf_schedule_williams(1, 257, 1, v, NULL), -NF_EARG);
	assert_int_equal(nf_schedule_williams(1, 3, 0, v, NULL), -NF_EARG);
}

/* --- many tests at once ------------------------------------------------------------------------ */

static void adjusted_p_are_ordered_as_the_methods_are(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 4);
	for (int round = 0; round < 200; round++) {
		size_t n = 1 + nf_rng_below(&rng, 30);
		double p[32], adj[4][32];

		for (size_t i = 0; i < n; i++) {
			p[i] = pow(nf_rng_unit(&rng), 4);
			if (nf_rng_below(&rng, 5) == 0 && i > 0)
				p[i] = p[i - 1];
		}
		for (int how = NF_BONFERRONI; how <= NF_BENJAMINI_YEKUTIELI; how++)
			assert_int_equal(nf_adjust_p((enum nf_adjustment)how, p, n, adj[how], NULL),
			                 0);
		for (size_t i = 0; i < n; i++) {
			/* Holm rejects whatever Bonferroni does, Benjamini-Hochberg what Holm does. */
			assert_true(adj[NF_HOLM][i] <= adj[NF_BONFERRONI][i]);
			assert_true(adj[NF_BENJAMINI_HOCHBERG][i] <= adj[NF_HOLM][i] + 1e-15);
			assert_true(adj[NF_BENJAMINI_YEKUTIELI][i] >=
			            adj[NF_BENJAMINI_HOCHBERG][i]);
			assert_true(adj[NF_BENJAMINI_HOCHBERG][i] >= p[i] - 1e-15);
			for (size_t j = 0; j < n; j++)
				if (p[i] <= p[j])
					assert_true(adj[NF_HOLM][i] <= adj[NF_HOLM][j]);
		}
	}
}

static void a_test_that_did_not_happen_leaves_the_family(void **state)
{
	const double with[4] = { 0.01, (double)NAN, 0.04, 0.03 }, without[3] = { 0.01, 0.04, 0.03 };

	(void)state;
	for (int how = NF_BONFERRONI; how <= NF_BENJAMINI_YEKUTIELI; how++) {
		double a[4], b[3];

		assert_int_equal(nf_adjust_p((enum nf_adjustment)how, with, 4, a, NULL), 0);
		assert_int_equal(nf_adjust_p((enum nf_adjustment)how, without, 3, b, NULL), 0);
		assert_true(isnan(a[1]));
		a[1] = a[2];
		a[2] = a[3];
		assert_memory_equal(a, b, sizeof(b));
	}
}

static void holm_in_small_is_as_by_hand(void **state)
{
	double p[3] = { 0.02, 0.01, 0.5 };

	(void)state;
	assert_int_equal(nf_adjust_p(NF_HOLM, p, 3, p, NULL), 0); /* in place */
	assert_true(fabs(p[1] - 0.03) < 1e-15 && fabs(p[0] - 0.04) < 1e-15 && p[2] >= 0.5);
	p[0] = 1.5;
	assert_int_equal(nf_adjust_p(NF_HOLM, p, 3, p, NULL), -NF_EDATA);
	assert_int_equal(nf_adjust_p(NF_HOLM, p, 0, p, NULL), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(pairs_come_in_blocks_that_cancel_a_line),
	cmocka_unit_test(both_kinds_of_block_are_drawn),
	cmocka_unit_test(each_variant_follows_each_other_equally_often),
	cmocka_unit_test(rows_are_whole_even_when_a_design_is_not),
	cmocka_unit_test(adjusted_p_are_ordered_as_the_methods_are),
	cmocka_unit_test(a_test_that_did_not_happen_leaves_the_family),
	cmocka_unit_test(holm_in_small_is_as_by_hand),
};
NF_UNIT_MAIN(tests)
