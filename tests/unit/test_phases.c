/* SPDX-License-Identifier: MIT */
/* Phases: events, what lies between them, the guest's clock, values, faults. */
#include "board/faults.h"
#include "board/phase_value.h"
#include "board/phases.h"
#include "nf_unit.h"

#define MS INT64_C(1000000)

static struct nf_phases *p;
static uint64_t offset;

static void begin(const struct nf_phases_opts *o)
{
	struct nf_err err = { 0 };

	offset = 0;
	if (nf_phases_new(o, &p, &err) < 0)
		fail_msg("%s", err.msg);
}

static void line_between(int64_t first_ms, int64_t last_ms, const char *text, bool stamped)
{
	const struct nf_line l = {
		.text = text,
		.len = strlen(text),
		.raw_offset = offset,
		.raw_bytes = strlen(text) + 2,
		.first_lo_ns = first_ms * MS,
		.first_hi_ns = first_ms * MS,
		.last_lo_ns = last_ms * MS,
		.last_hi_ns = last_ms * MS,
	};

	offset += l.raw_bytes;
	assert_int_equal(nf_phases_line(p, &l, stamped, NULL), 0);
}

static void line(int64_t ms, const char *text)
{
	line_between(ms, ms, text, true);
}

static const struct nf_phase_want phases[] = { { "p1", "Linux version " }, { "p2", "login:" } };

static void times_are_since_t0_wherever_it_stands(void **state)
{
	const struct nf_phases_opts o = { .t0 = "Running test [AB]",
		                          .phase = phases,
		                          .n_phases = 2 };
	const struct nf_phases_result *r;

	(void)state;
	begin(&o);
	line(50, "Linux version of a boot before");
	line(100, "processRunning test B");
	line(350, "[    0.000000] Linux version 6");
	line(400, "x");
	line(1000, "buildroot login: ");
	line(2000, "login: again");
	r = nf_phases_finish(p);
	assert_true(r->event[0].found && r->event[1].found && r->event[2].found);
	assert_true(r->event[1].before_t0);
	assert_false(r->event[2].before_t0);
	assert_int_equal(r->event[1].line, 3);
	assert_int_equal(r->interval[0].duration_ns, 250 * MS);
	assert_int_equal(r->interval[1].duration_ns, 650 * MS);
	/* from "Running" (7 bytes in) over its CR LF to "Linux" (15 bytes in) */
	assert_int_equal(r->interval[0].bytes, 14 + 2 + 15);
	assert_int_equal(r->interval[0].lines, 1);
	assert_int_equal(r->interval[1].lines, 2);
	assert_int_equal(r->interval[1].n_gaps, 2);
	assert_int_equal(r->interval[1].gap[0].length_ns, 600 * MS);
	assert_string_equal(r->interval[1].gap[0].text, "x");
	assert_int_equal(r->interval[1].gap[0].line, 4);
	nf_phases_free(p);
}

static void a_phase_that_never_came_leaves_its_intervals_open(void **state)
{
	const struct nf_phases_opts o = { .t0 = "go", .phase = phases, .n_phases = 2 };
	const struct nf_phases_result *r;

	(void)state;
	begin(&o);
	line(0, "go");
	line(10, "login:");
	line(20, "the end");
	r = nf_phases_finish(p);
	assert_false(r->event[1].found);
	assert_false(r->interval[0].seen || r->interval[1].seen);
	assert_string_equal(r->last_text, "the end");
	nf_phases_free(p);
	begin(&o);
	line(0, "go");
	line(10, "login:");
	line(20, "Linux version ");
	r = nf_phases_finish(p);
	assert_true(r->interval[1].seen);
	assert_int_equal(r->interval[1].duration_ns, -10 * MS);
	nf_phases_free(p);
}

