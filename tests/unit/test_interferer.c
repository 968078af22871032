/* SPDX-License-Identifier: MIT */
/* The ground truth: bursts are where and as long as the log says, and everything else is counted. */
#include <dirent.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "measure/interferer.h"
#include "nf_live.h"

enum { MS = 1000 * 1000 };

static struct nf_interferer_cfg config(const struct nf_live *l,
                                       const struct nf_interferer_tone *tone, size_t n)
{
	int last = -1;

	for (int cpu = -1; (cpu = nf_cpuset_next(nf_topology_allowed(l->topo), cpu)) >= 0;)
		last = cpu;
	return (struct nf_interferer_cfg){
		.topo = l->topo,
		.clock = &l->clock,
		.cpu = last,
		.tone = tone,
		.n_tones = n,
		.origin_ns = nf_now_monotonic().ns,
		.max_bursts = 4096,
	};
}

static struct nf_interferer *start(const struct nf_interferer_cfg *c)
{
	struct nf_interferer *it = NULL;
	struct nf_err e = { 0 };

	if (nf_interferer_start(c, &it, &e) != 0)
		fail_msg("%s", e.msg);
	return it;
}

static struct nf_interferer_log stop(struct nf_interferer *it)
{
	struct nf_interferer_log log = { 0 };

	nf_interferer_stop(it, &log);
	return log;
}

