/* SPDX-License-Identifier: MIT */
/*
 * How often the decisions are wrong, and how often they find what is there: simulated runs under six
 * models of noise (noise_bench.h) and simulated sessions beside a stored baseline.
 *
 * With NF_LONG=1 every case has the full number of runs and the bounds are the required ones. Without,
 * there are fewer, and a bound on a share is moved by what chance alone does to a share that keeps it
 * (binomial, about 1 in 10,000 for each).
 */
#include <math.h>

#include "nf_unit.h"
#include "noise_bench.h"
#include "noisefloor/compare.h"
#include "noisefloor/dist.h"

enum { PAIRS = 20, ITERATIONS = 10 };

static const double delta = 0.01;

static bool is_long(void)
{
	const char *v = getenv("NF_LONG");

	return v && strcmp(v, "1") == 0;
}

static size_t runs_of(size_t full, size_t brief)
{
	return is_long() ? full : brief;
}

/* Fewest of n that a share of p falls below once in 10,000. */
static size_t least_of(size_t n, double p)
{
	size_t k = (size_t)floor((double)n * p);
	double below;

	if (is_long())
		return (size_t)ceil((double)n * p);
	while (k > 0) {
		assert_int_equal(nf_binomial_cdf(k - 1, n, p, &below, NULL), 0);
		if (below < 1e-4)
			break;
		k--;
	}
	return k;
}

static size_t most_of(size_t n, double p)
{
	return n - least_of(n, 1 - p);
}

/* False alarms at level 0.01: 21 of 1,000 at most, and as likely to be exceeded for other n. */
static size_t most_alarms(size_t n)
{
	size_t k = 0;
	double up_to = 0;

	if (n == 1000)
		return 21;
	for (;; k++) {
		assert_int_equal(nf_binomial_cdf(k, n, 0.01, &up_to, NULL), 0);
		if (up_to > 0.9995)
			return k;
	}
}

struct tally {
	size_t n;
	size_t verdict[NF_FAILED + 1];
};

static struct tally simulate(enum noise_model m, double shift, size_t n)
{
	struct tally t = { .n = n };
	struct nf_rng rng;

	/* Cases must not share their noise, nor depend on which others run. */
	nf_rng_seed(&rng,
	            1000 * (uint64_t)m + (uint64_t)(int64_t)llround((shift + 1) * 1e6) * 7919);
	for (size_t i = 0; i < n; i++) {
		struct nf_comparison c;
		struct bench_run run;

		bench_run(&rng, m, shift, PAIRS, ITERATIONS, &run);
		assert_int_equal(nf_compare_pairs(run.old, run.new_, run.n, NULL, &c, NULL), 0);
		assert_int_equal(nf_compare_decide(&c, 1, NULL, NULL), 0);
		t.verdict[c.verdict]++;
	}
	printf("# %-12s shift %+6.3f: %4zu regressed, %4zu improved, %4zu same of %zu\n",
	       noise_name(m), shift, t.verdict[NF_REGRESSED], t.verdict[NF_IMPROVED],
	       t.verdict[NF_SAME], n);
	return t;
}

static void a_slowdown_of_the_margin_is_no_regression(void **state)
{
	size_t n = runs_of(1000, 300);

	(void)state;
	for (enum noise_model m = 0; m < NOISE_MODELS; m++) {
		struct tally t = simulate(m, delta, n);

		assert_true(t.verdict[NF_REGRESSED] <= most_alarms(n));
		assert_int_equal(t.verdict[NF_IMPROVED], 0);
	}
}

static void a_speedup_of_the_margin_is_no_improvement(void **state)
{
	size_t n = runs_of(1000, 300);

	(void)state;
	for (enum noise_model m = 0; m < NOISE_MODELS; m++) {
		struct tally t = simulate(m, 1 / (1 + delta) - 1, n);

		assert_true(t.verdict[NF_IMPROVED] <= most_alarms(n));
		assert_int_equal(t.verdict[NF_REGRESSED], 0);
	}
}

static void no_change_is_hardly_ever_a_change(void **state)
{
	size_t n = runs_of(1000, 300);

	(void)state;
	for (enum noise_model m = 0; m < NOISE_MODELS; m++) {
		struct tally t = simulate(m, 0, n);

		assert_true(t.verdict[NF_REGRESSED] + t.verdict[NF_IMPROVED] <= n / 250);
	}
}

static void a_slowdown_of_5_percent_is_found(void **state)
{
	size_t n = runs_of(1000, 200);

	(void)state;
	for (enum noise_model m = 0; m < NOISE_MODELS; m++) {
		struct tally t = simulate(m, 0.05, n);

		assert_true(t.verdict[NF_REGRESSED] >=
		            least_of(n, m == NOISE_BIMODAL ? 0.75 : 0.95));
	}
}

static void a_slowdown_of_3_percent_is_found_where_noise_allows(void **state)
{
	size_t n = runs_of(1000, 200);

	(void)state;
	for (enum noise_model m = 0; m < NOISE_MODELS; m++) {
		struct tally t = simulate(m, 0.03, n);

		assert_true(t.verdict[NF_REGRESSED] >=
		            least_of(n, m == NOISE_IID || m == NOISE_DRIFT ? 0.9 : 0.4));
	}
}

