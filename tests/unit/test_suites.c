/* SPDX-License-Identifier: MIT */
/* Every benchmark that is built in gives values, or says what it lacks. */
#include "bench/suites.h"

#include "bench/backend.h"
#include "bench/child.h"
#include "bench/protocol.h"
#include "nf_unit.h"

/* A value of few operations, soon. */
static struct nf_set run_one(const char *name, unsigned threads)
{
	struct nf_variant v = { .program = getenv("NF_BIN"),
		                .bench = name,
		                .threads = threads,
		                .timeout_ns = INT64_C(60000000000) };
	struct nf_set_cfg cfg = { .seed = 1, .n_values = 2, .min_iteration_ns = 1 };
	struct nf_err err = { 0 };
	struct nf_set s;

	assert_non_null(v.program);
	if (nf_backends[NF_BACKEND_BUILTIN]->run(&v, &cfg, &s, &err) != 0)
		fail_msg("%s: %s", name, err.msg);
	return s;
}

static bool is_lacking(const char *why)
{
	return strstr(why, "this architecture has no read of a counter") ||
	       strstr(why, "this kernel has no clock") || strstr(why, "two CPUs that spin") ||
	       strstr(why, "clocksource") || strstr(why, "cannot be trusted");
}

static void every_benchmark_gives_values_or_says_what_it_lacks(void **state)
{
	size_t n_run = 0;

	(void)state;
	for (const struct nf_bench *const *t = nf_suites; *t; t++)
		for (const struct nf_bench *b = *t; b->name; b++) {
			struct nf_set s = run_one(b->name, 0);

			if (s.failed && !is_lacking(s.why))
				fail_msg("%s: %s", b->name, s.why);
			if (!s.failed) {
				assert_int_equal(s.n, 2);
				assert_true(s.value[0] > 0 && s.value[1] > 0);
				n_run++;
			}
			nf_set_fini(&s);
		}
	assert_true(n_run > 20);
}

static void threads_can_be_more_than_one(void **state)
{
	static const char *const name[] = { "mem.triad", "mem.chase-16k", "sync.mutex",
		                            "spawn.posix-spawn", "clock.monotonic" };

	(void)state;
	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++) {
		struct nf_set s = run_one(name[i], 3);

		if (s.failed)
			fail_msg("%s: %s", name[i], s.why);
		assert_int_equal(s.n, 2);
		nf_set_fini(&s);
	}
}

/* examples/bench/own.c: what a user writes. */
static void a_program_of_ones_own_runs_from_its_table(void **state)
{
	static const char *const name[] = { "sum.forward", "sum.strided", "lock.shared" };
	const char *build = getenv("NF_BUILD");
	char program[4096];

	(void)state;
	assert_non_null(build);
	snprintf(program, sizeof(program), "%s/examples/bench/own", build);
	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++) {
		struct nf_variant v = { .program = program, .bench = name[i] };
		struct nf_set_cfg cfg = { .seed = 1, .n_values = 4, .min_iteration_ns = 100000 };
		struct nf_err err = { 0 };
		struct nf_set s;

		if (nf_backends[NF_BACKEND_BUILTIN]->check(&v, &err) != 0 ||
		    nf_backends[NF_BACKEND_BUILTIN]->run(&v, &cfg, &s, &err) != 0)
			fail_msg("%s: %s", name[i], err.msg);
		if (s.failed)
			fail_msg("%s: %s", name[i], s.why);
		assert_int_equal(s.n, 4);
		nf_set_fini(&s);
	}
}

static void rows_are_whole_and_names_unique(void **state)
{
	(void)state;
	for (const struct nf_bench *const *t = nf_suites; *t; t++)
		for (const struct nf_bench *b = *t; b->name; b++) {
			assert_true(nf_bench_name_ok(b->name));
			assert_non_null(b->doc);
			assert_non_null(b->run);
			assert_ptr_equal(nf_bench_find(nf_suites, b->name), b);
			assert_true(nf_bench_min_threads(b) >= 1);
			assert_true(nf_bench_default_threads(b) >= nf_bench_min_threads(b));
			assert_true(nf_bench_max_threads(b) >= nf_bench_default_threads(b));
			assert_true(nf_bench_max_threads(b) <= NF_BENCH_THREADS_MAX);
		}
	assert_null(nf_bench_find(nf_suites, "no.such"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(rows_are_whole_and_names_unique),
	cmocka_unit_test(every_benchmark_gives_values_or_says_what_it_lacks),
	cmocka_unit_test(threads_can_be_more_than_one),
	cmocka_unit_test(a_program_of_ones_own_runs_from_its_table),
};
NF_UNIT_MAIN(tests)
