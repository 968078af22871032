/* SPDX-License-Identifier: MIT */
/* `bench run` and `bench compare` with a backend whose sets are made up. */
#include "job/bench.h"

#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "base/rng.h"
#include "nf_unit.h"

static char folder[] = "/tmp/nf-bench-XXXXXX";

/* --- the backend: a set's values are what its label asks for --- */

static struct {
	struct nf_rng rng;
	char order[4096]; /* a letter a set: the label's first */
	size_t n;
	size_t stop_after; /* sets; 0: never */
	struct nf_stop stop;
	int64_t wall_ns;
	double steal_s; /* of the set whose number is steal_at, and the next */
	size_t steal_at;
} fake;

static int fake_check(const struct nf_variant *v, struct nf_err *err)
{
	return strcmp(v->label, "absent") == 0
	               ? nf_fail(err, NF_EARG, "no such thing; allowed: others")
	               : 0;
}

static double level(const char *label)
{
	return strstr(label, "slow") ? 1.2e6 : strstr(label, "fast") ? 0.8e6 : 1e6;
}

static int fake_run(const struct nf_variant *v, const struct nf_set_cfg *cfg, struct nf_set *ret,
                    struct nf_err *err)
{
	double noise = strstr(v->label, "noisy") ? 0.5 : 0.002;

	nf_set_init(ret, "ns");
	fake.order[fake.n++] = v->label[0];
	ret->wall_ns = fake.wall_ns;
	ret->posture.steal_s = fake.steal_at && (fake.n == fake.steal_at) ? fake.steal_s : 0;
	if (fake.stop_after && fake.n >= fake.stop_after) {
		fake.stop.signo = SIGINT;
		ret->stopped = true;
		return 0;
	}
	if (strstr(v->label, "elsewhere")) {
		nf_set_fail(ret, "this architecture has no such counter");
		ret->unsupported = true;
		return 0;
	}
	if (strstr(v->label, "crash") && fake.n > 4) {
		nf_set_fail(ret, "SIGSEGV");
		return 0;
	}
	int r = nf_set_reserve(ret, cfg->n_values, false, err);
	if (r < 0)
		return r;
	double set = level(v->label) * exp(noise * nf_rng_normal(&fake.rng));
	for (size_t i = 0; i < cfg->n_values; i++)
		ret->value[ret->n++] = set + (double)i;
	return 0;
}

static const struct nf_backend fake_backend = { "fake", fake_check, fake_run };
static const struct nf_backend *const backends[NF_N_BACKENDS] = {
	[NF_BACKEND_BUILTIN] = &fake_backend,
	[NF_BACKEND_COMMAND] = &fake_backend,
};

/* --- what a test asks for --- */

static struct nf_variant variant[8];
static const char *name[4] = { "first", "second", "third", "fourth" };
static char line[512];
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
	nf_rng_seed(&fake.rng, 5);
	fake.wall_ns = 2000000;
	memset(variant, 0, sizeof(variant));
	line[0] = '\0';
	bench = (struct nf_bench_opts){
		.backends = backends,
		.variant = variant,
		.max_time_ns = INT64_C(3600000000000),
		.min_iteration_ns = 1000000,
		.seed = 3,
		.name = name,
		.delta = 0.01,
		.alpha = 0.01,
		.no_extension = true,
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
	return 0;
}

static void label(size_t n, const char *const labels[])
{
	bench.n_variants = n;
	for (size_t i = 0; i < n; i++)
		variant[i].label = labels[i];
}
#define LABEL(...) \
	label(sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *), \
	      (const char *const[]){ __VA_ARGS__ })

static void run_exits(int code)
{
	assert_int_equal(nf_job_bench_run(&job, &bench, &outcome, &err), 0);
	assert_int_equal(outcome.exit_code, code);
}

static void compare_exits(int code)
{
	assert_int_equal(nf_job_bench_compare(&job, &bench, &outcome, &err), 0);
	assert_int_equal(outcome.exit_code, code);
}

