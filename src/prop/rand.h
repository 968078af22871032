/* SPDX-License-Identifier: MIT */
/*
 * rand - the random numbers behind drawn values: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), and
 * distributions made of it without libm, so that every compiler draws the same.
 */
#ifndef PT_RAND_H
#define PT_RAND_H

#include <stdint.h>

static inline uint64_t pt_mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline uint64_t pt_rand(uint64_t *state)
{
	return pt_mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

/* 0..max */
static inline uint64_t pt_rand_upto(uint64_t *state, uint64_t max)
{
	uint64_t r = pt_rand(state);

	if (max == UINT64_MAX)
		return r;
	/* The high half of the product (Lemire): its bias, below max/2^64, does no harm here. */
	return (uint64_t)(((__extension__(unsigned __int128) r) * (max + 1)) >> 64);
}

/* [0, 1) */
static inline double pt_rand_unit(uint64_t *state)
{
	return (double)(pt_rand(state) >> 11) * 0x1p-53;
}

double pt_rand_exponential(uint64_t *state); /* mean 1 */
double pt_rand_normal(uint64_t *state);

#endif
