/* SPDX-License-Identifier: MIT */
/* Knobs: their ranges, their extremes, time slices, and how many actors there can be. */
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "actor_run.h"

static bool in_the_long_run(void)
{
	const char *s = getenv("NF_LONG");

	return s && strcmp(s, "1") == 0;
}

static void refused(struct nf_actor_knobs k, const char *word)
{
	struct nf_actor_rt *rt = NULL;
	struct nf_err err = { 0 };

	assert_int_equal(nf_actor_rt_new(&k, &rt, &err), -NF_EARG);
	assert_null(rt);
	if (!strstr(err.msg, word))
		fail_msg("'%s' does not name %s", err.msg, word);
}

static void knobs_out_of_range_are_refused_by_name(void **state)
{
	struct nf_actor_knobs k = actor_test_knobs(1), bad;

	(void)state;
	bad = k, bad.workers = 257;
	refused(bad, "workers");
	bad = k, bad.alloc_interval = 0;
	refused(bad, "alloc_interval");
	bad = k, bad.stack_bytes = 4096;
	refused(bad, "stack_bytes");
	bad = k, bad.stack_bytes = (size_t)2 << 30;
	refused(bad, "stack_bytes");
	bad = k, bad.max_actors = 0;
	refused(bad, "max_actors");
	bad = k, bad.max_actors = (1u << 27) + 1;
	refused(bad, "max_actors");
	bad = k, bad.max_messages = 0;
	refused(bad, "max_messages");
	bad = k, bad.spin_ns = -2;
	refused(bad, "spin_ns");
	bad = k, bad.timer_slack_ns = -1;
	refused(bad, "timer_slack_ns");
	bad = k, bad.run_queue = (enum nf_actor_run_queue)7;
	refused(bad, "run_queue");
	bad = k, bad.guard = (enum nf_actor_guard)7;
	refused(bad, "guard");
	bad = k, bad.n_cpus = 1;
	refused(bad, "cpus");
	bad = k, bad.n_cpus = 1, bad.cpus = &(int){ -1 };
	refused(bad, "cpus[0]");
}

static void what_is_in_force_can_be_read(void **state)
{
	struct nf_actor_knobs k = actor_test_knobs(0), now;
	struct nf_actor_stats s;
	struct nf_actor_rt *rt;

	(void)state;
	k.spin_ns = -1;
	k.stack_bytes = 20000;
	rt = actor_test_rt(&k);
	nf_actor_rt_knobs(rt, &now);
	nf_actor_rt_stats(rt, &s);
	assert_true(now.workers >= 1);
	assert_int_equal(now.stack_bytes % (size_t)sysconf(_SC_PAGESIZE), 0);
	assert_true(now.stack_bytes >= 20000);
	assert_int_not_equal(now.guard, NF_ACTOR_GUARD_AUTO);
	assert_true(s.wake_ns > 0 && s.spin_ns > 0);
	assert_int_equal(s.spin_ns, now.spin_ns);
	assert_int_equal(s.spawned, 0);
	nf_actor_rt_free(rt);
}

/* ---- a program that touches everything ---- */

struct everything {
	struct nf_chan *c;
	long sum;
};

static void *produces(void *arg)
{
	struct everything *e = arg;

	for (uint64_t i = 1; i <= 100; i++) {
		void *p = nf_actor_alloc(i);

		ACTOR_CHECK(p && (uintptr_t)p % 16 == 0);
		memset(p, 1, i);
		if (i % 2)
			nf_actor_free(p);
		ACTOR_CHECK(nf_chan_send(e->c, (struct nf_actor_msg){ .word = i }) == 0);
		nf_actor_checkpoint();
		if (i % 10 == 0)
			nf_actor_yield();
	}
	return NULL;
}

static void *does_everything(void *arg)
{
	struct everything *e = arg;
	struct nf_actor a[4];

	ACTOR_CHECK(nf_chan_new(NULL, &e->c, NULL) == 0);
	for (int i = 0; i < 4; i++)
		ACTOR_CHECK(nf_actor_spawn(NULL, NULL, produces, e, &a[i], NULL) == 0);
	for (int i = 0; i < 400; i++) {
		struct nf_actor_msg m;

		ACTOR_CHECK(nf_chan_recv(e->c, &m) == 0);
		e->sum += (long)m.word;
	}
	for (int i = 0; i < 4; i++)
		ACTOR_CHECK(nf_actor_join(a[i], NULL, NULL) == 0);
	ACTOR_CHECK(e->sum == 4 * 5050);
	nf_actor_sleep(1);
	ACTOR_CHECK(nf_chan_free(e->c) == 0);
	return arg;
}