static bool says(const char *text)
{
	return strstr(outcome.summary.data, text) != NULL;
}

static size_t times(const char *in, const char *text)
{
	size_t n = 0;

	for (const char *p = in; (p = strstr(p, text)) != NULL; p += strlen(text))
		n++;
	return n;
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

/* --- run --- */

static void every_value_of_every_set_is_kept(void **state)
{
	(void)state;
	LABEL("a", "b");
	run_exits(0);
	/* A pilot each, then 5 sets of 15 of each. */
	assert_int_equal(fake.n, 2 + 2 * 5);
	assert_int_equal(times(outcome.json.data, "\"started_s\""), 10);
	assert_non_null(strstr(outcome.json.data, "BenchRun/1"));
	assert_true(says("75 in 5 sets"));
	assert_true(says("median of set medians"));
	assert_non_null(strstr(line, "2 variants, 5 sets of 15 values each: about "));
	fits_80_columns();
}

static void benchmarks_take_turns(void **state)
{
	(void)state;
	LABEL("a", "b", "c");
	run_exits(0);
	for (size_t row = 0; row < 5; row++) {
		const char *at = fake.order + 3 + 3 * row;

		for (const char *l = "abc"; *l; l++)
			assert_non_null(memchr(at, *l, 3));
	}
	assert_memory_not_equal(fake.order + 3, "abcabcabcabcabc", 15);
}

static void one_that_fails_does_not_stop_the_others(void **state)
{
	(void)state;
	LABEL("a", "crash");
	run_exits(5);
	assert_int_equal(times(fake.order, "a"), 6);
	assert_true(times(fake.order, "c") < 6);
	assert_true(says("FAILED   SIGSEGV"));
	assert_true(says("2 benchmarks, 1 failed"));
	fits_80_columns();
}

static void a_stop_request_keeps_what_there_is(void **state)
{
	(void)state;
	LABEL("a", "b");
	fake.stop_after = 8;
	run_exits(130);
	assert_int_equal(times(outcome.json.data, "\"started_s\""), 6);
	assert_true(says("stopped before the planned end"));
}

static void a_stop_request_during_the_pilot_leaves_a_record_too(void **state)
{
	(void)state;
	LABEL("a", "b");
	fake.stop_after = 1;
	run_exits(130);
	assert_int_equal(times(outcome.json.data, "\"started_s\""), 0);
	assert_true(says("not reached"));
}

static void what_the_backend_refuses_leaves_nothing(void **state)
{
	(void)state;
	LABEL("absent");
	assert_int_equal(nf_job_bench_run(&job, &bench, &outcome, &err), -NF_EARG);
	assert_int_equal(fake.n, 0);
	assert_int_equal(outcome.folder.len_bytes, 0);
	variant[0].backend = NF_BACKEND_REPORT;
	assert_int_equal(nf_job_bench_run(&job, &bench, &outcome, &err), -NF_EUNSUPPORTED);
}

/* --- compare --- */

static void a_slower_one_regressed(void **state)
{
	(void)state;
	LABEL("old", "new slow");
	compare_exits(1);
	assert_true(says("REGRESSED"));
	assert_true(says("1 compared: 1 regressed."));
	assert_non_null(strstr(outcome.json.data, "BenchCompare/1"));
	fits_80_columns();
}

static void a_faster_one_improved(void **state)
{
	(void)state;
	LABEL("old", "new fast");
	compare_exits(0);
	assert_true(says("1 compared: 1 improved."));
	fits_80_columns();
}

static void two_that_scatter_little_are_the_same(void **state)
{
	(void)state;
	LABEL("old", "new");
	compare_exits(0);
	assert_true(says("1 compared: 1 the same."));
	assert_true(says("nearly always"));
}

static void two_that_scatter_much_are_not_decided(void **state)
{
	(void)state;
	LABEL("old noisy", "new noisy");
	compare_exits(3);
	assert_true(says("INCONCLUSIVE"));
	assert_true(says("would have been found in 80 % of"));
	assert_true(says("hardly ever"));
	fits_80_columns();
}

static void pairs_are_neighbours_in_drawn_blocks(void **state)
{
	size_t first_is_old = 0;

	(void)state;
	LABEL("old", "new");
	compare_exits(0);
	assert_int_equal(fake.n, 2 + 40);
	for (size_t b = 0; b < 10; b++) {
		const char *at = fake.order + 2 + 4 * b;

		assert_int_equal(at[0], at[3]);
		assert_int_equal(at[1], at[2]);
		assert_int_not_equal(at[0], at[1]);
		first_is_old += at[0] == 'o';
	}
	assert_in_range(first_is_old, 1, 9);
}

static void an_extension_follows_only_what_is_undecided(void **state)
{
	(void)state;
	bench.no_extension = false;
	LABEL("old", "new slow", "x noisy", "y noisy");
	compare_exits(1);
	/* Pilots, 20 pairs of each, 40 more of the undecided one. */
	assert_int_equal(fake.n, 4 + 80 + 80);
	assert_int_equal(times(fake.order, "o"), 1 + 20);
	assert_int_equal(times(fake.order, "x"), 1 + 60);
	assert_true(says("2 compared: 1 regressed, 1 not decided."));
}

static void a_side_that_fails_is_failed_and_nothing_else(void **state)
{
	(void)state;
	LABEL("old", "crash", "x", "y slow");
	compare_exits(5);
	assert_true(says("FAILED    new: SIGSEGV"));
	assert_true(says("2 compared: 1 failed, 1 regressed."));
	fits_80_columns();
}

static void what_one_side_lacks_is_new_or_gone_and_never_runs(void **state)
{
	static const char *const old[] = { "left" }, *const new_[] = { "came", "came too" };

	(void)state;
	LABEL("old", "new slow");
	bench.only_old = old;
	bench.n_only_old = 1;
	bench.only_new = new_;
	bench.n_only_new = 2;
	compare_exits(1);
	assert_int_equal(fake.n, 2 + 40);
	assert_true(says("4 compared: 1 regressed, 2 new, 1 gone."));
	assert_int_equal(times(outcome.json.data, "\"old_variant\": null"), 3);
	fits_80_columns();
}

static void one_that_has_gone_fails_when_strict(void **state)
{
	static const char *const old[] = { "left" };

	(void)state;
	LABEL("old", "new");
	bench.only_old = old;
	bench.n_only_old = 1;
	compare_exits(0);
	nf_job_outcome_fini(&outcome);
	nf_job_outcome_init(&outcome);
	job.strict = true;
	compare_exits(3);
}

static void a_null_row_rides_along_outside_the_family(void **state)
{
	(void)state;
	bench.null_row = true;
	LABEL("old", "new slow");
	compare_exits(1);
	assert_int_equal(fake.n, 4 + 80);
	assert_true(says("null row  quiet"));
	assert_true(says("1 compared: 1 regressed."));
}

static void disturbed_blocks_are_left_out_whole(void **state)
{
	(void)state;
	LABEL("old", "new");
	fake.steal_at = 2 + 6; /* in the second block */
	fake.steal_s = 0.001;
	compare_exits(0);
	assert_int_equal(times(outcome.json.data, "\"discarded\": \"steal\""), 4);
	assert_true(says("of 18 pairs of sets"));
	assert_true(says("left out  2 pairs"));
}

static void time_that_does_not_do_is_refused(void **state)
{
	(void)state;
	LABEL("old", "new");
	fake.wall_ns = INT64_C(1000000000);
	bench.max_time_ns = INT64_C(5000000000);
	assert_int_equal(nf_job_bench_compare(&job, &bench, &outcome, &err), -NF_EUNSUPPORTED);
	assert_non_null(strstr(err.msg, "would do"));
	assert_int_equal(outcome.folder.len_bytes, 0);
}

static void a_stopped_comparison_decides_by_what_there_is(void **state)
{
	(void)state;
	LABEL("old", "new slow");
	fake.stop_after = 2 + 5;
	compare_exits(130);
	assert_true(says("Stopped before the planned end."));
	assert_true(says("INCONCLUSIVE"));
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char text[100];

	(void)state;
	snprintf(text, sizeof(text), "rm -rf %s", folder);
	return system(text);
}

/* --- what a machine cannot have --- */

static void what_cannot_be_had_here_is_said_once_and_left_out(void **state)
{
	(void)state;
	LABEL("a", "elsewhere", "b");
	run_exits(0);
	assert_int_equal(fake.n, 3 + 2 * 5);
	assert_non_null(strstr(line, "2 variants, "));
	assert_int_equal(times(outcome.summary.data, "no such counter"), 1);
	assert_int_equal(times(outcome.summary.data, "elsewhere"), 1);
	assert_true(says("2 benchmarks\n"));
	assert_false(says("FAILED"));
	assert_int_equal(times(outcome.json.data, "\"unsupported\": \"this arch"), 1);
	fits_80_columns();
}

static void a_run_of_nothing_that_can_be_had_is_refused_with_the_reason(void **state)
{
	(void)state;
	LABEL("elsewhere");
	assert_int_equal(nf_job_bench_run(&job, &bench, &outcome, &err), -NF_EUNSUPPORTED);
	assert_string_equal(err.msg, "elsewhere: this architecture has no such counter");
	LABEL("elsewhere", "elsewhere too");
	assert_int_equal(nf_job_bench_compare(&job, &bench, &outcome, &err), -NF_EUNSUPPORTED);
}

static void a_comparison_that_cannot_be_had_leaves_the_others(void **state)
{
	(void)state;
	LABEL("elsewhere old", "elsewhere new", "x", "y slow");
	variant[0].bench = variant[1].bench = "there";
	variant[2].bench = variant[3].bench = "here";
	bench.null_row = true; /* of the first: it has none then */
	compare_exits(1);
	assert_true(says("1 compared: 1 regressed."));
	assert_int_equal(times(outcome.summary.data, "Left out: there: "), 1);
	assert_int_equal(times(outcome.summary.data, "no such counter"), 1);
	fits_80_columns();
}

static void one_side_that_cannot_be_had_has_failed(void **state)
{
	(void)state;
	LABEL("x", "elsewhere", "x", "y");
	compare_exits(5);
	assert_true(says("FAILED    new: this architecture has no such counter"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
	CASE(every_value_of_every_set_is_kept),
	CASE(benchmarks_take_turns),
	CASE(one_that_fails_does_not_stop_the_others),
	CASE(a_stop_request_keeps_what_there_is),
	CASE(a_stop_request_during_the_pilot_leaves_a_record_too),
	CASE(what_the_backend_refuses_leaves_nothing),
	CASE(a_slower_one_regressed),
	CASE(a_faster_one_improved),
	CASE(two_that_scatter_little_are_the_same),
	CASE(two_that_scatter_much_are_not_decided),
	CASE(pairs_are_neighbours_in_drawn_blocks),
	CASE(an_extension_follows_only_what_is_undecided),
	CASE(a_side_that_fails_is_failed_and_nothing_else),
	CASE(what_one_side_lacks_is_new_or_gone_and_never_runs),
	CASE(one_that_has_gone_fails_when_strict),
	CASE(a_null_row_rides_along_outside_the_family),
	CASE(disturbed_blocks_are_left_out_whole),
	CASE(time_that_does_not_do_is_refused),
	CASE(a_stopped_comparison_decides_by_what_there_is),
	CASE(what_cannot_be_had_here_is_said_once_and_left_out),
	CASE(a_run_of_nothing_that_can_be_had_is_refused_with_the_reason),
	CASE(a_comparison_that_cannot_be_had_leaves_the_others),
	CASE(one_side_that_cannot_be_had_has_failed),
};
NF_UNIT_MAIN_WITH(tests, make_folder, remove_folder)
