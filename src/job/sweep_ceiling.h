/* SPDX-License-Identifier: MIT */
/* sweep_ceiling - what a sweep does not allow to conclude, however clear its numbers look. Pure. */
#ifndef NF_JOB_SWEEP_CEILING_H
#define NF_JOB_SWEEP_CEILING_H

#include "record/rec_sweep.h"

/* A list of texts in a, each without its full stop; none: nothing beyond what always holds. */
NF_NODISCARD int nf_sweep_ceilings(const struct nf_rec_bench_sweep *r, struct nf_arena *a,
                                   struct nf_list *ret, struct nf_err *err);

#endif
