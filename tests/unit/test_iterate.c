/* SPDX-License-Identifier: MIT */
#include "bench/iterate.h"

#include "bench/environment.h"
#include "nf_unit.h"

/* A made-up benchmark: ns an operation, and a fixed cost. */
struct fake {
	double ns;
	int64_t fixed_ns;
	uint64_t n_calls;
	uint64_t largest;
	uint64_t stop_at; /* calls; 0: never */
	uint64_t interrupt_every; /* calls; 0: never */
};

static int run_fake(void *ctx, uint64_t n, int64_t *ret_ns, struct nf_err *err)
{
	struct fake *f = ctx;

	(void)err;
	if (f->stop_at && f->n_calls == f->stop_at)
		return 1;
	f->n_calls++;
	f->largest = n > f->largest ? n : f->largest;
	*ret_ns = f->fixed_ns + (int64_t)(f->ns * (double)n);
	if (f->interrupt_every && f->n_calls % f->interrupt_every == 0)
		*ret_ns += 4000000;
	return 0;
}

static void an_iteration_lasts_long_enough_and_not_much_longer(void **state)
{
	static const double ns[] = { 0.001, 0.3, 1, 7, 100, 12345, 999999 };

	(void)state;
	for (size_t i = 0; i < sizeof(ns) / sizeof(*ns); i++) {
		struct fake f = { .ns = ns[i] };
		struct nf_err err = { 0 };
		uint64_t n = 0;

		assert_int_equal(nf_iteration_calibrate(run_fake, &f, 1000000, &n, &err), 0);
		assert_true((double)n * ns[i] >= 1000000 - 1);
		assert_true((double)n * ns[i] <= 2500000);
		assert_true(f.n_calls < 40);
	}
}

static void an_interruption_does_not_pass_for_work(void **state)
{
	(void)state;
	for (uint64_t every = 2; every < 9; every++) {
		struct fake f = { .ns = 1, .interrupt_every = every };
		struct nf_err err = { 0 };
		uint64_t n = 0;

		assert_int_equal(nf_iteration_calibrate(run_fake, &f, 1000000, &n, &err), 0);
		assert_true(n >= 1000000);
	}
}

static void one_operation_that_is_long_is_an_iteration(void **state)
{
	struct fake f = { .ns = 5e9 };
	struct nf_err err = { 0 };
	uint64_t n = 0;

	(void)state;
	assert_int_equal(nf_iteration_calibrate(run_fake, &f, 1000000, &n, &err), 0);
	assert_int_equal(n, 1);
	assert_int_equal(f.n_calls, 1);
}

static void work_that_takes_no_time_is_no_benchmark(void **state)
{
	struct fake f = { .fixed_ns = 30 };
	struct nf_err err = { 0 };
	uint64_t n = 77;

	(void)state;
	assert_int_equal(nf_iteration_calibrate(run_fake, &f, 1000000, &n, &err), -NF_ESUBJECT);
	assert_non_null(strstr(err.msg, "thrown the work out"));
	assert_int_equal(n, 77);
	assert_true(f.largest <= NF_BENCH_OPERATIONS_MAX);
}

static void a_stop_ends_calibration(void **state)
{
	struct fake f = { .ns = 1, .stop_at = 2 };
	struct nf_err err = { 0 };
	uint64_t n = 77;

	(void)state;
	assert_int_equal(nf_iteration_calibrate(run_fake, &f, 1000000, &n, &err), 1);
	assert_int_equal(n, 77);
}

static void length_is_a_millisecond_or_a_thousand_steps(void **state)
{
	(void)state;
	assert_int_equal(nf_iteration_length_ns(0, 1), 1000000);
	assert_int_equal(nf_iteration_length_ns(0, 4000000), 4000000000);
	assert_int_equal(nf_iteration_length_ns(5000000, 1), 5000000);
	assert_int_equal(nf_iteration_length_ns(10, 1), 1000);
	assert_int_equal(nf_iteration_length_ns(1, INT64_MAX), INT64_MAX);
}

static void step_is_the_least_change_of_the_clock(void **state)
{
	static const int64_t reading[] = { 5, 5, 5, 25, 25, 35, 75 }, stands[] = { 4, 4, 4 };

	(void)state;
	assert_int_equal(nf_iteration_step_ns(reading, 7), 10);
	assert_int_equal(nf_iteration_step_ns(stands, 3), 1);
	assert_int_equal(nf_iteration_step_ns(stands, 0), 1);
}

static bool has(const struct nf_environment *e, const char *item)
{
	for (char **p = e->item; *p; p++)
		if (strcmp(*p, item) == 0)
			return true;
	return false;
}

static size_t count(const struct nf_environment *e)
{
	size_t n = 0;

	while (e->item[n])
		n++;
	return n;
}

static void environment_is_ones_own_with_others_put_over(void **state)
{
	char a[] = "A=1", b[] = "B=2", ab[] = "AB=3", broken[] = "broken", again[] = "B=4",
	     pad[] = NF_BENCH_PAD_NAME "=zz";
	char *own[] = { a, b, ab, broken, again, pad, NULL };
	const char *const over[] = { "A=x", "N=y", "N=z", NULL };
	struct nf_environment e;
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(nf_environment_make(own, over, 1, &e, &err), 0);
	assert_int_equal(count(&e), 5);
	assert_true(has(&e, "A=x") && has(&e, "B=4") && has(&e, "AB=3") && has(&e, "N=z"));
	assert_true(strncmp(e.item[4], NF_BENCH_PAD_NAME "=", sizeof(NF_BENCH_PAD_NAME)) == 0);
	nf_environment_fini(&e);
	assert_int_equal(nf_environment_make(own, NULL, 1, &e, &err), 0);
	assert_int_equal(count(&e), 4);
	assert_true(has(&e, "A=1"));
	nf_environment_fini(&e);
	nf_environment_fini(&e);
}

static void padding_follows_the_seed_and_covers_a_page(void **state)
{
	char *own[] = { NULL };
	size_t least = SIZE_MAX, most = 0, first = 0;
	struct nf_err err = { 0 };

	(void)state;
	for (uint64_t seed = 0; seed < 300; seed++) {
		struct nf_environment e, same;

		assert_int_equal(nf_environment_make(own, NULL, seed, &e, &err), 0);
		assert_int_equal(nf_environment_make(own, NULL, seed, &same, &err), 0);
		assert_string_equal(e.pad, same.pad);
		size_t len = strlen(e.pad) - strlen(NF_BENCH_PAD_NAME "=");
		least = len < least ? len : least;
		most = len > most ? len : most;
		if (seed == 0)
			first = len;
		else if (seed == 1)
			assert_int_not_equal(len, first);
		nf_environment_fini(&e);
		nf_environment_fini(&same);
	}
	assert_true(least < 200 && most > 3900 && most <= NF_BENCH_PAD_MAX);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(an_iteration_lasts_long_enough_and_not_much_longer),
	cmocka_unit_test(an_interruption_does_not_pass_for_work),
	cmocka_unit_test(one_operation_that_is_long_is_an_iteration),
	cmocka_unit_test(work_that_takes_no_time_is_no_benchmark),
	cmocka_unit_test(a_stop_ends_calibration),
	cmocka_unit_test(length_is_a_millisecond_or_a_thousand_steps),
	cmocka_unit_test(step_is_the_least_change_of_the_clock),
	cmocka_unit_test(environment_is_ones_own_with_others_put_over),
	cmocka_unit_test(padding_follows_the_seed_and_covers_a_page),
};
NF_UNIT_MAIN(tests)
