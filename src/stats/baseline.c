/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "noisefloor/compare.h"
#include "stats/check.h"
#include "stats/compare_rule.h"
#include "stats/distfn.h"

enum { SESSIONS_MIN = 3 };

const char *nf_baseline_verdict_text(enum nf_baseline_verdict v)
{
	static const char *const text[] = {
		[NF_BASELINE_INCONCLUSIVE] = "INCONCLUSIVE",
		[NF_BASELINE_WITHIN] = "WITHIN",
		[NF_BASELINE_CONFIRM] = "CONFIRM",
		[NF_BASELINE_NOT_CONFIRMED] = "NOT CONFIRMED",
		[NF_BASELINE_REGRESSED] = "REGRESSED",
	};

	return (unsigned)v < sizeof(text) / sizeof(*text) ? text[v] : "unknown";
}

int nf_baseline_bounds(const double *ln_median, size_t k, size_t m,
                       const struct nf_compare_options *o, struct nf_baseline *ret,
                       struct nf_err *err)
{
	struct nf_baseline b = { .k = k };
	struct nf_compare_options v;
	int r = nf_compare_check_options(o, &v, err);

	if (r == 0 && m == 0)
		r = nf_fail(err, NF_EARG, "a run of no benchmarks");
	if (r == 0)
		r = nf_stats_check(ln_median, k, SESSIONS_MIN, err);
	if (r < 0)
		return r;
	nf_stats_mean_sd(ln_median, k, &b.mean, &b.sd);

	double df = (double)(k - 1), share = 1 / (double)k, start = b.mean + log1p(v.delta);
	double t = -nf_t_point(v.alpha / v.looks / (double)m, df);
	double power = nf_t_point(0.8, df);

	b.first = start + t * b.sd * sqrt(1 + share);
	b.second = start + t * b.sd * sqrt(0.5 + share);
	b.detectable = expm1(log1p(v.delta) + (t + power) * b.sd * sqrt(1 + share));
	if (!isfinite(b.first) || !isfinite(b.detectable))
		return nf_fail(err, NF_ENODATA, "the sessions differ too much for a bound: sd %g",
		               b.sd);
	*ret = b;
	return 0;
}

int nf_baseline_judge(const double *ln_median, size_t k, size_t m, const double *session, size_t n,
                      const struct nf_compare_options *o, enum nf_baseline_verdict *ret,
                      struct nf_err *err)
{
	struct nf_baseline b;
	int r;

	if (n < 1 || n > 2)
		return nf_fail(err, NF_EARG, "%zu new sessions: 1 or 2", n);
	r = nf_stats_check(session, n, 1, err);
	if (r < 0)
		return r;
	r = nf_baseline_bounds(ln_median, k, m, o, &b, err);
	if (r == -NF_ENODATA && k < SESSIONS_MIN) {
		*ret = NF_BASELINE_INCONCLUSIVE;
		return 0;
	}
	if (r < 0)
		return r;
	if (session[0] <= b.first)
		*ret = NF_BASELINE_WITHIN;
	else if (n < 2)
		*ret = NF_BASELINE_CONFIRM;
	else
		*ret = session[0] / 2 + session[1] / 2 > b.second ? NF_BASELINE_REGRESSED
		                                                  : NF_BASELINE_NOT_CONFIRMED;
	return 0;
}

int nf_over_threshold(double new_median, double stored_median, double threshold, bool *ret,
                      struct nf_err *err)
{
	if (!(new_median > 0 && isfinite(new_median)) ||
	    !(stored_median > 0 && isfinite(stored_median)))
		return nf_fail(err, NF_EDATA, "medians of %g and %g: above 0", new_median,
		               stored_median);
	if (!(threshold >= 0 && isfinite(threshold)))
		return nf_fail(err, NF_EARG, "a threshold of %g: 0 or above", threshold);
	*ret = new_median / stored_median - 1 > threshold;
	return 0;
}