static void sleep_ns(long ns)
{
	struct timespec ts = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

/* Bursts as c says for `ms`; for longer if a loaded machine does not let `least` of each tone happen
 * by then. The caller releases it. */
static struct nf_interferer_log bursts_of(const struct nf_interferer_cfg *c, long ms, size_t least)
{
	for (;; ms *= 4) {
		struct nf_interferer *it = start(c);
		struct nf_interferer_log log;
		size_t fewest = SIZE_MAX;

		sleep_ns(ms * MS);
		log = stop(it);
		for (size_t t = 0; t < c->n_tones; t++) {
			size_t n = 0;

			for (size_t i = 0; i < log.n; i++)
				n += log.burst[i].tone == t;
			fewest = n < fewest ? n : fewest;
		}
		if (fewest >= least || ms > 10000)
			return log;
		nf_interferer_log_fini(&log);
	}
}

static void every_burst_lasts_its_length_and_starts_no_earlier_than_due(void **state)
{
	const struct nf_live *l = *state;
	const struct nf_interferer_tone tone = { 5 * MS, 200 * 1000, 1 * MS };
	struct nf_interferer_cfg c = config(l, &tone, 1);
	double length = (double)tone.length_ns * l->clock.hz / 1e9;
	uint64_t tick0 = nf_tick_start(&l->clock);
	int64_t ns0 = nf_now_monotonic().ns;
	struct nf_interferer_log log = bursts_of(&c, 100, 2);

	assert_true(log.n >= 2);
	assert_int_equal(log.n_dropped, 0);
	for (size_t i = 0; i < log.n; i++) {
		const struct nf_interferer_burst *b = &log.burst[i];
		double begun_ns = nf_tick_to_ns(&l->clock, (double)(b->begin_tick - tick0));

		assert_int_equal(b->tone, 0);
		assert_true((double)(b->end_tick - b->begin_tick) >= length - 1);
		assert_true(b->scheduled_ns ==
		            c.origin_ns + tone.phase_ns + (int64_t)b->k * tone.period_ns);
		/* The two clocks were read some time apart and run at rates that differ a little. */
		assert_true(begun_ns >= (double)(b->scheduled_ns - ns0) * 0.999 - 50000);
		assert_true(i == 0 || (b->k > log.burst[i - 1].k &&
		                       b->begin_tick >= log.burst[i - 1].end_tick));
	}
	/* None is missing but those that were skipped. */
	assert_true(log.burst[log.n - 1].k - log.burst[0].k + 1 <= log.n + log.n_skipped);
	nf_interferer_log_fini(&log);
}

static void tones_that_collide_are_made_in_order_and_counted_late(void **state)
{
	const struct nf_live *l = *state;
	/* The second is due while the first runs, the third together with the first. */
	const struct nf_interferer_tone tone[] = { { 20 * MS, 2 * MS, 0 },
		                                   { 20 * MS, 1 * MS, 1 * MS },
		                                   { 40 * MS, 1 * MS, 0 } };
	struct nf_interferer_cfg c = config(l, tone, 3);
	struct nf_interferer_log log;
	size_t of[3] = { 0 }, n_late = 0;

	c.origin_ns += 20 * MS;
	log = bursts_of(&c, 200, 1);
	for (size_t i = 0; i < log.n; i++) {
		const struct nf_interferer_burst *b = &log.burst[i];

		of[b->tone]++;
		n_late += b->late;
		if (b->tone != 0 && i > 0 && log.n_skipped == 0)
			assert_true(b->late);
		assert_true(i == 0 || b->scheduled_ns >= log.burst[i - 1].scheduled_ns ||
		            log.n_skipped > 0);
		assert_true(i == 0 || b->begin_tick >= log.burst[i - 1].end_tick);
	}
	assert_true(of[0] > 0 && of[1] > 0 && of[2] > 0);
	assert_true(log.n_late == n_late);
	nf_interferer_log_fini(&log);
}

static void a_full_log_drops_and_counts(void **state)
{
	const struct nf_live *l = *state;
	const struct nf_interferer_tone tone = { 1 * MS, 10 * 1000, 0 };
	struct nf_interferer_cfg c = config(l, &tone, 1);
	struct nf_interferer_log log = { 0 };

	c.max_bursts = 3;
	for (long ms = 100; ms < 10000 && log.n_dropped == 0; ms *= 4) {
		struct nf_interferer *it = start(&c);

		sleep_ns(ms * MS);
		nf_interferer_log_fini(&log);
		log = stop(it);
	}
	assert_int_equal(log.n, 3);
	assert_true(log.n_dropped > 0);
	nf_interferer_log_fini(&log);
}

static void the_first_burst_is_the_next_that_is_due(void **state)
{
	const struct nf_live *l = *state;
	const struct nf_interferer_tone tone = { 10 * MS, 10 * 1000, 9 * MS };
	struct nf_interferer_cfg c = config(l, &tone, 1);
	struct nf_interferer_log log;
	int64_t before = nf_now_monotonic().ns;

	c.origin_ns = before - INT64_C(7) * 1000 * MS;
	log = bursts_of(&c, 100, 1);
	assert_true(log.n > 0);
	assert_true(log.burst[0].k >= 699);
	assert_true(log.burst[0].scheduled_ns >= before);
	nf_interferer_log_fini(&log);
}

static void a_far_burst_does_not_delay_the_stop(void **state)
{
	const struct nf_live *l = *state;
	const struct nf_interferer_tone tone = { 3000 * (int64_t)1000 * MS, 10 * 1000, 0 };
	struct nf_interferer_cfg c = config(l, &tone, 1);
	struct nf_interferer_log log;
	struct nf_interferer *it;

	c.origin_ns += 1000 * (int64_t)1000 * MS;
	it = start(&c);
	log = stop(it); /* or the test times out */
	assert_int_equal(log.n, 0);
	nf_interferer_log_fini(&log);
	it = start(&c);
	nf_interferer_stop(it, NULL);
}

/* By how much the k-th burst was scheduled later than without jitter, plus one; 0: it was none. */
static void delays(struct nf_interferer_cfg *c, long ms, int64_t ret[4096])
{
	struct nf_interferer_log log;
	struct nf_interferer *it;

	c->origin_ns = nf_now_monotonic().ns + MS;
	it = start(c);
	sleep_ns(ms * MS);
	log = stop(it);
	for (size_t i = 0; i < log.n; i++) {
		const struct nf_interferer_burst *b = &log.burst[i];
		int64_t by = b->scheduled_ns - c->origin_ns - (int64_t)b->k * c->tone[0].period_ns;

		assert_true(by >= 0 && by <= c->jitter_ns);
		if (b->k < 4096)
			ret[b->k] = by + 1;
	}
	nf_interferer_log_fini(&log);
}

static void jitter_is_bounded_and_the_seed_s(void **state)
{
	const struct nf_live *l = *state;
	const struct nf_interferer_tone tone = { 2 * MS, 10 * 1000, 0 };
	struct nf_interferer_cfg c = config(l, &tone, 1);
	size_t common = 0, moved = 0;

	c.jitter_ns = 1500 * 1000;
	c.seed = 7;
	/* Longer where a loaded machine skips those that both runs would have. */
	for (long ms = 60; ms < 8000 && (common < 2 || moved < 1); ms *= 4) {
		int64_t at[2][4096] = { { 0 } };

		for (size_t run = 0; run < 2; run++)
			delays(&c, ms, at[run]);
		for (size_t k = 0; k < 4096; k++) {
			if (!at[0][k] || !at[1][k])
				continue;
			assert_int_equal(at[0][k], at[1][k]);
			common++;
			moved += at[0][k] != at[0][0];
		}
	}
	assert_true(common >= 2 && moved >= 1);
}

/* A value of /proc/self/task/<tid>/<file>: the line that begins with key, or the whole. */
static void read_task(pid_t tid, const char *file, const char *key, char out[256])
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/%s", (int)tid, file);
	f = fopen(path, "re");
	assert_non_null(f);
	out[0] = '\0';
	while (fgets(out, 256, f) && strncmp(out, key, strlen(key)) != 0)
		out[0] = '\0';
	fclose(f);
	out[strcspn(out, "\n")] = '\0';
}

