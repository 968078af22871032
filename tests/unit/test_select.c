/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "base/rng.h"
#include "nf_unit.h"
#include "stats/select.h"

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double *sorted_copy(const struct nf_source *s, size_t n)
{
	double *v = malloc(n * sizeof(*v));

	assert_non_null(v);
	nf_source_load(s, 0, n, v);
	qsort(v, n, sizeof(*v), ascending);
	return v;
}

/* Selects with the given scratch and compares with a sorted copy. */
static void check(const struct nf_source *s, size_t n, size_t n_scratch)
{
	double *sorted = sorted_copy(s, n), *scratch = malloc(n_scratch * sizeof(*scratch));
	struct nf_order o[NF_ORDERS_MAX];
	const size_t ranks[NF_ORDERS_MAX] = {
		n - 1,     0,          n / 2,        n / 2 + (n > 1), n / 4,
		3 * n / 4, n * 9 / 10, n * 99 / 100, n * 999 / 1000,  n - 1 - n / 10000,
		n / 3,     n / 7,      n / 2,        n / 2 - n / 100, n / 5,
		n * 2 / 3
	};

	assert_non_null(scratch);
	for (size_t k = 1; k <= NF_ORDERS_MAX; k += 5) {
		for (size_t i = 0; i < k; i++)
			o[i].rank = ranks[i] < n ? ranks[i] : n - 1;
		nf_select(s, n, o, k, scratch, n_scratch);
		for (size_t i = 0; i < k; i++) {
			size_t below = o[i].rank;

			while (below > 0 && sorted[below - 1] == sorted[o[i].rank])
				below--;
			assert_true(o[i].value == sorted[o[i].rank]);
			assert_int_equal(o[i].n_below, below);
		}
	}
	free(sorted);
	free(scratch);
}

enum shape {
	UNIFORM,
	TIES,
	CONSTANT,
	SORTED,
	FALLING,
	SPIKES,
	TWO,
	SIGNS,
	ORGAN,
	HUGE_RANGE,
	SHAPES
};

static void fill(double *x, size_t n, enum shape shape, struct nf_rng *r)
{
	for (size_t i = 0; i < n; i++) {
		double u = nf_rng_unit(r);

		switch (shape) {
		case UNIFORM:
			x[i] = u;
			break;
		case TIES:
			x[i] = floor(20 * u * u);
			break;
		case CONSTANT:
			x[i] = 7;
			break;
		case SORTED:
			x[i] = (double)i;
			break;
		case FALLING:
			x[i] = -(double)i;
			break;
		case SPIKES:
			x[i] = u < 0.999 ? 1000 + floor(10 * u) : 1e6 * u;
			break;
		case TWO:
			x[i] = u < 0.25;
			break;
		case SIGNS:
			x[i] = u < 0.3 ? -0.0 : u < 0.6 ? 0.0 : u - 0.8;
			break;
		case ORGAN:
			x[i] = (double)(i < n / 2 ? i : n - i);
			break;
		case HUGE_RANGE:
			x[i] = (u < 0.5 ? -1 : 1) * exp(1400 * u - 700);
			break;
		case SHAPES:
		default:
			fail();
		}
	}
}

static void selection_agrees_with_sorting_for_every_shape_and_size(void **state)
{
	static const size_t sizes[] = { 1, 2, 3, 31, 33, 300, 2048, 5000 };
	struct nf_rng r;
	double x[5000];

	(void)state;
	nf_rng_seed(&r, 1);
	for (enum shape sh = UNIFORM; sh < SHAPES; sh++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			struct nf_source s = { .f64 = x };

			fill(x, sizes[i], sh, &r);
			check(&s, sizes[i], nf_select_scratch(sizes[i]));
			s.deviation = true;
			s.centre = 3.25;
			check(&s, sizes[i], nf_select_scratch(sizes[i]));
		}
}

static void sampling_agrees_with_sorting(void **state)
{
	const size_t n = nf_unit_instrumented() ? 40000 : 400000;
	double *x = malloc(n * sizeof(*x));
	struct nf_source s = { .f64 = x };
	struct nf_rng r;

	(void)state;
	assert_non_null(x);
	nf_rng_seed(&r, 2);
	for (enum shape sh = UNIFORM; sh < SHAPES; sh++) {
		fill(x, n, sh, &r);
		check(&s, n, n / 4); /* n / 4 values are enough for the sample to serve */
		check(&s, n, 2048); /* too little: by digits */
	}
	free(x);
}

static void integers_are_selected_times_their_factor(void **state)
{
	int64_t x[3000];
	struct nf_source s = { .i64 = x, .factor = 0.4 };
	struct nf_rng r;

	(void)state;
	nf_rng_seed(&r, 3);
	for (size_t i = 0; i < 3000; i++)
		x[i] = (int64_t)nf_rng_next(&r) >> (i % 60);
	check(&s, 3000, 3000);
	check(&s, 3000, 2048);
}

static void the_scratch_for_many_samples_is_less_than_a_tenth(void **state)
{
	(void)state;
	assert_int_equal(nf_select_scratch(1), 2048);
	assert_int_equal(nf_select_scratch(1 << 20), 1 << 20);
	for (size_t n = (1 << 20) + 1; n < (size_t)1 << 40; n *= 3)
		assert_true(nf_select_scratch(n) <= n / 10);
}

/* The exact coverage, 1 - 2 P(Bin(n, 1/2) <= r - 1). The sum is kept times 2^n and below 2^900. */
static double coverage(size_t n, size_t r)
{
	double term = 1, sum = 0;
	int shift = -(int)n;

	for (size_t k = 0; k < r; k++) {
		sum += term;
		term *= (double)(n - k) / (double)(k + 1);
		if (term > 0x1p800) {
			term *= 0x1p-800;
			sum *= 0x1p-800;
			shift += 800;
		}
	}
	return 1 - 2 * ldexp(sum, shift);
}

static void median_interval_ranks_are_the_narrowest_that_reach_the_level(void **state)
{
	static const double levels[] = { 0.5, 0.9, 0.95, 0.99, 0.999 };

	(void)state;
	for (size_t i = 0; i < 5; i++)
		for (size_t n = 1; n <= 3000; n += n < 200 ? 1 : 131) {
			size_t r = nf_median_ci_rank(n, levels[i]);

			assert_true(r <= (n + 1) / 2);
			if (r > 0)
				assert_true(coverage(n, r) >= levels[i] - 1e-12);
			if (r + 1 <= (n + 1) / 2)
				assert_true(coverage(n, r + 1) < levels[i] + 1e-12);
		}
	/* n: r for 95 %, from tables of the sign test. */
	assert_int_equal(nf_median_ci_rank(5, 0.95), 0);
	assert_int_equal(nf_median_ci_rank(6, 0.95), 1);
	assert_int_equal(nf_median_ci_rank(9, 0.95), 2);
	assert_int_equal(nf_median_ci_rank(20, 0.95), 6);
	assert_int_equal(nf_median_ci_rank(100, 0.95), 40);
	/* Normal approximation for large n: n/2 - 0.98 sqrt(n). */
	size_t r = nf_median_ci_rank(10000000, 0.95);

	assert_in_range(r, 5000000 - 3102, 5000000 - 3097);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(selection_agrees_with_sorting_for_every_shape_and_size),
	cmocka_unit_test(sampling_agrees_with_sorting),
	cmocka_unit_test(integers_are_selected_times_their_factor),
	cmocka_unit_test(the_scratch_for_many_samples_is_less_than_a_tenth),
	cmocka_unit_test(median_interval_ranks_are_the_narrowest_that_reach_the_level),
};

NF_UNIT_MAIN(tests)
