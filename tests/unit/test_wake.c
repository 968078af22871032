/* SPDX-License-Identifier: MIT */
/* Periodic wake-ups on this host with tiny runs: bookkeeping, stops and refusals, never how late. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "wake_runs.h"

static void missed_activations_are_whole_periods_and_end_with_the_run(void **state)
{
	(void)state;
	assert_int_equal(nf_wake_missed(0, 100, -5, 10), 0);
	assert_int_equal(nf_wake_missed(0, 100, 0, 10), 0);
	assert_int_equal(nf_wake_missed(0, 100, 9, 10), 0);
	assert_int_equal(nf_wake_missed(0, 100, 10, 10), 1);
	assert_int_equal(nf_wake_missed(0, 100, 19, 10), 1);
	assert_int_equal(nf_wake_missed(0, 100, 995, 10), 99);
	assert_int_equal(nf_wake_missed(0, 100, 99999, 10), 99);
	assert_int_equal(nf_wake_missed(98, 100, 99999, 10), 1);
	assert_int_equal(nf_wake_missed(99, 100, 99999, 10), 0);
	assert_int_equal(nf_wake_missed(0, INT64_MAX, INT64_MAX, 1), INT64_MAX - 1);
}

/* The wall time holds all wakes of every CPU. Its clock is not slewed, theirs is: by 500 ppm at
 * most. */
static void assert_spans_its_wakes(const struct nf_probe_run *run)
{
	for (size_t i = 1; i < run->n_streams; i += 2) {
		const struct nf_stream *s = &run->streams[i];
		int64_t span = s->value[s->n - 1] - s->value[0];

		assert_true(run->wall_ns > span - span / 1000);
	}
}

static void every_method_accounts_for_every_deadline(void **state)
{
	const struct nf_live *l = *state;
	size_t n_cpus = nf_cpuset_count(nf_topology_allowed(l->topo));

	for (int m = NF_WAKE_NANOSLEEP; m <= NF_WAKE_TIMERFD; m++) {
		struct nf_wake_cfg c = small_config();

		c.method = (enum nf_wake_method)m;
		struct nf_probe_run run = run_ok(l, &c);
		const struct nf_wake_result *r = run.result;

		assert_books_balance(&run);
		assert_int_equal(r->n_workers, n_cpus);
		assert_int_equal(r->period_ns, MS);
		assert_int_equal(r->method, m);
		assert_int_equal(run.stopped_by, 0);
		assert_int_equal(run.policy, NF_POLICY_OTHER);
		assert_int_equal(run.priority, 0);
		assert_true(run.overhead_ns > 0);
		assert_true(run.warmup_ns > 0);
		assert_true(nf_cpuset_equal(&run.cpus_got, nf_topology_allowed(l->topo)));
		assert_true(nf_live_noted(&run, "timer slack"));
		for (size_t i = 0; i < run.n_streams; i++) {
			const struct nf_stream *s = &run.streams[i];
			char name[48];

			snprintf(name, sizeof(name), "wake.cpu%d.%s", s->cpu,
			         i % 2 ? "wake" : "lateness");
			assert_string_equal(s->name, name);
			assert_string_equal(s->clock, "monotonic");
			assert_string_equal(s->origin, i % 2 ? "first deadline" : "");
			assert_int_equal(s->unit, NF_UNIT_NS);
			assert_int_equal(s->kind, i % 2 ? NF_KIND_INSTANT : NF_KIND_DURATION);
			assert_int_equal(s->cpu, r->worker[i / 2].cpu);
			assert_int_equal(r->worker[i / 2].n_due, 50);
			assert_true(s->n > 0);
		}
		assert_spans_its_wakes(&run);
		nf_probe_run_fini(&nf_probe_wake, &run);
	}
}

static void the_duration_gives_the_number_of_activations(void **state)
{
	const struct nf_live *l = *state;
	struct nf_wake_cfg c = small_config();

	c.n_activations = 0;
	c.period_ns = 7 * MS;
	c.common.duration_ns = 50 * MS;
	struct nf_probe_run run = run_ok(l, &c);
	const struct nf_wake_result *r = run.result;

	assert_books_balance(&run);
	assert_int_equal(r->worker[0].n_due, 7);
	nf_probe_run_fini(&nf_probe_wake, &run);

	c.common.duration_ns = 1; /* shorter than a period: one activation */
	run = run_ok(l, &c);
	r = run.result;
	assert_int_equal(r->worker[0].n_due, 1);
	assert_true(nf_probe_wake.estimate_ns(&l->env, &c) >= 7 * MS);
	nf_probe_run_fini(&nf_probe_wake, &run);
}

