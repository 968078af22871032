/* SPDX-License-Identifier: MIT */
/* Stored sessions beside new ones, and the file that holds them. */
#include "job/bench_judge.h"

#include <math.h>
#include <sys/wait.h>

#include "nf_scratch.h"
#include "record/baseline_file.h"

enum { STORED_MAX = 8 };

static struct nf_arena arena;
static struct nf_err err;
static char folder[256], path[300];

static struct nf_rec_bench_machine machine;
static struct nf_rec_bench_session session[STORED_MAX];
static struct nf_rec_bench_stored stored[STORED_MAX];
static struct nf_rec_bench_baseline baseline;
static struct nf_rec_bench_against rule;
static struct nf_rec_bench_judged judged[2];
static struct nf_bench_key key[2];

static int set_up(void **state)
{
	(void)state;
	nf_arena_init(&arena, 1 << 24);
	nf_scratch_make(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/base.json", folder);
	err = (struct nf_err){ 0 };
	machine = (struct nf_rec_bench_machine){ "hash", "model", "0-1", "kvm" };
	rule = (struct nf_rec_bench_against){ .path = path, .delta_ratio = 0.01, .alpha = 0.01 };
	memset(judged, 0, sizeof(judged));
	memset(key, 0, sizeof(key));
	key[0].bench = judged[0].bench = "one";
	key[1].bench = judged[1].bench = "two";
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	nf_arena_fini(&arena);
	nf_scratch_remove(folder);
	return 0;
}

static void keep(size_t n, const double median[])
{
	for (size_t i = 0; i < n; i++) {
		stored[i] = (struct nf_rec_bench_stored){ .bench = "one",
			                                  .unit = "ns",
			                                  .sets = 20,
			                                  .iterations = 1,
			                                  .median = median[i] };
		session[i] = (struct nf_rec_bench_session){
			.finished_utc = "2026-01-01T00:00:00.000Z",
			.finished_unix_s = 1000 + 10 * i,
			.boot_id = i < 2 ? "a" : "b",
			.machine = machine,
			.tool_version = "0",
			.medians = { &stored[i], 1 },
		};
	}
	baseline = (struct nf_rec_bench_baseline){ "BenchBaseline/1", { session, n } };
}
#define KEEP(...) \
	keep(sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double), \
	     (const double[]){ __VA_ARGS__ })

static int open_stock(size_t n)
{
	const struct nf_bench_stock stock = { &baseline, machine, 2000 };
	int r = nf_bench_judge_open(&stock, key, n, &arena, &rule, judged, &err);

	for (size_t i = 0; i < n; i++)
		rule.family += judged[i].stored.n >= 3;
	return r;
}

static void judge(size_t n, const double median[])
{
	judged[0].sessions = (struct nf_list){ median, n };
	assert_int_equal(nf_bench_judge(&rule, judged, 1, &arena, &err), 0);
}
#define JUDGE(...) \
	judge(sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double), \
	      (const double[]){ __VA_ARGS__ })

/* --- verdicts --- */

static void what_the_spread_allows_is_within(void **state)
{
	(void)state;
	KEEP(100, 102, 98, 101, 99);
	assert_int_equal(open_stock(1), 0);
	assert_int_equal(judged[0].stored.n, 5);
	assert_int_equal(judged[0].boots, 2);
	assert_true(judged[0].newest_age_s.v == 960 && judged[0].oldest_age_s.v == 1000);
	JUDGE(103);
	assert_int_equal(judged[0].verdict, NF_JUDGED_WITHIN);
	assert_false(nf_bench_judge_wants_more(&judged[0]));
	/* By hand: exp(mean + ln 1.01 + t(0.99, 4) sd sqrt(1.2)), t = 3.74695. */
	double b = judged[0].mean_ln.v, s = judged[0].sd_ln.v;
	assert_true(fabs(judged[0].first_bound.v / exp(b + log(1.01) + 3.74695 * s * sqrt(1.2)) -
	                 1) < 1e-6);
	assert_true(fabs(judged[0].second_bound.v / exp(b + log(1.01) + 3.74695 * s * sqrt(0.7)) -
	                 1) < 1e-6);
	assert_true(judged[0].detectable_ratio.v > judged[0].first_bound.v / exp(b) - 1);
}

