/* SPDX-License-Identifier: MIT */
/* energy - the statistic of noisefloor/changepoint.h on plain arrays. */
#ifndef NF_STATS_ENERGY_H
#define NF_STATS_ENERGY_H

#include <stddef.h>

#include "base/rng.h"
#include "noisefloor/changepoint.h"

/* Q at tau = 1..n-1 into q[tau - 1]; work holds 2 (n + 1). n >= 2. */
void nf_energy_profile_into(const double *x, size_t n, double *q, double *work);
/* The best split with sides of min_size at least; n >= 2 min_size, min_size >= 1. work 3 (n + 1). */
struct nf_split nf_energy_best(const double *x, size_t n, size_t min_size, double *work);
/* A random order of x's consecutive blocks (the last may be shorter), into ret. work holds one
 * index for each block. */
void nf_shuffle_blocks(struct nf_rng *rng, const double *x, size_t n, size_t block, double *ret,
                       size_t *work);
/* How far apart two values of Q are that differ by rounding alone. */
double nf_energy_rounding(const double *x, size_t n, double q);

#endif
