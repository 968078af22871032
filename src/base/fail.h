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

/* The analyser sees one source at a time; this tells it what the functions above promise. */
#ifdef __clang_analyzer__
#define NF_FAIL_NEGATIVE(call) \
	__extension__({ \
		int nf_failed_ = (call); \
		if (nf_failed_ >= 0) \
			__builtin_unreachable(); \
		nf_failed_; \
	})
#define nf_fail(...) NF_FAIL_NEGATIVE((nf_fail)(__VA_ARGS__))
#define nf_fail_os(...) NF_FAIL_NEGATIVE((nf_fail_os)(__VA_ARGS__))
#define nf_fail_nomem(...) NF_FAIL_NEGATIVE((nf_fail_nomem)(__VA_ARGS__))
#endif

#endif
