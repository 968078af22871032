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
	float *surprise; /* owned; n/2 + 1: -ln of the chance of such a bin in noise; 0: not judged */
	size_t first; /* bin that has enough neighbours to be judged */
};
NF_NODISCARD int nf_spectrum_series_make(const int64_t *value, size_t n,
                                         struct nf_spectrum_series *ret, struct nf_err *err);
void nf_spectrum_series_fini(struct nf_spectrum_series *s);
/* Share of bin k by a direct sum in double precision; k may lie one or two outside of 0 .. n/2. */
double nf_spectrum_series_share(const struct nf_spectrum_series *s, ptrdiff_t k);
/* Where the line is whose highest bin is k, in bins, and k's share. */
double nf_spectrum_series_place(const struct nf_spectrum_series *s, size_t k, double *ret_share);

/* Fills surprise and first. */
NF_NODISCARD int nf_spectrum_judge(struct nf_spectrum_series *s, struct nf_err *err);
/* Mean of the noise around bin k (below first: around that), from the median of its *ret_n neighbours. */
double nf_spectrum_floor(const struct nf_spectrum_series *s, size_t k, size_t *ret_n);
/* Of such a bin in noise, and how many times that mean it is. */
double nf_spectrum_chance(const struct nf_spectrum_series *s, size_t k, double *ret_floor_ratio);

enum {
	NF_SPECTRUM_PEAKS = 1024, /* looked at for lines */
	NF_SPECTRUM_COMBS = 16, /* looked for at most */
	NF_SPECTRUM_LOBE = 2, /* bins on each side that a line reaches under the window */
};
#define NF_SPECTRUM_LEAST_CHANCE 1e-300
/* Peaks and combs are two searches. */
#define NF_SPECTRUM_LEVEL_EACH (NF_SPECTRUM_LEVEL / 2)
#define NF_SPECTRUM_NEAR 0.75 /* bins between a harmonic and where it should be */

struct nf_spectrum_peak {
	size_t bin;
	double place; /* in bins, interpolated */
	double share_ratio;
	double floor_ratio;
	double chance;
	bool taken; /* by a line */
};
/* Those that stand out, by falling power, at most NF_SPECTRUM_PEAKS into ret; *ret_total counts
 * all. */
NF_NODISCARD int nf_spectrum_find_peaks(const struct nf_spectrum_series *s,
                                        struct nf_spectrum_peak *ret, size_t *ret_n,
                                        size_t *ret_total, struct nf_err *err);

struct nf_spectrum_comb {
	double place; /* of the fundamental, in bins */
	size_t n_teeth; /* the first multiples of it, itself included */
	double chance;
};
/* Searches for fundamentals whose multiples together exceed chance. s is borrowed until free. */
struct nf_spectrum_combs;
NF_NODISCARD int nf_spectrum_combs_new(const struct nf_spectrum_series *s,
                                       struct nf_spectrum_combs **ret, struct nf_err *err);
/* The least likely one of what is left; its multiples are used up. False: there is none. */
bool nf_spectrum_combs_next(struct nf_spectrum_combs *h, struct nf_spectrum_comb *ret);
/* The line in bin k is explained. */
void nf_spectrum_combs_use(struct nf_spectrum_combs *h, size_t k);
void nf_spectrum_combs_free(struct nf_spectrum_combs *h);
/* Multiple m of place towers over the multiples beside it: it is something else's. */
bool nf_spectrum_tooth_towers(const struct nf_spectrum_series *s, double place, size_t m);

/* Gathers combs and peaks (any order; they are sorted by place and marked taken) into the lines of
 * ret. */
NF_NODISCARD int nf_spectrum_gather(const struct nf_spectrum_series *s,
                                    struct nf_spectrum_peak *peak, size_t n_peaks, double bin_hz,
                                    struct nf_spectrum *ret, struct nf_err *err);

#endif
