/* SPDX-License-Identifier: MIT */
/*
 * lab_doctor - what is known of a board's port, and what would make it better. Nothing is written to it, nothing is
 * switched, and the port is as it was afterwards. At the rate that was given it is listened to; when what comes does not read as
 * text, at others in turn.
 */
#ifndef NF_JOB_LAB_DOCTOR_H
#define NF_JOB_LAB_DOCTOR_H

#include "board/campaign.h"
#include "job/job.h"

struct nf_doctor_opts {
	struct nf_port_spec port;
	const struct nf_campaign *campaign; /* NULL: the port alone */
	int64_t duration_ns; /* at the rate that was given; at each other one at most */
	const struct nf_port_os *os; /* NULL: the live system */
	const struct nf_rootfs *root; /* NULL: the live one */
};

/* PortCheck/1, without a run folder. Exit code 1: a finding; 5: the port is held, nobody listens, or the switch does
 * not answer; 0 also where nothing came, with strict 3. A signal: no record, *ret says which (exit code).
 * -NF_EARG, -NF_EDATA: no such port. */
NF_NODISCARD int nf_job_doctor(const struct nf_job_opts *o, const struct nf_doctor_opts *d,
                               struct nf_job_outcome *ret, struct nf_err *err);

#endif
