/* SPDX-License-Identifier: MIT */
/* bench_sweep_args - the knobs and the points that options ask for. */
#ifndef NF_CLI_BENCH_SWEEP_ARGS_H
#define NF_CLI_BENCH_SWEEP_ARGS_H

#include "bench/sweep.h"
#include "opt/opt.h"

struct nf_sweep_args {
	struct nf_opt_list env; /* "NAME=a,b", or "NAME" for points that are listed */
	struct nf_opt_list arg;
	struct nf_opt_list point; /* "NAME=a,NAME2=b" */
	const char *base;
	const char *workers;
};
/* Texts and lists live in arena. -NF_EARG names the option and what is allowed. */
NF_NODISCARD int nf_sweep_args_spec(const struct nf_sweep_args *args, struct nf_arena *arena,
                                    struct nf_sweep_spec *ret, struct nf_err *err);

#endif
