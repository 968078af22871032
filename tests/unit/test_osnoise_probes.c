/* SPDX-License-Identifier: MIT */
/* The osnoise and timerlat probes over a tracer of this test's own: what becomes of the kernel's reports. */
#include "fake_osnoise.h"
#include "measure/probe_osnoise.h"
#include "measure/probe_timerlat.h"
#include "nf_live.h"

/* clang-format off */
#define PERIOD(on, lost, most, irqs) \
	{ .what = NF_OSNOISE_PERIOD, .t_ns = 7, .cpu = (on), \
	  .period = { .runtime_ns = 950000000, .noise_ns = (lost), .longest_ns = (most), \
	              .count = { 1, 0, (irqs), 3, 4 } } }
#define CAUSE(src, took, called) \
	{ .what = NF_OSNOISE_CAUSE, .cause = { .source = (src), .duration_ns = (took), .name = called } }
#define LATENCY(on, ctx, number, late) \
	{ .what = NF_OSNOISE_LATENCY, .cpu = (on), \
	  .latency = { .context = (ctx), .activation = (number), .latency_ns = (late) } }

/* clang-format on */

static const struct nf_stream *named(const struct nf_probe_run *run, const char *name)
{
	size_t i = 0;

	while (i < run->n_streams && strcmp(run->streams[i].name, name) != 0)
		i++;
	if (i == run->n_streams)
		fail_msg("no stream %s", name);
	return &run->streams[i];
}

static struct nf_probe_run run_ok(struct nf_live *l, const struct nf_probe *p, const void *cfg)
{
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	l->env.journal = (struct nf_journal *)&fake; /* never looked into by this tracer */
	if (p->run(&l->env, cfg, &run, &e) != 0)
		fail_msg("%s", e.msg);
	assert_int_equal(fake.n_starts, 1);
	assert_int_equal(fake.n_stops, 1);
	return run;
}

static struct nf_osnoise_probe_cfg osnoise_config(void)
{
	struct nf_osnoise_probe_cfg c;

	memset(&c, 0xff, sizeof(c));
	nf_probe_osnoise.defaults(&c);
	c.common.duration_ns = 1000000;
	return c;
}

static void periods_become_rows_of_equally_long_streams(void **state)
{
	static const struct nf_osnoise_report reports[] = {
		PERIOD(0, 5000, 4000, 10),
		PERIOD(1, 0, 0, 0),
		CAUSE(NF_OSNOISE_IRQ, 10, "local_timer"),
		PERIOD(0, 9000, 9000, 20),
		PERIOD(-1, 1, 1, 1), /* no CPU */
	};
	struct nf_osnoise_probe_cfg c = osnoise_config();

	fake_give(reports, 5);
	fake.n_lost = 6;
	struct nf_probe_run run = run_ok(*state, &nf_probe_osnoise, &c);
	const struct nf_osnoise_result *r = run.result;

	assert_int_equal(run.n_streams, 10);
	assert_int_equal(r->n_periods, 3);
	for (size_t i = 0; i < run.n_streams; i++) {
		assert_int_equal(run.streams[i].n, 3);
		assert_int_equal(run.streams[i].n_missed, 6);
	}
	assert_int_equal(named(&run, "osnoise.noise")->value[2], 9000);
	assert_int_equal(named(&run, "osnoise.runtime")->value[0], 950000000);
	assert_int_equal(named(&run, "osnoise.longest")->value[0], 4000);
	assert_int_equal(named(&run, "osnoise.cpu")->value[1], 1);
	assert_int_equal(named(&run, "osnoise.hw")->value[0], 1);
	assert_int_equal(named(&run, "osnoise.nmi")->value[0], 0);
	assert_int_equal(named(&run, "osnoise.irq")->value[2], 20);
	assert_int_equal(named(&run, "osnoise.softirq")->value[2], 3);
	assert_int_equal(named(&run, "osnoise.thread")->value[2], 4);
	assert_int_equal(named(&run, "osnoise.time")->value[0], 7);
	assert_int_equal(r->settings.runtime_us, 950000);
	assert_true(nf_live_noted(&run, "950000 us in every 1000000 us"));
	assert_true(nf_live_noted(&run, "lost 6 records"));
	assert_false(r->at_limit);
	nf_probe_run_fini(&nf_probe_osnoise, &run);
}

