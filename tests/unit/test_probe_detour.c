/* SPDX-License-Identifier: MIT */
/* The gap loop and its probe on this host, with tiny runs: sums and refusals, never absolute times. */
#include "measure/kernels/gap.h"
#include "measure/probe_detour.h"
#include "nf_live.h"

static const volatile sig_atomic_t never = 0;

static struct nf_detour_cfg config(void)
{
	struct nf_detour_cfg c;

	memset(&c, 0xff, sizeof(c));
	nf_probe_detour.defaults(&c);
	c.common.duration_ns = 50 * 1000 * 1000;
	return c;
}

/* --- the loop itself --- */

enum { ROOM = 4096 };

struct arrays {
	int64_t start[ROOM];
	int64_t length[ROOM];
};

/* What holds of every run of a loop, whatever the machine did meanwhile. */
static void consistent(const struct nf_gap_loop *l)
{
	uint64_t span = l->last_tick - l->first_tick;
	uint64_t n_detours = l->n + l->n_dropped;
	uint64_t stored = 0;
	int64_t end = 0;

	assert_true(l->n <= l->room);
	assert_true(l->n_dropped == 0 || l->n == l->room);
	assert_true(n_detours <= l->n_reads);
	assert_true(l->detoured <= span);
	for (size_t i = 0; i < l->n; i++) {
		assert_true(l->length[i] > l->threshold);
		assert_true(l->length[i] <= l->longest);
		assert_true(l->start[i] >= end);
		end = l->start[i] + l->length[i];
		stored += (uint64_t)l->length[i];
	}
	assert_true((uint64_t)end <= span);
	assert_true(l->n_dropped > 0 ? stored < l->detoured : stored == l->detoured);
	/* The gaps add up to the span: what is no detour lies between the shortest gap and the threshold. */
	if (l->shortest >= 0 && l->n_reads > 0) {
		uint64_t quiet = l->n_reads - n_detours;

		assert_true(span - l->detoured >= quiet * (uint64_t)l->shortest);
		if (l->threshold < INT64_MAX)
			assert_true(span - l->detoured <= quiet * (uint64_t)l->threshold);
	}
}

static void run_loop(nf_gap_loop_fn *loop, const struct nf_tick_clock *clock, struct nf_gap_loop *l)
{
	l->stop = &never;
	l->deadline_tick = nf_tick_end(clock) + (uint64_t)(clock->hz / 100);
	loop(l);
	assert_true(l->n_reads > 0);
	assert_true(l->last_tick >= l->deadline_tick);
	consistent(l);
}

static void try_thresholds(nf_gap_loop_fn *loop, const struct nf_tick_clock *clock)
{
	struct arrays *a = calloc(1, sizeof(*a));
	struct nf_gap_loop l = { .threshold = INT64_MAX, .start = a->start, .length = a->length };

	assert_non_null(a);
	/* No gap is a detour. */
	l.room = ROOM;
	run_loop(loop, clock, &l);
	assert_int_equal(l.n, 0);
	assert_int_equal(l.longest, 0);
	assert_int_equal(l.detoured, 0);
	/* Every gap is one: all time is in them, and most find no room. */
	l.threshold = -1;
	run_loop(loop, clock, &l);
	assert_int_equal(l.n, ROOM);
	assert_int_equal(l.n + l.n_dropped, l.n_reads);
	assert_int_equal(l.detoured, l.last_tick - l.first_tick);
	for (size_t i = 1; i < l.n; i++)
		assert_int_equal(l.start[i], l.start[i - 1] + l.length[i - 1]);
	/* In between, with and without room. */
	for (int64_t threshold = 20; threshold < 100000; threshold *= 3)
		for (l.room = ROOM; l.room > 0; l.room /= 64) {
			l.threshold = threshold;
			run_loop(loop, clock, &l);
		}
	l.room = 0;
	run_loop(loop, clock, &l);
	free(a);
}

static void the_gaps_of_the_counters_loop_add_up_to_its_span(void **state)
{
	const struct nf_live *h = *state;

	skip_unless(nf_gap_on_counter && h->clock.source != NF_TICK_MONOTONIC_RAW, "counter",
	            "no counter is used here");
	try_thresholds(nf_gap_on_counter, &h->clock);
}

static void the_gaps_of_the_fallbacks_loop_add_up_to_its_span(void **state)
{
	struct nf_live *h = *state;
	struct nf_tick_clock raw;
	struct nf_err e = { 0 };

	assert_int_equal(nf_tick_open(&h->root, NF_TICK_WANT_MONOTONIC, &raw, &e), 0);
	try_thresholds(nf_gap_monotonic, &raw);
}

