/* SPDX-License-Identifier: MIT */
/* probe_osnoise - what the kernel's osnoise tracer counts on each CPU. Streams, equally long, row i of each is
 * one period of one CPU: "osnoise.noise", "osnoise.runtime", "osnoise.longest" (ns durations), "osnoise.hw",
 * "osnoise.nmi", "osnoise.irq", "osnoise.softirq", "osnoise.thread", "osnoise.cpu" (counts),
 * "osnoise.time" (ns instants since the tracer's start). Records that the trace buffer lost count as
 * missed on every stream. A kernel thread per CPU measures. */
#ifndef NF_MEASURE_PROBE_OSNOISE_H
#define NF_MEASURE_PROBE_OSNOISE_H

#include "machine/osnoise.h"
#include "measure/probe.h"

enum { NF_OSNOISE_CAUSES = 256 };

struct nf_osnoise_probe_cfg {
	struct nf_probe_common common;
	/* Whole microseconds, as the kernel takes them; 0: the kernel's, for the limits none. */
	int64_t period_ns;
	int64_t runtime_ns;
	int64_t threshold_ns;
	int64_t stop_ns; /* end at a single noise over this */
	int64_t stop_total_ns; /* end at a period with more noise than this */
	bool causes; /* also what each interruption was */
};

/* All interruptions of one name, over all CPUs. */
struct nf_osnoise_cause {
	enum nf_osnoise_source source;
	char name[NF_OSNOISE_NAME_BYTES];
	uint64_t n;
	int64_t total_ns;
	int64_t longest_ns;
};

struct nf_osnoise_result {
	struct nf_osnoise_settings settings; /* in force */
	bool at_limit; /* the kernel stopped recording: a limit was exceeded */
	uint64_t n_periods;
	struct nf_osnoise_cause cause[NF_OSNOISE_CAUSES]; /* by source, then by total, falling */
	size_t n_causes;
	uint64_t n_unnamed; /* interruptions for whose name there was no row */
};

extern const struct nf_probe nf_probe_osnoise;
#endif
