/* SPDX-License-Identifier: MIT */
#include "bench/set_posture.h"

#include <math.h>

#include "machine/bracket.h"
#include "nf_unit.h"

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

static void sums_and_means_are_over_the_cpus(void **state)
{
	struct nf_bracket_cpu cpu[2] = {
		{ .steal_ticks = { true, 3 }, .freq_before_khz = { true, 1000000 } },
		{ .steal_ticks = { true, 4 },
		  .freq_before_khz = { true, 3000000 },
		  .freq_after_khz = { true, 2500000 } },
	};
	struct nf_bracket_diff d = { .cpu = cpu,
		                     .n_cpus = 2,
		                     .cgroup_throttled_us = { true, 250000 },
		                     .load_before = { true, 1.25 } };
	struct nf_set s;

	(void)state;
	nf_set_init(&s, "ns");
	s.posture.migrations = 9;
	nf_set_posture_of(&d, 100, &s.posture);
	assert_true(near(s.posture.steal_s, 0.07));
	assert_true(near(s.posture.throttled_s, 0.25));
	assert_true(near(s.posture.mhz_before, 2000));
	assert_true(near(s.posture.mhz_after, 2500)); /* of the one that tells */
	assert_true(near(s.posture.load_before, 1.25));
	assert_int_equal(s.posture.migrations, 9);
	assert_int_equal(s.posture.context_switches, -1);
	nf_set_fini(&s);
}

static void what_one_cpu_does_not_tell_is_unknown_of_all(void **state)
{
	struct nf_bracket_cpu cpu[2] = { { .steal_ticks = { true, 3 } }, { .cpu = 1 } };
	struct nf_bracket_diff d = { .cpu = cpu, .n_cpus = 2 };
	struct nf_set s;

	(void)state;
	nf_set_init(&s, "ns");
	nf_set_posture_of(&d, 100, &s.posture);
	assert_true(s.posture.steal_s < 0 && s.posture.throttled_s < 0);
	assert_true(s.posture.mhz_before < 0 && s.posture.mhz_after < 0);
	assert_true(s.posture.load_before < 0);
	d.n_cpus = 0;
	nf_set_posture_of(&d, 100, &s.posture);
	assert_true(s.posture.steal_s < 0);
	nf_set_fini(&s);
}

static void the_live_host_answers(void **state)
{
	struct nf_set_watch *w = NULL;
	struct nf_err err = { 0 };
	struct nf_set s;

	(void)state;
	nf_set_init(&s, "ns");
	assert_int_equal(nf_set_watch_open(NULL, &w, &err), 0);
	for (int i = 0; i < 3; i++) { /* as often as is wanted */
		s.posture.load_before = -1;
		assert_int_equal(nf_set_watch_begin(w, &err), 0);
		assert_int_equal(nf_set_watch_end(w, &s.posture, &err), 0);
		assert_true(s.posture.load_before >= 0); /* /proc/loadavg is always there */
		assert_true(s.posture.steal_s >= 0);
		assert_int_equal(s.posture.migrations, -1);
	}
	nf_set_watch_free(w);
	nf_set_watch_free(NULL);
	nf_set_fini(&s);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sums_and_means_are_over_the_cpus),
	cmocka_unit_test(what_one_cpu_does_not_tell_is_unknown_of_all),
	cmocka_unit_test(the_live_host_answers),
};
NF_UNIT_MAIN(tests)
