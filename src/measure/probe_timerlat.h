/* SPDX-License-Identifier: MIT */
/* probe_timerlat - how late the kernel's own periodic timers are, with its timerlat tracer. Streams per CPU:
 * "timerlat.cpu<N>.irq", "timerlat.cpu<N>.thread" (ns durations), one value per activation: from the time the timer was
 * set to until its interrupt handler ran, and until the thread that it woke ran. Activations are numbered by
 * the kernel: those without a record count as missed. A kernel thread per CPU measures. */
#ifndef NF_MEASURE_PROBE_TIMERLAT_H
#define NF_MEASURE_PROBE_TIMERLAT_H

#include "machine/osnoise.h"
#include "measure/probe.h"

struct nf_timerlat_cfg {
	struct nf_probe_common common;
	/* Whole microseconds, as the kernel takes them. */
	int64_t period_ns; /* 0: the kernel's */
	int64_t stop_irq_ns; /* end at an interrupt later than this; 0: never */
	int64_t stop_thread_ns; /* end at a thread later than this; 0: never */
};

struct nf_timerlat_result {
	struct nf_osnoise_settings settings; /* in force */
	bool at_limit; /* the kernel stopped recording: a limit was exceeded */
	uint64_t n_lost; /* records that the trace buffer lost */
	int *cpu; /* owned; CPU i has the streams 2i (irq) and 2i + 1 (thread) */
	size_t n_cpus;
};

extern const struct nf_probe nf_probe_timerlat;
#endif
