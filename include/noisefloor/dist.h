/* SPDX-License-Identifier: MIT */
/*
 * dist - distribution functions and quantiles of the normal, Student's t, chi-squared, beta and
 * binomial distributions.
 *
 * Pure; relative error about 1e-13 in the tails as well (cdf: the lower tail, sf: the upper one, each
 * computed by itself, never as 1 - the other). *ret_p is in [0, 1]. Quantiles of p = 0 and p = 1 are
 * the ends of the support (infinite where it is). Arguments outside the domain, NaN included, are
 * -NF_EARG. Threads: no shared state.
 *
 * Sources: erfc of the C library for the normal; the incomplete beta function by the
 * continued fraction of DiDonato and Morris (ACM Transactions on Mathematical Software 18(3), 1992) and
 * the incomplete gamma function by series and continued fraction (Abramowitz and Stegun, Handbook of
 * Mathematical Functions, 1964, 6.5.29, 6.5.31), both with Loader's
 * saddle-point form of the leading factor (C. Loader, Fast and Accurate Computation of Binomial
 * Probabilities, 2000). Quantiles invert them by safeguarded Newton steps.
 */
#ifndef NOISEFLOOR_DIST_H
#define NOISEFLOOR_DIST_H

#include <stdint.h>

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* x may be infinite. */
NF_API NF_NODISCARD int nf_normal_cdf(double x, double *ret_p, struct nf_err *err);
NF_API NF_NODISCARD int nf_normal_sf(double x, double *ret_p, struct nf_err *err);
NF_API NF_NODISCARD int nf_normal_quantile(double p, double *ret_x, struct nf_err *err);

/* df > 0, need not be whole; infinite: the normal distribution. x may be infinite. */
NF_API NF_NODISCARD int nf_t_cdf(double x, double df, double *ret_p, struct nf_err *err);
NF_API NF_NODISCARD int nf_t_sf(double x, double df, double *ret_p, struct nf_err *err);
NF_API NF_NODISCARD int nf_t_quantile(double p, double df, double *ret_x, struct nf_err *err);

/* df > 0 and finite; x below 0 counts as 0. */
NF_API NF_NODISCARD int nf_chi2_cdf(double x, double df, double *ret_p, struct nf_err *err);
NF_API NF_NODISCARD int nf_chi2_sf(double x, double df, double *ret_p, struct nf_err *err);
NF_API NF_NODISCARD int nf_chi2_quantile(double p, double df, double *ret_x, struct nf_err *err);

/* a, b > 0 and finite. x below 0 counts as 0, above 1 as 1. */
NF_API NF_NODISCARD int nf_beta_cdf(double x, double a, double b, double *ret_p,
                                    struct nf_err *err);
NF_API NF_NODISCARD int nf_beta_quantile(double p, double a, double b, double *ret_x,
                                         struct nf_err *err);

/* P(X <= k) for n trials with probability p in [0, 1]. */
NF_API NF_NODISCARD int nf_binomial_cdf(uint64_t k, uint64_t n, double p, double *ret_p,
                                        struct nf_err *err);

#ifdef __cplusplus
}
#endif

#endif
