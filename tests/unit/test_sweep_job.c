/* SPDX-License-Identifier: MIT */
/* What a sweep concludes from its sets, and its log. */
#include "job/sweep_ceiling.h"
#include "job/sweep_log.h"
#include "job/sweep_points.h"
#include "nf_unit.h"
#include "report/bench_sweep_csv.h"
#include "report/text_bench_sweep.h"

enum { POINTS = 4, ROWS = 20, ARENA_BYTES = 16 << 20 };

struct world {
	struct nf_arena a;
	struct nf_rec_bench_variant variant[POINTS];
	struct nf_rec_bench_set set[ROWS * POINTS];
	double value[ROWS * POINTS];
	struct nf_rec_sweep_point point[POINTS];
	struct nf_rec_sweep_session session[2];
	size_t n_sessions;
	struct nf_err err;
};

/* Times of point i: level[i], with a small ripple that is no multiple of anything. */
static void setup(struct world *w, const double *level)
{
	memset(w, 0, sizeof(*w));
	nf_arena_init(&w->a, ARENA_BYTES);
	w->n_sessions = 1;
	for (size_t v = 0; v < POINTS; v++) {
		w->variant[v].label = "v";
		w->variant[v].unit = "ns";
		w->point[v].variant = v;
		w->point[v].label = "p";
	}
	for (size_t i = 0; i < ROWS * POINTS; i++) {
		size_t v = i % POINTS, row = i / POINTS;

		w->value[i] = level[v] * (1 + 0.001 * (double)((row * 7 + v * 3) % 5));
		w->set[i] = (struct nf_rec_bench_set){
			.variant = v,
			.row = row,
			.seed = "1",
			.wall_ns = 1000,
			.operations = 1,
			.values = { &w->value[i], 1 },
			.median = nf_some_real(w->value[i]),
		};
	}
}

static int compare(struct world *w)
{
	const struct nf_bench_evidence e = {
		.set = w->set,
		.n_sets = ROWS * POINTS,
		.variant = w->variant,
		.iters = 1,
		.arena = &w->a,
	};
	const struct nf_rec_bench_rule rule = { .delta_ratio = 0.01, .alpha = 0.05, .looks = 1 };

	return nf_sweep_compare(&e, &rule, w->session, w->n_sessions, 1, w->point, POINTS, &w->err);
}

static void points_are_marked_against_the_base(void **state)
{
	static const double level[] = { 80, 100, 100, 130 };
	struct nf_some_nat best, worst;
	struct world w;

	(void)state;
	setup(&w, level);
	assert_int_equal(compare(&w), 0);
	assert_int_equal(w.point[0].mark, NF_SWEEP_FASTER);
	assert_int_equal(w.point[1].mark, NF_SWEEP_BASE);
	assert_int_equal(w.point[2].mark, NF_SWEEP_SAME);
	assert_int_equal(w.point[3].mark, NF_SWEEP_SLOWER);
	assert_true(w.point[3].ratio.v > 1.29 && w.point[3].ratio.v < 1.31);
	assert_false(w.point[1].ratio.some);
	assert_true(w.point[1].median.some);
	assert_int_equal(w.point[3].pairs, ROWS);
	assert_true(w.point[3].p_bh.v <= w.point[3].p_holm.v);
	nf_sweep_extremes(w.point, POINTS, &best, &worst);
	assert_int_equal(best.v, 0);
	assert_int_equal(worst.v, 3);
	nf_arena_fini(&w.a);
}

static void more_is_better_of_rates(void **state)
{
	static const double level[] = { 80, 100, 100, 130 };
	struct world w;

	(void)state;
	setup(&w, level);
	for (size_t v = 0; v < POINTS; v++) {
		w.variant[v].unit = "ops/s";
		w.variant[v].higher_is_better = true;
	}
	assert_int_equal(compare(&w), 0);
	assert_int_equal(w.point[0].mark, NF_SWEEP_SLOWER);
	assert_int_equal(w.point[3].mark, NF_SWEEP_FASTER);
	assert_true(w.point[3].median.v > 129); /* as it was measured */
	nf_arena_fini(&w.a);
}

