/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "noisefloor/series.h"
#include "stats/check.h"
#include "stats/distfn.h"

int nf_autocorrelation(const double *x, size_t n, size_t max_lag, double *ret_r, struct nf_err *err)
{
	double mean, sd, c0 = 0;
	int r = nf_stats_check(x, n, 2, err);

	if (r < 0)
		return r;
	if (max_lag < 1 || max_lag >= n)
		return nf_fail(err, NF_EARG, "no lag %zu in %zu samples", max_lag, n);
	nf_stats_mean_sd(x, n, &mean, &sd);
	if (!(sd > 0))
		return nf_fail(err, NF_ENODATA, "a constant has no autocorrelation");
	for (size_t i = 0; i < n; i++)
		c0 += (x[i] - mean) / sd * ((x[i] - mean) / sd);
	for (size_t k = 1; k <= max_lag; k++) {
		double c = 0;

		for (size_t i = 0; i + k < n; i++)
			c += (x[i] - mean) / sd * ((x[i + k] - mean) / sd);
		ret_r[k - 1] = c / c0;
	}
	return 0;
}

int nf_effective_size(size_t n, double r1, double *ret_n, struct nf_err *err)
{
	if (n == 0)
		return nf_fail(err, NF_ENODATA, "no samples");
	if (!(r1 > -1 && r1 < 1))
		return nf_fail(err, NF_EARG, "no autocorrelation of %g", r1);
	*ret_n = (double)n * (1 - r1) / (1 + r1);
	return 0;
}

int nf_ljung_box(const double *x, size_t n, size_t lags, double *ret_q, double *ret_p,
                 struct nf_err *err)
{
	double *rho, q = 0, m = (double)n;
	int r = nf_stats_check(x, n, 2, err);

	if (r < 0)
		return r;
	if (lags < 1 || lags >= n)
		return nf_fail(err, NF_EARG, "no lag %zu in %zu samples", lags, n);
	rho = malloc(lags * sizeof(*rho));
	if (!rho)
		return nf_fail_nomem(err, "autocorrelations", lags * sizeof(*rho));
	r = nf_autocorrelation(x, n, lags, rho, err);
	if (r == 0) {
		for (size_t k = 1; k <= lags; k++)
			q += rho[k - 1] * rho[k - 1] / (m - (double)k);
		q *= m * (m + 2);
		*ret_q = q;
		*ret_p = nf_chi2_upper(q, (double)lags);
	}
	free(rho);
	return r;
}

size_t nf_stats_block_length(double r1, size_t n)
{
	if (n < 6 || !(fabs(r1) > 0.3))
		return 1;

	double r = fabs(r1) < 0.99 ? fabs(r1) : 0.99;

	size_t length = (size_t)ceil(cbrt(pow(2 * r / (1 - r * r), 2) * (double)n)), max = n / 3;

	length = length < 2 ? 2 : length;
	return length < max ? length : max;
}

int nf_block_length(const double *x, size_t n, size_t *ret, struct nf_err *err)
{
	double r1 = 0;
	int r = nf_stats_check(x, n, 1, err);

	if (r < 0)
		return r;
	if (n >= 6)
		r = nf_autocorrelation(x, n, 1, &r1, NULL);
	*ret = r < 0 ? 1 : nf_stats_block_length(r1, n); /* a constant has no r1 */
	return 0;
}

int nf_runs_test(const double *x, size_t n, struct nf_runs *ret, struct nf_err *err)
{
	struct nf_runs t = { .p = 1 };
	int r = nf_stats_check(x, n, 1, err);

	if (r < 0)
		return r;

	double *sorted = nf_stats_sorted(x, n), median;
	int last = 0;

	if (!sorted)
		return nf_fail_nomem(err, "a median", n * sizeof(*sorted));
	median = nf_stats_median_sorted(sorted, n);
	free(sorted);
	for (size_t i = 0; i < n; i++) {
		int now = (x[i] > median) - (x[i] < median);

		if (now == 0)
			continue;
		t.n_above += now > 0;
		t.n_below += now < 0;
		t.runs += now != last;
		last = now;
	}

	double a = (double)t.n_above, b = (double)t.n_below, all = a + b;

	if (all > 0)
		t.expected = 2 * a * b / all + 1;
	if (all > 1)
		t.variance = 2 * a * b * (2 * a * b - all) / (all * all * (all - 1));
	if (t.variance > 0) {
		t.z = ((double)t.runs - t.expected) / sqrt(t.variance);
		t.p = 2 * nf_phi(-fabs(t.z));
	} else {
		t.variance = 0;
	}
	*ret = t;
	return 0;
}
