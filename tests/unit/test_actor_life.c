/* SPDX-License-Identifier: MIT */
/* Birth, end and everything that tells a joiner about it. */
#include <time.h>

#include "actor_run.h"

static const uint32_t worker_counts[] = { 1, 2, 4 };
#define EACH_COUNT(w) \
	for (size_t w##_i = 0, w; w##_i < sizeof(worker_counts) / sizeof(worker_counts[0]) && \
	                          (w = worker_counts[w##_i], 1); \
	     w##_i++)

static void *returns_its_argument(void *arg)
{
	return arg;
}

static void the_joiner_gets_what_the_function_returned(void **state)
{
	int x;

	(void)state;
	EACH_COUNT(w)
	assert_ptr_equal(actor_test_run((uint32_t)w, returns_its_argument, &x), &x);
}

static void *exits(void *arg)
{
	nf_actor_exit(arg);
}

static void exit_gives_the_joiner_its_value(void **state)
{
	int x;

	(void)state;
	assert_ptr_equal(actor_test_run(1, exits, &x), &x);
}

static void *spawns_many(void *arg)
{
	enum { N = 500 };
	static struct nf_actor a[N];
	uintptr_t sum = 0;

	for (uintptr_t i = 0; i < N; i++)
		ACTOR_CHECK(nf_actor_spawn(NULL, NULL, returns_its_argument, (void *)i, &a[i],
		                           NULL) == 0);
	for (uintptr_t i = 0; i < N; i++) {
		struct nf_actor_status s;

		ACTOR_CHECK(nf_actor_join(a[i], &s, NULL) == 0);
		ACTOR_CHECK(s.end == NF_ACTOR_RETURNED);
		sum += (uintptr_t)s.value;
	}
	ACTOR_CHECK(sum == N * (N - 1) / 2);
	return arg;
}

static void each_of_many_is_joined_with_its_own_value(void **state)
{
	int x;

	(void)state;
	EACH_COUNT(w)
	assert_ptr_equal(actor_test_run((uint32_t)w, spawns_many, &x), &x);
}

static void *panics(void *arg)
{
	nf_actor_panic(arg);
}

static void a_panic_is_seen_by_the_joiner_alone(void **state)
{
	struct nf_actor_knobs k = actor_test_knobs(2);
	struct nf_actor_rt *rt = actor_test_rt(&k);
	struct nf_actor_status s;
	struct nf_actor a;
	char why[] = "out of luck";

	(void)state;
	assert_int_equal(nf_actor_spawn(rt, &(struct nf_actor_opts){ .name = "unlucky" }, panics,
	                                why, &a, NULL),
	                 0);
	assert_int_equal(nf_actor_join(a, &s, NULL), 0);
	assert_int_equal(s.end, NF_ACTOR_PANICKED);
	assert_string_equal(s.message, "out of luck");
	assert_string_equal(s.name, "unlucky");
	assert_null(s.value);
	assert_int_equal(nf_actor_rt_run(rt, returns_its_argument, rt, &s, NULL), 0);
	assert_ptr_equal(s.value, rt);
	nf_actor_rt_free(rt);
}

static void note(void *arg)
{
	char **at = arg;

	*(*at)++ = 'x';
}

static void *cleans_up(void *arg)
{
	struct nf_actor_cleanup a = { .fn = note, .arg = arg }, b = { .fn = note, .arg = arg };

	nf_actor_cleanup_push(&a);
	nf_actor_cleanup_push(&b);
	nf_actor_cleanup_pop(false);
	nf_actor_cleanup_push(&b);
	nf_actor_panic("now");
}

static void cleanups_that_are_left_run_at_a_panic(void **state)
{
	struct nf_actor_knobs k = actor_test_knobs(1);
	struct nf_actor_rt *rt = actor_test_rt(&k);
	struct nf_actor_status s;
	char trace[4] = "", *at = trace;

	(void)state;
	assert_int_equal(nf_actor_rt_run(rt, cleans_up, &at, &s, NULL), 0);
	assert_int_equal(s.end, NF_ACTOR_PANICKED);
	assert_string_equal(trace, "xx");
	nf_actor_rt_free(rt);
}

static void *forgets_a_cleanup(void *arg)
{
	static struct nf_actor_cleanup c;

	c = (struct nf_actor_cleanup){ .fn = note, .arg = arg };
	nf_actor_cleanup_push(&c);
	return arg;
}

static void returning_with_a_cleanup_pushed_is_a_panic(void **state)
{
	struct nf_actor_knobs k = actor_test_knobs(1);
	struct nf_actor_rt *rt = actor_test_rt(&k);
	struct nf_actor_status s;

	(void)state;
	assert_int_equal(nf_actor_rt_run(rt, forgets_a_cleanup, NULL, &s, NULL), 0);
	assert_int_equal(s.end, NF_ACTOR_PANICKED);
	assert_non_null(strstr(s.message, "clean-up"));
	nf_actor_rt_free(rt);
}

static volatile char sink;

static __attribute__((noinline)) void recurse(unsigned depth)
{
	volatile char frame[400];

	frame[0] = (char)depth;
	if (depth < UINT32_MAX)
		recurse(depth + 1);
	sink = frame[0];
}

static void *overflows(void *arg)
{
	char **at = arg;
	struct nf_actor_cleanup c = { .fn = note, .arg = at };

	nf_actor_cleanup_push(&c);
	recurse(0);
	nf_actor_cleanup_pop(false);
	return NULL;
}

static void a_stack_overflow_ends_its_actor_alone(void **state)
{
	(void)state;
	skip_unless(!nf_unit_valgrind(), "stack-overflow",
	            "valgrind takes a full stack for its own error");
	EACH_COUNT(w)
	{
		struct nf_actor_knobs k = actor_test_knobs((uint32_t)w);
		struct nf_actor_rt *rt = actor_test_rt(&k);
		struct nf_actor_status s;
		struct nf_actor a;
		char trace[8] = "", *at = trace;

		for (int i = 0; i < 3; i++) {
			assert_int_equal(nf_actor_spawn(rt,
			                                &(struct nf_actor_opts){ .name = "deep" },
			                                overflows, &at, &a, NULL),
			                 0);
			assert_int_equal(nf_actor_join(a, &s, NULL), 0);
			assert_int_equal(s.end, NF_ACTOR_OVERFLOWED);
			assert_non_null(strstr(s.message, "'deep'"));
		}
		assert_string_equal(trace, "xxx");
		assert_int_equal(nf_actor_rt_run(rt, returns_its_argument, rt, &s, NULL), 0);
		nf_actor_rt_free(rt);
	}
}

#if defined(__SANITIZE_ADDRESS__) || NF_UNIT_FEATURE(address_sanitizer)
#include <sanitizer/asan_interface.h>

/* Says where it runs. */
static void note_frame(void *arg)
{
	*(char **)arg = __builtin_frame_address(0);
}

static void *overflows_noting_where_it_ends(void *arg)
{
	struct nf_actor_cleanup c = { .fn = note_frame, .arg = arg };

	nf_actor_cleanup_push(&c);
	recurse(0);
	nf_actor_cleanup_pop(false);
	return NULL;
}

/* What the process maps next may lie where the stack was that an overflow was told on. */
static void no_red_zone_outlives_the_runtime(void **state)
{
	enum { AROUND = 4096 };
	struct nf_actor_knobs k = actor_test_knobs(1);
	struct nf_actor_rt *rt = actor_test_rt(&k);
	struct nf_actor_status s;
	char *at = NULL;

	(void)state;
	assert_int_equal(nf_actor_rt_run(rt, overflows_noting_where_it_ends, &at, &s, NULL), 0);
	assert_int_equal(s.end, NF_ACTOR_OVERFLOWED);
	assert_non_null(at);
	nf_actor_rt_free(rt);
	at = (char *)((uintptr_t)at & ~(uintptr_t)(AROUND - 1));
	assert_null(__asan_region_is_poisoned(at, AROUND));
}
#endif

static void *sleeps_long(void *arg)
{
	nf_actor_sleep(INT64_MAX);
	return arg;
}

static void *receives(void *arg)
{
	struct nf_actor_msg m;

	if (nf_chan_recv(arg, &m) != 0)
		return NULL;
	return m.ptr;
}

static void *joins(void *arg)
{
	struct nf_actor_status s;

	return nf_actor_join(*(struct nf_actor *)arg, &s, NULL) == 0 ? arg : NULL;
}

static void *yields_forever(void *arg)
{
	for (;;)
		nf_actor_yield();
	return arg;
}

static void *spins_with_checkpoints(void *arg)
{
	for (;;)
		nf_actor_checkpoint();
	return arg;
}

static void cancel_ends_it_wherever_it_waits(void **state)
{
	(void)state;
	EACH_COUNT(w)
	{
		struct nf_actor_knobs k = actor_test_knobs((uint32_t)w);
		struct nf_actor_rt *rt = actor_test_rt(&k);
		struct nf_chan *c;
		struct nf_actor sleeper;
		nf_actor_fn *fns[] = { receives, joins, yields_forever, spins_with_checkpoints };

		assert_int_equal(nf_chan_new(rt, &c, NULL), 0);
		assert_int_equal(nf_actor_spawn(rt, NULL, sleeps_long, NULL, &sleeper, NULL), 0);
		for (size_t i = 0; i < 2 * sizeof(fns) / sizeof(fns[0]); i++) {
			struct nf_actor_status s;
			struct nf_actor a;
			size_t f = i / 2;

			assert_int_equal(nf_actor_spawn(rt, NULL, fns[f],
			                                f == 1 ? (void *)&sleeper : (void *)c, &a,
			                                NULL),
			                 0);
			if (i % 2)
				nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
			assert_int_equal(nf_actor_cancel(a, NULL), 0);
			assert_int_equal(nf_actor_join(a, &s, NULL), 0);
			assert_int_equal(s.end, NF_ACTOR_CANCELLED);
			assert_int_equal(nf_actor_cancel(a, NULL), -NF_ENODATA);
		}
		assert_int_equal(nf_actor_cancel(sleeper, NULL), 0);
		assert_int_equal(nf_actor_join(sleeper, NULL, NULL), 0);
		nf_actor_rt_free(rt);
	}
}

static void stale_and_doubly_used_handles_are_told(void **state)
{
	struct nf_actor_knobs k = actor_test_knobs(2);
	struct nf_actor_rt *rt = actor_test_rt(&k);
	struct nf_actor a, b;
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(nf_actor_spawn(rt, NULL, returns_its_argument, NULL, &a, NULL), 0);
	assert_int_equal(nf_actor_join(a, NULL, NULL), 0);
	assert_int_equal(nf_actor_join(a, NULL, &err), -NF_ENODATA);
	assert_non_null(strstr(err.msg, "stale"));
	assert_int_equal(nf_actor_detach(a, NULL), -NF_ENODATA);
	assert_int_equal(nf_actor_spawn(rt, NULL, sleeps_long, NULL, &b, NULL), 0);
	assert_int_equal(nf_actor_detach(b, NULL), 0);
	assert_int_equal(nf_actor_detach(b, NULL), -NF_EEXIST);
	assert_int_equal(nf_actor_join(b, NULL, NULL), -NF_EEXIST);
	assert_int_equal(nf_actor_cancel(b, NULL), 0);
	nf_actor_rt_wait(rt);
	assert_int_equal(nf_actor_join(b, NULL, NULL), -NF_ENODATA);
	assert_int_equal(nf_actor_join((struct nf_actor){ 0 }, NULL, NULL), -NF_EARG);
	nf_actor_rt_free(rt);
}

static void *joins_itself(void *arg)
{
	(void)arg;
	ACTOR_CHECK(nf_actor_join(nf_actor_self(), NULL, NULL) == -NF_EARG);
	return arg;
}

static void an_actor_cannot_join_itself(void **state)
{
	(void)state;
	actor_test_run(1, joins_itself, NULL);
}

static void freeing_a_runtime_ends_what_is_left(void **state)
{
	(void)state;
	EACH_COUNT(w)
	{
		struct nf_actor_knobs k = actor_test_knobs((uint32_t)w);
		struct nf_actor_rt *rt = actor_test_rt(&k);
		struct nf_chan *c;
		struct nf_actor a;

		assert_int_equal(nf_chan_new(rt, &c, NULL), 0);
		for (int i = 0; i < 20; i++) {
			assert_int_equal(nf_actor_spawn(rt, NULL, sleeps_long, NULL, NULL, NULL),
			                 0);
			assert_int_equal(nf_actor_spawn(rt, NULL, yields_forever, NULL, &a, NULL),
			                 0);
		}
		assert_int_equal(nf_actor_spawn(rt, NULL, receives, c, &a, NULL), 0);
		nf_actor_rt_free(rt);
	}
}

static void no_more_than_max_actors_live(void **state)
{
	struct nf_actor_knobs k = actor_test_knobs(1);
	struct nf_actor_rt *rt;
	struct nf_err err = { 0 };
	int n = 0, r;

	(void)state;
	k.max_actors = 10;
	rt = actor_test_rt(&k);
	do
		r = nf_actor_spawn(rt, NULL, sleeps_long, NULL, NULL, &err);
	while (r == 0 && ++n < 10000);
	assert_int_equal(r, -NF_ENOMEM);
	assert_in_range(n, 10, 1000);
	assert_non_null(strstr(err.msg, "max_actors"));
	nf_actor_rt_free(rt);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_joiner_gets_what_the_function_returned),
	cmocka_unit_test(exit_gives_the_joiner_its_value),
	cmocka_unit_test(each_of_many_is_joined_with_its_own_value),
	cmocka_unit_test(a_panic_is_seen_by_the_joiner_alone),
	cmocka_unit_test(cleanups_that_are_left_run_at_a_panic),
	cmocka_unit_test(returning_with_a_cleanup_pushed_is_a_panic),
	cmocka_unit_test(a_stack_overflow_ends_its_actor_alone),
#if defined(__SANITIZE_ADDRESS__) || NF_UNIT_FEATURE(address_sanitizer)
	cmocka_unit_test(no_red_zone_outlives_the_runtime),
#endif
	cmocka_unit_test(cancel_ends_it_wherever_it_waits),
	cmocka_unit_test(stale_and_doubly_used_handles_are_told),
	cmocka_unit_test(an_actor_cannot_join_itself),
	cmocka_unit_test(freeing_a_runtime_ends_what_is_left),
	cmocka_unit_test(no_more_than_max_actors_live),
};

NF_UNIT_MAIN(tests)