static void what_failed_is_not_compared(void **state)
{
	static const double level[] = { 80, 100, 100, 130 };
	struct nf_some_nat best, worst;
	struct world w;

	(void)state;
	setup(&w, level);
	w.variant[0].failure = "exit status 3";
	w.variant[2].unit = "bytes";
	assert_int_equal(compare(&w), 0);
	assert_int_equal(w.point[0].mark, NF_SWEEP_FAILED);
	assert_string_equal(w.point[0].failure, "exit status 3");
	assert_string_equal(w.point[2].failure, "in bytes, the base in ns");
	assert_int_equal(w.point[3].mark, NF_SWEEP_SLOWER);
	w.variant[1].failure = "SIGSEGV";
	assert_int_equal(compare(&w), 0);
	for (size_t i = 0; i < POINTS; i++)
		assert_int_equal(w.point[i].mark, NF_SWEEP_FAILED);
	assert_string_equal(w.point[3].failure, "the base failed: SIGSEGV");
	nf_sweep_extremes(w.point, POINTS, &best, &worst);
	nf_arena_fini(&w.a);
}

static void a_row_that_was_interrupted_is_left_out(void **state)
{
	static const double level[] = { 80, 100, 100, 130 };
	struct world w;

	(void)state;
	setup(&w, level);
	w.n_sessions = 2;
	w.session[0].sets = 5 * POINTS + 2; /* within row 5 */
	w.session[1].first_set = 5 * POINTS + 2;
	assert_int_equal(compare(&w), 0);
	for (size_t i = 0; i < POINTS; i++) {
		assert_int_equal(w.point[i].pairs, ROWS - 1);
		assert_int_equal(w.point[i].pairs_discarded, 1);
		assert_string_equal(w.set[5 * POINTS + i].discarded, "the row was interrupted");
	}
	w.session[1].first_set = 5 * POINTS; /* between two rows: nothing is parted */
	assert_int_equal(compare(&w), 0);
	assert_int_equal(w.point[3].pairs, ROWS);
	assert_null(w.set[5 * POINTS].discarded);
	nf_arena_fini(&w.a);
}

static void a_disturbed_row_is_left_out_for_all(void **state)
{
	static const double level[] = { 80, 100, 100, 130 };
	struct world w;

	(void)state;
	setup(&w, level);
	for (size_t i = 0; i < ROWS * POINTS; i++)
		w.set[i].posture.steal_s = nf_some_real(1e-9 * (double)(i % 3));
	w.set[7 * POINTS + 2].posture.steal_s = nf_some_real(1);
	assert_int_equal(compare(&w), 0);
	for (size_t i = 0; i < POINTS; i++) {
		assert_int_equal(w.point[i].pairs, ROWS - 1);
		assert_string_equal(w.set[7 * POINTS + i].discarded, "steal");
	}
	nf_arena_fini(&w.a);
}

static void too_few_sets_mark_nothing(void **state)
{
	size_t least = nf_sweep_min_sets(10, 0.01);

	(void)state;
	assert_true(least > 5 && least < 20);
	assert_true(nf_sweep_min_sets(2, 0.01) < least);
}

/* --- what is shown --- */

static void fill_record(struct world *w, struct nf_rec_bench_sweep *r,
                        struct nf_rec_sweep_knob knob[2])
{
	static const char *const a[] = { "1", "2" }, *const b[] = { "x", "a,\"b\"" };
	static const char *const value[POINTS][2] = {
		{ "1", "x" }, { "1", "a,\"b\"" }, { "2", "x" }, { "2", "a,\"b\"" }
	};
	static const char *const label[POINTS] = { "A=1 B=x", "A=1 B=a,\"b\"", "A=2 B=x",
		                                   "A=2 B=a,\"b\"" };