static void a_speedup_is_found_as_a_slowdown_is(void **state)
{
	size_t n = runs_of(1000, 200);

	(void)state;
	for (enum noise_model m = 0; m < NOISE_MODELS; m++) {
		struct tally t = simulate(m, 1 / 1.05 - 1, n);

		assert_true(t.verdict[NF_IMPROVED] >=
		            least_of(n, m == NOISE_BIMODAL ? 0.75 : 0.95));
		assert_int_equal(t.verdict[NF_REGRESSED], 0);
	}
}

static void on_a_calm_machine_the_same_is_the_same(void **state)
{
	size_t n = runs_of(1000, 300);
	struct tally t = simulate(NOISE_CALM, 0, n);

	(void)state;
	assert_true(t.verdict[NF_SAME] >= least_of(n, 0.95));
	assert_int_equal(t.verdict[NF_REGRESSED] + t.verdict[NF_IMPROVED], 0);
}

/* --- many benchmarks at once ------------------------------------------------------------------- */

static void twenty_benchmarks_raise_no_more_alarms_than_one(void **state)
{
	enum { BENCHMARKS = 20 };
	size_t n = runs_of(1000, 60), alarms = 0;
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 20);
	for (size_t i = 0; i < n; i++) {
		struct nf_comparison c[BENCHMARKS];
		bool any = false;

		for (size_t k = 0; k < BENCHMARKS; k++) {
			struct bench_run run;

			bench_run(&rng, (enum noise_model)(k % NOISE_MODELS), delta, PAIRS,
			          ITERATIONS, &run);
			assert_int_equal(
			        nf_compare_pairs(run.old, run.new_, run.n, NULL, &c[k], NULL), 0);
		}
		assert_int_equal(nf_compare_decide(c, BENCHMARKS, NULL, NULL), 0);
		for (size_t k = 0; k < BENCHMARKS; k++)
			any |= c[k].verdict == NF_REGRESSED || c[k].verdict == NF_IMPROVED;
		alarms += any;
	}
	printf("# runs of %d benchmarks with an alarm: %zu of %zu\n", BENCHMARKS, alarms, n);
	assert_true(alarms <= most_alarms(n));
}

/* --- a stored baseline ------------------------------------------------------------------------- */

static size_t regressed_sessions(double change, double sd, size_t k, size_t n)
{
	struct nf_rng rng;
	size_t count = 0;

	nf_rng_seed(&rng, (uint64_t)llround(1e6 * change) + 17 * k);
	for (size_t i = 0; i < n; i++) {
		enum nf_baseline_verdict v;
		double stored[64], fresh[2];

		for (size_t j = 0; j < k; j++)
			stored[j] = log(1e6) + sd * nf_rng_normal(&rng);
		for (size_t j = 0; j < 2; j++)
			fresh[j] = log(1e6) + log1p(change) + sd * nf_rng_normal(&rng);
		assert_int_equal(nf_baseline_judge(stored, k, 1, fresh, 1, NULL, &v, NULL), 0);
		if (v != NF_BASELINE_CONFIRM)
			continue;
		assert_int_equal(nf_baseline_judge(stored, k, 1, fresh, 2, NULL, &v, NULL), 0);
		count += v == NF_BASELINE_REGRESSED;
	}
	printf("# %zu sessions, sd %g, change %+.3f: %zu of %zu regressed\n", k, sd, change, count,
	       n);
	return count;
}

static void five_stored_sessions_tell_3_percent_from_1(void **state)
{
	size_t n = 10000;

	(void)state;
	assert_true(regressed_sessions(0, 0.002, 5, n) <= n / 1000);
	assert_true(regressed_sessions(0.009, 0.002, 5, n) <= most_of(n, 0.02));
	assert_true(regressed_sessions(0.01, 0.002, 5, n) <= most_of(n, 0.02));
	assert_true(regressed_sessions(0.03, 0.002, 5, n) >= least_of(n, 0.95));
}

static void a_noisy_baseline_finds_10_percent_two_times_in_three(void **state)
{
	size_t n = 10000, found = regressed_sessions(0.1, 0.02, 5, n);

	(void)state;
	assert_in_range(found, n * 6 / 10, n * 7 / 10);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_slowdown_of_the_margin_is_no_regression),
	cmocka_unit_test(a_speedup_of_the_margin_is_no_improvement),
	cmocka_unit_test(no_change_is_hardly_ever_a_change),
	cmocka_unit_test(a_slowdown_of_5_percent_is_found),
	cmocka_unit_test(a_slowdown_of_3_percent_is_found_where_noise_allows),
	cmocka_unit_test(a_speedup_is_found_as_a_slowdown_is),
	cmocka_unit_test(on_a_calm_machine_the_same_is_the_same),
	cmocka_unit_test(twenty_benchmarks_raise_no_more_alarms_than_one),
	cmocka_unit_test(five_stored_sessions_tell_3_percent_from_1),
	cmocka_unit_test(a_noisy_baseline_finds_10_percent_two_times_in_three),
};
NF_UNIT_MAIN(tests)
