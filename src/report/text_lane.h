/* SPDX-License-Identifier: MIT */
/* text_lane - the lanes of a machine for people. */
#ifndef NF_REPORT_TEXT_LANE_H
#define NF_REPORT_TEXT_LANE_H

#include "base/buf.h"
#include "record/rec_lane.h"

/* The kernels as a table, what boots by default and next, and whether a realtime one can be booted once. 0 or the
 * buffer's failure. */
int nf_text_lane_status(const struct nf_rec_lane_status *s, struct nf_buf *out);

#endif
