/* SPDX-License-Identifier: MIT */
/* lane_reach - the way to the machine whose lanes are looked at. */
#ifndef NF_JOB_LANE_REACH_H
#define NF_JOB_LANE_REACH_H

#include "job/lane.h"
#include "lane/host.h"

struct nf_lane_reach {
	struct nf_lane_host host; /* what to use; the rest is what it stands on */
	struct nf_rootfs fs;
	struct nf_lane_local local;
	struct nf_target target;
	struct nf_lane_remote remote;
	struct nf_ssh_cfg ssh_cfg;
	bool is_local;
};

/* Nothing is connected yet. -NF_EARG: no such target or folder, or both. */
NF_NODISCARD int nf_lane_reach_init(struct nf_lane_reach *r, const struct nf_lane_where *w,
                                    const struct nf_stop *stop, struct nf_err *err);
/* A new connection in the place of the old one; nothing to do for this machine. As nf_ssh_open(). limit_ns 0: its own. */
NF_NODISCARD int nf_lane_reach_connect(struct nf_lane_reach *r, int64_t limit_ns,
                                       struct nf_err *err);
void nf_lane_reach_fini(struct nf_lane_reach *r);

#endif
