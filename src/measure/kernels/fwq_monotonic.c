/* SPDX-License-Identifier: MIT */
/* The loops on CLOCK_MONOTONIC_RAW, in ns: for machines whose counter is absent or cannot be
 * trusted. This object holds no instruction that reads the counter; the kernel's own function
 * decides how the clock is read. */
#include <time.h>

#include "measure/kernels/fwq_decl.h"

static inline uint64_t monotonic_raw_ns(void)
{
	struct timespec ts = { 0 };

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return (uint64_t)ts.tv_sec * UINT64_C(1000000000) + (uint64_t)ts.tv_nsec;
}

#define KERNEL_TICK() monotonic_raw_ns()
#define FWQ_LOOP_NAME(kernel) nf_fwq_monotonic_##kernel
#include "measure/kernels/fwq_loops.h"
