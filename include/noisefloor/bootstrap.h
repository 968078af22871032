/* SPDX-License-Identifier: MIT */
/*
 * bootstrap - intervals of any statistic by resampling.
 *
 * Seeded: the same arguments give the same interval on every machine with the same libm. Errors as in
 * noisefloor/location.h. Threads: no shared state.
 */
#ifndef NOISEFLOOR_BOOTSTRAP_H
#define NOISEFLOOR_BOOTSTRAP_H

#include <stddef.h>
#include <stdint.h>

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of n >= 1 finite values; may rearrange x; must return a finite number, else the call that uses it
 * is -NF_EDATA. */
typedef double (*nf_statistic)(double *x, size_t n, void *arg);
NF_API double nf_statistic_mean(double *x, size_t n, void *arg); /* arg unused */
NF_API double nf_statistic_median(double *x, size_t n, void *arg);

enum { NF_BOOTSTRAP_ALL_MAX = 8, NF_BOOTSTRAP_REPLICATES_MAX = 1000000 };

/* Zero for a default. */
struct nf_bootstrap_options {
	double level; /* 0.95 */
	size_t replicates; /* 9,999 */
	uint64_t seed;
	/* Length of the blocks that are drawn, starting anywhere and running round the end (circular
	 * block bootstrap: Politis and Romano, 1992). 1: the ordinary bootstrap. At most n. */
	size_t block;
	/* Instead of drawing: all n^n resamples, for n up to NF_BOOTSTRAP_ALL_MAX and block 1. */
	int all;
};

/*
 * percentile_*: type-7 quantiles of the replicates. lo, hi: bias-corrected and accelerated (Efron,
 * Journal of the American Statistical Association 82, 1987): z0 from the share of replicates below the
 * estimate plus half of those equal to it, acceleration from the jackknife (leaving out `block`
 * neighbours at a time), at the levels alpha_lo and alpha_hi. A share of 0 or 1 counts as half a
 * replicate from there; no acceleration when the jackknife values are all equal. Where the
 * correction would leave the estimate outside (a bias larger than the interval), the interval is
 * widened to include it.
 */
struct nf_bootstrap {
	double estimate;
	double replicates; /* n^n with `all` */
	double z0;
	double acceleration;
	double alpha_lo;
	double alpha_hi;
	double lo;
	double hi;
	double percentile_lo;
	double percentile_hi;
};
NF_API NF_NODISCARD int nf_bootstrap(const double *x, size_t n, nf_statistic statistic, void *arg,
                                     const struct nf_bootstrap_options *o, struct nf_bootstrap *ret,
                                     struct nf_err *err);

/* Ratio of medians new / old with a percentile interval (each side resampled by itself, blocks as
 * above on both). Samples of 0 or below are -NF_EDATA. */
struct nf_ratio {
	double ratio;
	double lo;
	double hi;
};
NF_API NF_NODISCARD int nf_ratio_of_medians(const double *new_, size_t n_new, const double *old,
                                            size_t n_old, const struct nf_bootstrap_options *o,
                                            struct nf_ratio *ret, struct nf_err *err);

#ifdef __cplusplus
}
#endif

#endif
