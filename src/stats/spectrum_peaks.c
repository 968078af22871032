/* SPDX-License-Identifier: MIT */
/* spectrum_peaks - which bins of a periodogram stand out of their neighbours. */
#include <math.h>
#include <stdlib.h>

#include "stats/spectrum_impl.h"

enum {
	LOBE = NF_SPECTRUM_LOBE,
	APART = 2 * LOBE + 1, /* so that no bin belongs to two peaks */
	LEAK_MARGIN = 4, /* a line between two bins shows 0.72 of its power; amplitudes add */
};
#define PI 3.14159265358979323846

struct search {
	const struct nf_spectrum_series *s;
	size_t last; /* bin */
	double tests;
	struct nf_spectrum_peak *peak; /* room for NF_SPECTRUM_PEAKS */
	size_t n_peaks;
	size_t n_total;
};

/* Fills the two ratios of *ret. False: it does not stand out. */
static bool stands_out(const struct search *h, size_t k, struct nf_spectrum_peak *ret)
{
	/* Cheaply first: single precision is behind the surprise. */
	if ((double)h->s->surprise[k] < log(h->tests / NF_SPECTRUM_LEVEL_EACH) - 0.01)
		return false;
	double t, p = nf_spectrum_chance(h->s, k, &t) * h->tests;

	*ret = (struct nf_spectrum_peak){ .bin = k, .floor_ratio = t, .chance = fmin(p, 1) };
	return p <= NF_SPECTRUM_LEVEL_EACH;
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
static int candidates(const struct search *h, struct candidate **ret, size_t *ret_n,
                      struct nf_err *err)
{
	struct candidate *c = NULL;
	size_t n = 0, cap = 0, run = 0, previous = 0;

	for (size_t k = h->s->first; k <= h->last; k++) {
		struct nf_spectrum_peak p;

		if (!stands_out(h, k, &p))
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
	double here;

	p->place = nf_spectrum_series_place(s, p->bin, &here);
	p->share_ratio = 0;
	for (size_t i = p->bin - LOBE; i <= p->bin + LOBE && i <= s->n / 2; i++)
		p->share_ratio += i < 1 ? 0 : nf_spectrum_series_share(s, (ptrdiff_t)i);
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
                           size_t *ret_n, size_t *ret_total, struct nf_err *err)
{
	struct search h = { .s = s, .last = s->n / 2, .peak = ret };
	struct candidate *c = NULL;
	size_t n = 0;
	int rc;

	h.tests = (double)(h.last - s->first + 1);
	rc = candidates(&h, &c, &n, err);
	if (rc == 0)
		rc = choose(&h, c, n, err);
	free(c);
	if (rc != 0)
		return rc;
	*ret_n = h.n_peaks;
	*ret_total = h.n_total;
	return 0;
}