	for (size_t i = 0; i < POINTS; i++) {
		w->point[i].label = label[i];
		w->point[i].values = (struct nf_list){ value[i], 2 };
	}
	knob[0] = (struct nf_rec_sweep_knob){ .name = "A", .values = { a, 2 } };
	knob[1] = (struct nf_rec_sweep_knob){ .name = "B", .values = { b, 2 } };
	*r = (struct nf_rec_bench_sweep){
		.form = NF_SWEEP_GRID,
		.base = 1,
		.cpus = nf_some_nat(1),
		.bh_q = 0.05,
		.rule = { .delta_ratio = 0.01, .alpha = 0.05, .min_pairs = 7 },
		.plan = { .sets = 3 },
		.knobs = { knob, 2 },
		.variants = { w->variant, POINTS },
		.points = { w->point, POINTS },
		.sessions = { w->session, 1 },
	};
}

static void texts_have_every_point_in_80_columns(void **state)
{
	static const double level[] = { 80, 100, 100, 1300 };
	struct nf_rec_bench_sweep r;
	struct nf_rec_sweep_knob knob[2];
	struct nf_buf out, csv;
	struct world w;
	size_t lines = 0;

	(void)state;
	setup(&w, level);
	assert_int_equal(compare(&w), 0);
	fill_record(&w, &r, knob);
	w.point[3].workers = nf_some_nat(2);
	assert_int_equal(nf_sweep_ceilings(&r, &w.a, &r.ceilings, &w.err), 0);
	assert_int_equal(r.ceilings.n, 3); /* one CPU, two workers, three sets */
	nf_sweep_extremes(w.point, POINTS, &r.best, &r.worst);
	nf_buf_init(&out, 1 << 16);
	nf_buf_init(&csv, 1 << 16);
	assert_int_equal(nf_text_bench_sweep(&r, &out), 0);
	for (const char *p = out.data; *p; lines++) {
		size_t n = strcspn(p, "\n");

		if (n > 80)
			fail_msg("%zu columns: %.*s", n, (int)n, p);
		p += n + (p[n] == '\n');
	}
	assert_true(lines > 12);
	assert_non_null(strstr(out.data, "A down, B across"));
	assert_non_null(strstr(out.data, "claim  One CPU: "));
	assert_non_null(strstr(out.data, "worst  A=2 B=a,\"b\", +1"));
	assert_int_equal(nf_bench_sweep_csv(&r, &csv), 0);
	assert_non_null(strstr(csv.data, "\n2,\"a,\"\"b\"\"\",slower,"));
	assert_null(memchr(csv.data, '\033', csv.len_bytes));
	nf_buf_fini(&out);
	nf_buf_fini(&csv);
	nf_arena_fini(&w.a);
}

/* --- the log --- */

static void add_log(struct nf_buf *out, size_t n_sets, bool open)
{
	static const struct nf_rec_sweep_fact fact[] = { { "command", "x" } };
	static const struct nf_rec_sweep_log_variant variant[] = {
		{ { true, 5 }, "ns", false, NULL },
		{ { false, 0 }, NULL, true, "exit status 1" },
	};
	static const double value[] = { 1.5, 0.1 };
	const struct nf_rec_sweep_log_head head = {
		.schema = "BenchSweepLog/1",
		.facts = { fact, 1 },
		.plan = { .sets = 3, .order = "o" },
		.variants = { variant, 2 },
	};
	const struct nf_rec_sweep_session session = { .run = "r", .started_utc = "t" };
	struct nf_rec_bench_set set = { .seed = "12", .values = { value, 2 } };
	struct nf_rec_sweep_interrupted begun = { 0 };
	struct nf_err err = { 0 };

	set.median = nf_some_real(0.8);
	assert_int_equal(nf_sweep_log_head(&head, out, &err), 0);
	assert_int_equal(nf_sweep_log_session(&session, out, &err), 0);
	for (size_t i = 0; i < n_sets + open; i++) {
		set.row = begun.row = i;
		assert_int_equal(nf_sweep_log_begin(&begun, out, &err), 0);
		if (i < n_sets)
			assert_int_equal(nf_sweep_log_set(&set, out, &err), 0);
	}
}

static int parse(const struct nf_buf *b, size_t n, struct nf_arena *a, struct nf_sweep_log *ret,
                 struct nf_err *err)
{
	return nf_sweep_log_parse("x.log", b->data, n, a, ret, err);
}

