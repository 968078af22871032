/* SPDX-License-Identifier: MIT */
/*
 * histogram - log-linear histogram of non-negative 64-bit values, without a range limit.
 *
 * A power of two of equal sub-buckets per octave; the relative error (half a bucket's width over its
 * value) is chosen at creation. Counts are 64-bit; a count or total at UINT64_MAX stays there and is
 * counted as saturated. Minimum and maximum are exact. Memory grows with the octaves that occur.
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

/* relative_error: 2^-20..0.25, rounded down to 2^-k. Owned by the caller: nf_hist_free(). */
NF_API NF_NODISCARD int nf_hist_new(double relative_error, struct nf_hist **ret,
				    struct nf_err *err);
NF_API void nf_hist_free(struct nf_hist *h); /* NULL is fine */
NF_API void nf_hist_reset(struct nf_hist *h); /* counts to 0, memory kept */

/* Records value n times. The first value of an octave may allocate: -NF_ENOMEM, nothing recorded. */
NF_API NF_NODISCARD int nf_hist_add(struct nf_hist *h, uint64_t value, uint64_t n,
				    struct nf_err *err);
/* dst += src; -NF_EARG if their errors differ; dst unchanged on failure. */
NF_API NF_NODISCARD int nf_hist_merge(struct nf_hist *dst, const struct nf_hist *src,
				      struct nf_err *err);

NF_API double nf_hist_relative_error(const struct nf_hist *h);
NF_API uint64_t nf_hist_count(const struct nf_hist *h);
NF_API uint64_t nf_hist_saturated(const struct nf_hist *h); /* records lost to a full counter */
/* -NF_ENODATA when empty. Exact. */
NF_API NF_NODISCARD int nf_hist_min(const struct nf_hist *h, uint64_t *ret, struct nf_err *err);
NF_API NF_NODISCARD int nf_hist_max(const struct nf_hist *h, uint64_t *ret, struct nf_err *err);
/* Value v such that at least q of the records are <= v (inverse of the empirical distribution),
 * within the relative error, never outside [min, max], monotone in q. q 0..1, else -NF_EARG;
 * -NF_ENODATA when empty. */
NF_API NF_NODISCARD int nf_hist_quantile(const struct nf_hist *h, double q, uint64_t *ret,
					 struct nf_err *err);

/* Goes over the non-empty buckets in rising order: values in [lo, hi]. Start with *pos = 0. Returns 1
 * while there is one, then 0. */
NF_API int nf_hist_next(const struct nf_hist *h, size_t *pos, uint64_t *ret_lo, uint64_t *ret_hi,
			uint64_t *ret_n);

#ifdef __cplusplus
}
#endif

#endif
