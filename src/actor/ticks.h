/* SPDX-License-Identifier: MIT */
/* ticks - the counter that time slices are measured in: unordered and as cheap as it gets. */
#ifndef NF_ACTOR_TICKS_H
#define NF_ACTOR_TICKS_H

#include <stdint.h>

static inline uint64_t nf_actor_ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t t;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return t;
#else
#error "no tick counter for this processor"
#endif
}

#endif
