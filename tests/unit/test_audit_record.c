/* SPDX-License-Identifier: MIT */
#include "job/audit.h"

#include "nf_unit.h"
#include "report/text_audit.h"

enum { TICK_NS = 4000000 };

static struct nf_arena arena;

static int open_arena(void **state)
{
	(void)state;
	nf_arena_init(&arena, 1 << 20);
	return 0;
}

static int close_arena(void **state)
{
	(void)state;
	nf_arena_fini(&arena);
	return 0;
}

static struct nf_rec_audit_region region(const struct nf_region_sums *s)
{
	const struct nf_rec_audit_sums empty = {
		.ended = 64, .entered = 64, .wall_ns = 6400, .system_ns = 64000
	};
	struct nf_rec_audit_region r;

	nf_audit_record_region("r", s, &empty, 115200, TICK_NS, &arena, &r);
	assert_int_equal(nf_arena_failed(&arena, "record", NULL), 0);
	return r;
}

static bool warned(const struct nf_rec_audit_region *r, const char *of)
{
	const char *const *w = r->warnings.items;

	for (size_t i = 0; i < r->warnings.n; i++)
		if (strstr(w[i], of))
			return true;
	return false;
}

static void times_are_less_what_empty_regions_take(void **state)
{
	const struct nf_region_sums s = { .entered = 10,
		                          .ended = 10,
		                          .wall_ns = 1001000,
		                          .audit_ns = 100000,
		                          .min_ns = 1,
		                          .max_ns = 2 };
	struct nf_rec_audit_region r = region(&s);

	(void)state;
	assert_true(r.net_ns == 1000000);
	assert_true(r.overhead_ratio.some && r.overhead_ratio.v == 0.1);
	assert_false(warned(&r, "over 10 %")); /* not over */
	assert_false(r.kernel_ratio.some);
	assert_true(r.complete);
	assert_false(r.has_io);
	assert_int_equal(r.console_bytes, 0);
}

static void no_time_gives_no_ratio(void **state)
{
	const struct nf_region_sums never = { .entered = 1 };
	const struct nf_region_sums nothing = {
		.entered = 10, .ended = 10, .wall_ns = 900, .min_ns = 1
	};
	struct nf_rec_audit_region r = region(&never);

	(void)state;
	assert_false(r.console_ratio.some || r.overhead_ratio.some || r.sums.min_ns.some);
	assert_false(r.complete);
	assert_true(warned(&r, "not ended 1 times"));
	r = region(&nothing);
	assert_true(r.net_ns == 0);
	assert_false(r.console_ratio.some || r.overhead_ratio.some);
}