static void without_t0_nothing_is_timed(void **state)
{
	const struct nf_phases_opts o = { .t0 = "never", .phase = phases, .n_phases = 2 };
	const struct nf_phases_result *r;

	(void)state;
	begin(&o);
	line(0, "Linux version login:");
	r = nf_phases_finish(p);
	assert_false(r->event[0].found || r->event[1].found || r->event[2].found);
	nf_phases_free(p);
}

static void an_event_in_a_line_without_a_stamp_lies_between_its_neighbours(void **state)
{
	const struct nf_phases_opts o = { .phase = phases, .n_phases = 1 };
	const struct nf_phases_result *r;

	(void)state;
	begin(&o);
	line(100, "a");
	line_between(100, 100, "Linux version ", false);
	line(300, "b");
	line(900, "c");
	r = nf_phases_finish(p);
	assert_true(r->event[1].unstamped);
	assert_int_equal(r->event[1].lo_ns, 100 * MS);
	assert_int_equal(r->event[1].hi_ns, 300 * MS);
	assert_int_equal(r->unstamped, 1);
	nf_phases_free(p);
}

static void a_pause_inside_a_line_is_a_gap(void **state)
{
	const struct nf_phases_opts o = { .phase = phases, .n_phases = 1 };
	const struct nf_phases_result *r;

	(void)state;
	begin(&o);
	line(0, "a");
	line_between(10, 2010, "Starting network: OK", true);
	line(2020, "Linux version ");
	r = nf_phases_finish(p);
	assert_int_equal(r->interval[0].gap[0].length_ns, 2000 * MS);
	assert_true(r->interval[0].gap[0].inside);
	nf_phases_free(p);
}

static void the_guests_clock_is_compared_over_the_same_lines(void **state)
{
	const struct nf_phases_opts o = { .phase = phases, .n_phases = 2 };
	const struct nf_phases_result *r;

	(void)state;
	begin(&o);
	line(0, "go");
	line(100, "[    0.000000] Booting");
	line(200, "[    0.000000] Linux version ");
	line(250, "[    0.000000] x");
	line(300, "[    0.100000] y");
	line(800, "Saving seed: [    0.300000] random");
	line(900, "login:");
	r = nf_phases_finish(p);
	assert_int_equal(r->interval[1].guest.guest_ns, 300 * MS);
	assert_int_equal(r->interval[1].guest.host_ns, 550 * MS); /* from the last 0.000000 */
	assert_int_equal(r->interval[1].guest.stamps, 3);
	assert_int_equal(r->interval[1].guest.restarts, 0);
	nf_phases_free(p);
}

static void a_second_boot_is_no_time_going_backwards(void **state)
{
	struct nf_printk_span g = { 0 };

	(void)state;
	nf_printk_add(&g, 1000 * MS, 0);
	nf_printk_add(&g, 2000 * MS, 1000 * MS);
	nf_printk_add(&g, 0, 5000 * MS);
	nf_printk_add(&g, 500 * MS, 5500 * MS);
	assert_int_equal(g.restarts, 1);
	assert_int_equal(g.guest_ns, 1500 * MS);
	assert_int_equal(g.host_ns, 1500 * MS);
}

static void values_have_their_section_and_their_counter(void **state)
{
	const struct nf_value_want want = { "spawn", "WALLCLOCK_US>(\\d+)", 1e6 };
	const struct nf_phases_opts o = { .value = &want,
		                          .n_values = 1,
		                          .section = "Running (\\w+)" };
	const struct nf_phases_result *r;

	(void)state;
	begin(&o);
	line(0, "Running T3");
	line(5, "WALLCLOCK_US>8173 (cntvct_diff=196167 cntfrq=24000000)");
	line(6, "Running T4");
	line(9, "WALLCLOCK_US>10228 (cntvct_diff=245464 cntfrq=24000000)");
	line(9, "WALLCLOCK_US>");
	line(10, "WALLCLOCK_US>1 WALLCLOCK_US>2");
	r = nf_phases_finish(p);
	assert_int_equal(r->n_values, 4);
	assert_string_equal(r->value[0].section, "T3");
	assert_int_equal(r->value[0].section_lo_ns, 0);
	assert_true(r->value[0].has_counter && r->value[0].counter_agrees);
	assert_string_equal(r->value[1].section, "T4");
	assert_true(r->value[1].has_counter);
	assert_false(r->value[1].counter_agrees); /* 10227.67 is cut, not rounded */
	assert_int_equal(r->value[1].nth, 2);
	assert_false(r->value[2].has_counter);
	assert_true(r->value[3].value > 1.5);
	nf_phases_free(p);
}

