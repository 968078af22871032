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

/* Hits that cover so much of the bursts' instants without bursts leave the recall nothing to tell. */
#define NF_INJECT_SHARED 0.5

/* That in words, of a pass without bursts (or none: NULL). NULL: the recall tells, or -NF_ENOMEM is remembered by
 * a. The verdict is by the recall all the same. */
const char *nf_inject_caution(struct nf_arena *a, const struct nf_rec_inject_pass *control);

/* From the probes' results to those of the run; keeps undecided and failed as they are. */
NF_NODISCARD int nf_inject_conclude(const struct nf_rec_inject_probe *probe, size_t n,
                                    struct nf_arena *a, struct nf_verdict *v, struct nf_err *err);

#endif
