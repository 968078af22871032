/* SPDX-License-Identifier: MIT */
#include "capture_text.h"

#include <math.h>

#include "record/run_view.h"
#include "report/compare_runs.h"
#include "report/compare_text.h"

enum { MOST = 16 };

struct fixture {
	struct nf_arena a;
	json_t *record[MOST];
	struct nf_run_view view[MOST];
	size_t n;
	struct nf_compare_opts o;
	struct nf_rec_compare_run r;
	struct nf_buf out;
	struct nf_err err;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	nf_arena_init(&f->a, 64 << 20);
	nf_buf_init(&f->out, 1 << 20);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < f->n; i++)
		json_decref(f->record[i]);
	nf_buf_fini(&f->out);
	nf_arena_fini(&f->a);
	free(f);
	return 0;
}

static void add(struct fixture *f, json_t *record)
{
	static const char *const labels[MOST] = { "r0",  "r1",  "r2",  "r3", "r4",  "r5",
		                                  "r6",  "r7",  "r8",  "r9", "r10", "r11",
		                                  "r12", "r13", "r14", "r15" };

	assert_true(f->n < MOST);
	f->record[f->n] = record;
	if (nf_run_view(labels[f->n], record, &f->view[f->n], &f->err) < 0)
		fail_msg("%s", f->err.msg);
	f->n++;
}

/* A capture's facts with one timing: enough for the rules that look at a run. */
static json_t *facts(const char *tag, const char *lane, double serial_s, double parallel_s)
{
	return json_pack("{s:s, s:s, s:s, s:b, s:f, s:f, s:f}", "schema", "CaptureFacts", "tag",
	                 tag, "host", "h", "realtime", strcmp(lane, "rt") == 0, "serial_s",
	                 serial_s, "parallel_s", parallel_s, "speedup", serial_s / parallel_s);
}

static void add_fixture(struct fixture *f, const char *name, const char *from, const char *to)
{
	char text[CAPTURE_TEXT];
	json_t *v = NULL;

	capture_fixture(name, text);
	if (from)
		capture_replace(text, from, to);
	if (nf_run_of_capture(name, text, strlen(text), &v, &f->err) < 0)
		fail_msg("%s", f->err.msg);
	add(f, v);
}

static void compare(struct fixture *f)
{
	if (nf_compare_runs(f->view, f->n, &f->o, &f->a, &f->r, &f->err) < 0)
		fail_msg("%s", f->err.msg);
	assert_int_equal(nf_record_validate(&nf_rec_compare_run_type, &f->r, &f->err), 0);
}

static const struct nf_rec_compare_warning *warning(const struct fixture *f, const char *id)
{
	const struct nf_rec_compare_warning *w = f->r.warnings.items;

	for (size_t i = 0; i < f->r.warnings.n; i++)
		if (strcmp(w[i].id, id) == 0)
			return &w[i];
	return NULL;
}

/* What the first warning of an id says; "" when there is none. */
static const char *told(const struct fixture *f, const char *id)
{
	const struct nf_rec_compare_warning *w = warning(f, id);

	return w ? w->text : "";
}

static const struct nf_rec_compare_figure *figure(const struct fixture *f, const char *metric,
                                                  const char *group)
{
	static const struct nf_rec_compare_figure none = { .n = 0 };
	const struct nf_rec_compare_figure *g = f->r.figures.items;

	for (size_t i = 0; i < f->r.figures.n; i++)
		if (strcmp(g[i].metric, metric) == 0 && strcmp(g[i].group, group) == 0)
			return &g[i];
	fail_msg("no figure %s of %s", metric, group);
	return &none;
}

