/* SPDX-License-Identifier: MIT */
#include "bench/iterate.h"

#include <math.h>

enum { CLEAR = 100 }; /* times the length: no interruption explains it */

int64_t nf_iteration_length_ns(int64_t min_ns, int64_t step_ns)
{
	int64_t by_steps;

	if (min_ns <= 0)
		min_ns = NF_BENCH_MIN_ITERATION_NS;
	if (__builtin_mul_overflow(step_ns, (int64_t)NF_BENCH_MIN_STEPS, &by_steps))
		by_steps = INT64_MAX;
	return min_ns > by_steps ? min_ns : by_steps;
}

int64_t nf_iteration_step_ns(const int64_t *reading, size_t n)
{
	int64_t step = INT64_MAX;

	for (size_t i = 1; i < n; i++) {
		int64_t d = reading[i] - reading[i - 1];

		if (d > 0 && d < step)
			step = d;
	}
	return step == INT64_MAX ? 1 : step;
}

/* Long enough, unless it was only interrupted: then the same again is shorter. */
static int confirm(nf_iteration_fn *fn, void *ctx, uint64_t n, int64_t *took_ns, struct nf_err *err)
{
	int64_t again_ns = 0;
	int r = fn(ctx, n, &again_ns, err);

	if (r == 0 && again_ns < *took_ns)
		*took_ns = again_ns;
	return r;
}

int nf_iteration_calibrate(nf_iteration_fn *fn, void *ctx, int64_t length_ns, uint64_t *ret_n,
                           struct nf_err *err)
{
	uint64_t n = 1;

	for (;;) {
		int64_t took_ns = 0;
		int r = fn(ctx, n, &took_ns, err);

		if (r == 0 && took_ns >= length_ns && took_ns / CLEAR < length_ns)
			r = confirm(fn, ctx, n, &took_ns, err);
		if (r != 0)
			return r;
		if (took_ns >= length_ns)
			break;
		double factor = took_ns > 0 ? 1.2 * (double)length_ns / (double)took_ns : 10;
		double next = ceil((double)n * (factor > 10 ? 10 : factor < 1.05 ? 1.05 : factor));
		if (next > (double)NF_BENCH_OPERATIONS_MAX)
			return nf_fail(err, NF_ESUBJECT,
			               "%llu operations take %lld ns: the compiler has thrown the "
			               "work out (nf_bench_keep() holds it)",
			               (unsigned long long)n, (long long)took_ns);
		n = (uint64_t)next;
	}
	*ret_n = n;
	return 0;
}
