/* SPDX-License-Identifier: MIT */
/* explore - carries out an order in the process it is called in: random cases, or one given case. */
#ifndef PT_EXPLORE_H
#define PT_EXPLORE_H

#include "prop/case.h"

/* All that is left of it lies in t->sh. */
void pt_carry_out(struct pt_case *t, const struct pt_property *p);

#endif
