/* SPDX-License-Identifier: MIT */
/* The loops of fixed time quanta and their probe on this host, with tiny runs: the grid, sums and
 * refusals, never absolute times. */
#include <time.h>

#include "measure/interferer.h"
#include "measure/kernels/ftq.h"
#include "measure/probe_ftq.h"
#include "nf_live.h"

static const volatile sig_atomic_t never = 0;

/* --- the loops --- */

enum { ROOM = 512 };

struct arrays {
	double vector[2 * NF_DAXPY_LEN];
	int64_t units[ROOM];
	int64_t overshoot[ROOM];
};

/* What holds of every run, whatever the machine did meanwhile. */
static void consistent(const struct nf_ftq_loop *l)
{
	for (size_t k = 0; k < l->n; k++) {
		assert_true(l->units[k] >= 0);
		assert_true(l->overshoot[k] >= 0);
		if (k == 0)
			continue;
		/* A quantum that passed meanwhile has no unit and the same read behind it; else the read
		 * after its end is a later one, and at least that which passed the end before ended in it. */
		if ((uint64_t)l->overshoot[k - 1] >= l->quantum) {
			assert_int_equal(l->units[k], 0);
			assert_int_equal((uint64_t)l->overshoot[k],
			                 (uint64_t)l->overshoot[k - 1] - l->quantum);
		} else {
			assert_true(l->units[k] >= 1);
		}
	}
}

static void run_loop(nf_ftq_loop_fn *loop, const struct nf_tick_clock *clock, double unit_quantum_s)
{
	struct arrays *a = calloc(1, sizeof(*a));
	struct nf_ftq_loop l = { .work = 20,
		                 .quantum = (uint64_t)(clock->hz * unit_quantum_s),
		                 .n = ROOM,
		                 .stop = &never };
	uint64_t before, after;

	assert_non_null(a);
	l.vector = a->vector;
	l.units = a->units;
	l.overshoot = a->overshoot;
	before = nf_tick_end(clock);
	loop(&l);
	after = nf_tick_end(clock);
	assert_int_equal(l.n, ROOM);
	assert_in_range(l.first_tick, before, after);
	/* The grid has not moved: its end is where it has to be, and was passed by the last overshoot. */
	assert_true(l.first_tick + ROOM * l.quantum + (uint64_t)l.overshoot[ROOM - 1] <= after);
	consistent(&l);
	free(a);
}

static void every_loop_keeps_to_the_grid(void **state)
{
	const struct nf_live *l = *state;
	struct nf_tick_clock monotonic = { .source = NF_TICK_MONOTONIC_RAW, .hz = 1e9 };

	for (int k = 0; k < NF_N_KERNELS; k++) {
		if (l->clock.source != NF_TICK_MONOTONIC_RAW && nf_ftq_on_counter[k]) {
			run_loop(nf_ftq_on_counter[k], &l->clock, 20e-6);
			/* Quanta shorter than a unit: most are empty. */
			run_loop(nf_ftq_on_counter[k], &l->clock, 5e-9);
		}
		run_loop(nf_ftq_on_monotonic[k], &monotonic, 20e-6);
	}
}

static void a_stop_ends_the_loop_with_its_quantum(void **state)
{
	static const volatile sig_atomic_t now = SIGINT;
	struct arrays *a = calloc(1, sizeof(*a));
	struct nf_ftq_loop l = { .work = 20, .quantum = 10000, .n = ROOM, .stop = &now };

	(void)state;
	assert_non_null(a);
	l.units = a->units;
	l.overshoot = a->overshoot;
	nf_ftq_on_monotonic[NF_KERNEL_CHAIN](&l);
	/* Those that had passed meanwhile are kept too. */
	assert_true(l.n >= 1);
	consistent(&l);
	for (size_t k = 1; k < l.n; k++)
		assert_int_equal(l.units[k], 0);
	free(a);
}

/* --- the probe --- */

