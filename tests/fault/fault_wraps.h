/* SPDX-License-Identifier: MIT */
/* fault_wraps - what the wrapped calls (fault_wraps.c) ask of the driver (fault.c). */
#ifndef NF_FAULT_WRAPS_H
#define NF_FAULT_WRAPS_H

#include <stdbool.h>
#include <stddef.h>

enum fault_kind {
	FAULT_ALLOC, /* memory: always ENOMEM */
	FAULT_CALL,
	FAULT_SLOW, /* may be interrupted: also EINTR */
	FAULT_TRANSFER, /* may be interrupted, and may be cut short */
};

/* Counts a call. True: fail it now, with *ret_errno (os_errno unless the test chose another). */
bool fault_fires(const char *name, enum fault_kind kind, int os_errno, int *ret_errno);
/* How many of n bytes a transfer may carry: n, or 1 when it is to be cut short. */
size_t fault_cut(const char *name, size_t n);

void *fault_made(void *p); /* p is live now; NULL is fine. Returns p */
void fault_gone(const void *p); /* p is released; unknown ones are fine */

#endif
