/* SPDX-License-Identifier: MIT */
/* Periodic wake-ups on this host with tiny runs: bookkeeping, stops and refusals, never how late. */
#include <errno.h>
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
		assert_true(run.wall_ns >= 49 * MS);
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
		assert_int_equal(run.streams[2 * i].n, 10);
		assert_int_equal(run.streams[2 * i].n_dropped, 40 - r->worker[i].n_missed);
		assert_true(nf_stream_incomplete(&run.streams[2 * i]));
	}
	assert_true(nf_live_noted(&run, "dropped"));
	nf_probe_run_fini(&nf_probe_wake, &run);
}

static void no_page_fault_happens_while_measuring(void **state)
{
	const struct nf_live *l = *state;
	struct nf_wake_cfg c = small_config();

	skip_unless(!nf_unit_instrumented(), "plain-build", "a sanitizer or valgrind faults too");
	c.period_ns = 100000;
	c.n_activations = 2000; /* some pages of samples */
	struct nf_probe_run run = run_ok(l, &c);

	assert_books_balance(&run);
	assert_int_equal(run.faults_inside, 0);
	nf_probe_run_fini(&nf_probe_wake, &run);
}

/* --- a stopped process --- */

struct report {
	int rc;
	uint64_t n_due, n_recorded, n_missed, n_dropped;
	int64_t longest_ns;
};

/* Says once that the measurement runs: before that a stop would show nothing. */
static void say_running(void *ctx, double fraction)
{
	int *fd = ctx;

	if (*fd < 0 || fraction <= 0)
		return;
	if (write(*fd, "r", 1) != 1)
		_exit(1);
	*fd = -1;
}

static void child_measure(int fd, enum nf_wake_method method)
{
	int running = fd;
	void *state = NULL;
	struct report r = { .rc = -1 };

	if (nf_live_open(&state) == 0) {
		struct nf_live *l = state;
		struct nf_wake_cfg c = small_config();
		struct nf_probe_run run = { 0 };
		char cpu[16];

		l->env.progress = say_running;
		l->env.progress_ctx = &running;

		snprintf(cpu, sizeof(cpu), "%d", nf_cpuset_next(nf_topology_allowed(l->topo), -1));
		c.common.cpus = cpu;
		c.method = method;
		c.n_activations = 1000;
		r.rc = nf_probe_wake.run(&l->env, &c, &run, NULL);
		if (r.rc == 0) {
			const struct nf_wake_result *res = run.result;
			const struct nf_stream *s = &run.streams[0];

			r.n_due = res->worker[0].n_due;
			r.n_missed = res->worker[0].n_missed;
			r.n_recorded = s->n;
			r.n_dropped = s->n_dropped;
			for (size_t i = 0; i < s->n; i++)
				if (s->value[i] > r.longest_ns)
					r.longest_ns = s->value[i];
			nf_probe_run_fini(&nf_probe_wake, &run);
		}
		nf_live_close(&state);
	}
	ssize_t n = write(fd, &r, sizeof(r));
	_exit(n == (ssize_t)sizeof(r) ? 0 : 1);
}

/* How many more periods the longest hole has than the process was stopped for. The longest one is
 * taken, as a loaded machine may add holes of its own elsewhere. */
static int64_t stop_a_child(enum nf_wake_method method)
{
	struct timespec stopped = { .tv_nsec = 100 * MS };
	struct report r = { 0 };
	int fd[2], status = 0;
	char running;

	assert_int_equal(pipe(fd), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		child_measure(fd[1], method);
	close(fd[1]);
	assert_int_equal(read(fd[0], &running, 1), 1);
	assert_int_equal(kill(pid, SIGSTOP), 0);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	int64_t t0 = nf_now_monotonic().ns;
	nanosleep(&stopped, NULL);
	int64_t t1 = nf_now_monotonic().ns;
	assert_int_equal(kill(pid, SIGCONT), 0);
	assert_int_equal(read(fd[0], &r, sizeof(r)), sizeof(r));
	close(fd[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.n_due, 1000);
	assert_int_equal(r.n_due, r.n_recorded + r.n_missed + r.n_dropped);

	int64_t expected = (t1 - t0) / MS, hole = r.longest_ns / MS;

	if (hole < expected - 2)
		fail_msg("stopped for %lld periods, the longest hole has %lld", (long long)expected,
		         (long long)hole);
	assert_true(r.n_missed >= (uint64_t)hole);
	return hole - expected;
}

/* As many are missed as periods pass, +- 2. Never fewer; more only where the machine did not let the
 * process go on at once, which it does not do every time. */
static void assert_misses_what_passes(enum nf_wake_method method)
{
	int64_t excess = INT64_MAX;

	for (int i = 0; i < 6 && excess > 2; i++) {
		int64_t e = stop_a_child(method);

		excess = e < excess ? e : excess;
	}
	if (excess > 2)
		fail_msg("at least %lld periods too many are missed", (long long)excess);
}

static void a_stopped_process_misses_as_many_activations_as_periods_pass(void **state)
{
	(void)state;
	assert_misses_what_passes(NF_WAKE_NANOSLEEP);
	assert_misses_what_passes(NF_WAKE_TIMERFD);
}

/* --- ending early --- */

static void a_stop_keeps_what_was_measured(void **state)
{
	struct nf_live *l = *state;
	struct nf_wake_cfg c = small_config();
	char one[16];

	skip_unless(nf_live_n_cpus(l) > 1, "two-cpus", "one allowed CPU");
	c.common.cpus = nf_live_one_cpu(l, one);
	c.n_activations = 100000;
	l->stop_at_progress = 1;
	struct nf_probe_run run = run_ok(l, &c);
	const struct nf_wake_result *r = run.result;

	assert_int_equal(run.stopped_by, SIGINT);
	assert_books_balance(&run);
	assert_true(r->worker[0].n_due > 0);
	assert_true(r->worker[0].n_due < 100000);
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
	l->stop_at_progress = 1;
	for (int m = NF_WAKE_NANOSLEEP; m <= NF_WAKE_TIMERFD; m++) {
		l->n_progress = 0;
		l->stop.signo = 0;
		c.method = (enum nf_wake_method)m;
		struct nf_probe_run run = run_ok(l, &c);
		const struct nf_wake_result *r = run.result;

		assert_int_equal(run.stopped_by, SIGINT);
		assert_books_balance(&run);
		assert_true(run.wall_ns < c.period_ns);
		assert_int_equal(r->worker[0].n_due, 1); /* the first deadline comes at once */
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
	cmocka_unit_test(a_stopped_process_misses_as_many_activations_as_periods_pass),
	live(a_stop_keeps_what_was_measured),
	live(a_stop_is_seen_within_a_long_period),
	live(a_stop_asked_for_before_gives_an_empty_partial_run),
	live(options_out_of_range_are_refused_with_the_range),
};

NF_UNIT_MAIN(tests)