static void beyond_the_bound_a_second_session_decides(void **state)
{
	(void)state;
	KEEP(100, 102, 98, 101, 99);
	assert_int_equal(open_stock(1), 0);
	JUDGE(120);
	assert_int_equal(judged[0].verdict, NF_JUDGED_INCONCLUSIVE);
	assert_true(nf_bench_judge_wants_more(&judged[0]));
	JUDGE(120, 119);
	assert_int_equal(judged[0].verdict, NF_JUDGED_REGRESSED);
	assert_true(fabs(judged[0].ratio.v - sqrt(120 * 119.) / exp(judged[0].mean_ln.v)) < 1e-12);
	JUDGE(112, 100);
	assert_int_equal(judged[0].verdict, NF_JUDGED_NOT_CONFIRMED);
}

static void less_of_a_rate_is_slower(void **state)
{
	(void)state;
	KEEP(100, 102, 98, 101, 99);
	assert_int_equal(open_stock(1), 0);
	assert_false(judged[0].higher_is_better);
	judged[0].higher_is_better = true;
	JUDGE(120);
	assert_int_equal(judged[0].verdict, NF_JUDGED_WITHIN);
	JUDGE(80, 81);
	assert_int_equal(judged[0].verdict, NF_JUDGED_REGRESSED);
	assert_true(judged[0].first_bound.v < judged[0].second_bound.v);
	assert_true(judged[0].second_bound.v < judged[0].stored_median.v);
	assert_true(fabs(judged[0].stored_median.v - 100) < 1 && judged[0].ratio.v > 1.2);
	rule.threshold_ratio = nf_some_real(0.1);
	JUDGE(91);
	assert_int_equal(judged[0].verdict, NF_JUDGED_WITHIN);
	JUDGE(90);
	assert_int_equal(judged[0].verdict, NF_JUDGED_REGRESSED);
}

static void too_few_sessions_are_no_verdict(void **state)
{
	(void)state;
	KEEP(100, 100);
	assert_int_equal(open_stock(1), -NF_EUNSUPPORTED);
	assert_non_null(strstr(err.msg, "2 sessions of 'one'; 3 or more would do"));
	assert_non_null(strstr(err.msg, "--sessions 1"));
	JUDGE(500);
	assert_int_equal(judged[0].verdict, NF_JUDGED_INCONCLUSIVE);
	assert_non_null(judged[0].reason);
	assert_false(nf_bench_judge_wants_more(&judged[0]));
}

static void a_plain_threshold_needs_one_session_and_no_second(void **state)
{
	(void)state;
	rule.threshold_ratio = nf_some_real(0.1);
	KEEP(100);
	assert_int_equal(open_stock(1), 0);
	JUDGE(109.9);
	assert_int_equal(judged[0].verdict, NF_JUDGED_WITHIN);
	JUDGE(110.1);
	assert_int_equal(judged[0].verdict, NF_JUDGED_REGRESSED);
	assert_false(judged[0].first_bound.some);
}

static void what_was_never_stored_is_new(void **state)
{
	(void)state;
	KEEP(100, 101, 99);
	judged[1].bench = "two";
	assert_int_equal(open_stock(2), 0);
	judged[1].sessions = (struct nf_list){ &(const double){ 5 }, 1 };
	JUDGE(100);
	assert_int_equal(nf_bench_judge(&rule, judged, 2, &arena, &err), 0);
	assert_int_equal(judged[1].verdict, NF_JUDGED_NEW);
}

static bool all(void *ctx, const struct nf_rec_bench_stored *s)
{
	(void)ctx;
	(void)s;
	return true;
}

