/* SPDX-License-Identifier: MIT */
#include "job/inject_verdict.h"
#include "nf_unit.h"

static struct nf_arena arena;
static struct nf_rec_inject_found found;
static struct nf_rec_inject_bursts bursts;
static struct nf_rec_inject_pass pass;
static struct nf_rec_inject_probe probe[2];

static int set_up(void **state)
{
	(void)state;
	nf_arena_init(&arena, 1 << 16);
	found = (struct nf_rec_inject_found){ .bursts = 1000, .recall_ratio = nf_some_real(0.995) };
	bursts = (struct nf_rec_inject_bursts){ .made = 1000 };
	pass = (struct nf_rec_inject_pass){ .found = &found, .bursts = &bursts };
	probe[0] = (struct nf_rec_inject_probe){ .probe = "detour", .injected = &pass };
	probe[1] = (struct nf_rec_inject_probe){ .probe = "fwq", .injected = &pass };
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	nf_arena_fini(&arena);
	return 0;
}

static void judged(bool stopped, bool undecided, enum nf_rec_result result, const char *reason)
{
	assert_int_equal(nf_inject_judge(0.995, stopped, &arena, &probe[0]), undecided);
	assert_int_equal(probe[0].result, result);
	if (reason)
		assert_non_null(strstr(probe[0].reason, reason));
	else
		assert_null(probe[0].reason);
}

static void a_recall_at_the_limit_passes(void **state)
{
	(void)state;
	judged(false, false, NF_RESULT_PASS, NULL);
}

static void a_recall_below_it_fails_whatever_was_lost(void **state)
{
	(void)state;
	found.recall_ratio = nf_some_real(0.9949);
	judged(false, false, NF_RESULT_FAIL, "saw 99.49 % of the bursts, not 99.5 %");
	pass.facts.dropped = 7;
	judged(true, false, NF_RESULT_FAIL, "saw 99.49 %");
}

static void what_is_incomplete_never_passes(void **state)
{
	(void)state;
	pass.facts.dropped = 1;
	judged(false, true, NF_RESULT_PARTIAL, "lost");
	pass.facts.dropped = 0;
	bursts.dropped = 1;
	judged(false, true, NF_RESULT_PARTIAL, "lost");
	bursts.dropped = 0;
	judged(true, true, NF_RESULT_PARTIAL, "stopped");
	found.recall_ratio = (struct nf_some_real){ 0 };
	judged(false, true, NF_RESULT_PARTIAL, "no burst");
}

static void a_shared_cpu_is_cautioned_of_and_decides_nothing(void **state)
{
	struct nf_rec_inject_chance chance = { .bursts = 100,
		                               .recall_by_chance_ratio = nf_some_real(0.5) };
	struct nf_rec_inject_pass control = { .chance = &chance };

	(void)state;
	assert_non_null(strstr(nf_inject_caution(&arena, &control), "covers 50 % of the same"));
	chance.recall_by_chance_ratio = nf_some_real(0.49);
	assert_null(nf_inject_caution(&arena, &control));
	chance.recall_by_chance_ratio = (struct nf_some_real){ 0 };
	assert_null(nf_inject_caution(&arena, &control));
	control.chance = NULL;
	assert_null(nf_inject_caution(&arena, &control));
	assert_null(nf_inject_caution(&arena, NULL));
	/* The verdict is by the recall, with it or without. */
	judged(false, false, NF_RESULT_PASS, NULL);
}

static struct nf_verdict concluded(void)
{
	struct nf_verdict v = { 0 };

	assert_int_equal(nf_inject_conclude(probe, 2, &arena, &v, NULL), 0);
	return v;
}

static void the_worst_probe_decides(void **state)
{
	struct nf_verdict v;

	(void)state;
	probe[0].result = probe[1].result = NF_RESULT_PASS;
	v = concluded();
	assert_int_equal(v.result, NF_RESULT_PASS);
	assert_null(v.reason);
	probe[0].result = NF_RESULT_BLOCKED;
	probe[0].reason = "no counter";
	v = concluded();
	assert_int_equal(v.result, NF_RESULT_PARTIAL);
	assert_string_equal(v.reason, "detour: no counter");
	probe[1].result = NF_RESULT_FAIL;
	probe[1].reason = "saw little";
	v = concluded();
	assert_int_equal(v.result, NF_RESULT_FAIL);
	assert_string_equal(v.reason, "fwq: saw little");
	probe[1].result = NF_RESULT_BLOCKED;
	v = concluded();
	assert_int_equal(v.result, NF_RESULT_BLOCKED);
	assert_string_equal(v.reason, "detour: no counter; fwq: saw little");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(a_recall_at_the_limit_passes, set_up, tear_down),
	cmocka_unit_test_setup_teardown(a_recall_below_it_fails_whatever_was_lost, set_up,
	                                tear_down),
	cmocka_unit_test_setup_teardown(what_is_incomplete_never_passes, set_up, tear_down),
	cmocka_unit_test_setup_teardown(a_shared_cpu_is_cautioned_of_and_decides_nothing, set_up,
	                                tear_down),
	cmocka_unit_test_setup_teardown(the_worst_probe_decides, set_up, tear_down),
};
NF_UNIT_MAIN(tests)