static void activations_beyond_the_room_are_dropped_and_counted(void **state)
{
	const struct nf_live *l = *state;
	size_t n_cpus = nf_cpuset_count(nf_topology_allowed(l->topo));
	struct nf_wake_cfg c = small_config();

	c.common.max_sample_bytes = 10 * 16 * n_cpus;
	struct nf_probe_run run = run_ok(l, &c);
	const struct nf_wake_result *r = run.result;

	assert_books_balance(&run);
	for (size_t i = 0; i < r->n_workers; i++) {
		/* A loaded machine may miss so many that there is room for all others. */
		uint64_t woken = 50 - r->worker[i].n_missed, kept = woken < 10 ? woken : 10;

		assert_int_equal(run.streams[2 * i].n, kept);
		assert_int_equal(run.streams[2 * i].n_dropped, woken - kept);
		assert_true(nf_stream_incomplete(&run.streams[2 * i]));
	}
	assert_true(nf_live_noted(&run, "dropped"));
	nf_probe_run_fini(&nf_probe_wake, &run);
}

static void no_page_fault_happens_while_measuring(void **state)
{
	const struct nf_live *l = *state;
	struct nf_wake_cfg c = small_config();
	uint64_t fewest = UINT64_MAX;

	skip_unless(!nf_unit_instrumented(), "plain-build", "a sanitizer or valgrind faults too");
	c.period_ns = 100000;
	c.n_activations = 2000; /* some pages of samples */
	for (int i = 0; i < NF_LIVE_FAULT_TRIES && fewest > 0; i++) {
		struct nf_probe_run run = run_ok(l, &c);

		assert_books_balance(&run);
		fewest = run.faults_inside < fewest ? run.faults_inside : fewest;
		nf_probe_run_fini(&nf_probe_wake, &run);
	}
	assert_int_equal(fewest, 0);
}

/* --- a stopped process --- */

enum { UNTIL_STOPPED = 3600 * 1000 }; /* activations: more than any test lasts */

struct report {
	int rc;
	bool balanced;
	int64_t longest_ns, n_missed;
};

/* The child: says that it measures, and ends when its parent says so. Which moment that is depends
 * on nothing but what the parent does. */
struct child {
	struct nf_live *l;
	int to_parent, from_parent;
	bool said;
};

static void talk(void *ctx, double fraction)
{
	struct child *c = ctx;
	struct pollfd p = { .fd = c->from_parent, .events = POLLIN };

	(void)fraction;
	if (!c->said && write(c->to_parent, "r", 1) != 1)
		_exit(1);
	c->said = true;
	if (poll(&p, 1, 0) == 1)
		__atomic_store_n(&c->l->stop.signo, SIGINT, __ATOMIC_RELAXED);
}

/* Whether every hole has as many missed activations as deadlines lie in it. */
static bool balances(const struct nf_probe_run *run, const struct nf_wake_worker *w)
{
	const struct nf_stream *late = &run->streams[0], *wake = &run->streams[1];
	int64_t k = 0;

	for (size_t j = 0; j < late->n; j++) {
		if (wake->value[j] - late->value[j] != k * MS)
			return false;
		k += 1 + late->value[j] / MS;
	}
	return late->n_dropped == 0 && (uint64_t)k == w->n_due && w->n_due == late->n + w->n_missed;
}

static void child_measure(int to_parent, int from_parent, enum nf_wake_method method)
{
	void *state = NULL;
	struct report r = { .rc = -1 };

	if (nf_live_open(&state) == 0) {
		struct child child = { .l = state,
			               .to_parent = to_parent,
			               .from_parent = from_parent };
		struct nf_wake_cfg c = small_config();
		struct nf_probe_run run = { 0 };
		char cpu[16];

		child.l->env.progress = talk;
		child.l->env.progress_ctx = &child;
		c.common.cpus = nf_live_one_cpu(child.l, cpu);
		c.method = method;
		c.n_activations = UNTIL_STOPPED;
		r.rc = nf_probe_wake.run(&child.l->env, &c, &run, NULL);
		if (r.rc == 0) {
			const struct nf_wake_result *res = run.result;

			r.balanced = balances(&run, &res->worker[0]);
			r.n_missed = (int64_t)res->worker[0].n_missed;
			for (size_t i = 0; i < run.streams[0].n; i++)
				if (run.streams[0].value[i] > r.longest_ns)
					r.longest_ns = run.streams[0].value[i];
			nf_probe_run_fini(&nf_probe_wake, &run);
		}
		nf_live_close(&state);
	}
	ssize_t n = write(to_parent, &r, sizeof(r));
	_exit(n == (ssize_t)sizeof(r) ? 0 : 1);
}

