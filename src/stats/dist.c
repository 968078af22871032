/* SPDX-License-Identifier: MIT */
#include "noisefloor/dist.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/fail.h"
#include "stats/distfn.h"

/* Beyond this t is the normal distribution to the last bit. */
static const double df_normal = 1e17;

double nf_phi(double x)
{
	return erfc(-x / (double)M_SQRT2) / 2;
}

static double phi_density(double x)
{
	return exp(-x * x / 2) / sqrt(2 * (double)M_PI);
}

/* Upper tail of probability p in (0, 0.5]: starts from the rational approximation 26.2.23 of
 * Abramowitz and Stegun (error below 4.5e-4), then Newton steps on the logarithm, or on the central
 * part where the tail is no longer small. */
static double upper_point(double p)
{
	double t = sqrt(-2 * log(p));
	double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
	                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));

	if (p > 0.25) {
		double centre = 1 - 2 * p; /* P(|Z| < z), exact for p in [0.25, 0.5] */

		if (centre <= 0)
			return 0;

		for (int i = 0; i < 4; i++)
			z -= (erf(z / (double)M_SQRT2) - centre) / (2 * phi_density(z));
		return z > 0 ? z : 0;
	}
	for (int i = 0; i < 4; i++) {
		double tail = nf_phi(-z);

		z += log(tail / p) * tail / phi_density(z);
	}
	return z;
}

double nf_z(double p)
{
	if (p <= 0)
		return -(double)INFINITY;
	if (p >= 1)
		return (double)INFINITY;
	if (p < DBL_MIN) /* logarithms of denormals are too coarse for steps that overflow */
		p = DBL_MIN;
	return p < 0.5 ? -upper_point(p) : upper_point(1 - p);
}

/* P(T > t) for t >= 0, and the density times t. x = t^2 / (df + t^2). */
static struct nf_incomplete t_parts(double t, double df)
{
	double t2 = t * t;

	if (isinf(t2))
		return (struct nf_incomplete){ .lower = 1 };

	double sum = df + t2;

	return nf_incomplete_beta(t2 / sum, df / sum, 0.5, df / 2);
}

double nf_t_upper(double x, double df)
{
	if (df > df_normal)
		return nf_phi(-x);

	double t = fabs(x), tail;

	if (isinf(t * t) && !isinf(t)) {
		/* Leading term of the tail: density ~ C t^-(df+1). */
		int sign;
		double ln = lgamma_r((df + 1) / 2, &sign) - lgamma_r(df / 2, &sign) -
		            log(df * (double)M_PI) / 2 + (df + 1) / 2 * log(df) - log(df) -
		            df * log(t);

		tail = exp(ln);
	} else {
		tail = t_parts(t, df).upper / 2;
	}
	return x >= 0 ? tail : 1 - tail;
}

/* As a function of u = ln t: lower is P(|T| < t), density its derivative by u. */
static struct nf_incomplete t_central(double u, const void *arg)
{
	double df = *(const double *)arg;
	struct nf_incomplete r = t_parts(exp(u), df);

	r.density *= 2; /* d ln(t^2) = 2 du; x^a y^b / B is the derivative by logit x = ln t^2 */
	return r;
}

double nf_t_point(double p, double df)
{
	if (df > df_normal)
		return nf_z(p);
	if (p <= 0 || p >= 1)
		return p <= 0 ? -(double)INFINITY : (double)INFINITY;

	double tail = p < 0.5 ? p : 1 - p;
	double centre = 2 * (0.5 - tail);

	if (centre <= 0)
		return 0;

	double z = upper_point(tail);
	double start = df < 3 ? -log(2 * tail) / df + 0.5 * log(df) : log(z);
	double t = exp(nf_solve_tail(t_central, &df, centre, 2 * tail, nf_clamp(start, -300, 300)));

	t = nf_clamp(t, 0, DBL_MAX);
	return p < 0.5 ? -t : t;
}

double nf_chi2_upper(double x, double df)
{
	return nf_incomplete_gamma(x / 2, df / 2).upper;
}

static struct nf_incomplete gamma_of_log(double u, const void *arg)
{
	return nf_incomplete_gamma(exp(u), *(const double *)arg);
}

struct beta_shape {
	double a;
	double b;
};

static struct nf_incomplete beta_of_logit(double u, const void *arg)
{
	const struct beta_shape *s = arg;
	double e = exp(-fabs(u)), small = e / (1 + e), large = 1 / (1 + e);

	return nf_incomplete_beta(u < 0 ? small : large, u < 0 ? large : small, s->a, s->b);
}

