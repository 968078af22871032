/* SPDX-License-Identifier: MIT */
/* Combs: trains of pulses are named by their fundamental, also where it is buried, and noise has none. */
#include "pulse_trains.h"

enum { N = 10000 };

/* Heavy tails: a normal value over the root of another's magnitude has no variance, nearly. */
static double heavy(struct nf_rng *rng)
{
	double d = fabs(nf_rng_normal(rng));

	return nf_rng_normal(rng) / fmax(sqrt(d), 1e-3);
}

/* A busy machine's counts: a slow drift of the level, heavy tails, and quanta in a row that others had. */
static void add_load(int64_t *c, size_t n, double drift, struct nf_rng *rng)
{
	double level = 0;

	for (size_t i = 0; i < n; i++) {
		level = 0.98 * level + drift * nf_rng_normal(rng);
		c[i] += (int64_t)(level + 40 * heavy(rng));
	}
	for (size_t holes = n / 500; holes > 0; holes--)
		for (size_t at = nf_rng_below(rng, n), left = nf_rng_below(rng, 10); left && at < n;
		     left--)
			c[at++] = 0;
	for (size_t i = 0; i < n; i++)
		c[i] = c[i] < 0 ? 0 : c[i];
}

static const struct nf_spectrum_line *find(const struct nf_spectrum *s, double hz, double within)
{
	for (size_t i = 0; i < s->n_named; i++)
		if (fabs(s->line[i].hz - hz) <= within)
			return &s->line[i];
	return NULL;
}

/* How often both of two trains are named, and how often either's own bin did not stand out. */
static size_t both_named(const double hz[2], size_t runs, uint64_t seed, size_t *ret_buried)
{
	struct nf_rng rng;
	size_t both = 0;

	*ret_buried = 0;
	nf_rng_seed(&rng, seed);
	for (size_t r = 0; r < runs; r++) {
		int64_t *c = pulsed(N, 2, hz, 200e-6, 10, &rng);
		struct nf_spectrum s;

		add_load(c, N, 30, &rng);
		s = spectrum(c, N);
		const struct nf_spectrum_line *a = find(&s, hz[0], 0.1), *b = find(&s, hz[1], 0.1);

		if (!a || !b)
			show(&s);
		both += a && b;
		*ret_buried += a && b && (a->floor_ratio < 14 || b->floor_ratio < 14);
		free(c);
	}
	return both;
}

/* All of them with NF_LONG=1, else a fifth, a few where every step is watched; the seeds are the same. */
static size_t runs_of(size_t all)
{
	const char *is_long = getenv("NF_LONG");

	if (is_long && *is_long == '1')
		return all;
	return nf_unit_instrumented() ? all / 20 : all / 5;
}

static void two_trains_under_load_are_both_named(void **state)
{
	const size_t runs = runs_of(40);
	static const double pair[][2] = {
		{ 10, 37 }, { 11.3, 41.7 }, { 17.17, 29.3 }, { 8.1, 93.7 }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pair) / sizeof(pair[0]); i++) {
		size_t buried, both = both_named(pair[i], runs, 100 + i, &buried);

		printf("# %g and %g Hz: %zu of %zu, in %zu a fundamental is buried\n", pair[i][0],
		       pair[i][1], both, runs, buried);
		assert_in_range(both, runs - 2, runs);
		assert_in_range(buried, runs / 2, runs);
	}
}

/* Spectra of noise in which anything is named; level 1 %. */
static size_t false_alarms(size_t runs, size_t n, double drift, uint64_t seed)
{
	struct nf_rng rng;
	int64_t *c = counts_new(n);
	size_t alarms = 0;

	nf_rng_seed(&rng, seed);
	for (size_t r = 0; r < runs; r++) {
		struct nf_spectrum s;

		for (size_t i = 0; i < n; i++)
			c[i] = 1600;
		add_load(c, n, drift, &rng);
		s = spectrum(c, n);
		alarms += s.n_lines > 0;
	}
	free(c);
	return alarms;
}

/* More than 8 of 200 at a level of 1 % come about once in 4,000 seeds, and the seeds are fixed. */
static void load_alone_has_no_line(void **state)
{
	const size_t runs = runs_of(200);
	size_t steady, drifting;

	(void)state;
	steady = false_alarms(runs, 2048, 0, 51);
	drifting = false_alarms(runs, 2048, 60, 52);
	printf("# a line in %zu of %zu without and in %zu with drift\n", steady, runs, drifting);
	assert_in_range(steady, 0, runs == 200 ? 8 : 4);
	assert_in_range(drifting, 0, runs == 200 ? 8 : 4);
}

static void a_train_is_named_by_its_fundamental_alone(void **state)
{
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 61);
	for (double hz = 7.3; hz < 200; hz *= 1.37) {
		int64_t *c = pulsed(N, 1, &hz, 200e-6, 10, &rng);
		struct nf_spectrum s;

		add_load(c, N, 30, &rng);
		s = spectrum(c, N);
		line_at(&s, hz, 0.02);
		for (int k = 2; k <= 6; k++) {
			assert_null(find(&s, hz / k, 0.1));
			assert_null(find(&s, hz * k, 0.1));
		}
		free(c);
	}
}

static void a_strong_line_at_a_multiple_stays_a_line_of_its_own(void **state)
{
	static const double slow = 10, tick = 250;
	struct nf_rng rng;
	int64_t *c, *d;
	struct nf_spectrum s;
	const struct nf_spectrum_line *l;

	(void)state;
	nf_rng_seed(&rng, 71);
	c = pulsed(N, 1, &slow, 300e-6, 30, &rng);
	d = pulsed(N, 1, &tick, 60e-6, 1, &rng);
	for (size_t i = 0; i < N; i++)
		c[i] += d[i] - 1600;
	s = spectrum(c, N);
	show(&s);
	l = line_at(&s, slow, 0.02);
	assert_true(l->n_teeth >= 32);
	l = line_at(&s, tick, 0.05);
	assert_true(l->n_harmonics >= 3);
	free(c);
	free(d);
	/* Alone, the slow train makes no line there. */
	c = pulsed(N, 1, &slow, 300e-6, 30, &rng);
	s = spectrum(c, N);
	assert_null(find(&s, tick, 0.1));
	free(c);
}

static void lines_without_harmonics_make_no_comb(void **state)
{
	static const double hz[] = { 61.3, 250, 473.9 };
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 81);
	for (int r = 0; r < 20; r++) {
		int64_t *c = counts_new(N);
		struct nf_spectrum s;

		for (size_t i = 0; i < N; i++) {
			double v = 100 * nf_rng_normal(&rng);

			for (size_t k = 0; k < 3; k++)
				v += 100 * sin(2 * 3.14159265358979 * hz[k] * (double)i / RATE);
			c[i] = (int64_t)(1600 + v);
		}
		s = spectrum(c, N);
		assert_int_equal(s.n_lines, 3);
		for (size_t k = 0; k < 3; k++)
			assert_int_equal(line_at(&s, hz[k], 0.05)->n_teeth, 0);
		free(c);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(two_trains_under_load_are_both_named),
	cmocka_unit_test(load_alone_has_no_line),
	cmocka_unit_test(a_train_is_named_by_its_fundamental_alone),
	cmocka_unit_test(a_strong_line_at_a_multiple_stays_a_line_of_its_own),
	cmocka_unit_test(lines_without_harmonics_make_no_comb),
};
NF_UNIT_MAIN(tests)
