/* SPDX-License-Identifier: MIT */
/* stat_random - samples for tests of laws: sizes from 1, ties or none, far from 0 or around it. */
#ifndef STAT_RANDOM_H
#define STAT_RANDOM_H

#include <math.h>
#include <stddef.h>

#include "base/rng.h"

/* n values; every third set is made of few distinct ones. */
static inline void random_samples(struct nf_rng *rng, double *x, size_t n)
{
	double level = nf_rng_below(rng, 2) ? 0 : 1000 * nf_rng_normal(rng);
	double step = nf_rng_below(rng, 3) == 0 ? 0.5 : 0;

	for (size_t i = 0; i < n; i++) {
		double z = nf_rng_normal(rng);

		x[i] = level + (step > 0 ? step * round(z / step) : z);
	}
}

static inline void shuffle_samples(struct nf_rng *rng, double *x, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = nf_rng_below(rng, i);
		double t = x[j];

		x[j] = x[i - 1];
		x[i - 1] = t;
	}
}

static inline int ascending_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

#endif
