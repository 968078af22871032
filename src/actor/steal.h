/* SPDX-License-Identifier: MIT */
/* steal - an idle worker takes from the others: what waits in long queues is given by their
 * owner at its next switch; what waits behind an actor that does not come to one is taken. */
#ifndef NF_ACTOR_STEAL_H
#define NF_ACTOR_STEAL_H

#include "actor/layout.h"

/* True: w has something to run now. Not inside; one worker at a time. */
bool nf_steal(struct nf_wrk *w, int64_t now_ns);

#endif
