/* SPDX-License-Identifier: MIT */
/* fail - fill the caller's error object (noisefloor/err.h). */
#ifndef NF_BASE_FAIL_H
#define NF_BASE_FAIL_H

#include <stddef.h>

#include "noisefloor/err.h"

/* Fills *err (may be NULL) and returns -code, so failures read `return nf_fail(...)`. */
int nf_fail(struct nf_err *err, enum nf_code code, const char *fmt, ...) NF_PRINTF(3, 4);

/* NF_EOS with the errno of a failed call; the message gets ": <strerror>" appended.
 * pthread_* and clock_nanosleep return their error instead of setting errno: pass it. */
int nf_fail_os(struct nf_err *err, int os_errno, const char *fmt, ...) NF_PRINTF(3, 4);

/* NF_ENOMEM for a buffer of `bytes` meant for `what`. Returns -NF_ENOMEM. */
int nf_fail_nomem(struct nf_err *err, const char *what, size_t bytes);

/* The exit code that tables/errors.def gives for a code or its negation; 0 for 0. */
int nf_exit_code(int code);

#endif