static void a_loop_that_is_stopped_or_late_ends_at_once(void **state)
{
	static const volatile sig_atomic_t stopped = SIGINT;
	struct nf_gap_loop l = { .threshold = 0, .deadline_tick = UINT64_MAX, .stop = &stopped };

	(void)state;
	nf_gap_monotonic(&l);
	assert_int_equal(l.n_reads, 0);
	assert_true(l.shortest == INT64_MAX);
	assert_true(l.first_tick == l.last_tick && l.first_tick > 0);
	l.stop = &never;
	l.deadline_tick = 0; /* has passed */
	nf_gap_monotonic(&l);
	assert_int_equal(l.n_reads, 0);
	assert_int_equal(l.n + l.n_dropped, 0);
}

/* --- the probe --- */

static void check_worker(const struct nf_live *h, const struct nf_probe_run *run, size_t i)
{
	const struct nf_detour_result *r = run->result;
	const struct nf_detour_worker *w = &r->worker[i];
	const struct nf_stream *start = &run->streams[2 * i], *length = &run->streams[2 * i + 1];
	char name[48];
	double sum = 0, longest = 0;
	int64_t end = 0;

	snprintf(name, sizeof(name), "detour.cpu%d.start", w->cpu);
	assert_string_equal(start->name, name);
	snprintf(name, sizeof(name), "detour.cpu%d.length", w->cpu);
	assert_string_equal(length->name, name);
	assert_int_equal(start->kind, NF_KIND_INSTANT);
	assert_int_equal(length->kind, NF_KIND_DURATION);
	assert_string_equal(start->origin, "start of the run");
	assert_string_equal(start->clock, nf_tick_name(h->env.clock->source));
	assert_string_equal(length->clock, start->clock);
	assert_int_equal(start->unit, NF_UNIT_TICK);
	assert_int_equal(length->unit, NF_UNIT_TICK);
	assert_int_equal(start->n, length->n);
	assert_int_equal(start->n_dropped, length->n_dropped);
	assert_true(start->origin_tick > 0);
	assert_int_equal(start->origin_tick, length->origin_tick);
	assert_int_equal(start->cpu, w->cpu);
	assert_int_equal(w->n_detours, length->n + length->n_dropped);
	assert_true(w->looked);
	assert_true(w->loop_min_ns <= w->smallest_ns);
	assert_true(w->smallest_ns <= w->threshold_ns);
	assert_true(w->n_reads >= w->n_detours);
	assert_true(w->detoured_ns <= w->span_ns);
	assert_true(w->span_ns <= (double)w->wall_ns * 1.001);
	for (size_t k = 0; k < start->n; k++) {
		double ns = nf_stream_ns(length, length->value[k]);

		assert_true(start->value[k] >= end);
		assert_true(length->value[k] > w->threshold_ticks);
		end = start->value[k] + length->value[k];
		sum += ns;
		longest = ns > longest ? ns : longest;
	}
	assert_true(nf_stream_ns(start, end) <= w->span_ns * (1 + 1e-12));
	if (length->n_dropped == 0) {
		assert_true(sum <= w->detoured_ns * (1 + 1e-9) &&
		            sum >= w->detoured_ns * (1 - 1e-9));
		assert_true(longest == w->longest_ns);
	}
}

