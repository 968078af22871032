/* SPDX-License-Identifier: MIT */
/* stop - a request to end early, set by a signal handler and polled by everything that takes long.
 * The library installs no handlers: a program owns one nf_stop and passes it down. */
#ifndef NF_BASE_STOP_H
#define NF_BASE_STOP_H

#include <signal.h>

struct nf_stop {
	volatile sig_atomic_t signo; /* 0, or the signal that asked (SIGINT, SIGTERM) */
};

static inline int nf_stop_signo(const struct nf_stop *s) /* NULL: never stops */
{
	/* Relaxed: threads that measure poll what a handler in another one writes. */
	return s ? (int)__atomic_load_n(&s->signo, __ATOMIC_RELAXED) : 0;
}

#endif
