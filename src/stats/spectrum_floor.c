/* SPDX-License-Identifier: MIT */
/* spectrum_floor - the noise around a bin, and the chance that it makes a bin as high. */
#include <math.h>
#include <stdlib.h>

#include "stats/select.h"
#include "stats/spectrum_impl.h"

enum {
	FEWEST = 9, /* independent neighbours: below that a median says little */
};
#define DEPENDENCE 1.94 /* 1 + 2 (4/9 + 1/36) */

/* The neighbourhood of k, ends included. */
static void neighbours(const struct nf_spectrum_series *s, size_t k, size_t *ret_lo, size_t *ret_hi)
{
	/* As far below as above, so that a slope leaves the median where it is. */
	size_t reach = k / 2 < NF_SPECTRUM_REACH ? k / 2 : NF_SPECTRUM_REACH;

	*ret_lo = k - reach < 1 ? 1 : k - reach;
	*ret_hi = k + reach > s->n / 2 ? s->n / 2 : k + reach;
}

/* Independent ones among n neighbours, an odd number. */
static size_t independent(size_t n)
{
	size_t m = (size_t)((double)n / DEPENDENCE);

	return m == 0 ? 0 : m - (m % 2 == 0);
}

/* How many neighbours k has without its own lobe. */
static size_t count_neighbours(const struct nf_spectrum_series *s, size_t k)
{
	size_t lo, hi, own = 0;

	neighbours(s, k, &lo, &hi);
	for (size_t i = k - (k < NF_SPECTRUM_LOBE ? k : NF_SPECTRUM_LOBE);
	     i <= k + NF_SPECTRUM_LOBE; i++)
		own += i >= lo && i <= hi;
	return hi - lo + 1 - own;
}

/* Mean of the noise around k, from the neighbours' median. */
double nf_spectrum_floor(const struct nf_spectrum_series *s, size_t k, size_t *ret_n)
{
	double near[2 * NF_SPECTRUM_REACH + 1];
	size_t lo, hi, n = 0;

	/* Below the first that has enough neighbours its floor is the best guess. */
	if (k < s->first)
		k = s->first;
	neighbours(s, k, &lo, &hi);
	for (size_t i = lo; i <= hi; i++)
		if (i + NF_SPECTRUM_LOBE < k || i > k + NF_SPECTRUM_LOBE)
			near[n++] = s->power[i];
	const size_t middle[2] = { (n - 1) / 2, n / 2 };

	nf_multiselect(near, n, middle, middle[0] == middle[1] ? 1 : 2);
	*ret_n = n;
	return (near[middle[0]] + near[middle[1]]) / 2 / log(2);
}

/* That a bin of noise alone is t times the mean estimated from m independent neighbours. */
static double chance_of(double t, size_t m)
{
	double p = 1;

	for (size_t j = 0; j <= (m - 1) / 2; j++)
		p *= (double)(m - j) / ((double)(m - j) + t / log(2));
	return p;
}

double nf_spectrum_chance(const struct nf_spectrum_series *s, size_t k, double *ret_floor_ratio)
{
	size_t n;
	double t = s->power[k] / fmax(nf_spectrum_floor(s, k, &n), 1e-30);

	*ret_floor_ratio = t;
	return chance_of(t, independent(n));
}

int nf_spectrum_judge(struct nf_spectrum_series *s, struct nf_err *err)
{
	size_t last = s->n / 2;

	s->surprise = calloc(last + 1, sizeof(*s->surprise));
	if (!s->surprise)
		return nf_fail_nomem(err, "the spectrum", (last + 1) * sizeof(*s->surprise));
	s->first = 1;
	while (s->first < last && independent(count_neighbours(s, s->first)) < FEWEST)
		s->first++;
	for (size_t k = s->first; k <= last; k++) {
		double t;

		if (s->power[k] < NF_SPECTRUM_LEAST)
			continue;
		double p = nf_spectrum_chance(s, k, &t);

		s->surprise[k] = p > NF_SPECTRUM_LEAST_CHANCE
		                         ? (float)-log(p)
		                         : (float)-log(NF_SPECTRUM_LEAST_CHANCE);
	}
	return 0;
}
