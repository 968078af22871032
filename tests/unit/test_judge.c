/* SPDX-License-Identifier: MIT */
/* What a step says of its limits: one that is exceeded fails whatever was lost; one that holds on
 * incomplete samples is undecided. */
#include <signal.h>

#include "job/step.h"
#include "measure/probe_wake.h"
#include "nf_unit.h"
#include "record/rec_clock.h"
#include "record/rec_hwlat.h"
#include "record/rec_noise.h"
#include "record/rec_numa.h"
#include "record/rec_smi.h"
#include "record/rec_wake.h"

enum samples { COMPLETE, DROPPED, SATURATED, MISSED, TRUNCATED, STOPPED, N_SAMPLES };
enum { PERIOD_NS = 4000000, ACTIVATIONS = 10 };

struct verdict {
	int result;
	bool undecided;
	bool has_reason;
	bool has_limit;
};

static struct nf_rec_facts facts_of(enum samples samples)
{
	return (struct nf_rec_facts){
		.result = NF_RESULT_PASS,
		.dropped = samples == DROPPED,
		.saturated = samples == SATURATED,
		.missed = samples == MISSED,
		.truncated = samples == TRUNCATED,
	};
}

static struct verdict judge(const char *step, const void *body, const struct nf_job_budget *budget,
                            enum samples samples)
{
	const struct nf_step_kind *kind = nf_step_find(step);
	struct nf_session session = { 0 };
	const struct nf_probe_run run = { .stopped_by = samples == STOPPED ? SIGINT : 0 };
	const struct nf_step_input in = { .session = &session, .budget = budget, .run = &run };
	struct nf_rec_facts facts = facts_of(samples);

	assert_non_null(kind);
	nf_arena_init(&session.arena, 1 << 20);
	bool undecided = kind->judge(&in, body, &facts);
	struct verdict v = { facts.result, undecided, facts.reason != NULL, facts.limit != NULL };
	nf_arena_fini(&session.arena);
	return v;
}

/* The rule, for a step with a limit. */
static void expect_rule(const char *step, const void *holds, const void *exceeds,
                        const struct nf_job_budget *budget)
{
	for (enum samples s = COMPLETE; s < N_SAMPLES; s++) {
		struct verdict v = judge(step, exceeds, budget, s);

		if (v.result != NF_RESULT_FAIL || v.undecided || !v.has_reason || !v.has_limit)
			fail_msg("%s, exceeded, samples %d: result %d undecided %d", step, s,
			         v.result, v.undecided);
		v = judge(step, holds, budget, s);
		bool whole = s == COMPLETE;
		if (v.result != (whole ? NF_RESULT_PASS : NF_RESULT_PARTIAL) ||
		    v.undecided == whole || v.has_reason == whole || !v.has_limit)
			fail_msg("%s, holds, samples %d: result %d undecided %d", step, s, v.result,
			         v.undecided);
	}
}

/* Without a limit nothing is judged, so nothing is undecided. */
static void expect_silence(const char *step, const void *body)
{
	const struct nf_job_budget none = nf_job_budget_default();

	for (enum samples s = COMPLETE; s < N_SAMPLES; s++) {
		struct verdict v = judge(step, body, &none, s);

		if (v.result != NF_RESULT_PASS || v.undecided || v.has_reason || v.has_limit)
			fail_msg("%s, no limit, samples %d: result %d", step, s, v.result);
	}
}

static void smi_counts_follow_the_rule(void **state)
{
	const struct nf_rec_smi_body few = { .trusted = true, .max_count = 3 };
	const struct nf_rec_smi_body many = { .trusted = true, .max_count = 4 };
	const struct nf_job_budget b = { .has_max_smi = true, .max_smi = 3 };

	(void)state;
	expect_rule("smi", &few, &many, &b);
	expect_silence("smi", &many);
}

static void an_untrusted_smi_count_decides_nothing(void **state)
{
	const struct nf_rec_smi_body body = { .trusted = false };
	const struct nf_job_budget b = { .has_max_smi = true, .max_smi = 3 }, none = { 0 };

	(void)state;
	for (enum samples s = COMPLETE; s < N_SAMPLES; s++) {
		struct verdict v = judge("smi", &body, &b, s);

		assert_int_equal(v.result, NF_RESULT_PARTIAL);
		assert_true(v.undecided && v.has_reason);
		v = judge("smi", &body, &none, s);
		assert_int_equal(v.result, NF_RESULT_PARTIAL);
		assert_false(v.undecided);
	}
}

