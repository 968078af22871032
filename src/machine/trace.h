/* SPDX-License-Identifier: MIT */
/*
 * trace - interrupts, softirqs, NMIs and context switches of some CPUs as the kernel's trace events tell
 * them, stamped with the clock that samples are stamped with. Through libtracefs, in a tracing instance
 * of its own ("nf-<pid>"), which goes through the journal: nothing outside it is changed.
 *
 * Threads: nf_trace_drain() may be called from another thread than start and stop, one at a time.
 */
#ifndef NF_MACHINE_TRACE_H
#define NF_MACHINE_TRACE_H

#include "base/event_log.h"
#include "base/journal.h"
#include "base/rootfs.h"

struct nf_trace_cfg {
	const char *clock; /* the kernel's name: "x86-tsc", "mono_raw" */
	const struct nf_cpuset *cpus; /* not empty; borrowed */
	uint64_t buffer_kb; /* per CPU */
	size_t max_events; /* over all CPUs: 16 bytes each */
};

struct nf_trace; /* a running trace */

/* 0 or -NF_EUNSUPPORTED: tracefs not mounted (never mounts it), no permission, no such clock, no such
 * events; the message says what would help. Changes nothing. */
NF_NODISCARD int nf_trace_check(const struct nf_rootfs *root, const char *clock,
                                struct nf_err *err);
/* log: initialised with cfg's CPUs; borrowed until stop. */
NF_NODISCARD int nf_trace_start(const struct nf_rootfs *root, struct nf_journal *journal,
                                const struct nf_trace_cfg *cfg, struct nf_event_log *log,
                                struct nf_trace **ret, struct nf_err *err);
/* Moves what has happened so far into the log. Costs time where it runs, not on the traced CPUs. */
NF_NODISCARD int nf_trace_drain(struct nf_trace *t, struct nf_err *err);
/* Ends tracing, drains, removes the instance and frees, going on after a failure: the first is
 * returned. What could not be put back stays in the journal. */
NF_NODISCARD int nf_trace_stop(struct nf_trace *t, struct nf_err *err);

#endif
