/* SPDX-License-Identifier: MIT */
/*
 * own - a benchmark program of your own: two ways to sum an array, and a lock that threads share.
 *
 *   cc own.c $(pkg-config --cflags --libs noisefloor) -pthread -o own
 *   noisefloor bench list --program ./own
 */
#include <noisefloor/bench.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 1024 };

static int setup(const struct nf_bench_env *env, void **ret_state, struct nf_err *err)
{
	uint64_t *array = malloc(LENGTH * sizeof(*array));

	if (!array) {
		err->code = NF_ENOMEM;
		snprintf(err->msg, sizeof(err->msg), "no memory for an array");
		return -NF_ENOMEM;
	}
	for (size_t i = 0; i < LENGTH; i++)
		array[i] = env->seed + i;
	*ret_state = array;
	return 0;
}

static int run_forward(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	const uint64_t *array = state;

	(void)thread;
	(void)err;
	for (uint64_t op = 0; op < n; op++) {
		uint64_t sum = 0;

		for (size_t i = 0; i < LENGTH; i++)
			sum += array[i];
		nf_bench_keep(sum); /* else nothing needs the sum, and it is not computed */
	}
	return 0;
}

static int run_strided(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	const uint64_t *array = state;
	/* A stride that the compiler knew would be turned into straight-line code. */
	size_t stride = (size_t)nf_bench_hide(8);

	(void)thread;
	(void)err;
	for (uint64_t op = 0; op < n; op++) {
		uint64_t sum = 0;

		for (size_t from = 0; from < stride; from++)
			for (size_t i = from; i < LENGTH; i += stride)
				sum += array[i];
		nf_bench_keep(sum);
	}
	return 0;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int run_lock(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	(void)state;
	(void)thread;
	(void)err;
	for (uint64_t op = 0; op < n; op++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	return 0;
}

static const struct nf_bench table[] = {
	{ .name = "sum.forward",
	  .doc = "the sum of 1,024 numbers, one after the other",
	  .setup = setup,
	  .run = run_forward,
	  .teardown = free },
	{ .name = "sum.strided",
	  .doc = "the same sum, every eighth at a time",
	  .setup = setup,
	  .run = run_strided,
	  .teardown = free },
	{ .name = "lock.shared",
	  .doc = "taking and leaving one lock",
	  .max_threads = 64,
	  .default_threads = 2,
	  .run = run_lock },
	{ .name = NULL },
};

int main(int argc, char **argv)
{
	return nf_bench_main(table, argc, argv);
}
