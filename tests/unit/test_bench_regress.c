/* SPDX-License-Identifier: MIT */
/* `bench regress` beside stored sessions, with a backend whose sets are made up. */
#include "job/bench_regress.h"

#include <math.h>
#include <signal.h>

#include "base/rng.h"
#include "nf_scratch.h"
#include "record/baseline_file.h"

static char folder[256], path[300];

/* --- the backend --- */

static struct {
	struct nf_rng rng;
	double level[2]; /* by the label's first letter, a or b */
	double second_level; /* of a from set `second_from` on; 0: never */
	size_t second_from;
	size_t crash_from;
	size_t stop_after;
	bool b_elsewhere; /* this machine cannot have b */
	size_t n;
	struct nf_stop stop;
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
	size_t which = v->label[0] == 'b';
	double level = fake.level[which];

	fake.n++;
	if (which == 0 && fake.second_level > 0 && fake.n >= fake.second_from)
		level = fake.second_level;
	nf_set_init(ret, "ns");
	ret->wall_ns = 1000000;
	if (fake.stop_after && fake.n >= fake.stop_after) {
		fake.stop.signo = SIGINT;
		ret->stopped = true;
		return 0;
	}
	if (which == 1 && fake.b_elsewhere) {
		nf_set_fail(ret, "no such counter here");
		ret->unsupported = true;
		return 0;
	}
	if (fake.crash_from && fake.n >= fake.crash_from && which == 0) {
		nf_set_fail(ret, "SIGSEGV");
		return 0;
	}
	int r = nf_set_reserve(ret, cfg->n_values, false, err);
	if (r < 0)
		return r;
	double set = level * exp(0.001 * nf_rng_normal(&fake.rng));
	for (size_t i = 0; i < cfg->n_values; i++)
		ret->value[ret->n++] = set;
	return 0;
}

static const struct nf_backend fake_backend = { "fake", fake_check, fake_run };
static const struct nf_backend *const backends[NF_N_BACKENDS] = {
	[NF_BACKEND_BUILTIN] = &fake_backend,
};

/* --- what a test asks for --- */

static const struct nf_variant variant[2] = { { .label = "a" }, { .label = "b" } };
static const struct nf_bench_key key[2] = { { .bench = "a" }, { .bench = "b" } };
static struct nf_bench_opts bench;
static struct nf_bench_regress_opts opts;
static struct nf_job_opts job;
static struct nf_job_outcome outcome;
static struct nf_arena arena;
static struct nf_err err;