static const struct nf_rec_compare_difference *difference(const struct fixture *f,
                                                          const char *metric)
{
	static const struct nf_rec_compare_difference none = { .metric = NULL };
	const struct nf_rec_compare_difference *d = f->r.differences.items;

	for (size_t i = 0; i < f->r.differences.n; i++)
		if (strcmp(d[i].metric, metric) == 0)
			return &d[i];
	fail_msg("no difference in %s", metric);
	return &none;
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static void figures_are_those_of_each_group(void **state)
{
	static const double serial[] = { 0.002, 0.004, 0.003, 0.011 };
	struct fixture *f = *state;
	const struct nf_rec_compare_figure *g;

	for (size_t i = 0; i < 4; i++)
		add(f, facts("a", "generic", serial[i], 0.001));
	add(f, facts("a", "rt", 0.005, 0.001));
	compare(f);
	g = figure(f, "numa.serial", "generic");
	assert_int_equal(g->n, 4);
	assert_true(near(g->min, 2e6));
	assert_true(near(g->max, 11e6));
	assert_true(near(g->mean, 5e6));
	assert_true(near(g->median, 3.5e6));
	assert_true(near(g->sd.v, 1e6 * sqrt((9 + 1 + 4 + 36) / 3.0)));
	assert_true(near(((const double *)g->values.items)[3], 11e6));
	assert_int_equal(((const uint64_t *)g->inputs.items)[3], 3);
	assert_false(figure(f, "numa.serial", "rt")->sd.some);
	assert_string_equal(((const char *const *)f->r.groups.items)[0], "generic");
}

static void a_clear_difference_helped_or_hurt(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < 5; i++) {
		add(f, facts("a", "rt", 0.002 + 1e-5 * (double)i, 0.001 + 1e-6 * (double)i));
		add(f, facts("a", "generic", 0.004 + 1e-5 * (double)i, 0.0005 + 1e-6 * (double)i));
	}
	compare(f);
	assert_int_equal(difference(f, "numa.serial")->verdict, NF_DIFF_HELPED);
	assert_true(near(difference(f, "numa.serial")->estimate, -2e6));
	assert_true(difference(f, "numa.serial")->hi.v < 0);
	assert_true(difference(f, "numa.serial")->level.v >= 0.95);
	assert_int_equal(difference(f, "numa.parallel")->verdict, NF_DIFF_HURT);
	assert_int_equal(difference(f, "numa.speedup")->verdict, NF_DIFF_HURT);
	assert_non_null(strstr(f->r.conclusion, "helped numa.serial"));
	assert_non_null(strstr(f->r.conclusion, "hurt numa.parallel, numa.speedup"));
	f->o.base = "rt";
	compare(f);
	assert_int_equal(difference(f, "numa.serial")->verdict, NF_DIFF_HURT);
}

static void few_values_decide_nothing(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < 3; i++) {
		add(f, facts("a", "rt", 0.002, 0.001));
		add(f, facts("a", "generic", 0.004, 0.001));
	}
	compare(f);
	assert_int_equal(difference(f, "numa.serial")->verdict, NF_DIFF_UNDECIDED);
	assert_false(difference(f, "numa.serial")->lo.some);
	assert_non_null(strstr(difference(f, "numa.serial")->sentence, "no 95 % interval"));
}

static void groups_are_made_by_tag_and_host_too(void **state)
{
	struct fixture *f = *state;

	add(f, facts("x", "rt", 0.002, 0.001));
	add(f, facts("y", "rt", 0.004, 0.001));
	f->o.by = NF_BY_TAG;
	compare(f);
	assert_int_equal(f->r.groups.n, 2);
	assert_string_equal(difference(f, "numa.serial")->base, "x");
	f->o.by = NF_BY_HOST;
	compare(f);
	assert_int_equal(f->r.groups.n, 1);
	assert_int_equal(f->r.differences.n, 0);
	f->o.base = "z";
	assert_int_equal(nf_compare_runs(f->view, f->n, &f->o, &f->a, &f->r, &f->err), -NF_EARG);
}

static void like_runs_give_no_warning(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < 4; i++)
		add(f, facts("a", "rt", 0.002, 0.001));
	compare(f);
	assert_int_equal(f->r.warnings.n, 0);
}

static void the_same_run_given_twice_is_refused(void **state)
{
	struct fixture *f = *state;

	add_fixture(f, "probe.txt", NULL, NULL);
	add_fixture(f, "probe.txt", "up 3 days,  1:02", "up 3 days,  1:03");
	compare(f);
	add_fixture(f, "probe-rt.txt", NULL, NULL);
	add_fixture(f, "probe.txt", NULL, NULL);
	assert_int_equal(nf_compare_runs(f->view, f->n, &f->o, &f->a, &f->r, &f->err), -NF_EARG);
	assert_non_null(strstr(f->err.msg, "r3 is the run that r0 is"));
}

