/* SPDX-License-Identifier: MIT */
/* fft - the power of the bins of a real series' discrete Fourier transform. fft_kiss.c (KISS FFT, single precision), or
 * fft_plain.c where a program is linked statically and that library cannot be. */
#ifndef NF_STATS_FFT_H
#define NF_STATS_FFT_H

#include <stddef.h>

#include "base/fail.h"

/* What computes it, for the record; static. */
const char *nf_fft_name(void);
const char *nf_fft_version(void);

/* ret_power[k] = |sum over j of scale x[j] exp(-2 pi i j k / n)|^2 for k from 0 to n / 2. n: even, without prime factors
 * above 5. -NF_ENOMEM. */
NF_NODISCARD int nf_fft_power(const double *x, size_t n, double scale, double *ret_power,
                              struct nf_err *err);

#endif