static void the_thread_is_as_traces_and_proc_name_it(void **state)
{
	const struct nf_live *l = *state;
	const struct nf_interferer_tone tone = { 1000 * (int64_t)MS, 1000, 0 };
	struct nf_interferer_cfg c = config(l, &tone, 1);
	struct nf_interferer *it = start(&c);
	pid_t tid = nf_interferer_tid(it);
	char line[256], want[64];
	int policy, priority, got;

	assert_int_not_equal(tid, gettid());
	read_task(tid, "comm", "", line);
	assert_string_equal(line, NF_INTERFERER_THREAD_NAME);
	read_task(tid, "status", "Cpus_allowed_list:", line);
	snprintf(want, sizeof(want), "Cpus_allowed_list:\t%d", c.cpu);
	assert_string_equal(line, want);
	read_task(tid, "status", "SigBlk:", line);
	/* All but SIGKILL, SIGSTOP and the two that the C library keeps for itself; valgrind keeps the
	 * mask to itself. */
	if (!nf_unit_valgrind())
		assert_string_equal(line, "SigBlk:\tfffffffe7ffbfeff");
	policy = sched_getscheduler(tid);
	got = (int)nf_interferer_policy(it, &priority);
	assert_int_equal(got, policy == SCHED_FIFO ? NF_POLICY_FIFO : NF_POLICY_OTHER);
	assert_true(policy == SCHED_FIFO || policy == SCHED_OTHER);
	assert_true(policy == SCHED_FIFO ? priority >= 1 : priority == 0);
	/* Whatever is less than what was tried first is said. */
	assert_true((priority == NF_INTERFERER_PRIORITY) == (nf_interferer_note(it)[0] == '\0'));
	nf_interferer_stop(it, NULL);
}

static void policy_other_works_and_is_noted(void **state)
{
	const struct nf_live *l = *state;
	const struct nf_interferer_tone tone = { 2 * MS, 10 * 1000, 0 };
	struct nf_interferer_cfg c = config(l, &tone, 1);
	struct nf_interferer_log log;
	struct nf_interferer *it;

	c.policy_given = true;
	c.policy = NF_POLICY_OTHER;
	it = start(&c);
	assert_int_equal(nf_interferer_policy(it, NULL), NF_POLICY_OTHER);
	assert_non_null(strstr(nf_interferer_note(it), "policy other"));
	nf_interferer_stop(it, NULL);
	log = bursts_of(&c, 100, 1);
	assert_true(log.n > 0);
	nf_interferer_log_fini(&log);
}

static void what_cannot_be_is_refused(void **state)
{
	const struct nf_live *l = *state;
	static const struct {
		struct nf_interferer_tone tone;
		const char *says;
	} bad[] = {
		{ { 19999, 10, 0 }, "period of 19999 ns" },
		{ { INT64_C(3600000000001), 10, 0 }, "period of" },
		{ { MS, 0, 0 }, "bursts of 0 ns" },
		{ { MS, MS + 1, 0 }, "bursts of 1000001 ns" },
		{ { MS, 10, -1 }, "phase of -1 ns" },
		{ { MS, 10, MS }, "phase of 1000000 ns" },
		{ { MS, MS, 0 }, "100.0 % of the CPU" },
	};
	const struct nf_interferer_tone good = { MS, 10, 0 };
	struct nf_interferer *it = NULL;
	struct nf_interferer_cfg c;
	struct nf_err e = { 0 };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		c = config(l, &bad[i].tone, 1);
		assert_int_equal(nf_interferer_start(&c, &it, &e), -NF_EARG);
		assert_non_null(strstr(e.msg, bad[i].says));
	}
	c = config(l, &good, 0);
	assert_int_equal(nf_interferer_start(&c, &it, &e), -NF_EARG);
	c = config(l, &good, 1);
	c.max_bursts = 0;
	assert_int_equal(nf_interferer_start(&c, &it, &e), -NF_EARG);
	c = config(l, &good, 1);
	c.origin_ns += INT64_C(3601) * 1000 * MS;
	assert_int_equal(nf_interferer_start(&c, &it, &e), -NF_EARG);
	c = config(l, &good, 1);
	c.jitter_ns = MS - 9;
	assert_int_equal(nf_interferer_start(&c, &it, &e), -NF_EARG);
	c = config(l, &good, 1);
	c.policy_given = true;
	c.policy = NF_POLICY_DEADLINE;
	assert_int_equal(nf_interferer_start(&c, &it, &e), -NF_EARG);
	c.policy = NF_POLICY_FIFO;
	c.priority = 100;
	assert_int_equal(nf_interferer_start(&c, &it, &e), -NF_EARG);
	c = config(l, &good, 1);
	c.cpu = 100000; /* found out by the thread */
	assert_true(nf_interferer_start(&c, &it, &e) < 0);
	assert_null(it);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_burst_lasts_its_length_and_starts_no_earlier_than_due),
	cmocka_unit_test(tones_that_collide_are_made_in_order_and_counted_late),
	cmocka_unit_test(a_full_log_drops_and_counts),
	cmocka_unit_test(the_first_burst_is_the_next_that_is_due),
	cmocka_unit_test(a_far_burst_does_not_delay_the_stop),
	cmocka_unit_test(jitter_is_bounded_and_the_seed_s),
	cmocka_unit_test(the_thread_is_as_traces_and_proc_name_it),
	cmocka_unit_test(policy_other_works_and_is_noted),
	cmocka_unit_test(what_cannot_be_is_refused),
};
NF_UNIT_MAIN_WITH(tests, nf_live_open_clock, nf_live_close)