static void what_was_stored_and_is_not_there_has_gone_once(void **state)
{
	struct nf_bench_stock stock = { &baseline, machine, 2000 };
	struct nf_list gone;

	(void)state;
	KEEP(100, 101, 99);
	assert_int_equal(
	        nf_bench_judge_gone(&stock, &key[1], 1, &rule, all, NULL, &arena, &gone, &err), 0);
	assert_int_equal(gone.n, 1);
	assert_string_equal(((const struct nf_rec_bench_judged *)gone.items)->bench, "one");
	assert_int_equal(nf_bench_judge_gone(&stock, key, 1, &rule, all, NULL, &arena, &gone, &err),
	                 0);
	assert_int_equal(gone.n, 0);
}

/* --- what is the same --- */

static void sessions_of_another_machine_do_not_count(void **state)
{
	(void)state;
	KEEP(100, 101, 99);
	for (size_t i = 0; i < 3; i++)
		session[i].machine.machine_hash = "another";
	assert_int_equal(open_stock(1), -NF_EUNSUPPORTED);
	assert_non_null(strstr(err.msg, "of another machine (it has another machine-id)"));
	rule.any_machine = true;
	assert_int_equal(open_stock(1), 0);
	assert_int_equal(judged[0].stored.n, 3);
	assert_int_equal(rule.sessions, 3);
	assert_int_equal(rule.sessions_here, 0);
}

static void a_machine_is_the_same_only_where_all_is_known(void **state)
{
	struct nf_rec_bench_machine other = machine;

	(void)state;
	assert_null(nf_bench_other_machine(&other, &machine, &arena));
	other.cpu_model = "slower";
	assert_string_equal(nf_bench_other_machine(&other, &machine, &arena),
	                    "its CPUs: slower there, model here");
	other = machine;
	other.cpus_online = NULL;
	assert_string_equal(nf_bench_other_machine(&other, &machine, &arena),
	                    "CPUs online: unknown there, 0-1 here");
	other = machine;
	other.machine_hash = NULL;
	assert_non_null(nf_bench_other_machine(&other, &machine, &arena));
	assert_non_null(nf_bench_other_machine(&other, &other, &arena));
}

static void threads_knobs_and_kind_tell_benchmarks_apart(void **state)
{
	const char *const knobs[] = { "A=1", NULL };
	const char *kept[] = { "A=1" };

	(void)state;
	KEEP(100, 101, 99);
	key[0].threads = 4;
	assert_int_equal(open_stock(1), -NF_EUNSUPPORTED);
	key[0].threads = 0;
	key[0].knobs = knobs;
	assert_int_equal(open_stock(1), -NF_EUNSUPPORTED);
	for (size_t i = 0; i < 3; i++)
		stored[i].knobs = (struct nf_list){ kept, 1 };
	assert_int_equal(open_stock(1), 0);
	key[0].knobs = NULL;
	judged[0].stored.n = 0;
	assert_int_equal(open_stock(1), -NF_EUNSUPPORTED);
	key[0].knobs = knobs;
	key[0].is_command = true;
	assert_int_equal(open_stock(1), -NF_EUNSUPPORTED);
}

/* --- the file --- */

