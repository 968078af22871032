/* SPDX-License-Identifier: MIT */
/* suite_spin - work whose amount is known: a chain of multiplications, which nothing can shorten or overlap. */
#include "bench/suites.h"

static void spin(uint64_t n, uint64_t steps)
{
	uint64_t x = nf_bench_hide(1);

	for (uint64_t i = 0; i < n; i++)
		for (uint64_t k = 0; k < steps; k++) {
			x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			x = nf_bench_hide(x);
		}
	nf_bench_keep(x);
}

/* A function each, so that the number of steps is the only difference. */
#define SPIN(steps) \
	static int spin_##steps(void *state, unsigned thread, uint64_t n, struct nf_err *err) \
	{ \
		(void)state; \
		(void)thread; \
		(void)err; \
		spin(n, nf_bench_hide(steps)); \
		return 0; \
	}
SPIN(1000)
SPIN(1050)
SPIN(1200)

/* clang-format off */
const struct nf_bench nf_suite_spin[] = {
	{ .name = "spin.1000", .doc = "1,000 steps of a chain of multiplications", .run = spin_1000 },
	{ .name = "spin.1050", .doc = "5 % more of them", .run = spin_1050 },
	{ .name = "spin.1200", .doc = "20 % more", .run = spin_1200 },
	{ .name = NULL },
};
/* clang-format on */
