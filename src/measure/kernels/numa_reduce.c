/* SPDX-License-Identifier: MIT */
#include "measure/kernels/numa_reduce.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Four doubles at any double's address. Never passed by value: that would depend on the target. */
typedef double v4 __attribute__((vector_size(32), aligned(8), may_alias));

/* Partial sum j of row p takes the elements j, j + 16, ... */
ALWAYS_INLINE double row_sum(const double *p, size_t n)
{
	v4 a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 };
	size_t i = 0;

	for (; i + 16 <= n; i += 16) {
		a += *(const v4 *)(p + i);
		b += *(const v4 *)(p + i + 4);
		c += *(const v4 *)(p + i + 8);
		d += *(const v4 *)(p + i + 12);
	}
	a = (a + b) + (c + d);

	double sum = (a[0] + a[1]) + (a[2] + a[3]);

	for (; i < n; i++)
		sum += p[i];
	return sum;
}

ALWAYS_INLINE double rows_sum(const double *p, size_t rows, size_t cols)
{
	double sum = 0;

	for (size_t r = 0; r < rows; r++)
		sum += row_sum(p + r * cols, cols);
	return sum;
}

ALWAYS_INLINE double plain_sum(const double *p, size_t n)
{
	v4 s[8] = { { 0 } };
	size_t i = 0;

	for (; i + 32 <= n; i += 32) {
		s[0] += *(const v4 *)(p + i);
		s[1] += *(const v4 *)(p + i + 4);
		s[2] += *(const v4 *)(p + i + 8);
		s[3] += *(const v4 *)(p + i + 12);
		s[4] += *(const v4 *)(p + i + 16);
		s[5] += *(const v4 *)(p + i + 20);
		s[6] += *(const v4 *)(p + i + 24);
		s[7] += *(const v4 *)(p + i + 28);
	}
	v4 t = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
	double sum = (t[0] + t[1]) + (t[2] + t[3]);

	for (; i < n; i++)
		sum += p[i];
	return sum;
}

static double rows_baseline(const double *p, size_t rows, size_t cols)
{
	return rows_sum(p, rows, cols);
}

static double plain_baseline(const double *p, size_t n)
{
	return plain_sum(p, n);
}

static const struct nf_reduce baseline = { "baseline", rows_baseline, plain_baseline };

#if defined(__x86_64__)
__attribute__((target("avx2"))) static double rows_avx2(const double *p, size_t rows, size_t cols)
{
	return rows_sum(p, rows, cols);
}

__attribute__((target("avx2"))) static double plain_avx2(const double *p, size_t n)
{
	return plain_sum(p, n);
}

static const struct nf_reduce avx2 = { "avx2", rows_avx2, plain_avx2 };

const struct nf_reduce *nf_reduce_at(size_t i)
{
	if (i == 0)
		return &baseline;
	return i == 1 && __builtin_cpu_supports("avx2") ? &avx2 : NULL;
}
#else
const struct nf_reduce *nf_reduce_at(size_t i)
{
	return i == 0 ? &baseline : NULL;
}
#endif

const struct nf_reduce *nf_reduce_best(void)
{
	const struct nf_reduce *best = nf_reduce_at(1);

	return best ? best : &baseline;
}
