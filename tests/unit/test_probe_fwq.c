/* SPDX-License-Identifier: MIT */
/* The fwq probe on this host, with tiny runs: structure, sums and refusals, never absolute times. */
#include "measure/probe_fwq.h"
#include "nf_live.h"

#include <sched.h>

static struct nf_fwq_cfg config(void)
{
	struct nf_fwq_cfg c;

	memset(&c, 0xff, sizeof(c));
	nf_probe_fwq.defaults(&c);
	return c;
}

static void a_run_by_count_gives_one_stream_per_cpu_that_adds_up_to_the_wall_time(void **state)
{
	struct nf_live *h = *state;
	struct nf_fwq_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_fwq_result *r;
	struct nf_err e = { 0 };
	double best = 0;
	uint64_t before = nf_tick_start(&h->clock);

	c.n_samples = 2000;
	/* An interruption between a worker's first sample and its reading of the wall clock can
	 * spoil some runs, not all. */
	for (int i = 0; i < 20 && best < 0.999; i++) {
		nf_probe_run_fini(&nf_probe_fwq, &run);
		if (nf_probe_fwq.run(&h->env, &c, &run, &e) != 0)
			fail_msg("%s", e.msg);
		r = run.result;
		best = 1;
		for (size_t k = 0; k < r->n_workers; k++) {
			assert_true(r->worker[k].sum_to_wall < 1.001);
			if (r->worker[k].sum_to_wall < best)
				best = r->worker[k].sum_to_wall;
		}
	}
	assert_true(best >= 0.999);
	assert_int_equal(run.n_streams, nf_live_n_cpus(h));
	assert_int_equal(r->n_workers, nf_live_n_cpus(h));
	assert_int_equal(r->kernel, NF_KERNEL_CHAIN);
	assert_true(r->work > 0);
	for (size_t k = 0; k < run.n_streams; k++) {
		const struct nf_stream *s = &run.streams[k];
		char name[48];

		snprintf(name, sizeof(name), "fwq.cpu%d", s->cpu);
		assert_string_equal(s->name, name);
		assert_string_equal(s->clock, nf_tick_name(h->clock.source));
		assert_int_equal(s->unit, NF_UNIT_TICK);
		assert_int_equal(s->kind, NF_KIND_DURATION);
		assert_true(s->tick_hz == h->clock.hz);
		assert_int_equal(s->n, 2000);
		assert_int_equal(s->n_dropped, 0);
		assert_int_equal(r->worker[k].cpu, s->cpu);
		assert_true(r->worker[k].wall_ns > 0 && r->worker[k].wall_ns <= run.wall_ns);
		uint64_t ticks = 0;

		for (size_t i = 0; i < s->n; i++) {
			assert_true(s->value[i] > 0);
			ticks += (uint64_t)s->value[i];
		}
		assert_true(s->origin_tick > before);
		assert_true(s->origin_tick + ticks < nf_tick_end(&h->clock));
	}
	assert_true(nf_cpuset_equal(&run.cpus_asked, nf_topology_allowed(h->topo)));
	assert_true(nf_cpuset_equal(&run.cpus_got, nf_topology_allowed(h->topo)));
	assert_int_equal(run.stopped_by, 0);
	assert_int_equal(run.policy, NF_POLICY_OTHER);
	assert_true(run.warmup_ns > 0);
	assert_true(run.overhead_ns > 0);
	assert_true(run.controller_measured);
	assert_true(nf_live_noted(&run, "controlling thread"));
	nf_probe_run_fini(&nf_probe_fwq, &run);
}

static void a_million_short_samples_a_thread_add_up_to_the_wall_time(void **state)
{
	struct nf_live *h = *state;
	struct nf_fwq_cfg c = config();
	double best = 0;

	/* Under valgrind and ThreadSanitizer a tenth is slow enough. */
	c.n_samples = nf_live_faults_are_ours() ? 1000000 : 100000;
	c.quantum_ns = 900;
	c.n_threads = nf_live_n_cpus(h) < 2 ? 1 : 2;
	for (int i = 0; i < 10 && best < 0.999; i++) {
		struct nf_probe_run run = { 0 };
		const struct nf_fwq_result *r;
		struct nf_err e = { 0 };

		if (nf_probe_fwq.run(&h->env, &c, &run, &e) != 0)
			fail_msg("%s", e.msg);
		r = run.result;
		best = 1;
		for (size_t k = 0; k < r->n_workers; k++) {
			assert_int_equal(run.streams[k].n, c.n_samples);
			assert_true(r->worker[k].sum_to_wall < 1.0001);
			if (r->worker[k].sum_to_wall < best)
				best = r->worker[k].sum_to_wall;
			printf("# %s: sum / wall = %.6f over %.3f s\n", run.streams[k].name,
			       r->worker[k].sum_to_wall, (double)r->worker[k].wall_ns * 1e-9);
		}
		nf_probe_run_fini(&nf_probe_fwq, &run);
	}
	assert_true(best >= 0.999);
}

