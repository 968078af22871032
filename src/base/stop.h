/* SPDX-License-Identifier: MIT */
/* stop - a request to end early, set by a signal handler and polled by everything that takes long.
 * The library installs no handlers: a program owns one nf_stop and passes it down. */
#ifndef NF_BASE_STOP_H
#define NF_BASE_STOP_H

#include <signal.h>

struct nf_stop {
	volatile sig_atomic_t signo; /* 0, or what was asked: SIGINT, or SIGTERM for all others */
	volatile sig_atomic_t received; /* the signal itself; written before signo */
};

static inline int nf_stop_signo(const struct nf_stop *s) /* NULL: never stops */
{
	/* Relaxed: threads that measure poll what a handler in another one writes. */
	return s ? (int)__atomic_load_n(&s->signo, __ATOMIC_RELAXED) : 0;
}

/* The first request counts. For a handler. */
static inline void nf_stop_ask(struct nf_stop *s, int signo)
{
	if (s->signo != 0)
		return;
	__atomic_store_n(&s->received, signo, __ATOMIC_RELAXED);
	__atomic_store_n(&s->signo, signo == SIGINT ? SIGINT : SIGTERM, __ATOMIC_RELEASE);
}

/* The name of the signal that came; static. stopped_by: what a probe made of it, 0: none (NULL). */
static inline const char *nf_stop_name(const struct nf_stop *s, int stopped_by)
{
	int received = s ? (int)__atomic_load_n(&s->received, __ATOMIC_RELAXED) : 0;

	switch (received && nf_stop_signo(s) == stopped_by ? received : stopped_by) {
	case 0:
		return NULL;
	case SIGINT:
		return "SIGINT";
	case SIGTERM:
		return "SIGTERM";
	case SIGHUP:
		return "SIGHUP";
	case SIGXCPU:
		return "SIGXCPU";
	default:
		return "signal";
	}
}

#endif
