/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#define COUNTER_LOOP(kernel) NULL
#include "measure/kernels/kernels_table.h"

#include "measure/kernels/gap.h"
nf_gap_loop_fn *const nf_gap_on_counter = NULL;

#include "measure/kernels/ftq.h"
nf_ftq_loop_fn *const nf_ftq_on_counter[NF_N_KERNELS] = { NULL };
