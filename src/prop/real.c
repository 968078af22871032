/* SPDX-License-Identifier: MIT */
/* The shrink order of doubles (choice.h). */
#include <string.h>

#include "prop/choice.h"

enum { MANTISSA = 52, BIAS = 1023, EXPONENTS = 2047 };
#define WHOLE_END (UINT64_C(1) << (PT_REAL_WHOLE_BITS + 1)) /* indexes of the whole numbers */
#define FINITE_END (WHOLE_END + ((uint64_t)EXPONENTS << (MANTISSA + 1)))

static uint64_t bits_of(double x)
{
	uint64_t u;

	memcpy(&u, &x, sizeof(u));
	return u;
}

static double of_bits(uint64_t u)
{
	double x;

	memcpy(&x, &u, sizeof(x));
	return x;
}

static uint64_t reverse(uint64_t v, unsigned n_bits)
{
	uint64_t r = 0;

	for (unsigned i = 0; i < n_bits; i++)
		r |= ((v >> i) & 1) << (n_bits - 1 - i);
	return r;
}

/* Bits of the mantissa that are a fraction at this exponent. */
static unsigned fraction_bits(int exponent)
{
	return exponent <= 0 ? MANTISSA : exponent >= MANTISSA ? 0 : MANTISSA - (unsigned)exponent;
}

static uint64_t mantissa_order(uint64_t mantissa, int exponent)
{
	unsigned n = fraction_bits(exponent);
	uint64_t mask = (UINT64_C(1) << n) - 1;

	return (mantissa & ~mask) | reverse(mantissa & mask, n);
}

uint64_t pt_real_max_index(void)
{
	return FINITE_END + 2;
}

double pt_real_of_index(uint64_t index)
{
	if (index < WHOLE_END) {
		uint64_t distance = index / 2 + index % 2;
		double d = (double)distance;

		return index % 2 ? d : index ? -d : 0.0;
	}
	if (index >= FINITE_END) {
		uint64_t inf = (uint64_t)EXPONENTS << MANTISSA;

		return index == FINITE_END       ? of_bits(inf)
		       : index == FINITE_END + 1 ? of_bits(inf | UINT64_C(1) << 63)
		                                 : of_bits(inf | UINT64_C(1) << 51);
	}
	uint64_t code = index - WHOLE_END, sign = code % 2, rank = code >> (MANTISSA + 1);
	uint64_t mantissa = (code >> 1) & ((UINT64_C(1) << MANTISSA) - 1);
	int exponent = rank <= BIAS ? (int)rank : BIAS - (int)rank;

	mantissa = mantissa_order(mantissa, exponent); /* its own inverse */
	return of_bits(sign << 63 | (uint64_t)(exponent + BIAS) << MANTISSA | mantissa);
}

uint64_t pt_index_of_real(double x)
{
	uint64_t u = bits_of(x), sign = u >> 63, mantissa = u & ((UINT64_C(1) << MANTISSA) - 1);
	uint64_t biased = (u >> MANTISSA) & EXPONENTS;
	int exponent = (int)biased - BIAS;

	if (biased == EXPONENTS)
		return mantissa ? FINITE_END + 2 : FINITE_END + sign;
	if (u == 0)
		return 0;
	if (exponent >= 0 && exponent < PT_REAL_WHOLE_BITS &&
	    (mantissa & ((UINT64_C(1) << fraction_bits(exponent)) - 1)) == 0) {
		uint64_t d = (UINT64_C(1) << exponent) |
		             (exponent == 0 ? 0 : mantissa >> (MANTISSA - exponent));

		return 2 * d - (sign ? 0 : 1);
	}
	uint64_t rank = (uint64_t)(exponent >= 0 ? exponent : BIAS - exponent);

	return WHOLE_END + (rank * (UINT64_C(2) << MANTISSA) +
	                    (mantissa_order(mantissa, exponent) << 1 | sign));
}