static void captures_warn_of_what_they_show(void **state)
{
	struct fixture *f = *state;

	add_fixture(f, "probe.txt", NULL, NULL);
	add_fixture(f, "probe-rt.txt", "isolcpus=2-3", "isolcpus=2-5");
	add_fixture(f, "smi.txt", NULL, NULL);
	add_fixture(f, "validator.txt", NULL, NULL);
	compare(f);
	assert_non_null(warning(f, "uptimes-differ"));
	assert_non_null(strstr(told(f, "uptimes-differ"), "generic)")); /* between the groups */
	assert_non_null(warning(f, "loads-differ"));
	assert_null(warning(f, "boots-differ"));
	assert_non_null(warning(f, "cmdlines-differ"));
	assert_non_null(strstr(told(f, "cmdlines-differ"), "isolcpus=2-5"));
	assert_non_null(warning(f, "jitter-synthetic"));
	assert_non_null(warning(f, "base-unoptimised")); /* 90 ns */
	assert_non_null(warning(f, "posture-contradicted"));
	assert_non_null(strstr(told(f, "posture-contradicted"), "isolcpus=2-3"));
	assert_null(warning(f, "platforms-differ"));
	assert_null(warning(f, "kernels-differ"));
}

static void two_boots_of_one_group_are_told(void **state)
{
	struct fixture *f = *state;

	add_fixture(f, "probe.txt", NULL, NULL);
	add_fixture(f, "probe.txt", "up 3 days,  1:02",
	            "up 3 days,  1:01"); /* the step of uptime */
	compare(f);
	assert_null(warning(f, "boots-differ"));
	add_fixture(f, "probe.txt", "up 3 days,  1:02", "up 2 days,  1:02");
	compare(f);
	assert_non_null(warning(f, "boots-differ"));
	assert_non_null(strstr(told(f, "boots-differ"), "2 boots"));
}

static json_t *window(const char *boot, const char *platform, const char *isolated)
{
	return json_pack("{s:s, s:{s:n, s:s, s:{s:s, s:s}, s:{s:s, s:s, s:s, s:f}}}", "schema",
	                 "NoiseRun/1", "head", "tag", "lane", "generic", "host", "label", "h",
	                 "platform_kind", platform, "setup_before", "boot_id", boot,
	                 "kernel_cmdline", "isolcpus=managed_irq,domain,1-3 quiet", "cpus_isolated",
	                 isolated, "load_1min", 0.0);
}

static void run_folders_warn_as_well(void **state)
{
	struct fixture *f = *state;

	add(f, window("b1", "hardware", "1-3"));
	add(f, window("b2", "kvm", ""));
	compare(f);
	assert_non_null(warning(f, "boots-differ"));
	assert_non_null(warning(f, "platforms-differ"));
	assert_non_null(warning(f, "posture-contradicted"));
	assert_non_null(strstr(told(f, "posture-contradicted"), "r1"));
	assert_null(warning(f, "cmdlines-differ"));
}

/* A capture's facts with an uptime. */
static json_t *aged(const char *tag, double uptime_s, const char *captured_utc)
{
	json_t *v = facts(tag, "rt", 0.002, 0.001);

	assert_int_equal(json_object_set_new(v, "uptime_s", json_real(uptime_s)), 0);
	if (captured_utc)
		assert_int_equal(json_object_set_new(v, "captured_utc", json_string(captured_utc)),
		                 0);
	return v;
}

static void uptimes_of_two_ages_are_told_however_long(void **state)
{
	struct fixture *f = *state;

	f->o.by = NF_BY_TAG;
	add(f, aged("a", 6.5 * 3600, NULL));
	add(f, aged("b", 40.0 * 86400, NULL));
	compare(f);
	assert_non_null(strstr(told(f, "uptimes-differ"), "r0"));
	assert_non_null(strstr(told(f, "uptimes-differ"), "r1"));
}

static void uptimes_of_one_boot_or_of_like_age_are_not(void **state)
{
	struct fixture *f = *state;

	f->o.by = NF_BY_TAG;
	add(f, aged("a", 2.0 * 3600, "2026-01-01T02:00:00Z"));
	add(f, aged("b", 20.0 * 3600, "2026-01-01T20:00:00Z"));
	add(f, aged("b", 7.9 * 3600, NULL));
	compare(f);
	assert_null(warning(f, "uptimes-differ"));
}

static void a_run_counts_once(void **state)
{
	struct fixture *f = *state;

	add(f, facts("a", "rt", 0.002, 0.001));
	add(f, facts("a", "rt", 0.002, 0.001)); /* alike, nothing says the same */
	compare(f);
	f->view[0].digest = f->view[1].digest = "12ab";
	assert_int_equal(nf_compare_runs(f->view, f->n, &f->o, &f->a, &f->r, &f->err), -NF_EARG);
	assert_non_null(strstr(f->err.msg, "r1 is the run that r0 is"));
	f->view[1].digest = "12ac";
	f->view[0].run_id = f->view[1].run_id = "x";
	f->view[0].started_utc = "2026-01-01T02:00:00.001Z";
	f->view[1].started_utc = "2026-01-01T02:00:00.002Z";
	compare(f);
	f->view[1].started_utc = f->view[0].started_utc;
	assert_int_equal(nf_compare_runs(f->view, f->n, &f->o, &f->a, &f->r, &f->err), -NF_EARG);
}

