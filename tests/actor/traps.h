/* SPDX-License-Identifier: MIT */
/* traps - what goes wrong in runtimes like this one: a test each, which passes, and fails when
 * the runtime makes the mistake. A trap runs in a process of its own with a time limit; true:
 * all was well. */
#ifndef NF_TEST_ACTOR_TRAPS_H
#define NF_TEST_ACTOR_TRAPS_H

#include "hooks.h"
#include "noisefloor/actor.h"

bool trap_resume_before_saved(void);
bool trap_lost_wake(void);
bool trap_stale_worker(void);
bool trap_stale_errno(void);
bool trap_preempt_off(void);
bool trap_fpu_leak(void);
bool trap_drift(void);
bool trap_lifo_starvation(void);
bool trap_join_race(void);
bool trap_timer_generation(void);
bool trap_timer_race(void);
bool trap_large_frame(void);
bool trap_stalled_sender(void);
bool trap_stranded(void);
bool trap_fatal_signal(void);
bool trap_own_slices(void);
bool trap_early_revocation(void);

/* A runtime for traps. */
struct nf_actor_knobs trap_knobs(uint32_t workers);
/* Runs fn(arg) in a runtime made with k; true: it returned, and what it returned was arg. */
bool trap_run(const struct nf_actor_knobs *k, nf_actor_fn *fn, void *arg);
/* Times as often in the long run. */
long trap_times(long n, long n_long);

#define TRAP_CHECK(cond) \
	do { \
		if (!(cond)) \
			nf_actor_panicf("%s:%d: %s", strrchr("/" __FILE__, '/') + 1, __LINE__, \
			                #cond); \
	} while (0)

/* 256 KiB of stack at once: with and without the probes of -fstack-clash-protection. */
void frame_probed(void);
void frame_unprobed(void);

#endif
