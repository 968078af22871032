/* SPDX-License-Identifier: MIT */
/* From run folders to a figure's history: what is indexed, what is left out, where steps are found. */
#include "job/history.h"

#include <errno.h>
#include <sys/wait.h>

#include "base/hash.h"
#include "base/rng.h"
#include "nf_scratch.h"
#include "report/plot.h"
#include "store/update.h"

static char dir[256];

static int make(void **state)
{
	(void)state;
	nf_scratch_make(dir, sizeof(dir));
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	nf_scratch_remove(dir);
	return 0;
}

static void path_in(char *ret, size_t cap, const char *folder, const char *file)
{
	int n = snprintf(ret, cap, "%s/%s%s%s", dir, folder, file ? "/" : "", file ? file : "");

	assert_true(n > 0 && (size_t)n < cap);
}

static void put(const char *folder, const char *file, const char *text)
{
	char path[512];

	path_in(path, sizeof(path), folder, NULL);
	if (mkdir(path, 0700) != 0)
		assert_int_equal(errno, EEXIST);
	path_in(path, sizeof(path), folder, file);
	nf_scratch_write(path, text);
}

static void manifest(const char *folder, const char *record)
{
	uint8_t raw[NF_SHA256_BYTES];
	char hex[NF_SHA256_HEX], text[256];
	struct nf_sha256 s;

	nf_sha256_init(&s);
	nf_sha256_add(&s, record, strlen(record));
	nf_sha256_done(&s, raw);
	nf_sha256_hex(raw, hex);
	snprintf(text, sizeof(text), "%064d  captures/x.txt\n%s  record.json\n", 0, hex);
	put(folder, "MANIFEST", text);
}

/* A committed run, number n of its series. */
static void run_of(const char *host, const char *state, int n, double worst_ns)
{
	char folder[80], record[1024];

	snprintf(folder, sizeof(folder), "202601%02dT%02d0000Z-%s-t", 1 + n / 24, n % 24, host);
	snprintf(record, sizeof(record),
	         "{\"schema\":\"NoiseRun/1\",\"head\":{\"tag\":\"t\",\"started_utc\":"
	         "\"2026-01-%02dT%02d:00:00Z\",\"host\":{\"label\":\"%s\",\"machine_hash\":null},"
	         "\"lane\":\"generic\",\"state\":\"%s\",\"result\":\"pass\",\"setup_after\":"
	         "{\"kernel_release\":\"6.1\",\"boot_id\":\"b\"}},\"body\":{\"worst_detour_ns\":%."
	         "17g,"
	         "\"noise_ratio\":0.0,\"repeat_below_ratio\":null}}\n",
	         1 + n / 24, n % 24, host, state, worst_ns);
	put(folder, "record.json", record);
	manifest(folder, record);
}

static struct nf_store_update update(void)
{
	struct nf_store_update u = { 0 };
	char note[NF_STORE_NOTE_BYTES];
	struct nf_store *s = NULL;
	struct nf_err e = { 0 };

	if (nf_store_open(dir, &s, note, &e) != 0 || nf_store_update(s, dir, &u, &e) != 0)
		fail_msg("%s", e.msg);
	nf_store_close(s);
	return u;
}

static void committed_runs_are_indexed_once_and_others_are_counted(void **state)
{
	(void)state;
	run_of("a", "complete", 0, 100);
	run_of("a", "partial", 1, 100);
	put("20260103T000000Z-a-killed", "record.json", "{}");
	put("20260104T000000Z-a-odd", "record.json", "{\"schema\":\"NoiseRun/1\"}");
	manifest("20260104T000000Z-a-odd", "something else");
	put("20260105T000000Z-a-none", "record.json", "[]");
	manifest("20260105T000000Z-a-none", "[]");
	put("notes", "MANIFEST", "x");
	struct nf_store_update u = update();
	assert_int_equal(u.n_added, 2);
	assert_int_equal(u.n_uncommitted, 1);
	assert_int_equal(u.n_unreadable, 2);
	assert_non_null(strstr(u.unreadable, "is not what MANIFEST says"));
	assert_int_equal(u.n_removed, 0);
	u = update();
	assert_int_equal(u.n_added, 0);
	assert_int_equal(u.n_removed, 0);
}

