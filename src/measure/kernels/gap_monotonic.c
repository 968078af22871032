/* SPDX-License-Identifier: MIT */
#include "measure/kernels/monotonic_tick.h"

#define GAP_TICK() monotonic_raw_ns()
#define GAP_LOOP_NAME nf_gap_monotonic
#include "measure/kernels/gap_loop.h"