static void stamps_of_the_board_are_values(void **state)
{
	const struct nf_phases_opts o = { 0 };
	const struct nf_phases_result *r;

	(void)state;
	begin(&o);
	line(0, "nf-stamp: boot us=8173 cntpct_diff=196167 cntpct_frq=24000000");
	line(1, "[    1.000000] nf-stamp: boot us=8174 cntpct_diff=196167 cntpct_frq=24000000");
	line(2, "nf-stamp: 2 kept, 5 lost");
	r = nf_phases_finish(p);
	assert_int_equal(r->n_values, 2);
	assert_string_equal(r->value[0].stamp, "boot");
	assert_true(r->value[0].has_counter && r->value[0].counter_agrees);
	assert_false(r->value[1].counter_agrees);
	assert_int_equal(r->value[1].nth, 2);
	assert_int_equal(r->values_lost, 5);
	nf_phases_free(p);
}

static void a_counter_gives_what_is_printed_cut(void **state)
{
	(void)state;
	assert_true(nf_counter_gives(196167, 24000000, 1e6, 8173, 0));
	assert_false(nf_counter_gives(196167, 24000000, 1e6, 8174, 0));
	assert_true(nf_counter_gives(196167, 24000000, 1e6, 8173.62, 2));
	assert_true(nf_counter_gives(UINT64_MAX, 1000000000, 1e9, 18446744073709551615.0, 0) ==
	            false); /* beyond what a double holds exactly: not claimed */
	assert_false(nf_counter_gives(1, 0, 1e6, 1, 0));
}

static void faults_are_found_and_a_dump_is_one(void **state)
{
	const struct nf_phases_opts o = { .phase = phases, .n_phases = 1 };
	const struct nf_phases_result *r;

	(void)state;
	begin(&o);
	line(0, "go");
	line(1, "Caught cap fault in send phase at address 0");
	line(2, "With stack:");
	for (int i = 0; i < 5; i++)
		line(3, "0x10011920: 0x10011990");
	line(4, "nothing");
	for (int i = 0; i < 5; i++)
		line(5, "0x1: 0xb");
	line(6, "[    1.000000] Linux version ");
	line(7, "[    1.000000][    T1] BUG: scheduling while atomic");
	line(8, "a debug: hint, an oops without a colon");
	r = nf_phases_finish(p);
	assert_int_equal(r->n_faults, 4);
	assert_string_equal(r->fault[0].name, "cap fault");
	assert_string_equal(r->fault[1].name, "stack dump");
	assert_string_equal(r->fault[2].name, "stack dump");
	assert_int_equal(r->fault[2].line, 12); /* the third of its lines */
	assert_string_equal(r->fault[3].name, "kernel bug");
	assert_true(r->fault[3].interval == SIZE_MAX);
	assert_int_equal(r->interval[0].faults, 3);
	nf_phases_free(p);
}

