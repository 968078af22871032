/* SPDX-License-Identifier: MIT */
#include "stats/proportion.h"

#include "noisefloor/dist.h"

int nf_proportion_interval(uint64_t k, uint64_t n, double level, double *ret_lo, double *ret_hi,
                           struct nf_err *err)
{
	double lo = 0, hi = 1;
	int r = 0;

	if (n == 0)
		return nf_fail(err, NF_ENODATA, "no trials: the share is undefined");
	if (k > n)
		return nf_fail(err, NF_EARG, "%llu of %llu trials", (unsigned long long)k,
		               (unsigned long long)n);
	if (!(level > 0 && level < 1))
		return nf_fail(err, NF_EARG, "a level of %g; allowed: between 0 and 1", level);
	double tail = (1 - level) / 2, of_k = (double)k, rest = (double)(n - k);
	if (k > 0)
		r = nf_beta_quantile(tail, of_k, rest + 1, &lo, err);
	if (r == 0 && k < n)
		r = nf_beta_quantile(1 - tail, of_k + 1, rest, &hi, err);
	if (r < 0)
		return r;
	*ret_lo = lo;
	*ret_hi = hi;
	return 0;
}
