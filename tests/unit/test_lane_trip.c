/* SPDX-License-Identifier: MIT */
/* To the realtime kernel and back: what is done when, and what when the machine does otherwise. The machine here is a few
 * lines of text: what each step answers. */
#include "lane/trip.h"

#include "nf_unit.h"

#define S INT64_C(1000000000)

static const struct nf_trip_opts opts = { .measures = true,
	                                  .boot_ns = 300 * S,
	                                  .down_ns = 60 * S,
	                                  .lost_ns = 120 * S,
	                                  .poll_ns = 2 * S };

struct fixture {
	struct nf_trip t;
	int64_t now_ns;
};

static const char *const word[] = {
	[NF_TRIP_SURVEY] = "survey",
	[NF_TRIP_MEASURE_GENERIC] = "generic",
	[NF_TRIP_ARM] = "arm",
	[NF_TRIP_REBOOT] = "reboot",
	[NF_TRIP_PROBE] = "?",
	[NF_TRIP_VERIFY_RT] = "verify-rt",
	[NF_TRIP_MEASURE_RT] = "rt",
	[NF_TRIP_BACK] = "back",
	[NF_TRIP_VERIFY_BACK] = "verify-back",
	[NF_TRIP_COMPARE] = "compare",
	[NF_TRIP_CLEAR] = "clear",
	[NF_TRIP_FINISH] = "finish",
};

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (f)
		nf_trip_init(&f->t, &opts);
	*state = f;
	return f ? 0 : -1;
}

static int end(void **state)
{
	free(*state);
	return 0;
}

/* The next step has to be this one; then it is told what came of it. */
static void step(struct fixture *f, enum nf_trip_do expected, enum nf_trip_what what)
{
	int64_t wait_ns;
	enum nf_trip_do got = nf_trip_next(&f->t, &wait_ns);

	if (got != expected)
		fail_msg("%s instead of %s (%s)", word[got], word[expected], f->t.why);
	f->now_ns += wait_ns + S;
	nf_trip_tell(&f->t,
	             &(struct nf_trip_event){ .what = what,
	                                      .now_ns = f->now_ns,
	                                      .text = what == NF_TRIP_DONE ? NULL : "because",
	                                      .boot_id = "generic-1",
	                                      .lane = NF_LANE_GENERIC });
}

static void found(struct fixture *f, const char *boot_id, enum nf_lane lane)
{
	int64_t wait_ns;

	assert_int_equal(nf_trip_next(&f->t, &wait_ns), NF_TRIP_PROBE);
	f->now_ns += wait_ns + S;
	nf_trip_tell(&f->t, &(struct nf_trip_event){ .what = NF_TRIP_UP,
	                                             .now_ns = f->now_ns,
	                                             .boot_id = boot_id,
	                                             .lane = lane });
}

static void finished(struct fixture *f, enum nf_trip_end how)
{
	int64_t wait_ns;

	assert_int_equal(nf_trip_next(&f->t, &wait_ns), NF_TRIP_FINISH);
	assert_string_equal(nf_trip_end_names[f->t.end], nf_trip_end_names[how]);
	assert_true(how == NF_TRIP_PASS || f->t.why[0] != '\0');
}

static void to_armed(struct fixture *f)
{
	step(f, NF_TRIP_SURVEY, NF_TRIP_DONE);
	step(f, NF_TRIP_MEASURE_GENERIC, NF_TRIP_DONE);
	step(f, NF_TRIP_ARM, NF_TRIP_DONE);
}

static void to_rt(struct fixture *f)
{
	to_armed(f);
	step(f, NF_TRIP_REBOOT, NF_TRIP_DONE);
	found(f, "generic-1", NF_LANE_GENERIC); /* still going down */
	for (int i = 0; i < 5; i++)
		step(f, NF_TRIP_PROBE, NF_TRIP_DOWN);
	found(f, "rt-1", NF_LANE_RT);
}

static void back_and_compared(struct fixture *f)
{
	step(f, NF_TRIP_BACK, NF_TRIP_LOST); /* the reboot took the connection away */
	step(f, NF_TRIP_PROBE, NF_TRIP_DOWN);
	found(f, "generic-2", NF_LANE_GENERIC);
	step(f, NF_TRIP_VERIFY_BACK, NF_TRIP_DONE);
	step(f, NF_TRIP_COMPARE, NF_TRIP_DONE);
	finished(f, NF_TRIP_PASS);
}