static void a_log_is_read_as_it_was_written(void **state)
{
	struct nf_sweep_log l;
	struct nf_arena a;
	struct nf_buf b;
	struct nf_err err = { 0 };

	(void)state;
	nf_arena_init(&a, ARENA_BYTES);
	nf_buf_init(&b, 1 << 20);
	add_log(&b, 3, true);
	assert_int_equal(parse(&b, b.len_bytes, &a, &l, &err), 0);
	const struct nf_rec_sweep_log_variant *v = l.head.variants.items;
	assert_int_equal(l.head.plan.sets, 3);
	assert_string_equal(v[0].unit, "ns");
	assert_int_equal(v[0].pilot_ns.v, 5);
	assert_false(v[1].pilot_ns.some);
	assert_null(v[1].unit);
	assert_string_equal(v[1].failure, "exit status 1");
	assert_int_equal(l.n_sets, 3);
	assert_int_equal(l.set[2].row, 2);
	assert_true(((const double *)l.set[2].values.items)[1] == 0.1);
	assert_true(l.set[2].median.v == 0.8);
	assert_null(l.set[2].failure);
	assert_int_equal(l.n_interrupted, 1);
	assert_int_equal(l.interrupted[0].row, 3);
	assert_int_equal(l.session[0].sets, 3);
	assert_false(l.torn);
	nf_sweep_log_fini(&l);
	nf_buf_fini(&b);
	nf_arena_fini(&a);
}

/* Cut at every byte: what was whole is kept, and nothing else is made of it. */
static void a_log_may_end_anywhere(void **state)
{
	struct nf_buf b;
	size_t heads, last = 0;

	(void)state;
	nf_buf_init(&b, 1 << 20);
	add_log(&b, 0, false);
	heads = b.len_bytes;
	nf_buf_clear(&b);
	add_log(&b, 3, false);
	for (size_t n = 0; n <= b.len_bytes; n += nf_unit_instrumented() ? 7 : 1) {
		struct nf_sweep_log l = { 0 };
		struct nf_arena a;
		struct nf_err err = { 0 };

		nf_arena_init(&a, ARENA_BYTES);
		int r = parse(&b, n, &a, &l, &err);
		if (r < 0)
			assert_true(r == -NF_EDATA && n < heads);
		else if (n >= heads) {
			assert_true(l.n_sets >= last && l.n_sets <= 3);
			assert_true(l.n_interrupted <= 1);
			last = l.n_sets;
		}
		nf_sweep_log_fini(&l);
		nf_arena_fini(&a);
	}
	assert_int_equal(last, nf_unit_instrumented() ? last : 3);
	nf_buf_fini(&b);
}

/* Any byte changed but in the last frame, which a crash may have left: refused, or it is no longer what it was. */
static void damage_is_found(void **state)
{
	struct nf_buf b;
	size_t whole;

	(void)state;
	nf_buf_init(&b, 1 << 20);
	add_log(&b, 2, false);
	whole = b.len_bytes;
	add_log(&b, 0, false); /* something behind, out of place */
	for (size_t n = 0; n < whole; n += 11) {
		struct nf_sweep_log l = { 0 };
		struct nf_arena a;
		struct nf_err err = { 0 };

		nf_arena_init(&a, ARENA_BYTES);
		b.data[n] ^= 1;
		assert_int_equal(parse(&b, b.len_bytes, &a, &l, &err), -NF_EDATA);
		assert_non_null(strstr(err.msg, "x.log: byte "));
		b.data[n] ^= 1;
		nf_arena_fini(&a);
	}
	nf_buf_fini(&b);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(points_are_marked_against_the_base),
	cmocka_unit_test(more_is_better_of_rates),
	cmocka_unit_test(what_failed_is_not_compared),
	cmocka_unit_test(a_row_that_was_interrupted_is_left_out),
	cmocka_unit_test(a_disturbed_row_is_left_out_for_all),
	cmocka_unit_test(too_few_sets_mark_nothing),
	cmocka_unit_test(texts_have_every_point_in_80_columns),
	cmocka_unit_test(a_log_is_read_as_it_was_written),
	cmocka_unit_test(a_log_may_end_anywhere),
	cmocka_unit_test(damage_is_found),
};

NF_UNIT_MAIN(tests)