static void a_run_that_changed_is_taken_again_and_one_that_is_gone_is_dropped(void **state)
{
	char path[512];

	(void)state;
	run_of("a", "complete", 0, 100);
	run_of("a", "complete", 1, 100);
	assert_int_equal(update().n_added, 2);
	run_of("a", "complete", 0, 200);
	assert_int_equal(update().n_added, 1);
	path_in(path, sizeof(path), "20260101T010000Z-a-t", NULL);
	nf_scratch_remove(path);
	struct nf_store_update u = update();
	assert_int_equal(u.n_added, 0);
	assert_int_equal(u.n_removed, 1);
}

static int history(const struct nf_history_opts *o, struct nf_job_outcome *ret, struct nf_err *e)
{
	nf_job_outcome_init(ret);
	return nf_job_history(o, ret, e);
}

static struct nf_history_opts opts(const char *metric)
{
	return (struct nf_history_opts){
		.runs_dir = dir, .metric = metric, .min_ratio = 0.01, .seed = 1
	};
}

static void wrote(const struct nf_history_opts *o, struct nf_job_outcome *out)
{
	struct nf_err e = { 0 };

	if (history(o, out, &e) != 0)
		fail_msg("%s", e.msg);
	assert_int_equal(out->exit_code, 0);
}

static void a_step_is_named_with_its_run_and_a_spike_is_none(void **state)
{
	struct nf_history_opts o = opts("noise.worst");
	struct nf_job_outcome out;
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 8);
	for (int i = 0; i < 30; i++) {
		double level = (i < 15 ? 1000 : 1300) + (double)nf_rng_below(&rng, 20);

		run_of("a", "complete", i, i == 7 ? 1250 : level);
	}
	for (int i = 0; i < 4; i++)
		run_of("b", "complete", i, 5);
	run_of("a", "partial", 30, 1);
	wrote(&o, &out);
	assert_non_null(strstr(out.summary.data, "step     +"));
	assert_non_null(strstr(out.summary.data, "(worse) from 20260101T150000Z-a-t on"));
	assert_null(strstr(strstr(out.summary.data, "step     +") + 1, "step     +"));
	assert_non_null(strstr(out.summary.data, "(ended early)"));
	assert_non_null(strstr(out.summary.data, "4 complete runs; a step needs 5 on each side"));
	assert_non_null(strstr(out.json.data, "\"at\": 15"));
	nf_job_outcome_fini(&out);
	o.host = "b";
	wrote(&o, &out);
	assert_null(strstr(out.summary.data, "host a"));
	nf_job_outcome_fini(&out);
}

static void a_level_that_does_not_change_has_no_step(void **state)
{
	struct nf_history_opts o = opts("noise.worst");
	struct nf_job_outcome out;
	struct nf_rng rng;

	(void)state;
	nf_rng_seed(&rng, 9);
	for (int i = 0; i < 30; i++)
		run_of("a", "complete", i,
		       i == 12 ? 20000 : 1000 + (double)nf_rng_below(&rng, 200));
	wrote(&o, &out);
	assert_non_null(strstr(out.summary.data, "step     none"));
	nf_job_outcome_fini(&out);
	o = opts("noise.ratio"); /* all 0: no logarithm */
	wrote(&o, &out);
	assert_non_null(strstr(out.summary.data, "step     none"));
	nf_job_outcome_fini(&out);
}

static void what_cannot_be_answered_is_said(void **state)
{
	struct nf_history_opts o = opts("no.such");
	struct nf_job_outcome out;
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(history(&o, &out, &e), -NF_EARG);
	assert_non_null(strstr(e.msg, "noise.worst"));
	nf_job_outcome_fini(&out);
	o = opts("noise.worst");
	assert_int_equal(history(&o, &out, &e), -NF_ENODATA);
	nf_job_outcome_fini(&out);
	o = opts(NULL);
	assert_int_equal(history(&o, &out, &e), -NF_ENODATA);
	nf_job_outcome_fini(&out);
	o.runs_dir = "/nonexistent/runs";
	assert_int_equal(history(&o, &out, &e), -NF_EARG);
	nf_job_outcome_fini(&out);
	run_of("a", "complete", 0, 1);
	o = opts("numa.serial");
	assert_int_equal(history(&o, &out, &e), -NF_ENODATA);
	nf_job_outcome_fini(&out);
	o = opts(NULL);
	wrote(&o, &out);
	assert_non_null(strstr(out.summary.data, "noise.worst              1 run"));
	nf_job_outcome_fini(&out);
}

