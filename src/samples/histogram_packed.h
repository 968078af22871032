/* SPDX-License-Identifier: MIT */
/*
 * histogram_packed - a histogram as one array of 64-bit words of a size that depends on its relative error
 * alone: what reductions over processes pass around. Merging is exact, commutative and associative.
 * The words are those of one machine: not for files.
 */
#ifndef NF_SAMPLES_HISTOGRAM_PACKED_H
#define NF_SAMPLES_HISTOGRAM_PACKED_H

#include "noisefloor/histogram.h"

/* 5 + 64 x 2^k words for a relative error of 2^-(k + 1): 128 KiB at 2^-9. */
size_t nf_hist_packed_words(const struct nf_hist *h);
void nf_hist_pack(const struct nf_hist *h, uint64_t *ret_words);
/* dst += src; both were packed with the same relative error. */
void nf_hist_packed_merge(uint64_t *dst, const uint64_t *src);
/* Owned by the caller: nf_hist_free(). -NF_ENOMEM. */
NF_NODISCARD int nf_hist_unpack(const uint64_t *words, struct nf_hist **ret, struct nf_err *err);

#endif
