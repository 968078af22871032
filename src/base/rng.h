/* SPDX-License-Identifier: MIT */
/* rng - seeded pseudo-random numbers: xoshiro256** seeded by splitmix64 (Blackman and Vigna,
 * prng.di.unimi.it). Same seed, same sequence, on every platform. Not for secrets. */
#ifndef NF_BASE_RNG_H
#define NF_BASE_RNG_H

#include <stdint.h>

struct nf_rng {
	uint64_t s[4];
};

void nf_rng_seed(struct nf_rng *r, uint64_t seed);
uint64_t nf_rng_next(struct nf_rng *r);
uint64_t nf_rng_below(struct nf_rng *r, uint64_t n); /* unbiased, 0..n-1; n >= 1 */
double nf_rng_unit(struct nf_rng *r); /* [0, 1), 53 bits */
double nf_rng_normal(struct nf_rng *r); /* mean 0, sd 1 */

#endif
