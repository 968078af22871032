/* SPDX-License-Identifier: MIT */
#include "stats/bsp.h"

#include <math.h>

#include "base/fail.h"

/* So many factors are multiplied one by one; beyond them Stirling's formula is exact enough. */
enum { FACTORS = 512 };

/*
 * With d = n - b: the product over j < N of (b - j) / (n - j), or, the same by symmetry, over j < d of
 * (n - N - j) / (n - j). For large N and d the difference of four logarithms of factorials,
 *     ln b! + ln (n - N)! - ln n! - ln (b - N)!,
 * by Stirling with the large terms cancelled by hand:
 *     n ln(1 - d/n) - (n - N) ln(1 - d/(n - N)) + d ln(1 - N/b) + [ln(1 - d/n) - ln(1 - d/(n - N))] / 2.
 */
double nf_bsp_all_among(uint64_t n, uint64_t b, uint64_t n_draws)
{
	uint64_t d = n - b;
	uint64_t factors = n_draws < d ? n_draws : d, other = n_draws < d ? d : n_draws;
	double log_share = 0;

	if (b < n_draws)
		return 0;
	if (factors <= FACTORS) {
		for (uint64_t j = 0; j < factors; j++)
			log_share += log1p(-(double)other / (double)(n - j));
		return exp(log_share);
	}
	if (b == n_draws) /* one way out of C(n, N), which is beyond counting */
		return 0;

	double rn = (double)n, rd = (double)d, rest = (double)(n - n_draws);
	double of_n = log1p(-rd / rn), of_rest = log1p(-rd / rest);

	log_share = rn * of_n - rest * of_rest + rd * log1p(-(double)n_draws / (double)b) +
	            (of_n - of_rest) / 2;
	return log_share < 0 ? exp(log_share) : 1;
}

static int check(uint64_t n, uint64_t n_ranks, struct nf_err *err)
{
	if (n == 0)
		return nf_fail(err, NF_ENODATA, "no samples: the longest of %llu is undefined",
		               (unsigned long long)n_ranks);
	return n_ranks >= 1 ? 0 : nf_fail(err, NF_EARG, "ranks: at least 1");
}

static int finish(struct nf_bsp b, double mean, double min, struct nf_bsp *ret, struct nf_err *err)
{
	if (!(min > 0))
		return nf_fail(err, NF_EARG,
		               "a quantum that takes no time: there is no ratio to it");
	b.to_mean = b.step / mean;
	b.to_min = b.step / min;
	*ret = b;
	return 0;
}

int nf_bsp_sorted(const double *sorted, size_t n, uint64_t n_ranks, struct nf_bsp *ret,
                  struct nf_err *err)
{
	struct nf_bsp b = { .n_ranks = n_ranks, .lower_bound = n_ranks >= n };
	double mean = 0, below = 0;
	int r = check(n, n_ranks, err);

	if (r < 0)
		return r;
	if (b.lower_bound)
		b.step = sorted[n - 1];
	for (size_t k = 0; k < n; k++) {
		mean += (sorted[k] - mean) / (double)(k + 1);
		if (b.lower_bound)
			continue;
		double upto = nf_bsp_all_among(n, k + 1, n_ranks);

		b.step += sorted[k] * (upto - below);
		below = upto;
	}
	return finish(b, mean, sorted[0], ret, err);
}

int nf_bsp_histogram(const struct nf_hist *h, double mean, uint64_t n_ranks, struct nf_bsp *ret,
                     struct nf_err *err)
{
	uint64_t n = nf_hist_count(h), min = 0, max = 0, lo, hi, count, seen = 0;
	struct nf_bsp b = { .n_ranks = n_ranks, .lower_bound = n_ranks >= n };
	double below = 0, own_mean = 0;
	int r = check(n, n_ranks, err);

	if (r == 0)
		r = nf_hist_min(h, &min, err);
	if (r == 0)
		r = nf_hist_max(h, &max, err);
	if (r < 0)
		return r;
	for (size_t pos = 0; nf_hist_next(h, &pos, &lo, &hi, &count);) {
		double low = (double)(lo < min ? min : lo), high = (double)(hi > max ? max : hi);
		double middle = low + (high - low) / 2;

		seen += count;
		own_mean += (middle - own_mean) * ((double)count / (double)seen);
		if (b.lower_bound)
			continue;
		/* The last record is known exactly, and weighs the most. */
		double upto = nf_bsp_all_among(n, seen < n ? seen : n - 1, n_ranks);

		b.step += middle * (upto - below);
		below = upto;
	}
	b.step = b.lower_bound ? (double)max : b.step + (double)max * (1 - below);
	return finish(b, mean > 0 ? mean : own_mean, (double)min, ret, err);
}
