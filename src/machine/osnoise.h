/* SPDX-License-Identifier: MIT */
/*
 * osnoise - the kernel's osnoise and timerlat tracers in a tracing instance of their own (tracer.h). What is
 * changed (instance, CPUs, periods, threshold, limits) goes through the journal and is put back.
 */
#ifndef NF_MACHINE_OSNOISE_H
#define NF_MACHINE_OSNOISE_H

#include "base/cpuset.h"
#include "base/journal.h"
#include "base/rootfs.h"

struct tep_event;
struct tep_record;

enum nf_osnoise_tracer { NF_TRACER_OSNOISE, NF_TRACER_TIMERLAT };

enum nf_osnoise_source {
	NF_OSNOISE_HARDWARE, /* with interrupts off and nothing of the kernel's: firmware or a hypervisor */
	NF_OSNOISE_NMI,
	NF_OSNOISE_IRQ,
	NF_OSNOISE_SOFTIRQ,
	NF_OSNOISE_THREAD,
	NF_OSNOISE_SOURCES,
};

enum nf_osnoise_what {
	NF_OSNOISE_PERIOD, /* osnoise: what one period of one CPU lost */
	NF_OSNOISE_CAUSE, /* osnoise: one interruption with its source */
	NF_OSNOISE_LATENCY, /* timerlat: one activation as one context saw it */
};

enum nf_timerlat_context { NF_TIMERLAT_IRQ, NF_TIMERLAT_THREAD, NF_TIMERLAT_USER };

enum { NF_OSNOISE_NAME_BYTES = 32 };

/* One record of the kernel's. Times that the kernel keeps in microseconds are whole microseconds here. */
struct nf_osnoise_report {
	enum nf_osnoise_what what;
	int64_t t_ns; /* CLOCK_MONOTONIC: nanoseconds since the tracer was started */
	int cpu;
	union {
		struct {
			int64_t runtime_ns; /* that the thread looked */
			int64_t noise_ns; /* of it lost */
			int64_t longest_ns; /* single noise */
			int64_t count[NF_OSNOISE_SOURCES]; /* interruptions by source */
		} period;
		struct {
			enum nf_osnoise_source source;
			int64_t duration_ns; /* without what interrupted it in turn */
			/* Printable: "local_timer", "TIMER", "kworker/0:1-27"; "" where there is none. */
			char name[NF_OSNOISE_NAME_BYTES];
		} cause;
		struct {
			enum nf_timerlat_context context;
			int64_t activation; /* number of the activation on this CPU */
			int64_t latency_ns; /* from the time the timer was set to */
		} latency;
	};
};

/* Microseconds; 0: as it is, except for the limits. */
struct nf_osnoise_cfg {
	int64_t period_us; /* osnoise: of a sample; timerlat: between activations */
	int64_t runtime_us; /* osnoise: time spent looking per period */
	int64_t threshold_us; /* osnoise: a shorter gap is no noise */
	/* The kernel stops recording where one is exceeded; 0: none. osnoise: a single noise, the noise of a
	 * period; timerlat: latency of the interrupt, of the thread. */
	int64_t stop_us;
	int64_t stop_total_us;
	bool causes; /* osnoise: each interruption too */
	const struct nf_cpuset *cpus; /* NULL: as it is; borrowed */
};

/* In force, read back after setting. */
struct nf_osnoise_settings {
	int64_t period_us;
	int64_t runtime_us; /* 0 for timerlat */
	int64_t threshold_us; /* 0: the kernel's own default */
	int64_t stop_us;
	int64_t stop_total_us;
	bool causes; /* false also where this kernel has no such events */
};

struct nf_osnoise; /* a running tracer */

/* 0 or -NF_EUNSUPPORTED with what would help. Changes nothing. */
NF_NODISCARD int nf_osnoise_check(const struct nf_rootfs *root, enum nf_osnoise_tracer which,
                                  struct nf_err *err);
/* -NF_EARG: negative numbers, no CPU, or a runtime above the period (one of them may be the one in force). */
NF_NODISCARD int nf_osnoise_start(const struct nf_rootfs *root, struct nf_journal *journal,
                                  enum nf_osnoise_tracer which, const struct nf_osnoise_cfg *cfg,
                                  struct nf_osnoise **ret, struct nf_osnoise_settings *ret_got,
                                  struct nf_err *err);
/* The CPUs that it runs on, read back. */
NF_NODISCARD int nf_osnoise_cpus(struct nf_osnoise *o, struct nf_cpuset *ret, struct nf_err *err);
/* Hands out the reports since the last call. *ret_missed is increased by records the ring buffer lost, also on
 * failure. fn's non-zero value stops and is returned. */
typedef int nf_osnoise_fn(void *ctx, const struct nf_osnoise_report *r);
NF_NODISCARD int nf_osnoise_drain(struct nf_osnoise *o, nf_osnoise_fn *fn, void *ctx,
                                  uint64_t *ret_missed, struct nf_err *err);
/* Whether the kernel has stopped recording, as it does at a limit. */
NF_NODISCARD int nf_osnoise_stopped(struct nf_osnoise *o, bool *ret, struct nf_err *err);
/* As nf_tracer_close(). */
NF_NODISCARD int nf_osnoise_stop(struct nf_osnoise *o, bool *ret_left_alone, struct nf_err *err);

/* A record of one of the events ftrace/osnoise, ftrace/timerlat and osnoise/..._noise, whose layout ev
 * describes. Pure. 1: an event that is none of these; -NF_EDATA: not what the layout promises. */
NF_NODISCARD int nf_osnoise_decode(struct tep_event *ev, const struct tep_record *rec, int cpu,
                                   int64_t t0_ns, struct nf_osnoise_report *ret,
                                   struct nf_err *err);

#endif
