/* SPDX-License-Identifier: MIT */
#include "base/rng.h"

#include <math.h>

static uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static uint64_t rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

void nf_rng_seed(struct nf_rng *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		r->s[i] = splitmix64(&seed);
}

uint64_t nf_rng_next(struct nf_rng *r)
{
	uint64_t *s = r->s;
	uint64_t result = rotl(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return result;
}

uint64_t nf_rng_below(struct nf_rng *r, uint64_t n)
{
	uint64_t x, min = -n % n; /* 2^64 mod n: values below it would favour small results */

	do
		x = nf_rng_next(r);
	while (x < min);
	return x % n;
}

double nf_rng_unit(struct nf_rng *r)
{
	return (double)(nf_rng_next(r) >> 11) * 0x1p-53;
}

/* Marsaglia's polar method (SIAM Review 6, 1964). The second value of a pair is dropped, so that
 * the generator holds no state but s. */
double nf_rng_normal(struct nf_rng *r)
{
	double u, v, q;

	do {
		u = 2 * nf_rng_unit(r) - 1;
		v = 2 * nf_rng_unit(r) - 1;
		q = u * u + v * v;
	} while (q >= 1 || q == 0);
	return u * sqrt(-2 * log(q) / q);
}