static struct nf_ftq_cfg config(void)
{
	struct nf_ftq_cfg c;

	memset(&c, 0xff, sizeof(c));
	nf_probe_ftq.defaults(&c);
	c.common.duration_ns = 60 * 1000 * 1000;
	return c;
}

static void a_run_has_every_quantum_of_the_duration(void **state)
{
	struct nf_live *l = *state;
	struct nf_ftq_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };
	const struct nf_ftq_result *r;

	if (nf_probe_ftq.run(&l->env, &c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	r = run.result;
	assert_int_equal(run.stopped_by, 0);
	assert_int_equal(r->n_workers, nf_live_n_cpus(l));
	assert_int_equal(run.n_streams, 2 * r->n_workers);
	assert_true(r->work >= 1);
	assert_true(r->quantum_ticks == (uint64_t)(400000 * l->clock.hz / 1e9 + 0.5));
	for (size_t i = 0; i < r->n_workers; i++) {
		const struct nf_stream *units = &run.streams[2 * i], *over = units + 1;
		struct nf_ftq_loop as = { .units = units->value,
			                  .overshoot = over->value,
			                  .n = units->n,
			                  .quantum = r->quantum_ticks };
		char name[48];

		snprintf(name, sizeof(name), "ftq.cpu%d", r->worker[i].cpu);
		assert_string_equal(units->name, name);
		assert_int_equal(units->kind, NF_KIND_COUNT);
		assert_int_equal(over->unit, NF_UNIT_TICK);
		assert_int_equal(units->n, 150);
		assert_int_equal(over->n, 150);
		assert_true(units->origin_tick != 0 && units->origin_tick == over->origin_tick);
		consistent(&as);
		/* The grid lies within the time around it; the clocks' rates differ a little. */
		assert_true((double)r->worker[i].wall_ns >= 150 * 400e3 * 0.999);
		if (nf_live_faults_are_ours())
			assert_int_equal(r->worker[i].major_faults, 0);
	}
	nf_probe_run_fini(&nf_probe_ftq, &run);
}

static void a_stop_in_the_middle_keeps_what_there_is(void **state)
{
	struct nf_live *l = *state;
	struct nf_ftq_cfg c = config();
	struct nf_probe_run run = { 0 };
	char cpu[16];

	skip_unless(nf_live_n_cpus(l) > 1, "two-cpus", "progress is not told on the only CPU");
	c.common.cpus = nf_live_one_cpu(l, cpu);
	c.common.duration_ns = INT64_C(100000000000);
	/* The stop may come before a loaded machine has let the worker begin: then a later one. */
	size_t kept = 0;
	for (int at = 1; at <= 64 && kept == 0; at *= 4) {
		l->stop_at_progress = at;
		l->n_progress = 0;
		l->stop.signo = 0;
		assert_int_equal(nf_probe_ftq.run(&l->env, &c, &run, NULL), 0);
		assert_int_equal(run.stopped_by, SIGINT);
		kept = run.streams[0].n;
		assert_int_equal(kept, run.streams[1].n);
		nf_probe_run_fini(&nf_probe_ftq, &run);
	}
	assert_in_range(kept, 1, 250000 - 1);
	l->stop.signo = 0;
	l->stop_at_progress = 0;
}

/* Bursts of four quanta, where they were and as long as they were: the quanta that lie inside have done
 * nothing, and the grid before and after them is the same. */
static void an_interruption_of_some_quanta_leaves_them_empty(void **state)
{
	struct nf_live *l = *state;
	const struct nf_interferer_tone tone = { 50 * 1000 * 1000, 1600 * 1000, 0 };
	struct nf_interferer_cfg ic = {
		.topo = l->topo, .clock = &l->clock, .tone = &tone, .n_tones = 1, .max_bursts = 1000
	};
	struct nf_ftq_cfg c = config();
	struct nf_interferer *it = NULL;
	struct nf_interferer_log log = { 0 };
	struct nf_probe_run run = { 0 };
	size_t inside = 0;
	char cpu[16];
	struct nf_err e = { 0 };

	c.common.cpus = nf_live_one_cpu(l, cpu);
	c.common.duration_ns = 400 * 1000 * 1000;
	ic.cpu = nf_cpuset_next(nf_topology_allowed(l->topo), -1);
	ic.origin_ns = nf_now_monotonic().ns;
	assert_int_equal(nf_interferer_start(&ic, &it, NULL), 0);
	bool fifo = nf_interferer_policy(it, NULL) == NF_POLICY_FIFO;
	int rc = nf_probe_ftq.run(&l->env, &c, &run, &e);
	nf_interferer_stop(it, &log);
	if (rc != 0)
		fail_msg("%s", e.msg);
	const struct nf_ftq_result *r = run.result;
	const struct nf_stream *units = &run.streams[0];

	for (size_t b = 0; b < log.n; b++)
		for (size_t k = 0; k < units->n; k++) {
			uint64_t from = units->origin_tick + k * r->quantum_ticks;

			if (from < log.burst[b].begin_tick ||
			    from + r->quantum_ticks > log.burst[b].end_tick)
				continue;
			inside++;
			/* Under another policy a burst may be broken up. */
			if (fifo)
				assert_int_equal(units->value[k], 0);
		}
	nf_interferer_log_fini(&log);
	nf_probe_run_fini(&nf_probe_ftq, &run);
	skip_unless(fifo, "realtime", "no realtime policy for the interferer");
	assert_true(inside >= 3);
}

static void refuse(struct nf_live *l, const struct nf_ftq_cfg *c, int code, const char *says)
{
	struct nf_probe_run run = { .stopped_by = 77 };
	struct nf_err e = { 0 };

	assert_int_equal(nf_probe_ftq.check(&l->env, c, &e), code);
	if (!strstr(e.msg, says))
		fail_msg("'%s' does not say '%s'", e.msg, says);
	assert_int_equal(nf_probe_ftq.run(&l->env, c, &run, &e), code);
	assert_int_equal(run.stopped_by, 77);
}

static void what_cannot_be_is_refused(void **state)
{
	struct nf_live *l = *state;
	struct nf_ftq_cfg c = config();

	c.quantum_ns = 9999;
	refuse(l, &c, -NF_EARG, "quantum of 9999 ns");
	c = config();
	c.unit_ns = 49;
	refuse(l, &c, -NF_EARG, "units of 49 ns");
	c.unit_ns = 40001;
	refuse(l, &c, -NF_EARG, "a 10th of the quantum (40000 ns)");
	c = config();
	c.common.duration_ns = -1;
	refuse(l, &c, -NF_EARG, "must not be negative");
	c = config();
	c.common.max_sample_bytes = 1000;
	refuse(l, &c, -NF_EARG, "exceed the sample memory of 1000 bytes");
	/* Some 10^15 quanta. */
	c = config();
	c.common.duration_ns = INT64_MAX;
	c.quantum_ns = 10000;
	refuse(l, &c, -NF_EARG, "exceed the sample memory");
	c = config();
	c.common.policy = NF_POLICY_DEADLINE;
	refuse(l, &c, -NF_EARG, "policy deadline");
	c = config();
	c.kernel = NF_N_KERNELS;
	refuse(l, &c, -NF_EARG, "no such kernel");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_loop_keeps_to_the_grid),
	cmocka_unit_test(a_stop_ends_the_loop_with_its_quantum),
	cmocka_unit_test(a_run_has_every_quantum_of_the_duration),
	cmocka_unit_test(a_stop_in_the_middle_keeps_what_there_is),
	cmocka_unit_test(an_interruption_of_some_quanta_leaves_them_empty),
	cmocka_unit_test(what_cannot_be_is_refused),
};
NF_UNIT_MAIN_WITH(tests, nf_live_open_clock, nf_live_close)
