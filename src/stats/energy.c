/* SPDX-License-Identifier: MIT */
#include "stats/energy.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stats/check.h"

static double mean_within(double sum, double n)
{
	return n > 1 ? sum / (n * (n - 1) / 2) : 0;
}

static double q_of(double across, double left, double right, double m, double k)
{
	return m * k / (m + k) *
	       (2 * across / (m * k) - mean_within(left, m) - mean_within(right, k));
}

void nf_energy_profile_into(const double *x, size_t n, double *q, double *work)
{
	double *left = work, *right = work + n + 1; /* sums within [0, tau) and [tau, n) */

	left[0] = 0;
	right[n] = 0;
	for (size_t i = 0; i < n; i++) {
		double s = 0;

		for (size_t j = 0; j < i; j++)
			s += fabs(x[i] - x[j]);
		left[i + 1] = left[i] + s;
	}
	for (size_t i = n; i-- > 0;) {
		double s = 0;

		for (size_t j = i + 1; j < n; j++)
			s += fabs(x[i] - x[j]);
		right[i] = right[i + 1] + s;
	}
	for (size_t tau = 1; tau < n; tau++)
		q[tau - 1] = q_of(left[n] - left[tau] - right[tau], left[tau], right[tau],
		                  (double)tau, (double)(n - tau));
}

struct nf_split nf_energy_best(const double *x, size_t n, size_t min_size, double *work)
{
	struct nf_split best = { .tau = min_size, .kappa = n };
	double *q = work + 2 * (n + 1);

	nf_energy_profile_into(x, n, q, work);
	best.q = q[min_size - 1];
	for (size_t tau = min_size + 1; tau + min_size <= n; tau++)
		if (q[tau - 1] > best.q) {
			best.q = q[tau - 1];
			best.tau = tau;
		}
	return best;
}

void nf_shuffle_blocks(struct nf_rng *rng, const double *x, size_t n, size_t block, double *ret,
                       size_t *work)
{
	size_t n_blocks = (n + block - 1) / block, k = 0;

	for (size_t i = 0; i < n_blocks; i++)
		work[i] = i;
	for (size_t i = n_blocks; i > 1; i--) {
		size_t j = nf_rng_below(rng, i), t = work[j];

		work[j] = work[i - 1];
		work[i - 1] = t;
	}
	for (size_t i = 0; i < n_blocks; i++)
		for (size_t j = work[i] * block; j < n && j < (work[i] + 1) * block; j++)
			ret[k++] = x[j];
}

double nf_energy_rounding(const double *x, size_t n, double q)
{
	double lo = x[0], hi = x[0];

	for (size_t i = 1; i < n; i++) {
		lo = x[i] < lo ? x[i] : lo;
		hi = x[i] > hi ? x[i] : hi;
	}
	/* Differences of the values carry the rounding of the values themselves. */
	double level = fabs(lo) > fabs(hi) ? fabs(lo) : fabs(hi);

	return 1e-11 * fabs(q) + 1e-11 * (hi - lo) + 1e-14 * level;
}

static int check(const double *x, size_t n, size_t min_size, struct nf_err *err)
{
	int r = nf_stats_check(x, n, 1, err);

	if (r < 0)
		return r;
	if (min_size < 1)
		return nf_fail(err, NF_EARG, "a side has at least one value");
	if (n > NF_CHANGE_MAX_N)
		return nf_fail(err, NF_EARG, "%zu values: at most %d", n, NF_CHANGE_MAX_N);
	if (n / 2 < min_size)
		return nf_fail(err, NF_ENODATA, "%zu values: no two sides of %zu", n, min_size);
	return 0;
}

int nf_energy_profile(const double *x, size_t n, double *ret_q, struct nf_err *err)
{
	int r = check(x, n, 1, err);

	if (r < 0)
		return r;

	double *work = malloc(2 * (n + 1) * sizeof(*work));

	if (!work)
		return nf_fail_nomem(err, "sums", 2 * (n + 1) * sizeof(*work));
	nf_energy_profile_into(x, n, ret_q, work);
	free(work);
	return 0;
}

