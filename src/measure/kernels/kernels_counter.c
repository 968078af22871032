/* SPDX-License-Identifier: MIT */
#define COUNTER_LOOP(kernel) nf_fwq_counter_##kernel
#include "measure/kernels/kernels_table.h"
