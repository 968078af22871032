/* SPDX-License-Identifier: MIT */
/* tick_decide - which clock to measure with: a pure function of what is known. */
#ifndef NF_MEASURE_TICK_DECIDE_H
#define NF_MEASURE_TICK_DECIDE_H

#include "measure/tick.h"

struct nf_tick_facts {
	enum nf_tick_source counter; /* which one this architecture has */
	/* "" where the counter can be read; else why it cannot ("no RDTSCP", "not on this
	 * architecture"). */
	char unreadable[80];
	/* x86: constant_tsc and nonstop_tsc on every CPU. aarch64: by architecture. */
	bool invariant_known;
	bool invariant;
	char clocksource[32]; /* the kernel's current one; "": unknown */
	const char *clocksource_wanted; /* the one that stands on this counter; static text */
};

struct nf_tick_choice {
	enum nf_tick_source source;
	char reason[160]; /* why not the counter; "" when it is chosen or was not asked for */
};

/* 0, or -NF_EUNSUPPORTED when WANT_COUNTER cannot be had. A clocksource that stands on the counter
 * means that the kernel's own checks (agreement between CPUs, watchdog) have passed. */
NF_NODISCARD int nf_tick_decide(const struct nf_tick_facts *f, enum nf_tick_want want,
                                struct nf_tick_choice *ret, struct nf_err *err);

#endif
