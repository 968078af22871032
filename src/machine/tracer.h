/* SPDX-License-Identifier: MIT */
/*
 * tracer - one of the kernel's tracers that measure (hwlat, osnoise, timerlat) in a tracing instance of its
 * own, through libtracefs. The instance and the settings changed for it go through the journal, and are
 * put back in the reverse of the order in which they were made. One tracer at a time per machine.
 */
#ifndef NF_MACHINE_TRACER_H
#define NF_MACHINE_TRACER_H

#include <event-parse.h>

#include "base/journal.h"
#include "base/rootfs.h"

enum { NF_TRACER_SETTINGS = 8 }; /* changed at most */

struct nf_tracer_kind {
	const char *name; /* as in available_tracers */
	const char *option; /* of the kernel's configuration, for who lacks it */
	const char *const *systems; /* whose events the buffer may hold; ends with NULL */
};

struct nf_tracer;

/* 0 or -NF_EUNSUPPORTED: tracefs not mounted (never mounts it), tracer not in available_tracers, no
 * permission; the message says what would help. Changes nothing. */
NF_NODISCARD int nf_tracer_check(const struct nf_rootfs *root, const struct nf_tracer_kind *kind,
                                 struct nf_err *err);

/* Makes the instance, off, with CLOCK_MONOTONIC as its clock. A captured host: -NF_EUNSUPPORTED. */
NF_NODISCARD int nf_tracer_open(const struct nf_rootfs *root, struct nf_journal *journal,
                                const struct nf_tracer_kind *kind, struct nf_tracer **ret,
                                struct nf_err *err);
/* Changes a setting of the machine, a file below the mount point of tracefs ("osnoise/period_us"). Those
 * changed before nf_tracer_choose() are put back after the tracer is dropped, those changed after it
 * before. */
NF_NODISCARD int nf_tracer_set(struct nf_tracer *t, const char *name, const char *value,
                               struct nf_err *err);
NF_NODISCARD int nf_tracer_set_number(struct nf_tracer *t, const char *name, int64_t value,
                                      struct nf_err *err);
NF_NODISCARD int nf_tracer_get(const struct nf_tracer *t, const char *name, struct nf_buf *ret,
                               struct nf_err *err);
NF_NODISCARD int nf_tracer_get_number(const struct nf_tracer *t, const char *name, int64_t *ret,
                                      struct nf_err *err);
/* Two settings of which the first may not be below the second, in the order that the kernel takes. 0:
 * left as it is. */
NF_NODISCARD int nf_tracer_set_pair(struct nf_tracer *t, const char *const name[2],
                                    const int64_t value[2], struct nf_err *err);
/* Files of the instance: they go with it. */
NF_NODISCARD int nf_tracer_write(struct nf_tracer *t, const char *file, const char *value,
                                 struct nf_err *err);
/* free() *ret. */
NF_NODISCARD int nf_tracer_read(struct nf_tracer *t, const char *file, char **ret,
                                struct nf_err *err);

/* Makes it the instance's tracer; then, when all is set, begins to record. */
NF_NODISCARD int nf_tracer_choose(struct nf_tracer *t, struct nf_err *err);
NF_NODISCARD int nf_tracer_begin(struct nf_tracer *t, struct nf_err *err);
/* CLOCK_MONOTONIC right before it began. */
int64_t nf_tracer_t0_ns(const struct nf_tracer *t);
/* Whether it still records: tracers stop by themselves at a limit that was set. */
NF_NODISCARD int nf_tracer_records(struct nf_tracer *t, bool *ret, struct nf_err *err);

/* The layout of an event; NULL: this kernel has none of that name. Borrowed until close. */
struct tep_event *nf_tracer_event(const struct nf_tracer *t, const char *system, const char *name);
/* Hands out the records that came since the last call; may be called while it runs. *ret_missed is
 * increased by those the ring buffer lost, also on failure. fn's non-zero value stops and is returned. Where records
 * come faster than they are taken it comes back after half a second, and what is lost then counts as one. */
typedef int nf_tracer_fn(void *ctx, struct tep_event *ev, const struct tep_record *rec, int cpu,
                         struct nf_err *err);
NF_NODISCARD int nf_tracer_drain(struct nf_tracer *t, nf_tracer_fn *fn, void *ctx,
                                 uint64_t *ret_missed, struct nf_err *err);

/* Stops, puts everything back, frees, also on failure: what could not be put back stays in the journal,
 * which tries again when it is closed. *ret_left_alone (may be NULL): a value that someone else has
 * changed meanwhile was left as it is. */
NF_NODISCARD int nf_tracer_close(struct nf_tracer *t, bool *ret_left_alone, struct nf_err *err);

#endif