static void there_and_back_with_times(void **state)
{
	struct fixture *f = *state;

	to_rt(f);
	assert_int_equal(f->t.reconnect_ns, 19 * S);
	step(f, NF_TRIP_VERIFY_RT, NF_TRIP_DONE);
	step(f, NF_TRIP_MEASURE_RT, NF_TRIP_DONE);
	back_and_compared(f);
	assert_int_equal(f->t.return_ns, 4 * S);
	assert_string_equal(f->t.left, "");
	assert_false(f->t.in_rt || f->t.armed);
}

static void without_windows_it_only_verifies(void **state)
{
	struct fixture *f = *state;

	f->t.opts.measures = false;
	step(f, NF_TRIP_SURVEY, NF_TRIP_DONE);
	step(f, NF_TRIP_ARM, NF_TRIP_DONE);
	step(f, NF_TRIP_REBOOT, NF_TRIP_DONE);
	found(f, "rt-1", NF_LANE_RT);
	step(f, NF_TRIP_VERIFY_RT, NF_TRIP_DONE);
	step(f, NF_TRIP_BACK, NF_TRIP_DONE);
	found(f, "generic-2", NF_LANE_GENERIC);
	step(f, NF_TRIP_VERIFY_BACK, NF_TRIP_DONE);
	finished(f, NF_TRIP_PASS);
}

/* Two realtime kernels, a realtime default: the survey says so. */
static void a_machine_that_is_refused_is_left_alone(void **state)
{
	struct fixture *f = *state;

	step(f, NF_TRIP_SURVEY, NF_TRIP_NOT_NOW);
	finished(f, NF_TRIP_REFUSED);
	assert_string_equal(f->t.why, "because");
}

static void an_entry_that_cannot_be_set_is_refused_before_any_reboot(void **state)
{
	struct fixture *f = *state;

	step(f, NF_TRIP_SURVEY, NF_TRIP_DONE);
	step(f, NF_TRIP_MEASURE_GENERIC, NF_TRIP_DONE);
	step(f, NF_TRIP_ARM, NF_TRIP_NOT_NOW);
	finished(f, NF_TRIP_REFUSED);
	assert_false(f->t.armed);
}

static void a_guest_killed_while_realtime_is_found_in_its_default_and_verified(void **state)
{
	struct fixture *f = *state;

	to_rt(f);
	step(f, NF_TRIP_VERIFY_RT, NF_TRIP_DONE);
	step(f, NF_TRIP_MEASURE_RT, NF_TRIP_LOST);
	for (int i = 0; i < 10; i++)
		step(f, NF_TRIP_PROBE, NF_TRIP_DOWN);
	found(f, "generic-2", NF_LANE_GENERIC);
	step(f, NF_TRIP_VERIFY_BACK, NF_TRIP_DONE);
	finished(f, NF_TRIP_BROKEN);
	assert_string_equal(f->t.why, "it left the realtime kernel by itself");
	assert_string_equal(f->t.left, "");
	/* The window of the generic kernel is kept: another try begins where it has to. */
	nf_trip_resume(&f->t, &opts, f->now_ns);
	found(f, "generic-2", NF_LANE_GENERIC);
	step(f, NF_TRIP_SURVEY, NF_TRIP_DONE);
	step(f, NF_TRIP_ARM, NF_TRIP_DONE);
}

static void a_guest_killed_while_realtime_that_never_comes_back_is_given_up(void **state)
{
	struct fixture *f = *state;
	int64_t wait_ns;
	int n = 0;

	to_rt(f);
	step(f, NF_TRIP_VERIFY_RT, NF_TRIP_LOST);
	while (nf_trip_next(&f->t, &wait_ns) == NF_TRIP_PROBE && n++ < 1000)
		step(f, NF_TRIP_PROBE, NF_TRIP_DOWN);
	finished(f, NF_TRIP_BROKEN);
	assert_true(n < 100);
	assert_non_null(strstr(f->t.left, "what boots next is the default"));
}

static void ssh_lost_for_a_minute_is_looked_for_and_the_window_measured_again(void **state)
{
	struct fixture *f = *state;

	to_rt(f);
	step(f, NF_TRIP_VERIFY_RT, NF_TRIP_DONE);
	step(f, NF_TRIP_MEASURE_RT, NF_TRIP_LOST);
	for (int i = 0; i < 20; i++) /* 3 s each */
		step(f, NF_TRIP_PROBE, NF_TRIP_DOWN);
	found(f, "rt-1", NF_LANE_RT);
	step(f, NF_TRIP_MEASURE_RT, NF_TRIP_DONE);
	back_and_compared(f);
}

