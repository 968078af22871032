/* SPDX-License-Identifier: MIT */
/* spectrum_gather - peaks that are harmonics of one line, folded back at half the rate or not. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/spectrum_impl.h"

enum {
	HARMONICS = 1000, /* looked for at most */
	MISSES = 4, /* in a row that end the search */
	REACH = 16, /* times the rate: beyond it a quantum averages harmonics away */
};
#define NEAR 0.75 /* bins between a harmonic and where it should be */

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

static struct nf_spectrum_line gather_line(struct nf_spectrum_peak *peak, size_t n_peaks,
                                           struct nf_spectrum_peak *first, double n, double bin_hz)
{
	struct nf_spectrum_line line = {
		.hz = first->place * bin_hz,
		.share_ratio = first->share_ratio,
		.with_harmonics_ratio = first->share_ratio,
		.floor_ratio = first->floor_ratio,
		.chance = first->chance,
	};
	double base = first->place; /* made finer by each harmonic */
	int misses = 0;

	first->taken = true;
	for (int m = 2; m <= HARMONICS && misses < MISSES && m * base <= REACH * n; m++) {
		int sign;
		double at = fold(m * base, n, &sign);
		struct nf_spectrum_peak *p = peak_near(peak, n_peaks, at);

		if (!p || p->share_ratio > NF_SPECTRUM_HARMONIC * first->share_ratio) {
			misses++;
			continue;
		}
		misses = 0;
		p->taken = true;
		base += sign * (p->place - at) / m;
		line.with_harmonics_ratio += p->share_ratio;
		line.n_harmonics++;
		line.n_folded += m * base > n / 2;
	}
	return line;
}

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

void nf_spectrum_gather(struct nf_spectrum_peak *peak, size_t n_peaks, size_t n, double bin_hz,
                        struct nf_spectrum *ret)
{
	struct nf_spectrum_peak *p;

	qsort(peak, n_peaks, sizeof(*peak), by_place);
	while ((p = strongest_free(peak, n_peaks))) {
		struct nf_spectrum_line line =
		        gather_line(peak, n_peaks, fundamental_of(peak, p), (double)n, bin_hz);

		keep(ret, &line);
	}
	qsort(ret->line, ret->n_named, sizeof(ret->line[0]), by_falling_share);
	for (size_t i = 0; i < ret->n_named; i++)
		ret->named_ratio += ret->line[i].with_harmonics_ratio;
}
