/* SPDX-License-Identifier: MIT */
#include "job/lab_phases.h"

#include "nf_unit.h"

enum { ATTEMPTS = 8, PHASES = 2 };

/* Attempts with phases of their own; times in s, below 0: not reached. */
struct boots {
	struct nf_rec_boot_attempt at[ATTEMPTS];
	struct nf_rec_boot_event event[ATTEMPTS][PHASES];
	struct nf_rec_boot_interval between[ATTEMPTS][PHASES];
	size_t n;
	struct nf_arena arena;
	struct nf_rec_boot_campaign c;
};

static void add(struct boots *b, const char *config, uint64_t run, uint64_t attempt, int outcome,
                const char *const name[PHASES], const double time_s[PHASES])
{
	size_t i = b->n++;

	for (size_t k = 0; k < PHASES; k++) {
		b->event[i][k].name = name[k];
		b->between[i][k].name = name[k];
		if (time_s[k] >= 0)
			b->event[i][k].time_s = nf_some_real(time_s[k]);
	}
	b->at[i] = (struct nf_rec_boot_attempt){ .config = config,
		                                 .run = run,
		                                 .attempt = attempt,
		                                 .outcome = nf_some_enum(outcome),
		                                 .counts = true,
		                                 .phases = { b->event[i], PHASES },
		                                 .intervals = { b->between[i], PHASES } };
}

static const struct nf_rec_boot_config *figures(struct boots *b)
{
	static const struct nf_lab_opts o = { 0 };
	struct nf_err err = { 0 };

	nf_arena_init(&b->arena, 1 << 22);
	b->c.attempts = (struct nf_list){ b->at, b->n };
	if (nf_lab_figures(&o, &b->arena, &b->c, &err) < 0)
		fail_msg("%s", err.msg);
	return b->c.configs.items;
}

static const char *const names[PHASES] = { "kernel", "login" };
static const char *const other[PHASES] = { "login", "shell" };

static void a_failed_boot_is_no_boot_time(void **state)
{
	struct boots b = { .n = 0 };

	(void)state;
	add(&b, "one", 1, 1, NF_BOOT_OK, names, (double[]){ 1, 3 });
	add(&b, "one", 2, 1, NF_BOOT_BOARD_FAILED, names, (double[]){ 90, -1 });
	add(&b, "one", 3, 1, NF_BOOT_OK, names, (double[]){ 2, 5 });
	const struct nf_rec_boot_config *c = figures(&b);
	const struct nf_rec_boot_times *t = c->phases.items;
	assert_int_equal(c->runs, 3);
	assert_int_equal(c->failed, 1);
	assert_int_equal(t[0].n, 2);
	assert_int_equal(t[0].failed, 1);
	assert_true(t[0].max_s.v <= 2 && t[1].min_s.v >= 3);
	nf_arena_fini(&b.arena);
}

static void tries_that_were_stopped_are_no_retries(void **state)
{
	struct boots b = { .n = 0 };

	(void)state;
	add(&b, "one", 1, 1, NF_BOOT_INFRA_FAILED, names, (double[]){ -1, -1 });
	b.at[0].counts = false;
	add(&b, "one", 1, 2, NF_BOOT_OK, names, (double[]){ 1, 2 });
	add(&b, "one", 2, 1, NF_BOOT_STOPPED, names, (double[]){ 1, -1 });
	b.at[2].counts = false;
	const struct nf_rec_boot_config *c = figures(&b);
	const struct nf_rec_boot_times *t = c->phases.items;
	assert_int_equal(c->runs, 1);
	assert_int_equal(c->failed, 0);
	assert_int_equal(c->retried, 1);
	assert_int_equal(t[0].n, 1);
	assert_int_equal(t[0].retried, 1);
	nf_arena_fini(&b.arena);
}

static void configurations_are_compared_by_their_phases_names(void **state)
{
	struct boots b = { .n = 0 };

	(void)state;
	for (uint64_t run = 1; run <= 2; run++)
		add(&b, "one", run, 1, NF_BOOT_OK, names, (double[]){ 1, 4 });
	for (uint64_t run = 1; run <= 2; run++)
		add(&b, "two", run, 1, NF_BOOT_OK, other, (double[]){ 8, 9 });
	(void)figures(&b);
	const struct nf_rec_boot_ratio *q = b.c.ratios.items;
	assert_int_equal(b.c.ratios.n, 1);
	assert_string_equal(q->what, "login");
	assert_true(q->ratio > 1.99 && q->ratio < 2.01);
	nf_arena_fini(&b.arena);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_failed_boot_is_no_boot_time),
	cmocka_unit_test(tries_that_were_stopped_are_no_retries),
	cmocka_unit_test(configurations_are_compared_by_their_phases_names),
};

NF_UNIT_MAIN(tests)
