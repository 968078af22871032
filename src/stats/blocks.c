/* SPDX-License-Identifier: MIT */
#include "stats/blocks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Type 7 over a sorted array, q 0..1, n >= 1. */
static double quantile(const double *sorted, size_t n, double q)
{
	double h = (double)(n - 1) * q;
	size_t lo = (size_t)h;
	size_t hi = lo + 1 < n ? lo + 1 : lo;

	return sorted[lo] + (h - (double)lo) * (sorted[hi] - sorted[lo]);
}

/* Means of the blocks into m (NULL: only counted). Returns the number of blocks. */
static size_t block_means(const int64_t *x, size_t n, double block_length, double *m)
{
	size_t blocks = 0, in_block = 0;
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += (double)x[i];
		in_block++;
		if (sum < block_length)
			continue;
		if (m)
			m[blocks] = sum / (double)in_block;
		blocks++;
		sum = 0;
		in_block = 0;
	}
	return blocks;
}

int nf_blocks_difference(const int64_t *x, size_t n, double block_length, double *ret_ratio,
                         size_t *ret_blocks, struct nf_err *err)
{
	if (!(block_length > 0) || !isfinite(block_length))
		return nf_fail(err, NF_EARG, "block length %g is not above 0", block_length);
	for (size_t i = 0; i < n; i++)
		if (x[i] <= 0)
			return nf_fail(err, NF_EDATA, "duration %" PRId64 " at %zu is not above 0",
			               x[i], i);

	size_t blocks = block_means(x, n, block_length, NULL);
	if (blocks < NF_BLOCKS_MIN)
		return nf_fail(err, NF_ENODATA, "%zu blocks, at least %d are needed", blocks,
		               NF_BLOCKS_MIN);

	double *m = calloc(blocks, 2 * sizeof(*m));
	if (!m)
		return nf_fail_nomem(err, "block means", 2 * blocks * sizeof(*m));
	double *difference = m + blocks;

	(void)block_means(x, n, block_length, m);
	for (size_t i = 0; i + 1 < blocks; i++)
		difference[i] = fabs(m[i + 1] - m[i]);
	qsort(difference, blocks - 1, sizeof(*difference), by_value);
	qsort(m, blocks, sizeof(*m), by_value);
	*ret_ratio = quantile(difference, blocks - 1, 0.95) / quantile(m, blocks, 0.5);
	if (ret_blocks)
		*ret_blocks = blocks;
	free(m);
	return 0;
}
