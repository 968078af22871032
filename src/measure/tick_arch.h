/* SPDX-License-Identifier: MIT */
/*
 * tick_arch - the counter of this architecture: tick_x86.c, tick_aarch64.c or tick_none.c, chosen by
 * Meson. The reads may be called only after nf_tick_decide() chose the counter.
 */
#ifndef NF_MEASURE_TICK_ARCH_H
#define NF_MEASURE_TICK_ARCH_H

#include "measure/tick_calibrate.h"
#include "measure/tick_decide.h"

/* What this CPU and this process say about the counter, the clocksource included. Unreadable facts
 * stay unknown. Only lack of memory fails. Reads no counter. */
NF_NODISCARD int nf_tick_arch_facts(const struct nf_rootfs *root, struct nf_tick_facts *ret,
                                    struct nf_err *err);
/* Rate that the machine states, in Hz (not measured); 0: none stated. */
double nf_tick_arch_nominal_hz(void);

uint64_t nf_tick_arch_start(void);
uint64_t nf_tick_arch_end(void);

/* The counter around a read of CLOCK_MONOTONIC_RAW, the tightest of a few (tick.c). */
struct nf_tick_window nf_tick_read_window(void);

/* One way to read the counter: n back-to-back reads into t, at least 2. */
struct nf_tick_read {
	const char *name; /* "rdtscp+lfence" */
	void (*series)(uint64_t *t, size_t n);
};
/* Ends with a NULL name. The first row is the read that separates two quanta. */
extern const struct nf_tick_read nf_tick_arch_reads[];

#endif
