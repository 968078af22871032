/* SPDX-License-Identifier: MIT */
#include "bench/sweep_file.h"
#include "fault.h"
#include "job/sweep_log.h"
#include "job/sweep_points.h"
#include "nf_unit.h"

enum { ARENA_BYTES = 16 << 20, ROWS = 8, POINTS = 3, UNTOUCHED = 77 };

/* --- the points --- */

static int points_run(void *ctx, struct nf_err *err)
{
	static const char text[] = "command: [x, \"{B}\"]\nknobs: { B: arg }\n"
	                           "grid: { A: [1, 2], B: [x, y] }\nbase: { A: 2 }\n";
	static struct nf_sweep s;
	static struct nf_variant v[NF_SWEEP_POINTS_MAX];
	static const char *const argv[] = { "x", "{B}", NULL };
	const struct nf_variant form = { .backend = NF_BACKEND_COMMAND, .argv = argv };
	struct nf_sweep_spec spec;
	struct nf_conf_pos at = { 0 };
	struct nf_conf c;
	struct nf_arena a;
	int r = nf_conf_read(&nf_sweep_file_type, "s", text, sizeof(text) - 1, NULL, &c, err);

	if (r < 0)
		return r;
	nf_arena_init(&a, ARENA_BYTES);
	r = nf_sweep_file_spec(c.root, &a, &spec, &at, err);
	if (r == 0)
		r = nf_sweep_make(&spec, &a, &s, &at, err);
	if (r == 0)
		r = nf_sweep_variants(&s, &form, &a, v, err);
	if (r == 0)
		*(int *)ctx = (int)s.n_points;
	nf_arena_fini(&a);
	nf_conf_fini(&c);
	return r;
}

static void points_finish(void *ctx, int r)
{
	assert_int_equal(*(int *)ctx, r < 0 ? UNTOUCHED : 4);
	*(int *)ctx = UNTOUCHED;
}

static void points_report_a_lack_of_memory(void **state)
{
	int n = UNTOUCHED;

	(void)state;
	fault_every(&(struct fault_subject){ .run = points_run, .finish = points_finish }, &n);
}

/* --- the log --- */

static int write_log(struct nf_buf *out, struct nf_err *err)
{
	static const struct nf_rec_sweep_fact fact[] = { { "command", "x" } };
	static const double value[] = { 1.5 };
	const struct nf_rec_sweep_log_head head = { .schema = "BenchSweepLog/1",
		                                    .facts = { fact, 1 },
		                                    .plan = { .sets = 3, .order = "o" } };
	const struct nf_rec_sweep_session session = { .run = "r", .started_utc = "t" };
	const struct nf_rec_bench_set set = { .seed = "12", .values = { value, 1 } };
	const struct nf_rec_sweep_interrupted begun = { 0 };
	int r = nf_sweep_log_head(&head, out, err);

	if (r == 0)
		r = nf_sweep_log_session(&session, out, err);
	if (r == 0)
		r = nf_sweep_log_begin(&begun, out, err);
	if (r == 0)
		r = nf_sweep_log_set(&set, out, err);
	return r;
}

static int log_run(void *ctx, struct nf_err *err)
{
	struct nf_sweep_log l;
	struct nf_arena a;
	struct nf_buf out;

	nf_arena_init(&a, ARENA_BYTES);
	nf_buf_init(&out, 1 << 20);
	int r = write_log(&out, err);
	if (r == 0)
		r = nf_sweep_log_parse("x", out.data, out.len_bytes, &a, &l, err);
	if (r == 0) {
		*(int *)ctx = (int)l.n_sets;
		nf_sweep_log_fini(&l);
	}
	nf_buf_fini(&out);
	nf_arena_fini(&a);
	return r;
}

static void log_finish(void *ctx, int r)
{
	assert_int_equal(*(int *)ctx, r < 0 ? UNTOUCHED : 1);
	*(int *)ctx = UNTOUCHED;
}

static void the_log_reports_a_lack_of_memory(void **state)
{
	int n = UNTOUCHED;

	(void)state;
	fault_every(&(struct fault_subject){ .run = log_run, .finish = log_finish }, &n);
}

/* --- the comparison --- */

static int compare_run(void *ctx, struct nf_err *err)
{
	static const double value[] = { 1, 2, 3 };
	struct nf_rec_bench_variant variant[POINTS] = { { .unit = "ns" },
		                                        { .unit = "ns" },
		                                        { .failure = "no" } };
	struct nf_rec_bench_set set[ROWS * POINTS] = { { 0 } };
	struct nf_rec_sweep_point *point = ctx;
	const struct nf_rec_sweep_session session = { 0 };
	const struct nf_rec_bench_rule rule = { .delta_ratio = 0.01, .alpha = 0.05 };
	struct nf_arena a;

	nf_arena_init(&a, ARENA_BYTES);
	for (size_t i = 0; i < ROWS * POINTS; i++) {
		set[i].variant = i % POINTS;
		set[i].row = i / POINTS;
		set[i].values = (struct nf_list){ &value[i % POINTS], 1 };
		set[i].median = nf_some_real(value[i % POINTS]);
	}
	const struct nf_bench_evidence e = { set, ROWS * POINTS, variant, 1, &a };
	for (size_t i = 0; i < POINTS; i++)
		point[i] = (struct nf_rec_sweep_point){ .variant = i };
	int r = nf_sweep_compare(&e, &rule, &session, 1, 0, point, POINTS, err);
	if (r == 0)
		assert_int_equal(point[1].mark, NF_SWEEP_SLOWER);
	nf_arena_fini(&a);
	return r;
}

static void the_comparison_reports_a_lack_of_memory(void **state)
{
	struct nf_rec_sweep_point point[POINTS];

	(void)state;
	fault_every(&(struct fault_subject){ .run = compare_run }, point);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(points_report_a_lack_of_memory),
	cmocka_unit_test(the_log_reports_a_lack_of_memory),
	cmocka_unit_test(the_comparison_reports_a_lack_of_memory),
};

NF_UNIT_MAIN(tests)