static void a_connection_lost_again_and_again_ends_it_after_the_way_back(void **state)
{
	struct fixture *f = *state;

	to_rt(f);
	step(f, NF_TRIP_VERIFY_RT, NF_TRIP_DONE);
	for (int i = 0; i < 2; i++) {
		step(f, NF_TRIP_MEASURE_RT, NF_TRIP_LOST);
		found(f, "rt-1", NF_LANE_RT);
	}
	step(f, NF_TRIP_MEASURE_RT, NF_TRIP_LOST);
	step(f, NF_TRIP_BACK, NF_TRIP_DONE);
	found(f, "generic-2", NF_LANE_GENERIC);
	step(f, NF_TRIP_VERIFY_BACK, NF_TRIP_DONE);
	finished(f, NF_TRIP_BROKEN);
	assert_string_equal(f->t.left, "");
}

static void
a_reboot_that_does_not_happen_is_asked_for_again_then_the_entry_is_taken_back(void **state)
{
	struct fixture *f = *state;
	int64_t wait_ns;

	to_armed(f);
	for (int k = 0; k < 2; k++) {
		step(f, NF_TRIP_REBOOT, NF_TRIP_DONE);
		for (int i = 0; i < 100 && nf_trip_next(&f->t, &wait_ns) == NF_TRIP_PROBE; i++)
			found(f, "generic-1", NF_LANE_GENERIC);
	}
	step(f, NF_TRIP_CLEAR, NF_TRIP_DONE);
	finished(f, NF_TRIP_BROKEN);
	assert_string_equal(f->t.why, "it was asked to reboot and did not");
	assert_false(f->t.armed);
}

static void a_boot_into_the_wrong_kernel_is_verified_and_the_entry_taken_back(void **state)
{
	struct fixture *f = *state;

	to_armed(f);
	step(f, NF_TRIP_REBOOT, NF_TRIP_LOST);
	found(f, "generic-2", NF_LANE_GENERIC);
	step(f, NF_TRIP_VERIFY_BACK, NF_TRIP_DONE);
	step(f, NF_TRIP_CLEAR, NF_TRIP_FAILED);
	finished(f, NF_TRIP_BROKEN);
	assert_string_equal(f->t.why, "it booted, but not the realtime kernel");
	assert_non_null(strstr(f->t.left, "lane clear"));
}

static void a_loader_that_boots_realtime_twice_has_its_entry_taken_back(void **state)
{
	struct fixture *f = *state;

	to_rt(f);
	step(f, NF_TRIP_VERIFY_RT, NF_TRIP_DONE);
	step(f, NF_TRIP_MEASURE_RT, NF_TRIP_DONE);
	step(f, NF_TRIP_BACK, NF_TRIP_DONE);
	found(f, "rt-2", NF_LANE_RT);
	step(f, NF_TRIP_CLEAR, NF_TRIP_DONE);
	step(f, NF_TRIP_BACK, NF_TRIP_DONE);
	found(f, "generic-2", NF_LANE_GENERIC);
	step(f, NF_TRIP_VERIFY_BACK, NF_TRIP_DONE);
	finished(f, NF_TRIP_BROKEN);
	assert_false(f->t.in_rt);
}

static void a_stop_puts_back_what_was_changed(void **state)
{
	struct fixture *f = *state;

	to_armed(f);
	step(f, NF_TRIP_REBOOT, NF_TRIP_STOP);
	step(f, NF_TRIP_CLEAR, NF_TRIP_DONE);
	finished(f, NF_TRIP_STOPPED);
	assert_false(f->t.armed);
	nf_trip_init(&f->t, &opts);
	to_rt(f);
	step(f, NF_TRIP_VERIFY_RT, NF_TRIP_DONE);
	step(f, NF_TRIP_MEASURE_RT, NF_TRIP_STOP);
	step(f, NF_TRIP_BACK, NF_TRIP_DONE);
	found(f, "generic-2", NF_LANE_GENERIC);
	step(f, NF_TRIP_VERIFY_BACK, NF_TRIP_DONE);
	finished(f, NF_TRIP_STOPPED);
	nf_trip_init(&f->t, &opts);
	step(f, NF_TRIP_SURVEY, NF_TRIP_STOP);
	finished(f, NF_TRIP_STOPPED);
}

static void on_its_way_it_is_waited_for_before_it_is_put_back(void **state)
{
	struct fixture *f = *state;

	to_armed(f);
	step(f, NF_TRIP_REBOOT, NF_TRIP_DONE);
	step(f, NF_TRIP_PROBE, NF_TRIP_STOP);
	step(f, NF_TRIP_PROBE, NF_TRIP_DOWN);
	found(f, "rt-1", NF_LANE_RT);
	step(f, NF_TRIP_BACK, NF_TRIP_DONE);
	found(f, "generic-2", NF_LANE_GENERIC);
	step(f, NF_TRIP_VERIFY_BACK, NF_TRIP_DONE);
	finished(f, NF_TRIP_STOPPED);
}