static void causes_are_summed_by_name_and_the_largest_come_first(void **state)
{
	static const struct nf_osnoise_report reports[] = {
		CAUSE(NF_OSNOISE_THREAD, 100, "a-1"),
		CAUSE(NF_OSNOISE_IRQ, 1, "local_timer"),
		CAUSE(NF_OSNOISE_IRQ, 50, "eth0"),
		CAUSE(NF_OSNOISE_IRQ, 3, "local_timer"),
		CAUSE(NF_OSNOISE_SOFTIRQ, INT64_MAX, "TIMER"),
		CAUSE(NF_OSNOISE_SOFTIRQ, INT64_MAX, "TIMER"),
	};
	struct nf_osnoise_probe_cfg c = osnoise_config();

	fake_give(reports, 6);
	struct nf_probe_run run = run_ok(*state, &nf_probe_osnoise, &c);
	const struct nf_osnoise_result *r = run.result;

	assert_int_equal(r->n_causes, 4);
	assert_string_equal(r->cause[0].name, "eth0");
	assert_string_equal(r->cause[1].name, "local_timer");
	assert_int_equal(r->cause[1].n, 2);
	assert_int_equal(r->cause[1].total_ns, 4);
	assert_int_equal(r->cause[1].longest_ns, 3);
	assert_true(r->cause[2].total_ns == INT64_MAX); /* no overflow */
	assert_string_equal(r->cause[3].name, "a-1");
	assert_int_equal(r->n_unnamed, 0);
	nf_probe_run_fini(&nf_probe_osnoise, &run);
}

static void more_names_than_there_is_room_for_are_counted(void **state)
{
	enum { N = NF_OSNOISE_CAUSES + 20 };
	struct nf_osnoise_report *reports = calloc(N, sizeof(*reports));
	struct nf_osnoise_probe_cfg c = osnoise_config();

	assert_non_null(reports);
	for (int i = 0; i < N; i++) {
		reports[i].what = NF_OSNOISE_CAUSE;
		snprintf(reports[i].cause.name, NF_OSNOISE_NAME_BYTES, "thread-%d", i);
	}
	fake_give(reports, N);
	struct nf_probe_run run = run_ok(*state, &nf_probe_osnoise, &c);
	const struct nf_osnoise_result *r = run.result;

	assert_int_equal(r->n_causes, NF_OSNOISE_CAUSES);
	assert_int_equal(r->n_unnamed, 20);
	nf_probe_run_fini(&nf_probe_osnoise, &run);
	free(reports);
}

static void settings_reach_the_tracer_in_microseconds(void **state)
{
	struct nf_osnoise_probe_cfg c = osnoise_config();
	struct nf_live *l = *state;
	char one[16];

	c.common.cpus = nf_live_one_cpu(l, one);
	c.period_ns = 200000000;
	c.runtime_ns = 100000000;
	c.threshold_ns = 3000;
	c.stop_ns = 50000;
	c.stop_total_ns = 60000;
	c.causes = false;
	fake_give(NULL, 0);
	struct nf_probe_run run = run_ok(l, &nf_probe_osnoise, &c);

	assert_int_equal(fake.which, NF_TRACER_OSNOISE);
	assert_int_equal(fake.cfg.period_us, 200000);
	assert_int_equal(fake.cfg.runtime_us, 100000);
	assert_int_equal(fake.cfg.threshold_us, 3);
	assert_int_equal(fake.cfg.stop_us, 50);
	assert_int_equal(fake.cfg.stop_total_us, 60);
	assert_false(fake.cfg.causes);
	assert_int_equal(nf_cpuset_count(&run.cpus_got), 1);
	assert_true(nf_cpuset_equal(&run.cpus_got, &run.cpus_asked));
	nf_probe_run_fini(&nf_probe_osnoise, &run);
}

static void a_tracer_at_its_limit_ends_the_run(void **state)
{
	static const struct nf_osnoise_report reports[] = { PERIOD(0, 5000, 4000, 10) };
	struct nf_osnoise_probe_cfg c = osnoise_config();

	c.common.duration_ns = INT64_C(3600000000000); /* beyond any test's patience */
	fake_give(reports, 1);
	fake.at_limit = true;
	struct nf_probe_run run = run_ok(*state, &nf_probe_osnoise, &c);
	const struct nf_osnoise_result *r = run.result;

	assert_true(r->at_limit);
	assert_int_equal(r->n_periods, 1);
	assert_int_equal(run.stopped_by, 0);
	assert_true(nf_live_noted(&run, "a limit was exceeded"));
	nf_probe_run_fini(&nf_probe_osnoise, &run);
}

