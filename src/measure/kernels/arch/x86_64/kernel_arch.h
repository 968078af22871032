/* SPDX-License-Identifier: MIT */
/* kernel_arch - x86-64: the counter between two quanta, and the register class of doubles. Meson
 * puts one folder of arch/ on the include path. */
#ifndef NF_MEASURE_KERNEL_ARCH_H
#define NF_MEASURE_KERNEL_ARCH_H

#include <stdint.h>

#define KERNEL_FP "x" /* asm constraint of a scalar double register */

/* The counter after everything earlier is done and before anything later begins. */
static inline uint64_t kernel_tick(void)
{
	uint32_t lo;
	uint32_t hi;
	uint32_t aux;

	__asm__ volatile("rdtscp\n\tlfence" : "=a"(lo), "=d"(hi), "=c"(aux) : : "memory");
	return (uint64_t)hi << 32 | lo;
}

/* The counter as cheaply as it can be read. Unfenced: it may be read some ns early or late, never before
 * the read that comes earlier in the program; an interrupt waits for what was begun. */
static inline uint64_t kernel_gap_tick(void)
{
	uint32_t lo;
	uint32_t hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	return (uint64_t)hi << 32 | lo;
}

#endif
