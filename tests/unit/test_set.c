/* SPDX-License-Identifier: MIT */
#include "bench/set.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "nf_unit.h"

static void fresh_set_knows_nothing(void **state)
{
	struct nf_set s;

	(void)state;
	nf_set_init(&s, "ns");
	assert_string_equal(s.unit, "ns");
	assert_int_equal(s.n, 0);
	assert_true(isnan(s.warm_up));
	assert_int_equal(s.operations, 1);
	assert_false(s.failed);
	assert_true(s.posture.steal_s < 0 && s.posture.throttled_s < 0);
	assert_true(s.posture.mhz_before < 0 && s.posture.mhz_after < 0);
	assert_true(s.posture.load_before < 0);
	assert_int_equal(s.posture.context_switches, -1);
	assert_int_equal(s.posture.migrations, -1);
	nf_set_fini(&s);
	nf_set_fini(&s);
}

static void room_for_values_keeps_those_that_are_there(void **state)
{
	struct nf_err err = { 0 };
	struct nf_set s;

	(void)state;
	nf_set_init(&s, "ns");
	assert_int_equal(nf_set_reserve(&s, 2, false, &err), 0);
	assert_null(s.user_ns);
	s.value[0] = 1;
	s.value[1] = 2;
	s.n = 2;
	assert_int_equal(nf_set_reserve(&s, 1000, true, &err), 0);
	assert_true(s.cap >= 1000);
	assert_true(s.value[0] > 0.5 && s.value[1] > 1.5);
	s.user_ns[999] = s.system_ns[999] = s.peak_bytes[999] = 0;
	s.wait_status[999] = 0;
	/* Asking for less takes nothing away. */
	assert_int_equal(nf_set_reserve(&s, 1, false, &err), 0);
	assert_true(s.cap >= 1000);
	assert_int_equal(nf_set_reserve(&s, (size_t)NF_SET_VALUES_MAX + 1, false, &err), -NF_EARG);
	nf_set_fini(&s);
}

static void first_reason_of_a_failure_stays_and_is_one_line(void **state)
{
	struct nf_set s;

	(void)state;
	nf_set_init(&s, "ns");
	nf_set_fail(&s, "first\nline %d", 7);
	nf_set_fail(&s, "second");
	assert_true(s.failed);
	assert_string_equal(s.why, "first?line 7");
	nf_set_fini(&s);
}

static void wait_status_is_told_in_words(void **state)
{
	static const struct {
		int status;
		const char *words;
	} row[] = {
		{ 3 << 8, "exit status 3" },
		{ SIGSEGV, "SIGSEGV (Segmentation fault)" },
		{ SIGKILL | 0x80, "SIGKILL (Killed)" },
		{ 40, "signal 40" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct nf_set s;

		nf_set_init(&s, "ns");
		nf_set_fail_status(&s, NULL, row[i].status);
		assert_string_equal(s.why, row[i].words);
		nf_set_fini(&s);
		nf_set_init(&s, "ns");
		nf_set_fail_status(&s, "setup", row[i].status);
		assert_int_equal(strncmp(s.why, "setup: ", 7), 0);
		assert_string_equal(s.why + 7, row[i].words);
		nf_set_fini(&s);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(fresh_set_knows_nothing),
	cmocka_unit_test(room_for_values_keeps_those_that_are_there),
	cmocka_unit_test(first_reason_of_a_failure_stays_and_is_one_line),
	cmocka_unit_test(wait_status_is_told_in_words),
};
NF_UNIT_MAIN(tests)
