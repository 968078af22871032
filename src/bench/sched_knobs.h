/* SPDX-License-Identifier: MIT */
/*
 * sched_knobs - the knobs of the scheduler suite's runtime, from environment variables NOISEFLOOR_ACTOR_*,
 * so that a sweep tries them without a rebuild. docs/ACTORS.md lists them; a test keeps the two alike.
 */
#ifndef NF_BENCH_SCHED_KNOBS_H
#define NF_BENCH_SCHED_KNOBS_H

#include "base/fail.h"
#include "noisefloor/actor.h"

/* What a variable of the environment is worth, or a test's own. NULL: not set. */
typedef const char *nf_sched_env_fn(void *ctx, const char *name);

struct nf_sched_knob {
	const char *name; /* of the variable */
	const char *allowed; /* for people */
	const char *doc;
};
extern const struct nf_sched_knob nf_sched_knobs[];
extern const size_t nf_sched_n_knobs;

/* Puts what is set over *k. -NF_EARG: "NAME=value; allowed: ...", *k untouched. */
NF_NODISCARD int nf_sched_knobs_read(nf_sched_env_fn *env, void *ctx, struct nf_actor_knobs *k,
                                     struct nf_err *err);

#endif
