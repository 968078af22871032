/* SPDX-License-Identifier: MIT */
/* mem - memory released as a whole; the first block is kept from case to case. */
#ifndef PT_MEM_H
#define PT_MEM_H

#include <stddef.h>

#include "noisefloor/prop.h"

struct pt_block;
struct pt_mem {
	struct pt_block *first; /* owned list */
	struct pt_block *at;
	size_t used, size; /* of at */
	size_t total;
	struct pt_case *owner; /* a case that fails when memory runs out; NULL: none */
};

void pt_mem_init(struct pt_mem *m, struct pt_case *owner);
void pt_mem_reset(struct pt_mem *m);
void pt_mem_fini(struct pt_mem *m);

#endif
