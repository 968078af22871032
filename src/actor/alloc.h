/* SPDX-License-Identifier: MIT */
/* alloc - memory that ends with its actor. */
#ifndef NF_ACTOR_ALLOC_H
#define NF_ACTOR_ALLOC_H

#include "actor/layout.h"

void nf_heap_free_all(struct nf_actor_block *a);

#endif
