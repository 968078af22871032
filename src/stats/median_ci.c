/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "stats/select.h"

/* ln of the binomial probability of k of n at 1/2. lgamma_r, because lgamma writes a global. */
static double ln_pmf(size_t n, size_t k)
{
	int sign;
	double a = (double)n, b = (double)k;

	return lgamma_r(a + 1, &sign) - lgamma_r(b + 1, &sign) - lgamma_r(a - b + 1, &sign) -
	       a * (double)M_LN2;
}

size_t nf_median_ci_rank(size_t n, double level)
{
	double tail = (1 - level) / 2;
	/* Hoeffding: at most n/2 - t of n happens with probability exp(-2 t^2 / n) at most. So this
	 * start is never too far in, and the way up from it is short. */
	double start = (double)n / 2 - sqrt((double)n * log(1 / tail) / 2);
	size_t k = start < 1 ? 0 : (size_t)start; /* r - 1 */
	double pmf = exp(ln_pmf(n, k)), cdf = pmf;

	for (size_t j = k; j > 0; j--) { /* down, until nothing is added */
		double term = exp(ln_pmf(n, j - 1));

		if (term < cdf * 1e-18)
			break;
		cdf += term;
	}
	if (cdf > tail)
		return 0; /* only when k is 0: not even the extremes */
	while (k + 1 < (n + 1) / 2) {
		pmf *= (double)(n - k) / (double)(k + 1);
		if (cdf + pmf > tail)
			break;
		cdf += pmf;
		k++;
	}
	return k + 1;
}
