/* SPDX-License-Identifier: MIT */
/* sweep_identity - what two invocations must have in common to be one sweep, and the programs that are run. */
#ifndef NF_JOB_SWEEP_IDENTITY_H
#define NF_JOB_SWEEP_IDENTITY_H

#include "job/bench_sweep.h"
#include "machine/posture.h"

/* The programs of all points, each once, with their digests; a list of sweep_program in a. */
NF_NODISCARD int nf_sweep_programs(const struct nf_variant *v, size_t n, struct nf_arena *a,
                                   struct nf_list *ret, struct nf_err *err);
/* Looks at them again; true: one is another file now. */
NF_NODISCARD int nf_sweep_programs_again(struct nf_list *programs, bool *ret_changed,
                                         struct nf_err *err);

/* A list of sweep_fact in a. */
NF_NODISCARD int nf_sweep_facts(const struct nf_bench_sweep_opts *s, const struct nf_list *programs,
                                const struct nf_posture *host, struct nf_arena *a,
                                struct nf_list *ret, struct nf_err *err);
/* -NF_EARG: names the first that differs. */
NF_NODISCARD int nf_sweep_facts_same(const struct nf_list *then, const struct nf_list *now,
                                     const char *run, struct nf_err *err);

#endif
