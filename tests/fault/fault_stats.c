/* SPDX-License-Identifier: MIT */
/* Every statistic that allocates, with every allocation failing. */
#include "fault.h"
#include "nf_unit.h"
#include "noisefloor/stats.h"
#include "stats/inject_score.h"
#include "stats/spectrum.h"

enum { N = 80, SPECTRUM = NF_SPECTRUM_MIN };

static double x[N], y[N];
static int64_t counts[SPECTRUM];

static void fill(void)
{
	for (int i = 0; i < N; i++) {
		x[i] = 100 + (i * 37 % 80) + i % 3;
		y[i] = 104 + (i * 53 % 80);
	}
	/* With a line, so that there is something to keep. */
	for (int i = 0; i < SPECTRUM; i++)
		counts[i] = i % 4 == 0 ? 1000 : i * 37 % 80;
}

/* The result is unchanged by a failure: every byte of it. */
struct output {
	unsigned char byte[2 * N * sizeof(double)];
	int (*run)(void *ret, struct nf_err *err);
};

static void prepare(void *ctx)
{
	struct output *o = ctx;

	memset(o->byte, 0x5a, sizeof(o->byte));
}

static int run(void *ctx, struct nf_err *err)
{
	struct output *o = ctx;

	return o->run(o->byte, err);
}

static void finish(void *ctx, int r)
{
	struct output *o = ctx;

	for (size_t i = 0; r < 0 && i < sizeof(o->byte); i++)
		assert_int_equal(o->byte[i], 0x5a);
}

/* clang-format off */
#define TRY(name, ...) \
	static int name(void *ret, struct nf_err *err) { return __VA_ARGS__; }

TRY(median, nf_median(x, N, ret, err))
TRY(mad, nf_mad(x, N, ret, NULL, err))
TRY(mdape, nf_mdape(x, N, ret, err))
TRY(fences, nf_fences(x, N, ret, err))
TRY(modified_z, nf_modified_z(x, N, ret, err))
TRY(outliers, nf_outliers(x, N, 3, ret, NULL, err))
TRY(set_medians, nf_set_medians(x, (size_t[]){ 30, 50 }, 2, NULL, ret, err))
TRY(signed_rank_exact, nf_signed_rank_test(x, 40, NF_GREATER, NF_NULL_AUTO, ret, err))
TRY(signed_rank_normal, nf_signed_rank_test(x, N, NF_GREATER, NF_NULL_AUTO, ret, err))
TRY(mann_whitney, nf_mann_whitney_test(x, 9, y, 8, NF_GREATER, NF_NULL_EXACT, ret, err))
TRY(mann_whitney_apart, nf_mann_whitney_test((double[]){ 1, 2 }, 2, y, 8, NF_LESS, NF_NULL_EXACT, ret, err))
TRY(hodges_lehmann, nf_hodges_lehmann(x, 30, 0.9, ret, err))
TRY(hodges_lehmann_2, nf_hodges_lehmann_2(x, 30, y, 20, 0.9, ret, err))
TRY(ljung_box, nf_ljung_box(x, N, 5, ret, (double *)ret + 1, err))
TRY(runs, nf_runs_test(x, N, ret, err))
TRY(trend, nf_mann_kendall(x, N, ret, err))
TRY(slope, nf_theil_sen(x, N, ret, err))
TRY(holm, nf_adjust_p(NF_HOLM, (double[]){ 0.1, 0.2 }, 2, ret, err))
TRY(energy_profile, nf_energy_profile(x, 40, ret, err))
TRY(energy_split, nf_energy_split(x, N, 5, 1, ret, err))
TRY(energy_test, nf_energy_test(x, 20, 5, 9, 1, 1, ret, err))
TRY(pairs, nf_compare_pairs(x, y, 20, NULL, ret, err))
TRY(disturbed, nf_disturbed_blocks(x, N, ret, (size_t *)ret + 40, err))
TRY(ratio, nf_ratio_of_medians(x, N, y, N, &(struct nf_bootstrap_options){ .replicates = 9 }, ret, err))
TRY(bootstrap, nf_bootstrap(x, N, nf_statistic_median, NULL, &(struct nf_bootstrap_options){ .replicates = 9 }, ret, err))
TRY(bootstrap_all, nf_bootstrap(x, 4, nf_statistic_median, NULL, &(struct nf_bootstrap_options){ .all = 1 }, ret, err))
TRY(spectrum, nf_spectrum_lines(counts, SPECTRUM, 100, ret, err))
/* clang-format on */

