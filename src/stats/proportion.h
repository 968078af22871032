/* SPDX-License-Identifier: MIT */
/* proportion - what a share that was counted says of the share that it estimates. */
#ifndef NF_STATS_PROPORTION_H
#define NF_STATS_PROPORTION_H

#include <stdint.h>

#include "base/fail.h"

/* The exact interval of Clopper and Pearson (Biometrika 26, 1934) for k of n independent trials: both tails at
 * most (1 - level) / 2. -NF_ENODATA: n is 0. -NF_EARG: k > n, or a level that is not between 0 and 1. */
NF_NODISCARD int nf_proportion_interval(uint64_t k, uint64_t n, double level, double *ret_lo,
                                        double *ret_hi, struct nf_err *err);

#endif
