/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "noisefloor/location.h"
#include "stats/check.h"

int nf_fences(const double *x, size_t n, struct nf_fences *ret, struct nf_err *err)
{
	static const double p[2] = { 0.25, 0.75 };
	struct nf_fences f = { 0 };
	double q[2];
	int r = nf_quantiles(x, n, NF_QUANTILE_TYPE, p, 2, q, err);

	if (r < 0)
		return r;

	double range = q[1] - q[0];

	f.q1 = q[0];
	f.q3 = q[1];
	f.mild_lo = q[0] - 1.5 * range;
	f.mild_hi = q[1] + 1.5 * range;
	f.severe_lo = q[0] - 3 * range;
	f.severe_hi = q[1] + 3 * range;
	for (size_t i = 0; i < n; i++)
		if (x[i] < f.severe_lo || x[i] > f.severe_hi)
			f.n_severe++;
		else if (x[i] < f.mild_lo || x[i] > f.mild_hi)
			f.n_mild++;
	*ret = f;
	return 0;
}

int nf_modified_z(const double *x, size_t n, double *ret_z, struct nf_err *err)
{
	double mad, median;
	int r = nf_mad(x, n, &mad, &median, err);

	if (r < 0)
		return r;
	if (!(mad > 0))
		return nf_fail(err, NF_ENODATA, "the MAD is 0: no score in terms of it");
	for (size_t i = 0; i < n; i++) {
		double z = (x[i] - median) / (NF_MAD_TO_SD * mad);

		ret_z[i] = isfinite(z) ? z : copysign(HUGE_VAL, z);
	}
	return 0;
}

int nf_outliers(const double *x, size_t n, double limit, bool *ret_outlier, size_t *ret_count,
                struct nf_err *err)
{
	double mad, median;
	size_t count = 0;
	int r;

	if (!(limit > 0))
		return nf_fail(err, NF_EARG, "a limit of %g for outliers: above 0", limit);
	r = nf_mad(x, n, &mad, &median, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++) {
		ret_outlier[i] = fabs(x[i] - median) > limit * NF_MAD_TO_SD * mad;
		count += ret_outlier[i];
	}
	if (ret_count)
		*ret_count = count;
	return 0;
}