/* P(X <= k) = I_{1-p}(n - k, k + 1) (Abramowitz and Stegun 26.5.24). */
double nf_binomial_lower(size_t k, size_t n, double p)
{
	if (k >= n)
		return 1;
	return nf_incomplete_beta(1 - p, p, (double)(n - k), (double)k + 1).lower;
}

/* --- the public side ------------------------------------------------------------------------- */

static int bad(struct nf_err *err, const char *what, double v)
{
	return nf_fail(err, NF_EARG, "%s out of its range: %g", what, v);
}

static bool probability(double p)
{
	return p >= 0 && p <= 1;
}

static bool shape(double v)
{
	return v > 0 && isfinite(v);
}

int nf_normal_cdf(double x, double *ret_p, struct nf_err *err)
{
	if (isnan(x))
		return bad(err, "x", x);
	*ret_p = nf_phi(x);
	return 0;
}

int nf_normal_sf(double x, double *ret_p, struct nf_err *err)
{
	return nf_normal_cdf(-x, ret_p, err);
}

int nf_normal_quantile(double p, double *ret_x, struct nf_err *err)
{
	if (!probability(p))
		return bad(err, "a probability", p);
	*ret_x = nf_z(p);
	return 0;
}

int nf_t_sf(double x, double df, double *ret_p, struct nf_err *err)
{
	if (isnan(x))
		return bad(err, "x", x);
	if (!(df > 0))
		return bad(err, "degrees of freedom", df);
	*ret_p = nf_t_upper(x, df);
	return 0;
}

int nf_t_cdf(double x, double df, double *ret_p, struct nf_err *err)
{
	return nf_t_sf(-x, df, ret_p, err);
}

int nf_t_quantile(double p, double df, double *ret_x, struct nf_err *err)
{
	if (!probability(p))
		return bad(err, "a probability", p);
	if (!(df > 0))
		return bad(err, "degrees of freedom", df);
	*ret_x = nf_t_point(p, df);
	return 0;
}

static int chi2(double x, double df, struct nf_incomplete *ret, struct nf_err *err)
{
	if (isnan(x))
		return bad(err, "x", x);
	if (!shape(df))
		return bad(err, "degrees of freedom", df);
	*ret = nf_incomplete_gamma(x / 2, df / 2);
	return 0;
}

int nf_chi2_cdf(double x, double df, double *ret_p, struct nf_err *err)
{
	struct nf_incomplete v;
	int r = chi2(x, df, &v, err);

	if (r == 0)
		*ret_p = v.lower;
	return r;
}

int nf_chi2_sf(double x, double df, double *ret_p, struct nf_err *err)
{
	struct nf_incomplete v;
	int r = chi2(x, df, &v, err);

	if (r == 0)
		*ret_p = v.upper;
	return r;
}

int nf_chi2_quantile(double p, double df, double *ret_x, struct nf_err *err)
{
	if (!probability(p))
		return bad(err, "a probability", p);
	if (!shape(df))
		return bad(err, "degrees of freedom", df);
	if (p <= 0 || p >= 1) {
		*ret_x = p <= 0 ? 0 : (double)INFINITY;
		return 0;
	}

	double a = df / 2, u = nf_solve_tail(gamma_of_log, &a, p, 1 - p, log(a));

	*ret_x = nf_clamp(2 * exp(u), 0, DBL_MAX);
	return 0;
}

int nf_beta_cdf(double x, double a, double b, double *ret_p, struct nf_err *err)
{
	if (isnan(x))
		return bad(err, "x", x);
	if (!shape(a) || !shape(b))
		return bad(err, "a shape parameter", shape(a) ? b : a);
	*ret_p = nf_incomplete_beta(x, 1 - x, a, b).lower;
	return 0;
}

int nf_beta_quantile(double p, double a, double b, double *ret_x, struct nf_err *err)
{
	if (!probability(p))
		return bad(err, "a probability", p);
	if (!shape(a) || !shape(b))
		return bad(err, "a shape parameter", shape(a) ? b : a);
	if (p <= 0 || p >= 1) {
		*ret_x = p <= 0 ? 0 : 1;
		return 0;
	}

	struct beta_shape s = { a, b };
	double u = nf_solve_tail(beta_of_logit, &s, p, 1 - p, log(a / b));

	*ret_x = u < 0 ? exp(u) / (1 + exp(u)) : 1 / (1 + exp(-u));
	return 0;
}

int nf_binomial_cdf(uint64_t k, uint64_t n, double p, double *ret_p, struct nf_err *err)
{
	if (!probability(p))
		return bad(err, "a probability", p);
	*ret_p = nf_binomial_lower(k, n, p);
	return 0;
}
