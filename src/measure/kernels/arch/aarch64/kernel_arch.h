/* SPDX-License-Identifier: MIT */
/* kernel_arch - aarch64: the virtual counter between two quanta, and the register class of
 * doubles. Meson puts one folder of arch/ on the include path. */
#ifndef NF_MEASURE_KERNEL_ARCH_H
#define NF_MEASURE_KERNEL_ARCH_H

#include <stdint.h>

#define KERNEL_FP "w" /* asm constraint of a scalar double register */

/* The counter after everything earlier is done and before anything later begins. */
static inline uint64_t kernel_tick(void)
{
	uint64_t t;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(t) : : "memory");
	return t;
}

/* The counter with the one barrier without which a read may be taken before the one that comes earlier in
 * the program. */
static inline uint64_t kernel_gap_tick(void)
{
	uint64_t t;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(t) : : "memory");
	return t;
}

#endif