static void a_run_that_is_not_whole_is_told(void **state)
{
	struct fixture *f = *state;

	add(f, facts("a", "rt", 0.002, 0.001));
	add(f, facts("b", "rt", 0.002, 0.001));
	f->view[1].incomplete = "no MANIFEST";
	compare(f);
	assert_string_equal(told(f, "run-incomplete"), "r1: no MANIFEST");
}

static void a_lane_that_was_not_expected_is_told(void **state)
{
	struct fixture *f = *state;
	json_t *v = facts("a", "generic", 0.002, 0.001);

	json_object_set_new(v, "expected_lane", json_string("rt"));
	add(f, v);
	compare(f);
	assert_non_null(warning(f, "posture-contradicted"));
}

static void means_that_the_medians_do_not_bear_out_are_told(void **state)
{
	static const double parallel[] = { 0.0010, 0.0011, 0.0100, 0.0012, 0.0010 };
	struct fixture *f = *state;
	const struct nf_rec_compare_ratio *x;

	for (size_t i = 0; i < 5; i++)
		add(f, facts("a", "rt", 0.010, parallel[i]));
	compare(f);
	x = f->r.ratios.items;
	assert_int_equal(f->r.ratios.n, 1);
	assert_true(near(x->ratio_of_means, 0.05 / 0.0143));
	assert_true(near(x->ratio_of_medians, 0.010 / 0.0011));
	assert_non_null(warning(f, "ratios-disagree"));
	assert_non_null(warning(f, "outlier"));
	assert_non_null(strstr(told(f, "outlier"), "r2"));
	assert_int_equal(figure(f, "numa.parallel", "rt")->n, 5); /* it stays in */
}

static void the_published_columns_are_written(void **state)
{
	struct fixture *f = *state;

	add_fixture(f, "probe.txt", NULL, NULL);
	add_fixture(f, "probe-rt.txt", NULL, NULL);
	add_fixture(f, "smi.txt", NULL, NULL);
	add_fixture(f, "smi.txt", "SMI count: 33", "SMI count: 31");
	compare(f);
	assert_int_equal(nf_compare_csv_published(&f->r, &f->out, &f->err), 0);
	assert_non_null(strstr(f->out.data, "realtime,smi_counts_20s,hwlat_max_us,chapel_samples"));
	assert_non_null(strstr(f->out.data, "\ngeneric,7.3.1-2.generic,false,\"33;31\",\"7;7\",1,1,"
	                                    "0.000450,0.000150,3.0000,,3.0000,3.0000,\""));
	assert_non_null(
	        strstr(f->out.data, "\nrt,7.3.1-rt2,true,,,1,1,0.000440,0.001100,0.4000,,"));
	add_fixture(f, "smi.txt", "20", "30");
	compare(f);
	nf_buf_clear(&f->out);
	assert_int_equal(nf_compare_csv_published(&f->r, &f->out, &f->err), -NF_EDATA);
}

static void csv_and_text_say_what_the_record_says(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < 5; i++)
		add(f, facts("a,b", "generic", 0.5, 0.25));
	f->o.by = NF_BY_TAG;
	compare(f);
	assert_int_equal(nf_compare_csv_groups(&f->r, &f->out, &f->err), 0);
	assert_non_null(strstr(f->out.data, "\nnuma.serial,ns,\"a,b\",5,500000000.0,500000000.0,"
	                                    "500000000.0,0.0,500000000.0\n"));
	nf_buf_clear(&f->out);
	assert_int_equal(nf_compare_csv_values(&f->r, &f->out, &f->err), 0);
	assert_non_null(strstr(f->out.data, "\nnuma.speedup,ratio,\"a,b\",r4,2.0\n"));
	nf_buf_clear(&f->out);
	assert_int_equal(nf_compare_text(&f->r, &f->out, &f->err), 0);
	assert_non_null(strstr(f->out.data, "numa.serial, s\n"));
	assert_non_null(strstr(f->out.data, "values: 0.500000 0.500000"));
}

static void records_of_other_kinds_are_refused(void **state)
{
	struct fixture *f = *state;
	json_t *other = json_pack("{s:i}", "a", 1);
	struct nf_run_view v = { .label = "kept" };

	assert_int_equal(nf_run_view("x", other, &v, &f->err), -NF_EDATA);
	assert_string_equal(v.label, "kept");
	json_decref(other);
	assert_int_equal(nf_run_read("/nowhere/at/all.json", &other, &f->err), -NF_EARG);
}

