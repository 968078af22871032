/* SPDX-License-Identifier: MIT */
#include "job/lab_plan.h"

#include "nf_unit.h"

#define OK NF_OUTCOME_OK
#define INFRA NF_OUTCOME_INFRA
#define BOARD NF_OUTCOME_BOARD

static struct nf_arena arena;

static void make(struct nf_lab_plan *p, size_t configs, uint64_t runs)
{
	struct nf_err err = { 0 };

	nf_arena_init(&arena, 1 << 20);
	assert_int_equal(nf_lab_plan_init(p, configs, runs, &arena, &err), 0);
}

/* Plays it out with these ends in turn, ok when they are used up: "0.1.1 1.1.1 ..." (config, run, attempt). */
static void plays(struct nf_lab_plan *p, const enum nf_outcome_class *end, size_t n,
                  const char *want)
{
	char got[512] = "";
	struct nf_lab_turn t;
	size_t at = 0;

	for (size_t i = 0; nf_lab_plan_next(p, &t); i++) {
		assert_true(i < 100);
		at += (size_t)snprintf(got + at, sizeof(got) - at, "%s%zu.%llu.%llu", i ? " " : "",
		                       t.config, (unsigned long long)t.run,
		                       (unsigned long long)t.attempt);
		nf_lab_plan_took(p, &t, i < n ? end[i] : NF_OUTCOME_OK);
	}
	assert_string_equal(got, want);
	nf_arena_fini(&arena);
}

static void configurations_take_turns(void **state)
{
	struct nf_lab_plan p;

	(void)state;
	make(&p, 2, 2);
	plays(&p, NULL, 0, "0.1.1 1.1.1 0.2.1 1.2.1");
}

static void or_follow_each_other(void **state)
{
	struct nf_lab_plan p;

	(void)state;
	make(&p, 2, 2);
	p.sequential = true;
	plays(&p, NULL, 0, "0.1.1 0.2.1 1.1.1 1.2.1");
}

static void failures_are_tried_again_by_class(void **state)
{
	const enum nf_outcome_class end[] = { INFRA, BOARD, INFRA, INFRA, BOARD };
	struct nf_lab_plan p;

	(void)state;
	make(&p, 1, 2);
	p.retry_infra = 2;
	p.retry_board = 1;
	/* infra 1, board 1, infra 2, infra 3: one more than is allowed; then board once. */
	plays(&p, end, 5, "0.1.1 0.1.2 0.1.3 0.1.4 0.2.1 0.2.2");
}

static void without_retries_a_failure_is_a_result(void **state)
{
	const enum nf_outcome_class end[] = { BOARD, INFRA };
	struct nf_lab_plan p;

	(void)state;
	make(&p, 1, 3);
	plays(&p, end, 2, "0.1.1 0.2.1 0.3.1");
}

static void a_configuration_that_cannot_be_is_over(void **state)
{
	const enum nf_outcome_class end[] = { NF_OUTCOME_CONFIG };
	struct nf_lab_plan p;
	struct nf_lab_turn t = { 0 };

	(void)state;
	make(&p, 2, 3);
	assert_true(nf_lab_plan_next(&p, &t));
	nf_lab_plan_took(&p, &t, NF_OUTCOME_CONFIG);
	assert_int_equal(nf_lab_plan_missing(&p), 5);
	assert_int_equal(nf_lab_plan_left(&p), 3);
	nf_arena_fini(&arena);
	make(&p, 2, 3);
	plays(&p, end, 1, "0.1.1 1.1.1 1.2.1 1.3.1");
}

static void what_was_stopped_keeps_its_number_and_is_missing(void **state)
{
	const enum nf_outcome_class end[] = { NF_OUTCOME_NONE, OK };
	struct nf_lab_plan p;

	(void)state;
	make(&p, 1, 2);
	plays(&p, end, 2, "0.1.1 0.1.2 0.2.1");
}

static void a_resumed_campaign_repeats_what_says_nothing_of_the_board(void **state)
{
	const struct {
		uint64_t run, attempt;
		enum nf_outcome_class class;
	} before[] = { { 1, 1, INFRA },           { 1, 2, OK },
		       { 2, 1, BOARD },           { 3, 1, INFRA },
		       { 4, 1, NF_OUTCOME_NONE }, { 5, 3, NF_OUTCOME_CONFIG } };
	struct nf_lab_plan p;
	struct nf_lab_turn t;

	(void)state;
	make(&p, 1, 6);
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		t = (struct nf_lab_turn){ 0, before[i].run, before[i].attempt };
		nf_lab_plan_knows(&p, &t, before[i].class);
	}
	t = (struct nf_lab_turn){ 7, 1, 1 };
	nf_lab_plan_knows(&p, &t, NF_OUTCOME_OK); /* not of this campaign */
	assert_int_equal(nf_lab_plan_missing(&p), 4);
	plays(&p, NULL, 0, "0.3.2 0.4.2 0.5.4 0.6.1");
}

static void nothing_and_too_much_are_refused(void **state)
{
	struct nf_lab_plan p;
	struct nf_err err = { 0 };

	(void)state;
	nf_arena_init(&arena, 1 << 20);
	assert_int_equal(nf_lab_plan_init(&p, 0, 1, &arena, &err), -NF_EARG);
	assert_int_equal(nf_lab_plan_init(&p, 1, 0, &arena, &err), -NF_EARG);
	assert_int_equal(nf_lab_plan_init(&p, 1, NF_LAB_RUNS_MAX + 1, &arena, &err), -NF_EARG);
	nf_arena_fini(&arena);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(configurations_take_turns),
	cmocka_unit_test(or_follow_each_other),
	cmocka_unit_test(failures_are_tried_again_by_class),
	cmocka_unit_test(without_retries_a_failure_is_a_result),
	cmocka_unit_test(a_configuration_that_cannot_be_is_over),
	cmocka_unit_test(what_was_stopped_keeps_its_number_and_is_missing),
	cmocka_unit_test(a_resumed_campaign_repeats_what_says_nothing_of_the_board),
	cmocka_unit_test(nothing_and_too_much_are_refused),
};

NF_UNIT_MAIN(tests)
