/* SPDX-License-Identifier: MIT */
/* kernel_arch - an architecture without a counter that this program knows how to read: doubles
 * pass through memory, which a compiler accepts everywhere. */
#ifndef NF_MEASURE_KERNEL_ARCH_H
#define NF_MEASURE_KERNEL_ARCH_H

#define KERNEL_FP "m"

#endif
