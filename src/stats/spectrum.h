/* SPDX-License-Identifier: MIT */
/*
 * spectrum - what returns at regular intervals in a series of counts taken on a uniform grid, in Hz.
 *
 * Periodogram under a Hann window. The series is cut to the longest even length without prime factors
 * over 5 (what the FFT is fast and exact for), the window's mean is taken off, so that the bin at 0 Hz
 * is 0, and the rest is scaled to unit power before the FFT, which computes in single precision
 * (kissfft): bins below NF_SPECTRUM_LEAST of the whole power are rounding, and not looked at. Only the search uses that: frequency and share of what was found are computed again in double
 * precision.
 *
 * Floor: the median of the neighbouring bins, k/2 but at most NF_SPECTRUM_REACH on each side, without the
 * two on each side of k that belong to the same line. Noise without lines, of whatever slowly
 * changing colour, makes bins that are exponentially distributed around the local mean (Priestley,
 * Spectral Analysis and Time Series, 1981, section 6.2). Then the chance that a bin exceeds t times the
 * mean estimated from the median of m independent neighbours is
 *     prod over j = 0 .. (m-1)/2 of (m-j) / (m-j + t / ln 2),
 * from Renyi's representation of the order statistics of exponentials (Acta Mathematica Hungarica 4,
 * 1953). The window makes neighbours dependent: m is their number over 1.94, the sum of the squared
 * correlations of Hann-windowed bins (4/9 and 1/36 on each side). A peak stands out when that chance,
 * times the number of bins looked at (Bonferroni), is at most half of NF_SPECTRUM_LEVEL. None may: that
 * is an answer.
 *
 * What a stronger peak leaks into a bin (the window's side lobes) does not count as a peak, nor do
 * neighbouring bins that all stand out more than once.
 *
 * Frequency: from the two highest bins of a Hann-windowed line, k + (2a - 1) / (a + 1) with a the ratio
 * of their amplitudes (Grandke, IEEE Transactions on Instrumentation and Measurement 32, 1983). Two
 * lines closer than five bins are one.
 *
 * Combs: pulses that return regularly have many harmonics, which together stand out where none does,
 * and where the fundamental is buried in the noise of low frequencies. For a fundamental f0 of at least 5
 * bins, the first M = 4, 6, 8, 12 .. 128 multiples of it (all up to rate_hz / 2 where those are fewer than the next M), in steps of 1 / (2 M) bins: in noise, -ln of each
 * tooth's chance is exponential with mean 1, and the chance that n of them add up to S > n is at most
 *     (S / n)^n exp(n - S)
 * (Chernoff, Annals of Mathematical Statistics 23, 1952, for the gamma distribution), times the number of such points
 * (Bonferroni), which may be at most the other half of NF_SPECTRUM_LEVEL. No tooth counts for more than 8,
 * so that a strong line alone makes no comb; the bound holds all the more. The least likely comb is named first,
 * then the rest is looked at without the bins about its multiples. A fraction of the fundamental has as much to
 * show in more teeth, a multiple has less: both are likelier than f0. Also, for every prime p up to M the teeth that are no
 * multiples of p must together be significant by themselves: else p f0 explains it all. The
 * fundamental is the mean of where each tooth says that it is, weighted by m^2 and the tooth's power.
 *
 * A line above rate_hz / 2 appears folded back below it. Harmonics of a fundamental are gathered with it,
 * those that are folded counted apart. A train of equal pulses has no harmonic stronger than its
 * fundamental, whatever their length, so a peak of more than NF_SPECTRUM_HARMONIC times the fundamental's
 * power is a line of its own (the factor lets two trains that coincide add up). At a multiple of a comb it is one
 * when its power is more than that factor times the medians of the four teeth below it and of the four above it.
 * A weaker line at a multiple of another's frequency cannot be told from its harmonic. A harmonic's share
 * is that of its five bins; of teeth that do not stand out themselves, less the noise in them.
 */
#ifndef NF_STATS_SPECTRUM_H
#define NF_STATS_SPECTRUM_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum {
	NF_SPECTRUM_MIN = 256, /* values; fewer resolve nothing */
	NF_SPECTRUM_REACH = 128,
	NF_SPECTRUM_LINES = 16, /* named at most */
	NF_SPECTRUM_HARMONIC = 5,
};
#define NF_SPECTRUM_LEVEL 0.01
#define NF_SPECTRUM_LEAST 1e-12
#define NF_SPECTRUM_MAX ((size_t)1 << 26) /* values looked at */

struct nf_spectrum_line {
	double hz; /* of the fundamental */
	double share_ratio; /* of the power away from 0 Hz, in its own five bins */
	double with_harmonics_ratio; /* share_ratio and those of its harmonics */
	double floor_ratio; /* its bin over the mean that its neighbours' median stands for */
	double chance; /* of such a bin or comb anywhere in noise alone, at most 1 */
	size_t n_harmonics; /* found, without the fundamental */
	size_t n_folded; /* of them, above rate_hz / 2 */
	size_t n_teeth; /* multiples, itself included, whose joint chance it is; 0: of its own bin */
};

struct nf_spectrum {
	size_t n_used; /* the first so many values */
	double bin_hz; /* resolution: rate_hz / n_used */
	double nyquist_hz; /* rate_hz / 2 */
	double lowest_hz; /* bins below have too few neighbours to be judged */
	double mean; /* under the window */
	double variance; /* about it, under the window */
	size_t n_peaks; /* that stand out, harmonics included */
	size_t n_lines; /* fundamentals of peaks and combs; the first of them, by with_harmonics_ratio, are in line */
	struct nf_spectrum_line line[NF_SPECTRUM_LINES];
	size_t n_named; /* min(n_lines, NF_SPECTRUM_LINES) */
	double named_ratio; /* sum of with_harmonics_ratio of those named */
};

/* The longest even length of at most n whose only prime factors are 2, 3 and 5; 0 below 2. */
size_t nf_spectrum_length(size_t n);

/* value[0..n), one every 1/rate_hz. -NF_ENODATA: fewer than NF_SPECTRUM_MIN, or all the same.
 * -NF_EARG: rate_hz is not positive. -NF_ENOMEM. */
NF_NODISCARD int nf_spectrum_lines(const int64_t *value, size_t n, double rate_hz,
                                   struct nf_spectrum *ret, struct nf_err *err);

/* The periodogram that is searched: power of bins 0 .. n_used/2 into ret_power, in the square of the
 * value's unit, both halves of the spectrum together; their sum is the variance under the window.
 * *ret_used: nf_spectrum_length(n). Errors as above. */
NF_NODISCARD int nf_spectrum_power(const int64_t *value, size_t n, double *ret_power,
                                   size_t *ret_used, struct nf_err *err);

#endif
