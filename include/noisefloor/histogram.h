/* SPDX-License-Identifier: MIT */
/*
 * histogram - log-linear histogram of non-negative 64-bit values, without a range limit.
 *
 * A power of two of equal sub-buckets per octave; the relative error (half a bucket's width over its
 * value) is chosen at creation. Counts are 64-bit; a count or total at UINT64_MAX stays there and the
 * records beyond the total are counted as saturated (a bucket can only be full when the total is).
 * Minimum and maximum are exact. Memory grows with the octaves that occur: 4 bytes over the relative
 * error for each (2 KiB at 2^-9), at most 64 of them.
 * Two histograms of the same error merge exactly: merging equals recording both streams.
 * Source of the layout: the log-linear form of HdrHistogram (Tene), without its range parameters.
 * Threads: one at a time per instance.
 */
#ifndef NOISEFLOOR_HISTOGRAM_H
#define NOISEFLOOR_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

struct nf_hist;

/* relative_error: 2^-20..0.25, rounded down to 2^-k (0.01 becomes 2^-7 = 0.0078125); anything else is
 * -NF_EARG. -NF_ENOMEM. Owned by the caller: nf_hist_free(). */
NF_API NF_NODISCARD int nf_hist_new(double relative_error, struct nf_hist **ret,
                                    struct nf_err *err);
NF_API void nf_hist_free(struct nf_hist *h); /* NULL is fine */
NF_API void nf_hist_reset(struct nf_hist *h); /* counts to 0, memory kept */

/* Records value n times; n = 0 records nothing. The first value of an octave allocates: -NF_ENOMEM,
 * nothing recorded. */
NF_API NF_NODISCARD int nf_hist_add(struct nf_hist *h, uint64_t value, uint64_t n,
                                    struct nf_err *err);
/* dst += src, which may be dst itself; -NF_EARG if their errors differ, -NF_ENOMEM; dst unchanged on
 * failure. */
NF_API NF_NODISCARD int nf_hist_merge(struct nf_hist *dst, const struct nf_hist *src,
                                      struct nf_err *err);

NF_API double nf_hist_relative_error(const struct nf_hist *h);
NF_API uint64_t nf_hist_count(const struct nf_hist *h);
NF_API uint64_t nf_hist_saturated(const struct nf_hist *h); /* records beyond the total */
/* -NF_ENODATA when empty. Exact. */
NF_API NF_NODISCARD int nf_hist_min(const struct nf_hist *h, uint64_t *ret, struct nf_err *err);
NF_API NF_NODISCARD int nf_hist_max(const struct nf_hist *h, uint64_t *ret, struct nf_err *err);
/* The value of the record of rank ceil(q n), at least 1 (the inverse of the empirical distribution;
 * q n is taken less two units in its last place, so that 0.07 of 100 records is 7 of them): within the
 * relative error, exact for the first and the last record, never outside [min, max], monotone in q.
 * Where the total is saturated, n is the total. q 0..1, else -NF_EARG; -NF_ENODATA when empty. */
NF_API NF_NODISCARD int nf_hist_quantile(const struct nf_hist *h, double q, uint64_t *ret,
                                         struct nf_err *err);

/* Goes over the non-empty buckets in rising order: *ret_n values in [*ret_lo, *ret_hi]. Start with
 * *pos = 0. Returns 1 while there is one, then 0. */
NF_API int nf_hist_next(const struct nf_hist *h, size_t *pos, uint64_t *ret_lo, uint64_t *ret_hi,
                        uint64_t *ret_n);

#ifdef __cplusplus
}
#endif

#endif
