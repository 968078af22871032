/* SPDX-License-Identifier: MIT */
/* lane - jobs on the kernels that a machine can boot. None but nf_job_lane_reboot() and the campaign restarts it. */
#ifndef NF_JOB_LANE_H
#define NF_JOB_LANE_H

#include "job/job.h"

/* Which machine. At most one of root and target. */
struct nf_lane_where {
	const char *root; /* a captured tree; NULL: live */
	const char *target; /* USER@HOST; NULL: this machine */
	const char *ssh_config; /* for ssh's -F; NULL: the user's */
};

struct nf_lane_opts {
	struct nf_lane_where where;
	const char *loader; /* NULL: the one that is found */
	const char *entry; /* id, release or title; NULL: the only one there is */
	bool dry_run; /* of arming: everything is checked, nothing set */
};

/* Each hands out a LaneStatus of what was found at its end. */
NF_NODISCARD int nf_job_lane_status(const struct nf_job_opts *o, const struct nf_lane_opts *l,
                                    struct nf_job_outcome *ret, struct nf_err *err);
/* -NF_EUNSUPPORTED, before anything is changed, where a one-shot boot cannot be trusted (lane/survey.h); and where what
 * was set is not there when it is read back. */
NF_NODISCARD int nf_job_lane_arm(const struct nf_job_opts *o, const struct nf_lane_opts *l,
                                 struct nf_job_outcome *ret, struct nf_err *err);
NF_NODISCARD int nf_job_lane_clear(const struct nf_job_opts *o, const struct nf_lane_opts *l,
                                   struct nf_job_outcome *ret, struct nf_err *err);

#endif
