/* SPDX-License-Identifier: MIT */
#include "measure/kernels/gap.h"

#define GAP_TICK() kernel_gap_tick()
#define GAP_LOOP_NAME nf_gap_counter
#include "measure/kernels/gap_loop.h"

nf_gap_loop_fn *const nf_gap_on_counter = nf_gap_counter;
