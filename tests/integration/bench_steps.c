/* SPDX-License-Identifier: MIT */
/* bench_steps - a benchmark program: STEPS steps of a chain of multiplications, and one that crashes. */
#include <signal.h>

#include "noisefloor/bench.h"

static int steps(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	uint64_t x = nf_bench_hide(1), length = nf_bench_hide(STEPS);

	(void)state;
	(void)thread;
	(void)err;
	for (uint64_t i = 0; i < n; i++)
		for (uint64_t k = 0; k < length; k++)
			x = nf_bench_hide(x * UINT64_C(6364136223846793005) + 1);
	nf_bench_keep(x);
	return 0;
}

static int crash(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	(void)state;
	(void)thread;
	(void)n;
	(void)err;
	return raise(SIGSEGV);
}

static const struct nf_bench table[] = {
	{ .name = "steps", .doc = "so many steps", .run = steps },
	{ .name = "crash", .doc = "a signal", .run = crash },
	{ .name = NULL },
};

int main(int argc, char **argv)
{
	return nf_bench_main(table, argc, argv);
}
