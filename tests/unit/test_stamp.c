/* SPDX-License-Identifier: MIT */
/* What noisefloor/stamp.h prints, with a counter of the test's own, and that it is read back. */
#include <stdint.h>

static uint64_t now_ticks, rate_hz;
#define NF_STAMP_READ() now_ticks
#define NF_STAMP_HZ() rate_hz
#include "noisefloor/stamp.h"

#include "board/stamp_line.h"
#include "nf_unit.h"

static char printed[4096];
static size_t n_printed;

static void put(void *ctx, char c)
{
	assert_ptr_equal(ctx, printed);
	assert_true(n_printed + 1 < sizeof(printed));
	printed[n_printed++] = c;
	printed[n_printed] = '\0';
}

static void take_at(struct nf_stamps *s, uint64_t ticks, const char *label)
{
	now_ticks = ticks;
	nf_stamp_take(s, label);
}

static struct nf_stamp_line read_text(const char *text)
{
	struct nf_stamp_line l;

	nf_stamp_line_read(text, strlen(text), &l);
	return l;
}

static void each_stamp_names_the_time_since_the_one_before(void **state)
{
	struct nf_stamp_entry room[8];
	struct nf_stamps s;

	(void)state;
	rate_hz = 24000000;
	n_printed = 0;
	nf_stamps_init(&s, room, 8);
	take_at(&s, 100, "start");
	take_at(&s, 100 + 196167, "spawn");
	take_at(&s, 100 + 196167, "a b\x01");
	take_at(&s, 90, "");
	nf_stamps_print(&s, put, printed);
	assert_string_equal(printed,
	                    "nf-stamp: spawn us=8173 counter_diff=196167 counter_hz=24000000\n"
	                    "nf-stamp: a_b_ us=0 counter_diff=0 counter_hz=24000000\n"
	                    "nf-stamp: - counter_back=196177 counter_hz=24000000\n"
	                    "nf-stamp: 4 kept, 0 lost\n");
}

static void stamps_without_room_are_counted(void **state)
{
	struct nf_stamp_entry room[1];
	struct nf_stamps s;

	(void)state;
	rate_hz = 1;
	n_printed = 0;
	nf_stamps_init(&s, room, 1);
	s.eol = "\r\n";
	for (uint64_t i = 0; i < 3; i++)
		take_at(&s, i, "x");
	nf_stamps_print(&s, put, printed);
	assert_string_equal(printed, "nf-stamp: 1 kept, 2 lost\r\n");
}

static void an_unknown_rate_is_said(void **state)
{
	struct nf_stamp_entry room[2];
	struct nf_stamps s;

	(void)state;
	rate_hz = 0;
	n_printed = 0;
	nf_stamps_init(&s, room, 2);
	take_at(&s, 5, "a");
	take_at(&s, 12, "b");
	nf_stamps_print(&s, put, printed);
	assert_string_equal(printed, "nf-stamp: b counter_diff=7 counter_hz=unknown\n"
	                             "nf-stamp: 2 kept, 0 lost\n");
	*strchr(printed, '\n') = '\0';
	struct nf_stamp_line l = read_text(printed);
	assert_int_equal(l.kind, NF_STAMP_LINE_TIME);
	assert_int_equal(l.hz, 0);
	assert_false(l.has_us || l.agrees);
}

static void microseconds_are_cut_and_do_not_overflow(void **state)
{
	(void)state;
	assert_int_equal(nf_stamp_us(62499999, 62500000), 999999);
	assert_int_equal(nf_stamp_us(62500000, 62500000), 1000000);
	assert_int_equal(nf_stamp_us(UINT64_MAX, UINT32_MAX), UINT64_C(4294967297000000));
	assert_true(nf_stamp_us(UINT64_MAX, 1) == UINT64_MAX);
	assert_int_equal(nf_stamp_us(1, 3), 333333);
}

static void a_line_is_read_wherever_it_begins(void **state)
{
	struct nf_stamp_line l = read_text(
	        "[    1.5] => nf-stamp: spawn us=8173 cntpct_diff=196167 cntfrq=24000000");

	(void)state;
	assert_int_equal(l.kind, NF_STAMP_LINE_TIME);
	assert_string_equal(l.name, "spawn");
	assert_string_equal(l.counter, "cntpct");
	assert_int_equal(l.us, 8173);
	assert_int_equal(l.diff, 196167);
	assert_int_equal(l.hz, 24000000);
	assert_true(l.has_us && l.agrees && !l.back);
	l = read_text("nf-stamp: 12 kept, 3 lost");
	assert_int_equal(l.kind, NF_STAMP_LINE_END);
	assert_int_equal(l.kept, 12);
	assert_int_equal(l.lost, 3);
	assert_int_equal(read_text("nf-stamp").kind, NF_STAMP_LINE_NONE);
	assert_int_equal(read_text("").kind, NF_STAMP_LINE_NONE);
}

static void a_time_that_the_counter_does_not_give_is_told(void **state)
{
	(void)state;
	/* by a constant instead of the register: 54 MHz in place of 24 */
	assert_false(read_text("nf-stamp: a us=3632 cntpct_diff=196167 cntfrq=24000000").agrees);
	assert_false(read_text("nf-stamp: a us=8174 cntpct_diff=196167 cntfrq=24000000").agrees);
	assert_true(read_text("nf-stamp: a us=8173 cntpct_diff=196167 cntfrq=24000000").agrees);
}

static void what_is_cut_or_mixed_is_broken(void **state)
{
	static const char *const texts[] = {
		"nf-stamp: ",
		"nf-stamp: a",
		"nf-stamp: a us=1",
		"nf-stamp: a us=1 cntpct_diff=1",
		"nf-stamp: a us=1 cntpct_diff=1 cntfrq=",
		"nf-stamp: a us=1 cntpct_diff=1 cntfrq=0",
		"nf-stamp: a us=1 cntpct_diff=1 cntfrq=1 ",
		"nf-stamp: a us=1 cntpct_diff=1 cntfrq=1[ 0.1] usb",
		"nf-stamp: a us=01 cntpct_diff=1 cntfrq=1",
		"nf-stamp: a us=1 cntpct_diff=1 cntfrq=unknown",
		"nf-stamp: a cntpct_diff=1 cntfrq=1000000",
		"nf-stamp: a us=1 cntpct_back=1 cntfrq=1000000",
		"nf-stamp: a us=99999999999999999999 cntpct_diff=1 cntfrq=1",
		"nf-stamp: a us=1 cntpct=1 cntfrq=1",
		"nf-stamp: a us=1 _diff=1 cntfrq=1",
		"nf-stamp: 3 kept, lost",
		"nf-stamp: 3 kept, 1 lost!",
		("nf-stamp: a_name_that_is_much_longer_than_any_that_the_header_prints us=1 "
		 "c_diff=1 f=1"),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct nf_stamp_line l = read_text(texts[i]);

		if (l.kind != NF_STAMP_LINE_BROKEN)
			fail_msg("'%s' is read", texts[i]);
		assert_string_equal(l.name, "");
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_stamp_names_the_time_since_the_one_before),
	cmocka_unit_test(stamps_without_room_are_counted),
	cmocka_unit_test(an_unknown_rate_is_said),
	cmocka_unit_test(microseconds_are_cut_and_do_not_overflow),
	cmocka_unit_test(a_line_is_read_wherever_it_begins),
	cmocka_unit_test(a_time_that_the_counter_does_not_give_is_told),
	cmocka_unit_test(what_is_cut_or_mixed_is_broken),
};

NF_UNIT_MAIN(tests)