static void what_is_only_called_after_a_fault_is_none(void **state)
{
	static const char *const none[] = {
		"mount: mounting of '/dev/sda1' failed.",
		"no kernel panic seen",
		"Kernel panic timeout set to 10",
		"Testing cap fault handler ... passed",
		"cap fault tests: 0",
		"hardfault handler installed",
		"Data abort handler registered",
		"Backtrace: disabled",
		"blocked for more than nothing",
		"oops: a typo",
		"bug: tracker at x",
		"console=ttyS0 oops=panic",
		"no segmentation fault here",
		"Undefined instruction traps: on",
	};
	static const char *const faults[] = {
		"Kernel panic - not syncing: VFS: Unable to mount root fs",
		"[    1.0] ---[ end Kernel panic - not syncing: x ]---",
		"x: main.c:3: main: Assertion `n > 0' failed.",
		"Oops: 0002 [#1] PREEMPT SMP",
		"Internal error: Oops - undefined instruction: 0 [#1] SMP ARM",
		"BUG: unable to handle page fault for address: 0",
		"INFO: task swapper:1 blocked for more than 120 seconds.",
		"watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [sh:1]",
		"Pagefault from [init]: read fault at PC: 0x0",
		"data abort",
		"\"Synchronous Abort\" handler, esr 0x96000010",
		"Segmentation fault (core dumped)",
	};
	size_t dump = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (nf_fault_of_line(none[i], strlen(none[i]), &dump))
			fail_msg("'%s' is called a fault", none[i]);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (!nf_fault_of_line(faults[i], strlen(faults[i]), &dump))
			fail_msg("'%s' is called none", faults[i]);
}

static void more_faults_and_values_than_are_kept_are_counted(void **state)
{
	const struct nf_value_want want = { "v", "v=(\\d+)", 0 };
	const struct nf_phases_opts o = { .value = &want, .n_values = 1 };
	const struct nf_phases_result *r;

	(void)state;
	begin(&o);
	for (int i = 0; i < NF_PHASE_HITS_MAX + 3; i++)
		line(i, "Kernel panic: v=1");
	r = nf_phases_finish(p);
	assert_int_equal(r->n_values, NF_PHASE_HITS_MAX);
	assert_int_equal(r->values_lost, 3);
	assert_int_equal(r->n_faults, NF_PHASE_FAULTS_MAX);
	assert_int_equal(r->faults_lost, NF_PHASE_HITS_MAX + 3 - NF_PHASE_FAULTS_MAX);
	nf_phases_free(p);
}

static void what_a_log_says_of_the_machine(void **state)
{
	const struct nf_phases_opts o = { 0 };
	const struct nf_phases_result *r;

	(void)state;
	begin(&o);
	line(5, "Kernel command line: console=ttyAML0,115200n8 root=/dev/ram0");
	line(3, "Machine model: linux,dummy-virt");
	r = nf_phases_finish(p);
	assert_int_equal(r->kernel_baud, 115200);
	assert_string_equal(r->emulator, "linux,dummy-virt");
	assert_int_equal(r->backwards, 1);
	assert_int_equal(r->worst_backwards_ns, 2 * MS);
	nf_phases_free(p);
}

static void a_bad_pattern_is_named(void **state)
{
	const struct nf_phase_want bad = { "boot", "(" };
	const struct nf_phases_opts o = { .phase = &bad, .n_phases = 1 };
	struct nf_err err = { 0 };

	(void)state;
	p = NULL;
	assert_int_equal(nf_phases_new(&o, &p, &err), -NF_EARG);
	assert_null(p);
	assert_non_null(strstr(err.msg, "boot"));
}

/* --- how fine stamps are --- */

static void a_reader_that_wakes_up_every_tenth_of_a_second(void **state)
{
	int64_t d[400];
	size_t n = 0;
	struct nf_grid g;

	(void)state;
	for (int i = 0; i < 40; i++) {
		for (int k = 0; k < 5; k++)
			d[n++] = k == 3 ? MS / 10 : 0;
		d[n++] = (i % 7 == 0 ? 301 : 100) * MS + i * MS / 100;
	}
	g = nf_grid_find(d, n);
	assert_true(g.found);
	assert_true(g.step_ns >= 100 * MS && g.step_ns < 101 * MS);
	assert_int_equal(g.steps, 40);
	assert_int_equal(g.same, 200);
}

