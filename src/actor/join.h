/* SPDX-License-Identifier: MIT */
/* join - the join word and who waits for it. */
#ifndef NF_ACTOR_JOIN_H
#define NF_ACTOR_JOIN_H

#include "actor/layout.h"

void nf_commit_join(struct nf_wrk *w, struct nf_actor_block *a);
/* Where a waits in a join, it stops waiting and is made ready. Inside; w NULL: outside. */
void nf_join_unwait(struct nf_wrk *w, struct nf_actor_block *a);
/* The actor ends: the word says so. Whether its block is free now (it was detached). Inside. */
bool nf_join_done(struct nf_wrk *w, struct nf_actor_block *a);

#endif
