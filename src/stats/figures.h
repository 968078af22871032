/* SPDX-License-Identifier: MIT */
/*
 * figures - the few numbers that describe the samples of one FWQ worker, fast: fixed work takes nearly the
 * same time again and again, so that most values are counted in a table of exact values above the
 * minimum, and only those far above are looked at one by one.
 *
 * Pure. The same numbers as nf_summarize_i64() gives, which is also what wide samples go through.
 */
#ifndef NF_STATS_FIGURES_H
#define NF_STATS_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum nf_figure_percentile {
	NF_FIGURE_P25,
	NF_FIGURE_P50,
	NF_FIGURE_P75,
	NF_FIGURE_P99,
	NF_FIGURE_P999,
	NF_FIGURES
};

/* In the unit of the samples. Percentiles are type 7 (noisefloor/summary.h); sd has divisor n - 1. */
struct nf_figures {
	size_t n;
	double mean;
	bool has_sd; /* n > 1 */
	double sd;
	double min;
	double p[NF_FIGURES];
	/* What each percentile lies between, and how far: a change of unit is made there, as if the
	 * samples had been in that unit, so that the last digit is the same. */
	double below[NF_FIGURES], above[NF_FIGURES], fraction[NF_FIGURES];
	double max;
};

/* Figures of x[0..n) and, where ret_rest is not NULL, of x[1..n): n = 0 in it when n is 1. Scratch:
 * 512 KiB and at most n bytes, or what nf_summarize_i64() takes. -NF_ENODATA for n = 0, -NF_ENOMEM. */
NF_NODISCARD int nf_figures_of(const int64_t *x, size_t n, struct nf_figures *ret,
                               struct nf_figures *ret_rest, struct nf_err *err);
/* Everything but n over `per`, which is above 0. */
void nf_figures_scale(struct nf_figures *f, double per);

#endif
