/* SPDX-License-Identifier: MIT */
/* `selftest aa` with a backend whose sets are made up, and its scores. */
#include "job/bench_aa.h"

#include <math.h>
#include <signal.h>

#include "base/rng.h"
#include "nf_scratch.h"

enum { KINDS = 3 };

static struct {
	struct nf_rng rng;
	double noise;
	double lie; /* what "same: new" takes in truth, over what it should */
	double times_1200; /* what the 20 % more take */
	size_t n;
	size_t stop_after;
	struct nf_stop stop;
	bool crash;
	int64_t wall_ns;
} fake;

static int fake_check(const struct nf_variant *v, struct nf_err *err)
{
	(void)v;
	(void)err;
	return 0;
}

static int fake_run(const struct nf_variant *v, const struct nf_set_cfg *cfg, struct nf_set *ret,
                    struct nf_err *err)
{
	double level = 1000;

	if (strcmp(v->bench, "spin.1050") == 0)
		level = 1050;
	if (strcmp(v->bench, "spin.1200") == 0)
		level = 1000 * fake.times_1200;
	if (strcmp(v->label, "same: new") == 0)
		level *= fake.lie;
	fake.n++;
	nf_set_init(ret, "ns");
	ret->wall_ns = fake.wall_ns;
	if (fake.stop_after && fake.n >= fake.stop_after) {
		fake.stop.signo = SIGTERM;
		ret->stopped = true;
		return 0;
	}
	if (fake.crash && fake.n > 20) {
		nf_set_fail(ret, "SIGSEGV");
		return 0;
	}
	int r = nf_set_reserve(ret, cfg->n_values, false, err);
	if (r < 0)
		return r;
	double set = level * exp(fake.noise * nf_rng_normal(&fake.rng));
	for (size_t i = 0; i < cfg->n_values; i++)
		ret->value[ret->n++] = set;
	return 0;
}

static const struct nf_backend fake_backend = { "fake", fake_check, fake_run };
static const struct nf_backend *const backends[NF_N_BACKENDS] = {
	[NF_BACKEND_BUILTIN] = &fake_backend,
};

static char folder[256], line[512];
static struct nf_bench_opts bench;
static struct nf_job_opts job;
static struct nf_job_outcome outcome;
static struct nf_err err;

static void say(void *ctx, const char *text)
{
	(void)ctx;
	snprintf(line, sizeof(line), "%s", text);
}

static int set_up(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	nf_rng_seed(&fake.rng, 7);
	fake.noise = 0.003;
	fake.lie = 1;
	fake.times_1200 = 1.2;
	fake.wall_ns = 1000000;
	nf_scratch_make(folder, sizeof(folder));
	line[0] = '\0';
	bench = (struct nf_bench_opts){
		.backends = backends,
		.iters = 2,
		.max_time_ns = INT64_C(3600000000000),
		.min_iteration_ns = 1000000,
		.seed = 3,
		.delta = 0.01,
		.alpha = 0.01,
		.say = say,
	};
	job = (struct nf_job_opts){
		.runs_dir = folder,
		.tag = "t",
		.owner_uid = -1,
		.owner_gid = -1,
		.stop = &fake.stop,
	};
	err = (struct nf_err){ 0 };
	nf_job_outcome_init(&outcome);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	nf_job_outcome_fini(&outcome);
	nf_scratch_remove(folder);
	return 0;
}

static void run_exits(size_t repeats, int code)
{
	int r = nf_job_bench_aa(&job, &bench, repeats, &outcome, &err);

	if (r != 0)
		fail_msg("%d: %s", r, err.msg);
	if (outcome.exit_code != code)
		fail_msg("exit code %d\n%s", outcome.exit_code, outcome.summary.data);
}

static bool says(const char *text)
{
	return strstr(outcome.summary.data, text) != NULL;
}

static void fits_80_columns(void)
{
	const char *p = outcome.summary.data;

	while (*p) {
		size_t len = strcspn(p, "\n");

		if (len > 80)
			fail_msg("%zu columns: %.*s", len, (int)len, p);
		p += len + (p[len] != '\0');
	}
}

static void a_bench_that_is_right_passes(void **state)
{
	(void)state;
	run_exits(12, 0);
	assert_int_equal(fake.n, 2 * KINDS + 12 * KINDS * 40);
	assert_true(says("the same work: SAME in 12 of 12"));
	assert_true(says("5 % more work: REGRESSED in 12 of 12"));
	assert_true(says("20 % more work: REGRESSED in 12 of 12"));
	assert_non_null(
	        strstr(line, "3 comparisons of 20 pairs of sets of 2 values, 12 repeats: about"));
	assert_non_null(strstr(outcome.json.data, "SelftestAa/1"));
	fits_80_columns();
}

static void one_that_cries_wolf_fails(void **state)
{
	(void)state;
	fake.lie = 1.1;
	run_exits(6, 1);
	assert_true(says("wrong     6 of 6"));
	assert_true(says("FAIL      wrong in "));
	fits_80_columns();
}

static void one_that_misses_what_it_should_find_fails(void **state)
{
	(void)state;
	fake.times_1200 = 1.002;
	run_exits(8, 1);
	assert_true(says("FAIL"));
	assert_true(says("20 % more work: REGRESSED in 0 of 8"));
}

static void noise_that_hides_all_fails_nothing(void **state)
{
	(void)state;
	fake.noise = 0.5;
	run_exits(10, 0);
	assert_false(says("FAIL"));
	fits_80_columns();
}

