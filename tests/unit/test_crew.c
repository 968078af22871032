/* SPDX-License-Identifier: MIT */
/* The controlling thread: where it sits, what it reports, and when it keeps quiet. */
#include <sched.h>
#include <time.h>

#include "host_tree.h"
#include "machine/posture.h"
#include "measure/probe_threads.h"
#include "nf_live.h"

struct seen {
	double fraction[512];
	_Atomic size_t n;
	bool waited_for; /* measuring ends with the first report */
};

/* For 600 ms; where reports are told meanwhile until there is one, for a minute at most. */
static void measure_briefly(void *ctx, size_t i)
{
	struct seen *s = ctx;
	struct timespec ts = { .tv_nsec = 600 * 1000 * 1000 };

	(void)i;
	for (int k = 0; k == 0 || (s->waited_for && s->n == 0 && k < 100); k++)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

static void see(void *ctx, double fraction)
{
	struct seen *s = ctx;

	assert_true(s->n < 512);
	s->fraction[s->n++] = fraction;
}

/* Progress of a crew of one thread that measures for 600 ms, with `measured` taken for measured. */
static void run_crew(struct nf_live *l, const struct nf_cpuset *measured, struct seen *ret)
{
	static const struct nf_crew_ops ops = { .measure = measure_briefly };
	struct nf_crew_member member = { .cpu = nf_cpuset_next(measured, -1) };
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };
	struct nf_crew_cfg cfg = { .env = &l->env,
		                   .ops = &ops,
		                   .ctx = ret,
		                   .expected_ns = 600 * 1000 * 1000,
		                   .measured = measured };

	l->env.progress = see;
	l->env.progress_ctx = ret;
	if (nf_crew_run(&cfg, &member, 1, &run, &e) != 0)
		fail_msg("%s", e.msg);
	nf_cpuset_fini(&run.cpus_got);
	nf_bracket_diff_fini(&run.bracket);
	free(run.tids);
}

static void progress_is_told_at_both_ends_only_when_every_cpu_is_measured(void **state)
{
	struct nf_live *l = *state;
	struct seen s = { 0 };

	assert_false(nf_controller_has_room(&l->env, nf_topology_allowed(l->topo)));
	run_crew(l, nf_topology_allowed(l->topo), &s);
	assert_int_equal(s.n, 2);
	assert_true(s.fraction[0] == 0);
	assert_true(s.fraction[1] == 1);
}

static void progress_is_told_meanwhile_when_a_cpu_is_left(void **state)
{
	struct nf_live *l = *state;
	struct nf_cpuset one = { 0 };
	struct seen s = { 0 };

	skip_unless(nf_live_n_cpus(l) > 1, "two-cpus", "one allowed CPU");
	assert_int_equal(
	        nf_cpuset_add(&one, nf_cpuset_next(nf_topology_allowed(l->topo), -1), NULL), 0);
	assert_true(nf_controller_has_room(&l->env, &one));
	s.waited_for = true;
	run_crew(l, &one, &s);
	assert_true(s.n >= 1);
	assert_true(s.fraction[0] > 0);
	nf_cpuset_fini(&one);
}

static void entering_keeps_the_mask_that_holds(void **state)
{
	struct nf_live *l = *state;
	struct nf_controller c = { 0 };
	struct nf_cpuset left = { 0 };

	assert_int_equal(nf_controller_enter(&c, &l->env, nf_topology_allowed(l->topo), NULL), 0);
	assert_true(nf_cpuset_equal(&c.mask, nf_topology_allowed(l->topo)));
	assert_null(c.saved);
	nf_controller_leave(&c);
	skip_unless(nf_live_n_cpus(l) > 1, "two-cpus", "one allowed CPU");
	assert_int_equal(nf_cpuset_copy(&left, nf_topology_allowed(l->topo), NULL), 0);
	int last = -1;
	for (int cpu = -1; (cpu = nf_cpuset_next(&left, cpu)) >= 0;)
		last = cpu;
	nf_cpuset_remove(&left, last);
	assert_int_equal(nf_controller_enter(&c, &l->env, &left, NULL), 0);
	assert_int_equal(nf_cpuset_count(&c.mask), 1);
	assert_true(nf_cpuset_has(&c.mask, last));
	nf_controller_leave(&c);
	assert_int_equal(nf_cpuset_count(&c.mask), 0);
	nf_cpuset_fini(&left);
}

