/* SPDX-License-Identifier: MIT */
/* lane_compare - run folders side by side, by lane, as `evidence compare` shows them. */
#ifndef NF_CLI_LANE_COMPARE_H
#define NF_CLI_LANE_COMPARE_H

#include "base/buf.h"

enum { NF_LANE_COMPARE_MAX = 16 };
/* path: n <= NF_LANE_COMPARE_MAX run folders. The text is appended: what is compared, then
 * the comparison. */
NF_NODISCARD int nf_lane_compare(const char *const path[], size_t n, struct nf_buf *out,
                                 struct nf_err *err);

#endif