static void time_makes_fewer_repeats_or_is_refused(void **state)
{
	(void)state;
	fake.wall_ns = 10000000;
	bench.max_time_ns = INT64_C(10000000000);
	run_exits(50, 0); /* a repeat is said to be 120 sets of 10 ms: 8, fewer on a slow machine */
	assert_true(strstr(line, ", 8 repeats: about ") || strstr(line, ", 7 repeats: about ") ||
	            strstr(line, ", 6 repeats: about "));
	assert_non_null(strstr(line, "(50 do not fit --max-time)"));
	bench.max_time_ns = INT64_C(300000000);
	nf_job_outcome_fini(&outcome);
	nf_job_outcome_init(&outcome);
	assert_int_equal(nf_job_bench_aa(&job, &bench, 50, &outcome, &err), -NF_EUNSUPPORTED);
	assert_non_null(strstr(err.msg, "--max-time 300ms: fewer than 5 repeats fit"));
	assert_non_null(strstr(err.msg, "s or more would do"));
	assert_int_equal(outcome.folder.len_bytes, 0);
}

static void a_stop_request_keeps_whole_trials_only(void **state)
{
	(void)state;
	fake.stop_after = 6 + 120 * 2 + 30;
	run_exits(10, 143);
	assert_true(says("SAME in 2 of 2"));
	assert_true(says("Stopped before the planned end."));
}

static void a_crash_is_a_failure_of_the_subject(void **state)
{
	(void)state;
	fake.crash = true;
	run_exits(5, 5);
	assert_true(says("FAILED: SIGSEGV"));
}

/* --- scores --- */

static const struct nf_rec_bench_rule rule = { .delta_ratio = 0.01, .alpha = 0.01, .looks = 1 };

static void score(double slowdown, size_t n, const int verdict[], struct nf_rec_aa_score *ret)
{
	struct nf_rec_aa_trial trial[64] = { 0 };
	struct nf_arena a;

	nf_arena_init(&a, 1 << 20);
	*ret = (struct nf_rec_aa_score){ .name = "x", .slowdown_ratio = slowdown };
	for (size_t i = 0; i < n; i++) {
		trial[i].comparison.verdict = verdict[i];
		trial[i].comparison.set_cv_ratio = nf_some_real(0.01 * (double)(i + 1));
		trial[i].expected_ratio = nf_some_real(0.5);
	}
	assert_int_equal(nf_aa_score(trial, n, 0, &rule, &a, ret, &err), 0);
	ret->reason = ret->reason ? "given" : NULL;
	nf_arena_fini(&a);
}

static void wrong_is_what_contradicts_what_is_known(void **state)
{
	static const int verdict[] = { NF_BENCH_SAME, NF_BENCH_INCONCLUSIVE, NF_BENCH_REGRESSED,
		                       NF_BENCH_IMPROVED };
	struct nf_rec_aa_score s;

	(void)state;
	score(0, 4, verdict, &s);
	assert_int_equal(s.wrong, 2);
	assert_int_equal(s.found, 1);
	score(0.05, 4, verdict, &s);
	assert_int_equal(s.wrong, 2);
	assert_int_equal(s.found, 1);
	assert_int_equal(s.same + s.inconclusive + s.regressed + s.improved, s.trials);
	assert_true(fabs(s.set_cv_ratio.v - 0.025) < 1e-12 && s.expected_ratio.v == 0.5);
}

static void a_few_wrong_ones_are_chance_and_many_are_not(void **state)
{
	int verdict[50] = { 0 };
	struct nf_rec_aa_score s;

	(void)state;
	for (size_t i = 0; i < 50; i++)
		verdict[i] = NF_BENCH_SAME;
	for (size_t wrong = 0; wrong < 6; wrong++) {
		score(0, 50, verdict, &s);
		/* P(3 or more of 50 at 1 %) is 1.4 %, of 4 or more 0.16 %. */
		assert_int_equal(s.result, wrong <= 3 ? NF_RESULT_PASS : NF_RESULT_FAIL);
		assert_int_equal(s.reason != NULL, wrong > 3);
		verdict[wrong] = NF_BENCH_REGRESSED;
	}
}

static void power_is_the_smallest_effect_turned_round(void **state)
{
	struct nf_rec_bench_comparison c = { .pairs = 20, .sd_ln = nf_some_real(0.02) };
	double pi = 3.14159265358979, z = 2.5758293, z_power = 0.8416212;
	double mde = exp(log(1.01) + (z + z_power) * 0.02 * sqrt(pi / 3) / sqrt(20)) - 1;

	(void)state;
	assert_true(fabs(nf_aa_power(&c, &rule, mde).v - 0.8) < 1e-6);
	assert_true(fabs(nf_aa_power(&c, &rule, 0.01).v - 0.005) < 1e-6);
	c.sd_ln = nf_some_real(0);
	assert_true(nf_aa_power(&c, &rule, 0.05).v == 1);
	c.sd_ln.some = false;
	assert_false(nf_aa_power(&c, &rule, 0.05).some);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
	CASE(a_bench_that_is_right_passes),
	CASE(one_that_cries_wolf_fails),
	CASE(one_that_misses_what_it_should_find_fails),
	CASE(noise_that_hides_all_fails_nothing),
	CASE(time_makes_fewer_repeats_or_is_refused),
	CASE(a_stop_request_keeps_whole_trials_only),
	CASE(a_crash_is_a_failure_of_the_subject),
	CASE(wrong_is_what_contradicts_what_is_known),
	CASE(a_few_wrong_ones_are_chance_and_many_are_not),
	CASE(power_is_the_smallest_effect_turned_round),
};
NF_UNIT_MAIN(tests)