static void what_was_seen_is_kept_when_putting_back_fails(void **state)
{
	static const struct nf_osnoise_report reports[] = { PERIOD(0, 5000, 4000, 10) };
	struct nf_osnoise_probe_cfg c = osnoise_config();

	fake_give(reports, 1);
	fake.stop_rc = -NF_EOS;
	struct nf_probe_run run = run_ok(*state, &nf_probe_osnoise, &c);

	assert_int_equal(run.streams[0].n, 1);
	assert_true(nf_live_noted(&run, "could not all be put back (cannot write the period)"));
	nf_probe_run_fini(&nf_probe_osnoise, &run);
}

static void periods_beyond_the_memory_are_dropped_and_counted(void **state)
{
	static const struct nf_osnoise_report reports[] = { PERIOD(0, 1000, 1000, 1),
		                                            PERIOD(0, 2000, 2000, 1),
		                                            PERIOD(0, 3000, 3000, 1) };
	struct nf_osnoise_probe_cfg c = osnoise_config();

	c.common.max_sample_bytes = 2 * 10 * sizeof(int64_t);
	fake_give(reports, 3);
	struct nf_probe_run run = run_ok(*state, &nf_probe_osnoise, &c);

	for (size_t i = 0; i < run.n_streams; i++) {
		assert_int_equal(run.streams[i].n, 2);
		assert_int_equal(run.streams[i].n_dropped, 1);
	}
	assert_true(nf_live_noted(&run, "room for 2 periods"));
	nf_probe_run_fini(&nf_probe_osnoise, &run);
}

/* --- timerlat --- */

static struct nf_timerlat_cfg timerlat_config(void)
{
	struct nf_timerlat_cfg c;

	memset(&c, 0xff, sizeof(c));
	nf_probe_timerlat.defaults(&c);
	c.common.duration_ns = 1000000;
	return c;
}

static void activations_go_to_their_cpu_and_context_and_holes_are_missed(void **state)
{
	struct nf_live *l = *state;
	int cpu = nf_cpuset_next(nf_topology_allowed(l->topo), -1);
	const struct nf_osnoise_report reports[] = {
		LATENCY(cpu, NF_TIMERLAT_IRQ, 41, 900),
		LATENCY(cpu, NF_TIMERLAT_THREAD, 41, 2500),
		LATENCY(cpu, NF_TIMERLAT_IRQ, 42, 901),
		LATENCY(cpu, NF_TIMERLAT_IRQ, 45, 902), /* without 43 and 44 */
		LATENCY(cpu, NF_TIMERLAT_THREAD, 45, 2502), /* and 42 */
		LATENCY(cpu, NF_TIMERLAT_USER, 45, 9999), /* nobody asked for it */
		LATENCY(NF_CPU_MAX - 1, NF_TIMERLAT_IRQ, 7, 5), /* nor for that CPU */
		PERIOD(0, 5000, 4000, 10), /* another tracer's */
	};
	struct nf_timerlat_cfg c = timerlat_config();
	char name[48];

	fake_give(reports, sizeof(reports) / sizeof(reports[0]));
	fake.n_lost = 4;
	struct nf_probe_run run = run_ok(l, &nf_probe_timerlat, &c);
	const struct nf_timerlat_result *r = run.result;

	assert_int_equal(r->n_cpus, nf_live_n_cpus(l));
	assert_int_equal(run.n_streams, 2 * r->n_cpus);
	assert_int_equal(r->cpu[0], cpu);
	snprintf(name, sizeof(name), "timerlat.cpu%d.irq", cpu);
	const struct nf_stream *irq = named(&run, name);
	assert_ptr_equal(irq, &run.streams[0]);
	assert_int_equal(irq->n, 3);
	assert_int_equal(irq->value[0], 900);
	assert_int_equal(irq->value[2], 902);
	assert_int_equal(irq->n_missed, 2);
	assert_int_equal(irq->cpu, cpu);
	const struct nf_stream *thread = &run.streams[1];
	assert_int_equal(thread->n, 2);
	assert_int_equal(thread->value[1], 2502);
	assert_int_equal(thread->n_missed, 3);
	assert_int_equal(r->n_lost, 4);
	assert_true(nf_live_noted(&run, "lost 4 records"));
	nf_probe_run_fini(&nf_probe_timerlat, &run);
}

