/* SPDX-License-Identifier: MIT */
/* blocks - how much two short runs, one after the other, differ by noise alone. */
#ifndef NF_STATS_BLOCKS_H
#define NF_STATS_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum { NF_BLOCKS_MIN = 10 };

/*
 * Cuts the durations x[0..n) (any unit, in order) into consecutive blocks that each last at least
 * block_length of the same unit; a rest shorter than that is left out. m[i] is the mean duration of
 * block i. *ret_ratio is the 95th percentile (type 7) of |m[i+1] - m[i]| / median(m): the relative
 * difference that two back-to-back runs of block_length stay below 95 % of the time when nothing
 * has changed. *ret_blocks (may be NULL) is the number of blocks.
 *
 * -NF_ENODATA: fewer than NF_BLOCKS_MIN blocks. -NF_EARG: block_length <= 0. -NF_EDATA: a duration
 * that is not positive, with its index. -NF_ENOMEM.
 */
NF_NODISCARD int nf_blocks_difference(const int64_t *x, size_t n, double block_length,
                                      double *ret_ratio, size_t *ret_blocks, struct nf_err *err);

#endif