static void lines_at_any_time_have_no_grid(void **state)
{
	int64_t d[400];
	uint64_t x = 1;

	(void)state;
	for (size_t i = 0; i < 400; i++) {
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
		d[i] = i % 2 ? 0 : (int64_t)(x >> 36) * 10;
	}
	assert_false(nf_grid_find(d, 400).found);
	assert_false(nf_grid_find(d, 0).found);
	assert_false(nf_grid_find(d, 1).found);
}

static int at_its_line(void *ctx, const struct nf_line *l, size_t at, uint64_t *ret_raw,
                       int64_t *ret_lo_ns, int64_t *ret_hi_ns, struct nf_err *err)
{
	(void)ctx;
	(void)err;
	*ret_raw = l->raw_offset + at;
	*ret_lo_ns = l->first_lo_ns;
	*ret_hi_ns = l->first_hi_ns;
	return 0;
}

static void commands_typed_before_t0_are_no_step_of_a_capture_s_stamps(void **state)
{
	const struct nf_phases_opts capture = { .t0 = "Starting kernel", .locate = at_its_line };
	const struct nf_phases_opts log = { .t0 = "Starting kernel" };
	const struct nf_phases_opts *const opts[] = { &capture, &log };

	(void)state;
	for (int i = 0; i < 2; i++) {
		begin(opts[i]);
		for (int k = 0; k < 10; k++)
			for (int j = 0; j < 3; j++)
				line(k * 51, "=> setenv autoload no");
		for (int k = 0; k < 5; k++)
			line(510, k == 0 ? "Starting kernel ..." : "x");
		assert_int_equal(nf_phases_finish(p)->grid.found, opts[i] == &log);
		nf_phases_free(p);
	}
}

/* --- restarts --- */

struct said {
	int64_t ms;
	const char *text;
};

static size_t restarts_of(const struct said *said, size_t n, struct nf_restarts *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < n; i++) {
		if (i == 0)
			nf_restarts_begin(ret, said[i].text, strlen(said[i].text));
		else
			nf_restarts_line(ret, said[i].text, strlen(said[i].text), i + 1,
			                 said[i].ms * MS, 7);
	}
	nf_restarts_finish(ret);
	return ret->n;
}
#define RESTARTS(said, ret) restarts_of(said, sizeof(said) / sizeof((said)[0]), ret)

static void a_reset_shows_twice_and_counts_once(void **state)
{
	static const struct said t0_first[] = {
		{ 0, "Starting kernel ..." },     { 500, "[    0.000000] Linux version 6" },
		{ 700, "[    0.200000] cpu" },    { 3000, "U-Boot 2023.01" },
		{ 3500, "Starting kernel ..." },  { 4000, "[    0.000000] Linux version 6" },
		{ 9000, "[    4.000000] ready" },
	};
	static const struct said clock_first[] = {
		{ 0, "[    1.500000] Run /init" },    { 500, "[    2.000000] x" },
		{ 3000, "[    0.000000] Linux 6" },   { 4500, "[    1.400000] y" },
		{ 4600, "[    1.500000] Run /init" },
	};
	struct nf_restarts r;

	(void)state;
	assert_int_equal(RESTARTS(t0_first, &r), 1);
	assert_int_equal(r.item[0].sign, NF_RESTART_T0);
	assert_int_equal(r.item[0].line, 5);
	assert_int_equal(r.item[0].interval, 7);
	assert_string_equal(r.item[0].text, "Starting kernel ...");
	assert_int_equal(RESTARTS(clock_first, &r), 1);
	assert_int_equal(r.item[0].sign, NF_RESTART_CLOCK);
}

