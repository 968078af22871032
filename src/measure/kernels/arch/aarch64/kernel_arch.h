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

#endif
