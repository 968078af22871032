/* SPDX-License-Identifier: MIT */
/* spectrum_peaks - which bins of a periodogram stand out of their neighbours. */
#include <math.h>
#include <stdlib.h>

#include "stats/select.h"
#include "stats/spectrum_impl.h"

enum {
	LOBE = 2, /* bins on each side that a line reaches under the window */
	APART = 2 * LOBE + 1, /* so that no bin belongs to two peaks */
	FEWEST = 9, /* independent neighbours: below that a median says little */
	LEAK_MARGIN = 4, /* a line between two bins shows 0.72 of its power; amplitudes add */
};
#define PI 3.14159265358979323846
#define DEPENDENCE 1.94 /* 1 + 2 (4/9 + 1/36) */

struct search {
	const struct nf_spectrum_series *s;
	size_t last; /* bin */
	double tests;
	struct nf_spectrum_peak *peak; /* room for NF_SPECTRUM_PEAKS */
	size_t n_peaks;
	size_t n_total;
};

/* The neighbourhood of k, ends included. */
static void neighbours(const struct search *h, size_t k, size_t *ret_lo, size_t *ret_hi)
{
	/* As far below as above, so that a slope leaves the median where it is. */
	size_t reach = k / 2 < NF_SPECTRUM_REACH ? k / 2 : NF_SPECTRUM_REACH;

	*ret_lo = k - reach < 1 ? 1 : k - reach;
	*ret_hi = k + reach > h->last ? h->last : k + reach;
}

/* Independent ones among n neighbours, an odd number. */
static size_t independent(size_t n)
{
	size_t m = (size_t)((double)n / DEPENDENCE);

	return m == 0 ? 0 : m - (m % 2 == 0);
}

/* How many neighbours k has without its own lobe. */
static size_t count_neighbours(const struct search *h, size_t k)
{
	size_t lo, hi, own = 0;

	neighbours(h, k, &lo, &hi);
	for (size_t i = k - (k < LOBE ? k : LOBE); i <= k + LOBE; i++)
		own += i >= lo && i <= hi;
	return hi - lo + 1 - own;
}