static int quantiles(void *ret, struct nf_err *err)
{
	static const double p[3] = { 0.1, 0.5, 0.9 };

	return nf_quantiles(x, N, NF_QUANTILE_TYPE, p, 3, ret, err);
}

static int steps(void *ret, struct nf_err *err)
{
	size_t n;
	int r = nf_steps(x, N, &(struct nf_steps_options){ .permutations = 9, .alpha = 0.9 }, ret,
	                 4, &n, err);

	return r;
}

static void no_statistic_leaks_or_half_answers_when_memory_runs_out(void **state)
{
	static int (*const all[])(void *ret, struct nf_err *err) = {
		median,
		mad,
		mdape,
		fences,
		modified_z,
		outliers,
		set_medians,
		quantiles,
		signed_rank_exact,
		signed_rank_normal,
		mann_whitney,
		mann_whitney_apart,
		hodges_lehmann,
		hodges_lehmann_2,
		ljung_box,
		runs,
		trend,
		slope,
		holm,
		energy_profile,
		energy_split,
		energy_test,
		pairs,
		disturbed,
		ratio,
		bootstrap,
		bootstrap_all,
		spectrum,
		steps,
	};

	(void)state;
	fill();
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct output o = { .run = all[i] };

		fault_every(
		        &(struct fault_subject){ .prepare = prepare, .run = run, .finish = finish },
		        &o);
	}
}

static int decide(void *ctx, struct nf_err *err)
{
	return nf_compare_decide(ctx, 1, NULL, err);
}

static void prepare_decide(void *ctx)
{
	fill();
	assert_int_equal(nf_compare_pairs(x, y, 20, NULL, ctx, NULL), 0);
}

static void finish_decide(void *ctx, int r)
{
	const struct nf_comparison *c = ctx;

	assert_int_equal(c->has_mde, r == 0);
}

static const struct nf_inject_burst burst[] = { { 10, 30 }, { 110, 130 } };
static const struct nf_inject_hit hit[] = { { 5, 30, 30 }, { 108, 25, 25 } };
static const struct nf_inject_input injected = { burst, 2, hit, 2, 0, 1000 };

struct scored {
	struct nf_inject_score score;
	struct nf_inject_phase phase;
};

static void prepare_score(void *ctx)
{
	*(struct scored *)ctx = (struct scored){ .score.n_bursts = 42, .phase.n_hits = 42 };
}

static int score(void *ctx, struct nf_err *err)
{
	struct scored *s = ctx;
	int r = nf_inject_phase(&injected, &(struct nf_inject_grid){ 10, 100, 5, 20 }, &s->phase,
	                        err);

	return r < 0 ? r : nf_inject_score(&injected, &s->score, err);
}

static void finish_score(void *ctx, int r)
{
	struct scored *s = ctx;

	assert_int_equal(s->score.n_bursts, r == 0 ? 2 : 42);
	if (r == 0)
		nf_inject_score_fini(&s->score);
	else
		assert_null(s->score.excess);
}

static void a_score_without_memory_is_none(void **state)
{
	struct scored s;

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = prepare_score,
	                                     .run = score,
	                                     .finish = finish_score },
	            &s);
}

static void a_decision_without_memory_is_none(void **state)
{
	struct nf_comparison c;

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = prepare_decide,
	                                     .run = decide,
	                                     .finish = finish_decide },
	            &c);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(no_statistic_leaks_or_half_answers_when_memory_runs_out),
	cmocka_unit_test(a_decision_without_memory_is_none),
	cmocka_unit_test(a_score_without_memory_is_none),
};
NF_UNIT_MAIN(tests)
