/* SPDX-License-Identifier: MIT */
/* lane_trip - the job that takes a machine to its realtime kernel and back (lane/trip.h decides), and writes a
 * KernelValidationRun of what it found there. */
#ifndef NF_JOB_LANE_TRIP_H
#define NF_JOB_LANE_TRIP_H

#include "job/lane.h"
#include "lane/trip.h"

struct nf_lane_trip_hooks {
	void *ctx;
	/* Measures a window in this lane and names its run folder below runs_dir. The machine is verified to be in that
	 * lane. -NF_ESUBJECT, -NF_ETIMEOUT: the machine was lost. */
	int (*measure)(void *ctx, enum nf_lane lane, char *ret_name, size_t cap,
	               struct nf_err *err);
	/* Appends the comparison of two run folders, by name below runs_dir, for people. */
	int (*compare)(void *ctx, const char *generic, const char *rt, struct nf_buf *out,
	               struct nf_err *err);
	/* What is done next; may be NULL. */
	void (*tell)(void *ctx, const char *text);
};

struct nf_lane_trip_job {
	struct nf_lane_opts lane; /* where.target is not NULL */
	struct nf_trip_opts trip;
	const char *base; /* profile that both kernels are held to; NULL: none */
	const char *overlay; /* and what the realtime one has to have besides; NULL: none */
	const char *resume; /* run folder of a trip that did not end well; NULL: a new one */
	const char *owner_issue; /* for the record; may be NULL */
	const char *intent;
	struct nf_lane_trip_hooks hooks; /* measure and compare where trip.measures */
};

/* A run folder with derived/trip, which --resume takes, and once the realtime kernel was verified a KernelValidationRun.
 * -NF_EUNSUPPORTED: refused before anything was changed. -NF_ESUBJECT: the machine did otherwise, and no realtime kernel
 * was verified. A stop request is no failure: exit code 130 or 143, after what was changed was put back. */
NF_NODISCARD int nf_job_lane_trip(const struct nf_job_opts *o, const struct nf_lane_trip_job *j,
                                  struct nf_job_outcome *ret, struct nf_err *err);

struct nf_lane_verify_opts {
	struct nf_lane_opts lane;
	const char *base, *overlay; /* profiles; NULL: none */
	enum nf_expect_lane expect; /* overlay counts where it is not NF_EXPECT_GENERIC */
	const char *owner_issue, *intent;
};
/* The kernel that runs, as a KernelValidationRun without a reboot. No run folder. */
NF_NODISCARD int nf_job_lane_verify(const struct nf_job_opts *o,
                                    const struct nf_lane_verify_opts *v, struct nf_job_outcome *ret,
                                    struct nf_err *err);

#endif
