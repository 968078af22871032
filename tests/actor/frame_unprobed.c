/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "traps.h"

/* Writes at the far end of its frame alone. */
__attribute__((noinline)) void frame_unprobed(void)
{
	volatile char frame[256 * 1024];

	frame[0] = 1;
	__asm__ volatile("" : : "r"(frame) : "memory");
}
