/* SPDX-License-Identifier: MIT */
/* verify - what a machine says to the lines of a profile (machine/profile.h), wherever it stands. */
#ifndef NF_LANE_VERIFY_H
#define NF_LANE_VERIFY_H

#include "lane/host.h"
#include "machine/profile.h"

struct nf_lane_counts {
	uint64_t matched;
	uint64_t mismatched; /* another value, none, or one that cannot be read */
};
struct nf_lane_verdict {
	struct nf_lane_counts config; /* kernel configuration and sysctls */
	struct nf_lane_counts cmdline; /* command-line parameters */
	uint64_t unread; /* of the mismatched ones */
};

/* Checks profile, which is filled with the answers, against the machine. release: of the kernel that runs, for its
 * configuration; may be NULL. The files that the lines ask for are copied into a private folder here meanwhile, as a
 * captured tree. Fails as the way to the machine does, for lack of memory, or where that folder cannot be made. */
NF_NODISCARD int nf_lane_verify(const struct nf_lane_host *h, struct nf_profile *profile,
                                const char *release, struct nf_arena *a,
                                struct nf_lane_verdict *ret, struct nf_err *err);

#endif