static void timerlats_settings_reach_the_tracer(void **state)
{
	struct nf_timerlat_cfg c = timerlat_config();

	c.period_ns = 250000;
	c.stop_irq_ns = 20000;
	c.stop_thread_ns = 30000;
	fake_give(NULL, 0);
	fake.at_limit = true;
	struct nf_probe_run run = run_ok(*state, &nf_probe_timerlat, &c);
	const struct nf_timerlat_result *r = run.result;

	assert_int_equal(fake.which, NF_TRACER_TIMERLAT);
	assert_int_equal(fake.cfg.period_us, 250);
	assert_int_equal(fake.cfg.stop_us, 20);
	assert_int_equal(fake.cfg.stop_total_us, 30);
	assert_int_equal(fake.cfg.runtime_us, 0);
	assert_true(r->at_limit);
	for (size_t i = 0; i < run.n_streams; i++)
		assert_int_equal(run.streams[i].n, 0);
	nf_probe_run_fini(&nf_probe_timerlat, &run);
}

static void refused(struct nf_live *l, const struct nf_probe *p, const void *cfg, int code,
                    const char *what)
{
	struct nf_probe_run run = { .wall_ns = 77 };
	struct nf_err e = { 0 };

	fake_give(NULL, 0);
	assert_int_equal(p->check(&l->env, cfg, &e), code);
	if (!strstr(e.msg, what))
		fail_msg("'%s' does not say '%s'", e.msg, what);
	assert_int_equal(p->run(&l->env, cfg, &run, &e), code);
	assert_int_equal(run.wall_ns, 77);
	assert_int_equal(fake.n_starts, 0);
}

static void bad_settings_start_nothing(void **state)
{
	struct nf_live *l = *state;
	struct nf_osnoise_probe_cfg c = osnoise_config();
	struct nf_timerlat_cfg t = timerlat_config();

	l->env.journal = NULL;
	refused(l, &nf_probe_osnoise, &c, -NF_EUNSUPPORTED, "needs a journal");
	refused(l, &nf_probe_timerlat, &t, -NF_EUNSUPPORTED, "needs a journal");
	l->env.journal = (struct nf_journal *)&fake;
	c.period_ns = 1500;
	refused(l, &nf_probe_osnoise, &c, -NF_EARG, "whole microseconds");
	c.period_ns = 1000;
	c.runtime_ns = 2000;
	refused(l, &nf_probe_osnoise, &c, -NF_EARG, "longer than the period");
	c = osnoise_config();
	c.stop_ns = -1000;
	refused(l, &nf_probe_osnoise, &c, -NF_EARG, "stop");
	c = osnoise_config();
	c.common.cpus = "16383";
	refused(l, &nf_probe_osnoise, &c, -NF_EARG, "absent");
	c = osnoise_config();
	c.common.policy = NF_POLICY_FIFO;
	c.common.policy_given = true;
	refused(l, &nf_probe_osnoise, &c, -NF_EARG, "no effect");
	t.stop_thread_ns = 1;
	refused(l, &nf_probe_timerlat, &t, -NF_EARG, "stop-thread 1 ns");
}

#define live(test) cmocka_unit_test_setup_teardown(test, nf_live_open, nf_live_close)

static const struct CMUnitTest tests[] = {
	live(periods_become_rows_of_equally_long_streams),
	live(causes_are_summed_by_name_and_the_largest_come_first),
	live(more_names_than_there_is_room_for_are_counted),
	live(settings_reach_the_tracer_in_microseconds),
	live(a_tracer_at_its_limit_ends_the_run),
	live(what_was_seen_is_kept_when_putting_back_fails),
	live(periods_beyond_the_memory_are_dropped_and_counted),
	live(activations_go_to_their_cpu_and_context_and_holes_are_missed),
	live(timerlats_settings_reach_the_tracer),
	live(bad_settings_start_nothing),
};

NF_UNIT_MAIN(tests)