static void no_page_fault_happens_between_the_first_and_the_last_sample(void **state)
{
	struct nf_live *h = *state;
	struct nf_fwq_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	skip_unless(nf_live_faults_are_ours(), "plain-build",
	            "valgrind and ThreadSanitizer fault pages in the program's name");
	c.n_samples = 100000; /* 200 pages a worker */
	c.quantum_ns = 900;
	for (int kernel = 0; kernel < NF_N_KERNELS; kernel++) {
		uint64_t fewest = UINT64_MAX;

		c.kernel = (enum nf_kernel_id)kernel;
		for (int i = 0; i < NF_LIVE_FAULT_TRIES && fewest > 0; i++) {
			const struct nf_fwq_result *r;
			uint64_t all = 0;

			if (nf_probe_fwq.run(&h->env, &c, &run, &e) != 0)
				fail_msg("%s", e.msg);
			r = run.result;
			for (size_t k = 0; k < r->n_workers; k++)
				all += r->worker[k].minor_faults + r->worker[k].major_faults;
			assert_int_equal(run.faults_inside, all);
			fewest = all < fewest ? all : fewest;
			nf_probe_run_fini(&nf_probe_fwq, &run);
		}
		assert_int_equal(fewest, 0);
	}
}

static void a_run_by_duration_ends_by_time_and_drops_nothing_it_has_room_for(void **state)
{
	struct nf_live *h = *state;
	struct nf_fwq_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	c.common.duration_ns = 50 * 1000 * 1000;
	c.n_threads = 1;
	if (nf_probe_fwq.run(&h->env, &c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	assert_int_equal(run.n_streams, 1);
	assert_true(run.streams[0].n > 0);
	/* The rate has an error of some ppm. */
	assert_true(run.wall_ns >= c.common.duration_ns / 1000 * 999);
	assert_int_equal(run.streams[0].n_dropped, 0);
	nf_probe_run_fini(&nf_probe_fwq, &run);
}

static void a_full_buffer_drops_and_counts_until_the_time_is_over(void **state)
{
	struct nf_live *h = *state;
	struct nf_fwq_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	c.common.max_sample_bytes = 8 * 4096;
	c.n_threads = 1;
	c.work = 10; /* given, so it is not stretched */
	/* Longer where another program holds the CPU until the time is over. */
	for (int64_t ms = 300; ms <= 30000 && !(run.streams && run.streams[0].n_dropped);
	     ms *= 10) {
		nf_probe_run_fini(&nf_probe_fwq, &run);
		c.common.duration_ns = ms * 1000 * 1000;
		if (nf_probe_fwq.run(&h->env, &c, &run, &e) != 0)
			fail_msg("%s", e.msg);
	}
	assert_int_equal(run.streams[0].n, 4096);
	assert_true(run.streams[0].n_dropped > 0);
	assert_true(nf_stream_incomplete(&run.streams[0]));
	/* The rate has an error of some ppm. */
	assert_true(run.wall_ns >= c.common.duration_ns / 1000 * 999);
	assert_true(((const struct nf_fwq_result *)run.result)->worker[0].wall_ns < run.wall_ns);
	assert_true(nf_live_noted(&run, "dropped and counted"));
	nf_probe_run_fini(&nf_probe_fwq, &run);
}

static void a_quantum_is_stretched_so_that_the_samples_fit_in_memory(void **state)
{
	struct nf_live *h = *state;
	struct nf_fwq_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	c.common.duration_ns = 100 * 1000 * 1000;
	c.common.max_sample_bytes = 8 * 4096;
	c.n_threads = 1;
	c.quantum_ns = 1000; /* 100,000 samples, room for 4,096 */
	if (nf_probe_fwq.run(&h->env, &c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	assert_true(run.streams[0].cap <= 4096);
	assert_int_equal(run.streams[0].n_dropped, 0);
	assert_true(nf_live_noted(&run, "stretched"));
	nf_probe_run_fini(&nf_probe_fwq, &run);
}

static void a_ceiling_of_samples_ends_a_run_by_duration(void **state)
{
	struct nf_live *h = *state;
	struct nf_fwq_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	c.common.duration_ns = INT64_C(60000000000);
	c.n_samples = 100;
	c.n_threads = 1;
	if (nf_probe_fwq.run(&h->env, &c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	assert_int_equal(run.streams[0].n, 100);
	assert_int_equal(run.streams[0].n_dropped, 0);
	assert_true(run.wall_ns < c.common.duration_ns);
	nf_probe_run_fini(&nf_probe_fwq, &run);
}

static void the_fallback_clock_works_for_every_kernel(void **state)
{
	struct nf_live *h = *state;
	struct nf_probe_env env = h->env;
	struct nf_tick_clock raw;
	struct nf_err e = { 0 };

	assert_int_equal(nf_tick_open(&h->root, NF_TICK_WANT_MONOTONIC, &raw, &e), 0);
	env.clock = &raw;
	for (int kernel = 0; kernel < NF_N_KERNELS; kernel++) {
		struct nf_fwq_cfg c = config();
		struct nf_probe_run run = { 0 };

		c.kernel = (enum nf_kernel_id)kernel;
		c.n_samples = 200;
		if (nf_probe_fwq.run(&env, &c, &run, &e) != 0)
			fail_msg("%s", e.msg);
		assert_string_equal(run.streams[0].clock, "monotonic_raw");
		assert_true(run.streams[0].tick_hz == 1e9);
		assert_int_equal(run.streams[0].n, 200);
		nf_probe_run_fini(&nf_probe_fwq, &run);
	}
}

static void a_stop_before_the_start_is_a_partial_run_and_no_failure(void **state)
{
	struct nf_live *h = *state;
	struct nf_fwq_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	h->stop.signo = SIGTERM;
	assert_int_equal(nf_probe_fwq.run(&h->env, &c, &run, &e), 0);
	assert_int_equal(run.stopped_by, SIGTERM);
	for (size_t i = 0; i < run.n_streams; i++)
		assert_int_equal(run.streams[i].n, 1);
	assert_true(nf_live_noted(&run, "calibrated"));
	nf_probe_run_fini(&nf_probe_fwq, &run);
}

static void a_stop_request_keeps_what_was_measured(void **state)
{
	char one[16];
	struct nf_live *h = *state;
	struct nf_fwq_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	skip_unless(nf_live_n_cpus(h) > 1, "two-cpus", "one allowed CPU");
	c.common.cpus = nf_live_one_cpu(h, one);
	h->stop_at_progress = 1;
	c.common.duration_ns = INT64_C(600000000000);
	assert_int_equal(nf_probe_fwq.run(&h->env, &c, &run, &e), 0);
	assert_true(h->last_progress >= 0 && h->last_progress <= 1);
	assert_int_equal(run.stopped_by, SIGINT);
	assert_true(run.wall_ns < c.common.duration_ns);
	for (size_t i = 0; i < run.n_streams; i++)
		assert_true(run.streams[i].n > 0);
	nf_probe_run_fini(&nf_probe_fwq, &run);
}

static void affinity_is_put_back(void **state)
{
	struct nf_live *h = *state;
	struct nf_fwq_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };
	char first[16];
	cpu_set_t before;
	cpu_set_t after;

	skip_unless(nf_live_n_cpus(h) >= 2, "two-cpus", "needs two allowed CPUs");
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	snprintf(first, sizeof(first), "%d", nf_cpuset_next(nf_topology_allowed(h->topo), -1));
	c.common.cpus = first;
	c.n_samples = 10;
	if (nf_probe_fwq.run(&h->env, &c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
	assert_false(run.controller_measured);
	assert_int_equal(nf_cpuset_count(&run.cpus_got), 1);
	nf_probe_run_fini(&nf_probe_fwq, &run);
}

static void refused(const struct nf_live *h, const struct nf_fwq_cfg *c, int code, const char *what)
{
	struct nf_probe_run run = { .stopped_by = 77 };
	struct nf_err e = { 0 };

	assert_int_equal(nf_probe_fwq.check(&h->env, c, &e), code);
	if (!strstr(e.msg, what))
		fail_msg("'%s' does not say '%s'", e.msg, what);
	e = (struct nf_err){ 0 };
	assert_int_equal(nf_probe_fwq.run(&h->env, c, &run, &e), code);
	assert_int_equal(run.stopped_by, 77);
	assert_null(run.streams);
}

static void bad_configurations_are_refused_with_both_numbers(void **state)
{
	struct nf_live *h = *state;
	struct nf_fwq_cfg c = config();
	char text[64];

	c.n_threads = (int64_t)nf_live_n_cpus(h) + 1;
	snprintf(text, sizeof(text), "--threads %zu: %zu CPUs are selected", nf_live_n_cpus(h) + 1,
	         nf_live_n_cpus(h));
	refused(h, &c, -NF_EARG, text);

	c = config();
	c.n_samples = INT64_MAX / 4;
	refused(h, &c, -NF_EARG, "at most");
	c.n_samples = INT64_MAX;
	refused(h, &c, -NF_EARG, "at most");
	c.n_samples = -1;
	refused(h, &c, -NF_EARG, "negative");

	c = config();
	c.quantum_ns = 0;
	refused(h, &c, -NF_EARG, "quantum");

	c = config();
	c.common.duration_ns = 1000000;
	c.common.max_sample_bytes = 100;
	refused(h, &c, -NF_EARG, "too small");

	c = config();
	c.common.cpus = "65000";
	refused(h, &c, -NF_EARG, "65000");

	c = config();
	c.common.priority = 5;
	refused(h, &c, -NF_EARG, "priority");

	c = config();
	c.common.policy = NF_POLICY_DEADLINE;
	refused(h, &c, -NF_EARG, "deadline");
}

static bool may_fifo(void)
{
	struct sched_param p = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &p) != 0)
		return false;
	p.sched_priority = 0;
	return sched_setscheduler(0, SCHED_OTHER, &p) == 0;
}

static void realtime_policies_leave_a_housekeeping_cpu(void **state)
{
	struct nf_live *h = *state;
	struct nf_fwq_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_buf all;
	struct nf_err e = { 0 };

	c.common.policy = NF_POLICY_FIFO;
	c.common.policy_given = true;
	c.common.priority = 10;
	if (nf_live_n_cpus(h) < 2) {
		refused(h, &c, -NF_EUNSUPPORTED, "housekeeping");
		return;
	}
	nf_buf_init(&all, 4096);
	assert_int_equal(nf_cpuset_print(nf_topology_allowed(h->topo), &all), 0);
	c.common.cpus = all.data;
	refused(h, &c, -NF_EARG, "housekeeping");
	nf_buf_fini(&all);

	c.common.cpus = "allowed";
	c.n_samples = 500;
	skip_unless(may_fifo(), "realtime", "this user may not use SCHED_FIFO");
	assert_int_equal(nf_probe_fwq.check(&h->env, &c, &e), 0);
	if (nf_probe_fwq.run(&h->env, &c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	assert_int_equal(nf_cpuset_count(&run.cpus_got), nf_live_n_cpus(h) - 1);
	assert_true(nf_cpuset_equal(&run.cpus_asked, nf_topology_allowed(h->topo)));
	assert_int_equal(run.policy, NF_POLICY_FIFO);
	assert_int_equal(run.priority, 10);
	assert_false(run.controller_measured);
	assert_true(nf_live_noted(&run, "housekeeping"));
	assert_true(nf_live_noted(&run, "realtime throttling"));
	nf_probe_run_fini(&nf_probe_fwq, &run);
}

static void estimates_are_bounded(void **state)
{
	struct nf_live *h = *state;
	struct nf_fwq_cfg c = config();
	int64_t by_count = nf_probe_fwq.estimate_ns(&h->env, &c);

	assert_true(by_count > 0);
	c.common.duration_ns = 3000000000;
	assert_true(nf_probe_fwq.estimate_ns(&h->env, &c) > 3000000000);
	c.work = UINT64_MAX;
	c.n_samples = INT64_MAX;
	c.common.duration_ns = 0;
	assert_true(nf_probe_fwq.estimate_ns(&h->env, &c) == INT64_MAX);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, nf_live_open_clock, nf_live_close)
static const struct CMUnitTest tests[] = {
	CASE(a_run_by_count_gives_one_stream_per_cpu_that_adds_up_to_the_wall_time),
	CASE(a_million_short_samples_a_thread_add_up_to_the_wall_time),
	CASE(no_page_fault_happens_between_the_first_and_the_last_sample),
	CASE(a_run_by_duration_ends_by_time_and_drops_nothing_it_has_room_for),
	CASE(a_full_buffer_drops_and_counts_until_the_time_is_over),
	CASE(a_quantum_is_stretched_so_that_the_samples_fit_in_memory),
	CASE(a_ceiling_of_samples_ends_a_run_by_duration),
	CASE(the_fallback_clock_works_for_every_kernel),
	CASE(a_stop_request_keeps_what_was_measured),
	CASE(a_stop_before_the_start_is_a_partial_run_and_no_failure),
	CASE(affinity_is_put_back),
	CASE(bad_configurations_are_refused_with_both_numbers),
	CASE(realtime_policies_leave_a_housekeeping_cpu),
	CASE(estimates_are_bounded),
};

NF_UNIT_MAIN(tests)