/* All ends: sums within [tau, kappa) for every tau are kept while kappa grows. */
static struct nf_split best_anywhere(const double *x, size_t n, size_t min_size, double *work)
{
	double *from_start = work, *until = work + n + 1;
	struct nf_split best = { 0 };
	bool found = false;

	memset(work, 0, 2 * (n + 1) * sizeof(*work));
	for (size_t kappa = 1; kappa <= n; kappa++) {
		double s = 0;

		for (size_t tau = kappa; tau-- > 0;) {
			s += fabs(x[tau] - x[kappa - 1]);
			until[tau] += s;
		}
		from_start[kappa] = until[0];
		for (size_t tau = min_size; tau + min_size <= kappa; tau++) {
			double q = q_of(until[0] - from_start[tau] - until[tau], from_start[tau],
			                until[tau], (double)tau, (double)(kappa - tau));

			if (!found || q > best.q) {
				best = (struct nf_split){ q, tau, kappa };
				found = true;
			}
		}
	}
	return best;
}

int nf_energy_split(const double *x, size_t n, size_t min_size, int any_kappa, struct nf_split *ret,
                    struct nf_err *err)
{
	int r = check(x, n, min_size, err);

	if (r < 0)
		return r;

	double *work = malloc(3 * (n + 1) * sizeof(*work));

	if (!work)
		return nf_fail_nomem(err, "sums", 3 * (n + 1) * sizeof(*work));
	*ret = any_kappa ? best_anywhere(x, n, min_size, work)
	                 : nf_energy_best(x, n, min_size, work);
	free(work);
	return 0;
}

/* Heap's algorithm without recursion (B. R. Heap, The Computer Journal 6(3), 1963). */
static double share_of_all(double *x, size_t n, size_t min_size, double least, double *work)
{
	size_t c[NF_CHANGE_EXACT_MAX] = { 0 }, i = 1;
	double count = nf_energy_best(x, n, min_size, work).q >= least, all = 1;

	while (i < n) {
		if (c[i] >= i) {
			c[i++] = 0;
			continue;
		}

		size_t j = i % 2 ? c[i] : 0;
		double t = x[j];

		x[j] = x[i];
		x[i] = t;
		c[i]++;
		i = 1;
		count += nf_energy_best(x, n, min_size, work).q >= least;
		all++;
	}
	return count / all;
}

int nf_energy_test(const double *x, size_t n, size_t min_size, size_t permutations, size_t block,
                   uint64_t seed, double *ret_p, struct nf_err *err)
{
	double *work = NULL, *order = NULL;
	size_t *blocks = NULL;
	int r = check(x, n, min_size, err);

	if (r < 0)
		return r;
	if (permutations == 0 && n > NF_CHANGE_EXACT_MAX)
		return nf_fail(err, NF_EARG, "all orders of %zu values are too many", n);
	if (block < 1 || block > n)
		return nf_fail(err, NF_EARG, "blocks of %zu in %zu values", block, n);
	work = malloc(3 * (n + 1) * sizeof(*work));
	order = malloc(n * sizeof(*order));
	blocks = malloc(n * sizeof(*blocks));
	if (!work || !order || !blocks) {
		r = nf_fail_nomem(err, "an order", 5 * n * sizeof(*work));
		goto out;
	}

	double q = nf_energy_best(x, n, min_size, work).q, count = 1;
	double least = q - nf_energy_rounding(x, n, q);
	struct nf_rng rng;

	if (permutations == 0) {
		memcpy(order, x, n * sizeof(*x));
		*ret_p = share_of_all(order, n, min_size, least, work);
		goto out;
	}
	nf_rng_seed(&rng, seed);
	for (size_t i = 0; i < permutations; i++) {
		nf_shuffle_blocks(&rng, x, n, block, order, blocks);
		count += nf_energy_best(order, n, min_size, work).q >= least;
	}
	*ret_p = count / ((double)permutations + 1);
out:
	free(work);
	free(order);
	free(blocks);
	return r;
}