static int set_up(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	nf_rng_seed(&fake.rng, 11);
	fake.level[0] = fake.level[1] = 1000;
	nf_scratch_make(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/base.json", folder);
	bench = (struct nf_bench_opts){
		.backends = backends,
		.variant = variant,
		.n_variants = 1,
		.sets = 6,
		.iters = 3,
		.max_time_ns = INT64_C(3600000000000),
		.min_iteration_ns = 1000000,
		.seed = 3,
		.delta = 0.01,
		.alpha = 0.01,
	};
	/* Whether a container tells its identity is not what is tested here. */
	opts = (struct nf_bench_regress_opts){ .path = path, .key = key, .any_machine = true };
	job = (struct nf_job_opts){
		.runs_dir = folder,
		.tag = "t",
		.owner_uid = -1,
		.owner_gid = -1,
		.stop = &fake.stop,
	};
	err = (struct nf_err){ 0 };
	nf_arena_init(&arena, 1 << 24);
	nf_job_outcome_init(&outcome);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	nf_job_outcome_fini(&outcome);
	nf_arena_fini(&arena);
	nf_scratch_remove(folder);
	return 0;
}

static void again(void)
{
	nf_job_outcome_fini(&outcome);
	nf_job_outcome_init(&outcome);
	fake.n = 0;
}

static void run_exits(int code)
{
	int r = nf_job_bench_regress(&job, &bench, &opts, &outcome, &err);

	if (r != 0)
		fail_msg("%d: %s", r, err.msg);
	if (outcome.exit_code != code)
		fail_msg("exit code %d\n%s", outcome.exit_code, outcome.summary.data);
}

static void save(size_t sessions)
{
	opts.save = true;
	opts.sessions = sessions;
	run_exits(0);
	opts.save = false;
	again();
}

static bool says(const char *text)
{
	return strstr(outcome.summary.data, text) != NULL;
}

static size_t stored(void)
{
	struct nf_rec_bench_baseline b;

	assert_int_equal(nf_baseline_file_read(path, &arena, &b, &err), 0);
	return b.sessions.n;
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

/* --- cases --- */

static void sessions_are_added_one_by_one(void **state)
{
	(void)state;
	opts.save = true;
	opts.sessions = 4;
	opts.commit = "0123456789abcdef";
	run_exits(0);
	assert_int_equal(fake.n, 1 + 4 * 6);
	assert_int_equal(stored(), 4);
	assert_true(says("4 sessions stored; the baseline holds 4."));
	fits_80_columns();
	again();
	opts.sessions = 1;
	run_exits(0);
	assert_int_equal(stored(), 5);
	assert_true(says("1 session stored; the baseline holds 5."));
}

static void what_is_as_before_is_within_after_one_session(void **state)
{
	(void)state;
	save(5);
	run_exits(0);
	assert_int_equal(fake.n, 1 + 6);
	assert_true(says("1 compared: 1 within the bound."));
	assert_true(says("would be found in about 80 % of runs"));
	fits_80_columns();
}

static void a_slower_one_is_measured_twice_and_regressed(void **state)
{
	(void)state;
	save(5);
	fake.level[0] = 1200;
	run_exits(1);
	assert_int_equal(fake.n, 1 + 2 * 6);
	assert_true(says("1 compared: 1 regressed."));
	assert_non_null(strstr(outcome.json.data, "BenchRegress/1"));
	fits_80_columns();
}

static void a_lone_slow_session_is_not_confirmed(void **state)
{
	(void)state;
	save(5);
	fake.level[0] = 1020;
	fake.second_level = 1000;
	fake.second_from = 1 + 6 + 1;
	run_exits(0);
	assert_int_equal(fake.n, 1 + 2 * 6);
	assert_true(says("1 compared: 1 not confirmed."));
}

static void only_what_is_beyond_its_bound_is_measured_again(void **state)
{
	(void)state;
	bench.n_variants = 2;
	save(4);
	fake.level[1] = 1300;
	run_exits(1);
	assert_int_equal(fake.n, 2 + 2 * 6 + 6);
	assert_true(says("2 compared: 1 regressed, 1 within the bound."));
	fits_80_columns();
}

static void one_that_is_new_is_said(void **state)
{
	(void)state;
	save(3);
	bench.n_variants = 2;
	run_exits(0);
	assert_true(says("2 compared: 1 within the bound, 1 new."));
}

static bool covers(void *ctx, const struct nf_rec_bench_stored *s)
{
	(void)ctx;
	return s->bench[0] == 'b';
}

static void one_that_has_gone_is_said_and_fails_when_strict(void **state)
{
	(void)state;
	bench.n_variants = 2;
	save(3);
	bench.n_variants = 1;
	opts.covers = covers;
	run_exits(0);
	assert_true(says("2 compared: 1 within the bound, 1 gone."));
	again();
	job.strict = true;
	run_exits(3);
}

static void a_crash_is_failed_and_nothing_is_stored(void **state)
{
	(void)state;
	opts.save = true;
	opts.sessions = 3;
	fake.crash_from = 1 + 6 + 3; /* in the second session */
	run_exits(5);
	assert_int_equal(stored(), 1);
	assert_true(says("FAILED"));
	assert_true(says("1 session stored"));
	fits_80_columns();
}

static void a_crash_beside_a_baseline_is_failed(void **state)
{
	(void)state;
	save(3);
	fake.crash_from = 4;
	run_exits(5);
	assert_true(says("SIGSEGV"));
}

static void what_cannot_be_had_here_does_not_keep_the_others_from_being_stored(void **state)
{
	struct nf_rec_bench_baseline b;
	const struct nf_rec_bench_session *s;
	const struct nf_rec_bench_stored *m;

	(void)state;
	bench.n_variants = 2;
	fake.b_elsewhere = true;
	opts.save = true;
	opts.sessions = 3;
	run_exits(0);
	assert_true(says("1 measured: 1 stored."));
	assert_true(says("Left out: b: no such counter here.\n"));
	assert_int_equal(nf_baseline_file_read(path, &arena, &b, &err), 0);
	assert_int_equal(b.sessions.n, 3);
	s = b.sessions.items;
	m = s[2].medians.items;
	assert_int_equal(s[2].medians.n, 1);
	assert_string_equal(m[0].bench, "a");
	opts.save = false;
	again();
	run_exits(0);
	assert_true(says("1 compared: 1 within the bound."));
	assert_true(says("Left out: b: no such counter here.\n"));
}

static void what_was_stored_and_cannot_be_had_any_more_has_gone(void **state)
{
	(void)state;
	bench.n_variants = 2;
	save(3);
	fake.b_elsewhere = true;
	job.strict = true;
	run_exits(3);
	assert_true(says("2 compared: 1 within the bound, 1 gone."));
	assert_true(says("no such counter here"));
}

static void a_stop_request_keeps_the_sessions_that_are_whole(void **state)
{
	(void)state;
	opts.save = true;
	opts.sessions = 3;
	fake.stop_after = 1 + 2 * 6 + 2;
	run_exits(130);
	assert_int_equal(stored(), 2);
	assert_true(says("Stopped before the planned end."));
}

static void a_stop_request_before_the_second_session_decides_nothing(void **state)
{
	(void)state;
	save(3);
	fake.level[0] = 1200;
	fake.stop_after = 1 + 6 + 2;
	run_exits(130);
	assert_true(says("INCONCLUSIVE"));
	assert_true(says("no second session to confirm it"));
	fits_80_columns();
}

static void too_few_sessions_are_refused_before_anything_runs(void **state)
{
	(void)state;
	save(2);
	assert_int_equal(nf_job_bench_regress(&job, &bench, &opts, &outcome, &err),
	                 -NF_EUNSUPPORTED);
	assert_non_null(strstr(err.msg, "3 or more would do"));
	assert_int_equal(fake.n, 0);
	opts.has_threshold = true;
	opts.threshold = 0.1;
	run_exits(0);
	assert_true(says("Plain threshold: "));
	assert_true(says("Noise alone may do that"));
	fits_80_columns();
}

static void another_file_in_its_place_is_refused_and_stays(void **state)
{
	char text[100];

	(void)state;
	nf_scratch_write(path, "not ours");
	opts.save = true;
	opts.sessions = 1;
	assert_int_equal(nf_job_bench_regress(&job, &bench, &opts, &outcome, &err), -NF_EDATA);
	assert_int_equal(fake.n, 0);
	nf_scratch_read(path, text, sizeof(text));
	assert_string_equal(text, "not ours");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
	CASE(sessions_are_added_one_by_one),
	CASE(what_is_as_before_is_within_after_one_session),
	CASE(a_slower_one_is_measured_twice_and_regressed),
	CASE(a_lone_slow_session_is_not_confirmed),
	CASE(only_what_is_beyond_its_bound_is_measured_again),
	CASE(one_that_is_new_is_said),
	CASE(one_that_has_gone_is_said_and_fails_when_strict),
	CASE(a_crash_is_failed_and_nothing_is_stored),
	CASE(a_crash_beside_a_baseline_is_failed),
	CASE(a_stop_request_keeps_the_sessions_that_are_whole),
	CASE(a_stop_request_before_the_second_session_decides_nothing),
	CASE(too_few_sessions_are_refused_before_anything_runs),
	CASE(another_file_in_its_place_is_refused_and_stays),
	CASE(what_cannot_be_had_here_does_not_keep_the_others_from_being_stored),
	CASE(what_was_stored_and_cannot_be_had_any_more_has_gone),
};
NF_UNIT_MAIN(tests)