static void with(struct nf_actor_knobs k)
{
	struct nf_actor_rt *rt = actor_test_rt(&k);
	struct everything e = { 0 };
	struct nf_actor_status s;

	assert_int_equal(nf_actor_rt_run(rt, does_everything, &e, &s, NULL), 0);
	assert_string_equal(s.message, "");
	nf_actor_rt_free(rt);
}

static void extremes_work(void **state)
{
	struct nf_actor_knobs base = actor_test_knobs(2), k;

	(void)state;
	for (uint32_t workers = 1; workers <= 16; workers *= 4)
		k = base, k.workers = workers, with(k);
	k = base, k.alloc_interval = 1, k.timeslice_ticks = 0, with(k);
	k = base, k.alloc_interval = 1, k.timeslice_ticks = UINT64_MAX, with(k);
	k = base, k.alloc_interval = UINT32_MAX, with(k);
	k = base, k.lifo_cap = 0, with(k);
	k = base, k.lifo_cap = UINT32_MAX, with(k);
	k = base, k.spin_ns = 0, with(k);
	k = base, k.spin_ns = 10000000, with(k);
	k = base, k.run_queue = NF_ACTOR_SHARED, with(k);
	k = base, k.run_queue = NF_ACTOR_SHARED, k.workers = 1, with(k);
	k = base, k.guard = NF_ACTOR_GUARD_NONE, with(k);
	k = base, k.guard = NF_ACTOR_GUARD_MPROTECT, with(k);
	k = base, k.max_actors = 8, with(k);
	k = base, k.max_messages = 4096, with(k);
	k = base, k.save_fpu = true, with(k);
	if (!nf_unit_instrumented())
		k = base, k.stack_bytes = 16 * 1024, with(k);
	k = base, k.stack_bytes = 8 << 20, k.max_actors = 64, with(k);
}

static void many_workers_work(void **state)
{
	struct nf_actor_knobs k = actor_test_knobs(nf_unit_instrumented() ? 32 : 256);

	(void)state;
	k.spin_ns = 0;
	with(k);
}

static void *tells_the_cpu(void *arg)
{
	*(int *)arg = sched_getcpu();
	return arg;
}

static void a_worker_stays_on_its_cpu(void **state)
{
	struct nf_actor_knobs k = actor_test_knobs(2);
	cpu_set_t set;
	int cpu = 0, seen = -1;
	struct nf_actor_rt *rt;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET((size_t)i, &set))
			cpu = i;
	k.cpus = &cpu;
	k.n_cpus = 1;
	rt = actor_test_rt(&k);
	assert_int_equal(nf_actor_rt_run(rt, tells_the_cpu, &seen, NULL, NULL), 0);
	assert_int_equal(seen, cpu);
	nf_actor_rt_free(rt);
}

/* ---- time slices ---- */

struct spin {
	volatile int64_t released_ns, ran_ns;
	volatile bool ready, over;
};

static void *waits_its_turn(void *arg)
{
	struct spin *s = arg;

	s->ran_ns = nf_actor_now_ns();
	return arg;
}

static void *spins_in_alloc(void *arg)
{
	struct spin *s = arg;

	while (!s->over) {
		nf_actor_free(nf_actor_alloc(32));
		if (!s->ready) {
			s->released_ns = nf_actor_now_ns();
			s->ready = true;
		}
	}
	return arg;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

enum { TRIALS_LONG = 1000, TRIALS = 100 };

struct slices {
	double *delay; /* in slices */
	int n;
	double slice_ns;
};

static void *measures_delays(void *arg)
{
	struct slices *m = arg;

	for (int i = 0; i < m->n; i++) {
		struct spin s = { 0 };
		struct nf_actor a, b;
		int64_t from;

		ACTOR_CHECK(nf_actor_spawn(NULL, NULL, spins_in_alloc, &s, &a, NULL) == 0);
		while (!s.ready)
			nf_actor_yield();
		/* This actor was let in when the spinner's slice was over; the neighbour is
		 * ready from here on, and the spinner, which is before it, runs a full slice. */
		ACTOR_CHECK(nf_actor_spawn(NULL, NULL, waits_its_turn, &s, &b, NULL) == 0);
		from = nf_actor_now_ns();
		ACTOR_CHECK(nf_actor_join(b, NULL, NULL) == 0);
		m->delay[i] = (double)(s.ran_ns - from) / m->slice_ns;
		s.over = true;
		ACTOR_CHECK(nf_actor_join(a, NULL, NULL) == 0);
	}
	return arg;
}

/* Ticks a second, over a few milliseconds. */
static double tick_ns(void)
{
	int64_t from = nf_actor_now_ns();
	uint64_t t0, t1;

#if defined(__x86_64__)
	t0 = __builtin_ia32_rdtsc();
	nanosleep(&(struct timespec){ 0, 5000000 }, NULL);
	t1 = __builtin_ia32_rdtsc();
#else
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t0));
	nanosleep(&(struct timespec){ 0, 5000000 }, NULL);
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t1));
#endif
	return (double)(nf_actor_now_ns() - from) / (double)(t1 - t0);
}

