/* SPDX-License-Identifier: MIT */
/* spectrum_gather - peaks that are harmonics of one line, folded back at half the rate or not. */
#include <math.h>
#include <stdlib.h>

#include "stats/spectrum_impl.h"

enum {
	HARMONICS = 1000, /* looked for at most */
	MISSES = 4, /* in a row that end the search */
	LOBE = NF_SPECTRUM_LOBE,
	REACH = 16, /* times the rate: beyond it a quantum averages harmonics away */
};
#define NEAR NF_SPECTRUM_NEAR

static int by_place(const void *a, const void *b)
{
	double x = ((const struct nf_spectrum_peak *)a)->place,
	       y = ((const struct nf_spectrum_peak *)b)->place;

	return x < y ? -1 : x > y;
}

static int by_falling_share(const void *a, const void *b)
{
	double x = ((const struct nf_spectrum_line *)a)->with_harmonics_ratio,
	       y = ((const struct nf_spectrum_line *)b)->with_harmonics_ratio;

	return x > y ? -1 : x < y;
}

/* Where a frequency (in bins of a series of n) shows: folded into 0 .. n/2. *ret_sign is -1 where it
 * falls as the frequency rises. */
static double fold(double place, double n, int *ret_sign)
{
	double rest = fmod(place, n);

	*ret_sign = rest > n / 2 ? -1 : 1;
	return rest > n / 2 ? n - rest : rest;
}

/* The free peak nearest to place; NULL: none is near. Peaks are sorted by place. */
static struct nf_spectrum_peak *peak_near(struct nf_spectrum_peak *peak, size_t n, double place)
{
	size_t lo = 0, hi = n;
	struct nf_spectrum_peak *best = NULL;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (peak[middle].place < place - NEAR)
			lo = middle + 1;
		else
			hi = middle;
	}
	for (; lo < n && peak[lo].place <= place + NEAR; lo++)
		if (!peak[lo].taken &&
		    (!best || fabs(peak[lo].place - place) < fabs(best->place - place)))
			best = &peak[lo];
	return best;
}

/* Adds the free peaks at multiples `from` and above of base, none stronger than most, to *line. */
static void gather_multiples(struct nf_spectrum_peak *peak, size_t n_peaks, double base, int from,
                             double most, double n, struct nf_spectrum_line *line)
{
	int misses = 0;

	for (int m = from; m <= HARMONICS && misses < MISSES && m * base <= REACH * n; m++) {
		int sign;
		double at = fold(m * base, n, &sign);
		struct nf_spectrum_peak *p = peak_near(peak, n_peaks, at);

		if (!p || p->share_ratio > most) {
			misses++;
			continue;
		}
		misses = 0;
		p->taken = true;
		base += sign * (p->place - at) / m; /* made finer by each harmonic */
		line->with_harmonics_ratio += p->share_ratio;
		line->n_harmonics++;
		line->n_folded += m * base > n / 2;
	}
}

static struct nf_spectrum_line line_of_peak(struct nf_spectrum_peak *peak, size_t n_peaks,
                                            struct nf_spectrum_peak *first, double n, double bin_hz)
{
	struct nf_spectrum_line line = {
		.hz = first->place * bin_hz,
		.share_ratio = first->share_ratio,
		.with_harmonics_ratio = first->share_ratio,
		.floor_ratio = first->floor_ratio,
		.chance = first->chance,
	};

	first->taken = true;
	gather_multiples(peak, n_peaks, first->place, 2, NF_SPECTRUM_HARMONIC * first->share_ratio,
	                 n, &line);
	return line;
}

/* --- combs --- */

static void claim(bool *claimed, size_t last, size_t bin)
{
	for (size_t k = bin - (bin < LOBE ? bin : LOBE); k <= bin + LOBE && k <= last; k++)
		claimed[k] = true;
}

/* What the bins about `bin` hold beyond the noise; bins that are somebody's already do not count. */
static double excess(const struct nf_spectrum_series *s, bool *claimed, size_t bin)
{
	size_t n;
	double sum = 0, noise = nf_spectrum_floor(s, bin, &n);

	for (size_t k = bin - LOBE; k <= bin + LOBE && k <= s->n / 2; k++)
		if (!claimed[k])
			sum += nf_spectrum_series_share(s, (ptrdiff_t)k) - noise;
	claim(claimed, s->n / 2, bin);
	return sum;
}

/* The free peaks at multiples of the comb's fundamental, but for those that tower over it. */
static void take_peaks(const struct nf_spectrum_series *s, const struct nf_spectrum_comb *c,
                       struct nf_spectrum_peak *peak, size_t n_peaks, struct nf_spectrum_line *line)
{
	for (size_t i = 0; i < n_peaks; i++) {
		double m = round(peak[i].place / c->place);

		if (peak[i].taken || m < 1 || fabs(m * c->place - peak[i].place) > NEAR ||
		    nf_spectrum_tooth_towers(s, c->place, (size_t)m))
			continue;
		peak[i].taken = true;
		line->with_harmonics_ratio += peak[i].share_ratio;
		if (m >= 2) {
			line->n_harmonics++;
			continue;
		}
		line->share_ratio = peak[i].share_ratio;
		line->floor_ratio = peak[i].floor_ratio;
		line->chance = fmin(line->chance, peak[i].chance);
	}
}