static void hwlat_gaps_follow_the_rule(void **state)
{
	const struct nf_rec_hwlat_body none = { .threshold_us = 10 };
	const struct nf_rec_hwlat_body small = { .threshold_us = 10, .max_ns = nf_some_nat(20000) };
	const struct nf_rec_hwlat_body large = { .threshold_us = 10, .max_ns = nf_some_nat(20001) };
	const struct nf_job_budget b = { .has_max_hwlat_ns = true, .max_hwlat_ns = 20000 };

	(void)state;
	expect_rule("hwlat", &none, &large, &b);
	expect_rule("hwlat", &small, &large, &b);
	expect_silence("hwlat", &large);
}

static void a_tracer_that_cannot_see_the_limit_decides_only_failures(void **state)
{
	const struct nf_rec_hwlat_body none = { .threshold_us = 21 };
	const struct nf_rec_hwlat_body large = { .threshold_us = 21, .max_ns = nf_some_nat(30000) };
	const struct nf_job_budget b = { .has_max_hwlat_ns = true, .max_hwlat_ns = 20000 };

	(void)state;
	struct verdict v = judge("hwlat", &none, &b, COMPLETE);
	assert_int_equal(v.result, NF_RESULT_PARTIAL);
	assert_true(v.undecided);
	assert_int_equal(judge("hwlat", &large, &b, COMPLETE).result, NF_RESULT_FAIL);
}

static void noise_follows_the_rule(void **state)
{
	const struct nf_rec_noise_body quiet = { .noise_ratio = nf_some_real(0.1),
		                                 .worst_detour_ns = nf_some_real(50000) };
	const struct nf_rec_noise_body noisy = { .noise_ratio = nf_some_real(0.11),
		                                 .worst_detour_ns = nf_some_real(50000) };
	const struct nf_rec_noise_body jumpy = { .noise_ratio = nf_some_real(0.1),
		                                 .worst_detour_ns = nf_some_real(50001) };
	const struct nf_job_budget ratio = { .has_max_noise_ratio = true, .max_noise_ratio = 0.1 };
	const struct nf_job_budget detour = { .has_max_detour_ns = true, .max_detour_ns = 50000 };
	struct nf_job_budget both = ratio;

	(void)state;
	both.has_max_detour_ns = true;
	both.max_detour_ns = 50000;
	expect_rule("fwq", &quiet, &noisy, &ratio);
	expect_rule("fwq", &quiet, &jumpy, &detour);
	expect_rule("fwq", &quiet, &noisy, &both);
	expect_rule("fwq", &quiet, &jumpy, &both);
	expect_silence("fwq", &noisy);
}

static void noise_without_a_sample_is_undecided(void **state)
{
	const struct nf_rec_noise_body nothing = { .kernel = "chain" };
	const struct nf_job_budget b = { .has_max_noise_ratio = true, .max_noise_ratio = 0.1 };

	(void)state;
	struct verdict v = judge("fwq", &nothing, &b, COMPLETE);
	assert_int_equal(v.result, NF_RESULT_PARTIAL);
	assert_true(v.undecided);
}

static void the_clock_has_no_limit(void **state)
{
	const struct nf_rec_clock_body body = { .drift_ppm = nf_some_real(500) };

	(void)state;
	expect_silence("clock", &body);
}

static void sums_that_differ_fail_whatever_was_lost(void **state)
{
	const struct nf_job_budget none = nf_job_budget_default();
	struct nf_rec_numa_body body = { .channels = 100, .samples = 2500 };

	(void)state;
	expect_silence("numa", &body);
	body.difference = nf_some_real(1e-9);
	expect_silence("numa", &body);
	for (int sign = -1; sign <= 1; sign += 2) {
		body.difference = nf_some_real(sign * 1.0);
		for (enum samples s = COMPLETE; s < N_SAMPLES; s++)
			assert_int_equal(judge("numa", &body, &none, s).result, NF_RESULT_FAIL);
	}
}

/* --- wake: what can be decided is decided where the intervals are --- */

struct made {
	struct nf_stream stream[4];
	struct nf_wake_worker worker[2];
	struct nf_wake_result result;
};