static void a_short_boot_that_begins_anew_is_seen(void **state)
{
	static const struct said said[] = {
		{ 0, "Starting" },
		{ 10, "[    0.000000] Linux version 6" },
		{ 20, "[    0.000000] early" },
		{ 200, "[    0.150000] cpu" },
		{ 900, "[    0.000000] Linux version 6" },
	};
	struct nf_restarts r;

	(void)state;
	assert_int_equal(RESTARTS(said, &r), 1);
	assert_true(nf_printk_begins_anew(150 * MS, 0));
	assert_false(nf_printk_begins_anew(0, 0));
	assert_false(nf_printk_begins_anew(5 * MS, 0));
	assert_false(nf_printk_begins_anew(1500 * MS, 1100 * MS));
	assert_true(nf_printk_begins_anew(1700 * MS, 1100 * MS));
}

static void what_is_one_boot_is_no_restart(void **state)
{
	static const struct said out_of_order[] = { { 0, "Starting kernel" },
		                                    { 100, "[    1.000000] a" },
		                                    { 101, "[    0.999990] b" } };
	static const struct said other_words[] = {
		{ 0, "Running test GPIVM001" },
		{ 100, "Running test GPIVM002" },
		{ 200, "Running test GPIVM0012" },
	};
	static const struct said guests[] = {
		{ 0, "Starting guests" },       { 1000, "[    5.000000] one" },
		{ 1100, "[    0.000000] two" }, { 1200, "[    5.200000] one" },
		{ 1300, "[    0.200000] two" }, { 1400, "[    5.400000] one" },
	};
	struct nf_restarts r;

	(void)state;
	assert_int_equal(RESTARTS(out_of_order, &r), 0);
	assert_int_equal(RESTARTS(other_words, &r), 0);
	assert_int_equal(RESTARTS(guests, &r), 0);
	memset(&r, 0, sizeof(r));
	nf_restarts_line(&r, "Starting kernel", 15, 1, 0, 0);
	nf_restarts_finish(&r);
	assert_int_equal(r.n, 0);
}

static void more_restarts_than_are_kept_are_a_reset_loop(void **state)
{
	struct nf_restarts r = { 0 };

	(void)state;
	nf_restarts_begin(&r, "Starting kernel", 15);
	for (uint64_t i = 0; i < 100; i++)
		nf_restarts_line(&r, "Starting kernel", 15, i, (int64_t)i * MS, 0);
	nf_restarts_finish(&r);
	assert_int_equal(r.n, NF_RESTARTS_MAX);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(times_are_since_t0_wherever_it_stands),
	cmocka_unit_test(a_phase_that_never_came_leaves_its_intervals_open),
	cmocka_unit_test(without_t0_nothing_is_timed),
	cmocka_unit_test(an_event_in_a_line_without_a_stamp_lies_between_its_neighbours),
	cmocka_unit_test(a_pause_inside_a_line_is_a_gap),
	cmocka_unit_test(the_guests_clock_is_compared_over_the_same_lines),
	cmocka_unit_test(a_second_boot_is_no_time_going_backwards),
	cmocka_unit_test(values_have_their_section_and_their_counter),
	cmocka_unit_test(stamps_of_the_board_are_values),
	cmocka_unit_test(a_counter_gives_what_is_printed_cut),
	cmocka_unit_test(faults_are_found_and_a_dump_is_one),
	cmocka_unit_test(what_is_only_called_after_a_fault_is_none),
	cmocka_unit_test(more_faults_and_values_than_are_kept_are_counted),
	cmocka_unit_test(what_a_log_says_of_the_machine),
	cmocka_unit_test(a_bad_pattern_is_named),
	cmocka_unit_test(a_reader_that_wakes_up_every_tenth_of_a_second),
	cmocka_unit_test(lines_at_any_time_have_no_grid),
	cmocka_unit_test(commands_typed_before_t0_are_no_step_of_a_capture_s_stamps),
	cmocka_unit_test(a_reset_shows_twice_and_counts_once),
	cmocka_unit_test(a_short_boot_that_begins_anew_is_seen),
	cmocka_unit_test(what_is_one_boot_is_no_restart),
	cmocka_unit_test(more_restarts_than_are_kept_are_a_reset_loop),
};
NF_UNIT_MAIN(tests)
