/* SPDX-License-Identifier: MIT */
/* Wrong rules that the laws must catch within 100 cases: an absolute epsilon, a lost remainder. */
#include "nf_unit.h"

#include "laws_timing.h"

enum { SEEDS = 20 };

static bool absolute_epsilon(const struct nf_budget_s *b, const double *interval, size_t n)
{
	const double epsilon = 1e-12;

	for (size_t i = 0; i < n; i++) {
		double d = interval[i] - b->period_s;

		if ((d < 0 ? -d : d) > b->max_jitter_s + epsilon ||
		    interval[i] > b->max_latency_s + epsilon)
			return false;
	}
	return true;
}

static int remainder_lost(size_t n_channels, size_t n_groups, struct nf_partition *ret)
{
	for (size_t i = 0; i < n_groups; i++)
		ret[i] =
		        (struct nf_partition){ i * (n_channels / n_groups), n_channels / n_groups };
	return 0;
}

static struct pt_result check(const char *name, pt_property_fn fn, void *arg, uint64_t seed)
{
	struct pt_property p = { .name = name, .fn = fn, .arg = arg };
	struct pt_config c = { .seed = seed, .cases = 100 };
	struct pt_result r;

	assert_int_equal(pt_check(&p, &c, &r), 0);
	return r;
}

static void an_absolute_epsilon_is_caught_by_scaling(void **state)
{
	struct conforms_fn wrong = { absolute_epsilon };

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct pt_result r = check("absolute epsilon", law_scaling, &wrong, seed);

		assert_int_equal(r.outcome, PT_FAILED);
		pt_result_fini(&r);
	}
}

static void a_lost_remainder_is_caught_by_the_total(void **state)
{
	struct partition_fn wrong = { remainder_lost };

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct pt_result r = check("lost remainder", law_partition_total, &wrong, seed);

		assert_int_equal(r.outcome, PT_FAILED);
		/* one channel, two groups: the smallest there is */
		assert_string_equal(r.notes, "draw 1 = 1\ndraw 2 = 2\n");
		pt_result_fini(&r);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(an_absolute_epsilon_is_caught_by_scaling),
	cmocka_unit_test(a_lost_remainder_is_caught_by_the_total),
};

NF_UNIT_MAIN(tests)
