/* SPDX-License-Identifier: MIT */
/* Estimators, tests and intervals. */
#include <math.h>

#include "laws.h"
#include "noisefloor/stats.h"
#include "stats/spectrum.h"

enum { MAX_N = 30 };

/* Values with ties among them or not, from one on. */
static size_t draw_samples(struct pt_case *t, double *x)
{
	struct pt_loop l = { .min = 1, .max = MAX_N };
	bool whole = pt_draw_bool(t, 0.5);
	size_t n = 0;

	while (pt_more(t, &l))
		x[n++] = whole ? (double)pt_draw_int(t, -5, 5) : pt_draw_real(t, -1e3, 1e3);
	return n;
}

static bool close_to(double a, double b, double scale)
{
	return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b) + scale);
}

static bool units_do_not_matter(struct pt_case *t, void *arg)
{
	double x[MAX_N], y[MAX_N], a = pt_draw_real(t, 0.001, 1000.0),
	                           b = pt_draw_real(t, -1e3, 1e3);
	double mad[2], median[2], q[2], p = pt_draw_real(t, 0.0, 1.0);
	int type = (int)pt_draw_int(t, 4, 9);
	struct nf_moments m[2];
	struct nf_shift s[2];
	size_t n = draw_samples(t, x);

	(void)arg;
	for (size_t i = 0; i < n; i++)
		y[i] = a * x[i] + b;

	double scale = a * 1e3 + fabs(b); /* what rounding is relative to */

	for (size_t k = 0; k < 2; k++) {
		const double *v = k ? y : x;

		PT_ASSERT(t, nf_mad(v, n, &mad[k], &median[k], NULL) == 0);
		PT_ASSERT(t, nf_moments(v, n, &m[k], NULL) == 0);
		PT_ASSERT(t, nf_quantiles(v, n, type, &p, 1, &q[k], NULL) == 0);
		PT_ASSERT(t, nf_hodges_lehmann(v, n, 0.9, &s[k], NULL) == 0);
	}
	return close_to(median[1], a * median[0] + b, scale) &&
	       close_to(mad[1], a * mad[0], scale) &&
	       close_to(m[1].mean, a * m[0].mean + b, scale) &&
	       close_to(m[1].sd, a * m[0].sd, scale) && close_to(q[1], a * q[0] + b, scale) &&
	       close_to(s[1].estimate, a * s[0].estimate + b, scale) &&
	       s[0].has_interval == s[1].has_interval &&
	       (!s[0].has_interval || close_to(s[1].lo, a * s[0].lo + b, scale));
}

static bool order_does_not_matter(struct pt_case *t, void *arg)
{
	double x[MAX_N], y[MAX_N], z[MAX_N];
	struct nf_mann_whitney u[2];
	struct nf_signed_rank w[2];
	size_t n = draw_samples(t, x), m = draw_samples(t, y);

	(void)arg;
	for (size_t i = 0; i < n; i++)
		z[i] = x[i];
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)pt_draw_int(t, 0, (int64_t)i - 1);
		double v = z[j];

		z[j] = z[i - 1];
		z[i - 1] = v;
	}
	for (size_t k = 0; k < 2; k++) {
		const double *v = k ? z : x;

		PT_ASSERT(t, nf_mann_whitney_test(v, n, y, m, NF_TWO_SIDED, NF_NULL_AUTO, &u[k],
		                                  NULL) == 0);
		PT_ASSERT(t, nf_signed_rank_test(v, n, NF_GREATER, NF_NULL_AUTO, &w[k], NULL) == 0);
	}
	return close_to(u[0].p, u[1].p, 0) && close_to(w[0].p, w[1].p, 0) &&
	       close_to(u[0].u, u[1].u, 0) && close_to(w[0].w, w[1].w, 0);
}

/* Ties change the null distribution: without them p is ordered. */
static bool p_falls_with_the_shift(struct pt_case *t, void *arg)
{
	struct pt_loop l = { .min = 1, .max = MAX_N };
	double x[MAX_N], y[MAX_N], shift = pt_draw_real(t, 0.0, 2.0);
	struct nf_mann_whitney u[2];
	struct nf_signed_rank w[2];
	struct nf_sign_test s[2];
	size_t n = 0;

	(void)arg;
	while (pt_more(t, &l)) {
		x[n] = pt_draw_real(t, -1.0, 1.0) + 1e-7 * (double)n;
		y[n] = pt_draw_real(t, -1.0, 1.0) + 1e-7 * (double)n + 0.5e-7;
		n++;
	}
	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; k && i < n; i++)
			x[i] += shift;
		PT_ASSERT(t, nf_mann_whitney_test(x, n, y, n, NF_GREATER, NF_NULL_NORMAL_CC, &u[k],
		                                  NULL) == 0);
		PT_ASSERT(t, nf_signed_rank_test(x, n, NF_GREATER, NF_NULL_AUTO, &w[k], NULL) == 0);
		PT_ASSERT(t, nf_sign_test(x, n, NF_GREATER, &s[k], NULL) == 0);
	}
	return u[1].superiority >= u[0].superiority &&
	       (w[0].n < n || w[1].n < n || w[1].w >= w[0].w) && s[1].n_above >= s[0].n_above;
}

