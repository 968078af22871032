/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "noisefloor/series.h"
#include "stats/check.h"

int nf_mser(const double *x, size_t n, size_t min_d, struct nf_warmup *ret, struct nf_err *err)
{
	struct nf_warmup best = { 0 };
	double mean = 0, squares = 0, lo, hi;
	bool found = false;
	int r = nf_stats_check(x, n, 4, err);

	if (r < 0)
		return r;
	if (min_d > n / 2)
		return nf_fail(err, NF_ENODATA,
		               "%zu samples: fewer than twice the least warm-up of %zu", n, min_d);
	/* From the end, as each step back adds one sample to the rest (Welford, Technometrics 4,
	 * 1962). The range tells a constant rest, whose mean must be exact. */
	lo = hi = x[n - 1];
	for (size_t i = n; i-- > min_d;) {
		double k = (double)(n - i), d = x[i] - mean, criterion;

		lo = x[i] < lo ? x[i] : lo;
		hi = x[i] > hi ? x[i] : hi;
		mean += d / k;
		squares += d * (x[i] - mean);
		if (hi <= lo) {
			mean = lo;
			squares = 0;
		}
		criterion = squares / k / k;
		if (i <= n / 2 && (!found || criterion <= best.criterion)) {
			best = (struct nf_warmup){ .d = i, .criterion = criterion, .mean = mean };
			found = true;
		}
	}
	best.steady = best.d < n / 2 || (nf_same(best.criterion, 0) && best.d == min_d);
	*ret = best;
	return 0;
}