static void bytes_are_priced_once(void **state)
{
	const struct {
		uint64_t wchar, buffered, flushed, others, priced;
	} rows[] = {
		{ 26, 0, 0, 0, 26 }, /* written */
		{ 0, 26, 0, 0, 26 }, /* printed, written later */
		{ 4096, 4070, 4070, 0, 4096 }, /* printed over many times, written in one */
		{ 4096, 0, 4096, 0, 4096 }, /* printed before, written here */
		{ 4096, 4100, 4070, 5, 4131 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct nf_region_sums s = { .entered = 1,
			                          .ended = 1,
			                          .wall_ns = 1000100,
			                          .io.wchar = rows[i].wchar,
			                          .buffered_bytes = rows[i].buffered,
			                          .flushed_bytes = rows[i].flushed,
			                          .others_wchar = rows[i].others,
			                          .with_io = 1,
			                          .first_io = 1 };
		struct nf_rec_audit_region r = region(&s);

		assert_int_equal(r.console_bytes, rows[i].priced);
		assert_true(r.console_ns == (double)rows[i].priced * 10 * 1e9 / 115200);
		assert_true(r.console_ratio.v == r.console_ns / 1e6);
		assert_true(r.has_io);
		assert_int_equal(warned(&r, "written later"), rows[i].buffered > 0);
	}
}

static void kernel_time_is_told_when_there_are_ticks_enough(void **state)
{
	struct nf_region_sums s = { .entered = 1,
		                    .ended = 1,
		                    .wall_ns = 1000000100,
		                    .user_us = 339000,
		                    .system_us = 60001 };
	struct nf_rec_audit_region r = region(&s);

	(void)state;
	assert_false(r.kernel_ratio.some); /* 99.75 ticks */
	s.user_us += 1000;
	r = region(&s);
	assert_true(r.kernel_ratio.some && r.kernel_ratio.v == 0.06);
	assert_true(warned(&r, "kernel time is 6 % of the region, over 5 %"));
	s.system_us = 50001;
	s.user_us = 400000;
	r = region(&s);
	assert_true(r.kernel_ratio.v == 0.05);
	assert_false(warned(&r, "kernel time"));
}

static void what_was_not_measured_is_told(void **state)
{
	const struct nf_region_sums s = { .entered = 10,
		                          .ended = 4,
		                          .abandoned = 3,
		                          .unread = 2,
		                          .wall_ns = 1000,
		                          .audit_ns = 1000 };
	struct nf_rec_audit_region r = region(&s);

	(void)state;
	assert_false(r.complete);
	assert_true(warned(&r, "left without its end 3 times"));
	assert_true(warned(&r, "not ended 3 times"));
	assert_true(warned(&r, "told nothing 2 times"));
	assert_true(warned(&r, "over 10 %"));
}

static void texts_stay_within_80_columns(void **state)
{
	const struct nf_region_sums s = { .entered = UINT64_C(1) << 52,
		                          .ended = UINT64_C(1) << 52,
		                          .wall_ns = UINT64_C(1) << 52,
		                          .with_io = UINT64_C(1) << 51,
		                          .first_io = UINT64_C(1) << 50,
		                          .io = { 1, UINT64_C(1) << 52, 3, UINT64_C(1) << 52, 5, 6,
		                                  7 },
		                          .others_wchar = UINT64_C(1) << 52,
		                          .buffered_bytes = UINT64_C(1) << 52,
		                          .flushed_bytes = UINT64_C(1) << 52,
		                          .abandoned = 1 };
	struct nf_rec_audit_region r = region(&s);
	struct nf_audit_row row[20] = { { .region = NF_AUDIT_NO_REGION, .nr = 1 } };
	struct nf_audit_trace t = { .row = row, .n_rows = 20, .rows_lost = 1, .n_regions = 1 };
	char names[1][NF_REGION_NAME_BYTES] = { "r" };
	struct nf_rec_audit_trace trace;
	struct nf_buf out;

	(void)state;
	t.region = names;
	for (size_t i = 0; i < 20; i++) {
		row[i] =
		        (struct nf_audit_row){ .region = i < 18 ? 0 : NF_AUDIT_NO_REGION,
			                       .others = i % 2,
			                       .nr = 100000 + i,
			                       .kind = { i % 2 ? NF_AUDIT_OUT : NF_AUDIT_NO_IO, 0 },
			                       .target_kind = NF_AUDIT_FILE,
			                       .calls = UINT64_C(1) << 50,
			                       .failed = 1,
			                       .bytes = UINT64_C(1) << 50 };
		memset(row[i].target, 'x', sizeof(row[i].target) - 1);
	}
	nf_audit_record_trace(&t, 9600, &arena, &trace);
	const struct nf_rec_audit_run run = { .regions = { &r, 1 },
		                              .baud = 9600,
		                              .findings = 1,
		                              .trace = &trace,
		                              .empty = { .ended = 1 },
		                              .stray_ends = 2,
		                              .too_deep = 1,
		                              .lost = 1 };
	nf_buf_init(&out, 1 << 20);
	assert_int_equal(nf_text_audit_run(&run, &out), 0);
	assert_non_null(strstr(out.data, "... 6 more"));
	assert_non_null(strstr(out.data, "outside of all regions"));
	assert_non_null(strstr(out.data, "I/O in 1 of 1 region; not everything could be measured"));
	for (const char *line = out.data; *line;) {
		size_t len = strcspn(line, "\n");

		if (len > 80)
			fail_msg("%.*s", (int)len, line);
		line += len + (line[len] == '\n');
	}
	nf_buf_fini(&out);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(times_are_less_what_empty_regions_take, open_arena,
	                                close_arena),
	cmocka_unit_test_setup_teardown(no_time_gives_no_ratio, open_arena, close_arena),
	cmocka_unit_test_setup_teardown(bytes_are_priced_once, open_arena, close_arena),
	cmocka_unit_test_setup_teardown(kernel_time_is_told_when_there_are_ticks_enough, open_arena,
	                                close_arena),
	cmocka_unit_test_setup_teardown(what_was_not_measured_is_told, open_arena, close_arena),
	cmocka_unit_test_setup_teardown(texts_stay_within_80_columns, open_arena, close_arena),
};

NF_UNIT_MAIN(tests)