/* Stops a child that measures for at least 100 ms. How many periods it was stopped for at least; what
 * it measured. */
static int64_t stop_a_child(enum nf_wake_method method, struct report *ret)
{
	struct timespec stopped = { .tv_nsec = 100 * MS };
	int up[2], down[2], status = 0;
	char running;

	assert_int_equal(pipe(up), 0);
	assert_int_equal(pipe(down), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(down[1]);
		child_measure(up[1], down[0], method);
	}
	close(up[1]);
	close(down[0]);
	assert_int_equal(read(up[0], &running, 1), 1);
	assert_int_equal(kill(pid, SIGSTOP), 0);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	int64_t t0 = nf_now_monotonic().ns;
	nanosleep(&stopped, NULL);
	int64_t t1 = nf_now_monotonic().ns;
	assert_int_equal(kill(pid, SIGCONT), 0);
	close(down[1]);
	assert_int_equal(read(up[0], ret, sizeof(*ret)), sizeof(*ret));
	close(up[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(ret->rc, 0);
	return (t1 - t0) / MS;
}

/* Each missed activation is a deadline that lies in a hole, whatever else the machine does; and where
 * the process was stopped is a hole at least as long, but for the period that the stop fell into. Where
 * the machine has not let the measuring thread come to its first deadline before the stop, that is
 * none: then again. */
static void assert_misses_what_passes(enum nf_wake_method method)
{
	int64_t expected = 0, hole = -1;

	for (int i = 0; i < 10 && hole < expected - 2; i++) {
		struct report r = { 0 };

		expected = stop_a_child(method, &r);
		hole = r.longest_ns / MS;
		assert_true(r.balanced);
		assert_true(r.n_missed >= hole);
	}
	if (hole < expected - 2)
		fail_msg("stopped for %lld periods, the longest hole has %lld", (long long)expected,
		         (long long)hole);
}

static void a_stopped_process_misses_as_many_activations_as_periods_pass(void **state)
{
	skip_unless(nf_live_n_cpus(*state) > 1, "two-cpus", "one allowed CPU");
	assert_misses_what_passes(NF_WAKE_NANOSLEEP);
	assert_misses_what_passes(NF_WAKE_TIMERFD);
}

/* --- ending early --- */

/* A run that is stopped at a progress report, at a later one if the machine has not let the measuring
 * thread come to its first deadline by then. */
static struct nf_probe_run run_stopped(struct nf_live *l, const struct nf_wake_cfg *c)
{
	struct nf_probe_run run;

	for (int at = 1;; at *= 4) {
		l->n_progress = 0;
		l->stop_at_progress = at;
		l->stop.signo = 0;
		run = run_ok(l, c);
		const struct nf_wake_result *r = run.result;

		assert_int_equal(run.stopped_by, SIGINT);
		assert_books_balance(&run);
		if (r->worker[0].n_due > 0 || at >= 64)
			return run;
		nf_probe_run_fini(&nf_probe_wake, &run);
	}
}

static void a_stop_keeps_what_was_measured(void **state)
{
	struct nf_live *l = *state;
	struct nf_wake_cfg c = small_config();
	char one[16];

	skip_unless(nf_live_n_cpus(l) > 1, "two-cpus", "one allowed CPU");
	c.common.cpus = nf_live_one_cpu(l, one);
	c.n_activations = UNTIL_STOPPED;
	struct nf_probe_run run = run_stopped(l, &c);
	const struct nf_wake_result *r = run.result;

	assert_true(r->worker[0].n_due > 0);
	assert_true(r->worker[0].n_due < UNTIL_STOPPED);
	nf_probe_run_fini(&nf_probe_wake, &run);
}

static void a_stop_is_seen_within_a_long_period(void **state)
{
	struct nf_live *l = *state;
	struct nf_wake_cfg c = small_config();
	char one[16];

	c.period_ns = NF_WAKE_PERIOD_MAX_NS;
	skip_unless(nf_live_n_cpus(l) > 1, "two-cpus", "one allowed CPU");
	c.common.cpus = nf_live_one_cpu(l, one);
	c.n_activations = 1000;
	for (int m = NF_WAKE_NANOSLEEP; m <= NF_WAKE_TIMERFD; m++) {
		c.method = (enum nf_wake_method)m;
		struct nf_probe_run run = run_stopped(l, &c);
		const struct nf_wake_result *r = run.result;

		/* The first deadline comes at once, a second one would only in 10 s. */
		assert_int_equal(r->worker[0].n_due, 1);
		assert_int_equal(run.streams[0].n, 1);
		nf_probe_run_fini(&nf_probe_wake, &run);
	}
}

static void a_stop_asked_for_before_gives_an_empty_partial_run(void **state)
{
	struct nf_live *l = *state;
	struct nf_wake_cfg c = small_config();

	l->stop.signo = SIGTERM;
	struct nf_probe_run run = run_ok(l, &c);
	const struct nf_wake_result *r = run.result;

	assert_int_equal(run.stopped_by, SIGTERM);
	assert_books_balance(&run);
	assert_int_equal(r->worker[0].n_due, 0);
	nf_probe_run_fini(&nf_probe_wake, &run);
}

/* --- options and policies --- */

static void options_out_of_range_are_refused_with_the_range(void **state)
{
	const struct nf_live *l = *state;
	struct nf_wake_cfg c = small_config();

	c.period_ns = 99999;
	assert_int_equal(check_code(l, &c, "100us to 10s"), -NF_EARG);
	c.period_ns = NF_WAKE_PERIOD_MAX_NS + 1;
	assert_int_equal(check_code(l, &c, "100us to 10s"), -NF_EARG);
	c.period_ns = -1;
	assert_int_equal(check_code(l, &c, "100us to 10s"), -NF_EARG);
	c = small_config();
	c.n_activations = -1;
	assert_int_equal(check_code(l, &c, "negative"), -NF_EARG);
	c.n_activations = 0;
	c.common.duration_ns = 0;
	assert_int_equal(check_code(l, &c, "neither"), -NF_EARG);
	c.common.duration_ns = -1;
	assert_int_equal(check_code(l, &c, "negative duration"), -NF_EARG);
	c = small_config();
	c.n_activations = INT64_MAX;
	assert_int_equal(check_code(l, &c, "366 days"), -NF_EARG);
	c = small_config();
	c.common.max_sample_bytes = 15;
	assert_int_equal(check_code(l, &c, "no sample"), -NF_EARG);
	c = small_config();
	c.dma_latency_us = -2;
	assert_int_equal(check_code(l, &c, "idle latency"), -NF_EARG);
	c = small_config();
	c.common.priority = 5;
	assert_int_equal(check_code(l, &c, "priority 5"), -NF_EARG);
	c = small_config();
	c.common.policy = NF_POLICY_DEADLINE;
	assert_int_equal(check_code(l, &c, "method deadline"), -NF_EARG);
	c = small_config();
	c.common.cpus = "65000";
	assert_int_equal(check_code(l, &c, "65000"), -NF_EARG);
	c = small_config();
	c.method = (enum nf_wake_method)9;
	assert_int_equal(check_code(l, &c, "method 9"), -NF_EARG);
	c = small_config();
	c.method = NF_WAKE_DEADLINE;
	assert_int_equal(check_code(l, &c, "policy other does not go"), -NF_EARG);
	c.common.policy_given = false;
	c.period_ns = 5000 * MS;
	assert_int_equal(check_code(l, &c, "4.194304s"), -NF_EARG);
}

#define live(test) cmocka_unit_test_setup_teardown(test, nf_live_open, nf_live_close)

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(missed_activations_are_whole_periods_and_end_with_the_run),
	live(every_method_accounts_for_every_deadline),
	live(the_duration_gives_the_number_of_activations),
	live(activations_beyond_the_room_are_dropped_and_counted),
	live(no_page_fault_happens_while_measuring),
	live(a_stopped_process_misses_as_many_activations_as_periods_pass),
	live(a_stop_keeps_what_was_measured),
	live(a_stop_is_seen_within_a_long_period),
	live(a_stop_asked_for_before_gives_an_empty_partial_run),
	live(options_out_of_range_are_refused_with_the_range),
};

NF_UNIT_MAIN(tests)
