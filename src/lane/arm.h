/* SPDX-License-Identifier: MIT */
/* arm - the one-shot entry is set or taken back, and what the machine says afterwards is believed, not the tool. */
#ifndef NF_LANE_ARM_H
#define NF_LANE_ARM_H

#include "lane/survey.h"

/* before: a survey of now, entry: what nf_lane_choose() chose. The machine is surveyed again: -NF_EUNSUPPORTED unless
 * that entry is set and the persistent default is what it was; then the entry is taken back first, as far as it can
 * be. *ret (may be NULL): that survey. */
NF_NODISCARD int nf_lane_arm(const struct nf_lane_host *h, const struct nf_lane_survey *before,
                             int entry, struct nf_arena *a, struct nf_lane_survey *ret,
                             struct nf_err *err);
/* Takes the entry for the next boot back; none set: nothing is done. The same care. */
NF_NODISCARD int nf_lane_clear(const struct nf_lane_host *h, const struct nf_lane_survey *before,
                               struct nf_arena *a, struct nf_lane_survey *ret, struct nf_err *err);
/* Whether the persistent default of both is the same: 1, 0, or -1 where one is not known. */
int nf_lane_same_default(const struct nf_lane_survey *x, const struct nf_lane_survey *y);

#endif
