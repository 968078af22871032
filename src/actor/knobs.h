/* SPDX-License-Identifier: MIT */
/* knobs - their ranges. */
#ifndef NF_ACTOR_KNOBS_H
#define NF_ACTOR_KNOBS_H

#include "actor/layout.h"

/* Checks k and resolves what depends on the machine: workers, stack_bytes. */
int nf_knobs_resolve(struct nf_actor_knobs *k, struct nf_err *err);

#endif