/* Of server-2node CPUs 0 and 8 share a core, 1 and 9 do not share it. This thread ends on CPU 1. */
static void a_sibling_anywhere_in_the_mask_is_reported(void **state)
{
	struct nf_controller c = { .cpu_at_entry = 0 };
	struct nf_cpuset measured = { 0 };
	struct nf_topology *topo = NULL;
	struct nf_probe_run run = { 0 };
	struct nf_probe_env env = { 0 };
	struct nf_rootfs root;
	struct nf_err e = { 0 };
	cpu_set_t before, one;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	CPU_ZERO(&one);
	CPU_SET(1, &one);
	skip_unless(sched_setaffinity(0, sizeof(one), &one) == 0, "two-cpus", "no CPU 1");
	open_host("server-2node", &root);
	assert_int_equal(nf_topology_load(&root, &topo, &e), 0);
	env.topo = topo;
	assert_int_equal(nf_cpuset_parse("0-1", false, &c.mask, NULL), 0);
	assert_int_equal(nf_cpuset_parse("8", false, &measured, NULL), 0);
	assert_int_equal(nf_controller_report(&c, &env, &measured, &run, &e), 0);
	assert_int_equal(run.controller_cpu, -1);
	assert_true(run.sibling_measured);
	assert_true(nf_live_noted(&run, "one of CPUs 0-1, which share cores with measured CPUs"));

	nf_cpuset_fini(&measured);
	assert_int_equal(nf_cpuset_parse("10", false, &measured, NULL), 0);
	assert_int_equal(nf_controller_report(&c, &env, &measured, &run, &e), 0);
	assert_false(run.sibling_measured);
	nf_controller_leave(&c);
	nf_cpuset_fini(&measured);
	nf_topology_free(topo);
	nf_rootfs_close(&root);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

static void holes_are_named_in_the_words_of_the_thread(void **state)
{
	struct nf_posture posture = {
		.rt_throttled = { true, true },
		.rt_runtime_us = { true, 940000 },
		.rt_period_us = { true, 1000000 },
		.fair_server = { true, true },
	};
	struct nf_probe_env env = { .posture = &posture };
	struct nf_rootfs root;
	char tree[256];

	(void)state;
	make_tree(tree, sizeof(tree));
	assert_int_equal(nf_rootfs_open(&root, tree, NULL), 0);
	env.root = &root;
	for (int spins = 0; spins < 2; spins++) {
		struct nf_probe_run run = { 0 };

		nf_policy_note_holes(&env, NF_POLICY_OTHER, spins, &run);
		nf_policy_note_holes(&env, NF_POLICY_DEADLINE, spins, &run);
		assert_int_equal(run.n_notes, 0);
		nf_policy_note_holes(&env, NF_POLICY_RR, spins, &run);
		assert_int_equal(run.n_notes, 2);
		for (size_t i = 0; i < 2; i++) /* complete, not cut */
			assert_non_null(strstr(run.note[i], spins ? "not noise" : "kernel's rule"));
		assert_int_equal(!!strstr(run.note[0], "does not sleep"), spins);
		assert_int_equal(!!strstr(run.note[0], "threads wake late"), !spins);
		assert_non_null(strstr(run.note[1], "by kernel version"));
	}
	put(tree, "sys/kernel/debug/sched/fair_server/cpu0/runtime", "50000000\n");
	struct nf_probe_run run = { 0 };
	nf_policy_note_holes(&env, NF_POLICY_FIFO, false, &run);
	assert_null(strstr(run.note[1], "by kernel version"));
	posture.fair_server.v = false;
	posture.rt_throttled.v = false;
	run = (struct nf_probe_run){ 0 };
	nf_policy_note_holes(&env, NF_POLICY_FIFO, false, &run);
	assert_int_equal(run.n_notes, 0);
	nf_rootfs_close(&root);
	remove_tree(tree);
}

#define live(test) cmocka_unit_test_setup_teardown(test, nf_live_open, nf_live_close)

static const struct CMUnitTest tests[] = {
	live(progress_is_told_at_both_ends_only_when_every_cpu_is_measured),
	live(progress_is_told_meanwhile_when_a_cpu_is_left),
	live(entering_keeps_the_mask_that_holds),
	cmocka_unit_test(a_sibling_anywhere_in_the_mask_is_reported),
	cmocka_unit_test(holes_are_named_in_the_words_of_the_thread),
};

NF_UNIT_MAIN(tests)
