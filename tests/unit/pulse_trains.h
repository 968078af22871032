/* SPDX-License-Identifier: MIT */
/* pulse_trains - counts of quanta that regular interruptions take work from, and their spectrum. */
#ifndef NF_UNIT_PULSE_TRAINS_H
#define NF_UNIT_PULSE_TRAINS_H

#include <math.h>

#include "base/rng.h"
#include "nf_unit.h"
#include "stats/spectrum.h"

enum { RATE = 2500 }; /* quanta a second */

/* Work lost to pulses of length_s every 1/hz, in every quantum of 1/RATE; units a second of work. */
static inline void add_pulses(double *lost, size_t n, double hz, double length_s, double units)
{
	double end = (double)n / RATE;

	for (double at = 0.0137; at < end; at += 1 / hz) {
		double left = length_s;

		for (size_t i = (size_t)(at * RATE); i < n && left > 0; i++) {
			double from = fmax(at, (double)i / RATE);
			double here = fmin(left, (double)(i + 1) / RATE - from);

			lost[i] += here * units;
			left -= here;
		}
	}
}

static inline int64_t *counts_new(size_t n)
{
	int64_t *c = calloc(n, sizeof(*c));

	assert_non_null(c);
	return c;
}

/* 1600 units a quantum less what pulses took, with noise of sd. */
static inline int64_t *pulsed(size_t n, size_t n_trains, const double *hz, double length_s,
                              double sd, struct nf_rng *rng)
{
	double *lost = calloc(n, sizeof(*lost));
	int64_t *c = counts_new(n);

	assert_non_null(lost);
	for (size_t i = 0; i < n_trains; i++)
		add_pulses(lost, n, hz[i], length_s, 1600.0 * RATE);
	for (size_t i = 0; i < n; i++)
		c[i] = (int64_t)(1600 - lost[i] + sd * nf_rng_normal(rng));
	free(lost);
	return c;
}

static inline struct nf_spectrum spectrum(const int64_t *c, size_t n)
{
	struct nf_spectrum s = { 0 };
	struct nf_err e = { 0 };

	if (nf_spectrum_lines(c, n, RATE, &s, &e) != 0)
		fail_msg("%s", e.msg);
	return s;
}

static inline void show(const struct nf_spectrum *s)
{
	for (size_t i = 0; i < s->n_named; i++)
		printf("# %.4f Hz share %.3g with %zu harmonics (%zu folded) %.3g floor %.3g "
		       "chance %.3g\n",
		       s->line[i].hz, s->line[i].share_ratio, s->line[i].n_harmonics,
		       s->line[i].n_folded, s->line[i].with_harmonics_ratio, s->line[i].floor_ratio,
		       s->line[i].chance);
}

static inline const struct nf_spectrum_line *line_at(const struct nf_spectrum *s, double hz,
                                                     double within)
{
	for (size_t i = 0; i < s->n_named; i++)
		if (fabs(s->line[i].hz - hz) <= within)
			return &s->line[i];
	show(s);
	fail_msg("no line at %g Hz among %zu", hz, s->n_named);
	return &s->line[0]; /* not reached */
}

#endif
