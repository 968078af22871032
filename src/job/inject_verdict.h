/* SPDX-License-Identifier: MIT */
/* inject_verdict - whether what the probes saw is enough. Internal to job/. */
#ifndef NF_JOB_INJECT_VERDICT_H
#define NF_JOB_INJECT_VERDICT_H

#include "base/arena.h"
#include "job/session.h"
#include "record/rec_inject.h"

/* Sets result and reason of a probe whose pass with bursts is there, `stopped` before its end or not. A
 * recall below `least` fails, whatever was lost; one that holds on incomplete samples is undecided: true. */
bool nf_inject_judge(double least, bool stopped, struct nf_arena *a, struct nf_rec_inject_probe *p);

/* From the probes' results to those of the run; keeps undecided and failed as they are. */
NF_NODISCARD int nf_inject_conclude(const struct nf_rec_inject_probe *probe, size_t n,
                                    struct nf_arena *a, struct nf_verdict *v, struct nf_err *err);

#endif
