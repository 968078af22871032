/* SPDX-License-Identifier: MIT */
/* spectrum_impl - the parts of a spectrum (stats/spectrum.h): series, peaks, lines. */
#ifndef NF_STATS_SPECTRUM_IMPL_H
#define NF_STATS_SPECTRUM_IMPL_H

#include <stdbool.h>

#include "stats/spectrum.h"

/* A windowed series and its spectrum. */
struct nf_spectrum_series {
	double *x; /* owned; n values, windowed, their mean under the window taken off */
	size_t n;
	double mean;
	double energy; /* sum of squares of x */
	double window_energy; /* of the window alone: 3/8 n */
	double *power; /* owned; n/2 + 1 shares of the whole power, single precision behind them */
};
NF_NODISCARD int nf_spectrum_series_make(const int64_t *value, size_t n,
                                         struct nf_spectrum_series *ret, struct nf_err *err);
void nf_spectrum_series_fini(struct nf_spectrum_series *s);
/* Share of bin k by a direct sum in double precision; k may lie one or two outside of 0 .. n/2. */
double nf_spectrum_series_share(const struct nf_spectrum_series *s, ptrdiff_t k);

enum { NF_SPECTRUM_PEAKS = 1024 }; /* looked at for lines */

struct nf_spectrum_peak {
	size_t bin;
	double place; /* in bins, interpolated */
	double share_ratio;
	double floor_ratio;
	double chance;
	bool taken; /* by a line */
};
/* Those that stand out, by falling power, at most NF_SPECTRUM_PEAKS into ret; *ret_total counts
 * all. *ret_lowest: the first bin that could be judged. */
NF_NODISCARD int nf_spectrum_find_peaks(const struct nf_spectrum_series *s,
                                        struct nf_spectrum_peak *ret, size_t *ret_n,
                                        size_t *ret_total, size_t *ret_lowest, struct nf_err *err);

/* Gathers peaks (any order; they are sorted by place and marked taken) into the lines of ret. n: length
 * of the series. */
void nf_spectrum_gather(struct nf_spectrum_peak *peak, size_t n_peaks, size_t n, double bin_hz,
                        struct nf_spectrum *ret);

#endif