static void a_spinning_actor_delays_its_neighbour_by_three_slices_at_most(void **state)
{
	struct nf_actor_knobs k = actor_test_knobs(1);
	int n = in_the_long_run() ? TRIALS_LONG : TRIALS;
	double *delay = calloc((size_t)n, sizeof(*delay));
	struct slices m = { .delay = delay, .n = n };

	(void)state;
	assert_non_null(delay);
	if (nf_unit_instrumented()) /* an interval of allocations is longer than a slice there */
		k.timeslice_ticks *= 20;
	m.slice_ns = (double)k.timeslice_ticks * tick_ns();
	if (m.slice_ns < 100000) { /* a counter of few ticks */
		k.timeslice_ticks = (uint64_t)(100000 / m.slice_ns * (double)k.timeslice_ticks);
		m.slice_ns = 100000;
	}
	{
		struct nf_actor_rt *rt = actor_test_rt(&k);
		struct nf_actor_status s;

		assert_int_equal(nf_actor_rt_run(rt, measures_delays, &m, &s, NULL), 0);
		assert_string_equal(s.message, "");
		nf_actor_rt_free(rt);
	}
	qsort(delay, (size_t)n, sizeof(*delay), by_value);
	if (delay[n / 2] > 3)
		fail_msg("median of %d delays: %.2f slices", n, delay[n / 2]);
	free(delay);
}

/* ---- many ---- */

static uint64_t resident_bytes(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long long all, resident = 0;

	if (f) {
		if (fscanf(f, "%llu %llu", &all, &resident) != 2)
			resident = 0;
		fclose(f);
	}
	return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

struct crowd {
	uint32_t n;
	uint64_t resident;
};

static void *idles(void *arg)
{
	nf_actor_sleep(3600000000000);
	return arg;
}

static void *gathers(void *arg)
{
	struct crowd *c = arg;
	struct nf_actor *a = calloc(c->n, sizeof(*a));
	struct nf_actor_status s;
	struct nf_actor_stats st;

	ACTOR_CHECK(a);
	for (uint32_t i = 0; i < c->n; i++)
		ACTOR_CHECK(nf_actor_spawn(NULL, NULL, idles, NULL, &a[i], NULL) == 0);
	/* All have begun when each has its stack. */
	do {
		nf_actor_yield();
		nf_actor_rt_stats(nf_actor_rt_current(), &st);
	} while (st.stacks < c->n);
	nf_actor_sleep(1000000);
	c->resident = resident_bytes();
	for (uint32_t i = 0; i < c->n; i++)
		ACTOR_CHECK(nf_actor_cancel(a[i], NULL) == 0);
	for (uint32_t i = 0; i < c->n; i++) {
		ACTOR_CHECK(nf_actor_join(a[i], &s, NULL) == 0);
		if (s.end != NF_ACTOR_CANCELLED)
			nf_actor_panicf("%u ended as %d: %s", i, (int)s.end, s.message);
	}
	free(a);
	return arg;
}

static void crowd(struct crowd *c, enum nf_actor_guard guard)
{
	struct nf_actor_knobs k = actor_test_knobs(1);
	struct nf_actor_status s;
	struct nf_actor_rt *rt;

	k.max_actors = c->n + 1;
	k.guard = guard;
	rt = actor_test_rt(&k);
	assert_int_equal(nf_actor_rt_run(rt, gathers, c, &s, NULL), 0);
	assert_string_equal(s.message, "");
	nf_actor_rt_free(rt);
}

static bool can_install(void)
{
	struct nf_actor_knobs k = actor_test_knobs(1);
	struct nf_actor_rt *rt;
	struct nf_err err = { 0 };

	k.guard = NF_ACTOR_GUARD_INSTALL;
	if (nf_actor_rt_new(&k, &rt, &err) != 0) {
		assert_non_null(strstr(err.msg, "6.13"));
		return false;
	}
	nf_actor_rt_free(rt);
	return true;
}

static void a_hundred_thousand_live_with_guard_pages(void **state)
{
	struct crowd c = { .n = nf_unit_instrumented() ? 1000 : 100000 };

	(void)state;
	skip_unless(can_install(), "guard-install", "the kernel has no MADV_GUARD_INSTALL");
	crowd(&c, NF_ACTOR_GUARD_INSTALL);
}

static uint64_t available_bytes(void)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char line[128];
	unsigned long long kib = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %llu", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib * 1024;
}

