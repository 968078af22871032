/* SPDX-License-Identifier: MIT */
#include "prop/rand.h"

#include <stdbool.h>

/* von Neumann's method (1951): whether the run of falling uniforms has odd length decides; its number of
 * rejected rounds is the whole part. Only comparisons. */
double pt_rand_exponential(uint64_t *state)
{
	for (unsigned whole = 0; whole < 700; whole++) {
		double first = pt_rand_unit(state), last = first;
		bool odd = true;

		for (;;) {
			double next = pt_rand_unit(state);

			if (next >= last)
				break;
			last = next;
			odd = !odd;
		}
		if (odd)
			return (double)whole + first;
	}
	return 700.0;
}

/* Rejection from the exponential distribution: |x| of density exp(-x^2/2) where exp(-(x-1)^2/2) lets it
 * through. */
double pt_rand_normal(uint64_t *state)
{
	for (;;) {
		double x = pt_rand_exponential(state), y = pt_rand_exponential(state);
		double d = (x - 1.0) * (x - 1.0);

		if (y >= d * 0.5)
			return pt_rand(state) & 1 ? -x : x;
	}
}