/* Mean of the noise around k, from the neighbours' median. */
static double floor_at(const struct search *h, size_t k, size_t *ret_n)
{
	double near[2 * NF_SPECTRUM_REACH + 1];
	size_t lo, hi, n = 0;

	neighbours(h, k, &lo, &hi);
	for (size_t i = lo; i <= hi; i++)
		if (i + LOBE < k || i > k + LOBE)
			near[n++] = h->s->power[i];
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

/* Fills the two ratios of *ret. False: it does not stand out. */
static bool stands_out(const struct search *h, size_t k, struct nf_spectrum_peak *ret)
{
	size_t n;
	double mean = floor_at(h, k, &n);

	double t = h->s->power[k] / fmax(mean, 1e-30);
	double p = chance_of(t, independent(n)) * h->tests;

	*ret = (struct nf_spectrum_peak){ .bin = k, .floor_ratio = t, .chance = fmin(p, 1) };
	return p <= NF_SPECTRUM_LEVEL;
}

/* What a line of power 1 at most shows d >= LOBE + 1 bins away: the Hann window's transform. */
static double leak(double d)
{
	double a = 1 / (PI * d * (d * d - 1));

	return a * a;
}

static bool explained(const struct search *h, const struct nf_spectrum_peak *p)
{
	double leaked = 0;

	for (size_t i = 0; i < h->n_peaks; i++) {
		double d = fabs((double)h->peak[i].bin - (double)p->bin);

		if (d < APART)
			return true;
		/* At worst both stand half a bin towards each other. */
		leaked += h->s->power[h->peak[i].bin] * leak(d - 1);
	}
	return h->s->power[p->bin] < LEAK_MARGIN * leaked;
}

struct candidate {
	struct nf_spectrum_peak peak;
	double power;
	size_t run; /* of neighbouring bins that all stand out: its number */
};

static int by_falling_power(const void *a, const void *b)
{
	double x = ((const struct candidate *)a)->power, y = ((const struct candidate *)b)->power;

	return x > y ? -1 : x < y;
}

/* Bins that stand out, with the number of the run that each belongs to. NULL with *ret_n 0: none. */
static int candidates(const struct search *h, size_t first, struct candidate **ret, size_t *ret_n,
                      struct nf_err *err)
{
	struct candidate *c = NULL;
	size_t n = 0, cap = 0, run = 0, previous = 0;

	for (size_t k = first; k <= h->last; k++) {
		struct nf_spectrum_peak p;

		if (h->s->power[k] < NF_SPECTRUM_LEAST || !stands_out(h, k, &p))
			continue;
		if (n == cap) {
			/* No more than there are bins, and those are in memory already. */
			size_t more = cap ? 2 * cap : 64;
			struct candidate *grown = reallocarray(c, more, sizeof(*c));

			if (!grown) {
				free(c);
				return nf_fail_nomem(err, "the peaks", more * sizeof(*c));
			}
			c = grown;
			cap = more;
		}
		run += previous + 1 != k;
		previous = k;
		c[n++] = (struct candidate){ p, h->s->power[k], run };
	}
	*ret = c;
	*ret_n = n;
	return 0;
}

/* Where a line between bins is, and what its bins hold, in double precision. */
static void refine(const struct nf_spectrum_series *s, struct nf_spectrum_peak *p)
{
	ptrdiff_t k = (ptrdiff_t)p->bin;
	double share[2 * LOBE + 1], sum = 0;

	for (int d = -LOBE; d <= LOBE; d++) {
		share[d + LOBE] = nf_spectrum_series_share(s, k + d);
		if (k + d >= 1 && k + d <= (ptrdiff_t)(s->n / 2))
			sum += share[d + LOBE];
	}
	double below = share[LOBE - 1], above = share[LOBE + 1];
	double a = sqrt(fmax(below, above) / share[LOBE]);
	double by = (2 * a - 1) / (a + 1);

	by = by < 0 ? 0 : by > 1 ? 1 : by;
	p->place = (double)k + (above >= below ? by : -by);
	p->share_ratio = sum;
}

/* Takes the strongest first: what it leaks and the run that it stands in are its own. */
static int choose(struct search *h, struct candidate *c, size_t n, struct nf_err *err)
{
	bool *used;

	if (n == 0)
		return 0;
	used = calloc(c[n - 1].run + 1, sizeof(*used));
	if (!used)
		return nf_fail_nomem(err, "the peaks", c[n - 1].run + 1);
	qsort(c, n, sizeof(*c), by_falling_power);
	for (size_t i = 0; i < n; i++) {
		if (used[c[i].run] || explained(h, &c[i].peak))
			continue;
		used[c[i].run] = true;
		h->n_total++;
		if (h->n_peaks == NF_SPECTRUM_PEAKS)
			continue;
		refine(h->s, &c[i].peak);
		h->peak[h->n_peaks++] = c[i].peak;
	}
	free(used);
	return 0;
}

int nf_spectrum_find_peaks(const struct nf_spectrum_series *s, struct nf_spectrum_peak *ret,
                           size_t *ret_n, size_t *ret_total, size_t *ret_lowest, struct nf_err *err)
{
	struct search h = { .s = s, .last = s->n / 2, .peak = ret };
	struct candidate *c = NULL;
	size_t first = 1, n = 0;
	int rc;

	while (first < h.last && independent(count_neighbours(&h, first)) < FEWEST)
		first++;
	h.tests = (double)(h.last - first + 1);
	rc = candidates(&h, first, &c, &n, err);
	if (rc == 0)
		rc = choose(&h, c, n, err);
	free(c);
	if (rc != 0)
		return rc;
	*ret_n = h.n_peaks;
	*ret_total = h.n_total;
	*ret_lowest = first;
	return 0;
}
