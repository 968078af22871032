/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdint.h>

#include "base/fail.h"
#include "noisefloor/compare.h"
#include "stats/distfn.h"

static double spread_factor(enum nf_mde_kind kind)
{
	return kind == NF_MDE_HODGES_LEHMANN ? sqrt((double)M_PI / 3)
	       : kind == NF_MDE_MEDIAN       ? sqrt((double)M_PI / 2)
	                                     : 1;
}

static int check(double sd, double alpha, double power, double delta, struct nf_err *err)
{
	if (!(sd >= 0) || !isfinite(sd))
		return nf_fail(err, NF_EARG, "no standard deviation of %g", sd);
	if (!(alpha > 0 && alpha < 1) || !(power > 0 && power < 1))
		return nf_fail(err, NF_EARG, "level %g and power %g: in (0, 1)", alpha, power);
	if (!(delta > -1) || !isfinite(delta))
		return nf_fail(err, NF_EARG, "no margin of %g", delta);
	return 0;
}

int nf_mde(enum nf_mde_kind kind, double sd, size_t n, double alpha, double power, double delta,
           double *ret_ratio, struct nf_err *err)
{
	int r = check(sd, alpha, power, delta, err);

	if (r < 0)
		return r;
	if (n == 0)
		return nf_fail(err, NF_ENODATA, "no pairs");

	double noise = (nf_z(power) - nf_z(alpha)) * sd * spread_factor(kind) / sqrt((double)n);
	double effect = expm1(log1p(delta) + noise);

	if (!isfinite(effect))
		return nf_fail(err, NF_ENODATA, "no effect is large enough to be found");
	*ret_ratio = effect;
	return 0;
}

int nf_pairs_needed(enum nf_mde_kind kind, double sd, double effect, double alpha, double power,
                    double delta, size_t *ret_n, struct nf_err *err)
{
	int r = check(sd, alpha, power, delta, err);

	if (r < 0)
		return r;
	if (!(effect > delta) || !isfinite(effect))
		return nf_fail(err, NF_EARG, "an effect of %g is not above the margin of %g",
		               effect, delta);

	double noise = (nf_z(power) - nf_z(alpha)) * sd * spread_factor(kind);
	double root = noise / (log1p(effect) - log1p(delta)), n = ceil(root * root);

	*ret_n = root <= 1 ? 1 : n < 1e15 ? (size_t)n : SIZE_MAX;
	return 0;
}
