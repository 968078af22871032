/* SPDX-License-Identifier: MIT */
#include "noisefloor/meantest.h"

#include <math.h>

#include "stats/check.h"
#include "stats/distfn.h"

int nf_welch_test(const double *a, size_t n_a, const double *b, size_t n_b, struct nf_welch *ret,
                  struct nf_err *err)
{
	struct nf_welch w = { 0 };
	double mean_a, mean_b, sd_a, sd_b;
	int r = nf_stats_check(a, n_a, 2, err);

	if (r == 0)
		r = nf_stats_check(b, n_b, 2, err);
	if (r < 0)
		return r;
	nf_stats_mean_sd(a, n_a, &mean_a, &sd_a);
	nf_stats_mean_sd(b, n_b, &mean_b, &sd_b);

	double se_a = sd_a / sqrt((double)n_a), se_b = sd_b / sqrt((double)n_b);

	w.difference = mean_b - mean_a;
	w.se = hypot(se_a, se_b);
	w.t = w.difference / w.se;
	if (!(w.se > 0) || !isfinite(w.t))
		return nf_fail(err, NF_ENODATA,
		               "both samples are constant: no test of their means");

	double share_a = se_a / w.se, share_b = se_b / w.se; /* squares sum to 1 */

	w.df = 1 / (pow(share_a, 4) / (double)(n_a - 1) + pow(share_b, 4) / (double)(n_b - 1));
	w.p = nf_clamp(2 * nf_t_upper(fabs(w.t), w.df), 0, 1);
	*ret = w;
	return 0;
}

int nf_mean_interval(const double *d, size_t n, double level, struct nf_mean_interval *ret,
                     struct nf_err *err)
{
	struct nf_mean_interval v = { 0 };
	int r = nf_stats_check(d, n, 2, err);

	if (r < 0)
		return r;
	if (!(level > 0 && level < 1))
		return nf_fail(err, NF_EARG, "no interval at level %g", level);
	nf_stats_mean_sd(d, n, &v.mean, &v.sd);
	v.t = -nf_t_point((1 - level) / 2, (double)(n - 1));

	double half = v.t * v.sd / sqrt((double)n);

	v.lo = v.mean - half;
	v.hi = v.mean + half;
	v.has_ratio = isfinite(exp(v.hi));
	if (v.has_ratio) {
		v.ratio = exp(v.mean);
		v.ratio_lo = exp(v.lo);
		v.ratio_hi = exp(v.hi);
	}
	*ret = v;
	return 0;
}