static void a_million_idle_in_eight_gib(void **state)
{
	struct crowd c = { .n = in_the_long_run() && !nf_unit_instrumented() ? 1000000 : 500 };

	(void)state;
	skip_unless(available_bytes() > (uint64_t)8 << 30 || c.n < 1000000, "a-million-actors",
	            "needs 8 GiB");
	crowd(&c, NF_ACTOR_GUARD_NONE);
	printf("# %u idle actors: %.2f GiB resident\n", c.n, (double)c.resident / (1 << 30));
	if (!nf_unit_instrumented())
		assert_true(c.resident < (uint64_t)8 << 30);
}

static void what_stops_more_is_named(void **state)
{
	struct nf_actor_knobs k = actor_test_knobs(1);
	struct nf_actor_rt *rt = NULL;
	struct nf_err err = { 0 };
	struct rlimit before, tight;
	void *probe;

	(void)state;
	skip_unless(!nf_unit_instrumented(), "address-space-limit",
	            "sanitizers need their own address space");
	assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
	tight = before;
	tight.rlim_cur = (rlim_t)4 << 30;
	assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
	probe = mmap(NULL, (size_t)8 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
	             -1, 0);
	if (probe != MAP_FAILED) {
		munmap(probe, (size_t)8 << 30);
		setrlimit(RLIMIT_AS, &before);
		skip_unless(false, "address-space-limit", "an emulator does not keep it");
	}
	k.max_actors = 1 << 20;
	assert_int_equal(nf_actor_rt_new(&k, &rt, &err), -NF_EOS);
	assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
	assert_null(rt);
	assert_non_null(strstr(err.msg, "ulimit -v"));
	assert_non_null(strstr(err.msg, "max_actors"));
}

static void *misses_some(void *arg)
{
	struct crowd *c = arg;
	struct nf_actor *a = calloc(c->n, sizeof(*a));
	struct nf_actor_status s;
	uint32_t without = 0;

	ACTOR_CHECK(a);
	for (uint32_t i = 0; i < c->n; i++)
		ACTOR_CHECK(nf_actor_spawn(NULL, NULL, idles, NULL, &a[i], NULL) == 0);
	for (uint32_t i = 0; i < 4 * c->n; i++)
		nf_actor_yield();
	for (uint32_t i = 0; i < c->n; i++) {
		int r = nf_actor_cancel(a[i], NULL);

		ACTOR_CHECK(r == 0 || r == -NF_ENODATA);
	}
	for (uint32_t i = 0; i < c->n; i++) {
		ACTOR_CHECK(nf_actor_join(a[i], &s, NULL) == 0);
		if (s.end != NF_ACTOR_NOT_STARTED)
			continue;
		ACTOR_CHECK(strstr(s.message, "vm.max_map_count"));
		without++;
	}
	free(a);
	return without ? arg : NULL;
}

static void the_limit_of_mappings_is_seen_by_the_joiner(void **state)
{
	struct nf_actor_knobs k = actor_test_knobs(1);
	struct crowd c = { .n = 40000 };
	struct nf_actor_rt *rt;
	struct nf_actor_status s;
	FILE *f = fopen("/proc/sys/vm/max_map_count", "r");
	unsigned long long maps = 0;

	(void)state;
	if (f) {
		if (fscanf(f, "%llu", &maps) != 1)
			maps = 0;
		fclose(f);
	}
	skip_unless(!nf_unit_instrumented() && maps && maps <= 65530, "map-count",
	            "an instrumented build, or vm.max_map_count is larger than usual");
	k.max_actors = c.n + 1;
	k.guard = NF_ACTOR_GUARD_MPROTECT;
	rt = actor_test_rt(&k);
	assert_int_equal(nf_actor_rt_run(rt, misses_some, &c, &s, NULL), 0);
	assert_string_equal(s.message, "");
	assert_ptr_equal(s.value, &c);
	nf_actor_rt_free(rt);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(knobs_out_of_range_are_refused_by_name),
	cmocka_unit_test(what_is_in_force_can_be_read),
	cmocka_unit_test(extremes_work),
	cmocka_unit_test(many_workers_work),
	cmocka_unit_test(a_worker_stays_on_its_cpu),
	cmocka_unit_test(a_spinning_actor_delays_its_neighbour_by_three_slices_at_most),
	cmocka_unit_test(a_hundred_thousand_live_with_guard_pages),
	cmocka_unit_test(a_million_idle_in_eight_gib),
	cmocka_unit_test(what_stops_more_is_named),
	cmocka_unit_test(the_limit_of_mappings_is_seen_by_the_joiner),
};

NF_UNIT_MAIN(tests)
