/* SPDX-License-Identifier: MIT */
/*
 * Times every kernel with w and 2w iterations, a few quanta of each in turn, for w of about 2 to 8 us,
 * and prints "KERNEL TARGET_US RATIO" of the lower quartiles. Interruptions only lengthen samples: the
 * lower quartile is a time without them as long as most quanta are free of them. Linked by
 * kernel_ratio.py with kernels built in several ways.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure/kernels/kernels.h"

enum { BATCH = 10, ROUNDS = 60, N = BATCH * ROUNDS, TRIES = 30 };

static double vectors[2 * NF_DAXPY_LEN] __attribute__((aligned(4096)));
static int64_t sample[2][N];
static const volatile sig_atomic_t never;

static nf_fwq_loop_fn *loop_of(const struct nf_kernel *k)
{
	return k->loop_counter ? k->loop_counter : k->loop_monotonic;
}

static void time_batch(const struct nf_kernel *k, uint64_t work, int64_t *out)
{
	struct nf_fwq_loop l = { .work = work,
		                 .vector = vectors,
		                 .sample = out,
		                 .n = BATCH,
		                 .deadline_tick = UINT64_MAX,
		                 .stop = &never };

	loop_of(k)(&l);
	if (l.n != BATCH)
		abort();
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static double lower_quartile(int64_t *x)
{
	qsort(x, N, sizeof(*x), by_value);
	return (double)x[N / 4];
}

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* ns of one iteration, roughly: the best of several long quanta. */
static double iteration_ns(const struct nf_kernel *k)
{
	uint64_t work = 100000;
	double best = 1e18;

	for (int i = 0; i < 20; i++) {
		int64_t before = now_ns();

		time_batch(k, work, sample[0]);
		double ns = (double)(now_ns() - before) / BATCH / (double)work;
		best = ns < best ? ns : best;
	}
	return best;
}

static double ratio(const struct nf_kernel *k, uint64_t work)
{
	for (int r = 0; r < ROUNDS; r++)
		for (int which = 0; which < 2; which++)
			time_batch(k, which ? 2 * work : work, sample[which] + r * BATCH);
	return lower_quartile(sample[1]) / lower_quartile(sample[0]);
}

int main(void)
{
	int bad = 0;

	for (int i = 0; i < NF_DAXPY_LEN; i++)
		vectors[i] = 1.0;
	for (int id = 0; id < NF_N_KERNELS; id++) {
		const struct nf_kernel *k = &nf_kernels[id];
		double per_ns = iteration_ns(k);

		for (int us = 2; us <= 8; us += 2) {
			double r = 0;
			int i;

			for (i = 0; i < TRIES; i++) {
				r = ratio(k, (uint64_t)(us * 1000 / per_ns));
				if (r >= 1.97 && r <= 2.03)
					break;
			}
			printf("# %-6s %d us: 2w/w = %.4f%s\n", k->name, us, r,
			       i == TRIES ? " OUTSIDE 1.97..2.03" : "");
			bad += i == TRIES;
		}
	}
	return bad ? 1 : 0;
}
