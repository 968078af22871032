/* SPDX-License-Identifier: MIT */
/* Policies of periodic wake-ups: what is refused, what steps down and says so, what runs. */
#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include "wake_runs.h"

static bool fifo_possible(void)
{
	struct nf_sched s = { .policy = NF_POLICY_FIFO, .priority = 80 };

	return nf_policy_possible(&s, NULL) == 0;
}

static void fifo_on_every_allowed_cpu_is_refused_when_asked_for(void **state)
{
	const struct nf_live *l = *state;
	struct nf_wake_cfg c = small_config();
	struct nf_buf list;

	nf_buf_init(&list, 65536);
	c.common.cpus = nf_live_all_cpus(l, &list);
	c.common.policy = NF_POLICY_FIFO;
	c.common.priority = 80;
	int rc = check_code(l, &c, "housekeeping");
	nf_buf_fini(&list);
	assert_int_equal(rc, nf_cpuset_count(nf_topology_allowed(l->topo)) > 1 ? -NF_EARG
	                                                                       : -NF_EUNSUPPORTED);
}

static void the_default_policy_steps_down_and_says_so(void **state)
{
	const struct nf_live *l = *state;
	struct nf_wake_cfg c = small_config();
	struct nf_buf list;

	nf_buf_init(&list, 65536);
	c.common.policy_given = false;
	c.common.policy = NF_POLICY_FIFO;
	c.common.cpus = nf_live_all_cpus(l, &list);
	struct nf_probe_run run = run_ok(l, &c);

	assert_books_balance(&run);
	assert_int_equal(run.policy, NF_POLICY_OTHER);
	assert_false(nf_live_noted(&run, "realtime throttling"));
	assert_true(nf_live_noted(&run, "policy other, not the default fifo"));
	assert_true(nf_cpuset_equal(&run.cpus_got, nf_topology_allowed(l->topo)));
	nf_probe_run_fini(&nf_probe_wake, &run);
	nf_buf_fini(&list);
}

static void the_default_is_fifo_on_all_cpus_but_one(void **state)
{
	const struct nf_posture posture = {
		.rt_throttled = { true, true },
		.rt_runtime_us = { true, 940000 },
		.rt_period_us = { true, 1000000 },
		.fair_server = { true, true },
	};
	struct nf_live *l = *state;
	size_t n = nf_cpuset_count(nf_topology_allowed(l->topo));
	struct nf_wake_cfg c = config();

	skip_unless(n > 1, "two-cpus", "one allowed CPU");
	skip_unless(fifo_possible(), "realtime", "SCHED_FIFO is not permitted");
	c.period_ns = MS;
	c.n_activations = 20;
	l->env.posture = &posture;
	struct nf_probe_run run = run_ok(l, &c);

	assert_books_balance(&run);
	assert_int_equal(run.policy, NF_POLICY_FIFO);
	assert_int_equal(run.priority, 80);
	assert_int_equal(nf_cpuset_count(&run.cpus_got), n - 1);
	assert_false(run.controller_measured);
	assert_true(nf_live_noted(&run, "left to the system"));
	/* Threads that sleep do not use up the allowance alone. */
	assert_true(nf_live_noted(&run, "share 940000 us of every 1000000 us"));
	assert_true(nf_live_noted(&run, "fair server"));
	assert_false(nf_live_noted(&run, "does not sleep"));
	nf_probe_run_fini(&nf_probe_wake, &run);

	l->env.posture = NULL;
	run = run_ok(l, &c);
	assert_true(nf_live_noted(&run, "whether realtime throttling is in force is unknown"));
	nf_probe_run_fini(&nf_probe_wake, &run);

	c.common.priority = 100;
	assert_int_equal(check_code(l, &c, "priority 100"), -NF_EARG);
}

static void deadline_scheduling_runs_or_says_what_would_help(void **state)
{
	const struct nf_live *l = *state;
	struct nf_wake_cfg c = small_config();
	struct nf_err e = { 0 };

	c.common.policy_given = false;
	c.method = NF_WAKE_DEADLINE;
	int rc = nf_probe_wake.check(&l->env, &c, &e);
	if (rc < 0) {
		assert_int_equal(rc, -NF_EUNSUPPORTED);
		assert_true(strlen(e.msg) > 40);
	}
	skip_unless(rc == 0, "deadline", e.msg);
	struct nf_probe_run run = run_ok(l, &c);
	const struct nf_wake_result *r = run.result;

	assert_books_balance(&run);
	assert_int_equal(run.policy, NF_POLICY_DEADLINE);
	assert_int_equal(r->worker[0].n_due, 50);
	assert_true(nf_live_noted(&run, "runtime"));
	if (r->worker[0].cpu < 0) {
		assert_string_equal(run.streams[0].name, "wake.any0.lateness");
		assert_true(nf_live_noted(&run, "unbound"));
	}
	nf_probe_run_fini(&nf_probe_wake, &run);
}

static void half_a_root_domain_under_deadline_names_the_rule(void **state)
{
	const struct nf_live *l = *state;
	struct nf_wake_cfg c = small_config();
	struct nf_err e = { 0 };
	char cpu[16];

	snprintf(cpu, sizeof(cpu), "%d", nf_cpuset_next(nf_topology_allowed(l->topo), -1));
	c.common.policy_given = false;
	c.common.cpus = cpu;
	c.method = NF_WAKE_DEADLINE;
	int rc = nf_probe_wake.check(&l->env, &c, &e);

	skip_unless(rc != 0, "shared-root-domain", "the first CPU is a root domain of its own");
	assert_int_equal(rc, -NF_EUNSUPPORTED);
	assert_non_null(strstr(e.msg, "deadline"));
}

static void idle_states_can_be_kept_out(void **state)
{
	const struct nf_live *l = *state;
	struct nf_wake_cfg c = small_config();

	skip_unless(access("/dev/cpu_dma_latency", W_OK) == 0, "dma-latency",
	            "/dev/cpu_dma_latency is not writable");
	c.dma_latency_us = 0;
	struct nf_probe_run run = run_ok(l, &c);

	assert_true(nf_live_noted(&run, "cpu_dma_latency"));
	nf_probe_run_fini(&nf_probe_wake, &run);
}

#define live(test) cmocka_unit_test_setup_teardown(test, nf_live_open, nf_live_close)

static const struct CMUnitTest tests[] = {
	live(fifo_on_every_allowed_cpu_is_refused_when_asked_for),
	live(the_default_policy_steps_down_and_says_so),
	live(the_default_is_fifo_on_all_cpus_but_one),
	live(deadline_scheduling_runs_or_says_what_would_help),
	live(half_a_root_domain_under_deadline_names_the_rule),
	live(idle_states_can_be_kept_out),
};

NF_UNIT_MAIN(tests)