static void another_process_goes_on_where_the_machine_is(void **state)
{
	struct fixture *f = *state;

	to_rt(f);
	step(f, NF_TRIP_VERIFY_RT, NF_TRIP_DONE);
	nf_trip_resume(&f->t, &opts, f->now_ns);
	found(f, "rt-1", NF_LANE_RT);
	step(f, NF_TRIP_VERIFY_RT, NF_TRIP_DONE);
	step(f, NF_TRIP_MEASURE_RT, NF_TRIP_DONE);
	step(f, NF_TRIP_BACK, NF_TRIP_DONE);
	nf_trip_resume(&f->t, &opts, f->now_ns);
	found(f, "generic-2", NF_LANE_GENERIC);
	/* Nobody saw when it was asked to reboot. */
	assert_int_equal(f->t.return_ns, -1);
	step(f, NF_TRIP_VERIFY_BACK, NF_TRIP_DONE);
	step(f, NF_TRIP_COMPARE, NF_TRIP_DONE);
	finished(f, NF_TRIP_PASS);
}

/* Stopped in the realtime kernel, and killed on the way back: the window there is still to be measured. */
static void what_a_stop_left_out_is_done_by_the_process_that_goes_on(void **state)
{
	struct fixture *f = *state;

	to_rt(f);
	step(f, NF_TRIP_VERIFY_RT, NF_TRIP_STOP);
	step(f, NF_TRIP_BACK, NF_TRIP_DONE);
	nf_trip_resume(&f->t, &opts, f->now_ns);
	found(f, "generic-2", NF_LANE_GENERIC);
	step(f, NF_TRIP_VERIFY_BACK, NF_TRIP_DONE);
	step(f, NF_TRIP_SURVEY, NF_TRIP_DONE);
	step(f, NF_TRIP_ARM, NF_TRIP_DONE);
}

/* With both windows nothing is booted again. */
static void a_return_that_was_given_up_is_verified_and_compared_later(void **state)
{
	struct fixture *f = *state;
	int64_t wait_ns;

	to_rt(f);
	step(f, NF_TRIP_VERIFY_RT, NF_TRIP_DONE);
	step(f, NF_TRIP_MEASURE_RT, NF_TRIP_DONE);
	step(f, NF_TRIP_BACK, NF_TRIP_DONE);
	for (int i = 0; i < 1000 && nf_trip_next(&f->t, &wait_ns) == NF_TRIP_PROBE; i++)
		step(f, NF_TRIP_PROBE, NF_TRIP_DOWN);
	finished(f, NF_TRIP_BROKEN);
	nf_trip_resume(&f->t, &opts, f->now_ns);
	found(f, "generic-2", NF_LANE_GENERIC);
	step(f, NF_TRIP_VERIFY_BACK, NF_TRIP_DONE);
	step(f, NF_TRIP_COMPARE, NF_TRIP_DONE);
	finished(f, NF_TRIP_PASS);
}

static const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
	CASE(there_and_back_with_times),
	CASE(without_windows_it_only_verifies),
	CASE(a_machine_that_is_refused_is_left_alone),
	CASE(an_entry_that_cannot_be_set_is_refused_before_any_reboot),
	CASE(a_guest_killed_while_realtime_is_found_in_its_default_and_verified),
	CASE(a_guest_killed_while_realtime_that_never_comes_back_is_given_up),
	CASE(ssh_lost_for_a_minute_is_looked_for_and_the_window_measured_again),
	CASE(a_connection_lost_again_and_again_ends_it_after_the_way_back),
	CASE(a_reboot_that_does_not_happen_is_asked_for_again_then_the_entry_is_taken_back),
	CASE(a_boot_into_the_wrong_kernel_is_verified_and_the_entry_taken_back),
	CASE(a_loader_that_boots_realtime_twice_has_its_entry_taken_back),
	CASE(a_stop_puts_back_what_was_changed),
	CASE(on_its_way_it_is_waited_for_before_it_is_put_back),
	CASE(another_process_goes_on_where_the_machine_is),
	CASE(what_a_stop_left_out_is_done_by_the_process_that_goes_on),
	CASE(a_return_that_was_given_up_is_verified_and_compared_later),
};

NF_UNIT_MAIN(tests)