static void an_index_made_anew_says_the_same(void **state)
{
	struct nf_history_opts o = opts("noise.worst");
	struct nf_job_outcome grown, anew;
	char path[512];

	(void)state;
	for (int i = 0; i < 12; i++) {
		run_of(i % 3 ? "a" : "b", "complete", 11 - i, 100 * i + 1);
		if (i % 4 == 0)
			(void)update();
	}
	pid_t pid[3];
	for (int i = 0; i < 3; i++) {
		pid[i] = fork();
		assert_true(pid[i] >= 0);
		if (pid[i] == 0) {
			struct nf_store_update u;
			char note[NF_STORE_NOTE_BYTES];
			struct nf_store *s = NULL;
			struct nf_err e;
			int bad = nf_store_open(dir, &s, note, &e) != 0 ||
			          nf_store_update(s, dir, &u, &e) != 0;

			nf_store_close(s);
			_exit(bad);
		}
	}
	for (int i = 0; i < 3; i++) {
		int status;

		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_int_equal(status, 0);
	}
	wrote(&o, &grown);
	path_in(path, sizeof(path), NF_STORE_NAME, NULL);
	assert_int_equal(unlink(path), 0);
	wrote(&o, &anew);
	assert_string_equal(grown.json.data, anew.json.data);
	nf_job_outcome_fini(&grown);
	nf_job_outcome_fini(&anew);
}

/* --- the plot --- */

static int plain(struct nf_buf *out, double v)
{
	return nf_buf_addf(out, "%g", v);
}

static void a_plot_shows_levels_and_marks(void **state)
{
	const double y[] = { 1, 1, 3, 3, 2 };
	const size_t mark[] = { 2 };
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 4096);
	assert_int_equal(nf_plot_draw(&(struct nf_plot){ .y = y,
	                                                 .n = 5,
	                                                 .mark = mark,
	                                                 .n_marks = 1,
	                                                 .width = 72,
	                                                 .height = 3,
	                                                 .label = plain },
	                              &out),
	                 0);
	assert_string_equal(out.data, "          3 |  **\n"
	                              "          2 |    *\n"
	                              "          1 |**\n"
	                              "               ^\n");
	nf_buf_fini(&out);
}

static void many_points_share_columns_and_a_flat_series_has_a_middle(void **state)
{
	double y[1000];
	struct nf_buf out;

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		y[i] = i < 500 ? 10 : 1000;
	y[3] = 1e9; /* a lone spike does not move a column's median */
	nf_buf_init(&out, 4096);
	struct nf_plot p = {
		.y = y, .n = 1000, .width = 20, .height = 2, .log = true, .label = plain
	};
	assert_int_equal(nf_plot_draw(&p, &out), 0);
	assert_string_equal(out.data, "       1000 |          **********\n"
	                              "         10 |**********\n");
	nf_buf_clear(&out);
	p.n = 2;
	y[1] = y[0];
	assert_int_equal(nf_plot_draw(&p, &out), 0);
	assert_non_null(strstr(out.data, "|**\n"));
	nf_buf_fini(&out);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make, unmake)
static const struct CMUnitTest tests[] = {
	CASE(committed_runs_are_indexed_once_and_others_are_counted),
	CASE(a_run_that_changed_is_taken_again_and_one_that_is_gone_is_dropped),
	CASE(a_step_is_named_with_its_run_and_a_spike_is_none),
	CASE(a_level_that_does_not_change_has_no_step),
	CASE(what_cannot_be_answered_is_said),
	CASE(an_index_made_anew_says_the_same),
	cmocka_unit_test(a_plot_shows_levels_and_marks),
	cmocka_unit_test(many_points_share_columns_and_a_flat_series_has_a_middle),
};
NF_UNIT_MAIN(tests)