static bool an_interval_contains_its_estimate(struct pt_case *t, void *arg)
{
	double x[MAX_N], y[MAX_N], level = pt_draw_real(t, 0.01, 0.99);
	struct nf_bootstrap_options o = { .replicates = 49, .level = level };
	size_t n = draw_samples(t, x), m = draw_samples(t, y);
	struct nf_mean_interval mean = { 0 };
	struct nf_rank_interval ranks;
	struct nf_shift one, two;
	struct nf_bootstrap b;

	(void)arg;
	o.seed = (uint64_t)pt_draw_int(t, 0, 1000);
	o.block = (size_t)pt_draw_int(t, 1, (int64_t)n);
	PT_ASSERT(t, nf_hodges_lehmann(x, n, level, &one, NULL) == 0);
	PT_ASSERT(t, nf_hodges_lehmann_2(x, n, y, m, level, &two, NULL) == 0);
	PT_ASSERT(t, nf_bootstrap(x, n, nf_statistic_median, NULL, &o, &b, NULL) == 0);
	PT_ASSERT(t, nf_quantile_interval(n, 0.5, level, &ranks, NULL) == 0);
	PT_ASSERT(t, n < 2 || nf_mean_interval(x, n, level, &mean, NULL) == 0);
	return (!one.has_interval || (one.lo <= one.estimate && one.estimate <= one.hi)) &&
	       (!two.has_interval || (two.lo <= two.estimate && two.estimate <= two.hi)) &&
	       b.lo <= b.estimate && b.estimate <= b.hi &&
	       (n < 2 || (mean.lo <= mean.mean && mean.mean <= mean.hi)) &&
	       (ranks.lo_rank == 0 || ranks.hi_rank == 0 || ranks.lo_rank <= ranks.hi_rank);
}

static bool holm_rejects_what_bonferroni_rejects(struct pt_case *t, void *arg)
{
	struct pt_loop l = { .min = 1, .max = MAX_N };
	double p[MAX_N], holm[MAX_N], bonferroni[MAX_N];
	bool ok = true;
	size_t n = 0;

	(void)arg;
	while (pt_more(t, &l))
		p[n++] = pt_draw_real(t, 0.0, 1.0);
	PT_ASSERT(t, nf_adjust_p(NF_HOLM, p, n, holm, NULL) == 0);
	PT_ASSERT(t, nf_adjust_p(NF_BONFERRONI, p, n, bonferroni, NULL) == 0);
	for (size_t i = 0; i < n; i++)
		ok = ok && p[i] <= holm[i] && holm[i] <= bonferroni[i] && bonferroni[i] <= 1;
	return ok;
}

/* Whatever finite samples: an answer or a code, and no NaN in the answer. */
static bool no_nan_comes_out(struct pt_case *t, void *arg)
{
	struct pt_loop l = { .max = MAX_N };
	struct nf_comparison c = { 0 };
	struct nf_two_level v = { 0 };
	struct nf_warmup w = { 0 };
	struct nf_trend m = { 0 };
	struct nf_welch h = { 0 };
	struct nf_runs r = { 0 };
	double x[MAX_N], q = 0, p = 0, slope = 0, rho = 0, mdape = 0;
	size_t n = 0;

	(void)arg;
	while (pt_more(t, &l)) {
		double scale = pow(10, (double)pt_draw_int(t, -300, 150));

		x[n++] = pt_draw_bool(t, 0.3) ? 1.0 : pt_draw_real(t, -1.0, 1.0) * scale;
	}

	size_t half = n / 2, sizes[2] = { half, n - half };

	/* A failure leaves the zero that was there. */
	int codes[] = { nf_runs_test(x, n, &r, NULL),
		        nf_mann_kendall(x, n, &m, NULL),
		        nf_theil_sen(x, n, &slope, NULL),
		        nf_autocorrelation(x, n, 1, &rho, NULL),
		        nf_ljung_box(x, n, 1, &q, &p, NULL),
		        nf_mser(x, n, 0, &w, NULL),
		        nf_mdape(x, n, &mdape, NULL),
		        nf_welch_test(x, half, x + half, n - half, &h, NULL),
		        nf_two_level_variance(x, sizes, 2, &v, NULL),
		        nf_compare_pairs(x, x + half, half, NULL, &c, NULL) };

	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		PT_ASSERT(t, codes[i] <= 0);

	const double all[] = { r.z,  r.p,         m.z,           m.p,        slope,      rho,
		               q,    p,           w.mean,        mdape,      h.t,        h.df,
		               h.p,  v.icc,       v.mean_se,     c.ratio,    c.ratio_lo, c.p_slower,
		               c.sd, w.criterion, v.var_between, c.ranks_hi, c.p_faster };
	bool ok = true;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		ok = ok && !isnan(all[i]);
	return ok && r.p >= 0 && r.p <= 1 && m.p >= 0 && m.p <= 1 && p >= 0 && p <= 1 && h.p <= 1;
}