static void a_run_gives_two_streams_per_cpu_that_lie_on_the_clock(void **state)
{
	struct nf_live *h = *state;
	struct nf_detour_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };
	uint64_t before = nf_tick_start(&h->clock);

	if (nf_probe_detour.run(&h->env, &c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	const struct nf_detour_result *r = run.result;
	assert_int_equal(r->n_workers, nf_live_n_cpus(h));
	assert_int_equal(run.n_streams, 2 * nf_live_n_cpus(h));
	for (size_t i = 0; i < r->n_workers; i++) {
		const struct nf_stream *s = &run.streams[2 * i];
		double ticks = r->worker[i].span_ns * h->clock.hz / 1e9;

		check_worker(h, &run, i);
		assert_true(s->origin_tick > before);
		assert_true(s->origin_tick + (uint64_t)ticks <= nf_tick_end(&h->clock) + 1);
		/* By default the threshold is the multiple that the header names. */
		double multiple = r->worker[i].threshold_ns / r->worker[i].smallest_ns;
		assert_true(multiple > NF_DETOUR_FACTOR - 0.001 &&
		            multiple < NF_DETOUR_FACTOR + 0.001);
	}
	/* The rate has an error of some ppm. */
	assert_true(run.wall_ns >= c.common.duration_ns / 1000 * 999);
	assert_int_equal(run.stopped_by, 0);
	assert_true(run.overhead_ns > 0);
	assert_true(nf_cpuset_equal(&run.cpus_got, nf_topology_allowed(h->topo)));
	nf_probe_run_fini(&nf_probe_detour, &run);
}

static void the_fallback_clock_works(void **state)
{
	struct nf_live *h = *state;
	struct nf_detour_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_live on_raw = *h;
	struct nf_err e = { 0 };

	assert_int_equal(nf_tick_open(&h->root, NF_TICK_WANT_MONOTONIC, &on_raw.clock, &e), 0);
	on_raw.env.clock = &on_raw.clock;
	if (nf_probe_detour.run(&on_raw.env, &c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	for (size_t i = 0; i < run.n_streams / 2; i++)
		check_worker(&on_raw, &run, i);
	assert_true(run.streams[0].tick_hz == 1e9);
	nf_probe_run_fini(&nf_probe_detour, &run);
}

static void a_run_without_any_detour_still_ends_by_time(void **state)
{
	struct nf_live *h = *state;
	struct nf_detour_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	c.threshold_ns = INT64_C(1000000000) * 1000;
	if (nf_probe_detour.run(&h->env, &c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	const struct nf_detour_result *r = run.result;
	for (size_t i = 0; i < r->n_workers; i++) {
		assert_int_equal(run.streams[2 * i].n, 0);
		assert_int_equal(r->worker[i].n_detours, 0);
		assert_true(r->worker[i].longest_ns == 0);
		assert_true(r->worker[i].detoured_ns == 0);
		assert_true(r->worker[i].n_reads > 0);
	}
	assert_true(run.wall_ns >= c.common.duration_ns / 1000 * 999);
	nf_probe_run_fini(&nf_probe_detour, &run);
}

static void a_full_buffer_drops_and_counts_until_the_time_is_over(void **state)
{
	struct nf_live *h = *state;
	struct nf_detour_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };
	char one[16];

	/* As near to what the loop can tell as it takes: then a good part of all gaps are detours. */
	c.common.cpus = nf_live_one_cpu(h, one);
	c.common.max_sample_bytes = (size_t)1024 * 16;
	c.threshold_ns = 2;
	while (nf_probe_detour.run(&h->env, &c, &run, &e) != 0) {
		assert_true(c.threshold_ns < INT64_C(1000000000));
		c.threshold_ns += 1 + c.threshold_ns / 10;
	}
	const struct nf_detour_result *r = run.result;
	assert_int_equal(r->n_workers, 1);
	check_worker(h, &run, 0);
	assert_int_equal(run.streams[1].n, 1024);
	assert_true(run.streams[1].n_dropped > 0);
	assert_true(nf_live_noted(&run, "counts and sums alone"));
	assert_true(run.wall_ns >= c.common.duration_ns / 1000 * 999);
	nf_probe_run_fini(&nf_probe_detour, &run);
}

static void no_page_fault_happens_between_the_first_and_the_last_read(void **state)
{
	struct nf_live *h = *state;
	struct nf_detour_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	skip_unless(nf_live_faults_are_ours(), "plain-build",
	            "valgrind and ThreadSanitizer fault pages in the program's name");
	uint64_t fewest = UINT64_MAX;
	for (int i = 0; i < NF_LIVE_FAULT_TRIES && fewest > 0; i++) {
		if (nf_probe_detour.run(&h->env, &c, &run, &e) != 0)
			fail_msg("%s", e.msg);
		fewest = run.faults_inside < fewest ? run.faults_inside : fewest;
		nf_probe_run_fini(&nf_probe_detour, &run);
	}
	assert_int_equal(fewest, 0);
}

static void a_stop_before_the_start_is_a_partial_run_and_no_failure(void **state)
{
	struct nf_live *h = *state;
	struct nf_detour_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	h->stop.signo = SIGTERM;
	assert_int_equal(nf_probe_detour.run(&h->env, &c, &run, &e), 0);
	assert_int_equal(run.stopped_by, SIGTERM);
	const struct nf_detour_result *r = run.result;
	for (size_t i = 0; i < r->n_workers; i++) {
		assert_false(r->worker[i].looked);
		assert_int_equal(r->worker[i].n_reads, 0);
		assert_true(r->worker[i].span_ns == 0);
	}
	nf_probe_run_fini(&nf_probe_detour, &run);
}

static void a_stop_request_keeps_what_was_measured(void **state)
{
	struct nf_live *h = *state;
	struct nf_detour_cfg c = config();
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };
	char one[16];

	skip_unless(nf_live_n_cpus(h) > 1, "two-cpus", "one allowed CPU");
	c.common.cpus = nf_live_one_cpu(h, one);
	c.common.duration_ns = INT64_C(600000000000);
	c.common.max_sample_bytes = (size_t)1 << 20;
	/* The stop may come before a loaded machine has let the worker begin: then a later one. */
	bool looked = false;
	for (int at = 2; at <= 128 && !looked; at *= 4) {
		h->n_progress = 0;
		h->stop_at_progress = at;
		h->stop.signo = 0;
		assert_int_equal(nf_probe_detour.run(&h->env, &c, &run, &e), 0);
		assert_int_equal(run.stopped_by, SIGINT);
		assert_true(run.wall_ns < c.common.duration_ns);
		looked = ((const struct nf_detour_result *)run.result)->worker[0].looked;
		if (looked)
			check_worker(h, &run, 0);
		nf_probe_run_fini(&nf_probe_detour, &run);
	}
	assert_true(looked);
}

static void refused(const struct nf_live *h, const struct nf_detour_cfg *c, bool by_check, int code,
                    const char *what)
{
	struct nf_probe_run run = { .stopped_by = 77 };
	struct nf_err e = { 0 };

	assert_int_equal(nf_probe_detour.check(&h->env, c, &e), by_check ? code : 0);
	assert_int_equal(nf_probe_detour.run(&h->env, c, &run, &e), code);
	if (!strstr(e.msg, what))
		fail_msg("'%s' does not say '%s'", e.msg, what);
	assert_int_equal(run.stopped_by, 77);
	assert_null(run.streams);
}

static void bad_configurations_are_refused(void **state)
{
	struct nf_live *h = *state;
	struct nf_detour_cfg c = config();

	c.threshold_ns = -1;
	refused(h, &c, true, -NF_EARG, "negative");
	c = config();
	c.common.duration_ns = -1;
	refused(h, &c, true, -NF_EARG, "negative");
	c = config();
	c.common.policy = NF_POLICY_DEADLINE;
	refused(h, &c, true, -NF_EARG, "deadline");
	c = config();
	c.common.cpus = "65000";
	refused(h, &c, true, -NF_EARG, "65000");
	c = config();
	c.common.priority = 5;
	refused(h, &c, true, -NF_EARG, "priority");
	c = config();
	c.common.max_sample_bytes = 100;
	refused(h, &c, true, -NF_EARG, "too small");
}

static void a_threshold_below_what_the_loop_can_tell_is_refused_with_what_it_can(void **state)
{
	struct nf_live *h = *state;
	struct nf_detour_cfg c = config();

	skip_unless(h->clock.read_min_ticks * 1e9 / h->clock.hz > 3, "slow-clock",
	            "a read of this clock takes a nanosecond");
	c.threshold_ns = 1;
	refused(h, &c, false, -NF_EARG, "the loop cannot tell a detour below");
}

static void room_grows_with_the_duration_up_to_the_sample_memory(void **state)
{
	struct nf_detour_cfg c = config();

	(void)state;
	uint64_t brief = nf_detour_sample_bytes(&c, 2);
	c.common.duration_ns = INT64_C(10000000000);
	uint64_t ten_s = nf_detour_sample_bytes(&c, 2);
	assert_true(brief > 0 && brief < ten_s);
	/* Twenty thousand a second on each of two CPUs find room. */
	assert_true(ten_s >= (uint64_t)2 * 16 * 20000 * 10);
	c.common.duration_ns = INT64_C(7) * 24 * 3600 * 1000000000;
	assert_true(nf_detour_sample_bytes(&c, 2) <= c.common.max_sample_bytes);
	assert_true(nf_detour_sample_bytes(&c, 2) > c.common.max_sample_bytes / 2);
	assert_int_equal(nf_detour_sample_bytes(&c, 0), 0);
	assert_true(nf_probe_detour.estimate_ns(NULL, &c) > c.common.duration_ns);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, nf_live_open_clock, nf_live_close)
static const struct CMUnitTest tests[] = {
	CASE(the_gaps_of_the_counters_loop_add_up_to_its_span),
	CASE(the_gaps_of_the_fallbacks_loop_add_up_to_its_span),
	cmocka_unit_test(a_loop_that_is_stopped_or_late_ends_at_once),
	CASE(a_run_gives_two_streams_per_cpu_that_lie_on_the_clock),
	CASE(the_fallback_clock_works),
	CASE(a_run_without_any_detour_still_ends_by_time),
	CASE(a_full_buffer_drops_and_counts_until_the_time_is_over),
	CASE(no_page_fault_happens_between_the_first_and_the_last_read),
	CASE(a_stop_before_the_start_is_a_partial_run_and_no_failure),
	CASE(a_stop_request_keeps_what_was_measured),
	CASE(bad_configurations_are_refused),
	CASE(a_threshold_below_what_the_loop_can_tell_is_refused_with_what_it_can),
	cmocka_unit_test(room_grows_with_the_duration_up_to_the_sample_memory),
};

NF_UNIT_MAIN(tests)
