/* SPDX-License-Identifier: MIT */
/* The loops on the architecture's counter. */
#include "measure/kernels/fwq_decl.h"

#define KERNEL_TICK() kernel_tick()
#define FWQ_LOOP_NAME(kernel) nf_fwq_counter_##kernel
#include "measure/kernels/fwq_loops.h"
