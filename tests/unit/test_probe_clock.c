/* SPDX-License-Identifier: MIT */
/* The clock probe on this host: structure and what must agree, never absolute times. */
#include "measure/probe_clock.h"
#include "nf_live.h"

#include <math.h>

static const struct nf_stream *find(const struct nf_probe_run *run, const char *name)
{
	for (size_t i = 0; i < run->n_streams; i++)
		if (strcmp(run->streams[i].name, name) == 0)
			return &run->streams[i];
	return NULL;
}

/* The stream, which must be there. */
static const struct nf_stream *need(const struct nf_probe_run *run, const char *name)
{
	const struct nf_stream *s = find(run, name);

	if (!s) {
		fail_msg("no stream %s", name);
		abort();
	}
	return s;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static double median_ns(const struct nf_stream *s)
{
	qsort(s->value, s->n, sizeof(*s->value), by_value);
	return nf_stream_ns(s, s->value[s->n / 2]);
}

static void every_way_to_read_has_a_stream_and_drift_has_its_times(void **state)
{
	static const char *const calls[] = { "clock.gettime_monotonic",
		                             "clock.gettime_monotonic_raw",
		                             "clock.gettime_realtime", "clock.syscall_monotonic" };
	struct nf_live *h = *state;
	const struct nf_clock_result *r;
	struct nf_clock_cfg c;
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };
	size_t n_reads = 0;

	nf_probe_clock.defaults(&c);
	c.common.duration_ns = 50 * 1000 * 1000;
	assert_int_equal(nf_probe_clock.check(&h->env, &c, &e), 0);
	for (int i = 0; i < NF_LIVE_FAULT_TRIES && (i == 0 || run.faults_inside > 0); i++) {
		nf_probe_run_fini(&nf_probe_clock, &run);
		if (nf_probe_clock.run(&h->env, &c, &run, &e) != 0)
			fail_msg("%s", e.msg);
		if (!nf_live_faults_are_ours())
			break;
	}
	r = run.result;
	assert_true(r->clock.hz == h->clock.hz);
	assert_true(r->n_skew >= 1 && r->n_skew <= nf_live_n_cpus(h));
	if (nf_live_faults_are_ours())
		assert_int_equal(run.faults_inside, 0);
	assert_true(run.wall_ns > 0);
	for (size_t i = 0; i < 4; i++)
		assert_non_null(need(&run, calls[i]));
	for (size_t i = 0; i < run.n_streams; i++) {
		struct nf_stream *s = &run.streams[i];

		assert_int_equal(s->n_dropped, 0);
		assert_true(s->n > 0);
		if (s->unit != NF_UNIT_TICK)
			continue;
		n_reads++;
		assert_int_equal(s->kind, NF_KIND_DURATION);
		for (size_t k = 0; k < s->n; k++)
			assert_true(s->value[k] >= 0 || strstr(s->name, "realtime"));
	}
	if (h->clock.source == NF_TICK_MONOTONIC_RAW) {
		assert_int_equal(n_reads, 4);
		assert_null(find(&run, "clock.drift"));
		assert_true(isnan(r->drift_ppm));
	} else {
		const struct nf_stream *drift = need(&run, "clock.drift");
		const struct nf_stream *time = need(&run, "clock.drift.time");

		assert_true(n_reads > 4);
		assert_int_equal(drift->n, time->n);
		assert_true(drift->n >= 10);
		assert_int_equal(drift->value[0], 0);
		assert_int_equal(time->value[0], 0);
		for (size_t k = 1; k < time->n; k++)
			assert_true(time->value[k] > time->value[k - 1]);
		assert_true(isfinite(r->drift_ppm) && r->drift_error_ppm >= 0);
		/* Both rates are of the same two clocks, taken moments apart. */
		assert_true(fabs(r->drift_ppm) < 100);
	}
	assert_true(median_ns(need(&run, calls[3])) > 0);
	printf("# system call %.1f ns, without %.1f ns\n", median_ns(need(&run, calls[3])),
	       median_ns(need(&run, calls[0])));
	nf_probe_run_fini(&nf_probe_clock, &run);
}

static void the_fallback_has_no_stream_of_the_counter(void **state)
{
	struct nf_live *h = *state;
	struct nf_probe_env env = h->env;
	struct nf_tick_clock raw;
	struct nf_clock_cfg c;
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	assert_int_equal(nf_tick_open(&h->root, NF_TICK_WANT_MONOTONIC, &raw, &e), 0);
	env.clock = &raw;
	nf_probe_clock.defaults(&c);
	if (nf_probe_clock.run(&env, &c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	assert_int_equal(run.n_streams, 4);
	for (size_t i = 0; i < run.n_streams; i++)
		assert_true(strstr(run.streams[i].name, "gettime") ||
		            strstr(run.streams[i].name, "syscall"));
	assert_true(isnan(((const struct nf_clock_result *)run.result)->drift_ppm));
	assert_true(run.n_notes >= 1);
	nf_probe_run_fini(&nf_probe_clock, &run);
}

static void a_stop_ends_the_drift_readings_and_keeps_the_rest(void **state)
{
	struct nf_live *h = *state;
	struct nf_clock_cfg c;
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	nf_probe_clock.defaults(&c);
	c.common.duration_ns = INT64_C(3600000000000);
	h->stop.signo = SIGTERM;
	assert_int_equal(nf_probe_clock.run(&h->env, &c, &run, &e), 0);
	assert_int_equal(run.stopped_by, SIGTERM);
	assert_true(need(&run, "clock.gettime_monotonic")->n > 0);
	nf_probe_run_fini(&nf_probe_clock, &run);
}

static void bad_configurations_are_refused(void **state)
{
	struct nf_live *h = *state;
	struct nf_probe_run run = { .stopped_by = 77 };
	struct nf_clock_cfg c;
	struct nf_err e = { 0 };

	nf_probe_clock.defaults(&c);
	c.common.max_sample_bytes = 100;
	assert_int_equal(nf_probe_clock.check(&h->env, &c, &e), -NF_EARG);
	assert_int_equal(nf_probe_clock.run(&h->env, &c, &run, &e), -NF_EARG);
	nf_probe_clock.defaults(&c);
	c.common.duration_ns = -1;
	assert_int_equal(nf_probe_clock.run(&h->env, &c, &run, &e), -NF_EARG);
	nf_probe_clock.defaults(&c);
	c.common.cpus = "64999";
	assert_int_equal(nf_probe_clock.run(&h->env, &c, &run, &e), -NF_EARG);
	assert_non_null(strstr(e.msg, "64999"));
	assert_int_equal(run.stopped_by, 77);
}

static void estimates_do_not_overflow(void **state)
{
	struct nf_live *h = *state;
	struct nf_clock_cfg c;

	nf_probe_clock.defaults(&c);
	assert_true(nf_probe_clock.estimate_ns(&h->env, &c) > 0);
	c.common.duration_ns = INT64_MAX;
	assert_true(nf_probe_clock.estimate_ns(&h->env, &c) > 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, nf_live_open_clock, nf_live_close)
static const struct CMUnitTest tests[] = {
	CASE(every_way_to_read_has_a_stream_and_drift_has_its_times),
	CASE(the_fallback_has_no_stream_of_the_counter),
	CASE(a_stop_ends_the_drift_readings_and_keeps_the_rest),
	CASE(bad_configurations_are_refused),
	CASE(estimates_do_not_overflow),
};

NF_UNIT_MAIN(tests)