static void a_file_is_made_filled_and_read_back(void **state)
{
	struct nf_rec_bench_baseline back;

	(void)state;
	KEEP(100, 1.25e-3);
	session[1].commit = "abc";
	session[1].dirty = nf_some_bool(true);
	stored[1].threads = nf_some_nat(20);
	assert_int_equal(nf_baseline_file_make(path, -1, -1, &err), 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(nf_baseline_file_append(path, &session[i], &err), 0);
	assert_int_equal(nf_baseline_file_make(path, -1, -1, &err), 0); /* is there: stays */
	assert_int_equal(nf_baseline_file_read(path, &arena, &back, &err), 0);
	assert_int_equal(back.sessions.n, 2);
	const struct nf_rec_bench_session *s = back.sessions.items;
	const struct nf_rec_bench_stored *m = s[1].medians.items;
	assert_string_equal(s[0].boot_id, "a");
	assert_null(s[0].commit);
	assert_string_equal(s[1].commit, "abc");
	assert_true(s[1].dirty.some && s[1].dirty.v && !s[0].dirty.some);
	assert_int_equal(s[1].finished_unix_s, 1010);
	assert_true(m->median == 1.25e-3 && m->threads.some && m->threads.v == 20);
	assert_string_equal(s[1].machine.cpu_model, "model");
}

static void writers_at_the_same_time_lose_nothing(void **state)
{
	enum { WRITERS = 4, EACH = 5 };
	struct nf_rec_bench_baseline back;
	int status;

	(void)state;
	KEEP(100);
	assert_int_equal(nf_baseline_file_make(path, -1, -1, &err), 0);
	for (int w = 0; w < WRITERS; w++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			int r = 0;

			for (int i = 0; r == 0 && i < EACH; i++)
				r = nf_baseline_file_append(path, &session[0], &err);
			_exit(r == 0 ? 0 : 1);
		}
	}
	for (int w = 0; w < WRITERS; w++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(nf_baseline_file_read(path, &arena, &back, &err), 0);
	assert_int_equal(back.sessions.n, WRITERS * EACH);
}

static void a_link_stays_one_and_a_mode_stays(void **state)
{
	char link[320];
	struct stat st;

	(void)state;
	KEEP(100);
	snprintf(link, sizeof(link), "%s/link", folder);
	assert_int_equal(nf_baseline_file_make(path, -1, -1, &err), 0);
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(symlink("base.json", link), 0);
	assert_int_equal(nf_baseline_file_append(link, &session[0], &err), 0);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
}

static void what_is_no_baseline_is_refused_and_stays(void **state)
{
	static const char *const bad[] = {
		"",
		"{",
		"[]",
		"{\"schema\":\"BenchRun/1\"}",
		"{\"schema\":\"BenchBaseline/2\",\"sessions\":[]}",
		"{\"schema\":\"BenchBaseline/1\",\"sessions\":[{}]}",
		"{\"schema\":\"BenchBaseline/1\",\"sessions\":[],\"more\":1}",
	};
	struct nf_rec_bench_baseline back;
	char text[200];

	(void)state;
	KEEP(100);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		nf_scratch_write(path, bad[i]);
		assert_int_equal(nf_baseline_file_read(path, &arena, &back, &err), -NF_EDATA);
		assert_int_equal(nf_baseline_file_make(path, -1, -1, &err), -NF_EDATA);
		assert_int_equal(nf_baseline_file_append(path, &session[0], &err), -NF_EDATA);
		nf_scratch_read(path, text, sizeof(text));
		assert_string_equal(text, bad[i]);
	}
	stored[0].median = 0;
	assert_int_equal(unlink(path), 0);
	assert_int_equal(nf_baseline_file_read(path, &arena, &back, &err), -NF_EARG);
	assert_int_equal(nf_baseline_file_make(path, -1, -1, &err), 0);
	assert_int_equal(nf_baseline_file_append(path, &session[0], &err), 0);
	assert_int_equal(nf_baseline_file_read(path, &arena, &back, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "sessions[0].medians[0].median is 0; allowed: above 0"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
	CASE(what_the_spread_allows_is_within),
	CASE(beyond_the_bound_a_second_session_decides),
	CASE(less_of_a_rate_is_slower),
	CASE(too_few_sessions_are_no_verdict),
	CASE(a_plain_threshold_needs_one_session_and_no_second),
	CASE(what_was_never_stored_is_new),
	CASE(what_was_stored_and_is_not_there_has_gone_once),
	CASE(sessions_of_another_machine_do_not_count),
	CASE(a_machine_is_the_same_only_where_all_is_known),
	CASE(threads_knobs_and_kind_tell_benchmarks_apart),
	CASE(a_file_is_made_filled_and_read_back),
	CASE(writers_at_the_same_time_lose_nothing),
	CASE(a_link_stays_one_and_a_mode_stays),
	CASE(what_is_no_baseline_is_refused_and_stays),
};
NF_UNIT_MAIN(tests)
