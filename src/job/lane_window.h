/* SPDX-License-Identifier: MIT */
/* lane_window - what a window saw of its machine's firmware, as a KernelValidationRun counts it. */
#ifndef NF_JOB_LANE_WINDOW_H
#define NF_JOB_LANE_WINDOW_H

#include <jansson.h>

#include "base/arena.h"
#include "record/type.h"

struct nf_lane_window {
	struct nf_some_nat
	        smi_per_10s; /* all SMIs over all time, rounded; None: not measured, or not to be trusted */
	struct nf_some_nat
	        hwlat_max_us; /* rounded up; None: not measured, or no gap over the threshold */
	const char *
	        smi_note; /* why it is None, or what is left out of it; NULL: nothing; in the arena */
	const char *hwlat_note;
};

/* record: a WindowRun/1 as JSON; of another, or NULL, everything is None, and the notes say so. Fails for memory. */
NF_NODISCARD int nf_lane_window_read(const json_t *record, struct nf_arena *a,
                                     struct nf_lane_window *ret, struct nf_err *err);
/* The same of a run folder. That it cannot be read is a note: it was measured all the same. */
NF_NODISCARD int nf_lane_window_open(const char *run, struct nf_arena *a,
                                     struct nf_lane_window *ret, struct nf_err *err);

#endif
