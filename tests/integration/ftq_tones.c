/* SPDX-License-Identifier: MIT */
/*
 * ftq on this host: the kernel's tick is found within half a hertz, and so are two tones that are injected.
 *
 * The loop runs under a realtime policy in every other attempt, so that other programs take little of the CPU away;
 * the interferer outranks it. None of it can pass by luck: noise puts a line anywhere in one of a hundred
 * spectra, and within half a hertz of a given frequency in one of a hundred thousand. Attempts that
 * all fail are a failure, unless others had more than half of the CPU in each of them.
 */
#include <math.h>

#include "machine/posture.h"
#include "measure/interferer.h"
#include "measure/probe_ftq.h"
#include "nf_live.h"
#include "stats/spectrum.h"

enum { ATTEMPTS = 4 };
#define WITHIN_HZ 0.5
#define BUSY 0.5 /* share of quanta without a unit of work */

struct attempt {
	struct nf_spectrum spectrum;
	double empty_ratio;
	double timer_hz; /* local timer interrupts a second on the CPU; 0: unknown */
};

/* Of five seconds on one CPU: bins are a fifth of a hertz. */
static bool measure(struct nf_live *l, int cpu, bool fifo, struct attempt *ret)
{
	struct nf_ftq_cfg c;
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };
	char list[16];
	size_t empty = 0;

	nf_probe_ftq.defaults(&c);
	snprintf(list, sizeof(list), "%d", cpu);
	c.common.cpus = list;
	c.common.duration_ns = INT64_C(5000000000);
	if (fifo) {
		c.common.policy = NF_POLICY_FIFO;
		c.common.priority = 10; /* below the interferer's */
	}
	if (nf_probe_ftq.check(&l->env, &c, &e) != 0)
		return false; /* no such policy here, or no other CPU */
	if (nf_probe_ftq.run(&l->env, &c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	const struct nf_ftq_result *r = run.result;
	const struct nf_stream *s = &run.streams[0];

	if (nf_spectrum_lines(s->value, s->n, l->clock.hz / (double)r->quantum_ticks,
	                      &ret->spectrum, &e) != 0)
		fail_msg("%s", e.msg);
	for (size_t k = 0; k < s->n; k++)
		empty += s->value[k] == 0;
	ret->empty_ratio = (double)empty / (double)s->n;
	ret->timer_hz = 0;
	for (size_t i = 0; i < run.bracket.n_cpus; i++)
		if (run.bracket.cpu[i].cpu == cpu && run.bracket.cpu[i].timer_interrupts.some)
			ret->timer_hz = (double)run.bracket.cpu[i].timer_interrupts.v * 1e9 /
			                (double)run.wall_ns;
	printf("# policy %s, %.1f %% of the quanta empty, %.0f timer interrupts a second:\n",
	       fifo ? "fifo" : "other", 100 * ret->empty_ratio, ret->timer_hz);
	for (size_t i = 0; i < ret->spectrum.n_named; i++)
		printf("#   %.3f Hz, %zu harmonics, %.3g of the variance, %.3g x the noise, "
		       "comb of %zu, chance %.2g\n",
		       ret->spectrum.line[i].hz, ret->spectrum.line[i].n_harmonics,
		       ret->spectrum.line[i].with_harmonics_ratio,
		       ret->spectrum.line[i].floor_ratio, ret->spectrum.line[i].n_teeth,
		       ret->spectrum.line[i].chance);
	nf_probe_run_fini(&nf_probe_ftq, &run);
	return true;
}

static bool named(const struct nf_spectrum *s, double hz)
{
	for (size_t i = 0; i < s->n_named; i++)
		if (fabs(s->line[i].hz - hz) <= WITHIN_HZ)
			return true;
	return false;
}

static int last_cpu(const struct nf_live *l)
{
	int last = -1;

	for (int cpu = -1; (cpu = nf_cpuset_next(nf_topology_allowed(l->topo), cpu)) >= 0;)
		last = cpu;
	return last;
}

static void the_kernel_s_tick_is_found_within_half_a_hertz(void **state)
{
	struct nf_live *l = *state;
	struct nf_posture p = { 0 };
	struct nf_arena arena;
	struct attempt a = { .empty_ratio = 0 };
	bool ticks = false, busy = true;
	double hz = 0;

	nf_arena_init(&arena, 1 << 20);
	if (nf_posture_read(&l->root, &arena, &p, NULL) == 0 && p.config_hz.some)
		hz = (double)p.config_hz.v;
	nf_arena_fini(&arena);
	skip_unless(hz > 0, "kernel-config", "the kernel's configuration cannot be read");
	for (int i = 0; i < ATTEMPTS; i++) {
		if (!measure(l, last_cpu(l), i % 2 == 0, &a))
			continue;
		/* The one kind of CPU on which it stands still while a thread runs (nohz_full). */
		if (a.timer_hz >= 0.8 * hz)
			ticks = true;
		if (named(&a.spectrum, hz))
			return;
		busy = busy && a.empty_ratio > BUSY;
	}
	skip_unless(ticks, "ticking-cpu", "no tick on the measured CPU");
	skip_unless(!busy, "idle-cpu", "other programs had most of the measured CPU");
	fail_msg("no line at %g Hz", hz);
}

static void two_injected_tones_are_both_named(void **state)
{
	static const struct nf_interferer_tone tone[] = {
		{ .period_ns = 100000000, .length_ns = 300000 }, /* 10 Hz */
		{ .period_ns = 27027027, .length_ns = 300000, .phase_ns = 5000000 }, /* 37 Hz */
	};
	struct nf_live *l = *state;
	struct nf_interferer_cfg c = { .topo = l->topo,
		                       .clock = &l->clock,
		                       .cpu = last_cpu(l),
		                       .tone = tone,
		                       .n_tones = 2,
		                       .max_bursts = 100000 };
	struct attempt a = { .empty_ratio = 0 };
	bool busy = true;

	for (int i = 0; i < ATTEMPTS; i++) {
		struct nf_interferer *it = NULL;
		struct nf_interferer_log log = { 0 };
		struct nf_err e = { 0 };
		bool measured;

		c.origin_ns = nf_now_monotonic().ns;
		if (nf_interferer_start(&c, &it, &e) != 0)
			fail_msg("%s", e.msg);
		bool fifo = nf_interferer_policy(it, NULL) == NF_POLICY_FIFO;

		measured = measure(l, c.cpu, i % 2 == 0, &a);
		nf_interferer_stop(it, &log);
		nf_interferer_log_fini(&log);
		skip_unless(fifo, "realtime", "the interferer got no realtime policy");
		if (measured && named(&a.spectrum, 10) && named(&a.spectrum, 37))
			return;
		busy = busy && (!measured || a.empty_ratio > BUSY);
	}
	skip_unless(!busy, "idle-cpu", "other programs had most of the measured CPU");
	fail_msg("10 Hz and 37 Hz are not both among %zu lines", a.spectrum.n_named);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_kernel_s_tick_is_found_within_half_a_hertz),
	cmocka_unit_test(two_injected_tones_are_both_named),
};
NF_UNIT_MAIN_WITH(tests, nf_live_open_clock, nf_live_close)
