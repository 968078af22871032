/* SPDX-License-Identifier: MIT */
/* rec_budget - limits that a machine is judged against. An absent limit is not judged. */
#ifndef NF_RECORD_REC_BUDGET_H
#define NF_RECORD_REC_BUDGET_H

#include "record/type.h"

/* clang-format off */
#define NF_ROWS_TIMING_BUDGET(X, S) \
	X(S, NAT,   period_ns,       DECLARED, "period of the activity") \
	X(S, NAT,   max_jitter_ns,   DECLARED, "largest distance of an interval from the period") \
	X(S, NAT,   max_latency_ns,  DECLARED, "longest interval") \
	X(S, ONAT,  max_smi,         DECLARED, "most system management interrupts in a window") \
	X(S, ONAT,  max_hwlat_ns,    DECLARED, "longest hardware latency gap") \
	X(S, OREAL, max_noise_ratio, DECLARED, "largest share of time lost to noise, 0 to 1") \
	X(S, ONAT,  max_detour_ns,   DECLARED, "longest single interruption of fixed work")
NF_RECORD(timing_budget, NF_ROWS_TIMING_BUDGET)
/* clang-format on */

#endif