/* --- what others recorded and published --- */

static void published_figures_come_out_to_their_digits(void **state)
{
	static const struct {
		const char *metric, *group;
		double min, max, mean, sd, step;
	} want[] = {
		{ "numa.serial", "generic", 0.021841e9, 0.027597e9, 0.023822e9, 0.002590e9, 1e3 },
		{ "numa.parallel", "generic", 0.001768e9, 0.002382e9, 0.001962e9, 0.000249e9, 1e3 },
		{ "numa.speedup", "generic", 9.3375, 14.1814, 12.2760, 1.8093, 1e-4 },
		{ "numa.serial", "rt", 0.022144e9, 0.023715e9, 0.022862e9, 0.000690e9, 1e3 },
		{ "numa.parallel", "rt", 0.001726e9, 0.016977e9, 0.005033e9, 0.006683e9, 1e3 },
		{ "numa.speedup", "rt", 1.3617, 12.8297, 9.3204, 4.6220, 1e-4 },
	};
	static const char *const all[] = { "uptimes-differ",   "loads-differ",
		                           "boots-differ",     "posture-contradicted",
		                           "jitter-synthetic", "base-unoptimised",
		                           "ratios-disagree" };
	const char *shared = getenv("NF_SHARED_DATA"), *source = getenv("NF_SOURCE");
	struct fixture *f = *state;
	char folder[2048], path[4096];

	if (shared)
		snprintf(folder, sizeof(folder), "%s/host-captures/captures", shared);
	else
		snprintf(folder, sizeof(folder), "%s/../shared/data/host-captures/captures",
		         source ? source : ".");
	snprintf(path, sizeof(path), "%s/kernel-baseline-rt-repeat-2026-04-26.txt", folder);
	json_t *v = NULL;
	int have = nf_run_read(path, &v, &f->err);

	skip_unless(have == 0, "shared-data", "no host-captures beside the source");
	add(f, v);
	for (int i = 0; i < 10; i++) {
		snprintf(path, sizeof(path),
		         "%s/chapel-host-probe-%s-repeat-2026-04-26-sample-0%d.txt", folder,
		         i < 5 ? "generic" : "rt-chapel", i % 5 + 1);
		assert_int_equal(nf_run_read(path, &v, &f->err), 0);
		add(f, v);
	}
	snprintf(path, sizeof(path), "%s/host-characterization-window-rt-repeat-2026-04-26.txt",
	         folder);
	assert_int_equal(nf_run_read(path, &v, &f->err), 0);
	add(f, v);
	compare(f);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const struct nf_rec_compare_figure *g = figure(f, want[i].metric, want[i].group);

		assert_int_equal(g->n, 5);
		assert_true(fabs(g->min - want[i].min) <= want[i].step / 2 * 1.001);
		assert_true(fabs(g->max - want[i].max) <= want[i].step / 2 * 1.001);
		assert_true(fabs(g->mean - want[i].mean) <= want[i].step / 2 * 1.001);
		assert_true(fabs(g->sd.v - want[i].sd) <= want[i].step / 2 * 1.001);
	}
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!warning(f, all[i]))
			fail_msg("no warning %s", all[i]);
	assert_null(warning(f, "cmdlines-differ"));
	assert_int_equal(difference(f, "numa.speedup")->verdict, NF_DIFF_UNDECIDED);
}

#define t(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
	t(figures_are_those_of_each_group),
	t(a_clear_difference_helped_or_hurt),
	t(few_values_decide_nothing),
	t(groups_are_made_by_tag_and_host_too),
	t(like_runs_give_no_warning),
	t(the_same_run_given_twice_is_refused),
	t(captures_warn_of_what_they_show),
	t(two_boots_of_one_group_are_told),
	t(run_folders_warn_as_well),
	t(uptimes_of_two_ages_are_told_however_long),
	t(uptimes_of_one_boot_or_of_like_age_are_not),
	t(a_run_counts_once),
	t(a_run_that_is_not_whole_is_told),
	t(a_lane_that_was_not_expected_is_told),
	t(means_that_the_medians_do_not_bear_out_are_told),
	t(the_published_columns_are_written),
	t(csv_and_text_say_what_the_record_says),
	t(records_of_other_kinds_are_refused),
	t(published_figures_come_out_to_their_digits),
};
NF_UNIT_MAIN(tests)
