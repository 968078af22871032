/* SPDX-License-Identifier: MIT */
/* executions - a set of executions of a command, with what belongs before and after each. */
#ifndef NF_BENCH_EXECUTIONS_H
#define NF_BENCH_EXECUTIONS_H

#include "bench/execution.h"

struct nf_executions {
	bool listens; /* to its standard output */
	bool with_process; /* room for what commands have of each value */
	/* One; see nf_launch_run(). */
	int (*execute)(const struct nf_launch *l, void *ctx, struct nf_ended *ret,
	               struct nf_err *err);
	/* Of one that went well: adds its values to the set, or fails the set. */
	int (*keep)(void *ctx, const struct nf_ended *e, bool warm_up, struct nf_set *set,
	            struct nf_err *err);
};
/* backend.h, run. */
NF_NODISCARD int nf_executions_run(const struct nf_executions *how, void *ctx,
                                   const struct nf_variant *v, const struct nf_set_cfg *cfg,
                                   const char *unit, struct nf_set *ret, struct nf_err *err);

#endif
