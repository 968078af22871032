/* SPDX-License-Identifier: MIT */
/* monotonic_tick - CLOCK_MONOTONIC_RAW in ns, for loops on machines whose counter is absent or cannot be
 * trusted. No instruction here reads the counter; the kernel's own function decides how the clock is
 * read. */
#ifndef NF_MEASURE_MONOTONIC_TICK_H
#define NF_MEASURE_MONOTONIC_TICK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t monotonic_raw_ns(void)
{
	struct timespec ts = { 0 };

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return (uint64_t)ts.tv_sec * UINT64_C(1000000000) + (uint64_t)ts.tv_nsec;
}

#endif
