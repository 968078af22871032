/* SPDX-License-Identifier: MIT */
/* wake_plan - what a wake run will do on this host: options checked, CPUs and policy settled. */
#ifndef NF_MEASURE_WAKE_PLAN_H
#define NF_MEASURE_WAKE_PLAN_H

#include "measure/probe_threads.h"
#include "measure/probe_wake.h"

enum { NF_WAKE_PRIORITY = 80 }; /* FIFO, unless given */

struct nf_wake_plan {
	struct nf_cpuset cpus; /* owned */
	int left_out; /* allowed CPU left to the system by the default selection; -1: none */
	struct nf_sched sched;
	bool unbound; /* SCHED_DEADLINE on the whole root domain */
	int64_t n; /* activations per CPU; n * period_ns fits */
	size_t cap; /* room per stream */
	char note[240]; /* why the default policy stepped down; "" if it did not */
};

/* Activations per CPU: n_activations, or as many periods as fit in the duration (at least one).
 * -NF_EARG: an option out of range. */
NF_NODISCARD int nf_wake_count(const struct nf_wake_cfg *cfg, int64_t *ret, struct nf_err *err);

/* Tries policies on threads that end at once; changes nothing. -NF_EARG, -NF_EUNSUPPORTED. */
NF_NODISCARD int nf_wake_plan(const struct nf_probe_env *env, const struct nf_wake_cfg *cfg,
                              struct nf_wake_plan *ret, struct nf_err *err);
void nf_wake_plan_fini(struct nf_wake_plan *p);

#endif
