/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "stats/distfn.h"

/* Terms after which a continued fraction or series is as good as it gets: they need about the square
 * root of the parameter. */
enum { TERMS_MAX = 10 * 1000 * 1000 };

double nf_clamp(double v, double lo, double hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

/* ln of n! over Stirling's approximation of it, n > 0 (Loader 2000). */
static double stirling_error(double n)
{
	static const double half_ln_2pi = 0.918938533204672741780329736406;
	double n2 = n * n;
	int sign;

	if (n < 16)
		return lgamma_r(n + 1, &sign) - (n + 0.5) * log(n) + n - half_ln_2pi;
	return (1.0 / 12 -
	        (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / n2) / n2) / n2) / n2) /
	       n;
}

/* x ln(x / m) + m - x without cancellation where x is close to m (Loader 2000). x, m > 0; d is
 * x - m, for the caller may know it better than it can be computed here. */
static double deviance(double x, double m, double d)
{
	if (fabs(d) >= 0.1 * (x + m))
		return x * log(x / m) + m - x;

	double v = d / (x + m), s = d * v, term = 2 * x * v;

	for (int j = 1; j < 1000; j++) {
		term *= v * v;
		double next = s + term / (2 * j + 1);

		if (next >= s && next <= s)
			break;
		s = next;
	}
	return s;
}

/* x^a y^b / B(a, b) */
static double beta_density(double x, double y, double a, double b, double lambda)
{
	double n = a + b;
	double ln = stirling_error(n) - stirling_error(a) - stirling_error(b) -
	            deviance(a, n * x, lambda) - deviance(b, n * y, -lambda);

	return exp(ln) * sqrt(a * b / (2 * (double)M_PI * n));
}

/* I_x(a, b) = x^a y^b / B(a, b) over this: the continued fraction of DiDonato and Morris (ACM
 * Transactions on Mathematical Software 18(3), 1992, equation 9), in which 1 - x appears only as y and in
 * lambda = a - (a + b) x; modified Lentz evaluation (Thompson and Barnett, Journal of Computational
 * Physics 64, 1986). Converges quickly for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double y, double a, double b, double lambda)
{
	const double tiny = 1e-300;
	double f = a / (a + 1) * (lambda + 1), c, d = 0;

	f = fabs(f) < tiny ? tiny : f;
	c = f;
	for (int i = 1; i < TERMS_MAX; i++) {
		double n = i, odd = a + 2 * n - 1;
		double alpha =
		        (a + n - 1) / odd * ((a + b + n - 1) / odd) * (n * x) * ((b - n) * x);
		double beta = n + n * (b - n) * x / odd +
		              (a + n) / (a + 2 * n + 1) * (lambda + 1 + n * (1 + y));

		d = beta + alpha * d;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = beta + alpha / c;
		c = fabs(c) < tiny ? tiny : c;
		f *= c * d;
		if (fabs(c * d - 1) < DBL_EPSILON)
			break;
	}
	return f;
}

struct nf_incomplete nf_incomplete_beta(double x, double y, double a, double b)
{
	struct nf_incomplete r = { 0 };

	if (x <= 0 || y <= 0) {
		r.lower = x <= 0 ? 0 : 1;
		r.upper = 1 - r.lower;
		return r;
	}

	double n = a + b, lambda = x < y ? a - n * x : n * y - b; /* the same two ways */

	r.density = beta_density(x, y, a, b, lambda);
	if (x < (a + 1) / (n + 2)) {
		r.lower = nf_clamp(r.density / beta_fraction(x, y, a, b, lambda), 0, 1);
		r.upper = 1 - r.lower;
	} else {
		r.upper = nf_clamp(r.density / beta_fraction(y, x, b, a, -lambda), 0, 1);
		r.lower = 1 - r.upper;
	}
	return r;
}

static double gamma_series(double x, double a)
{
	double term = 1, sum = 1;

	for (int i = 1; i < TERMS_MAX && term > sum * DBL_EPSILON / 4; i++) {
		term *= x / (a + i);
		sum += term;
	}
	return sum / a;
}

static double gamma_fraction(double x, double a)
{
	const double tiny = 1e-300;
	double b = x + 1 - a, c = 1 / tiny, d = 1 / (fabs(b) < tiny ? tiny : b), h = d;

	for (int i = 1; i < TERMS_MAX; i++) {
		double an = -i * (i - a);

		b += 2;
		d = an * d + b;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = b + an / c;
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		if (fabs(d * c - 1) < DBL_EPSILON)
			break;
	}
	return h;
}

struct nf_incomplete nf_incomplete_gamma(double x, double a)
{
	struct nf_incomplete r = { .upper = 1 };

	if (x <= 0)
		return r;
	if (isinf(x))
		return (struct nf_incomplete){ .lower = 1 };
	r.density = exp(-stirling_error(a) - deviance(a, x, a - x)) * sqrt(a / (2 * (double)M_PI));
	if (x < a + 1) {
		r.lower = nf_clamp(r.density * gamma_series(x, a), 0, 1);
		r.upper = 1 - r.lower;
	} else {
		r.upper = nf_clamp(r.density * gamma_fraction(x, a), 0, 1);
		r.lower = 1 - r.upper;
	}
	return r;
}

double nf_solve_tail(struct nf_incomplete (*f)(double u, const void *arg), const void *arg,
                     double p, double q, double start)
{
	double lo = -(double)INFINITY, hi = (double)INFINITY, u = start, step = 1;

	for (int i = 0; i < 200; i++) {
		struct nf_incomplete v = f(u, arg);
		double tail = p <= q ? v.lower : v.upper, want = p <= q ? p : q;
		double ratio = tail > 0 && want > 0 ? log(tail / want) : tail > want ? 1 : -1;
		double excess = p <= q ? ratio : -ratio; /* above 0: u is too far up */
		double slope = tail > 0 ? v.density / tail : 0;
		double next;

		if (excess >= 0 && excess <= 0)
			break;
		if (excess > 0)
			hi = u;
		else
			lo = u;
		next = slope > 0 ? u - excess / slope : (double)NAN;
		if (fabs(next - u) <= 2 * DBL_EPSILON * (1 + fabs(u)))
			break;
		if (!(next > lo && next < hi) || fabs(next - u) > 64) {
			if (isinf(lo) || isinf(hi)) {
				next = excess > 0 ? u - step : u + step;
				step *= 2;
			} else {
				next = lo / 2 + hi / 2;
			}
		}
		u = next;
	}
	return u;
}