/* Wake-ups on the grid; the last one late by late_ns. */
static void make_worker(struct made *m, size_t i, int64_t late_ns, enum samples samples)
{
	struct nf_stream *lateness = &m->stream[2 * i], *wake = &m->stream[2 * i + 1];
	char name[32];

	snprintf(name, sizeof(name), "wake.cpu%zu.lateness", i);
	assert_int_equal(nf_stream_init(lateness, name, ACTIVATIONS, NULL), 0);
	snprintf(name, sizeof(name), "wake.cpu%zu.wake", i);
	assert_int_equal(nf_stream_init(wake, name, ACTIVATIONS, NULL), 0);
	lateness->unit = wake->unit = NF_UNIT_NS;
	wake->kind = NF_KIND_INSTANT;
	for (int k = 0; k < ACTIVATIONS; k++) {
		int64_t late = k == ACTIVATIONS - 1 ? late_ns : 0;

		nf_stream_put(lateness, late);
		nf_stream_put(wake, k * (int64_t)PERIOD_NS + late);
	}
	m->worker[i] = (struct nf_wake_worker){ .cpu = (int)i, .n_due = ACTIVATIONS };
	if (samples == DROPPED) {
		nf_stream_put(lateness, 0);
		nf_stream_put(wake, ACTIVATIONS * (int64_t)PERIOD_NS);
		m->worker[i].n_due++;
		assert_int_equal(lateness->n_dropped, 1);
	}
}

static struct verdict judge_wake(const int64_t late_ns[2], enum samples second, bool stopped)
{
	const struct nf_step_kind *kind = nf_step_find("wake");
	const struct nf_job_budget budget = nf_job_budget_for_period(PERIOD_NS);
	struct nf_session session = { 0 };
	struct made m = { .result = { .period_ns = PERIOD_NS, .n_workers = 2 } };
	struct nf_probe_run run = { .streams = m.stream,
		                    .n_streams = 4,
		                    .stopped_by = stopped ? SIGTERM : 0,
		                    .result = &m.result };
	const struct nf_step_input in = { .session = &session, .budget = &budget, .run = &run };
	struct nf_rec_facts facts = facts_of(second);
	struct nf_rec_wake_body body;
	struct nf_err err;

	m.result.worker = m.worker;
	make_worker(&m, 0, late_ns[0], COMPLETE);
	make_worker(&m, 1, late_ns[1], second);
	nf_arena_init(&session.arena, 1 << 20);
	if (kind->body(&in, &body, &err) != 0)
		fail_msg("%s", err.msg);
	bool undecided = kind->judge(&in, &body, &facts);
	struct verdict v = { facts.result, undecided, facts.reason != NULL, facts.limit != NULL };
	nf_arena_fini(&session.arena);
	for (int i = 0; i < 4; i++)
		nf_stream_fini(&m.stream[i]);
	return v;
}

static void wake_ups_follow_the_rule(void **state)
{
	static const int64_t in_time[2] = { 0, 0 }, first[2] = { 2000000, 0 },
	                     second[2] = { 0, 2000000 };
	static const struct {
		enum samples samples;
		bool stopped;
	} cases[] = {
		{ COMPLETE, false }, { DROPPED, false }, { COMPLETE, true }, { DROPPED, true }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool whole = cases[i].samples == COMPLETE && !cases[i].stopped;
		struct verdict v = judge_wake(in_time, cases[i].samples, cases[i].stopped);

		assert_int_equal(v.result, whole ? NF_RESULT_PASS : NF_RESULT_PARTIAL);
		assert_int_equal(v.undecided, !whole);
		assert_int_equal(v.has_reason, !whole);
		assert_true(v.has_limit);
		/* Whichever worker is late, and whether it is the one that lost samples. */
		for (int k = 0; k < 2; k++) {
			v = judge_wake(k ? second : first, cases[i].samples, cases[i].stopped);
			assert_int_equal(v.result, NF_RESULT_FAIL);
			assert_false(v.undecided);
			assert_true(v.has_reason);
		}
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(smi_counts_follow_the_rule),
	cmocka_unit_test(an_untrusted_smi_count_decides_nothing),
	cmocka_unit_test(hwlat_gaps_follow_the_rule),
	cmocka_unit_test(a_tracer_that_cannot_see_the_limit_decides_only_failures),
	cmocka_unit_test(noise_follows_the_rule),
	cmocka_unit_test(noise_without_a_sample_is_undecided),
	cmocka_unit_test(the_clock_has_no_limit),
	cmocka_unit_test(sums_that_differ_fail_whatever_was_lost),
	cmocka_unit_test(wake_ups_follow_the_rule),
};
NF_UNIT_MAIN(tests)
