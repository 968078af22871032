/* SPDX-License-Identifier: MIT */
/* lane_trip_impl - what the parts of lane_trip share. */
#ifndef NF_JOB_LANE_TRIP_IMPL_H
#define NF_JOB_LANE_TRIP_IMPL_H

#include <stdio.h>
#include <stdlib.h>

#include "job/lane_reach.h"
#include "job/lane_trip.h"
#include "job/lane_validation.h"
#include "lane/arm.h"
#include "record/runfolder.h"

enum { GOING_ARENA_BYTES = 256 << 20, GOING_TEXT_BYTES = 1 << 20, GOING_RESERVE_BYTES = 1 << 20 };
#define CONNECT_NS (INT64_C(30) * 1000000000)
#define PROBE_NS (INT64_C(10) * 1000000000)

struct nf_lane_going {
	const struct nf_job_opts *o;
	const struct nf_lane_trip_job *j;
	struct nf_arena arena;
	struct nf_lane_reach reach;
	struct nf_profile base, overlay;
	struct nf_trip t;
	struct nf_trip_notes n;
	struct nf_lane_survey running; /* of the last probe */
	struct nf_runfolder *folder; /* NULL: not made yet */
	struct nf_buf comparison;
	bool stop_told;
	bool state_is_there; /* derived/trip */
	int broken; /* what failed here, not there: everything is put back, then this is returned */
	struct nf_err broken_err;
	bool drop_connection; /* before it is used again */
	bool was_there; /* in this process */
	/* Of the way back; unknown until it was verified. */
	const char *default_kernel; /* of the survey before, or of the one after */
	enum nf_maybe default_preserved, next_consumed, return_pass;
	const char *return_release;
	const char *why_rt; /* what of the realtime kernel is not as it should be; NULL */
	const char *why_back;
};

/* Steps: 0, or a negated error that says how it failed. */
int nf_lane_going_survey(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err);
int nf_lane_going_arm(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err);
int nf_lane_going_reboot(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err);
int nf_lane_going_verify_rt(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err);
int nf_lane_going_verify_back(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err);
int nf_lane_going_clear(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err);

/* The state, where another process can go on with it. Nothing before there is a run folder. */
NF_NODISCARD int nf_lane_going_save(struct nf_lane_going *g, struct nf_err *err);
NF_NODISCARD int nf_lane_going_load(struct nf_lane_going *g, struct nf_err *err);
NF_NODISCARD int nf_lane_going_conclude(struct nf_lane_going *g, struct nf_job_outcome *ret,
                                        struct nf_err *err);

#endif
