/* SPDX-License-Identifier: MIT */
/* The loops on CLOCK_MONOTONIC_RAW: this object holds no instruction that reads the counter. */
#include "measure/kernels/fwq_decl.h"
#include "measure/kernels/monotonic_tick.h"

#define KERNEL_TICK() monotonic_raw_ns()
#define FWQ_LOOP_NAME(kernel) nf_fwq_monotonic_##kernel
#include "measure/kernels/fwq_loops.h"