static struct nf_spectrum_line line_of_comb(const struct nf_spectrum_series *s,
                                            const struct nf_spectrum_comb *c,
                                            struct nf_spectrum_peak *peak, size_t n_peaks,
                                            bool *claimed, double bin_hz)
{
	struct nf_spectrum_line line = {
		.hz = c->place * bin_hz,
		.chance = c->chance,
		.n_teeth = c->n_teeth,
	};
	double rest = 0;

	(void)nf_spectrum_chance(s, (size_t)(c->place + 0.5), &line.floor_ratio);
	take_peaks(s, c, peak, n_peaks, &line);
	for (size_t m = 1; m <= c->n_teeth && (double)m * c->place <= (double)(s->n / 2); m++) {
		size_t k = (size_t)((double)m * c->place + 0.5);

		if (k > s->n / 2 || claimed[k])
			continue;
		double e = excess(s, claimed, k);

		if (m == 1) {
			line.share_ratio = fmax(e, 0);
			line.with_harmonics_ratio += line.share_ratio;
		} else {
			rest += e;
		}
	}
	line.with_harmonics_ratio += fmax(rest, 0);
	/* Those that are folded, from the first multiple above. */
	gather_multiples(peak, n_peaks, c->place, (int)((double)(s->n / 2) / c->place) + 1,
	                 NF_SPECTRUM_HARMONIC * fmax(line.share_ratio, line.with_harmonics_ratio /
	                                                                       (double)c->n_teeth),
	                 (double)s->n, &line);
	return line;
}

/* --- all of them --- */

/* Keeps the strongest. */
static void keep(struct nf_spectrum *ret, const struct nf_spectrum_line *line)
{
	size_t weakest = 0;

	ret->n_lines++;
	if (ret->n_named < NF_SPECTRUM_LINES) {
		ret->line[ret->n_named++] = *line;
		return;
	}
	for (size_t i = 1; i < ret->n_named; i++)
		if (ret->line[i].with_harmonics_ratio < ret->line[weakest].with_harmonics_ratio)
			weakest = i;
	if (ret->line[weakest].with_harmonics_ratio < line->with_harmonics_ratio)
		ret->line[weakest] = *line;
}

static struct nf_spectrum_peak *strongest_free(struct nf_spectrum_peak *peak, size_t n)
{
	struct nf_spectrum_peak *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (!peak[i].taken && (!best || peak[i].share_ratio > best->share_ratio))
			best = &peak[i];
	return best;
}

/* The lowest free peak that p can be a harmonic of; else p. Short pulses make harmonics as strong as
 * their fundamental but for the noise, so that the strongest peak need not be the fundamental. */
static struct nf_spectrum_peak *fundamental_of(struct nf_spectrum_peak *peak,
                                               struct nf_spectrum_peak *p)
{
	for (struct nf_spectrum_peak *q = peak; q < p; q++) {
		double m = round(p->place / q->place);

		if (!q->taken && m >= 2 && fabs(m * q->place - p->place) <= NEAR &&
		    p->share_ratio <= NF_SPECTRUM_HARMONIC * q->share_ratio)
			return q;
	}
	return p;
}

static void gather_combs(const struct nf_spectrum_series *s, struct nf_spectrum_combs *h,
                         struct nf_spectrum_peak *peak, size_t n_peaks, bool *claimed,
                         double bin_hz, struct nf_spectrum *ret)
{
	struct nf_spectrum_comb c;

	for (size_t n = 0; n < NF_SPECTRUM_COMBS && nf_spectrum_combs_next(h, &c); n++) {
		struct nf_spectrum_line line = line_of_comb(s, &c, peak, n_peaks, claimed, bin_hz);

		for (size_t i = 0; i < n_peaks; i++)
			if (peak[i].taken)
				nf_spectrum_combs_use(h, peak[i].bin);
		keep(ret, &line);
	}
}

int nf_spectrum_gather(const struct nf_spectrum_series *s, struct nf_spectrum_peak *peak,
                       size_t n_peaks, double bin_hz, struct nf_spectrum *ret, struct nf_err *err)
{
	bool *claimed = calloc(s->n / 2 + 1, sizeof(*claimed));
	struct nf_spectrum_combs *h = NULL;
	struct nf_spectrum_peak *p;
	int rc;

	if (!claimed)
		return nf_fail_nomem(err, "the lines", s->n / 2 + 1);
	rc = nf_spectrum_combs_new(s, &h, err);
	if (rc != 0)
		goto out;
	for (size_t i = 0; i < n_peaks; i++)
		claim(claimed, s->n / 2, peak[i].bin);
	qsort(peak, n_peaks, sizeof(*peak), by_place);
	gather_combs(s, h, peak, n_peaks, claimed, bin_hz, ret);
	while ((p = strongest_free(peak, n_peaks))) {
		struct nf_spectrum_line line =
		        line_of_peak(peak, n_peaks, fundamental_of(peak, p), (double)s->n, bin_hz);

		keep(ret, &line);
	}
	qsort(ret->line, ret->n_named, sizeof(ret->line[0]), by_falling_share);
	for (size_t i = 0; i < ret->n_named; i++)
		ret->named_ratio += ret->line[i].with_harmonics_ratio;
out:
	nf_spectrum_combs_free(h);
	free(claimed);
	return rc;
}
