/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#define COUNTER_LOOP(kernel) NULL
#include "measure/kernels/kernels_table.h"
