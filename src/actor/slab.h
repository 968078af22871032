/* SPDX-License-Identifier: MIT */
/* slab - the stacks: one reservation, cut into slots of equal size with a guard page at the low
 * end. */
#ifndef NF_ACTOR_SLAB_H
#define NF_ACTOR_SLAB_H

#include "actor/layout.h"

/* Reserves `slots` stacks as the runtime's knobs say; resolves knobs.guard. */
int nf_slab_init(struct nf_actor_rt *rt, uint64_t slots, struct nf_err *err);
void nf_slab_fini(struct nf_actor_rt *rt);
/* Stack `number`, guarded: where its top end is. NULL with errno set. */
struct nf_pool_item *nf_slab_make(uint64_t number, void *rt);
/* What stopped nf_slab_make, from its errno, for people. */
void nf_slab_why(const struct nf_actor_rt *rt, int os_errno, char *ret, size_t bytes);

#endif