static bool every_energy_split_is_below_the_best(struct pt_case *t, void *arg)
{
	double x[MAX_N], q[MAX_N];
	struct nf_split end, any;
	size_t n = draw_samples(t, x);
	bool ok = true;

	(void)arg;
	if (n < 2)
		return nf_energy_split(x, n, 1, 0, &end, NULL) == -NF_ENODATA;
	PT_ASSERT(t, nf_energy_profile(x, n, q, NULL) == 0);
	PT_ASSERT(t, nf_energy_split(x, n, 1, 0, &end, NULL) == 0);
	PT_ASSERT(t, nf_energy_split(x, n, 1, 1, &any, NULL) == 0);
	for (size_t i = 0; i + 1 < n; i++)
		ok = ok && q[i] <= end.q;
	return ok && any.q >= end.q - 1e-9 * (1e3 + fabs(end.q)) && any.tau < any.kappa &&
	       any.kappa <= n;
}

/* The periodogram as it is defined, in double precision; power of bins 0 .. n/2 under a Hann window. */
static double power_by_sum(const int64_t *c, size_t n, size_t k, double mean)
{
	double re = 0, im = 0, window = 0, turn = 2 * acos(-1.0) / (double)n;

	for (size_t i = 0; i < n; i++) {
		double w = 0.5 - 0.5 * cos(turn * (double)i);

		re += w * ((double)c[i] - mean) * cos(turn * (double)(i * k % n));
		im -= w * ((double)c[i] - mean) * sin(turn * (double)(i * k % n));
		window += w * w;
	}
	return (k == 0 || 2 * k == n ? 1 : 2) * (re * re + im * im) / ((double)n * window);
}

enum { SPECTRUM_N = NF_SPECTRUM_MIN + 100 };

static bool a_spectrum_is_its_direct_sum(struct pt_case *t, void *arg)
{
	size_t n = (size_t)pt_draw_int(t, NF_SPECTRUM_MIN, SPECTRUM_N), used = 0;
	int64_t period = pt_draw_int(t, 2, 40), depth = pt_draw_int(t, 0, 1000000);
	int64_t level = pt_draw_int(t, -1000000000, 1000000000);
	struct pt_loop l = { .max = 40 };
	int64_t c[SPECTRUM_N];
	double power[SPECTRUM_N / 2 + 1], sum = 0;
	struct nf_spectrum s;

	(void)arg;
	for (size_t i = 0; i < n; i++)
		c[i] = level + ((int64_t)i % period == 0 ? depth : 0);
	while (pt_more(t, &l))
		c[pt_draw_int(t, 0, (int64_t)n - 1)] += pt_draw_int(t, -100000, 100000);
	int r = nf_spectrum_lines(c, n, 1, &s, NULL);

	if (nf_spectrum_power(c, n, power, &used, NULL) != 0)
		return r == -NF_ENODATA; /* a constant */
	PT_ASSERT(t, r == 0 && s.n_used == used && used <= n && used % 2 == 0);
	for (size_t k = 0; k <= used / 2; k++) {
		sum += power[k];
		/* Single precision, relative to the whole. */
		PT_ASSERT(t,
		          fabs(power[k] - power_by_sum(c, used, k, s.mean)) <= 1e-6 * s.variance);
	}
	PT_ASSERT(t, fabs(sum - s.variance) <= 1e-5 * s.variance);
	PT_ASSERT(t, s.n_named <= s.n_lines && s.n_named <= NF_SPECTRUM_LINES);
	for (size_t i = 0; i < s.n_named; i++)
		PT_ASSERT(t, s.line[i].hz > 0 && s.line[i].hz <= s.nyquist_hz + s.bin_hz &&
		                     s.line[i].share_ratio <= s.line[i].with_harmonics_ratio &&
		                     s.line[i].n_folded <= s.line[i].n_harmonics);
	return s.named_ratio <= 1 + 1e-9;
}

const struct law laws_stats[] = {
	{ "units", "Location, scale, quantiles and intervals follow a change of unit and origin.",
	  units_do_not_matter, NULL },
	{ "order of samples", "The order of the samples does not matter to rank tests.",
	  order_does_not_matter, NULL },
	{ "shift",
	  "Moving one side up never makes the statistics of the rank and sign tests smaller.",
	  p_falls_with_the_shift, NULL },
	{ "interval", "An interval contains its estimate, at any level, for any samples.",
	  an_interval_contains_its_estimate, NULL },
	{ "Holm", "Holm's adjustment rejects whatever Bonferroni's does, and none is below its p.",
	  holm_rejects_what_bonferroni_rejects, NULL },
	{ "no NaN", "From finite samples of any scale come an answer without NaN or an error code.",
	  no_nan_comes_out, NULL },
	{ "best split", "No split of a series has a larger energy statistic than the best one.",
	  every_energy_split_is_below_the_best, NULL },
	{ "spectrum", "A spectrum is its direct sum, and its shares make at most the whole.",
	  a_spectrum_is_its_direct_sum, NULL },
	{ NULL, NULL, NULL, NULL },
};
