/* SPDX-License-Identifier: MIT */
/* hooks - the test's side of the points in the runtime (src/actor/atomic.h): what happens there,
 * and which of the known mistakes the runtime makes. */
#ifndef NF_TEST_ACTOR_HOOKS_H
#define NF_TEST_ACTOR_HOOKS_H

#include "actor/atomic.h"

/* NULL: nothing happens. Set before a runtime is made. */
extern void (*hooks_at)(enum nf_actor_point point);
/* 0: never; else every so many-th woken actor may go on on any worker. */
extern unsigned hooks_migrate_every;
extern enum nf_actor_break hooks_broken;
extern bool hooks_no_membarrier; /* as on kernels without membarrier(2) */

/* A hook: now and then the thread waits a little, or gives its processor away. Seeded for each
 * thread. */
void hooks_perturb(enum nf_actor_point point);
extern uint64_t hooks_seed;

#endif
