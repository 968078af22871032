/* SPDX-License-Identifier: MIT */
/* distfn - what noisefloor/dist.h is made of, for callers that know their arguments are in the domain
 * (not NaN; df, a, b > 0; p in [0, 1]). */
#ifndef NF_STATS_DISTFN_H
#define NF_STATS_DISTFN_H

#include <stddef.h>

double nf_phi(double x); /* P(Z <= x) */
double nf_z(double p); /* quantile of the normal distribution */
double nf_t_upper(double x, double df); /* P(T > x) */
double nf_t_point(double p, double df); /* quantile */
double nf_chi2_upper(double x, double df); /* P(X > x) */
double nf_binomial_lower(size_t k, size_t n, double p); /* P(X <= k) */
double nf_clamp(double v, double lo, double hi);

/* Regularised incomplete beta function at x, with y = 1 - x given for its own accuracy: lower is
 * I_x(a, b), upper 1 - I_x(a, b), density x^a y^b / B(a, b). */
struct nf_incomplete {
	double lower;
	double upper;
	double density;
};
struct nf_incomplete nf_incomplete_beta(double x, double y, double a, double b);
/* Regularised incomplete gamma functions P(a, x), Q(a, x) and x^a e^-x / Gamma(a). x > 0. */
struct nf_incomplete nf_incomplete_gamma(double x, double a);

/* The u at which f's lower is p (q = 1 - p), where lower rises with u and has derivative
 * `density`. Newton steps on the logarithm of the smaller tail, kept inside a shrinking bracket. */
double nf_solve_tail(struct nf_incomplete (*f)(double u, const void *arg), const void *arg,
                     double p, double q, double start);

#endif
