/* SPDX-License-Identifier: MIT */
/*
 * probe_tracer - what probes share that let one of the kernel's tracers measure: check, window, putting back. No
 * thread of this program measures: scheduling policies and priorities do not apply. Where putting the
 * tracer's settings back fails, what was seen is kept, with a note, and the journal tries again when it is
 * closed.
 */
#ifndef NF_MEASURE_PROBE_TRACER_H
#define NF_MEASURE_PROBE_TRACER_H

#include "measure/probe.h"

enum { NF_TRACER_US_NS = 1000 };
#define NF_TRACER_DURATION_NS INT64_C(10000000000) /* where none is given */

struct nf_tracer_ops {
	int (*start)(void *ctx, const struct nf_cpuset *cpus, struct nf_err *err);
	int (*cpus)(void *ctx, struct nf_cpuset *ret, struct nf_err *err); /* read back */
	/* Takes the reports there are, now and then. Above 0: the tracer has ended by itself. */
	int (*drain)(void *ctx, struct nf_err *err);
	int (*stop)(void *ctx, bool *ret_left_alone, struct nf_err *err);
};

/* The duration, a policy that was asked for, the selection of CPUs. */
NF_NODISCARD int nf_tracer_check_common(const struct nf_probe_env *env,
                                        const struct nf_probe_common *c, struct nf_err *err);
/* -NF_EUNSUPPORTED: nothing may be changed here. */
NF_NODISCARD int nf_tracer_check_journal(const struct nf_probe_env *env, const char *tracer,
                                         struct nf_err *err);
/* -NF_EARG unless it is a number of whole microseconds, not negative. */
NF_NODISCARD int nf_tracer_check_us(const char *tracer, const char *name, int64_t ns,
                                    struct nf_err *err);

/* Starts, drains until the duration is over, the tracer ended or a stop was asked for, stops. Fills in run: cpus_asked,
 * cpus_got, wall_ns, stopped_by, bracket, notes. On failure run may hold some of it. */
NF_NODISCARD int nf_tracer_window(const struct nf_probe_env *env, const struct nf_probe_common *c,
                                  const struct nf_tracer_ops *ops, void *ctx,
                                  struct nf_probe_run *run, struct nf_err *err);

#endif
